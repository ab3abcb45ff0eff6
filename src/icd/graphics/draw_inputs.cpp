// SPDX-License-Identifier: MIT
//
// Binding vertex and index buffers.
#include "commands.h"
#include "icd/graphics/graphics_recording.h"

namespace spalt::icd {
namespace {

uint32_t index_bytes(VkIndexType type) {
  if (type == VK_INDEX_TYPE_UINT8_EXT) return 1;
  return type == VK_INDEX_TYPE_UINT16 ? 2 : 4;
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL entry::CmdBindIndexBuffer(VkCommandBuffer commandBuffer, VkBuffer buffer,
                                                     VkDeviceSize offset, VkIndexType indexType) {
  record(commandBuffer, [&](CommandBuffer& commands) {
    const MemoryRange range = buffer_range(from_nullable<Buffer>(buffer), offset, VK_WHOLE_SIZE);
    graphics_of(commands).draws.bind_index_buffer({range, index_bytes(indexType)});
  });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdBindVertexBuffers(VkCommandBuffer commandBuffer, uint32_t firstBinding,
                                                       uint32_t bindingCount, const VkBuffer* pBuffers,
                                                       const VkDeviceSize* pOffsets) {
  entry::CmdBindVertexBuffers2(commandBuffer, firstBinding, bindingCount, pBuffers, pOffsets, nullptr, nullptr);
}

VKAPI_ATTR void VKAPI_CALL entry::CmdBindVertexBuffers2(VkCommandBuffer commandBuffer, uint32_t firstBinding,
                                                        uint32_t bindingCount, const VkBuffer* pBuffers,
                                                        const VkDeviceSize* pOffsets, const VkDeviceSize* pSizes,
                                                        const VkDeviceSize* pStrides) {
  record(commandBuffer, [&](CommandBuffer& commands) {
    DrawRecording& draws = graphics_of(commands).draws;
    for (uint32_t i = 0; i < bindingCount && firstBinding + i < SPALT_MAX_VERTEX_BINDINGS; ++i) {
      const VkDeviceSize size = pSizes != nullptr ? pSizes[i] : VK_WHOLE_SIZE;
      draws.bind_vertex_buffer(firstBinding + i, buffer_range(from_nullable<Buffer>(pBuffers[i]), pOffsets[i], size));
      if (pStrides != nullptr) draws.change().strides[firstBinding + i] = static_cast<uint32_t>(pStrides[i]);
    }
  });
}

}  // namespace spalt::icd
