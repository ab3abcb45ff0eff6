// SPDX-License-Identifier: MIT
// What a wave starts with, and the public API: user data, spill table, grid dimensions, ids, partial waves, threads.
#include <gtest/gtest.h>
#include <spalt/emulator.h>

#include <cstring>

#include "amdgpu/object/link.h"
#include "assemble.h"

namespace spalt::emu::test {
namespace {

using U = uint32_t;

/// Every thread stores one record of four dwords, prepared in v[4:7], at its global flat index (v1).
const std::string kStoreRecord =
    "v_lshlrev_b32 v1, 4, v1\nbuffer_store_dwordx4 v[4:7], v1, s[8:11], 0 offen\ns_endpgm\n";

TEST(Dispatch, IdsAndPartialWaves) {
  for (const unsigned wave_size : {32u, 64u}) {
    // Workgroup 5 x 3 x 5 = 75 threads in a grid of 2 x 3 x 2; system SGPRs s2, s3, s4 and the group size in s5.
    object::StageObject shader = make_shader(
        "s_mov_b32 s12, s4\ns_mov_b32 s13, s5\n" + load_descriptors(1) +
            "v_mul_u32_u24 v3, 15, v2\nv_mad_u32_u24 v3, 5, v1, v3\nv_add_nc_u32 v3, v3, v0\n"  // flat local id
            "s_mul_i32 s14, s12, 3\ns_add_u32 s14, s14, s3\ns_mul_i32 s14, s14, 2\ns_add_u32 s14, s14, s2\n"
            "s_mul_i32 s14, s14, 75\n"
            "v_lshl_or_b32 v4, v1, 8, v0\nv_lshl_or_b32 v4, v2, 16, v4\ns_lshl_b32 s15, s3, 8\ns_or_b32 s15, s15, s2\n"
            "s_lshl_b32 s16, s12, 16\ns_or_b32 s15, s15, s16\nv_mov_b32 v5, s15\nv_mov_b32 v6, s13\nv_mov_b32 v7, 1\n"
            "v_add_nc_u32 v1, s14, v3\n" +
            kStoreRecord,
        wave_size, 1);
    shader.threadgroup_dims = {5, 3, 5};
    shader.tgid_y_en = shader.tgid_z_en = shader.tg_size_en = true;
    shader.tidig_comp_cnt = 2;
    std::vector<U> out(75 * 12 * 4, 0);
    DispatchInfo info = make_dispatch({&out});
    info.grid = {2, 3, 2};
    info.threads = 4;
    const Result<DispatchOutcome> outcome = run_dispatch(shader, info);
    ASSERT_TRUE(outcome.ok()) << outcome.error().message;
    ASSERT_EQ(outcome->fault, "");
    const unsigned waves = (75 + wave_size - 1) / wave_size;
    for (unsigned group = 0; group < 12; ++group) {
      for (unsigned i = 0; i < 75; ++i) {
        const U* record = &out[(group * 75 + i) * 4];
        EXPECT_EQ(record[0], i % 5 | i / 5 % 3 << 8 | i / 15 << 16);
        EXPECT_EQ(record[1], group % 2 | group / 2 % 3 << 8 | group / 6 << 16);
        EXPECT_EQ(record[2] & 63, waves);
        EXPECT_EQ(record[2] >> 20 & 31, i / wave_size);
        EXPECT_EQ(record[3], 1u);
      }
    }
  }
}

/// All waves of a workgroup run at once, so that their registers must fit the compute unit.
TEST(Dispatch, WavesOfALargeGroupShareTheRegisters) {
  std::vector<U> out(4, 0);
  const auto run = [&](uint32_t lanes, uint32_t vgprs, bool wgp_mode) {
    object::StageObject shader = make_shader("s_endpgm\n", 32, 1);
    shader.threadgroup_dims = {lanes, 1, 1};
    shader.vgpr_count = vgprs;
    shader.wgp_mode = wgp_mode;
    const Result<DispatchOutcome> outcome = run_dispatch(shader, make_dispatch({&out}));
    return outcome.ok() ? "" : outcome.error().message;
  };
  const std::string reason = "the waves of a workgroup need more vector registers than a compute unit has";
  EXPECT_EQ(run(1024, 64, false), "");
  EXPECT_EQ(run(1024, 65, false), reason);
  EXPECT_EQ(run(1024, 128, true), "");
  EXPECT_EQ(run(1024, 129, true), reason);
  EXPECT_EQ(run(256, 256, false), "");
}

object::StageObject user_data_shader() {
  object::StageObject shader = make_shader(
      "s_getpc_b64 s[6:7]\ns_load_dwordx2 s[20:21], s[2:3], 0x0\ns_load_dword s22, s[2:3], 0x8\n"
      "s_mov_b32 s6, s4\ns_load_dword s23, s[6:7], 0x8\n"  // spilled entry 2
      "s_waitcnt lgkmcnt(0)\ns_mov_b32 s6, s1\ns_load_dwordx4 s[8:11], s[6:7], 0x20\ns_waitcnt lgkmcnt(0)\n"
      "s_mul_i32 s20, s20, s21\ns_mul_i32 s20, s20, s22\nv_mov_b32 v4, s20\nv_mov_b32 v5, s23\nv_mov_b32 v6, s5\n"
      "v_mov_b32 v7, 9\nv_mov_b32 v1, s12\n" +
          kStoreRecord,
      32, 1);
  shader.user_sgprs = 12;
  shader.user_data_reg_map[1] = 5;
  shader.user_data_reg_map[2] = shader.user_data_reg_map[3] = abi::kWorkgroup;
  shader.user_data_reg_map[4] = abi::kSpillTable;
  shader.user_data_reg_map[5] = 1;
  shader.user_data_limit = 6;
  shader.spill_threshold = 2;
  return shader;
}

TEST(Dispatch, UserData) {
  const object::StageObject shader = user_data_shader();
  std::vector<U> out(4 * 4, 0);
  DispatchInfo info = make_dispatch({&out});
  info.buffers[0].entry = 5;
  info.buffers[0].offset = 0x20;
  info.user_data = {100, 101, 102, 103, 104, 0};
  info.grid = {4, 1, 1};
  const Result<DispatchOutcome> outcome = run_dispatch(shader, info);
  ASSERT_TRUE(outcome.ok());
  ASSERT_EQ(outcome->fault, "");
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_EQ(out[4 * i], 4u) << "number of workgroups";
    EXPECT_EQ(out[4 * i + 1], 102u) << "spilled entry";
    EXPECT_EQ(out[4 * i + 2], 101u) << "entry in a register";
    EXPECT_EQ(out[4 * i + 3], 9u);
  }
}

TEST(Dispatch, ResultsDoNotDependOnThreads) {
  // Workgroups count into one place and keep what they saw in another: only the sum is defined.
  const std::string text = load_descriptors(2) +
                           "v_mov_b32 v2, 0\nv_mov_b32 v3, 1\nbuffer_atomic_add v3, v2, s[8:11], 0 offen\n"
                           "s_lshl_b32 s20, s2, 7\nv_lshl_add_u32 v1, v0, 2, s20\nv_mul_lo_u32 v4, v1, v1\n"
                           "buffer_store_dword v4, v1, s[12:15], 0 offen\ns_endpgm\n";
  const object::StageObject shader = make_shader(text, 32, 32);
  for (const unsigned threads : {1u, 2u, 7u}) {
    std::vector<U> counter(4, 0), out(32 * 200, 0);
    DispatchInfo info = make_dispatch({&counter, &out});
    info.grid = {200, 1, 1};
    info.threads = threads;
    const Result<DispatchOutcome> outcome = run_dispatch(shader, info);
    ASSERT_TRUE(outcome.ok());
    EXPECT_EQ(outcome->fault, "");
    EXPECT_EQ(counter[0], 6400u);
    for (U i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], 16 * i * i);
    EXPECT_EQ(outcome->statistics.executed[static_cast<size_t>(StepClass::vmem_atomic)], 200u);
  }
}

