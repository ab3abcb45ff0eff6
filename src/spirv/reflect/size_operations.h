// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <span>

namespace spalt::spirv {

/// A whole number, or a truth value of one bit. Bits beyond its width are 0.
struct SizeOperand {
  uint64_t value = 0;
  uint32_t bits = 0;  ///< its width; 1 to 64
};

/// What OpSpecConstantOp makes of scalars that sizes are computed from. Only as many bits count as the result's type
/// has. Nothing where the operation has another number of operands, divides by zero, or is none of whole numbers.
std::optional<uint64_t> size_operation(uint32_t opcode, std::span<const SizeOperand> operands);

}  // namespace spalt::spirv
