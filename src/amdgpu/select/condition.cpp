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

/// Comparisons by IR operation. Those of floats in scc exist only where the scalar unit has floats.
ComparePair compare_opcodes(Op op) {
  switch (op) {
    case Op::ieq:
      return {M::s_cmp_eq_u32, M::v_cmp_eq_u32};
    case Op::ine:
      return {M::s_cmp_lg_u32, M::v_cmp_ne_u32};
    case Op::slt:
      return {M::s_cmp_lt_i32, M::v_cmp_lt_i32};
    case Op::sle:
      return {M::s_cmp_le_i32, M::v_cmp_le_i32};
    case Op::ult:
    case Op::usub_borrow:
      return {M::s_cmp_lt_u32, M::v_cmp_lt_u32};
    case Op::uadd_carry:
      return {M::s_add_u32, M::invalid};
    case Op::ule:
      return {M::s_cmp_le_u32, M::v_cmp_le_u32};
    case Op::foeq:
      return {M::s_cmp_eq_f32, M::v_cmp_eq_f32};
    case Op::fone:
      return {M::s_cmp_lg_f32, M::v_cmp_lg_f32};
    case Op::folt:
      return {M::s_cmp_lt_f32, M::v_cmp_lt_f32};
    case Op::fole:
      return {M::s_cmp_le_f32, M::v_cmp_le_f32};
    case Op::fueq:
      return {M::s_cmp_nlg_f32, M::v_cmp_nlg_f32};
    case Op::fune:
      return {M::s_cmp_neq_f32, M::v_cmp_neq_f32};
    case Op::fult:
      return {M::s_cmp_nge_f32, M::v_cmp_nge_f32};
    case Op::fule:
      return {M::s_cmp_ngt_f32, M::v_cmp_ngt_f32};
    case Op::fordered:
      return {M::s_cmp_o_f32, M::v_cmp_o_f32};
    case Op::funordered:
      return {M::s_cmp_u_f32, M::v_cmp_u_f32};
    default:
      return {M::invalid, M::invalid};
  }
}

}  // namespace

bool Selector::repeats_in_front_of_use(Value value) const {
  if (place(value) != Place::flag || compare_opcodes(inst(value).op).scalar == M::invalid) return false;
  return facts_.use_count(value) == 1 || inst(value).block == current_;
}

void Selector::compare_into_scc(Value value) {
  const Value a = input(value, 0), b = input(value, 1);
  const bool on_conditions = function_.type(a).is_bool();
  const Operand left = on_conditions ? flag(a) : scalar(a);
  const Operand right = on_conditions ? flag(b) : scalar(b);
  if (inst(value).op == Op::uadd_carry) return salu(M::s_add_u32, temp(mir::kS1), {left, right});
  salu_compare(compare_opcodes(inst(value).op).scalar, left, right);
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
    compare_into_scc(value);
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

Operand Selector::mask(Value value) {
  value = root(value);
  if (place(value) == Place::mask) return reg(value);
  const Operand result = temp(out_.lane_mask_class());
  if (place(value) == Place::none) {
    const uint32_t bits = is_constant(value) && constant(value) != 0 ? 0xffffffffu : 0;
    emit(mask_op(M::s_mov_b32, M::s_mov_b64), {result}, {Operand::immediate(bits)});
    return result;
  }
  if (repeats_in_front_of_use(value) && !function_.type(input(value, 0)).is_bool() &&
      compare_opcodes(inst(value).op).vector != M::invalid) {
    // One vector comparison of scalars instead of a scalar one and a select.
    valu(compare_opcodes(inst(value).op).vector, result, {source(input(value, 0)), source(input(value, 1))});
    return result;
  }
  const bool polarity = condition(value);
  salu(mask_op(M::s_cselect_b32, M::s_cselect_b64), result,
       {Operand::immediate(polarity ? 0xffffffffu : 0), Operand::immediate(polarity ? 0 : 0xffffffffu)});
  return result;
}

void Selector::select_compare(Value value) {
  const Value a = input(value, 0), b = input(value, 1);
  if (place(value) == Place::mask) {
    valu(compare_opcodes(inst(value).op).vector, define(value), {source(a), source(b)});
    return;
  }
  compare_into_scc(value);
  salu(M::s_cselect_b32, define(value), {Operand::immediate(1), Operand::immediate(0)});
}

void Selector::select_float_compare(Value value) {
  if (place(value) == Place::flag) return select_compare(value);
  const FloatSource sources[] = {float_source(input(value, 0)), float_source(input(value, 1))};
  float_op(compare_opcodes(inst(value).op).vector, define(value), sources);
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
