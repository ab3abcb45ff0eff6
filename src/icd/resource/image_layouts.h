// SPDX-License-Identifier: MIT
//
// In which layout each subresource of an image is, as executed transitions leave it, and whether anybody has written it
// since its contents were undefined. Nothing of this changes what a command does: it exists where SPALT_ICD_LAYOUTS
// asks for messages about accesses in another layout than the one that they declare. Commands share it, so that it
// outlives the image. Any thread may use it.
#pragma once

#include <vulkan/vulkan.h>

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "icd/device/debug_messenger.h"

namespace spalt::icd {

class Device;
class Image;

/// Subresources of one image. Planes are bits: those of depth and stencil are apart. 3D images have one layer.
struct SubresourceBox {
  uint32_t planes = 0;
  uint32_t first_level = 0, levels = 0;
  uint32_t first_layer = 0, layers = 0;
};

/// The first subresource of a box that is not as expected.
struct LayoutFinding {
  VkImageAspectFlags aspect = 0;
  uint32_t level = 0, layer = 0;
  VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;  // in which it is
  uint32_t others = 0;                               // that are not as expected, too
};

class ImageLayouts {
 public:
  ImageLayouts(const Image& image, const VkImageCreateInfo& info);

  /// The part of the range that the image has.
  SubresourceBox box(const VkImageSubresourceRange& range) const;
  SubresourceBox box(const VkImageSubresourceLayers& layers) const;

  std::optional<LayoutFinding> find_other_than(const SubresourceBox& box, VkImageLayout layout);
  std::optional<LayoutFinding> find_unwritten(const SubresourceBox& box);
  void set_layout(const SubresourceBox& box, VkImageLayout layout);
  void set_written(const SubresourceBox& box, bool written);

  /// With the name that the image has now, if it is still there.
  MessageObject describe(Device& device);
  void forget_image();

 private:
  struct Subresource {
    VkImageLayout layout;
    bool written;
  };
  template <typename Visit>
  void for_each(const SubresourceBox& box, Visit&& visit);
  template <typename Predicate>
  std::optional<LayoutFinding> find(const SubresourceBox& box, Predicate&& predicate);

  std::vector<VkImageAspectFlags> aspects_;  // of the planes
  uint32_t levels_, layers_;
  bool has_one_layer_;    // whatever a range says
  bool tracks_contents_;  // false: the host or another image may write them
  const uint64_t handle_;
  std::mutex mutex_;  // guards what follows
  const Image* image_;
  std::vector<Subresource> subresources_;  // by plane, level, layer
};

/// "VK_IMAGE_LAYOUT_GENERAL"; a number for what is not known.
std::string layout_name(VkImageLayout layout);

}  // namespace spalt::icd
