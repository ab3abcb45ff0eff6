// SPDX-License-Identifier: MIT
//
// Copies and clears of presentable images as commands.
#include "commands.h"
#include "icd/command/execution.h"
#include "icd/transfer/image_transfer.h"

namespace spalt::icd {
namespace {

struct BufferToImage {
  BufferTexels source;
  const Image* destination;
  Rectangle area;
  void transfer() const { copy_buffer_to_image(source, *destination, area); }
  bool execute(Execution& execution) const { return execution.transfer(*this); }
};

struct ImageToBuffer {
  const Image* source;
  Rectangle area;
  BufferTexels destination;
  void transfer() const { copy_image_to_buffer(*source, area, destination); }
  bool execute(Execution& execution) const { return execution.transfer(*this); }
};

struct ImageToImage {
  const Image* source;
  Rectangle area;
  const Image* destination;
  int32_t x, y;
  void transfer() const { copy_image(*source, area, *destination, x, y); }
  bool execute(Execution& execution) const { return execution.transfer(*this); }
};

struct Clear {
  const Image* image;
  VkClearColorValue color;
  void transfer() const { clear_image(*image, color); }
  bool execute(Execution& execution) const { return execution.transfer(*this); }
};

Rectangle rectangle(const VkOffset3D& offset, const VkExtent3D& extent) {
  return {offset.x, offset.y, extent.width, extent.height};
}

/// VkBufferImageCopy and VkBufferImageCopy2 have the same members.
template <typename Region>
BufferTexels buffer_texels(VkBuffer buffer, const Region& region) {
  return {buffer_range(from_nullable<Buffer>(buffer), region.bufferOffset, VK_WHOLE_SIZE),
          region.bufferRowLength == 0 ? region.imageExtent.width : region.bufferRowLength};
}

template <typename Region>
void record_buffer_to_image(VkCommandBuffer handle, VkBuffer source, VkImage destination, uint32_t count,
                            const Region* regions) {
  record(handle, [&](CommandBuffer& commands) {
    for (uint32_t i = 0; i < count; ++i) {
      commands.append(BufferToImage{buffer_texels(source, regions[i]), from_nullable<Image>(destination),
                                    rectangle(regions[i].imageOffset, regions[i].imageExtent)});
    }
  });
}

template <typename Region>
void record_image_to_buffer(VkCommandBuffer handle, VkImage source, VkBuffer destination, uint32_t count,
                            const Region* regions) {
  record(handle, [&](CommandBuffer& commands) {
    for (uint32_t i = 0; i < count; ++i) {
      commands.append(ImageToBuffer{from_nullable<Image>(source),
                                    rectangle(regions[i].imageOffset, regions[i].imageExtent),
                                    buffer_texels(destination, regions[i])});
    }
  });
}

template <typename Region>
void record_image_to_image(VkCommandBuffer handle, VkImage source, VkImage destination, uint32_t count,
                           const Region* regions) {
  record(handle, [&](CommandBuffer& commands) {
    for (uint32_t i = 0; i < count; ++i) {
      commands.append(ImageToImage{from_nullable<Image>(source), rectangle(regions[i].srcOffset, regions[i].extent),
                                   from_nullable<Image>(destination), regions[i].dstOffset.x, regions[i].dstOffset.y});
    }
  });
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL entry::CmdCopyBufferToImage(VkCommandBuffer commandBuffer, VkBuffer srcBuffer,
                                                       VkImage dstImage, VkImageLayout, uint32_t regionCount,
                                                       const VkBufferImageCopy* pRegions) {
  record_buffer_to_image(commandBuffer, srcBuffer, dstImage, regionCount, pRegions);
}

VKAPI_ATTR void VKAPI_CALL entry::CmdCopyBufferToImage2(VkCommandBuffer commandBuffer,
                                                        const VkCopyBufferToImageInfo2* pCopyBufferToImageInfo) {
  const VkCopyBufferToImageInfo2& info = *pCopyBufferToImageInfo;
  record_buffer_to_image(commandBuffer, info.srcBuffer, info.dstImage, info.regionCount, info.pRegions);
}

VKAPI_ATTR void VKAPI_CALL entry::CmdCopyImageToBuffer(VkCommandBuffer commandBuffer, VkImage srcImage, VkImageLayout,
                                                       VkBuffer dstBuffer, uint32_t regionCount,
                                                       const VkBufferImageCopy* pRegions) {
  record_image_to_buffer(commandBuffer, srcImage, dstBuffer, regionCount, pRegions);
}

VKAPI_ATTR void VKAPI_CALL entry::CmdCopyImageToBuffer2(VkCommandBuffer commandBuffer,
                                                        const VkCopyImageToBufferInfo2* pCopyImageToBufferInfo) {
  const VkCopyImageToBufferInfo2& info = *pCopyImageToBufferInfo;
  record_image_to_buffer(commandBuffer, info.srcImage, info.dstBuffer, info.regionCount, info.pRegions);
}

VKAPI_ATTR void VKAPI_CALL entry::CmdCopyImage(VkCommandBuffer commandBuffer, VkImage srcImage, VkImageLayout,
                                               VkImage dstImage, VkImageLayout, uint32_t regionCount,
                                               const VkImageCopy* pRegions) {
  record_image_to_image(commandBuffer, srcImage, dstImage, regionCount, pRegions);
}

VKAPI_ATTR void VKAPI_CALL entry::CmdCopyImage2(VkCommandBuffer commandBuffer, const VkCopyImageInfo2* pCopyImageInfo) {
  const VkCopyImageInfo2& info = *pCopyImageInfo;
  record_image_to_image(commandBuffer, info.srcImage, info.dstImage, info.regionCount, info.pRegions);
}

VKAPI_ATTR void VKAPI_CALL entry::CmdClearColorImage(VkCommandBuffer commandBuffer, VkImage image, VkImageLayout,
                                                     const VkClearColorValue* pColor, uint32_t rangeCount,
                                                     const VkImageSubresourceRange*) {
  record(commandBuffer, [&](CommandBuffer& commands) {
    if (rangeCount != 0) commands.append(Clear{from_nullable<Image>(image), *pColor});
  });
}

}  // namespace spalt::icd
