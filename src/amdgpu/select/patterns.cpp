// SPDX-License-Identifier: MIT
// Groups of integer operations that one vector instruction computes: rotations, choices bit by bit.
#include "amdgpu/select/selector.h"

namespace spalt::select {

/// A rotation or funnel shift: the two parts are disjoint, so that or, xor and add join them alike.
std::optional<Selector::Funnel> Selector::funnel(Value value) const {
  for (unsigned side = 0; side < 2; ++side) {
    const Value left = input(value, side), right = input(value, 1 - side);
    if (inst(left).op != Op::ishl || inst(right).op != Op::ushr) continue;
    if (!fusable(left, value) || !fusable(right, value)) continue;
    const Value up = input(left, 1), down = input(right, 1);
    if (!is_constant(up) || !is_constant(down)) continue;
    if (constant(up) > 31 || constant(down) > 31 || constant(up) + constant(down) != 32) continue;
    return Funnel{input(left, 0), input(right, 0), constant(down)};
  }
  return std::nullopt;
}

/// (mask & a) joined with (~mask & b).
std::optional<Selector::BitChoice> Selector::choice_of_parts(Value value) const {
  const Value left = input(value, 0), right = input(value, 1);
  if (inst(left).op != Op::iand || inst(right).op != Op::iand) return std::nullopt;
  if (!fusable(left, value) || !fusable(right, value)) return std::nullopt;
  for (unsigned i = 0; i < 8; ++i) {
    const Value set = (i & 1) == 0 ? left : right, clear = (i & 1) == 0 ? right : left;
    const Value mask = input(set, i >> 1 & 1), inverse = input(clear, i >> 2 & 1);
    if (inst(inverse).op != Op::inot || input(inverse, 0) != mask) continue;
    return BitChoice{mask, input(set, 1 - (i >> 1 & 1)), input(clear, 1 - (i >> 2 & 1))};
  }
  return std::nullopt;
}

/// b ^ (mask & (a ^ b)).
std::optional<Selector::BitChoice> Selector::choice_by_difference(Value value) const {
  if (inst(value).op != Op::ixor) return std::nullopt;
  for (unsigned i = 0; i < 8; ++i) {
    const Value clear = input(value, i & 1), masked = input(value, 1 - (i & 1));
    if (inst(masked).op != Op::iand || !fusable(masked, value)) continue;
    const Value mask = input(masked, i >> 1 & 1), difference = input(masked, 1 - (i >> 1 & 1));
    if (inst(difference).op != Op::ixor || !fusable(difference, masked)) continue;
    if (input(difference, i >> 2 & 1) != clear) continue;
    return BitChoice{mask, input(difference, 1 - (i >> 2 & 1)), clear};
  }
  return std::nullopt;
}

/// In each bit `if_set` where the mask is 1 and `if_clear` where it is 0. Parts that others need as well stay.
std::optional<Selector::BitChoice> Selector::bit_choice(Value value) const {
  const Op op = inst(value).op;
  if ((op != Op::ior && op != Op::ixor && op != Op::iadd) || function_.type(value) != ir::kI32) return std::nullopt;
  if (const auto choice = choice_of_parts(value)) return choice;
  return choice_by_difference(value);
}

bool Selector::fuse_rotate(Value value) {
  const auto parts = funnel(value);
  if (!parts) return false;
  valu(M::v_alignbit_b32, define(value), {source(parts->high), source(parts->low), Operand::immediate(parts->down)});
  return true;
}

bool Selector::fuse_bit_choice(Value value) {
  const auto choice = bit_choice(value);
  if (!choice) return false;
  valu(M::v_bfi_b32, define(value), {source(choice->mask), source(choice->if_set), source(choice->if_clear)});
  return true;
}

/// op(inner_op(a, b), c) as one instruction with sources a, b, c.
bool Selector::fuse_ternary(Value value, Op inner_op, M opcode) {
  if (!exists(opcode)) return false;
  for (unsigned side = 0; side < 2; ++side) {
    const Value inner = input(value, side), other = input(value, 1 - side);
    // A uniform inner operation is worth a vector slot as well: it would have been an instruction of its own.
    if (inst(inner).op != inner_op || !fusable(inner, value)) continue;
    if (inner_op == Op::imul && (inst(inner).flags & ir::kFits24) == 0) continue;
    const bool is_group = inner_op == Op::ior || inner_op == Op::ixor || inner_op == Op::iadd;
    if (is_group && place(inner) == Place::vector && (funnel(inner) || bit_choice(inner))) continue;
    valu(opcode, define(value), {source(input(inner, 0)), source(input(inner, 1)), source(other)});
    return true;
  }
  return false;
}

}  // namespace spalt::select
