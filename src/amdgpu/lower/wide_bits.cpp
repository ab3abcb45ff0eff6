// SPDX-License-Identifier: MIT
// Counting, searching and moving the bits of 64-bit integers.
#include "amdgpu/lower/wide_parts.h"

namespace spalt::lower {

using ir::Op;
using ir::Value;

namespace {

Value sign_extended(Inserter& insert, Value word) {
  return join(insert, {word, insert.i(Op::sshr, {word, insert.constant(31)})});
}

Value bit_count(Inserter& insert, Halves x) {
  const Value low = insert.i(Op::bit_count, {x.low});
  const Value high = insert.i(Op::bit_count, {x.high});
  return join(insert, {insert.i(Op::iadd, {low, high}), insert.constant(0)});
}

Value bit_reverse(Inserter& insert, Halves x) {
  const Value low = insert.i(Op::bit_reverse, {x.high});
  const Value high = insert.i(Op::bit_reverse, {x.low});
  return join(insert, {low, high});
}

/// Where a half has no such bit, its index is -1, also with the bit of 32 set: the greatest number for an unsigned
/// minimum, the least one for a signed maximum.
Value find_bit(Inserter& insert, Halves x, Op find, Op choose) {
  const Value low = insert.i(find, {x.low});
  const Value high = insert.i(find, {x.high});
  const Value high_index = insert.i(Op::ior, {high, insert.constant(32)});
  return sign_extended(insert, insert.i(choose, {low, high_index}));
}

/// The field shifted to the top, then down to the bottom. Amounts count modulo 64, so that a field without bits needs
/// care.
Value extract_field(Inserter& insert, Value base, Value offset, Value count, Op shift_down) {
  const Value down = insert.i(Op::isub, {insert.constant(64), count});
  const Value up = insert.i(Op::isub, {down, offset});
  const Value at_top = wide(insert, Op::ishl, {base, up});
  const Value field = wide(insert, shift_down, {at_top, down});
  const Value none = insert.compare(Op::ieq, count, insert.constant(0));
  return wide(insert, Op::select, {none, wide_constant(insert, 0), field});
}

Value insert_field(Inserter& insert, Value base, Value bits, Value offset, Value count) {
  const Value ones = wide_constant(insert, ~uint64_t{0});
  const Value outside = wide(insert, Op::ishl, {ones, count});
  const Value low_mask = wide(insert, Op::inot, {outside});
  const Value all = insert.compare(Op::ieq, count, insert.constant(64));
  const Value field = wide(insert, Op::select, {all, ones, low_mask});
  const Value mask = wide(insert, Op::ishl, {field, offset});
  const Value moved = wide(insert, Op::ishl, {bits, offset});
  const Value inserted = wide(insert, Op::iand, {moved, mask});
  const Value kept = wide(insert, Op::iand, {base, wide(insert, Op::inot, {mask})});
  return wide(insert, Op::ior, {kept, inserted});
}

}  // namespace

Value lower_wide_bits(Inserter& insert, Op op, std::span<const Value> operands) {
  const Value x = operands[0];
  switch (op) {
    case Op::bit_count:
      return bit_count(insert, halves_of(insert, x));
    case Op::bit_reverse:
      return bit_reverse(insert, halves_of(insert, x));
    case Op::find_lsb:
      return find_bit(insert, halves_of(insert, x), Op::find_lsb, Op::umin);
    case Op::find_msb_u:
      return find_bit(insert, halves_of(insert, x), Op::find_msb_u, Op::smax);
    case Op::find_msb_s: {
      const Value differs = wide(insert, Op::ixor, {x, wide_sign(insert, x)});
      return find_bit(insert, halves_of(insert, differs), Op::find_msb_u, Op::smax);
    }
    case Op::bfe_u:
      return extract_field(insert, x, operands[1], operands[2], Op::ushr);
    case Op::bfe_s:
      return extract_field(insert, x, operands[1], operands[2], Op::sshr);
    default:
      return insert_field(insert, x, operands[1], operands[2], operands[3]);
  }
}

}  // namespace spalt::lower
