// SPDX-License-Identifier: MIT
#include "ir/scan.h"

namespace spalt::ir {
namespace {

/// Of f16, f32 and f64.
uint64_t by_width(Type type, uint64_t half, uint64_t single, uint64_t wide) {
  return type.bits() == 16 ? half : type.bits() == 32 ? single : wide;
}

}  // namespace

uint64_t scan_identity(Op combine, Type type) {
  const uint64_t ones = type.bits() == 64 ? ~uint64_t{0} : (uint64_t{1} << type.bits()) - 1;
  const uint64_t sign = uint64_t{1} << (type.bits() - 1);
  switch (combine) {
    case Op::imul:
      return 1;
    case Op::iand:
    case Op::umin:
      return ones;
    case Op::smin:
      return sign - 1;
    case Op::smax:
      return sign;
    case Op::fmul:
      return by_width(type, 0x3c00, 0x3f800000, 0x3ff0000000000000);
    case Op::fmin:
      return by_width(type, 0x7c00, 0x7f800000, 0x7ff0000000000000);
    case Op::fmax:
      return by_width(type, 0xfc00, 0xff800000, 0xfff0000000000000);
    default:
      return 0;
  }
}

bool is_scannable(Op combine, Type type) {
  if (type.is_vector() || type.is_bool()) return false;
  switch (combine) {
    case Op::iadd:
    case Op::imul:
    case Op::iand:
    case Op::ior:
    case Op::ixor:
    case Op::smin:
    case Op::smax:
    case Op::umin:
    case Op::umax:
      return type.is_integer();
    case Op::fadd:
    case Op::fmul:
    case Op::fmin:
    case Op::fmax:
      return type.is_float();
    default:
      return false;
  }
}

}  // namespace spalt::ir
