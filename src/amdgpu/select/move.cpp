// SPDX-License-Identifier: MIT
// Selects, vectors and moves between lanes.
#include "amdgpu/select/selector.h"

namespace spalt::select {

/// Result components one by one: neither unit selects tuples, and what is joined is usually taken apart again.
void Selector::select_select(Value value) {
  if (function_.type(value).is_bool()) return select_condition_select(value);
  const Value chooser = input(value, 0), if_true = input(value, 1), if_false = input(value, 2);
  if (is_constant(if_true, 1) && is_constant(if_false, 0) && copy_carry(value, chooser)) return;
  const unsigned size = dwords(value);
  const bool in_scalar = is_scalar(value);
  SmallVector<Operand, 16> yes, no, parts;
  for (unsigned i = 0; i < size; ++i) {
    yes.push_back(in_scalar ? scalar_component(if_true, i) : component(if_true, i));
    no.push_back(in_scalar ? scalar_component(if_false, i) : component(if_false, i));
    parts.push_back(size == 1 ? define(value) : temp(in_scalar ? mir::kS1 : mir::kV1));
  }
  if (in_scalar) {
    // A literal that salu moves to a register first leaves scc alone.
    const bool polarity = condition(chooser);
    for (unsigned i = 0; i < size; ++i) {
      salu(M::s_cselect_b32, parts[i], {polarity ? yes[i] : no[i], polarity ? no[i] : yes[i]});
    }
  } else {
    const Operand choice = mask(chooser);
    for (unsigned i = 0; i < size; ++i) valu(M::v_cndmask_b32, parts[i], {no[i], yes[i], choice});
  }
  const Operand tuple = define(value);
  if (size > 1) emit(M::p_vec, std::span<const Operand>(&tuple, 1), parts.span());
}

void Selector::select_vec(Value value) {
  const std::span<const Value> components = function_.operands(value);
  const bool in_scalar = is_scalar(value);
  SmallVector<Operand, 16> parts;
  for (Value part : components) parts.push_back(in_scalar ? scalar(part) : source(part));
  const Operand tuple = define(value);
  emit(M::p_vec, std::span<const Operand>(&tuple, 1), parts.span());
}

void Selector::select_read_first_lane(Value value) {
  const Value a = input(value, 0);
  const Operand in = source(a);
  if (in.is_imm() || !out_.vregs[in.vreg()].cls.is_vgpr()) {
    emit(M::s_mov_b32, {define(value)}, {in});
  } else {
    emit(M::v_readfirstlane_b32, {define(value)}, {in});
  }
}

/// Counts the lanes below this one.
void Selector::select_lane_index(Value value) {
  const Operand all = Operand::immediate(0xffffffffu);
  if (out_.wave_size == 32) {
    valu(M::v_mbcnt_lo_u32_b32, define(value), {all, Operand::immediate(0)});
    return;
  }
  const Operand low = temp(mir::kV1);
  valu(M::v_mbcnt_lo_u32_b32, low, {all, Operand::immediate(0)});
  valu(M::v_mbcnt_hi_u32_b32, define(value), {all, low});
}

}  // namespace spalt::select
