// SPDX-License-Identifier: MIT
#pragma once
#include "shader_input.h"

namespace shader_input {

/// As load(), for the text of a GLSL file.
bool compile_glsl(const std::string& path, const std::string& text, const Options& options,
                  std::vector<uint32_t>& words, std::string& messages);

}  // namespace shader_input
