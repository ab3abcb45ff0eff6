// SPDX-License-Identifier: MIT
#include "assemble.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "amdgpu/isa/text/assembler.h"

namespace spalt::emu::test {
namespace {

constexpr unsigned kVgprs = 64;
constexpr uint32_t kOutputBinding = 1;

std::string number(unsigned value) {
  return std::to_string(value);
}

}  // namespace

std::vector<uint8_t> assemble(const std::string& text, unsigned wave_size, const char* target) {
  const auto code = isa::assemble(text, *isa::find_target(target), wave_size);
  if (!code.ok()) {
    ADD_FAILURE() << isa::located_message(code.error()) << "\n" << text;
    return {};
  }
  std::vector<uint8_t> bytes(code->words.size() * 4);
  std::memcpy(bytes.data(), code->words.data(), bytes.size());
  return bytes;
}

object::StageObject make_shader(const std::string& text, unsigned wave_size, unsigned threads, const char* target) {
  object::StageObject shader;
  shader.target_name = target;
  shader.code.assign(assemble(text, wave_size, target));
  shader.wave_size = wave_size;
  shader.vgpr_count = kVgprs;
  shader.sgpr_count = 100;
  shader.threadgroup_dims = {threads, 1, 1};
  shader.user_sgprs = 2;
  shader.user_data_reg_map[0] = abi::kGlobalTable;
  shader.user_data_reg_map[1] = 0;
  shader.tgid_y_en = shader.tgid_z_en = false;
  shader.user_data_limit = 1;
  shader.float_mode = 0xf0;
  return shader;
}

DispatchInfo make_dispatch(std::vector<std::vector<uint32_t>*> buffers) {
  DispatchInfo info;
  for (size_t i = 0; i < buffers.size(); ++i) {
    BufferBinding binding;
    binding.entry = 0;
    binding.offset = static_cast<uint32_t>(16 * i);
    binding.data = reinterpret_cast<uint8_t*>(buffers[i]->data());
    binding.size = buffers[i]->size() * 4;
    binding.name = "binding " + std::to_string(i);
    info.buffers.push_back(binding);
  }
  info.user_data = {0};
  return info;
}

std::string load_descriptors(unsigned count, const char* target) {
  const isa::Target& facts = *isa::find_target(target);
  const std::string load = isa::info(isa::Opcode::s_load_dwordx4, facts.generation).name;
  std::string text = "s_getpc_b64 s[4:5]\ns_mov_b32 s4, s1\n";
  for (unsigned i = 0; i < count; ++i) {
    text += load + " s[" + number(8 + 4 * i) + ":" + number(11 + 4 * i) + "], s[4:5], " + number(16 * i) + "\n";
  }
  return text + (facts.has_kmcnt ? "s_wait_kmcnt 0x0\n" : "s_waitcnt lgkmcnt(0)\n");
}

std::vector<uint32_t> LaneProgram::run(const std::vector<uint32_t>& inputs) const {
  constexpr unsigned kThreads = 64;
  const size_t elements = inputs.size() / input_dwords;
  const size_t groups = (elements + kThreads - 1) / kThreads;
  std::vector<uint32_t> in(groups * kThreads * input_dwords, 0), out(groups * kThreads * output_dwords, 0);
  std::copy(inputs.begin(), inputs.end(), in.begin());

  std::string text = load_descriptors(kOutputBinding + 1);
  text += "s_lshl_b32 s3, s2, 6\nv_add_nc_u32 v1, s3, v0\n";
  text += "v_mul_lo_u32 v2, v1, " + number(input_dwords * 4) + "\n";
  for (unsigned i = 0; i < input_dwords; ++i) {
    text += "buffer_load_dword v" + number(4 + i) + ", v2, s[8:11], 0 offen offset:" + number(4 * i) + "\n";
  }
  text += "s_waitcnt vmcnt(0)\n" + body + "\n";
  text += "v_mul_lo_u32 v2, v1, " + number(output_dwords * 4) + "\n";
  for (unsigned i = 0; i < output_dwords; ++i) {
    text += "buffer_store_dword v" + number(16 + i) + ", v2, s[12:15], 0 offen offset:" + number(4 * i) + "\n";
  }
  object::StageObject shader = make_shader(text + "s_endpgm\n", wave_size, kThreads);
  shader.float_mode = float_mode;
  shader.ieee_mode = ieee;
  if (shader.code.empty()) return {};
  DispatchInfo info = make_dispatch({&in, &out});
  info.grid = {static_cast<uint32_t>(groups), 1, 1};
  const Result<DispatchOutcome> outcome = run_dispatch(shader, info);
  if (!outcome.ok()) {
    ADD_FAILURE() << outcome.error().message;
    return {};
  }
  EXPECT_EQ(outcome->fault, "");
  out.resize(elements * output_dwords);
  return out;
}

std::string run_snippet(const std::string& body, std::vector<std::vector<uint32_t>*> buffers, unsigned wave_size,
                        uint32_t lds_bytes, unsigned threads, const char* target) {
  const auto count = static_cast<unsigned>(buffers.size());
  object::StageObject shader = make_shader(load_descriptors(count, target) + body + "\ns_endpgm\n", wave_size,
                                           threads == 0 ? wave_size : threads, target);
  if (shader.code.empty()) return "not assembled";
  shader.lds_bytes = lds_bytes;
  DispatchInfo info = make_dispatch(std::move(buffers));
  info.step_limit = 100000;
  const Result<DispatchOutcome> outcome = run_dispatch(shader, info);
  return outcome.ok() ? outcome->fault : outcome.error().message;
}

std::vector<uint32_t> interesting_u32(size_t count, uint32_t seed) {
  std::vector<uint32_t> values = {0u,          1u,          2u,          31u,         32u,         0x7fu,
                                  0x80u,       0xffu,       0x7fffu,     0x8000u,     0xffffu,     0x10000u,
                                  0x7fffffu,   0x800000u,   0xffffffu,   0x1000000u,  0x7fffffffu, 0x80000000u,
                                  0x80000001u, 0xfffffffeu, 0xffffffffu, 0x55555555u, 0xaaaaaaaau, 0x12345678u};
  std::mt19937 random(seed);
  while (values.size() < count) values.push_back(static_cast<uint32_t>(random()));
  std::shuffle(values.begin(), values.end(), random);
  values.resize(count);
  return values;
}

std::vector<uint32_t> interesting_f32(size_t count, uint32_t seed) {
  std::vector<uint32_t> values = {0u,          0x80000000u, 1u,          0x80000001u, 0x007fffffu, 0x00800000u,
                                  0x807fffffu, 0x3f800000u, 0xbf800000u, 0x7f7fffffu, 0xff7fffffu, 0x7f800000u,
                                  0xff800000u, 0x7fc00000u, 0x3f000000u, 0x40490fdbu, 0x4b000000u, 0x4b800001u,
                                  0x4f000000u, 0xcf000000u, 0x4f800000u, 0x3fc00000u, 0x40200000u, 0xc0200000u};
  std::mt19937 random(seed);
  while (values.size() < count) {
    const auto bits = static_cast<uint32_t>(random());
    // Every other value has an exponent near zero, where most arithmetic happens.
    values.push_back(values.size() % 2 == 0 ? bits : (bits & 0x807fffffu) | (120 + bits % 16) << 23);
  }
  std::shuffle(values.begin(), values.end(), random);
  values.resize(count);
  return values;
}

}  // namespace spalt::emu::test
