// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/abi/compute_interface.h"
#include "amdgpu/object/link.h"

namespace spalt::object {

/// For readers of finished pipelines, such as the emulator: the one stage of a compute pipeline.
using ShaderObject = StageObject;

inline Result<Bytes> write_elf(const ShaderObject& shader, MetadataVersion version) {
  return link_stages({&shader, 1}, version);
}

}  // namespace spalt::object
