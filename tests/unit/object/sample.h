// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include "amdgpu/object/link.h"

namespace spalt::object {

/// A compute shader for gfx1030 with something in most fields.
StageObject sample();
/// Stages of the worked examples for graphics: a vertex stage with two varyings that reads attributes at vertex and at
/// instance rate, as the processor runs it, and a pixel stage that reads both and writes an RGBA8 target.
StageObject sample_vertex(const char* target, uint32_t wave_size);
StageObject sample_pixel(const char* target, uint32_t wave_size);
/// The ELF of some stages; a failure of the test when there is none.
std::vector<uint8_t> linked(std::span<const StageObject> stages, MetadataVersion version);
/// Its ELF; a failure of the test when there is none.
std::vector<uint8_t> written(const StageObject& shader, MetadataVersion version);

}  // namespace spalt::object
