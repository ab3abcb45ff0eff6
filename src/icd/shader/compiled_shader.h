// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "icd/shader/compile_request.h"

namespace spalt::icd {

/// What the compiler made of a request: all that caches keep of it.
struct CompiledShader {
  spalt_statistics statistics{};
  std::vector<std::byte> elf;
};
using CompiledShaderRef = std::shared_ptr<const CompiledShader>;

/// Compiles. When that fails, tells the application why and throws VulkanError. Safe to call from all threads.
CompiledShaderRef compile_shader(Device& device, const CompileRequest& request, VkShaderModule module);

}  // namespace spalt::icd
