// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include "replay/archive.h"

namespace spalt_tool::replay {

/// What is wrong with the sizes of a record, before memory is taken for it; null when nothing is.
const char* check_sizes(const Record& record);
/// The payload of a record from its stored bytes. Returns what is wrong, or null.
const char* decode_payload(const Record& record, std::vector<uint8_t> stored, std::vector<uint8_t>& payload);

}  // namespace spalt_tool::replay
