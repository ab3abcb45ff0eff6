// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "amdgpu/abi/stage_interface.h"
#include "amdgpu/isa/target.h"

namespace spalt::abi {

/// User SGPRs of the pixel stage. The field that counts them has five bits.
constexpr unsigned kMaxPixelUserSgprs = 31;
/// Byte offset of the scratch descriptor of graphics stages in the global table: slot 0.
constexpr uint32_t kGraphicsScratchSlotOffset = 0;
/// Byte offset of the table of sample positions: slot 12.
constexpr uint32_t kSamplePositionsSlotOffset = 12 * kGlobalTableSlotBytes;

/// Bits of the ancillary VGPR.
constexpr unsigned kAncillarySampleShift = 8, kAncillarySampleBits = 4, kAncillaryLayerShift = 16;

/// What a pixel program reads from its surroundings besides user data.
struct FragmentNeeds {
  uint16_t inputs = 0;  ///< bit i: PixelInput i
  bool view_index = false;
};

/// The inputs that the hardware must load for a program that reads `inputs`: it wants some barycentric or the line
/// stipple, and for the w of the position a perspective one (SPI_PS_INPUT_ENA).
uint16_t complete_pixel_inputs(uint16_t inputs, const isa::Target& target);

/// The interface of a pixel program:
///
/// | registers | content |
/// |---|---|
/// | s0 | low half of the global table's address |
/// | s1, where it is read | number of the view (kViewId) |
/// | the other user SGPRs | entries of the user data; the spill table's address, low half |
/// | the SGPR after them | the primitive mask |
/// | the SGPR after that, where scratch has a descriptor | scratch wave offset, if scratch gets enabled |
/// | VGPRs from v0 on | the inputs that are loaded, in the order of PixelInput |
///
/// The facts are PixelFacts with `inputs` filled.
StageInterface assign_fragment_interface(const FragmentNeeds& needs, const UserDataNeeds& user_data,
                                         const UserDataLayout& layout, const isa::Target& target, unsigned wave_size);

}  // namespace spalt::abi
