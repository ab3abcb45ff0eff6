// SPDX-License-Identifier: MIT
#include "icd/resource/buffer_view.h"

#include "commands.h"
#include "icd/object/result.h"
#include "spalt/descriptor.h"

namespace spalt::icd {

std::array<uint32_t, 4> texel_buffer_words(const Device& device, uint64_t address, uint64_t size, VkFormat format) {
  auto descriptor = spalt_api::sized<spalt_texel_buffer_descriptor_info>();
  descriptor.address = address;
  descriptor.size = size;
  descriptor.format = static_cast<uint32_t>(format);
  std::array<uint32_t, 4> words{};
  // Fails for formats that texel buffers cannot have (format_features).
  if (spalt_write_texel_buffer_descriptor(device.compiler().handle(), &descriptor, words.data()) != SPALT_SUCCESS) {
    return {};
  }
  return words;
}

BufferView::BufferView(const Device& device, const VkBufferViewCreateInfo& info) {
  const MemoryRange range = buffer_range(from_nullable<Buffer>(info.buffer), info.offset, info.range);
  words_ = texel_buffer_words(device, range.address, range.size, info.format);
}

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateBufferView(VkDevice device, const VkBufferViewCreateInfo* pCreateInfo,
                                                       const VkAllocationCallbacks* pAllocator, VkBufferView* pView) {
  return guarded([&] {
    auto& owner = from_handle<Device>(device);
    *pView = to_handle(create_child<BufferView>(owner, pAllocator, owner, *pCreateInfo));
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL entry::DestroyBufferView(VkDevice device, VkBufferView bufferView,
                                                    const VkAllocationCallbacks* pAllocator) {
  destroy_child<BufferView>(from_handle<Device>(device), pAllocator, bufferView);
}

}  // namespace spalt::icd
