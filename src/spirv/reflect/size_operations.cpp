// SPDX-License-Identifier: MIT
// Sizes that are computed from specialization constants. Operands are a few bits in 64, so that an operation is the
// host's, and signed ones extend the sign first. What SPIR-V leaves undefined (a shift by too much) is 0 here.
#include "spirv/reflect/size_operations.h"

#include <spirv/unified1/spirv.hpp>

namespace spalt::spirv {

namespace {

int64_t signed_value(SizeOperand operand) {
  const uint32_t unused = 64 - operand.bits;
  return static_cast<int64_t>(operand.value << unused) >> unused;
}

std::optional<uint64_t> unary(uint32_t opcode, SizeOperand a) {
  switch (opcode) {
    case spv::OpUConvert:
      return a.value;
    case spv::OpSConvert:
      return static_cast<uint64_t>(signed_value(a));
    case spv::OpSNegate:
      return 0 - a.value;
    case spv::OpNot:
      return ~a.value;
    case spv::OpLogicalNot:
      return a.value == 0 ? 1 : 0;
    default:
      return {};
  }
}

/// The quotient or the remainder; nothing without one. A divisor of -1 is apart, since the smallest number has no
/// opposite.
std::optional<uint64_t> divide(uint32_t opcode, SizeOperand a, SizeOperand b) {
  if (b.value == 0) return {};
  const int64_t x = signed_value(a), y = signed_value(b);
  switch (opcode) {
    case spv::OpUDiv:
      return a.value / b.value;
    case spv::OpUMod:
      return a.value % b.value;
    case spv::OpSDiv:
      return y == -1 ? 0 - a.value : static_cast<uint64_t>(x / y);
    case spv::OpSRem:
      return y == -1 ? 0 : static_cast<uint64_t>(x % y);
    default: {  // OpSMod: the sign is that of the divisor
      const int64_t rest = y == -1 ? 0 : x % y;
      return static_cast<uint64_t>(rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest);
    }
  }
}

std::optional<uint64_t> shift(uint32_t opcode, SizeOperand a, SizeOperand b) {
  if (b.value >= a.bits) return 0;
  if (opcode == spv::OpShiftLeftLogical) return a.value << b.value;
  if (opcode == spv::OpShiftRightLogical) return a.value >> b.value;
  return static_cast<uint64_t>(signed_value(a) >> b.value);
}

bool compare(uint32_t opcode, SizeOperand a, SizeOperand b) {
  const int64_t x = signed_value(a), y = signed_value(b);
  switch (opcode) {
    case spv::OpIEqual:
    case spv::OpLogicalEqual:
      return a.value == b.value;
    case spv::OpINotEqual:
    case spv::OpLogicalNotEqual:
      return a.value != b.value;
    case spv::OpULessThan:
      return a.value < b.value;
    case spv::OpULessThanEqual:
      return a.value <= b.value;
    case spv::OpUGreaterThan:
      return a.value > b.value;
    case spv::OpUGreaterThanEqual:
      return a.value >= b.value;
    case spv::OpSLessThan:
      return x < y;
    case spv::OpSLessThanEqual:
      return x <= y;
    case spv::OpSGreaterThan:
      return x > y;
    default:  // OpSGreaterThanEqual
      return x >= y;
  }
}

std::optional<uint64_t> binary(uint32_t opcode, SizeOperand a, SizeOperand b) {
  switch (opcode) {
    case spv::OpIAdd:
      return a.value + b.value;
    case spv::OpISub:
      return a.value - b.value;
    case spv::OpIMul:
      return a.value * b.value;
    case spv::OpUDiv:
    case spv::OpUMod:
    case spv::OpSDiv:
    case spv::OpSRem:
    case spv::OpSMod:
      return divide(opcode, a, b);
    case spv::OpShiftLeftLogical:
    case spv::OpShiftRightLogical:
    case spv::OpShiftRightArithmetic:
      return shift(opcode, a, b);
    case spv::OpBitwiseAnd:
    case spv::OpLogicalAnd:
      return a.value & b.value;
    case spv::OpBitwiseOr:
    case spv::OpLogicalOr:
      return a.value | b.value;
    case spv::OpBitwiseXor:
      return a.value ^ b.value;
    case spv::OpIEqual:
    case spv::OpINotEqual:
    case spv::OpLogicalEqual:
    case spv::OpLogicalNotEqual:
    case spv::OpULessThan:
    case spv::OpULessThanEqual:
    case spv::OpUGreaterThan:
    case spv::OpUGreaterThanEqual:
    case spv::OpSLessThan:
    case spv::OpSLessThanEqual:
    case spv::OpSGreaterThan:
    case spv::OpSGreaterThanEqual:
      return compare(opcode, a, b) ? 1 : 0;
    default:
      return {};
  }
}

}  // namespace

std::optional<uint64_t> size_operation(uint32_t opcode, std::span<const SizeOperand> operands) {
  switch (operands.size()) {
    case 1:
      return unary(opcode, operands[0]);
    case 2:
      return binary(opcode, operands[0], operands[1]);
    case 3:
      if (opcode != spv::OpSelect) return {};
      return operands[0].value != 0 ? operands[1].value : operands[2].value;
    default:
      return {};
  }
}

}  // namespace spalt::spirv
