// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace spalt::emu {

/// How wide an index is, in bytes.
enum class IndexSize : uint8_t { one = 1, two = 2, four = 4 };

/// The bound range of an index buffer. Not owned. It need not be aligned.
struct IndexBuffer {
  std::span<const std::byte> bytes;
  IndexSize size = IndexSize::four;

  /// Index `i`, zero extended; 0 where it is not wholly inside of the range.
  uint32_t at(uint64_t i) const;
  /// All ones: what ends a strip where restart is enabled. Compared before the vertex offset is added.
  uint32_t restart_index() const;
};

}  // namespace spalt::emu
