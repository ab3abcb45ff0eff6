// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "amdgpu/isa/target.h"
#include "texel/format.h"

namespace spalt::abi {

/// Bits of an address that a buffer descriptor holds.
constexpr unsigned kBufferAddressBits = 48;

/// V# of a raw buffer: bounds in bytes, no stride, no format conversion. `bytes` 0: the null descriptor, all zero.
std::array<uint32_t, 4> raw_buffer_descriptor(uint64_t address, uint32_t bytes, const isa::Target& target);

/// V# of a texel buffer: texels of the format, as many as fit into the bytes; none: the null descriptor. nullopt: the
/// target's buffers do not have the format.
std::optional<std::array<uint32_t, 4>> typed_buffer_descriptor(uint64_t address, uint64_t bytes,
                                                               const texel::Format& format, const isa::Target& target);

}  // namespace spalt::abi
