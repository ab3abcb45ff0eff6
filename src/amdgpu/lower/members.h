// SPDX-License-Identifier: MIT
// Internal to src/amdgpu/lower: the lanes of a wave that take part in something, as the words of a ballot.
#pragma once
#include "ir/builder.h"

namespace spalt::lower {

struct Members {
  ir::Value low, high;  ///< the second is 0 in waves of 32
};

/// The running lanes where the condition holds; helpers are none.
inline Members members_of(ir::Builder& b, ir::Value condition, unsigned wave_size) {
  const ir::Value low = b.emit(ir::Op::ballot, ir::kI32, {condition}, 0);
  return {low, wave_size > 32 ? b.emit(ir::Op::ballot, ir::kI32, {condition}, 1) : b.i32(0)};
}

inline ir::Value number_of(ir::Builder& b, Members members) {
  const ir::Value low = b.unary(ir::Op::bit_count, members.low), high = b.unary(ir::Op::bit_count, members.high);
  return b.iadd(low, high);
}

/// How many of them come before the own lane.
inline ir::Value number_before(ir::Builder& b, Members members, unsigned wave_size) {
  const ir::Value low = b.emit(ir::Op::bits_below, ir::kI32, {members.low, b.i32(0)}, 0);
  return wave_size > 32 ? b.emit(ir::Op::bits_below, ir::kI32, {members.high, low}, 1) : low;
}

/// The lane of the first one; there is one.
inline ir::Value first_of(ir::Builder& b, Members members) {
  const ir::Value in_low = b.unary(ir::Op::find_lsb, members.low), found = b.unary(ir::Op::find_lsb, members.high);
  const ir::Value in_high = b.iadd(found, b.i32(32)), low_is_empty = b.binary(ir::Op::ieq, members.low, b.i32(0));
  return b.select(low_is_empty, in_high, in_low);
}

/// The lane of the last one; there is one.
inline ir::Value last_of(ir::Builder& b, Members members) {
  const ir::Value in_low = b.unary(ir::Op::find_msb_u, members.low), found = b.unary(ir::Op::find_msb_u, members.high);
  const ir::Value in_high = b.iadd(found, b.i32(32)), high_is_empty = b.binary(ir::Op::ieq, members.high, b.i32(0));
  return b.select(high_is_empty, in_low, in_high);
}

}  // namespace spalt::lower
