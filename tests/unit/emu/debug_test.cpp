// SPDX-License-Identifier: MIT
// Trace, breakpoints and watchpoints.
#include <gtest/gtest.h>
#include <spalt/emulator.h>

#include "amdgpu/object/link.h"
#include "assemble.h"
#include "emu/debug/debugger.h"
#include "emu/debug/tracer.h"

namespace spalt::emu::test {
namespace {

/// Runs one workgroup of `threads` threads of a snippet without buffers and returns the outcome.
DispatchOutcome run_observed(const std::string& text, unsigned threads, Observer& observer) {
  const object::StageObject shader = make_shader(text + "s_endpgm\n", 32, threads);
  DispatchInfo info = make_dispatch({});
  info.observer = &observer;
  info.threads = 8;
  const Result<DispatchOutcome> outcome = run_dispatch(shader, info);
  EXPECT_TRUE(outcome.ok());
  return outcome.ok() ? *outcome : DispatchOutcome{};
}

TEST(Trace, TellsInstructionsAndChangedRegisters) {
  std::string trace;
  Tracer tracer([&trace](const std::string& text) { trace += text; });
  const DispatchOutcome outcome = run_observed(
      "s_mov_b32 s8, 5\n"
      "s_cmp_eq_u32 s8, 4\n"
      "s_mov_b32 s8, 5\n"
      "v_mov_b32 v4, s8\n"
      "v_cmp_gt_u32 vcc_lo, 2, v0\n"
      "s_mov_b32 exec_lo, vcc_lo\n"
      "v_add_nc_u32 v4, v4, v0\n",
      32, tracer);
  EXPECT_EQ(outcome.fault, "");
  EXPECT_EQ(trace,
            "workgroup (0, 0, 0) wave 0 pc 0x000000: s_mov_b32 s8, 5\n"
            "    s8 = 0x00000005 (was 0xbad0c0de)\n"
            "workgroup (0, 0, 0) wave 0 pc 0x000004: s_cmp_eq_u32 s8, 4\n"
            "    scc = 0x00000000 (was 0x00000001)\n"
            "workgroup (0, 0, 0) wave 0 pc 0x000008: s_mov_b32 s8, 5\n"
            "workgroup (0, 0, 0) wave 0 pc 0x00000c: v_mov_b32_e32 v4, s8\n"
            "    v4 = 0x00000005 in lanes 0xffffffff\n"
            "workgroup (0, 0, 0) wave 0 pc 0x000010: v_cmp_gt_u32_e32 vcc_lo, 2, v0\n"
            "    vcc_lo = 0x00000003 (was 0xbad0c0de)\n"
            "workgroup (0, 0, 0) wave 0 pc 0x000014: s_mov_b32 exec_lo, vcc_lo\n"
            "    exec_lo = 0x00000003 (was 0xffffffff)\n"
            "workgroup (0, 0, 0) wave 0 pc 0x000018: v_add_nc_u32_e32 v4, v4, v0\n"
            "    v4 = 0x00000006 in lanes 0x00000002\n"
            "workgroup (0, 0, 0) wave 0 pc 0x00001c: s_endpgm\n");
}

TEST(Trace, ListsLanesThatDiffer) {
  std::string trace;
  Tracer tracer([&trace](const std::string& text) { trace += text; });
  run_observed("v_mov_b32 v4, 0\ns_mov_b32 exec_lo, 0x304\nv_lshlrev_b32 v4, 4, v0\n", 32, tracer);
  EXPECT_NE(trace.find("    v4 = -------- -------- 00000020 -------- -------- -------- -------- --------\n"
                       "        00000080 00000090 --------"),
            std::string::npos)
      << trace;
}

TEST(Trace, ShowsTheFaultingInstructionLast) {
  std::string trace;
  Tracer tracer([&trace](const std::string& text) { trace += text; });
  const DispatchOutcome outcome = run_observed("s_branch 100\n", 32, tracer);
  EXPECT_NE(outcome.fault.find("no instruction starts"), std::string::npos);
  EXPECT_EQ(trace, "workgroup (0, 0, 0) wave 0 pc 0x000000: s_branch 100\n");
}

struct Seen {
  StopReason reason;
  unsigned wave;
  std::string text;
};

TEST(Debugger, StopsEveryWaveAtABreakpoint) {
  std::vector<Seen> seen;
  Debugger debugger([&](const Stop& stop) {
    seen.push_back({stop.reason, stop.wave.wave_id_in_group, stop.text});
    EXPECT_EQ(stop.wave.read_s32(8), 7u);
    return StopAction::resume;
  });
  debugger.add_breakpoint(4);
  EXPECT_EQ(run_observed("s_mov_b32 s8, 7\ns_mov_b32 s8, 8\n", 64, debugger).fault, "");
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].text, "workgroup (0, 0, 0) wave 0 pc 0x000004: s_mov_b32 s8, 8\n");
  EXPECT_EQ(seen[1].wave, 1u);
  EXPECT_EQ(seen[1].reason, StopReason::breakpoint);
}

