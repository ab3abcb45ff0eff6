// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/abi/stage_interface.h"
#include "amdgpu/encode/encode.h"
#include "driver/options.h"
#include "ir/module.h"

namespace spalt::driver {

/// Gathers what each part of the compiler knows about the program, in the arena.
object::StageObject make_stage(const ir::Module& module, const mir::Function& function,
                               const abi::StageInterface& interface, const encode::Program& program,
                               const Options& options, Arena& arena);

struct Statistics {
  uint32_t instructions = 0, code_bytes = 0, sgprs = 0, vgprs = 0, spilled_sgprs = 0, spilled_vgprs = 0;
  uint32_t lds_bytes = 0, scratch_bytes = 0, wave_size = 0, waves_per_simd = 0;
  std::array<uint32_t, 3> workgroup_size{1, 1, 1};
};
Statistics statistics_of(const object::StageObject& stage);

}  // namespace spalt::driver
