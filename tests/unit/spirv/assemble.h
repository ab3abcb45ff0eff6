// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace spalt::spirv {

/// SPIR-V assembly to words with the ids as written; nothing is validated. Throws std::runtime_error with the
/// assembler's message.
std::vector<uint32_t> assemble(const std::string& text);

/// A compute shader around the text of `declarations` and of the entry point's blocks after the first label. Declared
/// already: types %void %bool %int %uint %float %v2uint %v3uint %v2float %v4float, constants %u0 %u1 %u2 %u4 %f0 %f1
/// %true, the storage buffer %buffer = struct { uint words[]; } and %element = pointer to uint in it.
std::string shader(const std::string& declarations, const std::string& body);

}  // namespace spalt::spirv
