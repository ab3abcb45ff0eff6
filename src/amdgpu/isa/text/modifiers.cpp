// SPDX-License-Identifier: MIT
// Which modifiers the text of each format names, and how. The printer and the parser read these tables.
#include "amdgpu/isa/text/modifiers.h"

#include <algorithm>

#include "amdgpu/isa/codec/layout_family.h"
#include "amdgpu/isa/codec/modifiers.h"
#include "amdgpu/isa/halves.h"

namespace spalt::isa {
namespace {

using Syntax = ModSyntax;
using Names = const char* const;

constexpr unsigned kDstOpSel = 1u << (kModOpSelShift + 3);
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
// kVop3 and kVop3p with the modifiers of DPP after them.
constexpr ModText kDppControl{Mod::dpp_ctrl, Syntax::dpp_control, "quad_perm", 0xe4, kAlways, {}, "", kNeeded};
constexpr ModText kRowMask{Mod::row_mask, Syntax::hex, "row_mask", 0xf, kAlways};
constexpr ModText kBankMask{Mod::bank_mask, Syntax::hex, "bank_mask", 0xf, kAlways};
constexpr ModText kBoundControl{Mod::bound_ctrl, Syntax::switched_any, "bound_ctrl"};
constexpr ModText kDppLanes{Mod::dpp8, Syntax::dpp_lanes, "dpp8", 0, kAlways, {}, "", kNeeded};
constexpr ModText kOpSel{Mod::op_sel, Syntax::bits, "op_sel"};
constexpr ModText kVop3Dpp16[] = {kOpSel,   kClamp,    kOutput,       kDppControl,
                                  kRowMask, kBankMask, kBoundControl, kFetchInactive};
constexpr ModText kVop3Dpp8[] = {kOpSel, kClamp, kOutput, kDppLanes, kFetchInactive};
constexpr ModText kByteSelect[] = {{Mod::op_sel, Syntax::byte_select, "byte_sel"}, kClamp, kOutput};
constexpr ModText kByteSelectDpp16[] = {{Mod::op_sel, Syntax::byte_select, "byte_sel"},
                                        kClamp,
                                        kOutput,
                                        kDppControl,
                                        kRowMask,
                                        kBankMask,
                                        kBoundControl,
                                        kFetchInactive};
constexpr ModText kByteSelectDpp8[] = {
    {Mod::op_sel, Syntax::byte_select, "byte_sel"}, kClamp, kOutput, kDppLanes, kFetchInactive};
constexpr ModText kVop3p[] = {{Mod::op_sel, Syntax::bits, "op_sel"},
                              {Mod::op_sel_hi01, Syntax::bits, "op_sel_hi", 7},
                              {Mod::neg, Syntax::bits, "neg_lo"},
                              {Mod::abs, Syntax::bits, "neg_hi"},
                              kClamp};
// v_fma_mix reads op_sel_hi as "is 16 bits wide" and shows neg and abs at the operands.
constexpr ModText kMix[] = {
    {Mod::op_sel, Syntax::bits, "op_sel"}, {Mod::op_sel_hi01, Syntax::bits, "op_sel_hi"}, kClamp};
constexpr ModText kNegLow{Mod::neg, Syntax::bits, "neg_lo"}, kNegHigh{Mod::abs, Syntax::bits, "neg_hi"};
constexpr ModText kOpSelHigh{Mod::op_sel_hi01, Syntax::bits, "op_sel_hi", 7};
constexpr ModText kMixOpSelHigh{Mod::op_sel_hi01, Syntax::bits, "op_sel_hi"};
constexpr ModText kVop3pDpp16[] = {kOpSel,      kOpSelHigh, kNegLow,   kNegHigh,      kClamp,
                                   kDppControl, kRowMask,   kBankMask, kBoundControl, kFetchInactive};
constexpr ModText kVop3pDpp8[] = {kOpSel, kOpSelHigh, kNegLow, kNegHigh, kClamp, kDppLanes, kFetchInactive};
constexpr ModText kMixDpp16[] = {kOpSel,   kMixOpSelHigh, kClamp,        kDppControl,
                                 kRowMask, kBankMask,     kBoundControl, kFetchInactive};
constexpr ModText kMixDpp8[] = {kOpSel, kMixOpSelHigh, kClamp, kDppLanes, kFetchInactive};
constexpr ModText kSparse[] = {
    {Mod::op_sel, Syntax::decimal, "index_key"}, {Mod::op_sel_hi01, Syntax::implied, "", 7}, kNegLow, kNegHigh, kClamp};
constexpr ModText kVinterp[] = {kClamp, kOpSel, {Mod::wait_exp, Syntax::decimal, "wait_exp", 0, kAlways}};
constexpr ModText kLdsdir11[] = {{Mod::wait_va_vdst, Syntax::decimal, "wait_vdst", 0, kAlways}};
constexpr ModText kLdsdir12[] = {{Mod::wait_va_vdst, Syntax::decimal, "wait_va_vdst", 0, kAlways},
                                 {Mod::wait_vm_vsrc, Syntax::decimal, "wait_vm_vsrc", 0, kAlways}};
constexpr ModText kSdwa[] = {kClamp,
                             kOutput,
                             {Mod::dst_sel, Syntax::keyword, "dst_sel", kWholeDword, kAlways, kSelect},
                             {Mod::dst_unused, Syntax::keyword, "dst_unused", kPreserve, kAlways, kUnused},
                             {Mod::src0_sel, Syntax::keyword, "src0_sel", kWholeDword, kAlways, kSelect},
                             {Mod::src1_sel, Syntax::keyword, "src1_sel", kWholeDword, kAlways, kSelect}};
constexpr ModText kDpp16[] = {kDppControl, kRowMask, kBankMask, kBoundControl, kFetchInactive};
constexpr ModText kDpp8[] = {kDppLanes, kFetchInactive};
constexpr ModText kDs[] = {{Mod::offset, Syntax::decimal, "offset"}, kGds};
constexpr ModText kDs2[] = {
    {Mod::offset, Syntax::decimal, "offset0"}, {Mod::offset1, Syntax::decimal, "offset1"}, kGds};
constexpr ModText kSwizzle[] = {{Mod::offset, Syntax::swizzle, "offset"}, kGds};
// The offset is an operand unless there is a register; see TextItemKind::scalar_offset.
constexpr ModText kSmem[] = {{Mod::signed_offset, Syntax::signed_hex, "offset"}, kGlc, kDlc};
constexpr ModText kFlat[] = {{Mod::offset, Syntax::decimal, "offset"}, kGlc, kSlc, kDlc};
constexpr ModText kSegment[] = {
    {Mod::signed_offset, Syntax::decimal, "offset"}, kGlc, kSlc, kDlc, {Mod::lds, Syntax::flag, "lds"}};
// GFX12 cache policy.
constexpr Names kScopes[] = {"SCOPE_CU", "SCOPE_SE", "SCOPE_DEV", "SCOPE_SYS"};
constexpr ModText kTh{Mod::th, Syntax::temporal_hint, "th"};
constexpr ModText kScope{Mod::scope, Syntax::keyword, "scope", 0, false, kScopes};
constexpr ModText kSmem12[] = {{Mod::signed_offset, Syntax::signed_hex, "offset", 0, kAlways}, kTh, kScope};
constexpr ModText kSegment12[] = {{Mod::signed_offset, Syntax::decimal, "offset"}, kTh, kScope};
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
constexpr ModText kBuffer12[] = {{Mod::format, Syntax::buffer_format, "format", kFormat8Unorm},
                                 {Mod::idxen, Syntax::flag, "idxen"},
                                 {Mod::offen, Syntax::flag, "offen"},
                                 {Mod::offset, Syntax::decimal, "offset"},
                                 kTh,
                                 kScope,
                                 kTfe};
// GFX9 has neither dim nor r128.
constexpr ModText kImage9[] = {{Mod::dmask, Syntax::hex, "dmask", 0, kAlways},
                               {Mod::unorm, Syntax::flag, "unorm"},
                               kGlc,
                               kSlc,
                               {Mod::a16, Syntax::flag, "a16"},
                               kTfe,
                               {Mod::lwe, Syntax::flag, "lwe"},
                               {Mod::declare_array, Syntax::flag, "da"},
                               {Mod::d16, Syntax::flag, "d16"}};
constexpr ModText kImage12[] = {{Mod::dmask, Syntax::hex, "dmask", 0, kAlways},
                                {Mod::dim, Syntax::keyword, "dim", 0, kAlways, kDims, "SQ_RSRC_IMG_"},
                                {Mod::unorm, Syntax::flag, "unorm"},
                                kTh,
                                kScope,
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
                               {Mod::export_valid_mask, Syntax::flag, "vm"},
                               {Mod::export_row, Syntax::flag, "row_en"}};

// GFX10 control values (RDNA 2 ISA guide, section 13.3.8 "DPP16").
constexpr DppControl kDppControls[] = {{"row_shl", 0x100, true, 1, 15},         {"row_shr", 0x110, true, 1, 15},
                                       {"row_ror", 0x120, true, 1, 15},         {"row_mirror", 0x140, false, 0, 0},
                                       {"row_half_mirror", 0x141, false, 0, 0}, {"row_share", 0x150, true, 0, 15},
                                       {"row_xmask", 0x160, true, 0, 15}};
// Vega ISA guide, table "DPP_CTRL".
constexpr DppControl kDppControls9[] = {
    {"row_shl", 0x100, true, 1, 15},      {"row_shr", 0x110, true, 1, 15},     {"row_ror", 0x120, true, 1, 15},
    {"wave_shl:1", 0x130, false, 0, 0},   {"wave_rol:1", 0x134, false, 0, 0},  {"wave_shr:1", 0x138, false, 0, 0},
    {"wave_ror:1", 0x13c, false, 0, 0},   {"row_mirror", 0x140, false, 0, 0},  {"row_half_mirror", 0x141, false, 0, 0},
    {"row_bcast:15", 0x142, false, 0, 0}, {"row_bcast:31", 0x143, false, 0, 0}};

bool is_mix(const OpcodeInfo& info) {
  return (info.modifiers & kModPacked) && info.src[0].type == OperandType::f32;
}

bool has_temporal_hints(Generation generation) {
  return family_of(generation) == Family::gfx12;
}

std::span<const ModText> vector_texts(const OpcodeInfo& info, Format format, Generation generation) {
  const bool packed = (info.modifiers & kModPacked) != 0, bytes = (info.modifiers & kModByteSelect) != 0;
  switch (format) {
    case Format::vop3:
      if (bytes) return kByteSelect;
      return kVop3;
    case Format::vop3p:
      if (is_mix(info)) return kMix;
      if (info.modifiers & kModIndexKey) return kSparse;
      return kVop3p;
    case Format::vop3_dpp16:
      if (is_mix(info)) return kMixDpp16;
      if (packed) return kVop3pDpp16;
      if (bytes) return kByteSelectDpp16;
      return kVop3Dpp16;
    case Format::vop3_dpp8:
      if (is_mix(info)) return kMixDpp8;
      if (packed) return kVop3pDpp8;
      if (bytes) return kByteSelectDpp8;
      return kVop3Dpp8;
    case Format::sdwa:
      return kSdwa;
    case Format::dpp16:
      return kDpp16;
    case Format::dpp8:
      return kDpp8;
    case Format::vinterp:
      return kVinterp;
    case Format::ldsdir:
      if (has_temporal_hints(generation)) return kLdsdir12;
      return kLdsdir11;
    default:
      return {};
  }
}

std::span<const ModText> image_texts(const OpcodeInfo& info, Generation generation) {
  if (info.image_args & kImageRay) return kRay;
  if (family_of(generation) == Family::gfx9) return kImage9;
  if (has_temporal_hints(generation)) return kImage12;
  return kImage;
}

std::span<const ModText> texts_of(const OpcodeInfo& info, Opcode opcode, Format format, Generation generation) {
  const bool hints = has_temporal_hints(generation);
  switch (format) {
    case Format::ds:
      if (info.has(kTwoOffsets)) return kDs2;
      if (opcode == Opcode::ds_swizzle_b32) return kSwizzle;
      return kDs;
    case Format::smem:
      if (hints) return kSmem12;
      return kSmem;
    case Format::flat:
      if (hints) return kSegment12;
      return kFlat;
    case Format::global:
    case Format::scratch:
      if (hints) return kSegment12;
      return kSegment;
    case Format::mubuf:
    case Format::mtbuf:
      if (hints) return kBuffer12;
      return kBuffer;
    case Format::mimg:
    case Format::vimage:
    case Format::vsample:
      return image_texts(info, generation);
    case Format::exp:
      return kExport;
    default:
      return vector_texts(info, format, generation);
  }
}

}  // namespace

// fetch_inactive of DPP8 is a second value of the source 0 field, so no field of its own says that the format has it.
ModTexts::ModTexts(const OpcodeInfo& info, Opcode opcode, Format format, Generation generation)
    : texts_(texts_of(info, opcode, format, generation)),
      fields_(modifier_fields(info, format, generation)),
      fetch_inactive_(format == Format::dpp8 || format == Format::vop3_dpp8) {}

bool ModTexts::has(const ModText& text) const {
  if (fetch_inactive_ && text.mod == Mod::fetch_inactive) return true;
  return std::any_of(fields_.begin(), fields_.end(), [&](const ModField& f) { return f.mod == text.mod; });
}

bool shows_halves(const OpcodeInfo& info, const Modifiers& mods) {
  return (info.modifiers & kModHalves) && (mods.op_sel != 0 || (info.modifiers & kModNamedHalves));
}

bool shows_packed_modifiers(const OpcodeInfo& info) {
  return (info.modifiers & kModPacked) && !is_mix(info);
}

bool zero_offset_is_null(Generation generation) {
  return family_of(generation) == Family::gfx10 || family_of(generation) == Family::gfx11;
}

uint32_t text_value(const Modifiers& mods, Mod mod) {
  return mod == Mod::op_sel_hi01 ? mods.op_sel_hi : get_modifier(mods, mod);
}

void set_text_value(Modifiers& mods, Mod mod, uint32_t value) {
  set_modifier(mods, mod, value);
  if (mod == Mod::op_sel_hi01) set_modifier(mods, Mod::op_sel_hi2, value >> 2);
}

uint32_t absent_value(const OpcodeInfo& info, const ModText& text) {
  return text.syntax == ModSyntax::bits ? text.absent & ((1u << info.src_count) - 1) : text.absent;
}

BitList bit_list(const OpcodeInfo& info, Format format, Mod mod) {
  const unsigned sources = info.src_count;
  if (mod != Mod::op_sel || (info.modifiers & kModPacked)) return {sources, false};
  if (format == Format::vinterp) return {sources, true};
  if (!(info.modifiers & (kModHalves | kDstOpSel))) return {2, false};  // v_permlane16: fetch_inactive and bound_ctrl
  if (info.dst_count == 0) return {sources, false};
  // LLVM gives a comparison the bit of a destination that it has not, but not with DPP.
  if (info.dst[0].role == OperandRole::lane_mask) return {sources, format == Format::vop3};
  const bool accumulates = info.has(kDstIsSrc) && is_half_slot(info, info.src[0]);
  return {sources + (accumulates ? 1 : 0), true, accumulates};
}

std::span<const DppControl> dpp_controls(Generation generation) {
  if (encoding_traits(generation).dpp_row_share) return kDppControls;
  return kDppControls9;
}

}  // namespace spalt::isa
