// SPDX-License-Identifier: MIT
#include "vector_forms.h"

#include "amdgpu/isa/codec/codec.h"
#include "operand_model.h"

namespace spalt::semantics {
namespace {

using isa::Operand;
using isa::OperandRole;
using isa::OperandType;

constexpr unsigned kModifierSamples = 6, kDppSamples = 14, kSdwaSamples = 8;

bool in_vop3(Format format) {
  return format == Format::vop3 || format == Format::vop3p || format == Format::vop3_dpp16 ||
         format == Format::vop3_dpp8;
}

/// Where the mask of a carry or comparison is: VOP3 names it, the others mean vcc.
Operand mask_operand(Format format, unsigned sgpr, unsigned wave_size) {
  return Operand::of(in_vop3(format) ? isa::sgpr(sgpr) : isa::kVcc, wave_size / 32);
}

isa::Inst plain_instruction(Opcode opcode, Format format, Trial& trial) {
  const isa::OpcodeInfo& info = isa::info(opcode, trial.target.generation);
  isa::Inst inst;
  inst.opcode = opcode;
  inst.format = format;
  for (unsigned i = 0; i < info.dst_count; ++i) {
    const isa::OperandSlot& slot = info.dst[i];
    const unsigned dwords = isa::type_dwords(slot.type, trial.wave_size);
    inst.dst[i] = slot.role == OperandRole::lane_mask ? mask_operand(format, kMaskResult, trial.wave_size)
                                                      : Operand::of(isa::vgpr(kDestinationVgpr), dwords);
  }
  for (unsigned i = 0; i < info.src_count; ++i) {
    const isa::OperandSlot& slot = info.src[i];
    if (slot.role == OperandRole::lane_mask) {
      inst.src[i] = mask_operand(format, kMaskSource, trial.wave_size);
    } else if (slot.role == OperandRole::constant) {
      inst.src[i] = Operand::of_literal(slot.type == OperandType::f16 ? 0x3e00 + trial.random() % 256
                                                                      : 0x3f800000 + trial.random());
    } else {
      inst.src[i] = Operand::of(isa::vgpr(kSourceVgpr + 4 * i), isa::type_dwords(slot.type, trial.wave_size));
    }
  }
  if (info.modifiers & isa::kModPacked) inst.mods.op_sel_hi = static_cast<uint8_t>((1u << info.src_count) - 1);
  return inst;
}

/// Input and output modifiers at random, as far as the opcode has them.
void add_modifiers(isa::Inst& inst, const isa::OpcodeInfo& info, Trial& trial) {
  const uint32_t random = trial.random();
  inst.mods.neg = static_cast<uint8_t>(random & info.modifiers & isa::kModSources);
  inst.mods.abs = static_cast<uint8_t>(random >> 3 & info.modifiers & isa::kModSources);
  if (info.modifiers & isa::kModClamp) inst.mods.clamp = (random >> 6 & 1) != 0;
  if ((info.modifiers & isa::kModOmod) && inst.format != Format::vop3p) inst.mods.omod = random >> 7 & 3;
  if (!in_vop3(inst.format)) return;
  const uint32_t selects = (info.modifiers & isa::kModOpSel) >> isa::kModOpSelShift;
  inst.mods.op_sel = static_cast<uint8_t>(random >> 9 & selects);
  if (info.modifiers & isa::kModPacked) {
    const auto sources = static_cast<uint8_t>((1u << info.src_count) - 1);
    inst.mods.op_sel_hi = selects == 0 ? sources : static_cast<uint8_t>(random >> 13 & sources);
    if (info.modifiers & isa::kModNoHigh) inst.mods.abs = 0;
  }
}

/// Another kind of operand for one of the sources that takes any.
void add_scalar_source(isa::Inst& inst, const isa::OpcodeInfo& info, unsigned kind, Trial& trial) {
  unsigned index = trial.random() % 3;
  for (unsigned tries = 0; tries < 3 && (index >= info.src_count || info.src[index].role != OperandRole::vsrc);
       ++tries) {
    index = (index + 1) % 3;
  }
  if (index >= info.src_count || info.src[index].role != OperandRole::vsrc) return;
  const OperandType type = info.src[index].type;
  const uint32_t random = trial.random();
  if (kind == 0) {
    inst.src[index] = Operand::of(isa::sgpr(kSourceSgpr + 4 * index), isa::type_dwords(type, trial.wave_size));
  } else if (kind == 1) {
    // Integer constants in integer and float constants in float slots; what they mean elsewhere varies between
    // assemblers and guides (docs/isa-errata.md).
    const bool floating = is_float(type);
    inst.src[index] = Operand::of(isa::Reg{static_cast<uint16_t>(floating ? 240 + random % 9 : 128 + random % 81)},
                                  isa::type_dwords(type, trial.wave_size));
  } else {
    const uint32_t value = slot_bits(type) == 16 ? 0x4100 | (random & 0x7f) : 0x41234567 ^ (random & 0xff00ff);
    inst.src[index] = Operand::of_literal(value);
  }
}

void add_dpp16(isa::Inst& inst, unsigned sample, Trial& trial) {
  constexpr uint16_t kControls[] = {0x000, 0x100, 0x110, 0x120, 0x130, 0x134, 0x138,
                                    0x13c, 0x140, 0x141, 0x142, 0x143, 0x150, 0x160};
  const uint32_t random = trial.random();
  uint16_t control = kControls[sample % std::size(kControls)];
  if (control == 0) control = random & 0xff;
  if (control == 0x150 || control == 0x160) control |= random & 15;
  if (control >= 0x100 && control <= 0x120) control |= 1 + random % 15;
  inst.mods.dpp_ctrl = control;
  inst.mods.row_mask = random >> 8 & 1 ? 0xf : random >> 12 & 0xf;
  inst.mods.bank_mask = random >> 9 & 1 ? 0xf : random >> 16 & 0xf;
  inst.mods.bound_ctrl = (random >> 20 & 1) != 0;
  inst.mods.fetch_inactive = (random >> 21 & 1) != 0 && trial.target.has_dpp8;
}

void add_sdwa(isa::Inst& inst, const isa::OpcodeInfo& info, Trial& trial) {
  uint32_t random = trial.random();
  const unsigned floats = info.modifiers & isa::kModSources;
  for (unsigned i = 0; i < 2 && i < info.src_count; ++i) {
    if (info.src[i].role == OperandRole::lane_mask) continue;
    inst.mods.src_sel[i] = random % 7;
    random /= 7;
    // Bytes are no floats; whether a byte of one is negated says nothing about anything.
    if ((floats >> i & 1) != 0) inst.mods.src_sel[i] = slot_bits(info.src[i].type) == 16 ? 4 + random % 3 : 6;
  }
  random = trial.random();
  const unsigned sources = info.src_count > 1 ? 3 : 1;
  inst.mods.sext = static_cast<uint8_t>(random & sources & ~floats);
  inst.mods.neg = static_cast<uint8_t>(random >> 2 & floats);
  inst.mods.abs = static_cast<uint8_t>(random >> 4 & floats);
  if (info.dst_count == 0 || info.dst[0].role == OperandRole::lane_mask) return;
  // What a 16-bit result leaves in the other half of a whole dword is not written down.
  inst.mods.dst_sel = slot_bits(info.dst[0].type) == 16 ? 4 + (random >> 6) % 2 : (random >> 6) % 7;
  inst.mods.dst_unused = (random >> 10) % 3;
  // Parts and signs of NaNs are not fixed.
  if (info.dst[0].type == OperandType::f32) inst.mods.dst_sel = 6;
  if (info.dst[0].type == OperandType::f16 && inst.mods.dst_unused == 1) inst.mods.dst_unused = 2;
  if (info.modifiers & isa::kModClamp) inst.mods.clamp = (random >> 12 & 1) != 0;
}

/// Masks that DPP hides lanes from: which bits they get is not written down, so they are not tried.
void use_whole_rows(isa::Inst& inst) {
  inst.mods.row_mask = inst.mods.bank_mask = 0xf;
  inst.mods.bound_ctrl = true;
}

void add_dpp_forms(std::vector<Form>& forms, const isa::Inst& plain, const isa::OpcodeInfo& info, Trial& trial) {
  const bool wide = plain.format == Format::dpp16 || plain.format == Format::vop3_dpp16;
  for (unsigned i = 0; i < (wide ? kDppSamples : 2); ++i) {
    isa::Inst inst = plain;
    if (i % 2 != 0) add_modifiers(inst, info, trial);
    if (!in_vop3(inst.format)) inst.mods.clamp = false, inst.mods.omod = 0;
    if (wide) {
      add_dpp16(inst, i, trial);
      if (has_mask_result(info) || (info.flags & isa::kWritesExec) != 0) use_whole_rows(inst);
    } else {
      inst.mods.dpp8 = trial.random() & 0xffffff;
      inst.mods.fetch_inactive = i != 0;
    }
    forms.push_back({inst, false});
  }
}

void add_forms(std::vector<Form>& forms, Opcode opcode, Format format, Trial& trial) {
  const isa::OpcodeInfo& info = isa::info(opcode, trial.target.generation);
  const isa::Inst plain = plain_instruction(opcode, format, trial);
  switch (format) {
    case Format::sdwa:
      for (unsigned i = 0; i < kSdwaSamples; ++i) {
        forms.push_back({plain, false});
        add_sdwa(forms.back().inst, info, trial);
      }
      return;
    case Format::dpp16:
    case Format::dpp8:
    case Format::vop3_dpp16:
    case Format::vop3_dpp8:
      add_dpp_forms(forms, plain, info, trial);
      return;
    default:
      break;
  }
  forms.push_back({plain, true});
  for (unsigned kind = 0; kind < 3; ++kind) {
    forms.push_back({plain, false});
    add_scalar_source(forms.back().inst, info, kind, trial);
  }
  if (!in_vop3(format) || info.modifiers == 0) return;
  for (unsigned i = 0; i < kModifierSamples; ++i) {
    forms.push_back({plain, false});
    add_modifiers(forms.back().inst, info, trial);
    if (i % 2 != 0) add_scalar_source(forms.back().inst, info, i / 2, trial);
  }
}

}  // namespace

bool has_mask_result(const isa::OpcodeInfo& info) {
  for (unsigned i = 0; i < info.dst_count; ++i) {
    if (info.dst[i].role == OperandRole::lane_mask) return true;
  }
  return false;
}

std::vector<Form> vector_forms(Opcode opcode, Trial& trial) {
  constexpr Format kFormats[] = {Format::vop1, Format::vop2,  Format::vopc, Format::vop3,       Format::vop3p,
                                 Format::sdwa, Format::dpp16, Format::dpp8, Format::vop3_dpp16, Format::vop3_dpp8};
  std::vector<Form> forms;
  for (const Format format : kFormats) {
    if (isa::opcode_number(opcode, format, trial.target.generation) >= 0) add_forms(forms, opcode, format, trial);
  }
  return forms;
}

}  // namespace spalt::semantics
