// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "amdgpu/isa/target.h"

namespace spalt::metadata {

/// "COMPUTE_PGM_RSRC1: VGPRS 2, FLOAT_MODE 0xf5, ...", zero fields left out; empty for a register that is not known.
std::string register_text(uint32_t offset, uint32_t value, const isa::Target& target);
/// The same as the members of a JSON object: "name" and "fields".
std::string register_json(uint32_t offset, uint32_t value, const isa::Target& target);

std::string hex(uint64_t value);

}  // namespace spalt::metadata
