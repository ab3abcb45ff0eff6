// SPDX-License-Identifier: MIT
//
// Blits and resolves as commands.
#include <algorithm>

#include "commands.h"
#include "icd/command/execution.h"
#include "icd/command/image_checks.h"
#include "icd/transfer/image_blit.h"
#include "icd/transfer/image_region.h"
#include "icd/transfer/image_resolve.h"

namespace spalt::icd {
namespace {

bool can_touch_both(Execution& execution, const TexelImage& source, const TexelImage& destination) {
  return execution.can_touch(source.grid.range, SPALT_ACCESS_LOAD) &&
         execution.can_touch(destination.grid.range, SPALT_ACCESS_STORE);
}

struct Blit {
  ImageBlit blit;
  void transfer() const { blit.run(); }
  bool execute(Execution& execution) const {
    const bool there = can_touch_both(execution, blit.source.image, blit.destination.image);
    return there ? execution.transfer(*this) : execution.goes_on();
  }
};

struct Resolve {
  ImageResolve resolve;
  void transfer() const { resolve.run(); }
  bool execute(Execution& execution) const {
    const bool there = can_touch_both(execution, resolve.source, resolve.destination);
    return there ? execution.transfer(*this) : execution.goes_on();
  }
};

BlitSide blit_side(const Image& image, const ImagePlane& plane, const VkImageSubresourceLayers& layers,
                   const VkOffset3D* corners) {
  BlitSide side;
  side.image = texel_image(image, plane, layers.mipLevel);
  side.first_slice = block_place(image, plane, layers, {}).slice;
  side.depth = image.type() == VK_IMAGE_TYPE_3D ? side.image.grid.slices : 1;
  std::copy_n(corners, 2, side.corners);
  return side;
}

/// Layers that both images have from those of the region on.
uint32_t blit_layers(const Image& source, const VkImageSubresourceLayers& from, const Image& destination,
                     const VkImageSubresourceLayers& to) {
  const auto rest = [](const Image& image, uint32_t first) { return image.layers() - std::min(first, image.layers()); };
  return std::min({from.layerCount, rest(source, from.baseArrayLayer), rest(destination, to.baseArrayLayer)});
}

/// Source and destination of a command, with the layouts that it says they have.
struct LaidOutImages {
  VkImage source;
  VkImageLayout source_layout;
  VkImage destination;
  VkImageLayout destination_layout;
};

template <typename Region>
void record_accesses(CommandBuffer& commands, const LaidOutImages& images, const Region& region, const char* command) {
  record_access(commands, from_handle<Image>(images.source), region.srcSubresource,
                {command, images.source_layout, TransferAccess::read});
  record_access(commands, from_handle<Image>(images.destination), region.dstSubresource,
                {command, images.destination_layout, TransferAccess::write});
}

/// VkImageBlit and VkImageBlit2 have the same members.
template <typename Region>
void record_blits(VkCommandBuffer handle, const LaidOutImages& images, uint32_t count, const Region* regions,
                  VkFilter filter) {
  record(handle, [&](CommandBuffer& commands) {
    const auto& from = from_handle<Image>(images.source);
    const auto& to = from_handle<Image>(images.destination);
    for (uint32_t i = 0; i < count; ++i) {
      const Region& region = regions[i];
      record_accesses(commands, images, region, "vkCmdBlitImage");
      for (const ImagePlane& plane : from.planes()) {
        const ImagePlane* other = to.find_plane(plane.aspect & region.dstSubresource.aspectMask);
        if ((plane.aspect & region.srcSubresource.aspectMask) == 0 || other == nullptr) continue;
        commands.append(
            Blit{{blit_side(from, plane, region.srcSubresource, region.srcOffsets),
                  blit_side(to, *other, region.dstSubresource, region.dstOffsets),
                  blit_layers(from, region.srcSubresource, to, region.dstSubresource), filter != VK_FILTER_NEAREST}});
      }
    }
  });
}

bool is_averaged(const ImagePlane& plane) {
  return plane.aspect == VK_IMAGE_ASPECT_COLOR_BIT && plane.format.number != SPALT_NUMBER_UINT &&
         plane.format.number != SPALT_NUMBER_SINT;
}

/// VkImageResolve and VkImageResolve2 have the same members.
template <typename Region>
void record_resolves(VkCommandBuffer handle, const LaidOutImages& images, uint32_t count, const Region* regions) {
  record(handle, [&](CommandBuffer& commands) {
    const auto& from = from_handle<Image>(images.source);
    const auto& to = from_handle<Image>(images.destination);
    for (uint32_t i = 0; i < count; ++i) {
      const Region& region = regions[i];
      record_accesses(commands, images, region, "vkCmdResolveImage");
      const ImagePlane* plane = from.find_plane(region.srcSubresource.aspectMask);
      const ImagePlane* other = to.find_plane(region.dstSubresource.aspectMask);
      if (plane == nullptr || other == nullptr) continue;
      Resolve command;
      command.resolve.source = texel_image(from, *plane, region.srcSubresource.mipLevel);
      command.resolve.destination = texel_image(to, *other, region.dstSubresource.mipLevel);
      command.resolve.from = block_place(from, *plane, region.srcSubresource, region.srcOffset);
      command.resolve.to = block_place(to, *other, region.dstSubresource, region.dstOffset);
      command.resolve.extent = {region.extent.width, region.extent.height,
                                blit_layers(from, region.srcSubresource, to, region.dstSubresource)};
      command.resolve.samples = from.samples();
      command.resolve.merge = is_averaged(*plane) ? SampleMerge::average : SampleMerge::first;
      commands.append(command);
    }
  });
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL entry::CmdBlitImage(VkCommandBuffer commandBuffer, VkImage srcImage,
                                               VkImageLayout srcImageLayout, VkImage dstImage,
                                               VkImageLayout dstImageLayout, uint32_t regionCount,
                                               const VkImageBlit* pRegions, VkFilter filter) {
  record_blits(commandBuffer, {srcImage, srcImageLayout, dstImage, dstImageLayout}, regionCount, pRegions, filter);
}

VKAPI_ATTR void VKAPI_CALL entry::CmdBlitImage2(VkCommandBuffer commandBuffer, const VkBlitImageInfo2* pBlitImageInfo) {
  const VkBlitImageInfo2& info = *pBlitImageInfo;
  record_blits(commandBuffer, {info.srcImage, info.srcImageLayout, info.dstImage, info.dstImageLayout},
               info.regionCount, info.pRegions, info.filter);
}

VKAPI_ATTR void VKAPI_CALL entry::CmdResolveImage(VkCommandBuffer commandBuffer, VkImage srcImage,
                                                  VkImageLayout srcImageLayout, VkImage dstImage,
                                                  VkImageLayout dstImageLayout, uint32_t regionCount,
                                                  const VkImageResolve* pRegions) {
  record_resolves(commandBuffer, {srcImage, srcImageLayout, dstImage, dstImageLayout}, regionCount, pRegions);
}

VKAPI_ATTR void VKAPI_CALL entry::CmdResolveImage2(VkCommandBuffer commandBuffer,
                                                   const VkResolveImageInfo2* pResolveImageInfo) {
  const VkResolveImageInfo2& info = *pResolveImageInfo;
  record_resolves(commandBuffer, {info.srcImage, info.srcImageLayout, info.dstImage, info.dstImageLayout},
                  info.regionCount, info.pRegions);
}

}  // namespace spalt::icd
