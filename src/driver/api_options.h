// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "amdgpu/object/link.h"
#include "driver/compiler_handle.h"
#include "driver/options.h"

namespace spalt::driver {

/// What the caller asks for, checked. `info` and what it points to must outlive the options, and so must the arena.
Result<Options> read_options(const spalt_compiler& compiler, const spalt_compile_info& info, Arena& arena);

/// The same for a piece.
Result<Options> read_piece_options(const spalt_compiler& compiler, const spalt_piece_info& info, Arena& arena);

/// Values of specialization constants from a map and a block of data, in the arena or in the heap.
Result<Vector<spirv::Specialization>> read_specialization(const api::CallerArray<spalt_specialization_entry>& entries,
                                                          const void* data, size_t data_size, Arena* arena = nullptr);

/// The version of the metadata; 0.0 is the target's default.
Result<object::MetadataVersion> metadata_version(const isa::Target& target, uint32_t major, uint32_t minor);
/// Versions that loaders of the target read, as major << 16 | minor, ascending.
std::span<const uint32_t> metadata_versions(const isa::Target& target);

/// spalt_float_mode bits that may be asked for, and the FLOAT_MODE byte that they mean.
constexpr uint32_t kFloatModes = SPALT_FLOAT_PRESERVE_DENORMALS_32 | SPALT_FLOAT_FLUSH_DENORMALS_16_64 |
                                 SPALT_FLOAT_ROUND_TO_ZERO_32 | SPALT_FLOAT_ROUND_TO_ZERO_16_64 |
                                 SPALT_FLOAT_PRESERVE_SIGNED_ZERO_INF_NAN;
/// Bit i: shaders may use spalt_binding_kind i.
constexpr uint32_t kBindingKinds = (1u << SPALT_BINDING_KIND_COUNT) - 1;
/// The least limits on registers that every program can be compiled with.
constexpr uint32_t kMinVgprLimit = 24, kMinSgprLimit = 32;

}  // namespace spalt::driver
