// SPDX-License-Identifier: MIT
#include <iterator>

#include "amdgpu/isa/text_internal.h"

namespace spalt::isa {
namespace {

void append_flag(std::string& out, bool set, const char* name) {
  if (!set) return;
  out += ' ';
  out += name;
}

/// " name:[1,0,1]" over the lowest `count` bits.
void append_bits(std::string& out, const char* name, unsigned bits, unsigned count) {
  append(out, " %s:[", name);
  for (unsigned i = 0; i < count; ++i) append(out, i == 0 ? "%u" : ",%u", bits >> i & 1);
  out += ']';
}

void append_output_modifiers(std::string& out, const Modifiers& mods) {
  static constexpr const char* kOmod[] = {"", " mul:2", " mul:4", " div:2"};
  append_flag(out, mods.clamp, "clamp");
  out += kOmod[mods.omod & 3];
}

void append_vop3p(std::string& out, const Inst& inst) {
  const Modifiers& mods = inst.mods;
  const OpcodeInfo& facts = info(inst.opcode);
  const unsigned count = facts.src_count, all = (1u << count) - 1;
  // v_fma_mix reads op_sel_hi as "is 16 bits wide" and shows neg and abs at the operands.
  const bool mix = facts.src[0].type == OperandType::f32;
  if (mods.op_sel != 0) append_bits(out, "op_sel", mods.op_sel, count);
  if ((mods.op_sel_hi & all) != (mix ? 0 : all)) append_bits(out, "op_sel_hi", mods.op_sel_hi, count);
  if (!mix && mods.neg != 0) append_bits(out, "neg_lo", mods.neg, count);
  if (!mix && mods.abs != 0) append_bits(out, "neg_hi", mods.abs, count);
  append_flag(out, mods.clamp, "clamp");
}

void append_vop3(std::string& out, const Inst& inst) {
  const Modifiers& mods = inst.mods;
  const OpcodeInfo& facts = info(inst.opcode);
  if (mods.op_sel != 0) {
    const bool with_dst = facts.modifiers >> (kModOpSelShift + 3) & 1;
    const unsigned sources = mods.op_sel & ((1u << facts.src_count) - 1), dst = mods.op_sel >> 3 & 1;
    if (with_dst) {
      append_bits(out, "op_sel", sources | dst << facts.src_count, facts.src_count + 1u);
    } else {
      append_bits(out, "op_sel", sources, 2);  // v_permlane16: fetch_inactive and bound_ctrl
    }
  }
  append_flag(out, mods.interp_high, "high");
  append_output_modifiers(out, mods);
}

void append_sdwa(std::string& out, const Inst& inst) {
  static constexpr const char* kSelect[] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD"};
  static constexpr const char* kUnused[] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"};
  const Modifiers& mods = inst.mods;
  const OpcodeInfo& facts = info(inst.opcode);
  append_output_modifiers(out, mods);
  if (facts.dst_count > 0 && facts.dst[0].role != OperandRole::lane_mask) {
    append(out, " dst_sel:%s dst_unused:%s", kSelect[mods.dst_sel % 7], kUnused[mods.dst_unused % 3]);
  }
  append(out, " src0_sel:%s", kSelect[mods.src_sel[0] % 7]);
  if (facts.src_count > 1) append(out, " src1_sel:%s", kSelect[mods.src_sel[1] % 7]);
}

void append_dpp16(std::string& out, const Modifiers& mods) {
  const unsigned ctrl = mods.dpp_ctrl, lanes = ctrl & 15;
  switch (ctrl >> 4) {
    case 0x10:
      append(out, " row_shl:%u", lanes);
      break;
    case 0x11:
      append(out, " row_shr:%u", lanes);
      break;
    case 0x12:
      append(out, " row_ror:%u", lanes);
      break;
    case 0x14:
      out += lanes == 0 ? " row_mirror" : " row_half_mirror";
      break;
    case 0x15:
      append(out, " row_share:%u", lanes);
      break;
    case 0x16:
      append(out, " row_xmask:%u", lanes);
      break;
    default:
      append(out, " quad_perm:[%u,%u,%u,%u]", ctrl & 3, ctrl >> 2 & 3, ctrl >> 4 & 3, ctrl >> 6 & 3);
      break;
  }
  append(out, " row_mask:0x%x bank_mask:0x%x", mods.row_mask, mods.bank_mask);
  append_flag(out, mods.bound_ctrl, "bound_ctrl:1");
  append_flag(out, mods.fetch_inactive, "fi:1");
}

void append_dpp8(std::string& out, const Modifiers& mods) {
  out += " dpp8:[";
  for (unsigned i = 0; i < 8; ++i) append(out, i == 0 ? "%u" : ",%u", mods.dpp8 >> (3 * i) & 7);
  out += ']';
  append_flag(out, mods.fetch_inactive, "fi:1");
}

/// Cache policy bits, in the order LLVM prints them.
void append_cache_policy(std::string& out, const Modifiers& mods) {
  append_flag(out, mods.glc, "glc");
  append_flag(out, mods.slc, "slc");
  append_flag(out, mods.dlc, "dlc");
}

bool is_power_of_two(unsigned value) {
  return value != 0 && (value & (value - 1)) == 0;
}

/// Bitmask swizzles: lane = ((lane & and) | or) ^ xor, five bits each.
void append_bitmask_swizzle(std::string& out, unsigned offset) {
  const unsigned and_mask = offset & 31, or_mask = offset >> 5 & 31, xor_mask = offset >> 10 & 31;
  const unsigned group = 32 - and_mask;
  if (and_mask == 31 && or_mask == 0 && is_power_of_two(xor_mask)) {
    append(out, "SWAP,%u", xor_mask);
  } else if (and_mask == 31 && or_mask == 0 && xor_mask > 0 && is_power_of_two(xor_mask + 1)) {
    append(out, "REVERSE,%u", xor_mask + 1);
  } else if (group > 1 && is_power_of_two(group) && or_mask < group && xor_mask == 0) {
    append(out, "BROADCAST,%u,%u", group, or_mask);
  } else {
    out += "BITMASK_PERM,\"";
    const unsigned from_zero = or_mask ^ xor_mask, from_one = (and_mask | or_mask) ^ xor_mask;
    for (unsigned i = 5; i-- > 0;) {
      const unsigned zero = from_zero >> i & 1, one = from_one >> i & 1;
      out += zero == one ? (zero ? '1' : '0') : (zero ? 'i' : 'p');
    }
    out += '"';
  }
}

void append_swizzle(std::string& out, unsigned offset) {
  if (offset == 0) return;
  if ((offset & 0xff00) == 0x8000) {
    append(out, " offset:swizzle(QUAD_PERM,%u,%u,%u,%u)", offset & 3, offset >> 2 & 3, offset >> 4 & 3,
           offset >> 6 & 3);
  } else if ((offset & 0x8000) == 0) {
    out += " offset:swizzle(";
    append_bitmask_swizzle(out, offset);
    out += ')';
  } else {
    append(out, " offset:%u", offset);
  }
}

void append_ds(std::string& out, const Inst& inst) {
  const Modifiers& mods = inst.mods;
  if (info(inst.opcode).has(kTwoOffsets)) {
    if (mods.offset != 0) append(out, " offset0:%d", mods.offset);
    if (mods.offset1 != 0) append(out, " offset1:%u", mods.offset1);
  } else if (inst.opcode == Opcode::ds_swizzle_b32) {
    append_swizzle(out, static_cast<unsigned>(mods.offset));
  } else if (mods.offset != 0) {
    append(out, " offset:%d", mods.offset);
  }
  append_flag(out, mods.gds, "gds");
}

}  // namespace

void append_valu_modifiers(std::string& out, const Inst& inst) {
  switch (inst.format) {
    case Format::vop3:
      append_vop3(out, inst);
      break;
    case Format::vop3p:
      append_vop3p(out, inst);
      break;
    case Format::sdwa:
      append_sdwa(out, inst);
      break;
    case Format::dpp16:
      append_dpp16(out, inst.mods);
      break;
    case Format::dpp8:
      append_dpp8(out, inst.mods);
      break;
    default:
      break;
  }
}

void append_memory_modifiers(std::string& out, const Inst& inst) {
  const Modifiers& mods = inst.mods;
  if (inst.format == Format::ds) return append_ds(out, inst);
  if (inst.format == Format::mtbuf && mods.format != 1) {  // 1, 8_UNORM, is the assembler's default
    const char* name = buffer_format_name(mods.format);
    if (name != nullptr) {
      append(out, " format:[BUF_FMT_%s]", name);
    } else {
      append(out, " format:%u", mods.format);
    }
  }
  append_flag(out, mods.idxen, "idxen");
  append_flag(out, mods.offen, "offen");
  if (inst.format != Format::smem && mods.offset != 0) append(out, " offset:%d", mods.offset);
  append_cache_policy(out, mods);
  append_flag(out, mods.tfe, "tfe");
  append_flag(out, mods.lds, "lds");
}

void append_image_modifiers(std::string& out, const Inst& inst) {
  static constexpr const char* kDims[] = {"1D", "2D", "3D", "CUBE", "1D_ARRAY", "2D_ARRAY", "2D_MSAA", "2D_MSAA_ARRAY"};
  const Modifiers& mods = inst.mods;
  const bool ray = info(inst.opcode).image_args & kImageRay;
  if (!ray) {
    append(out, " dmask:0x%x dim:SQ_RSRC_IMG_%s", mods.dmask, kDims[mods.dim & 7]);
    append_flag(out, mods.unorm, "unorm");
    append_cache_policy(out, mods);
    append_flag(out, mods.r128, "r128");
  }
  append_flag(out, mods.a16, "a16");
  append_flag(out, mods.tfe, "tfe");
  append_flag(out, mods.lwe, "lwe");
  append_flag(out, mods.d16, "d16");
}

void append_export_modifiers(std::string& out, const Inst& inst) {
  append_flag(out, inst.mods.export_done, "done");
  append_flag(out, inst.mods.export_compressed, "compr");
  append_flag(out, inst.mods.export_valid_mask, "vm");
}

void append_export_target(std::string& out, unsigned target) {
  if (target < 8) {
    append(out, "mrt%u", target);
  } else if (target == 8) {
    out += "mrtz";
  } else if (target == 9) {
    out += "null";
  } else if (target >= 12 && target <= 16) {
    append(out, "pos%u", target - 12);
  } else if (target == 20) {
    out += "prim";
  } else if (target >= 32) {
    append(out, "param%u", target - 32);
  } else {
    append(out, "invalid_target_%u", target);
  }
}

const char* buffer_format_name(unsigned format) {
  // GFX10 unified formats (RDNA 2 ISA guide, table "Buffer data formats").
  static constexpr const char* kNames[] = {"INVALID",
                                           "8_UNORM",
                                           "8_SNORM",
                                           "8_USCALED",
                                           "8_SSCALED",
                                           "8_UINT",
                                           "8_SINT",
                                           "16_UNORM",
                                           "16_SNORM",
                                           "16_USCALED",
                                           "16_SSCALED",
                                           "16_UINT",
                                           "16_SINT",
                                           "16_FLOAT",
                                           "8_8_UNORM",
                                           "8_8_SNORM",
                                           "8_8_USCALED",
                                           "8_8_SSCALED",
                                           "8_8_UINT",
                                           "8_8_SINT",
                                           "32_UINT",
                                           "32_SINT",
                                           "32_FLOAT",
                                           "16_16_UNORM",
                                           "16_16_SNORM",
                                           "16_16_USCALED",
                                           "16_16_SSCALED",
                                           "16_16_UINT",
                                           "16_16_SINT",
                                           "16_16_FLOAT",
                                           "10_11_11_UNORM",
                                           "10_11_11_SNORM",
                                           "10_11_11_USCALED",
                                           "10_11_11_SSCALED",
                                           "10_11_11_UINT",
                                           "10_11_11_SINT",
                                           "10_11_11_FLOAT",
                                           "11_11_10_UNORM",
                                           "11_11_10_SNORM",
                                           "11_11_10_USCALED",
                                           "11_11_10_SSCALED",
                                           "11_11_10_UINT",
                                           "11_11_10_SINT",
                                           "11_11_10_FLOAT",
                                           "10_10_10_2_UNORM",
                                           "10_10_10_2_SNORM",
                                           "10_10_10_2_USCALED",
                                           "10_10_10_2_SSCALED",
                                           "10_10_10_2_UINT",
                                           "10_10_10_2_SINT",
                                           "2_10_10_10_UNORM",
                                           "2_10_10_10_SNORM",
                                           "2_10_10_10_USCALED",
                                           "2_10_10_10_SSCALED",
                                           "2_10_10_10_UINT",
                                           "2_10_10_10_SINT",
                                           "8_8_8_8_UNORM",
                                           "8_8_8_8_SNORM",
                                           "8_8_8_8_USCALED",
                                           "8_8_8_8_SSCALED",
                                           "8_8_8_8_UINT",
                                           "8_8_8_8_SINT",
                                           "32_32_UINT",
                                           "32_32_SINT",
                                           "32_32_FLOAT",
                                           "16_16_16_16_UNORM",
                                           "16_16_16_16_SNORM",
                                           "16_16_16_16_USCALED",
                                           "16_16_16_16_SSCALED",
                                           "16_16_16_16_UINT",
                                           "16_16_16_16_SINT",
                                           "16_16_16_16_FLOAT",
                                           "32_32_32_UINT",
                                           "32_32_32_SINT",
                                           "32_32_32_FLOAT",
                                           "32_32_32_32_UINT",
                                           "32_32_32_32_SINT",
                                           "32_32_32_32_FLOAT"};
  return format < std::size(kNames) ? kNames[format] : nullptr;
}

}  // namespace spalt::isa
