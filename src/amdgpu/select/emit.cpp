// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "amdgpu/isa/codec/constants.h"
#include "amdgpu/isa/opcode_tables.h"
#include "amdgpu/select/selector.h"
#include "base/ice.h"

namespace spalt::select {

bool is_inline_constant(uint32_t bits) {
  const int32_t value = static_cast<int32_t>(bits);
  if (value >= -16 && value <= 64) return true;
  switch (bits) {
    case 0x3f000000:  // 0.5
    case 0xbf000000:
    case 0x3f800000:  // 1
    case 0xbf800000:
    case 0x40000000:  // 2
    case 0xc0000000:
    case 0x40800000:  // 4
    case 0xc0800000:
    case 0x3e22f983:  // 1 / (2 pi)
      return true;
    default:
      return false;
  }
}

bool Selector::exists(M opcode) const {
  return isa::has_opcode(target_, mir::to_isa(opcode));
}

namespace {

bool is_literal(const Operand& operand) {
  return operand.is_imm() && !is_inline_constant(operand.value);
}

/// Whether a slot of this type has no inline constant for it.
bool is_literal(const Operand& operand, isa::OperandType type) {
  // Of f64 the immediate is the upper half, which looks like other numbers.
  if (type == isa::OperandType::f64) return operand.is_imm() && isa::inline_constant_code(operand.value, type) < 0;
  if (!is_literal(operand)) return false;
  switch (type) {
    case isa::OperandType::b16:
    case isa::OperandType::i16:
    case isa::OperandType::u16:
    case isa::OperandType::f16:
    case isa::OperandType::f16x2:
      return isa::inline_constant_code(operand.value, type) < 0;
    default:
      return true;
  }
}

/// The opcode that computes the same with operands 0 and 1 swapped, or invalid.
M swapped_opcode(M opcode) {
  switch (opcode) {
    case M::v_sub_f32:
      return M::v_subrev_f32;
    case M::v_sub_f16:
      return M::v_subrev_f16;
    case M::v_sub_nc_u32:
      return M::v_subrev_nc_u32;
    case M::v_cmp_lt_f32:
      return M::v_cmp_gt_f32;
    case M::v_cmp_le_f32:
      return M::v_cmp_ge_f32;
    case M::v_cmp_nge_f32:
      return M::v_cmp_nle_f32;
    case M::v_cmp_ngt_f32:
      return M::v_cmp_nlt_f32;
    case M::v_cmp_lt_i32:
      return M::v_cmp_gt_i32;
    case M::v_cmp_le_i32:
      return M::v_cmp_ge_i32;
    case M::v_cmp_lt_u32:
      return M::v_cmp_gt_u32;
    case M::v_cmp_le_u32:
      return M::v_cmp_ge_u32;
    case M::v_cmp_lt_i64:
      return M::v_cmp_gt_i64;
    case M::v_cmp_le_i64:
      return M::v_cmp_ge_i64;
    case M::v_cmp_lt_u64:
      return M::v_cmp_gt_u64;
    case M::v_cmp_le_u64:
      return M::v_cmp_ge_u64;
    case M::v_cmp_lt_f64:
      return M::v_cmp_gt_f64;
    case M::v_cmp_le_f64:
      return M::v_cmp_ge_f64;
    case M::v_cmp_nge_f64:
      return M::v_cmp_nle_f64;
    case M::v_cmp_ngt_f64:
      return M::v_cmp_nlt_f64;
    case M::v_cmp_lt_f16:
      return M::v_cmp_gt_f16;
    case M::v_cmp_le_f16:
      return M::v_cmp_ge_f16;
    case M::v_cmp_nge_f16:
      return M::v_cmp_nle_f16;
    case M::v_cmp_ngt_f16:
      return M::v_cmp_nlt_f16;
    case M::v_cmp_lt_i16:
      return M::v_cmp_gt_i16;
    case M::v_cmp_le_i16:
      return M::v_cmp_ge_i16;
    case M::v_cmp_lt_u16:
      return M::v_cmp_gt_u16;
    case M::v_cmp_le_u16:
      return M::v_cmp_ge_u16;
    default:
      return mir::has_flag(opcode, isa::kCommutative) ? opcode : M::invalid;
  }
}

uint8_t swap_low_bits(uint8_t bits) {
  return static_cast<uint8_t>((bits & ~3u) | (bits & 1u) << 1 | (bits & 2u) >> 1);
}

}  // namespace

mir::Inst& Selector::emit(M opcode, std::span<const Operand> defs, std::span<const Operand> uses) {
  const mir::InstId id = out_.create(opcode, defs, uses);
  sequence_.push_back(id);
  return out_.insts[id];
}

void Selector::salu(M opcode, Operand def, Operands uses) {
  SmallVector<Operand, 4> in(std::span<const Operand>(uses.begin(), uses.size()));
  const Operand* literal = nullptr;
  for (Operand& operand : in) {
    if (!is_literal(operand)) continue;
    if (literal == nullptr) {
      literal = &operand;
    } else if (literal->value != operand.value) {
      const Operand moved = temp(mir::kS1);
      emit(M::s_mov_b32, {moved}, {operand});
      operand = moved;
    }
  }
  const uint32_t bits = mir::flags(opcode);
  SmallVector<Operand, 2> out;
  if (def.kind != Operand::Kind::none) out.push_back(def);
  if ((bits & isa::kWritesScc) != 0) out.push_back(Operand::physical(isa::kScc));
  if ((bits & isa::kReadsScc) != 0) in.push_back(Operand::physical(isa::kScc));
  emit(opcode, out.span(), in.span());
}

Operand Selector::copy_to_vgpr(Operand operand) {
  const unsigned size = operand.is_vreg() ? operand.cls().dwords : 1;
  const Operand moved = temp(mir::vgpr_class(size));
  if (size > 1) {
    emit(M::p_copy, {moved}, {operand});
    return moved;
  }
  emit(M::v_mov_b32, {moved}, {operand});
  return moved;
}

/// A literal that an instruction has no room for. The literal of an f64 is its upper half.
Operand Selector::literal_in_registers(Operand literal, isa::OperandType type, bool in_scalar) {
  if (type == isa::OperandType::f64) {
    const Operand pair = temp(in_scalar ? mir::kS2 : mir::kV2);
    emit(M::p_vec, {pair}, {Operand::immediate(0), literal});
    return pair;
  }
  if (!in_scalar) return copy_to_vgpr(literal);
  const Operand moved = temp(mir::kS1);
  emit(M::s_mov_b32, {moved}, {literal});
  return moved;
}

/// The constant bus brings a limited number of different SGPRs and literals to one vector instruction (RDNA 2 ISA
/// guide, "VALU operand limitations"). What exceeds it is copied to VGPRs first, and so is, to an SGPR if possible, a
/// literal that the encoding has no room for.
void Selector::limit_scalar_sources(M opcode, std::span<Operand> uses, bool takes_literal,
                                    std::span<const isa::OperandType> types) {
  const unsigned limit = isa::scalar_source_limit(isa::info(mir::to_isa(opcode)), target_.constant_bus_limit);
  SmallVector<Operand, 4> on_bus;
  bool literal_used = false;
  for (size_t i = 0; i < uses.size(); ++i) {
    Operand& operand = uses[i];
    const isa::OperandType type = i < types.size() ? types[i] : isa::OperandType::b32;
    const bool literal = is_literal(operand, type);
    const bool sgpr = (operand.is_vreg() && !operand.cls().is_vgpr()) ||
                      (operand.kind == Operand::Kind::reg && !operand.reg.is_vgpr());
    if (!literal && !sgpr) continue;
    bool known = false;
    for (const Operand& other : on_bus) known |= other.same_value(operand);
    if (known) continue;
    const bool room = on_bus.size() < limit;
    if (literal && room && !takes_literal) {
      operand = literal_in_registers(operand, type, true);
      on_bus.push_back(operand);
    } else if (room && !(literal && literal_used)) {
      literal_used |= literal;
      on_bus.push_back(operand);
    } else {
      operand = literal ? literal_in_registers(operand, type, false) : copy_to_vgpr(operand);
    }
  }
}

/// Whether the short encoding, which takes a literal as source 0 everywhere, has room for these sources. That of a
/// comparison writes vcc, which is not certain to be the result's register. v_mad_f32 becomes v_madak_f32 or
/// v_madmk_f32 (opt/shrink_encodings.h), which have a literal and two VGPRs.
bool Selector::fits_short(M opcode, std::span<const Operand> uses) const {
  const auto is_vgpr = [](const Operand& use) { return use.is_vgpr_value(); };
  if (opcode == M::v_mad_f32) return std::count_if(uses.begin(), uses.end(), is_vgpr) == 2;
  const auto is_short = [](const isa::NumberEntry& entry) {
    return entry.format == isa::Format::vop1 || entry.format == isa::Format::vop2;
  };
  const auto encodings = isa::opcode_encodings(mir::to_isa(opcode), target_.generation);
  return std::any_of(encodings.begin(), encodings.end(), is_short) &&
         std::all_of(uses.begin() + 1, uses.end(), is_vgpr);
}

void Selector::valu(M opcode, Operand def, Operands uses, const FloatMods& mods) {
  SmallVector<Operand, 4> in(std::span<const Operand>(uses.begin(), uses.size()));
  uint8_t neg = mods.neg, abs = mods.abs;
  const isa::OpcodeInfo& info = isa::info(mir::to_isa(opcode));
  const auto is_vgpr = [](const Operand& operand) { return operand.is_vgpr_value(); };
  // The short encodings want a VGPR in source 1.
  if (info.src_count == 2 && in.size() >= 2 && !is_vgpr(in[1]) && is_vgpr(in[0]) &&
      swapped_opcode(opcode) != M::invalid) {
    opcode = swapped_opcode(opcode);
    std::swap(in[0], in[1]);
    neg = swap_low_bits(neg);
    abs = swap_low_bits(abs);
  }
  // A lane mask cannot be copied to a VGPR, so it takes its place on the bus first.
  const bool has_mask = info.src_count == 3 && info.src[2].role == isa::OperandRole::lane_mask;
  SmallVector<isa::OperandType, 4> types;
  for (unsigned i = 0; i < info.src_count; ++i) types.push_back(info.src[has_mask && i == 0 ? 1 : i].type);
  if (has_mask) std::swap(in[0], in[2]);
  limit_scalar_sources(opcode, in.span(),
                       target_.vop3_literal || (!has_mask && mods == FloatMods{} && fits_short(opcode, in.span())),
                       types.span());
  if (has_mask) std::swap(in[0], in[2]);
  mir::Inst& inst = emit(opcode, std::span<const Operand>(&def, 1), in.span());
  if ((neg | abs) == 0 && mods.finish == FloatFinish{}) return;
  isa::Modifiers modifiers;
  modifiers.neg = neg;
  modifiers.abs = abs;
  modifiers.clamp = mods.finish.clamp;
  modifiers.omod = mods.finish.omod;
  out_.set_modifiers(inst, modifiers);
}

}  // namespace spalt::select
