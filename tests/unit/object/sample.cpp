// SPDX-License-Identifier: MIT
#include "sample.h"

#include <gtest/gtest.h>

#include <cstring>

namespace spalt::object {

StageObject sample() {
  StageObject shader;
  shader.target_name = "gfx1030";
  const uint32_t words[] = {0x7e000280, 0xbf810000};  // v_mov_b32 v0, 0; s_endpgm
  shader.code.resize(sizeof words);
  std::memcpy(shader.code.data(), words, sizeof words);
  shader.wave_size = 32;
  shader.vgpr_count = 17;
  shader.sgpr_count = 21;
  shader.lds_bytes = 1300;
  shader.scratch_bytes_per_lane = 48;
  shader.scratch_en = true;
  shader.threadgroup_dims = {8, 4, 2};
  shader.user_sgprs = 5;
  shader.user_data_reg_map[0] = abi::kGlobalTable;
  shader.user_data_reg_map[1] = 3;
  shader.user_data_reg_map[2] = abi::kWorkgroup;
  shader.user_data_reg_map[3] = abi::kWorkgroup;
  shader.user_data_reg_map[4] = abi::kSpillTable;
  shader.spill_threshold = 7;
  shader.user_data_limit = 12;
  shader.float_mode = 0xf5;
  shader.wgp_mode = true;
  shader.tgid_z_en = false;
  shader.tg_size_en = true;
  shader.tidig_comp_cnt = 2;
  shader.uses_uavs = true;
  shader.pipeline_hash = {0x123456789abcdef0u, 0x0fedcba987654321u};
  shader.api_shader_hash = {5, 6};
  return shader;
}

std::vector<uint8_t> written(const StageObject& shader, MetadataVersion version) {
  const Result<Bytes> elf = link_stages({&shader, 1}, version);
  EXPECT_TRUE(elf.ok()) << (elf.ok() ? "" : elf.error().message);
  return elf.ok() ? std::vector<uint8_t>(elf->begin(), elf->end()) : std::vector<uint8_t>();
}

}  // namespace spalt::object
