// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "amdgpu/isa/text/buffer_format.h"

namespace spalt::emu {

/// The bytes of an element, at least as many as its format has; the others are 0.
using ElementBytes = std::array<uint8_t, 16>;

/// A channel as a 32-bit register gets it: a float, or an extended integer.
uint32_t decode_channel(const isa::BufferFormat& format, const ElementBytes& element, unsigned channel);
/// The same as 16 bits: a half, or a saturated integer.
uint32_t decode_channel16(const isa::BufferFormat& format, const ElementBytes& element, unsigned channel);
/// The constant 1 in the format's kind of number.
uint32_t format_one(const isa::BufferFormat& format, bool half);
/// The element with these channels, each as a 32-bit register holds it.
ElementBytes encode_element(const isa::BufferFormat& format, const std::array<uint32_t, 4>& channels);
/// The register content that a 16-bit value of the format's kind of number stands for.
uint32_t widen16(const isa::BufferFormat& format, uint32_t half);

}  // namespace spalt::emu
