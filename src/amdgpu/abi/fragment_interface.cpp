// SPDX-License-Identifier: MIT
#include "amdgpu/abi/fragment_interface.h"

namespace spalt::abi {
namespace {

constexpr uint16_t bit(PixelInput input) {
  return static_cast<uint16_t>(1u << input);
}

constexpr uint16_t kPerspective = bit(kPerspSample) | bit(kPerspCenter) | bit(kPerspCentroid) | bit(kPerspPull);
constexpr uint16_t kBarycentric =
    kPerspective | bit(kLinearSample) | bit(kLinearCenter) | bit(kLinearCentroid) | bit(kLineStipple);

/// The role of the first register of each input.
constexpr EntryRole kFirstRoles[kPixelInputs] = {
    EntryRole::persp_sample_i,  EntryRole::persp_center_i,  EntryRole::persp_centroid_i,  EntryRole::persp_pull_i,
    EntryRole::linear_sample_i, EntryRole::linear_center_i, EntryRole::linear_centroid_i, EntryRole::line_stipple,
    EntryRole::position_x,      EntryRole::position_y,      EntryRole::position_z,        EntryRole::position_w,
    EntryRole::front_face,      EntryRole::ancillary,       EntryRole::sample_coverage,   EntryRole::position_fixed};

void assign_vgprs(uint16_t inputs, StageInterface& interface) {
  unsigned next = 0;
  for (unsigned input = 0; input < kPixelInputs; ++input) {
    if ((inputs >> input & 1) == 0) continue;
    for (unsigned i = 0; i < pixel_input_registers(input); ++i) {
      interface.fields.push_back({role_of(kFirstRoles[input], i), isa::vgpr(next++)});
    }
  }
}

}  // namespace

uint16_t complete_pixel_inputs(uint16_t inputs, const isa::Target& target) {
  if ((inputs & bit(kPosW)) != 0 && (inputs & kPerspective) == 0) inputs |= bit(kPerspCenter);
  if ((inputs & kBarycentric) == 0) inputs |= bit(target.prefers_sample_filler ? kPerspSample : kLineStipple);
  return inputs;
}

StageInterface assign_fragment_interface(const FragmentNeeds& needs, const UserDataNeeds& user_data,
                                         const UserDataLayout& layout, const isa::Target& target, unsigned wave_size) {
  StageInterface interface;
  interface.hardware_stage = HardwareStage::ps;
  interface.scratch_descriptor_offset = kGraphicsScratchSlotOffset;
  UserSgprs sgprs(interface, kMaxPixelUserSgprs);
  sgprs.place(0, kGlobalTable);
  if (needs.view_index) sgprs.place(1, kViewId);
  sgprs.place_user_data(user_data, layout);
  if (wave_size == 32 && interface.user_sgpr_count < target.min_user_sgprs_wave32) {
    interface.user_sgpr_count = target.min_user_sgprs_wave32;
  }
  unsigned next = interface.user_sgpr_count;
  interface.fields.push_back({EntryRole::primitive_mask, isa::sgpr(next++)});
  if (!target.architected_flat_scratch) {
    interface.fields.push_back({EntryRole::scratch_wave_offset, isa::sgpr(next)});
  }
  PixelFacts facts;
  facts.inputs = complete_pixel_inputs(needs.inputs, target);
  assign_vgprs(facts.inputs, interface);
  interface.facts = facts;
  return interface;
}

}  // namespace spalt::abi
