// SPDX-License-Identifier: MIT
// Carries and borrows. Both units make the sum and its carry in one instruction, so a carry and the sum of the same
// operands in the same block are partners: whichever stands first defines both. Partners are found once, by a look at
// the neighbours of each carry; a function without carries pays nothing.
#include <utility>

#include "amdgpu/select/selector.h"

namespace spalt::select {
namespace {

/// Instructions to look at on each side of a carry. Readers make both next to each other.
constexpr unsigned kNeighbours = 16;

Op sum_of(Op carry) {
  return carry == Op::uadd_carry ? Op::iadd : Op::isub;
}

}  // namespace

bool Selector::are_partners(Value carry, Value sum) const {
  if (inst(sum).op != sum_of(inst(carry).op) || root(sum) != sum || function_.type(sum) != ir::kI32) return false;
  const Value a = input(carry, 0), b = input(carry, 1), x = input(sum, 0), y = input(sum, 1);
  return (a == x && b == y) || (inst(sum).op == Op::iadd && a == y && b == x);
}

void Selector::find_partners() {
  for (Value carry : facts_.carries()) {
    Value above = inst(carry).prev, below = inst(carry).next;
    for (unsigned i = 0; i < kNeighbours; ++i) {
      Value sum;
      if (above.valid() && are_partners(carry, above)) sum = above;
      if (below.valid() && are_partners(carry, below)) sum = below;
      if (sum.valid() && !partner(sum).valid()) {
        partners_.resize(function_.value_capacity());
        partners_[carry.index] = sum;
        partners_[sum.index] = carry;
        break;
      }
      if (above.valid()) above = inst(above).prev;
      if (below.valid()) below = inst(below).next;
    }
  }
}

/// The sum, if anybody wants it, and its carry.
void Selector::define_sum_and_carry(Value sum, Value carry) {
  const bool add = inst(carry).op == Op::uadd_carry;
  const Value a = input(carry, 0), b = input(carry, 1);
  const bool wants_sum = sum.valid() && locations_[sum.index].wanted();
  if (place(carry) == Place::mask) {
    const Operand result = wants_sum ? define(sum) : temp(mir::kV1);
    Operand in[] = {source(a), source(b)};
    const M opcode = add ? M::v_add_co_u32 : M::v_sub_co_u32;
    limit_scalar_sources(opcode, in, target_.vop3_literal);
    const Operand defs[] = {result, define(carry)};
    emit(opcode, defs, in);
    return;
  }
  const Operand left = scalar(a);
  const Operand right = scalar(b);
  salu(add ? M::s_add_u32 : M::s_sub_u32, wants_sum ? define(sum) : temp(mir::kS1), {left, right});
  salu(M::s_cselect_b32, define(carry), {Operand::immediate(1), Operand::immediate(0)});
}

/// Sums and differences of 64 bits: the low dwords make a carry that the high ones take.
void Selector::select_wide_sum(Value value) {
  const bool add = inst(value).op == Op::iadd;
  const Value a = input(value, 0), b = input(value, 1);
  if (is_scalar(value)) {
    const Operand a0 = scalar_dword(a, 0), a1 = scalar_dword(a, 1);
    const Operand b0 = scalar_dword(b, 0), b1 = scalar_dword(b, 1);
    const std::array<Operand, 2> parts = define_dwords(value);
    // Two literals in one instruction go to a register first, by a move that leaves scc alone.
    salu(add ? M::s_add_u32 : M::s_sub_u32, parts[0], {a0, b0});
    salu(add ? M::s_addc_u32 : M::s_subb_u32, parts[1], {a1, b1});
    return join_dwords(value, parts);
  }
  const std::array<Operand, 2> parts = define_dwords(value);
  const Operand carry = temp(out_.lane_mask_class());
  const Operand unused =
      target_.has_null_sgpr ? Operand::physical(isa::kNull, out_.wave_size / 32) : temp(out_.lane_mask_class());
  Operand low_in[] = {dword(a, 0), dword(b, 0)};
  const M low_opcode = add ? M::v_add_co_u32 : M::v_sub_co_u32;
  const M high_opcode = add ? M::v_add_co_ci_u32 : M::v_sub_co_ci_u32;
  limit_scalar_sources(low_opcode, low_in, target_.vop3_literal);
  const Operand low_defs[] = {parts[0], carry}, high_defs[] = {parts[1], unused};
  emit(low_opcode, low_defs, low_in);
  // The mask cannot be copied to a VGPR, so it takes its place on the bus first.
  Operand high_in[] = {carry, dword(b, 1), dword(a, 1)};
  limit_scalar_sources(high_opcode, high_in, target_.vop3_literal);
  std::swap(high_in[0], high_in[2]);
  emit(high_opcode, high_defs, high_in);
  join_dwords(value, parts);
}

/// A uniform carry as a number is what stands beside its sum.
bool Selector::copy_carry(Value value, Value condition) {
  if (!is_scalar(value) || dwords(value) != 1 || !partner(condition).valid() || place(condition) != Place::flag) {
    return false;
  }
  emit(M::p_copy, {define(value)}, {reg(condition)});
  return true;
}

/// The value comes with its partner, if that stands first, or brings its partner along.
void Selector::select_with_partner(Value value) {
  const Value other = partner(value);
  if (facts_.position(other) < facts_.position(value)) return;
  const bool is_carry = function_.type(value).is_bool();
  const Value sum = is_carry ? other : value, carry = is_carry ? value : other;
  const bool wants_carry = locations_[carry.index].wanted(), wants_sum = locations_[sum.index].wanted();
  if (wants_carry) {
    define_sum_and_carry(sum, carry);
    finish_value(carry);
  } else if (wants_sum) {
    dispatch(sum);
  }
  if (wants_sum) finish_value(sum);
}

void Selector::select_carry(Value value) {
  // A borrow is a comparison.
  if (inst(value).op == Op::usub_borrow) return select_compare(value);
  define_sum_and_carry(Value(), value);
}

}  // namespace spalt::select
