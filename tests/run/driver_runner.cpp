// SPDX-License-Identifier: MIT
#include "driver_runner.h"

#include <unistd.h>
#include <vulkan/vulkan.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "support.h"

namespace spalt::run {
namespace {

using vkrun::Error;

constexpr const char* kLayer = "VK_LAYER_KHRONOS_validation";

/// What is printed to stdout, the layer's place for messages, from here on. Ends with the process at the latest.
class PrintedText {
 public:
  PrintedText() : file_(std::tmpfile()), stdout_(dup(STDOUT_FILENO)) {
    if (file_ == nullptr || stdout_ < 0) throw Error("cannot make a temporary file");
    std::fflush(stdout);
    dup2(fileno(file_), STDOUT_FILENO);
  }
  ~PrintedText() {
    std::fflush(stdout);
    dup2(stdout_, STDOUT_FILENO);
    close(stdout_);
    std::fclose(file_);
  }
  PrintedText(const PrintedText&) = delete;
  PrintedText& operator=(const PrintedText&) = delete;

  std::string text() const {
    std::fflush(stdout);
    std::rewind(file_);
    std::string text;
    char chunk[4096];
    for (size_t size; (size = std::fread(chunk, 1, sizeof(chunk), file_)) != 0;) text.append(chunk, size);
    return text;
  }

 private:
  std::FILE* file_;
  int stdout_;
};

void choose_driver(const Driver& driver, const std::string& target, uint32_t wave) {
  unsetenv("VK_ICD_FILENAMES");
  setenv("VK_DRIVER_FILES", driver.manifest.c_str(), 1);
  setenv("SPALT_ICD_TARGET", target.c_str(), 1);
  setenv("SPALT_ICD_WAVE", std::to_string(wave).c_str(), 1);
  setenv("SPALT_ICD_THREADS", "1", 1);  // other processes use the other processors
  if (driver.validation) setenv("VK_INSTANCE_LAYERS", kLayer, 1);
}

/// The loader only warns about a layer that is not installed.
void check_that_layer_is_there() {
  uint32_t count = 0;
  vkEnumerateInstanceLayerProperties(&count, nullptr);
  std::vector<VkLayerProperties> layers(count);
  vkEnumerateInstanceLayerProperties(&count, layers.data());
  const bool found = std::any_of(layers.begin(), layers.end(), [](const VkLayerProperties& layer) {
    return std::strcmp(layer.layerName, kLayer) == 0;
  });
  if (!found) throw Error(std::string(kLayer) + " is not installed");
}

vkrun::BufferContents run_on_loader(const vkrun::Manifest& manifest, const vkrun::ShaderWords& shaders) {
  vkrun::VulkanRunner runner(manifest.robust);
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
  vkrun::BufferContents contents = run_on_loader(manifest, shaders);
  if (const std::string text = printed.text(); !text.empty()) throw Error("the validation layer says: " + text);
  return contents;
}

}  // namespace

bool is_vulkan_1_2(const Driver& driver) {
  std::ifstream file(driver.manifest);
  const auto json = nlohmann::json::parse(file, nullptr, false);
  if (!json.is_object() || !json.contains("ICD")) throw Error("no driver's manifest: " + driver.manifest);
  return json["ICD"].value("api_version", "").starts_with("1.2.");
}

vkrun::BufferContents run_on_driver(const vkrun::Manifest& manifest, const vkrun::ShaderWords& shaders,
                                    const Driver& driver, const std::string& target, uint32_t wave) {
  const bool validation = driver.validation && manifest.layer_bug.empty();
  choose_driver({driver.manifest, validation}, target, wave);
  return validation ? run_validated(manifest, shaders) : run_on_loader(manifest, shaders);
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
