// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "icd/shader/compile_request.h"
#include "icd/shader/representation.h"

namespace spalt::icd {

/// What the compiler made of a request: all that caches keep of it. A stage of a graphics pipeline is a stage object,
/// which is linked each time.
struct CompiledShader {
  spalt_statistics statistics{};
  std::vector<std::byte> elf;  // or the stage object
};
using CompiledShaderRef = std::shared_ptr<const CompiledShader>;

/// Compiles. When that fails, tells the application why and throws VulkanError. `representations`: where the texts of
/// the shader on its way go; nullptr: nowhere. Safe to call from all threads.
CompiledShaderRef compile_shader(Device& device, const CompileRequest& request,
                                 std::vector<Representation>* representations);
/// The same to a stage object. nullptr: a body that is not supported, although the whole stage may be.
CompiledShaderRef compile_stage(Device& device, const CompileRequest& request,
                                std::vector<Representation>* representations);

}  // namespace spalt::icd