TEST(Dispatch, TheFirstFaultIsReportedWhateverTheThreads) {
  // Workgroups from 10 on fault.
  const std::string text = load_descriptors(1) +
                           "s_cmp_lt_u32 s2, 10\ns_cbranch_scc1 end\ns_mov_b64 s[20:21], 0\n"
                           "s_load_dword s22, s[20:21], 0x0\nend:\ns_endpgm\n";
  const object::StageObject shader = make_shader(text, 32, 32);
  for (const unsigned threads : {1u, 8u}) {
    std::vector<U> out(4, 0);
    DispatchInfo info = make_dispatch({&out});
    info.grid = {100, 1, 1};
    info.threads = threads;
    const Result<DispatchOutcome> outcome = run_dispatch(shader, info);
    ASSERT_TRUE(outcome.ok());
    EXPECT_NE(outcome->fault.find("workgroup (10, 0, 0)"), std::string::npos) << outcome->fault;
  }
}

// ---- public API ----

class Api : public testing::Test {
 protected:
  Api() { EXPECT_EQ(spalt_emulator_create(&emulator_), SPALT_SUCCESS); }
  ~Api() override { spalt_emulator_destroy(emulator_); }
  void load(const object::StageObject& shader) {
    const Result<object::Bytes> elf = object::link_stages({&shader, 1}, object::MetadataVersion::v3_0);
    ASSERT_TRUE(elf.ok());
    ASSERT_EQ(spalt_emulator_load(emulator_, elf->data(), elf->size()), SPALT_SUCCESS)
        << spalt_emulator_diagnostic(emulator_);
  }
  spalt_result dispatch(U x, U y = 1, U z = 1) {
    spalt_emulator_dispatch_info info{};
    info.struct_size = sizeof info;
    info.grid[0] = x;
    info.grid[1] = y;
    info.grid[2] = z;
    info.step_limit = 10000;
    return spalt_emulator_dispatch(emulator_, &info);
  }
  spalt_emulator* emulator_ = nullptr;
};

