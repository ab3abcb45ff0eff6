// SPDX-License-Identifier: MIT
// Which modifiers the text of each format names, and how. The printer and the parser read these tables.
#include "amdgpu/isa/text_modifiers.h"

#include <algorithm>

#include "amdgpu/isa/modifiers.h"

namespace spalt::isa {
namespace {

using Syntax = ModSyntax;
using Names = const char* const;

constexpr bool kAlways = true, kNeeded = true;

constexpr Names kOmod[] = {"", "mul:2", "mul:4", "div:2"};
constexpr Names kSelect[] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD"};
constexpr Names kUnused[] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"};
constexpr Names kDims[] = {"1D", "2D", "3D", "CUBE", "1D_ARRAY", "2D_ARRAY", "2D_MSAA", "2D_MSAA_ARRAY"};
constexpr unsigned kWholeDword = 6, kPreserve = 2;

constexpr ModText kClamp{Mod::clamp, Syntax::flag, "clamp"};
constexpr ModText kOutput{Mod::omod, Syntax::phrase, "omod", 0, false, kOmod};
constexpr ModText kGlc{Mod::glc, Syntax::flag, "glc"}, kSlc{Mod::slc, Syntax::flag, "slc"};
constexpr ModText kDlc{Mod::dlc, Syntax::flag, "dlc"}, kTfe{Mod::tfe, Syntax::flag, "tfe"};
constexpr ModText kGds{Mod::gds, Syntax::flag, "gds"};
constexpr ModText kFetchInactive{Mod::fetch_inactive, Syntax::switched, "fi"};

constexpr ModText kVop3[] = {
    {Mod::op_sel, Syntax::bits, "op_sel"}, {Mod::interp_high, Syntax::flag, "high"}, kClamp, kOutput};
constexpr ModText kVop3p[] = {{Mod::op_sel, Syntax::bits, "op_sel"},
                              {Mod::op_sel_hi, Syntax::bits, "op_sel_hi", 7},
                              {Mod::neg, Syntax::bits, "neg_lo"},
                              {Mod::abs, Syntax::bits, "neg_hi"},
                              kClamp};
// v_fma_mix reads op_sel_hi as "is 16 bits wide" and shows neg and abs at the operands.
constexpr ModText kMix[] = {{Mod::op_sel, Syntax::bits, "op_sel"}, {Mod::op_sel_hi, Syntax::bits, "op_sel_hi"}, kClamp};
constexpr ModText kSdwa[] = {kClamp,
                             kOutput,
                             {Mod::dst_sel, Syntax::keyword, "dst_sel", kWholeDword, kAlways, kSelect},
                             {Mod::dst_unused, Syntax::keyword, "dst_unused", kPreserve, kAlways, kUnused},
                             {Mod::src0_sel, Syntax::keyword, "src0_sel", kWholeDword, kAlways, kSelect},
                             {Mod::src1_sel, Syntax::keyword, "src1_sel", kWholeDword, kAlways, kSelect}};
constexpr ModText kDpp16[] = {{Mod::dpp_ctrl, Syntax::dpp_control, "quad_perm", 0xe4, kAlways, {}, "", kNeeded},
                              {Mod::row_mask, Syntax::hex, "row_mask", 0xf, kAlways},
                              {Mod::bank_mask, Syntax::hex, "bank_mask", 0xf, kAlways},
                              {Mod::bound_ctrl, Syntax::switched_any, "bound_ctrl"},
                              kFetchInactive};
constexpr ModText kDpp8[] = {{Mod::dpp8, Syntax::dpp_lanes, "dpp8", 0, kAlways, {}, "", kNeeded}, kFetchInactive};
constexpr ModText kDs[] = {{Mod::offset, Syntax::decimal, "offset"}, kGds};
constexpr ModText kDs2[] = {
    {Mod::offset, Syntax::decimal, "offset0"}, {Mod::offset1, Syntax::decimal, "offset1"}, kGds};
constexpr ModText kSwizzle[] = {{Mod::offset, Syntax::swizzle, "offset"}, kGds};
// The offset is an operand unless there is a register; see TextItemKind::scalar_offset.
constexpr ModText kSmem[] = {{Mod::signed_offset, Syntax::signed_hex, "offset"}, kGlc, kDlc};
constexpr ModText kFlat[] = {{Mod::offset, Syntax::decimal, "offset"}, kGlc, kSlc, kDlc};
constexpr ModText kSegment[] = {
    {Mod::signed_offset, Syntax::decimal, "offset"}, kGlc, kSlc, kDlc, {Mod::lds, Syntax::flag, "lds"}};
constexpr unsigned kFormat8Unorm = 1;
constexpr ModText kBuffer[] = {{Mod::format, Syntax::buffer_format, "format", kFormat8Unorm},
                               {Mod::idxen, Syntax::flag, "idxen"},
                               {Mod::offen, Syntax::flag, "offen"},
                               {Mod::offset, Syntax::decimal, "offset"},
                               kGlc,
                               kSlc,
                               kDlc,
                               kTfe,
                               {Mod::lds, Syntax::flag, "lds"}};
constexpr ModText kImage[] = {{Mod::dmask, Syntax::hex, "dmask", 0, kAlways},
                              {Mod::dim, Syntax::keyword, "dim", 0, kAlways, kDims, "SQ_RSRC_IMG_", kNeeded},
                              {Mod::unorm, Syntax::flag, "unorm"},
                              kGlc,
                              kSlc,
                              kDlc,
                              {Mod::r128, Syntax::flag, "r128"},
                              {Mod::a16, Syntax::flag, "a16"},
                              kTfe,
                              {Mod::lwe, Syntax::flag, "lwe"},
                              {Mod::d16, Syntax::flag, "d16"}};
constexpr ModText kRay[] = {{Mod::dmask, Syntax::implied, "", 15},
                            {Mod::unorm, Syntax::implied, "", 1},
                            {Mod::r128, Syntax::implied, "", 1},
                            {Mod::a16, Syntax::flag, "a16"}};
constexpr ModText kExport[] = {{Mod::export_done, Syntax::flag, "done"},
                               {Mod::export_compressed, Syntax::flag, "compr"},
                               {Mod::export_valid_mask, Syntax::flag, "vm"}};

// GFX10 control values (RDNA 2 ISA guide, section 13.3.8 "DPP16").
constexpr DppControl kDppControls[] = {{"row_shl", 0x100, true, 1, 15},         {"row_shr", 0x110, true, 1, 15},
                                       {"row_ror", 0x120, true, 1, 15},         {"row_mirror", 0x140, false, 0, 0},
                                       {"row_half_mirror", 0x141, false, 0, 0}, {"row_share", 0x150, true, 0, 15},
                                       {"row_xmask", 0x160, true, 0, 15}};

// GFX10 unified formats (RDNA 2 ISA guide, table "Buffer data formats").
constexpr Names kBufferFormats[] = {"INVALID",
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

bool is_mix(const OpcodeInfo& info) {
  return info.src[0].type == OperandType::f32;
}

std::span<const ModText> texts_of(const OpcodeInfo& info, Format format) {
  switch (format) {
    case Format::vop3:
      return kVop3;
    case Format::vop3p:
      if (is_mix(info)) return kMix;
      return kVop3p;
    case Format::sdwa:
      return kSdwa;
    case Format::dpp16:
      return kDpp16;
    case Format::dpp8:
      return kDpp8;
    case Format::ds:
      if (info.has(kTwoOffsets)) return kDs2;
      if (&info == &isa::info(Opcode::ds_swizzle_b32)) return kSwizzle;
      return kDs;
    case Format::smem:
      return kSmem;
    case Format::flat:
      return kFlat;
    case Format::global:
    case Format::scratch:
      return kSegment;
    case Format::mubuf:
    case Format::mtbuf:
      return kBuffer;
    case Format::mimg:
      if (info.image_args & kImageRay) return kRay;
      return kImage;
    case Format::exp:
      return kExport;
    default:
      return {};
  }
}

}  // namespace

// fetch_inactive of DPP8 is a second value of the source 0 field, so no field of its own says that the format has it.
ModTexts::ModTexts(const OpcodeInfo& info, Format format)
    : texts_(texts_of(info, format)), fields_(modifier_fields(info, format)), any_(format == Format::dpp8) {}

bool ModTexts::has(const ModText& text) const {
  return any_ || std::any_of(fields_.begin(), fields_.end(), [&](const ModField& f) { return f.mod == text.mod; });
}

uint32_t text_value(const Modifiers& mods, Mod mod) {
  return mod == Mod::op_sel_hi ? mods.op_sel_hi : get_modifier(mods, mod);
}

void set_text_value(Modifiers& mods, Mod mod, uint32_t value) {
  set_modifier(mods, mod, value);
  if (mod == Mod::op_sel_hi) set_modifier(mods, Mod::op_sel_hi2, value >> 2);
}

uint32_t absent_value(const OpcodeInfo& info, const ModText& text) {
  return text.syntax == ModSyntax::bits ? text.absent & ((1u << info.src_count) - 1) : text.absent;
}

BitList bit_list(const OpcodeInfo& info, Format format, Mod mod) {
  const unsigned sources = info.src_count;
  if (mod != Mod::op_sel || format != Format::vop3) return {sources, false};
  if (info.modifiers >> (kModOpSelShift + 3) & 1) return {sources, true};
  return {2, false};  // v_permlane16: fetch_inactive and bound_ctrl
}

std::span<const DppControl> dpp_controls() {
  return kDppControls;
}

std::span<const char* const> buffer_format_names() {
  return kBufferFormats;
}

}  // namespace spalt::isa
