// SPDX-License-Identifier: MIT
#include "driver/make_object.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>

#include "amdgpu/isa/occupancy.h"

namespace spalt::driver {
namespace {

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

Statistics make_statistics(const ir::Module& module, const mir::Function& function, const encode::Program& program,
                           const Options& options) {
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
  const std::array<uint32_t, 3>& group = module.workgroup_size;
  s.waves_per_simd = isa::waves_per_simd(function.target, {function.wave_size, options.wgp_mode, s.sgprs, s.vgprs,
                                                           s.lds_bytes, group[0] * group[1] * group[2]});
  std::copy(module.workgroup_size.begin(), module.workgroup_size.end(), std::begin(s.workgroup_size));
  return s;
}

}  // namespace spalt::driver
