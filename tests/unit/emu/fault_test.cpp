// SPDX-License-Identifier: MIT
// What the emulator refuses: bounds, unknown instructions, endless programs, hostile code bytes.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "amdgpu/isa/codec/codec.h"
#include "assemble.h"

namespace spalt::emu::test {
namespace {

void expect_part(const std::string& fault, const std::string& part) {
  EXPECT_NE(fault.find(part), std::string::npos) << "got \"" << fault << "\", want \"" << part << "\"";
}

TEST(Fault, NamesWorkgroupWavePcAndAssembly) {
  std::vector<uint32_t> buffer(4, 0);
  const std::string fault =
      run_snippet("v_mov_b32 v4, 0x10\nv_mov_b32 v5, 0x20\nglobal_load_dword v6, v[4:5], off", {&buffer});
  expect_part(fault, "workgroup (0, 0, 0) wave 0: pc 0x");
  expect_part(fault, "global_load_dword v6, v[4:5], off");
  expect_part(fault, "loads 4 bytes at 0x2000000010, outside any mapping, ");
}

/// Runs a snippet on one buffer of four dwords and returns what the fault says as data.
Fault record_of(const std::string& body) {
  std::vector<uint32_t> buffer(4, 0);
  const object::StageObject shader = make_shader(load_descriptors(1) + body + "\ns_endpgm\n", 32, 32);
  const Result<DispatchOutcome> outcome = run_dispatch(shader, make_dispatch({&buffer}));
  return outcome.ok() ? outcome->record : Fault();
}

TEST(Fault, TheRecordHasTheAccessAsData) {
  // Lane 5 and all after it leave the buffer; lanes 0 to 4 do not run.
  const Fault fault = record_of(
      "v_lshlrev_b32 v1, 2, v0\nv_add_co_u32 v4, vcc_lo, s8, v1\nv_mov_b32 v5, s9\ns_mov_b32 exec_lo, 0xffffffe0\n"
      "global_store_dwordx2 v[4:5], v[6:7], off offset:4");
  EXPECT_EQ(fault.kind, FaultKind::unmapped);
  EXPECT_EQ(fault.access, AccessKind::store);
  EXPECT_EQ(fault.bytes, 8u);
  EXPECT_EQ(fault.lane, 5);
  EXPECT_EQ(fault.mapping, "binding 0");
  EXPECT_EQ(fault.mapping_bytes, 16u);
  EXPECT_EQ(fault.address, fault.mapping_base + 24);
  EXPECT_EQ(fault.code % 0x10000, fault.pc % 0x10000);
  EXPECT_EQ(fault.assembly, "global_store_dwordx2 v[4:5], v[6:7], off offset:4");
  expect_part(fault.message(), "outside any mapping, 8 bytes past the end of \"binding 0\" (lane 5)");
}

TEST(Fault, AnAccessThatBeginsInsideSaysHowMuchIsOutside) {
  const Fault fault =
      record_of("v_mov_b32 v4, s8\nv_mov_b32 v5, s9\nglobal_load_dwordx4 v[8:11], v[4:5], off offset:4");
  EXPECT_EQ(fault.kind, FaultKind::unmapped);
  EXPECT_EQ(fault.address, fault.mapping_base + 4);
  expect_part(fault.message(), "outside any mapping, the last 4 of them past the end of \"binding 0\" (lane 0)");
}

TEST(Fault, KindsTellWhatBroke) {
  EXPECT_EQ(record_of("v_mov_b32 v2, s4\nv_mov_b32 v3, s5\nglobal_store_dword v[2:3], v0, off").kind,
            FaultKind::read_only);
  EXPECT_EQ(record_of("v_mov_b32 v1, 0x100\nds_write_b32 v1, v0").kind, FaultKind::lds_bounds);
  EXPECT_EQ(record_of("v_mov_b32 v1, 2\nbuffer_atomic_add v0, v1, s[8:11], 0 offen").kind, FaultKind::misaligned);
  EXPECT_EQ(record_of(".long 0xffffffff").kind, FaultKind::invalid_instruction);
  EXPECT_EQ(record_of("s_branch 0x7000").kind, FaultKind::invalid_jump);
  EXPECT_EQ(record_of("s_load_dword s20, s[4:5], 0x0\ns_mov_b32 s21, s20").kind, FaultKind::missing_wait);
  EXPECT_EQ(record_of("s_clause 0x1\ns_mov_b32 s20, 0").kind, FaultKind::hazard);
  EXPECT_EQ(record_of("s_sethalt 1").kind, FaultKind::never_ends);
  EXPECT_EQ(record_of("s_nop 0").kind, FaultKind::none);
}

TEST(Fault, BufferBoundsAreExact) {
  // Raw range checks: loads give zero and stores vanish, component by component.
  std::vector<uint32_t> in = {1, 2, 3, 4, 5, 6}, out(64, 9);
  const std::string text =
      "v_mov_b32 v1, 16\nbuffer_load_dwordx4 v[4:7], v1, s[8:11], 0 offen\ns_waitcnt vmcnt(0)\nv_mov_b32 v1, 0\n"
      "buffer_store_dwordx4 v[4:7], v1, s[12:15], 0 offen\nv_mov_b32 v1, 0x100\n"
      "buffer_store_dword v4, v1, s[12:15], 0 offen\n";
  EXPECT_EQ(run_snippet(text, {&in, &out}), "");
  EXPECT_EQ(out[0], 5u);
  EXPECT_EQ(out[1], 6u);
  EXPECT_EQ(out[2], 0u);
  EXPECT_EQ(out[3], 0u);
  EXPECT_EQ(out[4], 9u);
}

TEST(Fault, ADescriptorThatSaysTooMuchIsCaught) {
  std::vector<uint32_t> buffer(16, 0);
  const std::string fault =
      run_snippet("s_mov_b32 s10, 0x1000\nv_mov_b32 v1, 64\nbuffer_load_dword v2, v1, s[8:11], 0 offen", {&buffer});
  expect_part(fault, "outside any mapping");
  // One byte less fits.
  EXPECT_EQ(
      run_snippet("s_mov_b32 s10, 0x1000\nv_mov_b32 v1, 60\nbuffer_load_dword v2, v1, s[8:11], 0 offen", {&buffer}),
      "");
}

TEST(Fault, ScalarLoadsAreBoundedToo) {
  std::vector<uint32_t> buffer(4, 0);
  expect_part(run_snippet("s_mov_b64 s[20:21], 0x40\ns_load_dword s22, s[20:21], 0x0", {&buffer}),
              "loads 4 bytes at 0x40, outside any mapping");
  // A buffer load out of range gives zero.
  EXPECT_EQ(run_snippet("s_buffer_load_dwordx2 s[20:21], s[8:11], 0x100", {&buffer}), "");
}

TEST(Fault, LdsBoundsAreExact) {
  std::vector<uint32_t> buffer(4, 0);
  expect_part(run_snippet("v_mov_b32 v1, 0x100\nds_write_b32 v1, v0", {&buffer}, 32, 256), "of 256");
  EXPECT_EQ(run_snippet("v_mov_b32 v1, 0xfc\nds_write_b32 v1, v0", {&buffer}, 32, 256), "");
  expect_part(run_snippet("v_mov_b32 v1, 0xfc\nds_read_b64 v[2:3], v1", {&buffer}, 32, 256),
              "accesses LDS bytes 252 to 260");
  expect_part(run_snippet("v_mov_b32 v1, -4\nds_read_b32 v2, v1", {&buffer}, 32, 256), "LDS");
}

TEST(Fault, TablesAreReadOnly) {
  std::vector<uint32_t> buffer(4, 0);
  expect_part(run_snippet("v_mov_b32 v2, s4\nv_mov_b32 v3, s5\nglobal_store_dword v[2:3], v0, off", {&buffer}),
              "read-only");
}

TEST(Fault, UnknownAndUnsupportedInstructions) {
  std::vector<uint32_t> buffer(4, 0);
  expect_part(run_snippet(".long 0xffffffff", {&buffer}), "is an unknown instruction");
  expect_part(run_snippet("s_rfe_b64 s[0:1]", {&buffer}), "is not executed by the emulator");
  expect_part(run_snippet("exp mrt0 v0, v0, v0, v0 done vm", {&buffer}), "exports from a wave that belongs to no draw");
  expect_part(run_snippet("ds_gws_init v0 gds", {&buffer}), "accesses GDS, which no dispatch has");
  expect_part(run_snippet("v_mov_b32 v200, 0", {&buffer}), "beyond those that the metadata allocates");
  // What is never reached does not matter.
  EXPECT_EQ(run_snippet("s_endpgm\n.long 0xffffffff", {&buffer}), "");
}

TEST(Fault, Jumps) {
  std::vector<uint32_t> buffer(4, 0);
  expect_part(run_snippet("s_branch 0x7000", {&buffer}), "branches to an address where no instruction starts");
  expect_part(run_snippet("s_mov_b64 s[20:21], 0\ns_setpc_b64 s[20:21]", {&buffer}), "jumps to an address");
  // Into the literal of a two-dword instruction.
  expect_part(run_snippet("s_branch 1\ns_mov_b32 s20, 0x12345678", {&buffer}), "branches to an address");
  // Over the end.
  std::vector<uint32_t> dummy(4, 0);
  object::StageObject shader = make_shader("v_mov_b32 v1, 0", 32, 32);
  DispatchInfo info = make_dispatch({&dummy});
  const Result<DispatchOutcome> outcome = run_dispatch(shader, info);
  ASSERT_TRUE(outcome.ok());
  expect_part(outcome->fault, "runs past the end of the code");
}

TEST(Fault, EndlessLoop) {
  std::vector<uint32_t> buffer(4, 0);
  expect_part(run_snippet("loop:\ns_branch loop", {&buffer}), "endless loop: executed more than 100000 instructions");
  // A long one is fine.
  EXPECT_EQ(
      run_snippet("s_movk_i32 s20, 0x4000\nloop:\ns_sub_u32 s20, s20, 1\ns_cmp_lg_u32 s20, 0\ns_cbranch_scc1 loop",
                  {&buffer}),
      "");
}

TEST(Fault, BarrierThatCannotComplete) {
  std::vector<uint32_t> buffer(4, 0);
  const std::string text =
      "v_cmp_gt_u32 vcc_lo, 32, v0\ns_cbranch_vccnz spin\ns_barrier\ns_endpgm\nspin:\ns_sleep 1\ns_branch spin\n";
  const std::string fault = run_snippet(text, {&buffer}, 32, 0, 64);
  expect_part(fault, "while 1 waves wait at a barrier that cannot complete");
  expect_part(fault, "wave 0");
}

TEST(Fault, EndedWavesDoNotHoldABarrier) {
  std::vector<uint32_t> buffer(4, 0);
  EXPECT_EQ(run_snippet("v_cmp_gt_u32 vcc_lo, 32, v0\ns_cbranch_vccnz end\ns_barrier\nend:\n", {&buffer}, 32, 0, 64),
            "");
}

TEST(Fault, UnalignedAtomics) {
  std::vector<uint32_t> buffer(4, 0);
  expect_part(run_snippet("v_mov_b32 v1, 2\nbuffer_atomic_add v0, v1, s[8:11], 0 offen", {&buffer}), "unaligned");
}

TEST(Fault, WaveSizesThatTheProcessorLacks) {
  std::vector<uint32_t> buffer(4, 0);
  object::StageObject shader = make_shader("s_endpgm", 64, 64, "gfx900");
  EXPECT_TRUE(run_dispatch(shader, make_dispatch({&buffer})).ok());
  shader.wave_size = 32;
  const Result<DispatchOutcome> outcome = run_dispatch(shader, make_dispatch({&buffer}));
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().status, Status::invalid_input);
  EXPECT_EQ(outcome.error().message, "gfx900 has no waves of 32 lanes");
}

TEST(Fault, ArbitraryCodeBytesNeverCrash) {
  std::mt19937 random(7);
  std::vector<uint32_t> buffer(64, 0);
  object::StageObject shader = make_shader("s_endpgm", 64, 64);
  shader.lds_bytes = 1024;
  for (unsigned round = 0; round < 3000; ++round) {
    shader.wave_size = round % 2 == 0 ? 32 : 64;
    shader.code.resize(256);
    for (size_t i = 0; i < shader.code.size(); i += 4) {
      auto word = static_cast<uint32_t>(random());
      // Half of the words start like a plausible format.
      if (random() % 2 == 0) word = (word & 0x01ffffff) | (random() % 128) << 25;
      std::memcpy(&shader.code[i], &word, 4);
    }
    DispatchInfo info = make_dispatch({&buffer});
    info.step_limit = 2000;
    const Result<DispatchOutcome> outcome = run_dispatch(shader, info);
    EXPECT_TRUE(outcome.ok());
  }
}

/// A random word that starts an instruction, of a kind that lets the wave go on.
uint32_t decodable_word(std::mt19937& random, const isa::Target& target, unsigned wave_size) {
  for (;;) {
    const auto first = static_cast<uint32_t>((random() & 0x01ffffff) | (random() % 128) << 25);
    const uint32_t words[5] = {first, static_cast<uint32_t>(random()), 0, 0, 0};
    const Result<isa::Inst> inst = isa::decode(words, target, wave_size);
    if (!inst.ok()) continue;
    const isa::OpcodeInfo& info = isa::info(inst->opcode);
    if (!info.has(isa::kBranch | isa::kTerminator) && !info.has(isa::kVmem | isa::kSmem | isa::kLds)) return words[0];
    if (random() % 64 == 0) return words[0];
  }
}

TEST(Fault, DecodableCodeNeverCrashes) {
  std::mt19937 random(8);
  std::vector<uint32_t> buffer(64, 0);
  object::StageObject shader = make_shader("s_endpgm", 64, 64);
  shader.lds_bytes = 65536;
  shader.vgpr_count = 256;
  const isa::Target& target = *isa::find_target("gfx1030");
  for (unsigned round = 0; round < 1500; ++round) {
    shader.wave_size = round % 2 == 0 ? 32 : 64;
    shader.code.resize(512);
    for (size_t i = 0; i < shader.code.size(); i += 4) {
      const uint32_t word = decodable_word(random, target, shader.wave_size);
      std::memcpy(&shader.code[i], &word, 4);
    }
    DispatchInfo info = make_dispatch({&buffer});
    info.step_limit = 2000;
    const Result<DispatchOutcome> outcome = run_dispatch(shader, info);
    ASSERT_TRUE(outcome.ok());
  }
}

TEST(Fault, MetadataThatCannotBe) {
  std::vector<uint32_t> buffer(4, 0);
  const auto status = [&buffer](auto change) {
    object::StageObject shader = make_shader("s_endpgm", 32, 32);
    DispatchInfo info = make_dispatch({&buffer});
    change(shader, info);
    const Result<DispatchOutcome> outcome = run_dispatch(shader, info);
    return outcome.ok() ? Status::ok : outcome.error().status;
  };
  using S = object::StageObject;
  EXPECT_EQ(status([](S&, DispatchInfo&) {}), Status::ok);
  EXPECT_EQ(status([](S& s, DispatchInfo&) { s.threadgroup_dims = {0, 1, 1}; }), Status::invalid_input);
  EXPECT_EQ(status([](S& s, DispatchInfo&) { s.threadgroup_dims = {1024, 1024, 1024}; }), Status::invalid_input);
  EXPECT_EQ(status([](S& s, DispatchInfo&) { s.vgpr_count = 100000; }), Status::invalid_input);
  EXPECT_EQ(status([](S& s, DispatchInfo&) { s.lds_bytes = 0xffffffff; }), Status::invalid_input);
  EXPECT_EQ(status([](S& s, DispatchInfo&) { s.user_sgprs = 200; }), Status::invalid_input);
  EXPECT_EQ(status([](S& s, DispatchInfo&) { s.entry_offset = 4096; }), Status::invalid_input);
  EXPECT_EQ(status([](S& s, DispatchInfo&) { s.scratch_bytes_per_lane = 0x7fffffff; }), Status::limit_exceeded);
  EXPECT_EQ(status([](S&, DispatchInfo& i) { i.grid = {~0u, ~0u, ~0u}; }), Status::limit_exceeded);
  EXPECT_EQ(status([](S&, DispatchInfo& i) { i.grid = {0, 1, 1}; }), Status::ok);
}

}  // namespace
}  // namespace spalt::emu::test
