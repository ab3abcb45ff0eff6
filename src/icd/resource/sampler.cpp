// SPDX-License-Identifier: MIT
#include "icd/resource/sampler.h"

#include "commands.h"
#include "icd/object/chain.h"
#include "icd/object/result.h"
#include "spalt/descriptor.h"

namespace spalt::icd {
namespace {

uint32_t reduction_mode(const VkSamplerCreateInfo& info) {
  const auto* reduction =
      find_in_chain<VkSamplerReductionModeCreateInfo>(info.pNext, VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO);
  return static_cast<uint32_t>(reduction != nullptr ? reduction->reductionMode
                                                    : VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE);
}

spalt_sampler_descriptor_info describe(const VkSamplerCreateInfo& info) {
  auto descriptor = spalt_api::sized<spalt_sampler_descriptor_info>();
  descriptor.mag_filter = static_cast<uint32_t>(info.magFilter);
  descriptor.min_filter = static_cast<uint32_t>(info.minFilter);
  descriptor.mipmap_mode = static_cast<uint32_t>(info.mipmapMode);
  descriptor.address_modes[0] = static_cast<uint32_t>(info.addressModeU);
  descriptor.address_modes[1] = static_cast<uint32_t>(info.addressModeV);
  descriptor.address_modes[2] = static_cast<uint32_t>(info.addressModeW);
  descriptor.mip_lod_bias = info.mipLodBias;
  descriptor.min_lod = info.minLod;
  descriptor.max_lod = info.maxLod;
  descriptor.max_anisotropy = info.anisotropyEnable != VK_FALSE ? info.maxAnisotropy : 1;
  descriptor.compare = info.compareEnable;
  descriptor.compare_op = info.compareEnable != VK_FALSE ? static_cast<uint32_t>(info.compareOp) : 0;
  descriptor.reduction_mode = reduction_mode(info);
  descriptor.unnormalized = info.unnormalizedCoordinates;
  descriptor.non_seamless_cube = (info.flags & VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT) != 0 ? 1 : 0;
  descriptor.border_color = static_cast<uint32_t>(info.borderColor);
  return descriptor;
}

/// nullptr: a colour of Vulkan 1.0.
const VkSamplerCustomBorderColorCreateInfoEXT* custom_border(const VkSamplerCreateInfo& info) {
  if (info.borderColor != VK_BORDER_COLOR_FLOAT_CUSTOM_EXT && info.borderColor != VK_BORDER_COLOR_INT_CUSTOM_EXT) {
    return nullptr;
  }
  return find_in_chain<VkSamplerCustomBorderColorCreateInfoEXT>(
      info.pNext, VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT);
}

}  // namespace

Sampler::Sampler(Device& device, const VkSamplerCreateInfo& info) {
  spalt_sampler_descriptor_info descriptor = describe(info);
  if (const auto* custom = custom_border(info)) {
    const auto& color = custom->customBorderColor.uint32;
    border_ = BorderPlace(device.border_palette(), {color[0], color[1], color[2], color[3]});
    descriptor.border_color = SPALT_BORDER_PALETTE;
    descriptor.border_index = border_.number();
  }
  if (spalt_write_sampler_descriptor(device.compiler().handle(), &descriptor, words_.data()) != SPALT_SUCCESS) {
    words_ = {};
  }
}

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateSampler(VkDevice device, const VkSamplerCreateInfo* pCreateInfo,
                                                    const VkAllocationCallbacks* pAllocator, VkSampler* pSampler) {
  return guarded([&] {
    auto& owner = from_handle<Device>(device);
    *pSampler = to_handle(create_child<Sampler>(owner, pAllocator, owner, *pCreateInfo));
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL entry::DestroySampler(VkDevice device, VkSampler sampler,
                                                 const VkAllocationCallbacks* pAllocator) {
  destroy_child<Sampler>(from_handle<Device>(device), pAllocator, sampler);
}

/// Not offered: no format needs one (samplerYcbcrConversion).
VKAPI_ATTR VkResult VKAPI_CALL entry::CreateSamplerYcbcrConversion(VkDevice, const VkSamplerYcbcrConversionCreateInfo*,
                                                                   const VkAllocationCallbacks*,
                                                                   VkSamplerYcbcrConversion* pYcbcrConversion) {
  *pYcbcrConversion = VK_NULL_HANDLE;
  return VK_ERROR_FEATURE_NOT_PRESENT;
}

VKAPI_ATTR void VKAPI_CALL entry::DestroySamplerYcbcrConversion(VkDevice, VkSamplerYcbcrConversion,
                                                                const VkAllocationCallbacks*) {}

}  // namespace spalt::icd
