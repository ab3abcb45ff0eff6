// SPDX-License-Identifier: MIT
// Modifiers and immediates of random instructions: all that an opcode takes, less what LLVM cannot read back.
#include <algorithm>

#include "amdgpu/isa/codec/image_address.h"
#include "amdgpu/isa/codec/modifiers.h"
#include "amdgpu/isa/halves.h"
#include "amdgpu/isa/text/names.h"
#include "amdgpu/isa/waitcnt.h"
#include "random_inst.h"

namespace spalt::isa::test {
namespace {

/// DPP controls other than quad_perm, before and since GFX10.
constexpr uint16_t kControls9[] = {0x00,  0x1b,  0xe4,  0xff,  0x101, 0x10f, 0x111, 0x11f, 0x121,
                                   0x12f, 0x130, 0x134, 0x138, 0x13c, 0x140, 0x141, 0x142, 0x143};
constexpr uint16_t kControls10[] = {0x00,  0x1b,  0xe4,  0xff,  0x101, 0x10f, 0x111, 0x11f,
                                    0x121, 0x12f, 0x140, 0x141, 0x150, 0x15f, 0x160, 0x16f};

}  // namespace

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
    const unsigned halves = halves_ == HighHalves::all ? half_bits(facts) : 0;
    mods.op_sel = static_cast<uint8_t>(below(16) & (facts.modifiers >> kModOpSelShift | halves));
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
  if (list.count > 1 && (traits.nsa_always || chance(2))) inst.nsa.count = static_cast<uint8_t>(list.count - 1);
  for (unsigned i = 0; i < inst.nsa.count; ++i) {
    // LLVM takes a register 0 at the end of a GFX12 list for none.
    const unsigned first = traits.nsa_always ? 1 : 0;
    inst.nsa.vgprs[i] = static_cast<uint8_t>(first + below(257u - first - list.widths[i + 1]));
  }
}

}  // namespace spalt::isa::test
