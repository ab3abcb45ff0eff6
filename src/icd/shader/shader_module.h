// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "icd/device/device.h"

namespace spalt::icd {

/// A hash of a module's words: what VK_EXT_shader_module_identifier tells, and what stands for the words in the keys of
/// caches, so that a pipeline can be found without them.
using ModuleIdentifier = std::array<uint32_t, 4>;

ModuleIdentifier identify_module(std::span<const uint32_t> words);
std::span<const uint32_t> module_words(const VkShaderModuleCreateInfo& info);

class ShaderModule : public Object {
 public:
  using Handle = VkShaderModule;
  explicit ShaderModule(const VkShaderModuleCreateInfo& info);

  std::span<const uint32_t> words() const { return words_; }
  const ModuleIdentifier& identifier() const { return identifier_; }

 private:
  std::vector<uint32_t> words_;
  ModuleIdentifier identifier_;
};

}  // namespace spalt::icd
