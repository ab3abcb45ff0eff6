// SPDX-License-Identifier: MIT
#include "driver_runner.h"

#include <algorithm>

#include "support.h"

namespace spalt::run {
namespace {

using vkrun::Error;

vkrun::BufferContents run_on_loader(const vkrun::Manifest& manifest, const vkrun::ShaderWords& shaders,
                                    bool validation) {
  vkrun::VulkanRunner runner({.robust = manifest.robust, .recent = !validation});
  const auto is_multisampled = [](const vkrun::ImageDesc& image) { return image.samples > 1; };
  if (std::any_of(manifest.images.begin(), manifest.images.end(), is_multisampled) &&
      !runner.has_multisampled_images()) {
    throw NotThere("the driver has no multisampled images");
  }
  const auto is_sparse = [](const vkrun::ImageDesc& image) { return !image.absent_rows.empty(); };
  if (std::any_of(manifest.images.begin(), manifest.images.end(), is_sparse)) {
    throw NotThere("the driver has no sparse images");
  }
  return runner.run(manifest, shaders);
}

vkrun::BufferContents run_validated(const vkrun::Manifest& manifest, const vkrun::ShaderWords& shaders) {
  check_that_layer_is_there();
  const PrintedText printed;
  vkrun::BufferContents contents = run_on_loader(manifest, shaders, true);
  if (const std::string text = printed.text(); !text.empty()) throw Error("the validation layer says: " + text);
  return contents;
}

}  // namespace

vkrun::BufferContents run_on_driver(const vkrun::Manifest& manifest, const vkrun::ShaderWords& shaders,
                                    const Driver& driver, const std::string& target, uint32_t wave) {
  const bool validation = driver.validation && manifest.layer_bug.empty();
  choose_driver({driver.manifest, validation}, target, wave);
  return validation ? run_validated(manifest, shaders) : run_on_loader(manifest, shaders, false);
}

void check_that_validation_speaks(const Driver& driver) {
  choose_driver(driver, "gfx1030", 32);
  check_that_layer_is_there();
  vkrun::Manifest manifest;
  manifest.buffers.emplace_back();  // of no bytes, which VkBufferCreateInfo must not have
  const PrintedText printed;
  try {
    vkrun::VulkanRunner().run(manifest, {});
  } catch (const Error&) {
    // The driver may refuse what the layer lets through.
  }
  if (printed.text().find("VkBufferCreateInfo-size") == std::string::npos)
    throw Error("the validation layer is silent");
}

}  // namespace spalt::run
