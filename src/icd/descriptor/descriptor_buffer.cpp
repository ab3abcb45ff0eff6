// SPDX-License-Identifier: MIT
//
// Descriptors that applications keep in buffers of their own: the same bits at the same places as in the table of a
// set.
#include <algorithm>
#include <array>
#include <cstring>

#include "commands.h"
#include "icd/descriptor/element_writer.h"
#include "icd/resource/buffer_view.h"

namespace spalt::icd {
namespace {

/// Of the largest one.
constexpr size_t kDescriptorBytes = 48;

void write_buffer(const Device& device, const VkDescriptorAddressInfoEXT* info, std::byte* place) {
  if (info != nullptr && info->address != 0) write_buffer_words(device, info->address, info->range, place);
}

void write_texel_buffer(const Device& device, const VkDescriptorAddressInfoEXT* info, std::byte* place) {
  if (info == nullptr || info->address == 0) return;
  const auto words = texel_buffer_words(device, info->address, info->range, info->format);
  std::memcpy(place, words.data(), sizeof words);
}

void write_view(const VkDescriptorImageInfo* info, VkDescriptorType type, std::byte* place) {
  if (info != nullptr) write_image(info->imageView, type, place);
}

/// Into a place that is zero: null.
void write_descriptor(const Device& device, const VkDescriptorGetInfoEXT& info, std::byte* place) {
  switch (info.type) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
      if (info.data.pSampler != nullptr) write_sampler(*info.data.pSampler, info.type, place);
      break;
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
      write_view(info.data.pCombinedImageSampler, info.type, place);
      if (info.data.pCombinedImageSampler != nullptr) {
        write_sampler(info.data.pCombinedImageSampler->sampler, info.type, place);
      }
      break;
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
      write_view(info.data.pSampledImage, info.type, place);
      break;
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
      write_view(info.data.pStorageImage, info.type, place);
      break;
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
      write_view(info.data.pInputAttachmentImage, info.type, place);
      break;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
      write_texel_buffer(device, info.data.pUniformTexelBuffer, place);
      break;
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
      write_texel_buffer(device, info.data.pStorageTexelBuffer, place);
      break;
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
      write_buffer(device, info.data.pUniformBuffer, place);
      break;
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
      write_buffer(device, info.data.pStorageBuffer, place);
      break;
    default:
      break;
  }
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL entry::GetDescriptorEXT(VkDevice device, const VkDescriptorGetInfoEXT* pDescriptorInfo,
                                                   size_t dataSize, void* pDescriptor) {
  std::array<std::byte, kDescriptorBytes> bits{};
  write_descriptor(from_handle<Device>(device), *pDescriptorInfo, bits.data());
  const size_t size = std::min<size_t>(dataSize, descriptor_bytes(pDescriptorInfo->type));
  std::memcpy(pDescriptor, bits.data(), std::min(size, bits.size()));
}

VKAPI_ATTR void VKAPI_CALL entry::GetDescriptorSetLayoutSizeEXT(VkDevice, VkDescriptorSetLayout layout,
                                                                VkDeviceSize* pLayoutSizeInBytes) {
  *pLayoutSizeInBytes = from_handle<DescriptorSetLayout>(layout).contents->table_bytes;
}

VKAPI_ATTR void VKAPI_CALL entry::GetDescriptorSetLayoutBindingOffsetEXT(VkDevice, VkDescriptorSetLayout layout,
                                                                         uint32_t binding, VkDeviceSize* pOffset) {
  const SetBinding* found = from_handle<DescriptorSetLayout>(layout).contents->find(binding);
  *pOffset = found == nullptr ? 0 : found->offset;
}

// What follows belongs to the feature descriptorBufferCaptureReplay, which is not offered.

VKAPI_ATTR VkResult VKAPI_CALL
entry::GetBufferOpaqueCaptureDescriptorDataEXT(VkDevice, const VkBufferCaptureDescriptorDataInfoEXT*, void*) {
  return VK_ERROR_FEATURE_NOT_PRESENT;
}
VKAPI_ATTR VkResult VKAPI_CALL entry::GetImageOpaqueCaptureDescriptorDataEXT(VkDevice,
                                                                             const VkImageCaptureDescriptorDataInfoEXT*,
                                                                             void*) {
  return VK_ERROR_FEATURE_NOT_PRESENT;
}
VKAPI_ATTR VkResult VKAPI_CALL
entry::GetImageViewOpaqueCaptureDescriptorDataEXT(VkDevice, const VkImageViewCaptureDescriptorDataInfoEXT*, void*) {
  return VK_ERROR_FEATURE_NOT_PRESENT;
}
VKAPI_ATTR VkResult VKAPI_CALL
entry::GetSamplerOpaqueCaptureDescriptorDataEXT(VkDevice, const VkSamplerCaptureDescriptorDataInfoEXT*, void*) {
  return VK_ERROR_FEATURE_NOT_PRESENT;
}

}  // namespace spalt::icd
