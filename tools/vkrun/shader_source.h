// SPDX-License-Identifier: MIT
//
// SPIR-V words of a shader file. GLSL and SPIR-V assembly are translated by the Khronos command line tools, which must
// be on PATH; nothing of them is linked.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace spalt::vkrun {

/// How a source is translated; the optimized form of a program has other SPIR-V shapes (OpPhi, OpSelect, unrolled
/// loops) than the front end's output, so running both tests more of a compiler.
enum class Variant { Plain, Optimized, Debug };

/// Translates (by suffix: .comp, .spvasm, .spv) and validates; throws Error with the tool's output.
std::vector<uint32_t> load_shader(const std::string& path, Variant variant);

}  // namespace spalt::vkrun
