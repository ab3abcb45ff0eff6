// SPDX-License-Identifier: MIT
// Descriptors of buffers and samplers that drivers write, and any descriptor as text.
#include <cstring>

#include "amdgpu/abi/buffer_descriptor.h"
#include "amdgpu/abi/descriptor_text.h"
#include "amdgpu/abi/sampler_descriptor.h"
#include "driver/compiler_handle.h"
#include "spalt/descriptor.h"

using namespace spalt;
using namespace spalt::api;

namespace {

constexpr uint64_t kAddressEnd = uint64_t{1} << abi::kBufferAddressBits;

/// VkSamplerAddressMode in its order.
constexpr abi::ClampMode kClampModes[] = {abi::ClampMode::wrap, abi::ClampMode::mirror, abi::ClampMode::clamp_to_edge,
                                          abi::ClampMode::border, abi::ClampMode::mirror_once_to_edge};
constexpr uint32_t kVulkanBorders = 6;  ///< float and integer forms of each of the three

bool read_border(const spalt_sampler_descriptor_info& info, abi::Sampler& sampler) {
  if (info.border_color == SPALT_BORDER_PALETTE) {
    sampler.border = abi::BorderColor::palette;
    sampler.palette_index = info.border_index;
    return info.border_index < abi::kPaletteColors;
  }
  sampler.border = static_cast<abi::BorderColor>(info.border_color / 2);
  return info.border_color < kVulkanBorders;
}

bool read_sampler(const spalt_sampler_descriptor_info& info, abi::Sampler& sampler) {
  constexpr uint32_t kCompareOps = 8, kReductions = 3;
  for (size_t axis = 0; axis < std::size(info.address_modes); ++axis) {
    if (info.address_modes[axis] >= std::size(kClampModes)) return false;
    sampler.clamp[axis] = kClampModes[info.address_modes[axis]];
  }
  if (info.mag_filter > 1 || info.min_filter > 1 || info.mipmap_mode > 1) return false;
  if (info.compare_op >= kCompareOps || info.reduction_mode >= kReductions) return false;
  sampler.mag_linear = info.mag_filter != 0;
  sampler.min_linear = info.min_filter != 0;
  sampler.mip_linear = info.mipmap_mode != 0;
  sampler.lod_bias = info.mip_lod_bias;
  sampler.min_lod = info.min_lod;
  sampler.max_lod = info.max_lod;
  sampler.max_anisotropy = info.max_anisotropy;
  sampler.compare = info.compare != 0 ? static_cast<uint8_t>(info.compare_op) : 0;
  sampler.unnormalized = info.unnormalized != 0;
  sampler.reduction = static_cast<abi::Reduction>(info.reduction_mode);
  sampler.seamless_cube = info.non_seamless_cube == 0;
  return read_border(info, sampler);
}

std::string describe(uint32_t kind, const uint32_t* words, const isa::Target& target) {
  const auto buffer = [&] { return abi::buffer_descriptor_text(std::span<const uint32_t, 4>(words, 4), target); };
  const auto image = [&] { return abi::image_descriptor_text(std::span<const uint32_t, 8>(words, 8), target); };
  const auto sampler = [&](size_t at) {
    return abi::sampler_descriptor_text(std::span<const uint32_t, 4>(words + at, 4), target);
  };
  switch (kind) {
    case SPALT_BINDING_RAW_BUFFER:
    case SPALT_BINDING_TYPED_BUFFER:
    case SPALT_BINDING_USER_DATA_BUFFER:
      return buffer();
    case SPALT_BINDING_IMAGE:
      return image();
    case SPALT_BINDING_SAMPLER:
      return sampler(0);
    case SPALT_BINDING_COMBINED_IMAGE_SAMPLER:
      return image() + sampler(8);
    default:
      return {};
  }
}

}  // namespace

spalt_result spalt_write_buffer_descriptor(const spalt_compiler* compiler, const spalt_buffer_descriptor_info* info,
                                           uint32_t words[4]) {
  if (compiler == nullptr || info == nullptr || words == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  const spalt_buffer_descriptor_info given = read_struct(info);
  const bool fits = given.size == 0 || given.address < kAddressEnd;
  if (given.size > UINT32_MAX || !fits) return SPALT_ERROR_INVALID_ARGUMENT;
  const auto descriptor =
      abi::raw_buffer_descriptor(given.address, static_cast<uint32_t>(given.size), *compiler->target);
  std::copy(descriptor.begin(), descriptor.end(), words);
  return SPALT_SUCCESS;
}

spalt_result spalt_write_vertex_buffer_descriptor(const spalt_compiler* compiler,
                                                  const spalt_vertex_buffer_descriptor_info* info, uint32_t words[4]) {
  constexpr uint32_t kStrideEnd = 1 << 14;
  if (compiler == nullptr || info == nullptr || words == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  const spalt_vertex_buffer_descriptor_info given = read_struct(info);
  const bool fits = given.size == 0 || given.address < kAddressEnd;
  if (given.stride >= kStrideEnd || !fits) return SPALT_ERROR_INVALID_ARGUMENT;
  const auto descriptor =
      abi::vertex_buffer_descriptor({given.address, given.size, given.stride, given.element_size}, *compiler->target);
  std::copy(descriptor.begin(), descriptor.end(), words);
  return SPALT_SUCCESS;
}

spalt_result spalt_write_sampler_descriptor(const spalt_compiler* compiler, const spalt_sampler_descriptor_info* info,
                                            uint32_t words[4]) {
  if (compiler == nullptr || info == nullptr || words == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  abi::Sampler sampler;
  if (!read_sampler(read_struct(info), sampler)) return SPALT_ERROR_INVALID_ARGUMENT;
  const abi::SamplerWords result = abi::write_sampler_descriptor(sampler, *compiler->target);
  std::copy(result.begin(), result.end(), words);
  return SPALT_SUCCESS;
}

spalt_result spalt_write_texel_buffer_descriptor(const spalt_compiler* compiler,
                                                 const spalt_texel_buffer_descriptor_info* info, uint32_t words[4]) {
  if (compiler == nullptr || info == nullptr || words == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  const spalt_texel_buffer_descriptor_info given = read_struct(info);
  const texel::Format* format = texel::find_format(given.format);
  if (given.size != 0 && (format == nullptr || given.address >= kAddressEnd)) return SPALT_ERROR_INVALID_ARGUMENT;
  std::array<uint32_t, 4> result{};
  if (given.size != 0) {
    const auto descriptor = abi::typed_buffer_descriptor(given.address, given.size, *format, *compiler->target);
    if (!descriptor) return SPALT_ERROR_UNSUPPORTED;
    result = *descriptor;
  }
  std::copy(result.begin(), result.end(), words);
  return SPALT_SUCCESS;
}

size_t spalt_describe_descriptor(const spalt_compiler* compiler, uint32_t kind, const uint32_t* words, char* text,
                                 size_t size) {
  if (compiler == nullptr || words == nullptr) return 0;
  size_t length = 0;
  guarded([&] {
    const std::string description = describe(kind, words, *compiler->target);
    length = description.size();
    if (text != nullptr && size != 0) {
      const size_t copied = std::min(length, size - 1);
      std::memcpy(text, description.data(), copied);
      text[copied] = 0;
    }
    return SPALT_SUCCESS;
  });
  return length;
}
