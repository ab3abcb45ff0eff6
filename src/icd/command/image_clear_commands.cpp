// SPDX-License-Identifier: MIT
//
// Clears of images as commands.
#include <bit>
#include <cstring>

#include "commands.h"
#include "icd/command/execution.h"
#include "icd/command/image_checks.h"
#include "icd/transfer/image_clear.h"

namespace spalt::icd {
namespace {

struct Clear {
  ImageClear clear;
  void transfer() const { clear.run(); }
  bool execute(Execution& execution) const {
    const bool there = execution.can_touch(clear.grid.range, SPALT_ACCESS_STORE);
    return there ? execution.transfer(*this) : execution.goes_on();
  }
};

void clear_plane(CommandBuffer& commands, const Image& image, const ImagePlane& plane,
                 const VkImageSubresourceRange& range, const spalt_texel& value) {
  const uint32_t levels = image.level_count(range);
  for (uint32_t i = 0; i < levels; ++i) {
    commands.append(
        Clear{make_clear(image, plane, range.baseMipLevel + i, range.baseArrayLayer, image.layer_count(range), value)});
  }
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL entry::CmdClearColorImage(VkCommandBuffer commandBuffer, VkImage image,
                                                     VkImageLayout imageLayout, const VkClearColorValue* pColor,
                                                     uint32_t rangeCount, const VkImageSubresourceRange* pRanges) {
  record(commandBuffer, [&](CommandBuffer& commands) {
    const auto& object = from_handle<Image>(image);
    const ImagePlane* plane = object.find_plane(VK_IMAGE_ASPECT_COLOR_BIT);
    if (plane == nullptr) return;
    spalt_texel value;
    std::memcpy(value.rgba, pColor, sizeof value.rgba);
    for (uint32_t i = 0; i < rangeCount; ++i) {
      record_access(commands, object, pRanges[i], {"vkCmdClearColorImage", imageLayout, TransferAccess::write});
      clear_plane(commands, object, *plane, pRanges[i], value);
    }
  });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdClearDepthStencilImage(VkCommandBuffer commandBuffer, VkImage image,
                                                            VkImageLayout imageLayout,
                                                            const VkClearDepthStencilValue* pDepthStencil,
                                                            uint32_t rangeCount,
                                                            const VkImageSubresourceRange* pRanges) {
  record(commandBuffer, [&](CommandBuffer& commands) {
    const auto& object = from_handle<Image>(image);
    const spalt_texel depth{{std::bit_cast<uint32_t>(pDepthStencil->depth), 0, 0, 0}};
    const spalt_texel stencil{{pDepthStencil->stencil & 0xff, 0, 0, 0}};
    for (uint32_t i = 0; i < rangeCount; ++i) {
      record_access(commands, object, pRanges[i], {"vkCmdClearDepthStencilImage", imageLayout, TransferAccess::write});
      for (const ImagePlane& plane : object.planes()) {
        if ((plane.aspect & pRanges[i].aspectMask) == 0) continue;
        clear_plane(commands, object, plane, pRanges[i], plane.aspect == VK_IMAGE_ASPECT_DEPTH_BIT ? depth : stencil);
      }
    }
  });
}

}  // namespace spalt::icd
