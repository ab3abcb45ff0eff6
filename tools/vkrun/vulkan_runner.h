// SPDX-License-Identifier: MIT
//
// Runs a manifest on a Vulkan 1.3 driver, whichever the loader finds (VK_ICD_FILENAMES chooses).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "device_options.h"
#include "manifest.h"

namespace spalt::vkrun {

/// SPIR-V words by shader name as the dispatches spell it.
using ShaderWords = std::map<std::string, std::vector<uint32_t>>;

class VulkanDevice;

class VulkanRunner {
 public:
  /// Opens the first device that the loader lists; throws Error.
  explicit VulkanRunner(const DeviceOptions& options = {});
  ~VulkanRunner();
  VulkanRunner(const VulkanRunner&) = delete;
  VulkanRunner& operator=(const VulkanRunner&) = delete;

  std::string device_name() const;
  /// False of drivers without graphics: Vulkan has several samples only where a format can be an attachment.
  bool has_multisampled_images() const;

  /// Executes the dispatches in order, each seeing all writes of the ones before, and returns the final contents.
  BufferContents run(const Manifest& manifest, const ShaderWords& shaders);

 private:
  std::unique_ptr<VulkanDevice> device_;
};

}  // namespace spalt::vkrun
