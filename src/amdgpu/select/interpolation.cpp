// SPDX-License-Identifier: MIT
// Fragments: parameters that are interpolated, lanes that complete quads, colours packed for export.
#include "amdgpu/select/selector.h"
#include "base/ice.h"
#include "ir/export.h"

namespace spalt::select {
namespace {

/// No wait; insert_waits knows which one is needed.
constexpr uint8_t kNoExportWait = 7;

M pack_opcode(ir::PackKind kind) {
  switch (kind) {
    case ir::PackKind::half:
      return M::v_cvt_pkrtz_f16_f32;
    case ir::PackKind::unorm16:
      return M::v_cvt_pknorm_u16_f32;
    case ir::PackKind::snorm16:
      return M::v_cvt_pknorm_i16_f32;
    case ir::PackKind::uint16:
      return M::v_cvt_pk_u16_u32;
    case ir::PackKind::sint16:
      return M::v_cvt_pk_i16_i32;
  }
  SPALT_ICE("an unknown kind of packing");
}

}  // namespace

/// The mask of the lanes that ran at the start; the prolog makes it.
void Selector::select_covered(Value value) {
  if (!covered_.valid()) covered_ = out_.create_vreg(out_.lane_mask_class());
  emit(M::p_copy, {define(value)}, {out_.use(covered_)});
}

/// Lanes join so that every quad is complete.
void Selector::emit_whole_quads() {
  if (covered_.valid()) emit(mask_op(M::s_mov_b32, M::s_mov_b64), {out_.use(covered_)}, {exec()});
  salu(mask_op(M::s_wqm_b32, M::s_wqm_b64), exec(), {exec()});
}

void Selector::emit_parameter(M opcode, Operand def, std::span<const Operand> uses, uint64_t which) {
  emit(opcode, std::span<const Operand>(&def, 1), uses).simm16 = static_cast<int32_t>(which);
}

void Selector::select_interpolate(Value value) {
  const uint64_t which = inst(value).imm;
  const Operand mask = scalar_reg(input(value, 0));
  const Operand i = vector(input(value, 1)), j = vector(input(value, 2));
  Operand partly = temp(mir::kV1);
  const Operand first[] = {mask, i};
  emit_parameter(M::p_interpolate_i, partly, first, which);
  partly.tied = true;
  const Operand second[] = {mask, j, partly};
  emit_parameter(M::p_interpolate_j, define(value), second, which);
}

/// A parameter of the provoking vertex, or what load_parameter gives.
void Selector::select_parameter(Value value, M opcode) {
  const Operand mask = scalar_reg(input(value, 0));
  emit_parameter(opcode, define(value), {&mask, 1}, inst(value).imm);
}

void Selector::select_interpolate_quad(Value value) {
  const Operand parameter = vector(input(value, 0));
  const Operand i = vector(input(value, 1)), j = vector(input(value, 2));
  const Operand partly = temp(mir::kV1);
  isa::Modifiers mods;
  mods.wait_exp = kNoExportWait;
  out_.set_modifiers(emit(M::v_interp_p10_f32, {partly}, {parameter, i, parameter}), mods);
  out_.set_modifiers(emit(M::v_interp_p2_f32_reg, {define(value)}, {parameter, j, partly}), mods);
}

void Selector::select_pack_export(Value value) {
  const auto kind = static_cast<ir::PackKind>(inst(value).imm);
  const M opcode = pack_opcode(kind);
  const Value low = input(value, 0), high = input(value, 1);
  if (kind == ir::PackKind::uint16 || kind == ir::PackKind::sint16) {
    const Operand a = source(low), b = source(high);
    valu(opcode, define(value), {a, b});
    return;
  }
  const FloatSource sources[] = {float_source(low), float_source(high)};
  float_op(opcode, ir::kF32, define(value), sources);
}

}  // namespace spalt::select
