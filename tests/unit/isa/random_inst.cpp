// SPDX-License-Identifier: MIT
#include "random_inst.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "amdgpu/isa/codec.h"
#include "amdgpu/isa/codec_rules.h"
#include "amdgpu/isa/constants.h"
#include "amdgpu/isa/image_address.h"
#include "amdgpu/isa/modifiers.h"
#include "amdgpu/isa/text_names.h"
#include "amdgpu/isa/waitcnt.h"

namespace spalt::isa::test {
namespace {

/// DPP controls other than quad_perm, before and since GFX10.
constexpr uint16_t kControls9[] = {0x00,  0x1b,  0xe4,  0xff,  0x101, 0x10f, 0x111, 0x11f, 0x121,
                                   0x12f, 0x130, 0x134, 0x138, 0x13c, 0x140, 0x141, 0x142, 0x143};
constexpr uint16_t kControls10[] = {0x00,  0x1b,  0xe4,  0xff,  0x101, 0x10f, 0x111, 0x11f,
                                    0x121, 0x12f, 0x140, 0x141, 0x150, 0x15f, 0x160, 0x16f};

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

int32_t RandomInst::make_simm16(const Inst& inst) {
  const OpcodeInfo& facts = info(inst.opcode, target_.generation);
  bool has = false;
  for (unsigned i = 0; i < facts.src_count; ++i) {
    has |= facts.src[i].role == OperandRole::simm16 || facts.src[i].role == OperandRole::label;
  }
  if (!has) return 0;
  uint32_t bits = chance(2) ? below(0x10000) : below(100);
  if (inst.opcode == Opcode::s_waitcnt) bits &= encode_waitcnt(target_, {255, 255, 255});  // others have no meaning
  if (inst.opcode == Opcode::s_sendmsg || inst.opcode == Opcode::s_sendmsghalt) {
    bits &= message_has_operation(target_.generation) ? 0x37fu : 0xffu;
  }
  if (inst.opcode == Opcode::s_delay_alu) bits = below(12) | below(6) << 4 | below(12) << 7;
  if (inst.opcode == Opcode::s_set_gpr_idx_mode) bits &= 15;
  if (inst.opcode == Opcode::s_nop) bits = 0x8000 | bits;  // not one of LlvmMc's markers
  return static_cast<int16_t>(bits);
}

void RandomInst::make_modifiers(Inst& inst) {
  switch (inst.format) {
    case Format::vop3:
    case Format::vop3p:
    case Format::vintrp:
    case Format::dpp16:
    case Format::dpp8:
    case Format::vop3_dpp16:
    case Format::vop3_dpp8:
      make_valu_modifiers(inst);
      break;
    case Format::vinterp:
    case Format::ldsdir:
      for (const ModField& entry :
           modifier_fields(info(inst.opcode, target_.generation), inst.format, target_.generation)) {
        const unsigned count = entry.mod == Mod::interp_attribute ? 33 : 1u << entry.field.width;
        set_modifier(inst.mods, entry.mod, below(count));
      }
      break;
    case Format::sdwa:
      make_sdwa_modifiers(inst);
      break;
    case Format::mimg:
    case Format::vimage:
    case Format::vsample:
      make_image_modifiers(inst);
      break;
    case Format::exp: {
      const auto targets = export_targets(target_.generation);
      const ExportTarget& range = targets[below(static_cast<unsigned>(targets.size()))];
      inst.mods.export_target = static_cast<uint8_t>(range.first + below(range.last - range.first + 1u));
      const bool row = encoding_traits(target_.generation).m0_code != kM0.number;
      inst.mods.export_compressed = !row && chance(2);
      inst.mods.export_enable = static_cast<uint8_t>(below(16));
      // LLVM reassembles half of a compressed pair as nothing.
      if (inst.mods.export_compressed) inst.mods.export_enable = static_cast<uint8_t>(3 * chance(2) + 12 * chance(2));
      inst.mods.export_done = chance(2);
      inst.mods.export_valid_mask = !row && chance(2);
      inst.mods.export_row = row && chance(2);
      break;
    }
    default:
      make_memory_modifiers(inst);
      break;
  }
}

void RandomInst::make_valu_modifiers(Inst& inst) {
  const OpcodeInfo& facts = info(inst.opcode, target_.generation);
  Modifiers& mods = inst.mods;
  if (facts.has(kInterp)) {
    mods.interp_attribute = static_cast<uint8_t>(below(33));
    mods.interp_channel = static_cast<uint8_t>(below(4));
  }
  if (inst.format == Format::vintrp) return;
  const unsigned floats = facts.modifiers & kModSources;
  const bool long_form = inst.format != Format::dpp16 && inst.format != Format::dpp8;
  const bool abs_field = !(long_form && facts.dst_count == 2);
  mods.neg = static_cast<uint8_t>(below(8) & floats);
  if (abs_field) mods.abs = static_cast<uint8_t>(below(8) & floats);
  if (facts.has(kInterp) && inst.format == Format::vop3) {
    const bool f16 = std::string_view(facts.name).ends_with("f16");
    if (f16) mods.interp_high = chance(2);
    mods.abs = 0;
    if (!f16) mods.neg = 0;
  }
  make_dpp_modifiers(inst);
  // LLVM puts the bars of source 1 around vcc as well.
  if (!long_form && inst.opcode == Opcode::v_cndmask_b32 && encoding_traits(target_.generation).nsa_always)
    mods.abs &= 1;
  if (!long_form) return;
  if (facts.modifiers & kModClamp) mods.clamp = chance(3);
  if ((facts.modifiers & kModOmod) && chance(3)) mods.omod = static_cast<uint8_t>(below(4));
  if (facts.modifiers & kModPacked) {
    const unsigned sources = (1u << facts.src_count) - 1;
    const unsigned selects = (facts.modifiers & kModOpSel) >> kModOpSelShift;
    const bool fixed = selects == 0 || (facts.modifiers & kModIndexKey) != 0;
    mods.op_sel = static_cast<uint8_t>(facts.modifiers & kModIndexKey ? make_index_key(facts) : below(8) & selects);
    mods.op_sel_hi = static_cast<uint8_t>((fixed || chance(2) ? 7 : below(8)) & sources);
    if (facts.modifiers & kModNoHigh) mods.abs = 0;
  } else {
    mods.op_sel = static_cast<uint8_t>(below(16) & (facts.modifiers >> kModOpSelShift));
  }
}

/// How many keys there are depends on the wave size and on the width of the elements.
unsigned RandomInst::make_index_key(const OpcodeInfo& facts) {
  const std::string_view name = facts.name;
  if (name.ends_with("64_iu4")) return wave_size_ == 32 ? 0 : below(2);
  return below(wave_size_ == 32 || name.ends_with("iu4") ? 2 : 4);
}

void RandomInst::make_dpp_modifiers(Inst& inst) {
  Modifiers& mods = inst.mods;
  if (inst.format == Format::dpp16 || inst.format == Format::vop3_dpp16) {
    const bool row_share = encoding_traits(target_.generation).dpp_row_share;
    mods.dpp_ctrl = row_share ? kControls10[below(16)] : kControls9[below(18)];
    mods.row_mask = static_cast<uint8_t>(below(16));
    mods.bank_mask = static_cast<uint8_t>(below(16));
    mods.bound_ctrl = chance(2);
    mods.fetch_inactive = row_share && chance(2);
  }
  if (inst.format == Format::dpp8) mods.neg = mods.abs = 0;
  if (inst.format == Format::dpp8 || inst.format == Format::vop3_dpp8) {
    mods.dpp8 = below(1u << 24);
    mods.fetch_inactive = chance(2);
  }
}

/// LLVM writes hint 7 of a load as a number, and cascading atomics without saying whether they return.
void RandomInst::make_cache_policy(Inst& inst) {
  const OpcodeInfo& facts = info(inst.opcode, target_.generation);
  Modifiers& mods = inst.mods;
  if (facts.has(kAtomic)) {
    if (mods.th >= 4) mods.th &= mods.scope >= 2 ? 6 : 3;
    if (mods.th == 3 && mods.scope == 3) mods.th = 1;  // which the assembler takes for "bypass"
  } else if (!facts.has(kMayStore) && mods.th == 7) {
    mods.th = 0;
  }
}

void RandomInst::make_sdwa_modifiers(Inst& inst) {
  const OpcodeInfo& facts = info(inst.opcode, target_.generation);
  Modifiers& mods = inst.mods;
  const unsigned sources = facts.src_count > 1 ? 3 : 1, floats = facts.modifiers & kModSources;
  mods.neg = static_cast<uint8_t>(below(4) & floats);
  mods.abs = static_cast<uint8_t>(below(4) & floats);
  mods.sext = static_cast<uint8_t>(below(4) & sources & ~floats);
  mods.src_sel[0] = static_cast<uint8_t>(below(7));
  if (sources == 3) mods.src_sel[1] = static_cast<uint8_t>(below(7));
  if (facts.dst_count == 0 || facts.dst[0].role == OperandRole::lane_mask) return;
  mods.dst_sel = static_cast<uint8_t>(below(7));
  mods.dst_unused = static_cast<uint8_t>(below(3));
  mods.clamp = chance(3);
  const OperandType type = facts.dst[0].type;
  if (type == OperandType::f16 || type == OperandType::f32) mods.omod = static_cast<uint8_t>(below(4));
}

void RandomInst::make_memory_modifiers(Inst& inst) {
  const OpcodeInfo& facts = info(inst.opcode, target_.generation);
  Modifiers& mods = inst.mods;
  if (facts.has(kGdsOnly)) mods.gds = true;
  const bool touches_memory = facts.has(kMayLoad) || facts.has(kMayStore);
  if (facts.dst_count + facts.src_count == 0 && !facts.has(kGdsOnly)) return;
  for (const ModField& entry : modifier_fields(facts, inst.format, target_.generation)) {
    const unsigned width = entry.field.width;
    const bool lds_only = !touches_memory || inst.opcode == Opcode::ds_bvh_stack_rtn_b32;
    if (inst.format == Format::ds && lds_only && entry.mod == Mod::gds) continue;
    if (entry.mod == Mod::signed_offset) {
      mods.offset = static_cast<int32_t>(below(1u << width)) - (1 << (width - 1));
      if (chance(4)) mods.offset = 0;
    } else if (entry.mod == Mod::lds) {
      mods.lds = facts.has(kLoadsToLds) && chance(4);
    } else if (entry.mod == Mod::tfe) {
      mods.tfe = inst.format == Format::mubuf && facts.dst_count > 0 && facts.has(kMayLoad) && !facts.has(kAtomic) &&
                 chance(4);
    } else {
      set_modifier(mods, entry.mod, chance(3) ? 0 : below(1u << width));
    }
  }
  if (mods.lds) mods.tfe = false;
  make_cache_policy(inst);
  if (inst.format == Format::mubuf && facts.has(kAtomic)) mods.dlc = false;
  const bool scalar_buffer =
      inst.format == Format::smem && std::string_view(facts.name).find("buffer") != std::string::npos;
  if (scalar_buffer) mods.offset &= 0xfffff;
  if (inst.format == Format::smem && (facts.dst_count == 0 || facts.src_count == 0)) {
    mods.glc = mods.dlc = false;
    if (facts.src_count == 0) mods.offset = 0;
  }
}

void RandomInst::make_image_modifiers(Inst& inst) {
  const OpcodeInfo& facts = info(inst.opcode, target_.generation);
  Modifiers& mods = inst.mods;
  const bool atomic = facts.has(kAtomic), ray = facts.image_args & kImageRay;
  const EncodingTraits& traits = encoding_traits(target_.generation);
  const auto has = [&](Mod mod) {
    const ModFields fields = modifier_fields(facts, inst.format, target_.generation);
    return std::any_of(fields.begin(), fields.end(), [&](const ModField& field) { return field.mod == mod; });
  };
  mods.a16 = chance(3);
  mods.dmask = static_cast<uint8_t>(1 + below(15));
  if (ray) {
    mods.dmask = 15;
    mods.unorm = has(Mod::unorm);
    mods.r128 = true;
  } else {
    // Only plain loads and stores know multisampled surfaces.
    const bool levels = facts.image_args != 0 || (facts.src_count == 3 && !facts.has(kMayStore));
    mods.dim = static_cast<uint8_t>(inst.opcode == Opcode::image_msaa_load ? 6 + below(2) : below(levels ? 6 : 8));
    for (const Mod mod : {Mod::unorm, Mod::glc, Mod::slc, Mod::dlc, Mod::declare_array}) {
      if (has(mod)) set_modifier(mods, mod, chance(3));
    }
    if (!has(Mod::dim)) mods.dim = 0;
    if (has(Mod::th)) {
      mods.th = static_cast<uint8_t>(below(8));
      mods.scope = static_cast<uint8_t>(below(4));
      make_cache_policy(inst);
    }
    if (facts.image_args & kImageGather) mods.dmask = static_cast<uint8_t>(1u << below(4));
    if (atomic) {
      const bool compare = std::string_view(facts.name).ends_with("cmpswap");
      mods.dmask = compare ? (chance(2) ? 3 : 15) : (chance(2) ? 1 : 3);
    } else {
      mods.tfe = !facts.has(kMayStore) && chance(3);
      mods.lwe = has(Mod::lwe) && mods.tfe && chance(2);
      const std::string_view name = facts.name;
      const bool raw = name.find("pck") != std::string_view::npos || name.find("get_") != std::string_view::npos;
      mods.d16 = !raw && chance(3);
      // LLVM has no gather with a three-register result and prints the operands of another one.
      if (mods.d16 && (facts.image_args & kImageGather)) mods.tfe = mods.lwe = false;
    }
  }
  const ImageAddressList list = image_address_list(facts, mods, inst.format, target_.generation);
  if (list.count > 1 && (traits.nsa_always || chance(2))) mods.nsa_count = static_cast<uint8_t>(list.count - 1);
  for (unsigned i = 0; i < mods.nsa_count; ++i) {
    // LLVM takes a register 0 at the end of a GFX12 list for none.
    const unsigned first = traits.nsa_always ? 1 : 0;
    mods.nsa_vaddr[i] = static_cast<uint8_t>(first + below(257u - first - list.widths[i + 1]));
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
    const unsigned dwords =
        operand_dwords(facts, inst.format, inst.mods, placement, saddr, wave_size_, target_.generation);
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
  if ((facts.modifiers & kModHalves) != 0) {
    inst.mods.op_sel =
        static_cast<uint8_t>(8 * chance(2) + (inst.src[0].is_reg() && inst.src[0].reg.is_vgpr() && chance(2)));
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

/// 16-bit operands of short forms may be limited to the lower half of the file.
Reg RandomInst::make_vgpr(const Inst& inst, const OperandSlot& slot, unsigned dwords) {
  const bool low = needs_low_vgpr(inst.format, slot.type, encoding_traits(target_.generation));
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
