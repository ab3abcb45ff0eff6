// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "amdgpu/object/stage_object.h"

namespace spalt::object {

/// Version of the stored form; another version is another language. Raise it with every change of StageObject.
constexpr uint32_t kStageBytesVersion = 1;

/// The stage object as bytes, to be kept in a file or a cache. The same bytes for the same stage on every machine.
///
///     "SPALTSTG"             8 bytes
///     kStageBytesVersion     u32
///     size of what follows   u32
///     the members of StageObject in the order of stage_bytes.cpp
///
/// Numbers are little endian; booleans are a byte; strings and arrays of unknown length begin with their length as u32.
std::vector<uint8_t> write_stage(const StageObject& stage);

/// Reads it back. The bytes are not trusted: lengths, enumerations, booleans and everything that check_stage names are
/// checked, and memory is taken in proportion to the bytes only. What the code does when it runs is not checked.
Result<StageObject> read_stage(std::span<const uint8_t> bytes);

}  // namespace spalt::object
