// SPDX-License-Identifier: MIT
// Conditions: comparisons and logic on i1. A uniform condition is wanted in scc by most users; the comparison is then
// emitted right before the user, because scc survives nothing. A divergent one is a lane mask.
#include "amdgpu/select/selector.h"
#include "base/ice.h"

namespace spalt::select {
namespace {

struct ComparePair {
  M scalar, vector;
};

/// Of operands of this type. Those of floats in scc exist only where the scalar unit has floats.
ComparePair compare_opcodes(Op op, ir::Type operands) {
  if (op == Op::uadd_carry) return {M::s_add_u32, M::invalid};
  const Row& row = row_of(op == Op::usub_borrow ? Op::ult : op);
  const ir::Type type = operands.is_bool() ? ir::kI32 : operands;  // 0 or 1
  return {row.scalar(type), row.vector(type)};
}

bool is_comparison(Op op) {
  return ir::group(op) == ir::OpGroup::integer_compare || ir::group(op) == ir::OpGroup::float_compare ||
         op == Op::uadd_carry || op == Op::usub_borrow;
}

}  // namespace

bool Selector::repeats_in_front_of_use(Value value) const {
  if (place(value) != Place::flag || !is_comparison(inst(value).op)) return false;
  return facts_.use_count(value) == 1 || inst(value).block == current_;
}

/// The borrow of a - b: whether a is below b. Signed numbers in two's complement are ordered like unsigned ones when
/// their signs are inverted.
void Selector::order_wide_into_scc(Value a, Value b, bool is_signed) {
  const Operand a0 = scalar_dword(a, 0), b0 = scalar_dword(b, 0);
  Operand high[] = {scalar_dword(a, 1), scalar_dword(b, 1)};
  for (Operand& word : high) {
    if (!is_signed) break;
    if (word.is_imm()) {
      word = Operand::immediate(word.value ^ 0x80000000u);
      continue;
    }
    const Operand moved = temp(mir::kS1);
    salu(M::s_xor_b32, moved, {word, Operand::immediate(0x80000000u)});
    word = moved;
  }
  // Two literals in one instruction go to a register first, by a move that leaves scc alone.
  salu(M::s_sub_u32, temp(mir::kS1), {a0, b0});
  salu(M::s_subb_u32, temp(mir::kS1), {high[0], high[1]});
}

/// The scalar unit compares 64 bits for equality only.
bool Selector::compare_wide_into_scc(Op op, Value a, Value b) {
  if (op == Op::ieq || op == Op::ine) {
    const Operand left = wide_source(a, true);
    const Operand right = wide_source(b, true);
    salu_compare(op == Op::ieq ? M::s_cmp_eq_u64 : M::s_cmp_lg_u64, left, right);
    return true;
  }
  const bool or_equal = op == Op::sle || op == Op::ule;
  order_wide_into_scc(or_equal ? b : a, or_equal ? a : b, op == Op::slt || op == Op::sle);
  return !or_equal;
}

bool Selector::compare_into_scc(Value value) {
  const Value a = input(value, 0), b = input(value, 1);
  const ir::Type type = operand_type(value);
  const Op op = inst(value).op;
  if (type == ir::kI64) return compare_wide_into_scc(op, a, b);
  const Operand left = type.is_bool() ? flag(a) : scalar_operand(op, type, a);
  const Operand right = type.is_bool() ? flag(b) : scalar_operand(op, type, b);
  if (op == Op::uadd_carry) {
    salu(M::s_add_u32, temp(mir::kS1), {left, right});
  } else {
    salu_compare(compare_opcodes(op, type).scalar, left, right);
  }
  return true;
}

/// A comparison of integers by the vector unit.
void Selector::vector_compare(Value value, Operand result) {
  const Value a = input(value, 0), b = input(value, 1);
  const ir::Type type = operand_type(value);
  const M opcode = compare_opcodes(inst(value).op, type).vector;
  if (type != ir::kI64) return valu(opcode, result, {source(a), source(b)});
  const Operand left = wide_source(a, false);
  const Operand right = wide_source(b, false);
  valu(opcode, result, {left, right});
}

bool Selector::condition(Value value) {
  bool polarity = true;
  value = root(value);
  while (inst(value).op == Op::inot) {
    polarity = !polarity;
    value = input(value, 0);
  }
  if (place(value) == Place::mask) {
    // All running lanes agree; what other lanes hold is masked out.
    const mir::RegClass cls = out_.lane_mask_class();
    const Operand mask = reg(value);  // before temp(): numbers must not depend on the order of arguments
    salu(mask_op(M::s_and_b32, M::s_and_b64), temp(cls), {mask, exec()});
  } else if (repeats_in_front_of_use(value)) {
    polarity ^= !compare_into_scc(value);
  } else if (inst(value).op == Op::any_lane && inst(value).block == current_) {
    any_lane_into_scc(value);
  } else {
    salu_compare(M::s_cmp_lg_u32, source(value), Operand::immediate(0));
  }
  return polarity;
}

Operand Selector::flag(Value value) {
  value = root(value);
  if (place(value) != Place::mask) return source(value);
  const bool polarity = condition(value);
  const Operand result = temp(mir::kS1);
  salu(M::s_cselect_b32, result, {Operand::immediate(polarity ? 1 : 0), Operand::immediate(polarity ? 0 : 1)});
  return result;
}

/// One comparison for all users that want a mask.
Operand Selector::shared_mask(Value value) {
  mir::VReg& mask = locations_[value.index].scalar;
  if (!mask.valid()) {
    mask = out_.create_vreg(out_.lane_mask_class());
    out_.vregs[mask].hint = isa::kVcc;
  }
  return out_.use(mask);
}

Operand Selector::mask(Value value) {
  value = root(value);
  if (place(value) == Place::mask) return reg(value);
  const bool compares = repeats_in_front_of_use(value) && !operand_type(value).is_bool() &&
                        compare_opcodes(inst(value).op, operand_type(value)).vector != M::invalid;
  if (compares && facts_.use_count(value) > 1) return shared_mask(value);
  const Operand result = temp(out_.lane_mask_class());
  if (place(value) == Place::none) {
    const uint32_t bits = is_constant(value) && constant(value) != 0 ? 0xffffffffu : 0;
    emit(mask_op(M::s_mov_b32, M::s_mov_b64), {result}, {Operand::immediate(bits)});
    return result;
  }
  if (compares) {
    // One vector comparison of scalars instead of a scalar one and a select.
    vector_compare(value, result);
    return result;
  }
  const bool polarity = condition(value);
  salu(mask_op(M::s_cselect_b32, M::s_cselect_b64), result,
       {Operand::immediate(polarity ? 0xffffffffu : 0), Operand::immediate(polarity ? 0 : 0xffffffffu)});
  return result;
}

/// Whether a lane's number is below a count of seven bits in a word: as many ones, without the vector unit. s_bfe takes
/// the count as the number of bits of its field, from bit 16 of its operand on.
bool Selector::mask_first_lanes(Value value) {
  constexpr uint32_t kWidthBits = 7, kWidthShift = 16, kOffsetBits = 6;
  const Value lane = input(value, 0), count = input(value, 1);
  const uint64_t own = ir::builtin_imm(ir::BuiltIn::subgroup_invocation_id);
  if (inst(value).op != Op::ult || inst(lane).op != Op::builtin || inst(lane).imm != own) return false;
  uint32_t shift = 0;
  if (inst(count).op == Op::bfe_u && is_constant(input(count, 1)) && is_constant(input(count, 2), kWidthBits)) {
    shift = constant(input(count, 1));
  } else if (inst(count).op != Op::iand || !is_constant(input(count, 1), (1u << kWidthBits) - 1)) {
    return false;
  }
  const Value word = input(count, 0);
  if (!is_scalar(word) || is_constant(word) || shift + kOffsetBits > kWidthShift) return false;
  const Operand field = temp(mir::kS1);
  salu(M::s_lshl_b32, field, {source(word), Operand::immediate(kWidthShift - shift)});
  salu(mask_op(M::s_bfe_u32, M::s_bfe_u64), define(value), {Operand::immediate(0xffffffffu), field});
  return true;
}

void Selector::select_compare(Value value) {
  if (place(value) == Place::mask && mask_first_lanes(value)) return;
  if (place(value) == Place::mask) return vector_compare(value, define(value));
  const bool polarity = compare_into_scc(value);
  salu(M::s_cselect_b32, define(value), {Operand::immediate(polarity ? 1 : 0), Operand::immediate(polarity ? 0 : 1)});
}

void Selector::select_float_compare(Value value) {
  if (place(value) == Place::flag) return select_compare(value);
  const FloatSource sources[] = {float_source(input(value, 0)), float_source(input(value, 1))};
  const ir::Type type = operand_type(value);
  float_op(compare_opcodes(inst(value).op, type).vector, type, define(value), sources);
}

void Selector::select_logic(Value value, M flag_op, M mask32, M mask64) {
  const Value a = input(value, 0), b = input(value, 1);
  if (place(value) == Place::mask) {
    const Operand left = mask(a);
    const Operand right = mask(b);
    salu(mask_op(mask32, mask64), define(value), {left, right});
    return;
  }
  const Operand left = flag(a);
  const Operand right = flag(b);
  salu(flag_op, define(value), {left, right});
}

void Selector::select_condition_not(Value value) {
  const Value a = input(value, 0);
  if (place(value) == Place::mask) {
    const Operand in = mask(a);
    salu(mask_op(M::s_not_b32, M::s_not_b64), define(value), {in});
    return;
  }
  const Operand in = flag(a);
  salu(M::s_xor_b32, define(value), {in, Operand::immediate(1)});
}

void Selector::select_condition_equal(Value value, bool equal) {
  if (place(value) == Place::flag) return select_compare(value);
  const M op = equal ? mask_op(M::s_xnor_b32, M::s_xnor_b64) : mask_op(M::s_xor_b32, M::s_xor_b64);
  const Operand left = mask(input(value, 0));
  const Operand right = mask(input(value, 1));
  salu(op, define(value), {left, right});
}

void Selector::select_condition_select(Value value) {
  const Value chooser = input(value, 0), if_true = input(value, 1), if_false = input(value, 2);
  if (place(value) == Place::flag) {
    const Operand yes = flag(if_true);
    const Operand no = flag(if_false);
    const bool polarity = condition(chooser);
    salu(M::s_cselect_b32, define(value), {polarity ? yes : no, polarity ? no : yes});
    return;
  }
  const mir::RegClass cls = out_.lane_mask_class();
  const Operand yes = mask(if_true);
  const Operand no = mask(if_false);
  if (place(chooser) != Place::mask) {
    const bool polarity = condition(chooser);
    salu(mask_op(M::s_cselect_b32, M::s_cselect_b64), define(value), {polarity ? yes : no, polarity ? no : yes});
    return;
  }
  const Operand choice = mask(chooser);
  const Operand chosen_yes = temp(cls), chosen_no = temp(cls);
  salu(mask_op(M::s_and_b32, M::s_and_b64), chosen_yes, {yes, choice});
  salu(mask_op(M::s_andn2_b32, M::s_andn2_b64), chosen_no, {no, choice});
  salu(mask_op(M::s_or_b32, M::s_or_b64), define(value), {chosen_yes, chosen_no});
}

}  // namespace spalt::select
