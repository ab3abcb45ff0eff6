// SPDX-License-Identifier: MIT
#include "icd/device/format_features.h"

#include <algorithm>
#include <bit>

#include "icd/object/wide_format.h"

namespace spalt::icd {
namespace {

constexpr VkImageAspectFlags kDepthStencil = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
/// More than any image can take; what memory can hold is another question.
constexpr VkDeviceSize kMaxResourceBytes = VkDeviceSize{1} << 40;
constexpr VkImageCreateFlags kFlags =
    VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT | VK_IMAGE_CREATE_ALIAS_BIT |
    VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT | VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT |
    VK_IMAGE_CREATE_EXTENDED_USAGE_BIT | VK_IMAGE_CREATE_SPLIT_INSTANCE_BIND_REGIONS_BIT;

struct UseFeature {
  spalt_format_use use;
  spalt_binding_kind kind;  // that shaders need for it
  VkFormatFeatureFlags2 features;
};

constexpr UseFeature kImageFeatures[] = {
    {SPALT_FORMAT_SAMPLED, SPALT_BINDING_SAMPLER, VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT},
    {SPALT_FORMAT_LINEAR_FILTER, SPALT_BINDING_SAMPLER, VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT},
    {SPALT_FORMAT_DEPTH_COMPARE, SPALT_BINDING_SAMPLER, VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_DEPTH_COMPARISON_BIT},
    {SPALT_FORMAT_STORAGE, SPALT_BINDING_IMAGE,
     VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT | VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT |
         VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT},
    {SPALT_FORMAT_STORAGE_ATOMIC, SPALT_BINDING_IMAGE, VK_FORMAT_FEATURE_2_STORAGE_IMAGE_ATOMIC_BIT},
};

constexpr UseFeature kBufferFeatures[] = {
    {SPALT_FORMAT_TEXEL_BUFFER, SPALT_BINDING_TYPED_BUFFER, VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT},
    {SPALT_FORMAT_STORAGE_TEXEL_BUFFER, SPALT_BINDING_TYPED_BUFFER,
     VK_FORMAT_FEATURE_2_STORAGE_TEXEL_BUFFER_BIT | VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT |
         VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT},
    {SPALT_FORMAT_TEXEL_BUFFER_ATOMIC, SPALT_BINDING_TYPED_BUFFER, VK_FORMAT_FEATURE_2_STORAGE_TEXEL_BUFFER_ATOMIC_BIT},
};

template <size_t count>
VkFormatFeatureFlags2 features_of(const UseFeature (&rows)[count], uint32_t uses, uint32_t binding_kinds) {
  VkFormatFeatureFlags2 features = 0;
  for (const UseFeature& row : rows) {
    if ((uses & row.use) != 0 && (binding_kinds >> row.kind & 1) != 0) features |= row.features;
  }
  return features;
}

bool is_compressed(const spalt_format_info& format) {
  return format.block_width != 1 || format.block_height != 1;
}

/// Those that need no shader. Blits write what can be encoded.
VkFormatFeatureFlags2 transfer_features(const spalt_format_info& format) {
  VkFormatFeatureFlags2 features =
      VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT | VK_FORMAT_FEATURE_2_BLIT_SRC_BIT;
  if (!is_compressed(format)) features |= VK_FORMAT_FEATURE_2_BLIT_DST_BIT;
  return features;
}

/// Minima and maxima are taken of formats with one component that is no integer.
VkFormatFeatureFlags2 reduction_features(const spalt_format_info& format, VkFormatFeatureFlags2 features) {
  constexpr VkFormatFeatureFlags2 kFiltered = VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
  const bool single = format.component_bits[1] == 0 && format.component_bits[2] == 0 && format.component_bits[3] == 0;
  const bool is_depth = (format.aspects & VK_IMAGE_ASPECT_DEPTH_BIT) != 0;
  return single && ((features & kFiltered) != 0 || is_depth) && (features & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT) != 0
             ? VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_MINMAX_BIT
             : 0;
}

bool has_component_of(const spalt_format_info& format, uint32_t bits) {
  return std::find(std::begin(format.component_bits), std::end(format.component_bits), bits) !=
         std::end(format.component_bits);
}

bool is_integer(const spalt_format_info& format) {
  return format.number == SPALT_NUMBER_UINT || format.number == SPALT_NUMBER_SINT;
}

/// What can be rendered to: all depth and stencil, and colours that are stored without an exponent for all components.
VkFormatFeatureFlags2 attachment_features(const spalt_format_info& format) {
  if ((format.aspects & kDepthStencil) != 0) return VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT;
  const bool scaled = format.number == SPALT_NUMBER_USCALED || format.number == SPALT_NUMBER_SSCALED;
  const bool shared_exponent = has_component_of(format, 9);
  if (is_compressed(format) || scaled || shared_exponent || has_component_of(format, 64)) return 0;
  return VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT |
         (is_integer(format) ? 0 : VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BLEND_BIT);
}

/// Components of 8, 16 and 32 bits, and 10_10_10_2.
VkFormatFeatureFlags2 vertex_features(const spalt_format_info& format) {
  if (format.aspects != VK_IMAGE_ASPECT_COLOR_BIT || is_compressed(format)) return 0;
  if (format.number == SPALT_NUMBER_SRGB || format.number == SPALT_NUMBER_UFLOAT) return 0;
  const bool packed = format.component_bits[0] == 10 && format.component_bits[3] == 2;
  const bool whole = std::all_of(std::begin(format.component_bits), std::end(format.component_bits),
                                 [](uint32_t bits) { return bits == 0 || bits == 8 || bits == 16 || bits == 32; });
  return packed || whole ? VK_FORMAT_FEATURE_2_VERTEX_BUFFER_BIT : 0;
}

spalt_format_info query(VkFormat format) {
  auto info = spalt_api::sized<spalt_format_info>();
  if (spalt_query_format(static_cast<uint32_t>(format), &info) != SPALT_SUCCESS) info.aspects = 0;
  return info;
}

constexpr VkFormatFeatureFlags2 kAttachmentFeatures =
    VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT;

struct UsageFeature {
  VkImageUsageFlags usage;
  VkFormatFeatureFlags2 features;  // one of them
};

/// Usages that are not here cannot be had.
constexpr UsageFeature kUsageFeatures[] = {
    {VK_IMAGE_USAGE_TRANSFER_SRC_BIT, VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT},
    {VK_IMAGE_USAGE_TRANSFER_DST_BIT, VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT},
    {VK_IMAGE_USAGE_SAMPLED_BIT, VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT},
    {VK_IMAGE_USAGE_STORAGE_BIT, VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT},
    {VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT},
    {VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT},
    {VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT, kAttachmentFeatures},
    {VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT, kAttachmentFeatures},
};

/// With extended usage, views in other formats may have what this one lacks.
bool has_usage(VkFormatFeatureFlags2 features, const ImageKind& kind) {
  VkImageUsageFlags left = kind.usage;
  for (const UsageFeature& row : kUsageFeatures) {
    const bool extended = (kind.flags & VK_IMAGE_CREATE_EXTENDED_USAGE_BIT) != 0;
    if ((features & row.features) != 0 || extended) left &= ~row.usage;
  }
  return left == 0;
}

bool has_flags(const spalt_format_info& format, const ImageKind& kind) {
  if ((kind.flags & ~kFlags) != 0) return false;
  if ((kind.flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT) != 0 && kind.type != VK_IMAGE_TYPE_2D) return false;
  if ((kind.flags & VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT) != 0 && kind.type != VK_IMAGE_TYPE_3D) return false;
  // Descriptors show blocks of one level as texels by an address and a size, which 3D images cannot have.
  const bool blocks_as_texels = is_compressed(format) && kind.type == VK_IMAGE_TYPE_2D;
  return (kind.flags & VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT) == 0 || blocks_as_texels;
}

/// Depth and stencil are 2D, compressed formats not 1D.
bool has_type(const spalt_format_info& format, VkImageType type) {
  if ((format.aspects & kDepthStencil) != 0) return type == VK_IMAGE_TYPE_2D;
  return !is_compressed(format) || type != VK_IMAGE_TYPE_1D;
}

/// Vulkan has several samples only for what can be an attachment.
VkSampleCountFlags sample_counts(VkFormatFeatureFlags2 available, const ImageKind& kind,
                                 const VkPhysicalDeviceLimits& limits) {
  const bool is_attachment = (available & kAttachmentFeatures) != 0 && kind.tiling == VK_IMAGE_TILING_OPTIMAL;
  const bool is_plain = kind.type == VK_IMAGE_TYPE_2D && (kind.flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT) == 0;
  const bool is_storage = (kind.usage & VK_IMAGE_USAGE_STORAGE_BIT) != 0;
  if (!is_attachment || !is_plain) return VK_SAMPLE_COUNT_1_BIT;
  return is_storage ? limits.storageImageSampleCounts : limits.framebufferColorSampleCounts;
}

VkExtent3D max_extent(VkImageType type, VkImageCreateFlags flags, const VkPhysicalDeviceLimits& limits) {
  const bool is_cube = (flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT) != 0;
  const uint32_t side = is_cube ? limits.maxImageDimensionCube : limits.maxImageDimension2D;
  switch (type) {
    case VK_IMAGE_TYPE_1D:
      return {limits.maxImageDimension1D, 1, 1};
    case VK_IMAGE_TYPE_3D:
      return {limits.maxImageDimension3D, limits.maxImageDimension3D, limits.maxImageDimension3D};
    default:
      return {side, side, 1};
  }
}

}  // namespace

FormatFeatures format_features(const spalt_api::Compiler& compiler, const spalt_target_info& target, bool graphics,
                               VkFormat format) {
  FormatFeatures features;
  if (graphics && wide_format_bytes(format) != 0) features.buffer |= VK_FORMAT_FEATURE_2_VERTEX_BUFFER_BIT;
  const spalt_format_info info = query(format);
  if (info.aspects == 0) return features;
  const uint32_t uses = spalt_query_format_uses(compiler.handle(), static_cast<uint32_t>(format));
  features.buffer |= features_of(kBufferFeatures, uses, target.binding_kinds);
  if (graphics) features.buffer |= vertex_features(info);
  if ((uses & (SPALT_FORMAT_SAMPLED | SPALT_FORMAT_STORAGE)) == 0) return features;
  features.optimal = transfer_features(info) | features_of(kImageFeatures, uses, target.binding_kinds);
  features.optimal |= reduction_features(info, features.optimal);
  if (graphics) features.optimal |= attachment_features(info);
  // Hardware has depth, stencil and compressed formats in its own tilings only.
  if (info.aspects == VK_IMAGE_ASPECT_COLOR_BIT && !is_compressed(info)) features.linear = features.optimal;
  return features;
}

VkFormatFeatureFlags without_second_word(VkFormatFeatureFlags2 features) {
  constexpr VkFormatFeatureFlags2 kFirstFlags2 = VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT;
  return static_cast<VkFormatFeatureFlags>(features & (kFirstFlags2 - 1));
}

bool image_format_properties(const FormatFeatures& features, const ImageKind& kind,
                             const VkPhysicalDeviceLimits& limits, VkImageFormatProperties& properties) {
  properties = {};
  const spalt_format_info format = query(kind.format);
  const VkFormatFeatureFlags2 available = kind.tiling == VK_IMAGE_TILING_LINEAR ? features.linear : features.optimal;
  const bool has_tiling = kind.tiling == VK_IMAGE_TILING_LINEAR || kind.tiling == VK_IMAGE_TILING_OPTIMAL;
  if (available == 0 || !has_tiling || !has_usage(available, kind) || !has_flags(format, kind) ||
      !has_type(format, kind.type)) {
    return false;
  }
  properties.maxExtent = max_extent(kind.type, kind.flags, limits);
  const uint32_t longest = std::max(properties.maxExtent.width, properties.maxExtent.height);
  properties.maxMipLevels = static_cast<uint32_t>(std::bit_width(longest));
  properties.maxArrayLayers = kind.type == VK_IMAGE_TYPE_3D ? 1 : limits.maxImageArrayLayers;
  properties.sampleCounts = sample_counts(available, kind, limits);
  properties.maxResourceSize = kMaxResourceBytes;
  return true;
}

}  // namespace spalt::icd
