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

/// A vertex buffer as its binding sees it.
struct VertexBuffer {
  uint64_t address = 0, bytes = 0;
  uint32_t stride = 0;         ///< below 2^14
  uint32_t element_bytes = 0;  ///< that an element must have in the buffer, from its start on
};
/// V# with the stride, bounds in whole elements by the index; without a stride, in bytes. No element fits: the null
/// descriptor.
std::array<uint32_t, 4> vertex_buffer_descriptor(const VertexBuffer& buffer, const isa::Target& target);

/// V# of a texel buffer: texels of the format, as many as fit into the bytes; none: the null descriptor. nullopt: the
/// target's buffers do not have the format.
std::optional<std::array<uint32_t, 4>> typed_buffer_descriptor(uint64_t address, uint64_t bytes,
                                                               const texel::Format& format, const isa::Target& target);

}  // namespace spalt::abi
