// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>

#include "amdgpu/isa/target.h"
#include "texel/format.h"

namespace spalt::abi {

/// The number of a layout in the format field of an image descriptor (T#), and, where buffers know it, of a typed
/// buffer descriptor (V#): ImageFields::format. nullopt: the target has no such format.
std::optional<uint16_t> image_format_code(texel::Layout layout, const isa::Target& target);
/// The other way round. nullptr: reserved, or a format that Vulkan does not have.
const texel::Layout* image_format_layout(uint16_t code, const isa::Target& target);

/// GFX9: bits of the data format below the number format.
constexpr unsigned kDataFormatBits = 6;

/// What texels of a format can be used for; values of spalt_format_use.
enum FormatUse : uint32_t {
  kUseSampled = 1u << 0,
  kUseLinearFilter = 1u << 1,
  kUseStorage = 1u << 2,
  kUseStorageAtomic = 1u << 3,
  kUseTexelBuffer = 1u << 4,
  kUseStorageTexelBuffer = 1u << 5,
  kUseTexelBufferAtomic = 1u << 6,
  kUseDepthCompare = 1u << 7
};
uint32_t format_uses(const texel::Format& format, const isa::Target& target);

}  // namespace spalt::abi
