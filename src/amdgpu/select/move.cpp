// SPDX-License-Identifier: MIT
// Selects, vectors and built-ins.
#include "amdgpu/select/selector.h"
#include "base/ice.h"

namespace spalt::select {

/// The bits of the operand.
void Selector::select_copy(Value value) {
  const Value a = input(value, 0);
  const Operand from = is_scalar(value) ? scalar_reg(a) : vector(a);
  emit(M::p_copy, {define(value)}, {from});
}

/// Result components one by one: neither unit selects tuples, and what is joined is usually taken apart again.
void Selector::select_select(Value value) {
  if (function_.type(value).is_bool()) return select_condition_select(value);
  const Value chooser = input(value, 0), if_true = input(value, 1), if_false = input(value, 2);
  if (is_constant(if_true, 1) && is_constant(if_false, 0) && copy_carry(value, chooser)) return;
  const unsigned size = dwords(value);
  const bool in_scalar = is_scalar(value), is_wide = !function_.type(value).is_vector() && size == 2;
  SmallVector<Operand, 16> yes, no, parts;
  std::array<Operand, 2> halves;
  if (is_wide) halves = define_dwords(value);
  for (unsigned i = 0; i < size; ++i) {
    yes.push_back(in_scalar ? scalar_dword(if_true, i) : dword(if_true, i));
    no.push_back(in_scalar ? scalar_dword(if_false, i) : dword(if_false, i));
    parts.push_back(is_wide ? halves[i] : size == 1 ? define(value) : temp(in_scalar ? mir::kS1 : mir::kV1));
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
  if (is_wide) return join_dwords(value, halves);
  const Operand tuple = define(value);
  if (size > 1) emit(M::p_vec, std::span<const Operand>(&tuple, 1), parts.span());
}

void Selector::select_vec(Value value) {
  const std::span<const Value> components = function_.operands(value);
  const bool in_scalar = is_scalar(value);
  SmallVector<Operand, 16> parts;
  if (function_.type(value).scalar_bits() < 32) {
    for (size_t i = 0; i < components.size(); i += 2) {
      parts.push_back(join_halves(components[i], i + 1 < components.size() ? components[i + 1] : Value(), in_scalar));
    }
  } else {
    for (Value part : components) {
      for (unsigned i = 0; i < dwords(part); ++i) {
        const bool one = dwords(part) == 1;
        parts.push_back(in_scalar ? (one ? scalar(part) : scalar_dword(part, i))
                                  : (one ? source(part) : dword(part, i)));
      }
    }
  }
  const Operand tuple = define(value);
  emit(parts.size() == 1 ? M::p_copy : M::p_vec, std::span<const Operand>(&tuple, 1), parts.span());
}

/// Two values of 16 bits in one dword; what is above them in their registers means nothing.
Operand Selector::join_halves(Value low, Value high, bool in_scalar) {
  if (function_.type(low).bits() != 16) SPALT_ICE("selection met a vector of bytes");
  if (!high.valid() || inst(high).op == Op::undef) return in_scalar ? scalar(low) : source(low);
  if (in_scalar) {
    const Operand joined = temp(mir::kS1);
    const Operand left = scalar(low);
    const Operand right = scalar(high);
    salu(M::s_pack_ll_b32_b16, joined, {left, right});
    return joined;
  }
  const Operand clean = temp(mir::kV1), joined = temp(mir::kV1);
  valu(M::v_and_b32, clean, {Operand::immediate(0xffff), source(low)});
  valu(M::v_lshl_or_b32, joined, {source(high), Operand::immediate(16), clean});
  return joined;
}

void Selector::select_builtin(Value value) {
  if (ir::builtin_of(inst(value).imm) == ir::BuiltIn::subgroup_invocation_id) return select_lane_index(value);
  emit(M::p_copy, {define(value)}, {address_high()});
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
