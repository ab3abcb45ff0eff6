// SPDX-License-Identifier: MIT
#pragma once
#include "ir/op.h"
#include "ir/type.h"

namespace spalt::ir {

/// The two numbers of 16 bits that one operation may compute on at once.
constexpr bool is_pair(Type type) {
  return type == kF16.vector(2) || type == kI16.vector(2);
}

/// The operations on such pairs; each component by itself. Amounts of shifts are pairs as well.
inline constexpr OpSet kPackedFloat = {Op::fadd, Op::fsub, Op::fmul, Op::ffma, Op::fmin, Op::fmax, Op::fneg};
inline constexpr OpSet kPackedBits = {Op::iand, Op::ior, Op::ixor, Op::inot};
inline constexpr OpSet kPackedShift = {Op::ishl, Op::ushr, Op::sshr};
inline constexpr OpSet kPackedNumber = {Op::iadd, Op::isub, Op::imul, Op::smin, Op::smax, Op::umin, Op::umax};

constexpr bool works_on_pairs(Op op, Type type) {
  if (type == kF16.vector(2)) return kPackedFloat.has(op);
  return type == kI16.vector(2) && (kPackedNumber.has(op) || kPackedBits.has(op) || kPackedShift.has(op));
}

}  // namespace spalt::ir
