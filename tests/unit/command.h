// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace spalt::test {

/// What a shell command prints, to both of its streams, when the path of a file with these bytes is appended to it.
std::string output_of(const std::string& command, std::span<const uint8_t> bytes);

}  // namespace spalt::test