TEST(Debugger, StopsWhenAWatchedRegisterChanges) {
  std::vector<Seen> seen;
  Debugger debugger([&](const Stop& stop) {
    seen.push_back({stop.reason, stop.wave.wave_id_in_group, stop.text});
    return StopAction::resume;
  });
  for (const char* name : {"s8", "v4"}) {
    RegisterRef ref;
    ASSERT_TRUE(RegisterRef::parse(name, ref));
    debugger.add_watchpoint(ref);
  }
  run_observed("s_mov_b32 s9, 1\ns_mov_b32 s8, 7\ns_mov_b32 s8, 7\nv_mov_b32 v5, 0\nv_mov_b32 v4, 0\n", 32, debugger);
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].text,
            "workgroup (0, 0, 0) wave 0 pc 0x000004: s_mov_b32 s8, 7\n    s8 = 0x00000007 (was 0xbad0c0de)\n");
  EXPECT_EQ(seen[0].reason, StopReason::watchpoint);
  EXPECT_EQ(seen[1].text,
            "workgroup (0, 0, 0) wave 0 pc 0x000010: v_mov_b32_e32 v4, 0\n    v4 = 0x00000000 in lanes 0xffffffff\n");
}

TEST(Debugger, StepsAndEnds) {
  std::vector<Seen> seen;
  Debugger debugger([&](const Stop& stop) {
    seen.push_back({stop.reason, stop.wave.wave_id_in_group, stop.text});
    return seen.size() < 3 ? StopAction::step : StopAction::end;
  });
  debugger.stop_at_start();
  const DispatchOutcome outcome = run_observed("s_nop 1\ns_nop 2\ns_nop 3\ns_nop 4\n", 32, debugger);
  EXPECT_TRUE(debugger.ended());
  EXPECT_NE(outcome.fault, "");
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_NE(seen[2].text.find("s_nop 3"), std::string::npos);
}

TEST(RegisterNames, ParseAndPrint) {
  for (const char* name :
       {"s0", "s105", "v0", "v255", "vcc_lo", "vcc_hi", "exec_lo", "exec_hi", "m0", "ttmp15", "scc"}) {
    RegisterRef ref;
    EXPECT_TRUE(RegisterRef::parse(name, ref)) << name;
    EXPECT_EQ(ref.name(), name);
  }
  for (const char* name : {"", "s", "s106", "v256", "v-1", "ttmp16", "vcc", "s1x", "x1"}) {
    RegisterRef ref;
    EXPECT_FALSE(RegisterRef::parse(name, ref)) << name;
  }
}

struct ApiLog {
  std::string trace;
  unsigned stops = 0;
  uint32_t value = 0, answer = SPALT_STOP_ACTION_CONTINUE;
};

TEST(DebugApi, TracesAndStops) {
  const object::StageObject shader = make_shader("s_mov_b32 s8, 7\nv_mov_b32 v3, v0\ns_endpgm\n", 32, 32);
  const auto elf = object::link_stages({&shader, 1}, object::MetadataVersion::v3_0);
  ASSERT_TRUE(elf.ok());
  spalt_emulator* emulator = nullptr;
  ASSERT_EQ(spalt_emulator_create(&emulator), SPALT_SUCCESS);
  ASSERT_EQ(spalt_emulator_load(emulator, elf->data(), elf->size()), SPALT_SUCCESS);
  ApiLog log;
  const uint32_t pc = 8;
  const char* bad = "q7";
  spalt_debug_info debug{};
  debug.struct_size = sizeof debug;
  debug.user = &log;
  debug.breakpoints = &pc;
  debug.breakpoint_count = 1;
  EXPECT_EQ(spalt_emulator_set_debug(emulator, &debug), SPALT_ERROR_INVALID_ARGUMENT);  // nobody to ask
  debug.trace = [](void* user, const char* text) { static_cast<ApiLog*>(user)->trace += text; };
  debug.stop = [](void* user, const spalt_stop* stop) -> uint32_t {
    auto* own = static_cast<ApiLog*>(user);
    ++own->stops;
    EXPECT_EQ(stop->pc, 8u);
    EXPECT_EQ(spalt_stopped_wave_read(stop->state, "v3", 5, &own->value), SPALT_SUCCESS);
    EXPECT_EQ(spalt_stopped_wave_read(stop->state, "v3", 32, &own->value), SPALT_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(spalt_stopped_wave_read(stop->state, "v200", 0, &own->value), SPALT_ERROR_INVALID_ARGUMENT);
    return own->answer;
  };
  debug.watchpoints = &bad;
  debug.watchpoint_count = 1;
  EXPECT_EQ(spalt_emulator_set_debug(emulator, &debug), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(spalt_emulator_diagnostic(emulator), "\"q7\" is no register such as s5, v3, vcc_lo or scc");
  debug.watchpoint_count = 0;
  ASSERT_EQ(spalt_emulator_set_debug(emulator, &debug), SPALT_SUCCESS);

  spalt_emulator_dispatch_info dispatch{};
  dispatch.struct_size = sizeof dispatch;
  std::fill(std::begin(dispatch.grid), std::end(dispatch.grid), 1u);
  EXPECT_EQ(spalt_emulator_dispatch(emulator, &dispatch), SPALT_SUCCESS);
  EXPECT_EQ(log.stops, 1u);
  EXPECT_EQ(log.value, 5u);
  EXPECT_NE(log.trace.find("s_mov_b32 s8, 7\n    s8 = 0x00000007"), std::string::npos);
  log.answer = SPALT_STOP_ACTION_END;
  EXPECT_EQ(spalt_emulator_dispatch(emulator, &dispatch), SPALT_STOPPED);
  EXPECT_EQ(spalt_emulator_set_debug(emulator, nullptr), SPALT_SUCCESS);
  log.stops = 0;
  EXPECT_EQ(spalt_emulator_dispatch(emulator, &dispatch), SPALT_SUCCESS);
  EXPECT_EQ(log.stops, 0u);
  spalt_emulator_destroy(emulator);
}

}  // namespace
}  // namespace spalt::emu::test
