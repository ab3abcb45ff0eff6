// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>

#include "emu/memory/lane_access.h"

namespace spalt::emu {

/// A scalar memory instruction in flight, or another one whose result arrives like that of a scalar load.
struct ScalarTransfer {
  TransferKind kind = TransferKind::load;
  AtomicOp op = AtomicOp::none;
  bool wide = false;        ///< atomics: 8 bytes
  bool has_value = false;   ///< s_memtime, messages: the result is `value`, not what memory holds
  uint8_t dwords = 0;       ///< of the result
  uint8_t valid_bytes = 0;  ///< moved to or from memory; the rest is out of range, reads 0 and is not written
  bool sign = false;        ///< fewer than four bytes are sign extended
  uint16_t dst = 0;
  uint8_t* host = nullptr;
  uint64_t value = 0;
  std::array<uint32_t, 4> data{};  ///< stores and atomics
};

using ScalarResult = std::array<uint32_t, 16>;

/// Moves the data and returns what goes into the destination.
ScalarResult perform(const ScalarTransfer& transfer);

}  // namespace spalt::emu
