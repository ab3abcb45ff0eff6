// SPDX-License-Identifier: MIT
#include "driver/make_object.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>

#include "base/bits.h"

namespace spalt::driver {
namespace {

/// Waves of one program that fit a SIMD at once: limited by vector registers and by LDS. A compute unit has two SIMDs
/// and one workgroup's LDS limit of memory (RDNA 2 ISA guide, section 2.1).
uint32_t occupancy(const ir::Module& module, const mir::Function& function) {
  const isa::Target& target = function.target;
  const uint32_t vgprs = std::max<uint32_t>(function.facts.vgpr_count, 1);
  const uint32_t file = function.wave_size == 32 ? target.vgprs_per_simd_wave32 : target.vgprs_per_simd_wave64;
  const auto allocated = static_cast<uint32_t>(align_up(vgprs, target.vgpr_granule(function.wave_size)));
  uint32_t waves = std::min<uint32_t>(target.max_waves_per_simd, file / allocated);
  if (module.shared_bytes != 0) {
    const uint32_t lanes = module.workgroup_size[0] * module.workgroup_size[1] * module.workgroup_size[2];
    const uint32_t waves_per_group = (lanes + function.wave_size - 1) / function.wave_size;
    const auto lds = static_cast<uint32_t>(align_up(module.shared_bytes, target.lds_granule));
    const uint32_t groups = std::max<uint32_t>(target.lds_bytes_per_workgroup / lds, 1);
    waves = std::min(waves, std::max<uint32_t>((groups * waves_per_group + 1) / 2, 1));
  }
  return waves;
}

bool writes_buffers(const mir::Function& function) {
  for (mir::BlockId block : function.layout) {
    for (mir::InstId id : function.blocks[block].insts) {
      if ((function.insts[id].memory & mir::kWritesBuffer) != 0) return true;
    }
  }
  return false;
}

}  // namespace

object::ShaderObject make_object(const ir::Module& module, const mir::Function& function,
                                 const abi::ComputeInterface& interface, std::span<const uint32_t> words,
                                 const Options& options) {
  object::ShaderObject shader;
  shader.target_name = function.target.name;
  shader.code.resize(words.size() * 4);
  std::memcpy(shader.code.data(), words.data(), shader.code.size());
  shader.wave_size = function.wave_size;
  shader.sgpr_count = function.facts.sgpr_count;
  shader.vgpr_count = function.facts.vgpr_count;
  shader.sgpr_limit = function.target.sgpr_count;
  shader.vgpr_limit = function.target.vgpr_limit;
  shader.lds_bytes = module.shared_bytes;
  shader.scratch_bytes_per_lane = function.facts.scratch_bytes;
  shader.scratch_en = function.facts.scratch_bytes != 0;
  std::copy(module.workgroup_size.begin(), module.workgroup_size.end(), shader.threadgroup_dims.begin());
  shader.user_sgprs = interface.user_sgpr_count;
  const auto map = interface.user_data_map();
  std::copy(map.begin(), map.end(), shader.user_data_reg_map.begin());
  shader.spill_threshold = interface.spill_threshold;
  shader.user_data_limit = std::max<uint32_t>(interface.user_data_limit, 1);
  shader.float_mode = module.float_mode;
  shader.wgp_mode = options.wgp_mode;
  shader.mem_ordered = function.target.has_mem_ordered;
  shader.dx10_clamp = function.target.has_clamp_mode;
  shader.tgid_x_en = interface.tgid_en(0);
  shader.tgid_y_en = interface.tgid_en(1);
  shader.tgid_z_en = interface.tgid_en(2);
  shader.tidig_comp_cnt = interface.tidig_comp_cnt;
  shader.uses_uavs = shader.writes_uavs = writes_buffers(function);
  // Loaders key caches with the hash and expect it not to be zero.
  const uint64_t hash = XXH64(shader.code.data(), shader.code.size(), shader.wave_size) | 1;
  shader.pipeline_hash = {hash, hash};
  shader.api_shader_hash = {hash, hash};
  return shader;
}

Statistics make_statistics(const ir::Module& module, const mir::Function& function, const encode::Program& program) {
  Statistics s;
  s.instructions = program.instruction_count;
  s.code_bytes = static_cast<uint32_t>(program.words.size() * 4);
  s.sgprs = function.facts.sgpr_count;
  s.vgprs = function.facts.vgpr_count;
  s.spilled_sgprs = function.facts.spilled_sgprs;
  s.spilled_vgprs = function.facts.spilled_vgprs;
  s.lds_bytes = module.shared_bytes;
  s.scratch_bytes = function.facts.scratch_bytes;
  s.wave_size = function.wave_size;
  s.waves_per_simd = occupancy(module, function);
  std::copy(module.workgroup_size.begin(), module.workgroup_size.end(), std::begin(s.workgroup_size));
  return s;
}

}  // namespace spalt::driver
