// SPDX-License-Identifier: MIT
#include "driver_environment.h"

#include <unistd.h>
#include <vulkan/vulkan.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "vkrun/manifest.h"

namespace spalt::run {
namespace {

using vkrun::Error;

constexpr const char* kLayer = "VK_LAYER_KHRONOS_validation";

}  // namespace

PrintedText::PrintedText() : file_(std::tmpfile()), stdout_(dup(STDOUT_FILENO)) {
  if (file_ == nullptr || stdout_ < 0) throw Error("cannot make a temporary file");
  std::fflush(stdout);
  dup2(fileno(file_), STDOUT_FILENO);
}

PrintedText::~PrintedText() {
  std::fflush(stdout);
  dup2(stdout_, STDOUT_FILENO);
  close(stdout_);
  std::fclose(file_);
}

std::string PrintedText::text() const {
  std::fflush(stdout);
  std::rewind(file_);
  std::string text;
  char chunk[4096];
  for (size_t size; (size = std::fread(chunk, 1, sizeof(chunk), file_)) != 0;) text.append(chunk, size);
  return text;
}

void choose_driver(const Driver& driver, const std::string& target, uint32_t wave) {
  unsetenv("VK_ICD_FILENAMES");
  setenv("VK_DRIVER_FILES", driver.manifest.c_str(), 1);
  setenv("SPALT_ICD_TARGET", target.c_str(), 1);
  setenv("SPALT_ICD_WAVE", std::to_string(wave).c_str(), 1);
  setenv("SPALT_ICD_THREADS", "1", 1);  // other processes use the other processors
  if (driver.validation) setenv("VK_INSTANCE_LAYERS", kLayer, 1);
}

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

bool is_vulkan_1_2(const Driver& driver) {
  std::ifstream file(driver.manifest);
  const auto json = nlohmann::json::parse(file, nullptr, false);
  if (!json.is_object() || !json.contains("ICD")) throw Error("no driver's manifest: " + driver.manifest);
  return json["ICD"].value("api_version", "").starts_with("1.2.");
}

}  // namespace spalt::run
