// SPDX-License-Identifier: MIT
#pragma once
#include "shader_input.h"

namespace shader_input {

/// As load(), for the text of a SPIR-V assembly file.
bool assemble(const std::string& path, const std::string& text, const Options& options, std::vector<uint32_t>& words,
              std::string& messages);
/// Replaces the words by what spirv-opt's passes for speed make of them.
bool optimize(const std::string& path, const Options& wanted, std::vector<uint32_t>& words, std::string& messages);
bool validate(const std::string& path, const Options& wanted, const std::vector<uint32_t>& words,
              std::string& messages);

}  // namespace shader_input
