// SPDX-License-Identifier: MIT
//
// Copies between buffers and images as commands.
#include "commands.h"
#include "icd/command/execution.h"
#include "icd/command/image_checks.h"
#include "icd/transfer/image_region.h"

namespace spalt::icd {
namespace {

struct CopyBlocks {
  BlockGrid source;
  BlockPlace from;
  BlockGrid destination;
  BlockPlace to;
  BlockExtent extent;
  void transfer() const { copy_blocks(source, from, destination, to, extent); }
  bool execute(Execution& execution) const {
    const bool there = execution.can_touch(source.range, SPALT_ACCESS_LOAD) &&
                       execution.can_touch(destination.range, SPALT_ACCESS_STORE);
    return there ? execution.transfer(*this) : execution.goes_on();
  }
};

/// The part of an image that a region between it and a buffer names, and the buffer's rows for it.
struct BufferRegion {
  BlockGrid image, buffer;
  BlockPlace place;
  BlockExtent extent;
};

/// VkBufferImageCopy and VkBufferImageCopy2 have the same members. The extent is empty where the image lacks the
/// aspect.
template <typename Region>
BufferRegion buffer_region(VkBuffer buffer, VkImage handle, const Region& region) {
  const auto& image = from_handle<Image>(handle);
  const VkImageSubresourceLayers& layers = region.imageSubresource;
  const ImagePlane* plane = image.find_plane(layers.aspectMask);
  if (plane == nullptr) return {};
  BufferRegion result;
  result.image = image_grid(image, *plane, layers.mipLevel);
  result.place = block_place(image, *plane, layers, region.imageOffset);
  result.extent = block_extent(image, *plane, layers, region.imageExtent);
  const MemoryRange range = buffer_range(from_nullable<Buffer>(buffer), region.bufferOffset, VK_WHOLE_SIZE);
  result.buffer = buffer_grid({range, region.bufferRowLength, region.bufferImageHeight}, *plane, region.imageExtent,
                              result.extent.slices);
  return result;
}

template <typename Region>
void record_buffer_to_image(VkCommandBuffer handle, VkBuffer source, VkImage destination, VkImageLayout layout,
                            uint32_t count, const Region* regions) {
  record(handle, [&](CommandBuffer& commands) {
    for (uint32_t i = 0; i < count; ++i) {
      record_access(commands, from_handle<Image>(destination), regions[i].imageSubresource,
                    {"vkCmdCopyBufferToImage", layout, TransferAccess::write});
      const BufferRegion region = buffer_region(source, destination, regions[i]);
      commands.append(CopyBlocks{region.buffer, {}, region.image, region.place, region.extent});
    }
  });
}

template <typename Region>
void record_image_to_buffer(VkCommandBuffer handle, VkImage source, VkImageLayout layout, VkBuffer destination,
                            uint32_t count, const Region* regions) {
  record(handle, [&](CommandBuffer& commands) {
    for (uint32_t i = 0; i < count; ++i) {
      record_access(commands, from_handle<Image>(source), regions[i].imageSubresource,
                    {"vkCmdCopyImageToBuffer", layout, TransferAccess::read});
      const BufferRegion region = buffer_region(destination, source, regions[i]);
      commands.append(CopyBlocks{region.image, region.place, region.buffer, {}, region.extent});
    }
  });
}

/// The extent of the region is in texels of the source.
template <typename Region>
CopyBlocks plane_copy(const Image& source, const ImagePlane& from, const Image& destination, const ImagePlane& to,
                      const Region& region) {
  return {image_grid(source, from, region.srcSubresource.mipLevel),
          block_place(source, from, region.srcSubresource, region.srcOffset),
          image_grid(destination, to, region.dstSubresource.mipLevel),
          block_place(destination, to, region.dstSubresource, region.dstOffset),
          block_extent(source, from, region.srcSubresource, region.extent)};
}

template <typename Region>
void record_image_to_image(VkCommandBuffer handle, VkImage source, VkImageLayout source_layout, VkImage destination,
                           VkImageLayout destination_layout, uint32_t count, const Region* regions) {
  record(handle, [&](CommandBuffer& commands) {
    const auto& from = from_handle<Image>(source);
    const auto& to = from_handle<Image>(destination);
    for (uint32_t i = 0; i < count; ++i) {
      const Region& region = regions[i];
      record_access(commands, from, region.srcSubresource, {"vkCmdCopyImage", source_layout, TransferAccess::read});
      record_access(commands, to, region.dstSubresource, {"vkCmdCopyImage", destination_layout, TransferAccess::write});
      for (const ImagePlane& plane : from.planes()) {
        const ImagePlane* other = to.find_plane(plane.aspect & region.dstSubresource.aspectMask);
        if ((plane.aspect & region.srcSubresource.aspectMask) == 0 || other == nullptr) continue;
        commands.append(plane_copy(from, plane, to, *other, region));
      }
    }
  });
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL entry::CmdCopyBufferToImage(VkCommandBuffer commandBuffer, VkBuffer srcBuffer,
                                                       VkImage dstImage, VkImageLayout dstImageLayout,
                                                       uint32_t regionCount, const VkBufferImageCopy* pRegions) {
  record_buffer_to_image(commandBuffer, srcBuffer, dstImage, dstImageLayout, regionCount, pRegions);
}

VKAPI_ATTR void VKAPI_CALL entry::CmdCopyBufferToImage2(VkCommandBuffer commandBuffer,
                                                        const VkCopyBufferToImageInfo2* pCopyBufferToImageInfo) {
  const VkCopyBufferToImageInfo2& info = *pCopyBufferToImageInfo;
  record_buffer_to_image(commandBuffer, info.srcBuffer, info.dstImage, info.dstImageLayout, info.regionCount,
                         info.pRegions);
}

VKAPI_ATTR void VKAPI_CALL entry::CmdCopyImageToBuffer(VkCommandBuffer commandBuffer, VkImage srcImage,
                                                       VkImageLayout srcImageLayout, VkBuffer dstBuffer,
                                                       uint32_t regionCount, const VkBufferImageCopy* pRegions) {
  record_image_to_buffer(commandBuffer, srcImage, srcImageLayout, dstBuffer, regionCount, pRegions);
}

VKAPI_ATTR void VKAPI_CALL entry::CmdCopyImageToBuffer2(VkCommandBuffer commandBuffer,
                                                        const VkCopyImageToBufferInfo2* pCopyImageToBufferInfo) {
  const VkCopyImageToBufferInfo2& info = *pCopyImageToBufferInfo;
  record_image_to_buffer(commandBuffer, info.srcImage, info.srcImageLayout, info.dstBuffer, info.regionCount,
                         info.pRegions);
}

VKAPI_ATTR void VKAPI_CALL entry::CmdCopyImage(VkCommandBuffer commandBuffer, VkImage srcImage,
                                               VkImageLayout srcImageLayout, VkImage dstImage,
                                               VkImageLayout dstImageLayout, uint32_t regionCount,
                                               const VkImageCopy* pRegions) {
  record_image_to_image(commandBuffer, srcImage, srcImageLayout, dstImage, dstImageLayout, regionCount, pRegions);
}

VKAPI_ATTR void VKAPI_CALL entry::CmdCopyImage2(VkCommandBuffer commandBuffer, const VkCopyImageInfo2* pCopyImageInfo) {
  const VkCopyImageInfo2& info = *pCopyImageInfo;
  record_image_to_image(commandBuffer, info.srcImage, info.srcImageLayout, info.dstImage, info.dstImageLayout,
                        info.regionCount, info.pRegions);
}

}  // namespace spalt::icd
