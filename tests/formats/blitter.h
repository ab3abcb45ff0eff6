// SPDX-License-Identifier: MIT
#pragma once
#include <vulkan/vulkan_core.h>

#include <cstdint>
#include <string>
#include <vector>

namespace spalt::formats {

/// Converts texels on a Vulkan device: an image of one format is blitted to an image of another one, of the same size,
/// without a filter. Throws std::runtime_error when the device refuses.
class Blitter {
 public:
  /// Takes the first device that there is.
  Blitter();
  ~Blitter();
  Blitter(const Blitter&) = delete;
  Blitter& operator=(const Blitter&) = delete;

  std::string device_name() const;
  bool reads(VkFormat format) const { return has_feature(format, VK_FORMAT_FEATURE_BLIT_SRC_BIT); }
  bool writes(VkFormat format) const { return has_feature(format, VK_FORMAT_FEATURE_BLIT_DST_BIT); }

  /// The bytes of the target image: `target_bytes` of them, rows from the top.
  std::vector<uint8_t> blit(VkFormat source, const std::vector<uint8_t>& bytes, VkFormat target, size_t target_bytes,
                            VkExtent2D size);

 private:
  struct Image;
  struct Buffer;

  bool has_feature(VkFormat format, VkFormatFeatureFlags feature) const;
  VkDeviceMemory allocate(const VkMemoryRequirements& requirements, bool mapped) const;
  void create_instance();
  void create_device();
  void submit_and_wait();

  VkInstance instance_ = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device_ = VK_NULL_HANDLE;
  VkDevice device_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
};

}  // namespace spalt::formats
