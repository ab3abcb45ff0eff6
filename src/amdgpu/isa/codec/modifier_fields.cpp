// SPDX-License-Identifier: MIT
// Which modifiers a format has and where they stand, per generation.
#include "amdgpu/isa/codec/fields.h"
#include "amdgpu/isa/codec/layout_family.h"

namespace spalt::isa {
namespace {

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
constexpr ModField kVop3pMods[] = {{Mod::abs, {0, 8, 3}},          {Mod::op_sel, {0, 11, 3}},
                                   {Mod::op_sel_hi2, {0, 14, 1}},  {Mod::clamp, {0, 15, 1}},
                                   {Mod::op_sel_hi01, {1, 27, 2}}, {Mod::neg, {1, 29, 3}}};
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
// GFX9 has no fetch-inactive bit.
constexpr ModField kDpp16Mods9[] = {{Mod::dpp_ctrl, {1, 8, 9}},   {Mod::bound_ctrl, {1, 19, 1}},
                                    {Mod::neg0, {1, 20, 1}},      {Mod::abs0, {1, 21, 1}},
                                    {Mod::neg1, {1, 22, 1}},      {Mod::abs1, {1, 23, 1}},
                                    {Mod::bank_mask, {1, 24, 4}}, {Mod::row_mask, {1, 28, 4}}};
constexpr ModField kDpp8Mods[] = {{Mod::dpp8, {1, 8, 24}}};
constexpr ModField kVintrpMods[] = {{Mod::interp_channel, {0, 8, 2}}, {Mod::interp_attribute, {0, 10, 6}}};
constexpr ModField kVinterpMods[] = {
    {Mod::wait_exp, {0, 8, 3}}, {Mod::op_sel, {0, 11, 4}}, {Mod::clamp, {0, 15, 1}}, {Mod::neg, {1, 29, 3}}};
constexpr ModField kVinterpMods32[] = {{Mod::wait_exp, {0, 8, 3}}, {Mod::clamp, {0, 15, 1}}, {Mod::neg, {1, 29, 3}}};
// With and without the attribute.
constexpr ModField kLdsdirMods[] = {
    {Mod::wait_va_vdst, {0, 16, 4}}, {Mod::interp_channel, {0, 8, 2}}, {Mod::interp_attribute, {0, 10, 6}}};
constexpr ModField kLdsdirMods12[] = {{Mod::wait_va_vdst, {0, 16, 4}},
                                      {Mod::wait_vm_vsrc, {0, 23, 1}},
                                      {Mod::interp_channel, {0, 8, 2}},
                                      {Mod::interp_attribute, {0, 10, 6}}};
constexpr unsigned kAttributeFields = 2;

constexpr ModField kSmemMods9[] = {{Mod::glc, {0, 16, 1}}, {Mod::signed_offset, {1, 0, 21}}};
constexpr ModField kSmemMods10[] = {{Mod::dlc, {0, 14, 1}}, {Mod::glc, {0, 16, 1}}, {Mod::signed_offset, {1, 0, 21}}};
constexpr ModField kSmemMods11[] = {{Mod::dlc, {0, 13, 1}}, {Mod::glc, {0, 14, 1}}, {Mod::signed_offset, {1, 0, 21}}};
constexpr ModField kSmemMods12[] = {{Mod::scope, {0, 21, 2}}, {Mod::th, {0, 23, 2}}, {Mod::signed_offset, {1, 0, 24}}};

// The gds bit comes last: GFX12 has none.
constexpr ModField kDsMods9[] = {{Mod::offset, {0, 0, 16}}, {Mod::gds, {0, 16, 1}}};
constexpr ModField kDsMods[] = {{Mod::offset, {0, 0, 16}}, {Mod::gds, {0, 17, 1}}};
constexpr ModField kDs2Mods9[] = {{Mod::offset, {0, 0, 8}}, {Mod::offset1, {0, 8, 8}}, {Mod::gds, {0, 16, 1}}};
constexpr ModField kDs2Mods[] = {{Mod::offset, {0, 0, 8}}, {Mod::offset1, {0, 8, 8}}, {Mod::gds, {0, 17, 1}}};

// FLAT offsets have no sign; the segments' have. On GFX10 they are 11 and 12 bits (RDNA 2 ISA guide, section 9.1).
constexpr ModField kFlatMods9[] = {{Mod::offset, {0, 0, 12}}, {Mod::glc, {0, 16, 1}}, {Mod::slc, {0, 17, 1}}};
constexpr ModField kSegmentMods9[] = {
    {Mod::signed_offset, {0, 0, 13}}, {Mod::lds, {0, 13, 1}}, {Mod::glc, {0, 16, 1}}, {Mod::slc, {0, 17, 1}}};
constexpr ModField kFlatMods10[] = {
    {Mod::offset, {0, 0, 11}}, {Mod::dlc, {0, 12, 1}}, {Mod::glc, {0, 16, 1}}, {Mod::slc, {0, 17, 1}}};
constexpr ModField kSegmentMods10[] = {{Mod::signed_offset, {0, 0, 12}},
                                       {Mod::dlc, {0, 12, 1}},
                                       {Mod::lds, {0, 13, 1}},
                                       {Mod::glc, {0, 16, 1}},
                                       {Mod::slc, {0, 17, 1}}};
constexpr ModField kFlatMods11[] = {
    {Mod::offset, {0, 0, 12}}, {Mod::dlc, {0, 13, 1}}, {Mod::glc, {0, 14, 1}}, {Mod::slc, {0, 15, 1}}};
constexpr ModField kSegmentMods11[] = {
    {Mod::signed_offset, {0, 0, 13}}, {Mod::dlc, {0, 13, 1}}, {Mod::glc, {0, 14, 1}}, {Mod::slc, {0, 15, 1}}};
constexpr ModField kFlatMods12[] = {{Mod::scope, {1, 18, 2}}, {Mod::th, {1, 20, 3}}, {Mod::signed_offset, {2, 8, 24}}};

constexpr ModField kMubufMods9[] = {{Mod::offset, {0, 0, 12}}, {Mod::offen, {0, 12, 1}}, {Mod::idxen, {0, 13, 1}},
                                    {Mod::glc, {0, 14, 1}},    {Mod::lds, {0, 16, 1}},   {Mod::slc, {0, 17, 1}},
                                    {Mod::tfe, {1, 23, 1}}};
constexpr ModField kMubufMods10[] = {{Mod::offset, {0, 0, 12}}, {Mod::offen, {0, 12, 1}}, {Mod::idxen, {0, 13, 1}},
                                     {Mod::glc, {0, 14, 1}},    {Mod::dlc, {0, 15, 1}},   {Mod::lds, {0, 16, 1}},
                                     {Mod::slc, {1, 22, 1}},    {Mod::tfe, {1, 23, 1}}};
constexpr ModField kMubufMods11[] = {{Mod::offset, {0, 0, 12}}, {Mod::slc, {0, 12, 1}}, {Mod::dlc, {0, 13, 1}},
                                     {Mod::glc, {0, 14, 1}},    {Mod::tfe, {1, 21, 1}}, {Mod::offen, {1, 22, 1}},
                                     {Mod::idxen, {1, 23, 1}}};
constexpr ModField kMubufMods12[] = {{Mod::tfe, {0, 22, 1}},   {Mod::scope, {1, 18, 2}}, {Mod::th, {1, 20, 3}},
                                     {Mod::offen, {1, 30, 1}}, {Mod::idxen, {1, 31, 1}}, {Mod::offset, {2, 8, 23}}};
constexpr ModField kMtbufMods9[] = {{Mod::offset, {0, 0, 12}}, {Mod::offen, {0, 12, 1}},  {Mod::idxen, {0, 13, 1}},
                                    {Mod::glc, {0, 14, 1}},    {Mod::format, {0, 19, 7}}, {Mod::slc, {1, 22, 1}},
                                    {Mod::tfe, {1, 23, 1}}};
constexpr ModField kMtbufMods10[] = {{Mod::offset, {0, 0, 12}}, {Mod::offen, {0, 12, 1}}, {Mod::idxen, {0, 13, 1}},
                                     {Mod::glc, {0, 14, 1}},    {Mod::dlc, {0, 15, 1}},   {Mod::format, {0, 19, 7}},
                                     {Mod::slc, {1, 22, 1}},    {Mod::tfe, {1, 23, 1}}};
constexpr ModField kMtbufMods11[] = {{Mod::offset, {0, 0, 12}}, {Mod::slc, {0, 12, 1}},    {Mod::dlc, {0, 13, 1}},
                                     {Mod::glc, {0, 14, 1}},    {Mod::format, {0, 19, 7}}, {Mod::tfe, {1, 21, 1}},
                                     {Mod::offen, {1, 22, 1}},  {Mod::idxen, {1, 23, 1}}};
constexpr ModField kMtbufMods12[] = {{Mod::tfe, {0, 22, 1}},    {Mod::scope, {1, 18, 2}}, {Mod::th, {1, 20, 3}},
                                     {Mod::format, {1, 23, 7}}, {Mod::offen, {1, 30, 1}}, {Mod::idxen, {1, 31, 1}},
                                     {Mod::offset, {2, 8, 23}}};

constexpr ModField kMimgMods9[] = {{Mod::dmask, {0, 8, 4}},          {Mod::unorm, {0, 12, 1}}, {Mod::glc, {0, 13, 1}},
                                   {Mod::declare_array, {0, 14, 1}}, {Mod::a16, {0, 15, 1}},   {Mod::tfe, {0, 16, 1}},
                                   {Mod::lwe, {0, 17, 1}},           {Mod::slc, {0, 25, 1}},   {Mod::d16, {1, 31, 1}}};
constexpr ModField kMimgMods10[] = {{Mod::dim, {0, 3, 3}},    {Mod::dlc, {0, 7, 1}},  {Mod::dmask, {0, 8, 4}},
                                    {Mod::unorm, {0, 12, 1}}, {Mod::glc, {0, 13, 1}}, {Mod::r128, {0, 15, 1}},
                                    {Mod::tfe, {0, 16, 1}},   {Mod::lwe, {0, 17, 1}}, {Mod::slc, {0, 25, 1}},
                                    {Mod::a16, {1, 30, 1}},   {Mod::d16, {1, 31, 1}}};
constexpr ModField kMimgMods11[] = {{Mod::dim, {0, 2, 3}},   {Mod::unorm, {0, 7, 1}}, {Mod::dmask, {0, 8, 4}},
                                    {Mod::slc, {0, 12, 1}},  {Mod::dlc, {0, 13, 1}},  {Mod::glc, {0, 14, 1}},
                                    {Mod::r128, {0, 15, 1}}, {Mod::a16, {0, 16, 1}},  {Mod::d16, {0, 17, 1}},
                                    {Mod::tfe, {1, 21, 1}},  {Mod::lwe, {1, 22, 1}}};
constexpr ModField kVimageMods[] = {{Mod::dim, {0, 0, 3}}, {Mod::r128, {0, 4, 1}},   {Mod::d16, {0, 5, 1}},
                                    {Mod::a16, {0, 6, 1}}, {Mod::dmask, {0, 22, 4}}, {Mod::scope, {1, 18, 2}},
                                    {Mod::th, {1, 20, 3}}, {Mod::tfe, {1, 23, 1}}};
constexpr ModField kVsampleMods[] = {{Mod::dim, {0, 0, 3}},    {Mod::tfe, {0, 3, 1}}, {Mod::r128, {0, 4, 1}},
                                     {Mod::d16, {0, 5, 1}},    {Mod::a16, {0, 6, 1}}, {Mod::unorm, {0, 13, 1}},
                                     {Mod::dmask, {0, 22, 4}}, {Mod::lwe, {1, 8, 1}}, {Mod::scope, {1, 18, 2}},
                                     {Mod::th, {1, 20, 3}}};

constexpr ModField kExpMods[] = {{Mod::export_enable, {0, 0, 4}},
                                 {Mod::export_target, {0, 4, 6}},
                                 {Mod::export_compressed, {0, 10, 1}},
                                 {Mod::export_done, {0, 11, 1}},
                                 {Mod::export_valid_mask, {0, 12, 1}}};
constexpr ModField kExpMods11[] = {{Mod::export_enable, {0, 0, 4}},
                                   {Mod::export_target, {0, 4, 6}},
                                   {Mod::export_done, {0, 11, 1}},
                                   {Mod::export_row, {0, 13, 1}}};

// The DPP forms of VOP3 and VOP3P: the fields of the 64-bit encoding, then those of the third dword.
template <unsigned kBase, unsigned kExtra>
struct JoinedFields {
  ModField fields[kBase + kExtra];

