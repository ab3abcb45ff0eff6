// SPDX-License-Identifier: MIT
#include "amdgpu/isa/fields.h"

#include <iterator>

namespace spalt::isa {
namespace {

struct LayoutTable {
  FormatLayout layouts[static_cast<unsigned>(Format::count)];

  constexpr FormatLayout& operator[](Format format) { return layouts[static_cast<unsigned>(format)]; }
  constexpr LayoutTable() : layouts{} {
    auto& t = *this;
    t[Format::sop2] = {0x80000000, 0xc0000000, {0, 23, 7}, {}, 1};
    t[Format::sopk] = {0xb0000000, 0xf0000000, {0, 23, 5}, {}, 1};
    t[Format::sop1] = {0xbe800000, 0xff800000, {0, 8, 8}, {}, 1};
    t[Format::sopc] = {0xbf000000, 0xff800000, {0, 16, 7}, {}, 1};
    t[Format::sopp] = {0xbf800000, 0xff800000, {0, 16, 7}, {}, 1};
    t[Format::smem] = {0xf4000000, 0xfc000000, {0, 18, 8}, {}, 2};
    t[Format::vop2] = {0x00000000, 0x80000000, {0, 25, 6}, {}, 1};
    t[Format::vop1] = {0x7e000000, 0xfe000000, {0, 9, 8}, {}, 1};
    t[Format::vopc] = {0x7c000000, 0xfe000000, {0, 17, 8}, {}, 1};
    t[Format::vop3] = {0xd4000000, 0xfc000000, {0, 16, 10}, {}, 2};
    t[Format::vop3p] = {0xcc000000, 0xff800000, {0, 16, 7}, {}, 2};
    t[Format::vintrp] = {0xc8000000, 0xfc000000, {0, 16, 2}, {}, 1};
    t[Format::ds] = {0xd8000000, 0xfc000000, {0, 18, 8}, {}, 2};
    t[Format::flat] = {0xdc000000, 0xfc00c000, {0, 18, 7}, {}, 2};
    t[Format::scratch] = {0xdc004000, 0xfc00c000, {0, 18, 7}, {}, 2};
    t[Format::global] = {0xdc008000, 0xfc00c000, {0, 18, 7}, {}, 2};
    t[Format::mubuf] = {0xe0000000, 0xfc000000, {0, 18, 8}, {}, 2};
    t[Format::mtbuf] = {0xe8000000, 0xfc000000, {0, 16, 3}, {1, 21, 1}, 2};
    t[Format::mimg] = {0xf0000000, 0xfc000000, {0, 18, 7}, {0, 0, 1}, 2};
    t[Format::exp] = {0xf8000000, 0xfc000000, {}, {}, 2};
  }
};
constexpr LayoutTable kLayouts;

constexpr ModField kVop3Mods[] = {{Mod::abs, {0, 8, 3}},
                                  {Mod::op_sel, {0, 11, 4}},
                                  {Mod::clamp, {0, 15, 1}},
                                  {Mod::omod, {1, 27, 2}},
                                  {Mod::neg, {1, 29, 3}}};
// With a second destination, its register takes the place of abs and op_sel.
constexpr ModField kVop3bMods[] = {{Mod::clamp, {0, 15, 1}}, {Mod::omod, {1, 27, 2}}, {Mod::neg, {1, 29, 3}}};
// Source 0 holds the attribute, so the operands start at source 1.
constexpr ModField kVop3InterpMods[] = {{Mod::abs, {0, 9, 2}},
                                        {Mod::clamp, {0, 15, 1}},
                                        {Mod::interp_attribute, {1, 0, 6}},
                                        {Mod::interp_channel, {1, 6, 2}},
                                        {Mod::interp_high, {1, 8, 1}},
                                        {Mod::omod, {1, 27, 2}},
                                        {Mod::neg, {1, 30, 2}}};
constexpr ModField kVop3pMods[] = {{Mod::abs, {0, 8, 3}},         {Mod::op_sel, {0, 11, 3}},
                                   {Mod::op_sel_hi2, {0, 14, 1}}, {Mod::clamp, {0, 15, 1}},
                                   {Mod::op_sel_hi, {1, 27, 2}},  {Mod::neg, {1, 29, 3}}};
// One array, cut to what an instruction has: result and source 0, all, or (a comparison) the two sources.
constexpr ModField kSdwaMods[] = {{Mod::dst_sel, {1, 8, 3}}, {Mod::dst_unused, {1, 11, 2}}, {Mod::clamp, {1, 13, 1}},
                                  {Mod::omod, {1, 14, 2}},   {Mod::src0_sel, {1, 16, 3}},   {Mod::sext0, {1, 19, 1}},
                                  {Mod::neg0, {1, 20, 1}},   {Mod::abs0, {1, 21, 1}},       {Mod::src1_sel, {1, 24, 3}},
                                  {Mod::sext1, {1, 27, 1}},  {Mod::neg1, {1, 28, 1}},       {Mod::abs1, {1, 29, 1}}};
constexpr unsigned kSdwaGroup = 4;
constexpr ModField kDpp16Mods[] = {
    {Mod::dpp_ctrl, {1, 8, 9}}, {Mod::fetch_inactive, {1, 18, 1}}, {Mod::bound_ctrl, {1, 19, 1}},
    {Mod::neg0, {1, 20, 1}},    {Mod::abs0, {1, 21, 1}},           {Mod::neg1, {1, 22, 1}},
    {Mod::abs1, {1, 23, 1}},    {Mod::bank_mask, {1, 24, 4}},      {Mod::row_mask, {1, 28, 4}}};
constexpr ModField kDpp8Mods[] = {{Mod::dpp8, {1, 8, 24}}};
constexpr ModField kVintrpMods[] = {{Mod::interp_channel, {0, 8, 2}}, {Mod::interp_attribute, {0, 10, 6}}};
constexpr ModField kSmemMods[] = {{Mod::dlc, {0, 14, 1}}, {Mod::glc, {0, 16, 1}}, {Mod::signed_offset, {1, 0, 21}}};
constexpr ModField kDsMods[] = {{Mod::offset, {0, 0, 16}}, {Mod::gds, {0, 17, 1}}};
constexpr ModField kDs2Mods[] = {{Mod::offset, {0, 0, 8}}, {Mod::offset1, {0, 8, 8}}, {Mod::gds, {0, 17, 1}}};
// FLAT offsets have 11 bits and no sign; the segments sign extend 12 (RDNA 2 ISA guide, section 9.1).
constexpr ModField kFlatMods[] = {
    {Mod::offset, {0, 0, 11}}, {Mod::dlc, {0, 12, 1}}, {Mod::glc, {0, 16, 1}}, {Mod::slc, {0, 17, 1}}};
constexpr ModField kSegmentMods[] = {{Mod::signed_offset, {0, 0, 12}},
                                     {Mod::dlc, {0, 12, 1}},
                                     {Mod::lds, {0, 13, 1}},
                                     {Mod::glc, {0, 16, 1}},
                                     {Mod::slc, {0, 17, 1}}};
constexpr ModField kMubufMods[] = {{Mod::offset, {0, 0, 12}}, {Mod::offen, {0, 12, 1}}, {Mod::idxen, {0, 13, 1}},
                                   {Mod::glc, {0, 14, 1}},    {Mod::dlc, {0, 15, 1}},   {Mod::lds, {0, 16, 1}},
                                   {Mod::slc, {1, 22, 1}},    {Mod::tfe, {1, 23, 1}}};
constexpr ModField kMtbufMods[] = {{Mod::offset, {0, 0, 12}}, {Mod::offen, {0, 12, 1}}, {Mod::idxen, {0, 13, 1}},
                                   {Mod::glc, {0, 14, 1}},    {Mod::dlc, {0, 15, 1}},   {Mod::format, {0, 19, 7}},
                                   {Mod::slc, {1, 22, 1}},    {Mod::tfe, {1, 23, 1}}};
constexpr ModField kMimgMods[] = {{Mod::dim, {0, 3, 3}},    {Mod::dlc, {0, 7, 1}},  {Mod::dmask, {0, 8, 4}},
                                  {Mod::unorm, {0, 12, 1}}, {Mod::glc, {0, 13, 1}}, {Mod::r128, {0, 15, 1}},
                                  {Mod::tfe, {0, 16, 1}},   {Mod::lwe, {0, 17, 1}}, {Mod::slc, {0, 25, 1}},
                                  {Mod::a16, {1, 30, 1}},   {Mod::d16, {1, 31, 1}}};
constexpr ModField kExpMods[] = {{Mod::export_enable, {0, 0, 4}},
                                 {Mod::export_target, {0, 4, 6}},
                                 {Mod::export_compressed, {0, 10, 1}},
                                 {Mod::export_done, {0, 11, 1}},
                                 {Mod::export_valid_mask, {0, 12, 1}}};

template <unsigned kCount>
constexpr ModFields all(const ModField (&fields)[kCount]) {
  return {fields, kCount};
}

bool writes_lane_mask(const OpcodeInfo& info) {
  return info.dst_count == 1 && info.dst[0].role == OperandRole::lane_mask;
}

}  // namespace

const FormatLayout& format_layout(Format format) {
  const auto index = static_cast<unsigned>(format);
  return kLayouts.layouts[index < std::size(kLayouts.layouts) ? index : 0];
}

ModFields modifier_fields(const OpcodeInfo& info, Format format) {
  switch (format) {
    case Format::vop3:
      if (info.has(kInterp)) return all(kVop3InterpMods);
      return info.dst_count == 2 ? all(kVop3bMods) : all(kVop3Mods);
    case Format::vop3p:
      return all(kVop3pMods);
    case Format::sdwa:
      // A comparison has no destination to select from and cannot be told from v_cmpx by its slots.
      if (info.dst_count == 0 || writes_lane_mask(info)) return {kSdwaMods + kSdwaGroup, 2 * kSdwaGroup};
      return {kSdwaMods, (info.src_count > 1 ? 3 : 2) * kSdwaGroup};
    case Format::dpp16:
      return all(kDpp16Mods);
    case Format::dpp8:
      return all(kDpp8Mods);
    case Format::vintrp:
      return all(kVintrpMods);
    case Format::smem:
      return all(kSmemMods);
    case Format::ds:
      return info.has(kTwoOffsets) ? all(kDs2Mods) : all(kDsMods);
    case Format::flat:
      return all(kFlatMods);
    case Format::global:
    case Format::scratch:
      return all(kSegmentMods);
    case Format::mubuf:
      return all(kMubufMods);
    case Format::mtbuf:
      return all(kMtbufMods);
    case Format::mimg:
      return all(kMimgMods);
    case Format::exp:
      return all(kExpMods);
    default:
      return {nullptr, 0};
  }
}

}  // namespace spalt::isa