TEST_F(Api, RunsAnElfWithLayoutBuffersAndPushConstants) {
  load(user_data_shader());
  std::vector<U> out(16, 0);
  const U push[] = {50, 51, 52};
  const spalt_binding_location location = {3, 7, 2, 5, 0x10, 0x10, SPALT_BINDING_RAW_BUFFER, nullptr};
  spalt_user_data_layout layout{};
  layout.struct_size = sizeof layout;
  layout.bindings = &location;
  layout.binding_count = 1;
  layout.binding_size = sizeof location;
  layout.push_constant_dwords = 3;
  ASSERT_EQ(spalt_emulator_set_layout(emulator_, &layout), SPALT_SUCCESS);
  ASSERT_EQ(spalt_emulator_set_buffer(emulator_, 3, 7, 1, out.data(), out.size() * 4), SPALT_SUCCESS);
  ASSERT_EQ(spalt_emulator_set_push_constants(emulator_, push, sizeof push), SPALT_SUCCESS);
  ASSERT_EQ(dispatch(2), SPALT_SUCCESS) << spalt_emulator_diagnostic(emulator_);
  EXPECT_EQ(out[0], 2u);
  EXPECT_EQ(out[1], 52u);
  EXPECT_EQ(out[2], 51u);
  EXPECT_EQ(out[7], 9u);
  EXPECT_EQ(out[8], 0u);
  spalt_counters statistics{};
  statistics.struct_size = sizeof statistics;
  ASSERT_EQ(spalt_emulator_counters(emulator_, &statistics), SPALT_SUCCESS);
  EXPECT_EQ(statistics.vmem_stores, 2u);
  EXPECT_EQ(statistics.smem, 8u);
  EXPECT_GT(statistics.instructions, 20u);
  spalt_program_info program{};
  program.struct_size = sizeof program;
  ASSERT_EQ(spalt_emulator_program(emulator_, &program), SPALT_SUCCESS);
  EXPECT_EQ(program.wave_size, 32u);
}

