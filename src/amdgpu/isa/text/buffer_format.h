// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>

#include "amdgpu/isa/opcode.h"

namespace spalt::isa {

/// What the bits of a channel mean, numbered as the NUM_FORMAT field of GFX9.
enum class NumberFormat : uint8_t { unorm, snorm, uscaled, sscaled, uint, sint, reserved, floating };

/// The layout of an element that typed buffer instructions move.
struct BufferFormat {
  NumberFormat number = NumberFormat::reserved;
  uint8_t channels = 0;             ///< 1 to 4: x, y, z, w
  uint8_t bytes = 0;                ///< of the whole element: 1, 2, 4, 8, 12 or 16
  std::array<uint8_t, 4> bits{};    ///< of each channel
  std::array<uint8_t, 4> offset{};  ///< of its least significant bit
  bool is_integer() const { return number == NumberFormat::uint || number == NumberFormat::sint; }
};

/// The format with this number: the FORMAT field from GFX10 on, DATA_FORMAT in bits 3..0 and NUM_FORMAT in bits 6..4
/// before. nullptr where the number is reserved or means that nothing is bound (0).
const BufferFormat* buffer_format(Generation generation, unsigned code);

}  // namespace spalt::isa
