// SPDX-License-Identifier: MIT
// Estimates of cycles as a caller of the public API asks for them.
#include <gtest/gtest.h>
#include <spalt/estimate.h>

#include <memory>
#include <string>
#include <vector>

namespace {

struct Deleter {
  void operator()(spalt_estimate* estimate) const { spalt_estimate_destroy(estimate); }
};
using Estimate = std::unique_ptr<spalt_estimate, Deleter>;

constexpr uint32_t kMov = 0x7e000281;  // v_mov_b32 v0, 1
constexpr uint32_t kEnd = 0xbf810000;  // s_endpgm

spalt_estimate_info info_for(const std::vector<uint32_t>& code) {
  spalt_estimate_info info{};
  info.struct_size = sizeof info;
  info.target = "gfx1030";
  info.code = code.data();
  info.size = code.size() * 4;
  return info;
}

spalt_estimated_program program_of(const Estimate& estimate) {
  spalt_estimated_program program{};
  program.struct_size = sizeof program;
  EXPECT_EQ(spalt_estimate_get_program(estimate.get(), 0, &program), SPALT_SUCCESS);
  return program;
}

std::string refusal(const spalt_estimate_info& info, spalt_result expected) {
  spalt_estimate* raw = nullptr;
  EXPECT_EQ(spalt_estimate_code(&info, &raw), expected);
  const Estimate estimate(raw);
  return spalt_estimate_message(raw);
}

TEST(ApiEstimate, BareCode) {
  const std::vector<uint32_t> code{kMov, kMov, kEnd};
  const spalt_estimate_info info = info_for(code);
  spalt_estimate* raw = nullptr;
  ASSERT_EQ(spalt_estimate_code(&info, &raw), SPALT_SUCCESS);
  const Estimate estimate(raw);
  EXPECT_EQ(spalt_estimate_program_count(raw), 1u);
  const spalt_estimated_program program = program_of(estimate);
  EXPECT_STREQ(program.name, "");
  EXPECT_STREQ(program.target, "gfx1030");
  EXPECT_EQ(program.wave_size, 32u);
  EXPECT_EQ(program.vgprs, 1u);
  EXPECT_EQ(program.waves, 16u);
  EXPECT_EQ(program.instructions, 3);
  EXPECT_EQ(program.busy[SPALT_UNIT_VECTOR], 2);
  EXPECT_EQ(program.block_count, 1u);
  spalt_estimated_block block{};
  block.struct_size = sizeof block;
  ASSERT_EQ(spalt_estimate_get_block(raw, 0, 0, &block), SPALT_SUCCESS);
  EXPECT_EQ(block.instruction_count, 3u);
  EXPECT_EQ(block.next_block, UINT32_MAX);
  EXPECT_EQ(block.times, 1);
  spalt_estimated_instruction instruction{};
  instruction.struct_size = sizeof instruction;
  ASSERT_EQ(spalt_estimate_get_instruction(raw, 0, 1, &instruction), SPALT_SUCCESS);
  EXPECT_STREQ(instruction.text, "v_mov_b32_e32 v0, 1");
  EXPECT_EQ(instruction.address, 4u);
  EXPECT_EQ(instruction.cycle, 1u);
}

TEST(ApiEstimate, TheCallerSaysWhatTheCodeDoesNot) {
  const std::vector<uint32_t> code{kEnd};
  spalt_estimate_info info = info_for(code);
  info.vgprs = 128;
  info.invocations = 8;
  spalt_estimate* raw = nullptr;
  ASSERT_EQ(spalt_estimate_code(&info, &raw), SPALT_SUCCESS);
  const Estimate estimate(raw);
  const spalt_estimated_program program = program_of(estimate);
  EXPECT_EQ(program.waves, 8u);
  EXPECT_EQ(program.throughput_per_64, program.throughput * 8);
}

TEST(ApiEstimate, Mistakes) {
  const std::vector<uint32_t> code{kEnd}, endless{kMov};
  spalt_estimate_info info = info_for(code);
  spalt_estimate* raw = nullptr;
  EXPECT_EQ(spalt_estimate_code(&info, nullptr), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_estimate_code(nullptr, &raw), SPALT_ERROR_INVALID_ARGUMENT);
  info.wave_size = 16;
  EXPECT_EQ(spalt_estimate_code(&info, &raw), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(raw, nullptr);

  info = info_for(code);
  info.target = "gfx700";
  EXPECT_EQ(refusal(info, SPALT_ERROR_UNSUPPORTED), "the target gfx700 is not supported");
  info = info_for(code);
  info.size = 3;
  EXPECT_EQ(refusal(info, SPALT_ERROR_INVALID_INPUT), "the code is not a whole number of dwords");
  info = info_for(code);
  info.vgprs = 257;
  EXPECT_EQ(refusal(info, SPALT_ERROR_INVALID_ARGUMENT), "a wave of the target cannot have so many registers");
  info = info_for(code);
  info.lds_bytes = 1 << 20;
  EXPECT_EQ(refusal(info, SPALT_ERROR_INVALID_ARGUMENT), "a workgroup of the target cannot have so much LDS");
  info = info_for(code);
  info.target = "gfx900";
  info.wave_size = 32;
  EXPECT_EQ(refusal(info, SPALT_ERROR_INVALID_ARGUMENT), "the target has no waves of 32 lanes");
  EXPECT_EQ(refusal(info_for(endless), SPALT_ERROR_INVALID_INPUT), "control leaves the code at its end");
  info = info_for(code);
  info.target = nullptr;
  EXPECT_NE(refusal(info, SPALT_ERROR_INVALID_INPUT), "");
}

TEST(ApiEstimate, NumbersThatAreTooHigh) {
  const std::vector<uint32_t> code{kEnd};
  const spalt_estimate_info info = info_for(code);
  spalt_estimate* raw = nullptr;
  ASSERT_EQ(spalt_estimate_code(&info, &raw), SPALT_SUCCESS);
  const Estimate estimate(raw);
  spalt_estimated_program program{};
  program.struct_size = sizeof program;
  spalt_estimated_block block{};
  block.struct_size = sizeof block;
  spalt_estimated_instruction instruction{};
  instruction.struct_size = sizeof instruction;
  EXPECT_EQ(spalt_estimate_get_program(raw, 1, &program), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_estimate_get_program(nullptr, 0, &program), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_estimate_get_program(raw, 0, nullptr), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_estimate_get_block(raw, 0, 1, &block), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_estimate_get_instruction(raw, 0, 1, &instruction), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(spalt_unit_name(SPALT_UNIT_VECTOR_MEMORY), "vector memory");
  EXPECT_STREQ(spalt_unit_name(SPALT_UNIT_COUNT), "");
  EXPECT_STREQ(spalt_stall_name(SPALT_STALL_MEMORY), "memory");
  EXPECT_STREQ(spalt_stall_name(SPALT_STALL_COUNT), "");
}

}  // namespace
