// SPDX-License-Identifier: MIT
//
// Arbitrary bytes as machine code: the emulator runs them to an end, a fault with a message, or the step limit. The
// first byte chooses target and wave size, the next 64 bytes are data, the rest is code. Seeds: text sections of
// shaders after 65 bytes.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "amdgpu/isa/target.h"
#include "emu/device/dispatch.h"

namespace {

constexpr size_t kHeader = 65;

spalt::object::StageObject make_shader(const spalt::isa::Target& target, bool wave32, std::span<const uint8_t> code) {
  spalt::object::StageObject shader;
  shader.target_name = target.name;
  shader.code.assign(code);
  shader.wave_size = wave32 && target.has_wave32 ? 32 : 64;
  shader.vgpr_count = 64;
  shader.sgpr_count = 100;
  shader.lds_bytes = 1024;
  shader.scratch_en = true;
  shader.scratch_bytes_per_lane = 64;
  shader.threadgroup_dims = {80, 1, 1};  // more than a wave, and a wave that is not full
  shader.user_sgprs = 8;
  shader.user_data_reg_map[0] = spalt::abi::kGlobalTable;
  for (uint32_t i = 1; i < shader.user_sgprs; ++i) shader.user_data_reg_map[i] = i - 1;
  shader.user_data_limit = 7;
  shader.float_mode = 0xf0;
  return shader;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size <= kHeader) return 0;
  const auto targets = spalt::isa::targets();
  const spalt::isa::Target& target = targets[(data[0] >> 1) % targets.size()];
  const auto shader = make_shader(target, (data[0] & 1) != 0, {data + kHeader, (size - kHeader) / 4 * 4});
  std::vector<uint64_t> buffer(64);
  std::memcpy(buffer.data(), data + 1, kHeader - 1);
  spalt::emu::DispatchInfo info;
  info.buffers.push_back({spalt::emu::BufferForm::descriptor, 0, 0, reinterpret_cast<uint8_t*>(buffer.data()),
                          buffer.size() * 8, "buffer"});
  info.user_data = {0, 1, 2, 3, 4, 5, 6};
  info.step_limit = 2000;
  const auto outcome = spalt::emu::run_dispatch(shader, info);
  if (outcome.ok() || !outcome.error().message.empty()) return 0;
  std::fprintf(stderr, "an error without a cause\n");
  std::abort();
}