  constexpr JoinedFields(const ModField (&base)[kBase], const ModField (&extra)[kExtra]) : fields{} {
    for (unsigned i = 0; i < kBase; ++i) fields[i] = base[i];
    for (unsigned i = 0; i < kExtra; ++i) fields[kBase + i] = extra[i];
  }
};
constexpr ModField kThirdDpp16[] = {{Mod::dpp_ctrl, {2, 8, 9}},
                                    {Mod::fetch_inactive, {2, 18, 1}},
                                    {Mod::bound_ctrl, {2, 19, 1}},
                                    {Mod::bank_mask, {2, 24, 4}},
                                    {Mod::row_mask, {2, 28, 4}}};
constexpr ModField kThirdDpp8[] = {{Mod::dpp8, {2, 8, 24}}};
constexpr JoinedFields kVop3Dpp16(kVop3Mods, kThirdDpp16);
constexpr JoinedFields kVop3bDpp16(kVop3bMods, kThirdDpp16);
constexpr JoinedFields kVop3pDpp16(kVop3pMods, kThirdDpp16);
constexpr JoinedFields kVop3Dpp8(kVop3Mods, kThirdDpp8);
constexpr JoinedFields kVop3bDpp8(kVop3bMods, kThirdDpp8);
constexpr JoinedFields kVop3pDpp8(kVop3pMods, kThirdDpp8);

template <unsigned kCount>
constexpr ModFields all(const ModField (&fields)[kCount]) {
  return {fields, kCount};
}

/// The fields of a memory, image or export format by family.
struct FamilyFields {
  ModFields smem, ds, ds2, flat, segment, mubuf, mtbuf, image, export_;
};
constexpr ModFields without_last(ModFields fields) {
  return {fields.fields, fields.count - 1};
}
constexpr FamilyFields kFamilyFields[kFamilyCount] = {
    {all(kSmemMods9), all(kDsMods9), all(kDs2Mods9), all(kFlatMods9), all(kSegmentMods9), all(kMubufMods9),
     all(kMtbufMods9), all(kMimgMods9), all(kExpMods)},
    {all(kSmemMods10), all(kDsMods), all(kDs2Mods), all(kFlatMods10), all(kSegmentMods10), all(kMubufMods10),
     all(kMtbufMods10), all(kMimgMods10), all(kExpMods)},
    {all(kSmemMods11), all(kDsMods), all(kDs2Mods), all(kFlatMods11), all(kSegmentMods11), all(kMubufMods11),
     all(kMtbufMods11), all(kMimgMods11), all(kExpMods11)},
    {all(kSmemMods12), without_last(all(kDsMods)), without_last(all(kDs2Mods)), all(kFlatMods12), all(kFlatMods12),
     all(kMubufMods12), all(kMtbufMods12), all(kVimageMods), all(kExpMods11)}};

/// Whether the 64-bit encoding is VOP3P: only its opcodes have a second op_sel.
bool is_packed(const OpcodeInfo& info) {
  return (info.modifiers & kModPacked) != 0;
}

template <bool kSixteen>
ModFields dpp_fields(const OpcodeInfo& info) {
  if (is_packed(info)) return kSixteen ? all(kVop3pDpp16.fields) : all(kVop3pDpp8.fields);
  if (info.dst_count == 2) return kSixteen ? all(kVop3bDpp16.fields) : all(kVop3bDpp8.fields);
  return kSixteen ? all(kVop3Dpp16.fields) : all(kVop3Dpp8.fields);
}

bool writes_lane_mask(const OpcodeInfo& info) {
  return info.dst_count == 1 && info.dst[0].role == OperandRole::lane_mask;
}

ModFields vop3_fields(const OpcodeInfo& info) {
  if (info.has(kInterp)) return all(kVop3InterpMods);
  return info.dst_count == 2 ? all(kVop3bMods) : all(kVop3Mods);
}

ModFields sdwa_fields(const OpcodeInfo& info) {
  // A comparison has no destination to select from and cannot be told from v_cmpx by its slots.
  if (info.dst_count == 0 || writes_lane_mask(info)) return {kSdwaMods + kSdwaGroup, 2 * kSdwaGroup};
  return {kSdwaMods, (info.src_count > 1 ? 3 : 2) * kSdwaGroup};
}

/// On GFX12 only loads have a cache policy; the offset comes last.
ModFields smem_fields(const OpcodeInfo& info, ModFields all_fields, Family family) {
  if (family != Family::gfx12 || info.dst_count > 0) return all_fields;
  return {all_fields.fields + all_fields.count - 1, 1};
}

ModFields ldsdir_fields(const OpcodeInfo& info, Family family) {
  const ModFields fields = family == Family::gfx12 ? all(kLdsdirMods12) : all(kLdsdirMods);
  return info.has(kInterp) ? fields : ModFields{fields.fields, fields.count - kAttributeFields};
}

}  // namespace

ModFields modifier_fields(const OpcodeInfo& info, Format format, Generation generation) {
  const Family family = family_of(generation);
  const FamilyFields& fields = kFamilyFields[static_cast<unsigned>(family)];
  switch (format) {
    case Format::vop3:
      return vop3_fields(info);
    case Format::vop3p:
      return all(kVop3pMods);
    case Format::sdwa:
      return sdwa_fields(info);
    case Format::dpp16:
      return family == Family::gfx9 ? all(kDpp16Mods9) : all(kDpp16Mods);
    case Format::dpp8:
      return all(kDpp8Mods);
    case Format::vop3_dpp16:
      return dpp_fields<true>(info);
    case Format::vop3_dpp8:
      return dpp_fields<false>(info);
    case Format::vintrp:
      return all(kVintrpMods);
    case Format::vinterp:
      return info.modifiers & kModOpSel ? all(kVinterpMods) : all(kVinterpMods32);
    case Format::ldsdir:
      return ldsdir_fields(info, family);
    case Format::smem:
      return smem_fields(info, fields.smem, family);
    case Format::ds:
      return info.has(kTwoOffsets) ? fields.ds2 : fields.ds;
    case Format::flat:
      return fields.flat;
    case Format::global:
    case Format::scratch:
      return fields.segment;
    case Format::mubuf:
      return fields.mubuf;
    case Format::mtbuf:
      return fields.mtbuf;
    case Format::mimg:
    case Format::vimage:
      return fields.image;
    case Format::vsample:
      return all(kVsampleMods);
    case Format::exp:
      return fields.export_;
    default:
      return {nullptr, 0};
  }
}

}  // namespace spalt::isa
