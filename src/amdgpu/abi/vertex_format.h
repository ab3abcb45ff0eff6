// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "amdgpu/abi/graphics_state.h"
#include "amdgpu/isa/target.h"
#include "texel/format.h"

namespace spalt::abi {

/// A load of some channels of an attribute.
struct VertexFetch {
  uint32_t offset = 0;   ///< bytes from the start of the element
  uint32_t next = 0;     ///< elements after that of the index
  uint8_t format = 0;    ///< number for the instruction, which converts; 0: dwords as they are
  uint8_t first = 0;     ///< channel in memory
  uint8_t channels = 1;  ///< from there on
};

/// What an attribute in memory is, and how it is loaded.
struct VertexLoads {
  texel::Swizzle swizzle{};             ///< of the channels in memory, for R, G, B, A
  SmallVector<VertexFetch, 4> fetches;  ///< by channel
};

/// Components that a format does not have, as bits; the shader reads (0, 0, 0, 1) there. None of what is no format.
uint8_t missing_components(uint32_t format);

/// What Vulkan promises of the addresses of the elements of a binding, whatever is bound at whatever offset: each
/// component of an attribute that is read lies at a multiple of its bytes, a packed one at one of its own. A power of
/// two, of which all elements are multiples. `used`: by location, not zero where the attribute is read.
uint32_t element_alignment(const GraphicsState& state, uint32_t binding, std::span<const uint8_t> used);

/// The loads of the components of the attribute that `components` has bits for. nullopt: not a format of vertices, or
/// an offset that no instruction has room for.
///
/// A typed load must lie at a multiple of the bytes that it brings, on GFX9 of four at most. What does not is loaded in
/// pieces. An attribute that begins in a later element counts from there, and may cross the end of an element: the
/// descriptor checks the index only (vertex_buffer_descriptor), and its number of elements is that of whole attributes.
/// The elements are at multiples of `alignment`.
std::optional<VertexLoads> vertex_loads(const VertexAttribute& attribute, unsigned components, uint32_t alignment,
                                        const isa::Target& target);

}  // namespace spalt::abi
