// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

namespace spalt::icd {

/// Writes into an array of a Vulkan struct what fits, and a zero after it.
template <size_t size>
void write_text(char (&output)[size], std::string_view text) {
  output[text.copy(output, size - 1)] = 0;
}

}  // namespace spalt::icd
