// SPDX-License-Identifier: MIT
#include "random_inst.h"

#include <gtest/gtest.h>

#include "amdgpu/isa/codec/codec.h"
#include "amdgpu/isa/codec/constants.h"
#include "amdgpu/isa/codec/image_address.h"
#include "amdgpu/isa/codec/modifiers.h"
#include "amdgpu/isa/codec/rules.h"
#include "amdgpu/isa/halves.h"

namespace spalt::isa::test {
namespace {

bool literal_format(Format format, const Target& target) {
  switch (format) {
    case Format::sop1:
    case Format::sop2:
    case Format::sopc:
    case Format::vop1:
    case Format::vop2:
    case Format::vopc:
      return true;
    case Format::vop3:
    case Format::vop3p:
      return target.vop3_literal;
    default:
      return false;
  }
}

bool is_16bit(OperandType type) {
  return type == OperandType::f16 || type == OperandType::i16 || type == OperandType::u16 || type == OperandType::b16;
}

}  // namespace

Inst RandomInst::make(Opcode opcode, Format format) {
  // Operands are drawn one by one; those that together read too much are drawn again.
  for (unsigned i = 0; i < 200; ++i) {
    Inst inst = attempt(opcode, format);
    const Result<EncodedInst> encoded = encode(inst, target_);
    if (encoded) {
      inst.size_bytes = static_cast<uint8_t>(4 * encoded->count);
      return inst;
    }
    const std::string& reason = encoded.error().message;
    const bool expected = reason.find("too many scalar") != std::string::npos ||
                          reason.find("two different literals") != std::string::npos ||
                          reason.find("register bank") != std::string::npos;
    if (!expected) {
      ADD_FAILURE() << reason << ": " << to_text(inst, target_);
      return {};
    }
  }
  ADD_FAILURE() << info(opcode).name << " has no legal operands";
  return {};
}

Inst RandomInst::attempt(Opcode opcode, Format format) {
  Inst inst;
  inst.opcode = opcode;
  inst.format = format;
  if (format == Format::vopd) {
    make_second_operation(inst);
    return inst;
  }
  inst.simm16 = make_simm16(inst);
  make_modifiers(inst);
  make_operands(inst);
  return inst;
}

/// Any second operation, and operands for both.
void RandomInst::make_second_operation(Inst& inst) {
  do {
    inst.opcode_y = static_cast<Opcode>(below(static_cast<unsigned>(Opcode::count)));
  } while (opcode_number(inst.opcode_y, Format::vopd, target_.generation) < 0);
  unsigned slot = 0;
  for (unsigned half = 0; half < 2; ++half) {
    const OpcodeInfo& facts = info(half == 0 ? inst.opcode : inst.opcode_y, target_.generation);
    inst.dst[half] = Operand::of(vgpr(below(256)));
    unsigned position = 0;
    for (unsigned i = 0; i < facts.src_count; ++i) {
      if (facts.src[i].role == OperandRole::lane_mask) continue;
      Operand& operand = inst.src[slot++];
      if (facts.src[i].role == OperandRole::constant) {
        operand = Operand::of_literal(make_literal(facts.src[i].type));
      } else if (position++ > 0 || chance(2)) {
        operand = Operand::of(vgpr(below(256)));
      } else {
        operand = chance(2) ? make_constant(facts.src[i].type, 1) : Operand::of(make_scalar(1, false));
      }
    }
  }
}

void RandomInst::make_operands(Inst& inst) {
  const OpcodeInfo& facts = info(inst.opcode, target_.generation);
  const bool saddr = (inst.format == Format::global || inst.format == Format::scratch) && chance(2);
  const EncodingTraits& traits = encoding_traits(target_.generation);
  const bool scratch_vaddr =
      traits.scratch_vaddr_bit ? chance(2) : !saddr && (!traits.scratch_without_address || !chance(3));
  for (const Placement& placement : place_operands(facts, inst.format, target_.generation)) {
    if (!slot_present(facts, inst.format, inst.mods, placement)) continue;
    if (inst.format == Format::scratch && placement.address && !scratch_vaddr) continue;
    const bool scalar_offset =
        inst.format == Format::smem || inst.format == Format::mubuf || inst.format == Format::mtbuf;
    if ((placement.coding == Coding::saddr7 || placement.coding == Coding::soffset9) &&
        (scalar_offset ? chance(2) : !saddr)) {
      continue;
    }
    const unsigned dwords = operand_dwords(facts, inst.format, inst, placement, saddr, wave_size_, target_.generation);
    const OperandSlot& slot = placement.is_dst ? facts.dst[placement.slot] : facts.src[placement.slot];
    Operand& operand = placement.is_dst ? inst.dst[placement.slot] : inst.src[placement.slot];
    operand = make_operand(inst, slot, placement, dwords);
    // LLVM takes no exec as the result of a scalar transcendental function.
    const bool scalar = placement.is_dst && slot.role == OperandRole::sdst && inst.format == Format::vop3;
    if (scalar && std::string_view(facts.name).starts_with("v_s_") && operand.reg >= kExec) operand.reg = kVcc;
    // Since GFX11 LLVM takes only null where counters are waited for.
    const bool counter = inst.format == Format::sopk && std::string_view(facts.name).starts_with("s_waitcnt_");
    if (counter && traits.null_code != kNull.number) operand.reg = kNull;
  }
  const bool named = (facts.modifiers & kModNamedHalves) != 0;
  if (is_short_vector(inst.format) && (halves_ == HighHalves::all || named)) {
    inst.mods.op_sel = static_cast<uint8_t>(below(16) & vgpr_half_bits(facts, inst));
  }
  if (facts.has(kTiedData) && inst.dst[0].is_reg()) inst.dst[0].reg = inst.src[0].reg;
}

Reg RandomInst::make_scalar(unsigned dwords, bool writable) {
  const unsigned alignment = dwords >= 3 ? 4 : dwords;
  switch (below(8)) {
    case 0:
      if (dwords <= 2) return dwords == 1 && chance(2) ? kVccHi : kVcc;
      break;
    case 1:
      if (dwords <= 2 && writable) return dwords == 1 && chance(2) ? kExecHi : kExec;
      break;
    case 2:
      if (dwords == 1) return kM0;
      break;
    case 3:
      if (dwords <= 16 && dwords != 3)
        return Reg{static_cast<uint16_t>(108 + below((16 - dwords) / alignment + 1) * alignment)};
      break;
    default:
      break;
  }
  const unsigned count = encoding_traits(target_.generation).sgpr_count;
  return sgpr(below((count - dwords) / alignment + 1) * alignment);
}

uint32_t RandomInst::make_literal(OperandType type) {
  for (;;) {
    uint32_t value = static_cast<uint32_t>(random_());
    if (is_16bit(type)) value &= 0xffff;
    if (type == OperandType::i64 || type == OperandType::b64 || type == OperandType::u64) value &= 0x7fffffff;
    if (inline_constant_code(value, type) < 0) return value;
  }
}

Operand RandomInst::make_constant(OperandType type, unsigned dwords) {
  const bool integer16 = type == OperandType::i16 || type == OperandType::u16 || type == OperandType::b16;
  // LLVM prints a float constant of a 16-bit integer slot as its bits and reassembles that as a literal.
  const unsigned code = chance(2) || integer16 ? 128 + below(81) : 240 + below(9);
  return inline_constant_operand(code, type, dwords);
}

/// Halves of registers in short forms are in the lower half of the file.
Reg RandomInst::make_vgpr(const Inst& inst, const OperandSlot& slot, unsigned dwords) {
  const bool low = is_short_vector(inst.format) && is_half_slot(info(inst.opcode, target_.generation), slot);
  return vgpr(below((low ? 129 : 257) - dwords));
}

Operand RandomInst::make_source(const Inst& inst, const OperandSlot& slot, const Placement& placement,
                                unsigned dwords) {
  // LLVM names barriers by number or m0.
  const bool barrier =
      std::string_view(info(inst.opcode, target_.generation).name).find("barrier") != std::string_view::npos;
  if (barrier) return chance(2) ? Operand::of(kM0) : Operand::of_imm(below(17));
  const bool registers_only =
      slot.role == OperandRole::sreg || slot.role == OperandRole::vgpr || slot.role == OperandRole::lane_mask;
  if (slot.role == OperandRole::vconst) {
    if (chance(2)) return Operand::of(make_vgpr(inst, slot, dwords), dwords);
    const unsigned code = chance(2) ? 128 + below(81) : 240 + below(8);
    return inline_constant_operand(code, slot.type, dwords);
  }
  const bool vgprs = slot.role == OperandRole::vgpr || slot.role == OperandRole::vsrc;
  if (slot.role == OperandRole::vgpr || (vgprs && chance(2))) return Operand::of(make_vgpr(inst, slot, dwords), dwords);
  if (!registers_only && chance(2)) {
    const bool lane_select =
        info(inst.opcode, target_.generation).has(kIgnoresExec) && inst.format == Format::vop3 && placement.slot == 1;
    const bool mix = inst.format == Format::vop3p && slot.type == OperandType::f32 &&
                     info(inst.opcode, target_.generation).src[0].type == OperandType::f32;
    if (literal_format(inst.format, target_) && placement.coding != Coding::sdwa && !lane_select && !mix && chance(2)) {
      return Operand::of_literal(make_literal(slot.type));
    }
    return make_constant(slot.type, dwords);
  }
  // LLVM does not take exec as a lane mask source.
  if (!registers_only && dwords <= 2 && inst.format != Format::mubuf && inst.format != Format::mtbuf && chance(4)) {
    static constexpr Reg kSpecial[] = {kSharedBase, kSharedLimit,       kPrivateBase, kPrivateLimit, kNull,
                                       kVccz,       kPopsExitingWaveId, kExecz,       kScc};
    const EncodingTraits& traits = encoding_traits(target_.generation);
    const Reg special = kSpecial[below(9)];
    const bool exists =
        special == kNull ? traits.null_code != 0xff : (traits.special_values >> (special.number - 224) & 1) != 0;
    if (exists) return Operand::of(special, dwords);
  }
  return Operand::of(make_scalar(dwords, slot.role != OperandRole::lane_mask), dwords);
}

Operand RandomInst::make_operand(const Inst& inst, const OperandSlot& slot, const Placement& placement,
                                 unsigned dwords) {
  switch (placement.coding) {
    case Coding::vgpr8:
    case Coding::vgpr9:
      // LLVM first reads image data as four registers, which must exist.
      if (is_image(inst.format)) return Operand::of(vgpr(below(253 - dwords)), dwords);
      return Operand::of(make_vgpr(inst, slot, dwords), dwords);
    case Coding::number:
      if (inst.format == Format::vintrp || inst.format == Format::vop3) return Operand::of_imm(below(3));
      if (inst.format == Format::sopc) return Operand::of_imm(below(16));
      if (inst.format == Format::sop1) return Operand::of_imm(128 + below(7));
      return Operand::of_imm(below(placement.field.mask() + 1));
    case Coding::literal:
      return Operand::of_literal(make_literal(slot.type));
    case Coding::vcc:
      return Operand::of(kVcc, dwords);
    case Coding::source9:
    case Coding::source8:
    case Coding::sdwa:
      return make_source(inst, slot, placement, dwords);
    case Coding::opposite7:
      break;
    case Coding::pair6:
    case Coding::quad5:
    case Coding::resource9:
      return Operand::of(sgpr(4 * below((104 - dwords) / 4)), dwords);
    case Coding::scalar7:
    case Coding::sdwa_mask:
    case Coding::saddr7:
    case Coding::soffset9:
      for (;;) {
        const Reg reg = make_scalar(dwords, inst.format != Format::smem);
        if (placement.coding == Coding::saddr7 && reg == kExecHi) continue;
        const bool data = inst.format == Format::smem && placement.coding == Coding::scalar7;
        if (!data || (reg != kM0 && reg != kExec && reg != kExecHi)) return Operand::of(reg, dwords);
      }
  }
  return {};
}

}  // namespace spalt::isa::test
