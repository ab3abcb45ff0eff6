// SPDX-License-Identifier: MIT
#include "icd/shader/shader_module.h"

#include <xxhash.h>

#include <cstring>

#include "commands.h"
#include "icd/object/result.h"

namespace spalt::icd {

ModuleIdentifier identify_module(std::span<const uint32_t> words) {
  XXH128_canonical_t bytes;
  XXH128_canonicalFromHash(&bytes, XXH3_128bits(words.data(), words.size_bytes()));
  ModuleIdentifier identifier;
  static_assert(sizeof(identifier) == sizeof(bytes));
  std::memcpy(identifier.data(), &bytes, sizeof(bytes));
  return identifier;
}

std::span<const uint32_t> module_words(const VkShaderModuleCreateInfo& info) {
  return {info.pCode, info.codeSize / sizeof(uint32_t)};
}

ShaderModule::ShaderModule(const VkShaderModuleCreateInfo& info)
    : words_(info.pCode, info.pCode + info.codeSize / sizeof(uint32_t)), identifier_(identify_module(words_)) {}

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateShaderModule(VkDevice device, const VkShaderModuleCreateInfo* pCreateInfo,
                                                         const VkAllocationCallbacks* pAllocator,
                                                         VkShaderModule* pShaderModule) {
  return guarded([&] {
    *pShaderModule = to_handle(create_child<ShaderModule>(from_handle<Device>(device), pAllocator, *pCreateInfo));
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL entry::DestroyShaderModule(VkDevice device, VkShaderModule shaderModule,
                                                      const VkAllocationCallbacks* pAllocator) {
  destroy_child<ShaderModule>(from_handle<Device>(device), pAllocator, shaderModule);
}

}  // namespace spalt::icd
