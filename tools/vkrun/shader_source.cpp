// SPDX-License-Identifier: MIT
#include "shader_source.h"

#include "manifest.h"
#include "shader_input/shader_input.h"

namespace spalt::vkrun {

std::vector<uint32_t> load_shader(const std::string& path, Variant variant, bool vulkan_1_2) {
  shader_input::Options options;
  options.debug = variant == Variant::Debug;
  options.optimize = variant == Variant::Optimized;
  options.keep_ids = true;
  options.validate = true;
  options.vulkan_1_2 = vulkan_1_2;
  std::vector<uint32_t> words;
  std::string messages;
  if (!shader_input::load(path, options, words, messages)) throw Error(messages);
  return words;
}

}  // namespace spalt::vkrun
