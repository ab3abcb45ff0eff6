// SPDX-License-Identifier: MIT
//
// The "init" values of a manifest: literal and generated buffer contents.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace spalt::vkrun {

/// One 32-bit word from a JSON number: an integer keeps its two's complement, a number with a point becomes binary32.
uint32_t word_from_json(const nlohmann::json& value);

/// Appends the bytes that `init` (one segment or a list of segments) describes; throws Error.
void append_initial_bytes(const nlohmann::json& init, std::vector<uint8_t>& out);

}  // namespace spalt::vkrun
