// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>

#include "amdgpu/object/section_writer.h"
#include "amdgpu/object/stage_object.h"

namespace spalt::object {

/// Version of the stored form; another version is another language. Raise it with every change of StageObject.
constexpr uint32_t kStageBytesVersion = 6;

/// The stage object as bytes, to be kept in a file or a cache. The same bytes for the same stage on every machine.
///
///     "SPALTSTG"             8 bytes
///     kStageBytesVersion     u32
///     size of what follows   u32
///     the members of StageObject in the order of stage_bytes.cpp
///
/// Numbers are little endian; booleans are a byte; strings and arrays of unknown length begin with their length as u32.
/// In the arena, or in the heap without one.
Bytes write_stage(const StageObject& stage, Arena* arena = nullptr);

/// Reads it back. The bytes are not trusted: lengths, enumerations, booleans and everything that check_stage names are
/// checked, and memory is taken in proportion to the bytes only: from the arena, or from the heap without one. What the
/// code does when it runs is not checked.
Result<StageObject> read_stage(std::span<const uint8_t> bytes, Arena* arena = nullptr);

}  // namespace spalt::object
