// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace spalt_tool::replay {

/// Words of 7 bits in each byte, low bits first; the top bit says that the word goes on. Exactly `count` words that
/// take all of `bytes`, or false.
bool decode_varint(std::span<const uint8_t> bytes, size_t count, std::vector<uint32_t>& words);

/// Base64 with padding; false for anything else.
bool decode_base64(const std::string& text, std::vector<uint8_t>& bytes);

}  // namespace spalt_tool::replay
