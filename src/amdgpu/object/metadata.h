// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "amdgpu/object/shader_object.h"

namespace spalt::object {

/// The MessagePack document of the PAL note.
std::vector<uint8_t> write_metadata(const ShaderObject& shader, MetadataVersion version);

/// Fills the facts of `shader` from a document of metadata major version 2 or 3. Unknown keys are skipped.
Result<void> read_metadata(std::span<const uint8_t> document, ShaderObject& shader);

}  // namespace spalt::object
