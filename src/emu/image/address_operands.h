// SPDX-License-Identifier: MIT
//
// The operands in the address registers of an image instruction, by name. Their order is one rule for all generations:
//
//   [offset] [bias] [reference] [gradients by x, gradients by y] coordinates [slice or face] [sample] [level or clamp]
//
// Offset, bias and reference take a register each. With a16 the rest from the coordinates on is packed as halves or
// 16-bit integers, gradients (each direction by itself) with g16, or with a16 where the instruction has no dimension.
#pragma once
#include <array>
#include <cstdint>

#include "emu/image/image_descriptor.h"
#include "emu/vector/float_math.h"
#include "emu/wave/lanes.h"
#include "emu/wave/step.h"

namespace spalt::emu {

class Wave;

/// One operand: a register, or half of it.
class AddressOperand {
 public:
  AddressOperand() = default;
  AddressOperand(const uint32_t* lanes, uint8_t bits, uint8_t shift) : lanes_(lanes), bits_(bits), shift_(shift) {}

  bool exists() const { return lanes_ != nullptr; }
  /// The bits, zero extended; 0 where there is no such operand.
  uint32_t bits(unsigned lane) const {
    if (lanes_ == nullptr) return 0;
    return bits_ == 32 ? lanes_[lane] : lanes_[lane] >> shift_ & 0xffffu;
  }
  /// The same as a float, or as a half made a float.
  float number(unsigned lane) const {
    const uint32_t value = bits(lane);
    return bits_ == 32 ? as_float(value) : half_to_float(value);
  }

 private:
  const uint32_t* lanes_ = nullptr;
  uint8_t bits_ = 32, shift_ = 0;
};

/// Coordinates that an instruction names.
struct ImageDim {
  uint8_t axes = 1;  ///< that have a coordinate of their own; of a cube those of a face
  bool has_slice = false, has_face = false, has_sample = false;

  /// Coordinates of an address.
  unsigned coordinates() const { return axes + (has_slice || has_face ? 1u : 0u) + (has_sample ? 1u : 0u); }
};

struct AddressOperands {
  ImageDim dim;
  AddressOperand offset, bias, reference;
  std::array<AddressOperand, 3> by_x, by_y;  ///< gradients, one for each axis
  std::array<AddressOperand, 3> coordinates;
  AddressOperand slice;  ///< array layer; of cubes the face, with 8 for each layer in samples and 6 in loads
  AddressOperand sample;
  AddressOperand lod;  ///< level of detail, or the clamp of it, or the level itself
};

/// Faults where an operand is in a register that the wave does not have or that something in flight still writes.
AddressOperands read_address(Wave& wave, const Step& step, const ImageDescriptor& image);

}  // namespace spalt::emu