TEST_F(Api, UnalignedMemoryIsCopiedInAndOut) {
  object::StageObject shader = make_shader(load_descriptors(1) +
                                               "v_lshlrev_b32 v1, 2, v0\n"
                                               "buffer_load_dword v2, v1, s[8:11], 0 offen\ns_waitcnt vmcnt(0)\n"
                                               "v_add_nc_u32 v2, 1, v2\nbuffer_store_dword v2, v1, s[8:11], 0 offen\n"
                                               "s_endpgm\n",
                                           32, 32);
  load(shader);
  std::vector<uint8_t> bytes(32 * 4 + 8, 0);
  uint8_t* odd = bytes.data() + 3;
  for (U i = 0; i < 32; ++i) std::memcpy(odd + 4 * i, &i, 4);
  ASSERT_EQ(spalt_emulator_set_buffer(emulator_, 0, 0, 0, odd, 128), SPALT_SUCCESS);
  ASSERT_EQ(dispatch(1), SPALT_SUCCESS) << spalt_emulator_diagnostic(emulator_);
  for (U i = 0; i < 32; ++i) {
    U value;
    std::memcpy(&value, odd + 4 * i, 4);
    EXPECT_EQ(value, i + 1);
  }
}

TEST_F(Api, FaultsAreExecutionErrorsWithDiagnostics) {
  load(make_shader("loop:\ns_branch loop\n", 32, 32));
  EXPECT_EQ(dispatch(1), SPALT_ERROR_EXECUTION);
  EXPECT_NE(std::string(spalt_emulator_diagnostic(emulator_)).find("endless loop"), std::string::npos);
}

TEST_F(Api, BadArguments) {
  EXPECT_EQ(spalt_emulator_create(nullptr), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_emulator_load(nullptr, nullptr, 0), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_emulator_load(emulator_, nullptr, 0), SPALT_ERROR_INVALID_ARGUMENT);
  const char junk[] = "this is no ELF file, however long one looks at it, and reading it must end in an error";
  EXPECT_EQ(spalt_emulator_load(emulator_, junk, sizeof junk), SPALT_ERROR_INVALID_INPUT);
  EXPECT_NE(*spalt_emulator_diagnostic(emulator_), '\0');
  EXPECT_EQ(dispatch(1), SPALT_ERROR_INVALID_ARGUMENT) << "nothing is loaded";
  EXPECT_EQ(spalt_emulator_dispatch(emulator_, nullptr), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_emulator_set_buffer(emulator_, 0, 0, 0, nullptr, 4), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_emulator_set_buffer(emulator_, 0, 0, ~0u, nullptr, 0), SPALT_ERROR_LIMIT_EXCEEDED);
  EXPECT_EQ(spalt_emulator_set_push_constants(emulator_, nullptr, 4), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_emulator_counters(emulator_, nullptr), SPALT_ERROR_INVALID_ARGUMENT);
  load(make_shader("s_endpgm\n", 32, 32));
  spalt_binding_location location = {0, 0, 1, 100000, 0, 16, SPALT_BINDING_RAW_BUFFER, nullptr};
  spalt_user_data_layout layout{};
  layout.struct_size = sizeof layout;
  layout.bindings = &location;
  layout.binding_count = 1;
  layout.binding_size = sizeof location;
  ASSERT_EQ(spalt_emulator_set_layout(emulator_, &layout), SPALT_SUCCESS);
  EXPECT_EQ(dispatch(1), SPALT_ERROR_INVALID_ARGUMENT);
  ASSERT_EQ(spalt_emulator_set_layout(emulator_, nullptr), SPALT_SUCCESS);
  EXPECT_EQ(dispatch(1), SPALT_SUCCESS);
}

}  // namespace
}  // namespace spalt::emu::test
