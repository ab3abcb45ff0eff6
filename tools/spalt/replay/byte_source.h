// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace spalt_tool::replay {

/// Bytes that several threads may read at once.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual uint64_t size() const = 0;
  /// Copies `count` bytes from `offset` on; false when they are not all there.
  virtual bool read(uint64_t offset, void* out, size_t count) const = 0;
};

/// Null when the file cannot be read; `error` is a sentence without the file's name.
std::unique_ptr<ByteSource> open_file(const std::string& path, std::string& error);
std::unique_ptr<ByteSource> in_memory(std::vector<uint8_t> bytes);

}  // namespace spalt_tool::replay
