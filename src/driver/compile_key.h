// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "amdgpu/object/link.h"
#include "driver/options.h"

namespace spalt::driver {

/// 32 hexadecimal digits: what the library was built from.
const char* build_identifier();

using CompileKey = std::array<uint64_t, 2>;

/// A hash of all that decides the bytes of the result, the build identifier included. Every member of Options is either
/// in or listed as one that only watches; a member that is added needs a decision here.
CompileKey compile_key(std::span<const uint32_t> words, const Options& options, object::MetadataVersion version,
                       Arena& scratch);

}  // namespace spalt::driver
