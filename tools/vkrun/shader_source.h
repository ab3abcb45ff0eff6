// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace spalt::vkrun {

/// How a source is translated; the optimized form of a program has other SPIR-V shapes (OpPhi, OpSelect, unrolled
/// loops) than the front end's output, so running both tests more of a compiler.
enum class Variant { Plain, Optimized, Debug };

/// SPIR-V words of a shader file (tools/shader_input), validated; throws Error with what glslang or SPIRV-Tools say.
/// `vulkan_1_2`: for drivers of Vulkan 1.2, which do not take SPIR-V 1.6.
std::vector<uint32_t> load_shader(const std::string& path, Variant variant, bool vulkan_1_2 = false);

}  // namespace spalt::vkrun
