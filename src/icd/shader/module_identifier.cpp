// SPDX-License-Identifier: MIT
//
// VK_EXT_shader_module_identifier.
#include <algorithm>
#include <cstring>

#include "commands.h"
#include "icd/shader/shader_module.h"

namespace spalt::icd {
namespace {

void write_identifier(const ModuleIdentifier& identifier, VkShaderModuleIdentifierEXT& output) {
  static_assert(sizeof(identifier) <= sizeof(output.identifier));
  output.identifierSize = sizeof(identifier);
  std::fill(std::begin(output.identifier), std::end(output.identifier), uint8_t{0});
  std::memcpy(output.identifier, identifier.data(), sizeof(identifier));
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL entry::GetShaderModuleIdentifierEXT(VkDevice, VkShaderModule shaderModule,
                                                               VkShaderModuleIdentifierEXT* pIdentifier) {
  write_identifier(from_handle<ShaderModule>(shaderModule).identifier(), *pIdentifier);
}

VKAPI_ATTR void VKAPI_CALL entry::GetShaderModuleCreateInfoIdentifierEXT(VkDevice,
                                                                         const VkShaderModuleCreateInfo* pCreateInfo,
                                                                         VkShaderModuleIdentifierEXT* pIdentifier) {
  write_identifier(identify_module(module_words(*pCreateInfo)), *pIdentifier);
}

}  // namespace spalt::icd
