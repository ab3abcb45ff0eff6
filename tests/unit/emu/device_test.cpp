// SPDX-License-Identifier: MIT
// The device through its public API, as a driver uses it: memory at chosen addresses, programs, raw user data, faults
// as data, cancellation, threads.
#include <gtest/gtest.h>

#include <atomic>
#include <ctime>
#include <spalt/device.hpp>
#include <thread>
#include <utility>

#include "device_fixture.h"

namespace spalt::emu::test {
namespace {

using spalt_api::AddressSpace;
using spalt_api::Device;
using spalt_api::Program;
using U = uint32_t;

/// One wave of 32 lanes; user SGPRs s0, s1, ... hold entries 0, 1, ...; the workgroup's x id follows.
object::StageObject make_raw(const std::string& text, unsigned entries, unsigned threads = 32) {
  return make_raw_shader(text, entries, 32, threads);
}

/// Lane i of workgroup w stores w * 1000 + i at dword w * 32 + i from the address in s[0:1] on.
const std::string kStoreIds =
    "s_lshl_b32 s3, s2, 7\nv_lshl_add_u32 v1, v0, 2, s3\ns_mul_i32 s4, s2, 0x3e8\nv_add_nc_u32 v2, s4, v0\n"
    "global_store_dword v1, v2, s[0:1]\ns_endpgm\n";

/// Counts up the dword at s[0:1] once per lane.
const std::string kCount = "v_mov_b32 v1, 0\nv_mov_b32 v2, 1\nglobal_atomic_add v1, v2, s[0:1]\ns_endpgm\n";

using Fixture = DeviceFixture;

TEST(Device, RunsAProgramOnMemoryAtAChosenAddress) {
  const Fixture fixture;
  std::vector<U> out(96, 0);
  ASSERT_TRUE(fixture.space.map(kData, out.data(), out.size() * 4, "out").ok());
  const Program program = fixture.load(make_raw(kStoreIds, 2));
  EXPECT_EQ(program.info().address, kCode);
  EXPECT_STREQ(program.info().target, "gfx1030");
  const std::vector<U> entries = address_entries(kData);
  const Device::Report report = fixture.device.dispatch(Device::dispatch_info(program, entries, 3));
  ASSERT_TRUE(report.ok()) << report.fault.message;
  for (U i = 0; i < 96; ++i) EXPECT_EQ(out[i], i / 32 * 1000 + i % 32);
  EXPECT_EQ(report.counters.vmem_stores, 3u);
  EXPECT_EQ(report.fault.kind, SPALT_FAULT_NONE);
}

TEST(Device, FirstWorkgroup) {
  const Fixture fixture;
  std::vector<U> out(96, 9);
  ASSERT_TRUE(fixture.space.map(kData, out.data(), out.size() * 4).ok());
  const Program program = fixture.load(make_raw(kStoreIds, 2));
  const std::vector<U> entries = address_entries(kData);
  spalt_dispatch_info info = Device::dispatch_info(program, entries, 1);
  info.first_workgroup[0] = 2;
  ASSERT_TRUE(fixture.device.dispatch(info).ok());
  EXPECT_EQ(out[63], 9u);
  EXPECT_EQ(out[64], 2000u);
  EXPECT_EQ(out[95], 2031u);
  // The fault of such a workgroup carries its id.
  info.first_workgroup[0] = 5;
  const Device::Report report = fixture.device.dispatch(info);
  EXPECT_EQ(report.result, SPALT_ERROR_EXECUTION);
  EXPECT_EQ(report.fault.workgroup[0], 5u);
  // Ids are 32-bit numbers.
  info.first_workgroup[0] = UINT32_MAX;
  EXPECT_EQ(fixture.device.dispatch(info).result, SPALT_ERROR_EXECUTION);
  info.workgroup_count[0] = 2;
  EXPECT_EQ(fixture.device.dispatch(info).result, SPALT_ERROR_LIMIT_EXCEEDED);
}

TEST(Device, AFaultIsDataAndTheDeviceGoesOn) {
  const Fixture fixture;
  std::vector<U> out(40, 0);
  ASSERT_TRUE(fixture.space.map(kData, out.data(), out.size() * 4, "out").ok());
  const Program program = fixture.load(make_raw(kStoreIds, 2));
  const std::vector<U> entries = address_entries(kData);
  const Device::Report report = fixture.device.dispatch(Device::dispatch_info(program, entries, 2));
  ASSERT_EQ(report.result, SPALT_ERROR_EXECUTION);
  const spalt_fault& fault = report.fault;
  EXPECT_EQ(fault.kind, SPALT_FAULT_UNMAPPED);
  EXPECT_EQ(fault.access, SPALT_ACCESS_STORE);
  EXPECT_EQ(fault.access_size, 4u);
  EXPECT_EQ(fault.address, kData + 40 * 4);
  EXPECT_EQ(fault.workgroup[0], 1u);
  EXPECT_EQ(fault.wave, 0u);
  EXPECT_EQ(fault.lane, 8u);
  EXPECT_EQ(fault.code_address, kCode + fault.pc);
  EXPECT_STREQ(fault.mapping, "out");
  EXPECT_EQ(fault.mapping_address, kData);
  EXPECT_EQ(fault.mapping_size, 160u);
  EXPECT_STREQ(fault.instruction, "global_store_dword v1, v2, s[0:1]");
  EXPECT_NE(std::string(fault.message).find("0 bytes past the end of \"out\" (lane 8)"), std::string::npos)
      << fault.message;
  EXPECT_TRUE(fixture.device.dispatch(Device::dispatch_info(program, entries, 1)).ok());
}

TEST(Device, MappingsComeAndGo) {
  const Fixture fixture;
  std::vector<U> first(32, 0), second(32, 0);
  const Program program = fixture.load(make_raw(kStoreIds, 2));
  const std::vector<U> entries = address_entries(kData);
  const spalt_dispatch_info info = Device::dispatch_info(program, entries, 1);
  EXPECT_EQ(fixture.device.dispatch(info).result, SPALT_ERROR_EXECUTION);
  ASSERT_TRUE(fixture.space.map(kData, first.data(), 128).ok());
  EXPECT_TRUE(fixture.device.dispatch(info).ok());
  ASSERT_EQ(fixture.space.unmap(kData), SPALT_SUCCESS);
  ASSERT_TRUE(fixture.space.map(kData, second.data(), 128).ok());
  EXPECT_TRUE(fixture.device.dispatch(info).ok());
  EXPECT_EQ(first, second);
  ASSERT_EQ(fixture.space.unmap(kData), SPALT_SUCCESS);
  ASSERT_TRUE(fixture.space.map(kData, second.data(), 128, "constant", true).ok());
  const Device::Report report = fixture.device.dispatch(info);
  EXPECT_EQ(report.fault.kind, SPALT_FAULT_READ_ONLY);
  EXPECT_STREQ(report.fault.mapping, "constant");
}

TEST(Device, AccessesDoNotCrossTouchingMappings) {
  const Fixture fixture;
  std::vector<uint64_t> memory(16, 0);
  ASSERT_TRUE(fixture.space.map(kData, memory.data(), 64, "low").ok());
  ASSERT_TRUE(fixture.space.map(kData + 64, memory.data() + 8, 64, "high").ok());
  const Program program = fixture.load(
      make_raw("v_mov_b32 v1, 0\ns_waitcnt vmcnt(0)\nglobal_load_dwordx2 v[2:3], v1, s[0:1]\ns_endpgm\n", 2));
  const auto kind_at = [&](uint64_t address) {
    const std::vector<U> entries = address_entries(address);
    return fixture.device.dispatch(Device::dispatch_info(program, entries)).fault.kind;
  };
  EXPECT_EQ(kind_at(kData + 56), U{SPALT_FAULT_NONE});
  EXPECT_EQ(kind_at(kData + 60), U{SPALT_FAULT_UNMAPPED});
  EXPECT_EQ(kind_at(kData + 64), U{SPALT_FAULT_NONE});
}

TEST(Device, SpilledUserData) {
  const Fixture fixture;
  // s0 spill table, s[2:3] entries 0 and 1; entry 100 lies in memory only. The upper half comes from the pc.
  object::StageObject shader = make_raw(
      "s_getpc_b64 s[4:5]\ns_mov_b32 s4, s0\ns_load_dword s6, s[4:5], 0x190\ns_load_dword s7, s[4:5], 0x194\n"
      "s_waitcnt lgkmcnt(0)\nv_mov_b32 v1, 0\nv_mov_b32 v2, s6\nv_mov_b32 v3, s7\n"
      "global_store_dwordx2 v1, v[2:3], s[2:3]\ns_endpgm\n",
      4);
  shader.user_data_reg_map[0] = abi::kSpillTable;
  shader.user_data_reg_map[1] = abi::kNotMapped;
  shader.user_data_reg_map[2] = 0;
  shader.user_data_reg_map[3] = 1;
  shader.user_data_limit = 102;
  shader.spill_threshold = 100;
  std::vector<U> out(2, 9);
  ASSERT_TRUE(fixture.space.map(kData, out.data(), 8).ok());
  const Program program = fixture.load(shader);
  EXPECT_EQ(program.info().user_data_entries, 102u);
  std::vector<U> entries = address_entries(kData);
  entries.resize(101);
  entries[100] = 0xabcd;
  const Device::Report report = fixture.device.dispatch(Device::dispatch_info(program, entries));
  ASSERT_TRUE(report.ok()) << report.fault.message;
  EXPECT_EQ(out[0], 0xabcdu);
  EXPECT_EQ(out[1], 0u) << "an entry that the program reads and nobody gave";
  // Nothing is left of an earlier dispatch.
  entries.resize(2);
  ASSERT_TRUE(fixture.device.dispatch(Device::dispatch_info(program, entries)).ok());
  EXPECT_EQ(out[0], 0u);
}

TEST(Device, EachTaskHasItsOwnTables) {
  // Entry 100 from the spill table, and the number of workgroups, by scalar and by vector loads.
  object::StageObject shader = make_raw(
      "s_getpc_b64 s[6:7]\ns_mov_b32 s6, s0\ns_load_dword s8, s[6:7], 0x190\ns_load_dword s9, s[4:5], 0x0\n"
      "v_mov_b32 v1, 0\nv_mov_b32 v5, 0x190\nglobal_load_dword v4, v5, s[6:7]\nglobal_load_dword v5, v1, s[4:5]\n"
      "s_waitcnt vmcnt(0) lgkmcnt(0)\nv_mov_b32 v2, s8\nv_mov_b32 v3, s9\n"
      "global_store_dwordx4 v1, v[2:5], s[2:3]\ns_endpgm\n",
      6);
  const uint32_t codes[] = {abi::kSpillTable, abi::kNotMapped, 0, 1, abi::kWorkgroup, abi::kNotMapped};
  std::copy(std::begin(codes), std::end(codes), shader.user_data_reg_map.begin());
  shader.user_data_limit = 101;
  shader.spill_threshold = 100;
  const Fixture fixture;
  const Program program = fixture.load(shader);
  std::array<U, 12> out{};
  ASSERT_TRUE(fixture.space.map(kData, out.data(), sizeof out).ok());
  std::array<std::vector<U>, 3> entries;
  std::array<spalt_dispatch_info, 3> dispatches;
  std::vector<spalt_device_task> tasks;
  for (U i = 0; i < 3; ++i) {
    entries[i] = address_entries(kData + 16 * i);
    entries[i].resize(101);
    entries[i][100] = 70 + i;
    dispatches[i] = Device::dispatch_info(program, entries[i], 1 + i);
    tasks.push_back(Device::task(dispatches[i]));
  }
  spalt_run_info info = Device::run_info(tasks);
  for (unsigned mode = 0; mode < 8; ++mode) {
    info.interleave = mode & 1;
    info.memory_hierarchy = mode & 2;
    info.keep_caches = mode & 4;
    for (info.seed = 0; info.seed < 10; ++info.seed) {
      out.fill(0);
      const Device::Report report = fixture.device.run(info);
      ASSERT_TRUE(report.ok()) << report.fault.message;
      ASSERT_EQ(fixture.device.cache_operation(SPALT_CACHE_ALL), SPALT_SUCCESS);
      for (U i = 0; i < 3; ++i) {
        EXPECT_EQ(out[4 * i], 70 + i) << mode;
        EXPECT_EQ(out[4 * i + 1], 1 + i) << mode;
        EXPECT_EQ(out[4 * i + 2], 70 + i) << mode;
        EXPECT_EQ(out[4 * i + 3], 1 + i) << mode;
      }
    }
  }
}

TEST(Device, ProgramsTogetherAndAtTheSameAddressOneAfterAnother) {
  const Fixture fixture;
  std::vector<U> out(32, 0);
  ASSERT_TRUE(fixture.space.map(kData, out.data(), 128).ok());
  const std::vector<U> entries = address_entries(kData);
  const Program store = fixture.load(make_raw(kStoreIds, 2));
  {
    const Program count = fixture.load(make_raw(kCount, 2), kCode + 0x10000);
    ASSERT_TRUE(fixture.device.dispatch(Device::dispatch_info(count, entries)).ok());
    EXPECT_EQ(out[0], 32u);
    ASSERT_TRUE(fixture.device.dispatch(Device::dispatch_info(store, entries)).ok());
    EXPECT_EQ(out[0], 0u);
    const std::vector<uint8_t> elf = elf_of(make_raw(kCount, 2));
    const Program twice(fixture.space, elf.data(), elf.size(), kCode + 0x10000);
    EXPECT_EQ(twice.outcome().result, SPALT_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(fixture.space.unmap(kCode + 0x10000), SPALT_ERROR_INVALID_ARGUMENT) << "code is not the caller's mapping";
  }
  const Program again = fixture.load(make_raw(kCount, 2), kCode + 0x10000);
  ASSERT_TRUE(fixture.device.dispatch(Device::dispatch_info(again, entries)).ok());
  EXPECT_EQ(out[0], 32u);
}

TEST(Device, TwoDevicesShareAnAddressSpace) {
  const AddressSpace space;
  const Device first(Device::info(space, 2)), second(Device::info(space, 2));
  ASSERT_TRUE(first.ok() && second.ok());
  const std::vector<uint8_t> elf = elf_of(make_raw(kCount, 2));
  const Program program(space, elf.data(), elf.size());
  ASSERT_TRUE(program.ok()) << program.outcome().message;
  std::vector<uint64_t> counter(1, 0);
  ASSERT_TRUE(space.map(kData, counter.data(), 8, "counter").ok());
  const std::vector<U> entries = address_entries(kData);
  const auto work = [&](const Device& device) {
    for (unsigned i = 0; i < 50; ++i) {
      const Device::Report report = device.dispatch(Device::dispatch_info(program, entries, 10));
      EXPECT_TRUE(report.ok()) << report.fault.message;
    }
  };
  std::thread other([&] { work(second); });
  // Mappings change meanwhile.
  std::vector<uint64_t> scrap(8);
  for (unsigned i = 0; i < 50; ++i) {
    EXPECT_TRUE(space.map(kData + 0x10000 + 64 * i, scrap.data(), 64).ok());
    if (i % 2 == 0) continue;
    EXPECT_EQ(space.unmap(kData + 0x10000 + 64 * (i - 1)), SPALT_SUCCESS);
  }
  work(first);
  other.join();
  EXPECT_EQ(counter[0], 2u * 50 * 10 * 32);
}

TEST(Device, ManySmallDispatchesOnAPool) {
  const Fixture fixture(4);
  std::vector<uint64_t> counter(1, 0);
  ASSERT_TRUE(fixture.space.map(kData, counter.data(), 8).ok());
  const Program count = fixture.load(make_raw(kCount, 2));
  const Program store = fixture.load(make_raw(kStoreIds, 2), kCode + 0x10000);
  std::vector<U> out(64, 0);
  ASSERT_TRUE(fixture.space.map(kData + 0x1000, out.data(), 256).ok());
  const std::vector<U> to_counter = address_entries(kData), to_out = address_entries(kData + 0x1000);
  for (unsigned i = 0; i < 500; ++i) {
    ASSERT_TRUE(fixture.device.dispatch(Device::dispatch_info(count, to_counter, 1 + i % 6)).ok());
    ASSERT_TRUE(fixture.device.dispatch(Device::dispatch_info(store, to_out, 1 + i % 2)).ok());
  }
  U expected = 0;
  for (unsigned i = 0; i < 500; ++i) expected += (1 + i % 6) * 32;
  EXPECT_EQ(counter[0], expected);
}

TEST(Device, DispatchesOfSeveralThreadsWaitForEachOther) {
  const Fixture fixture(2);
  std::vector<uint64_t> counter(1, 0);
  ASSERT_TRUE(fixture.space.map(kData, counter.data(), 8).ok());
  const Program program = fixture.load(make_raw(kCount, 2));
  const std::vector<U> entries = address_entries(kData);
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (unsigned i = 0; i < 50; ++i)
        EXPECT_TRUE(fixture.device.dispatch(Device::dispatch_info(program, entries, 3)).ok());
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counter[0], 4u * 50 * 3 * 32);
}

TEST(Device, CancellationEndsAnEndlessShader) {
  for (const uint32_t threads : {1u, 3u}) {
    const Fixture fixture(threads);
    // Says that it runs, then spins.
    const Program endless = fixture.load(
        make_raw("v_mov_b32 v1, 0\nv_mov_b32 v2, 1\nglobal_store_dword v1, v2, s[0:1]\ns_waitcnt_vscnt null, 0x0\n"
                 "loop:\ns_branch loop\n",
                 2));
    alignas(8) std::atomic<U> running[2]{};
    ASSERT_TRUE(fixture.space.map(kData, running, sizeof running).ok());
    const std::vector<U> entries = address_entries(kData);
    spalt_dispatch_info info = Device::dispatch_info(endless, entries, 8);
    info.step_limit = UINT64_MAX;
    std::thread canceller([&] {
      while (running[0].load() == 0) std::this_thread::yield();
      fixture.device.cancel();
    });
    const Device::Report report = fixture.device.dispatch(info);
    canceller.join();
    EXPECT_EQ(report.result, SPALT_ERROR_CANCELLED);
    EXPECT_EQ(report.fault.kind, SPALT_FAULT_NONE);
    EXPECT_STREQ(report.fault.message, "was cancelled");
    EXPECT_EQ(fixture.device.dispatch(info).result, SPALT_ERROR_CANCELLED) << "until it is resumed";
    fixture.device.resume();
    info.step_limit = 20000;
    const Device::Report limited = fixture.device.dispatch(info);
    EXPECT_EQ(limited.result, SPALT_ERROR_EXECUTION);
    EXPECT_EQ(limited.fault.kind, SPALT_FAULT_NEVER_ENDS);
    EXPECT_EQ(limited.fault.workgroup[0], 0u);
    EXPECT_EQ(limited.fault.lane, SPALT_FAULT_NO_LANE);
  }
}

TEST(Device, CancellationEndsARunWhereWorkgroupsTakeTurns) {
  const Fixture fixture;
  const Program endless = fixture.load(make_raw("loop:\ns_branch loop\n", 2));
  spalt_dispatch_info spin = Device::dispatch_info(endless, {}, 3);
  spin.workgroup_step_limit = 100000;
  unsigned calls = 0, cancelled = 0;
  auto cancel = [&, caller = std::this_thread::get_id()] {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    ++calls;
    fixture.device.cancel();
  };
  const std::vector<spalt_device_task> tasks = {Device::task(spin), Device::host_task(cancel), Device::task(spin)};
  spalt_run_info info = Device::run_info(tasks);
  info.interleave = 1;
  for (info.seed = 0; info.seed < 20; ++info.seed) {
    info.memory_hierarchy = info.keep_caches = info.seed % 2;
    calls = 0;
    // Where few workgroups run at a time, those without an end may be the first.
    const Device::Report report = fixture.device.run(info);
    EXPECT_EQ(report.result, calls != 0 ? SPALT_ERROR_CANCELLED : SPALT_ERROR_EXECUTION) << report.fault.message;
    if (calls == 0) continue;
    ++cancelled;
    EXPECT_EQ(fixture.device.run(info).result, SPALT_ERROR_CANCELLED);
    EXPECT_EQ(calls, 1u) << "functions of the host are not called either";
    fixture.device.resume();
  }
  EXPECT_GT(cancelled, 0u);
}

TEST(Device, ABarrierThatCannotCompleteIsAFault) {
  const Fixture fixture;
  object::StageObject shader = make_raw(
      "v_cmp_gt_u32 vcc_lo, 32, v0\ns_cbranch_vccnz spin\ns_barrier\ns_endpgm\nspin:\ns_sleep 1\ns_branch spin\n", 2,
      64);
  const Program program = fixture.load(shader);
  spalt_dispatch_info info = Device::dispatch_info(program, {});
  info.step_limit = 20000;
  const Device::Report report = fixture.device.dispatch(info);
  EXPECT_EQ(report.result, SPALT_ERROR_EXECUTION);
  EXPECT_EQ(report.fault.kind, SPALT_FAULT_BARRIER);
}

TEST(Device, WhateverNeverEndsIsEndedSoon) {
  // A tenth of what a driver would set; a test machine may be ten times as slow.
  constexpr uint64_t kWorkgroupSteps = 1'000'000;
  constexpr double kSeconds = 5;
  const struct {
    const char* what;
    const char* text;
  } kCases[] = {
      {"plain", "loop:\ns_branch loop\n"},
      {"with vector instructions", "loop:\nv_add_nc_u32 v1, v1, v0\nv_mul_lo_u32 v2, v1, v1\ns_branch loop\n"},
      {"sleeping", "loop:\ns_sleep 1\ns_branch loop\n"},
      {"with a barrier", "loop:\ns_barrier\ns_branch loop\n"},
      {"sleeping between barriers", "loop:\ns_barrier\ns_sleep 10\ns_branch loop\n"},
      {"waiting for a flag",
       "v_mov_b32 v1, 0\nloop:\nglobal_load_dword v2, v1, s[0:1] glc dlc\ns_waitcnt vmcnt(0)\n"
       "v_readfirstlane_b32 s5, v2\ns_cmp_eq_u32 s5, 0\ns_cbranch_scc1 loop\ns_endpgm\n"},
      {"waiting for a flag asleep",
       "v_mov_b32 v1, 0\nloop:\ns_sleep 2\nglobal_load_dword v2, v1, s[0:1] glc dlc\ns_waitcnt vmcnt(0)\n"
       "v_readfirstlane_b32 s5, v2\ns_cmp_eq_u32 s5, 0\ns_cbranch_scc1 loop\ns_endpgm\n"},
      {"one workgroup, which the others wait for asleep",
       "s_cmp_eq_u32 s2, 1\ns_cbranch_scc0 wait\nloop:\ns_branch loop\nwait:\ns_sleep 1\ns_branch wait\n"},
  };
  std::vector<U> flag(32, 0);
  for (const auto& endless : kCases) {
    for (const uint32_t threads : {0u, 1u, 4u}) {
      const bool side_by_side = threads == 0;
      const Fixture fixture(std::max(threads, 1u));
      ASSERT_TRUE(fixture.space.map(kData, flag.data(), flag.size() * 4).ok());
      const Program program = fixture.load(make_raw(endless.text, 2, 1024));
      const std::vector<U> entries = address_entries(kData);
      spalt_dispatch_info dispatch = Device::dispatch_info(program, entries, 4);
      dispatch.workgroup_step_limit = kWorkgroupSteps;
      const std::vector<spalt_device_task> tasks = {Device::task(dispatch), Device::task(dispatch)};
      spalt_run_info info = Device::run_info(tasks);
      info.interleave = info.memory_hierarchy = side_by_side ? 1 : 0;
      // Processor time, which other work on the machine does not stretch.
      const std::clock_t begin = std::clock();
      const Device::Report report = fixture.device.run(info);
      const double time = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
      EXPECT_EQ(report.result, SPALT_ERROR_EXECUTION) << endless.what;
      EXPECT_EQ(report.fault.kind, SPALT_FAULT_NEVER_ENDS) << endless.what << ": " << report.fault.message;
      EXPECT_LT(time, kSeconds) << endless.what << " on " << threads << " threads";
    }
  }
}

TEST(Device, SleepingIsNoReasonToEndAWaveThatIsWokenUp) {
  // Workgroup 1 works for a while, then tells workgroup 0, which sleeps in the meantime.
  const Fixture fixture(2);
  std::vector<U> flag(32, 0);
  ASSERT_TRUE(fixture.space.map(kData, flag.data(), flag.size() * 4).ok());
  const Program program = fixture.load(
      make_raw("v_mov_b32 v1, 0\nv_mov_b32 v3, 1\ns_cmp_eq_u32 s2, 1\ns_cbranch_scc0 wait\ns_mov_b32 s5, 0\n"
               "work:\ns_add_u32 s5, s5, 1\ns_cmp_lt_u32 s5, 0x100000\ns_cbranch_scc1 work\n"
               "global_store_dword v1, v3, s[0:1]\ns_endpgm\n"
               "wait:\ns_sleep 2\nglobal_load_dword v2, v1, s[0:1] glc dlc\ns_waitcnt vmcnt(0)\n"
               "v_readfirstlane_b32 s5, v2\ns_cmp_eq_u32 s5, 0\ns_cbranch_scc1 wait\ns_endpgm\n",
               2));
  const std::vector<U> entries = address_entries(kData);
  spalt_dispatch_info info = Device::dispatch_info(program, entries, 2);
  info.step_limit = 5'000'000;
  const Device::Report report = fixture.device.dispatch(info);
  EXPECT_TRUE(report.ok()) << report.fault.message;
}

TEST(Device, ABarrierInAnEndlessLoopIsNotToBlame) {
  const Fixture fixture;
  const Program program = fixture.load(make_raw("loop:\ns_barrier\ns_branch loop\n", 2, 64));
  spalt_dispatch_info info = Device::dispatch_info(program, {});
  info.step_limit = 10000;
  EXPECT_EQ(fixture.device.dispatch(info).fault.kind, SPALT_FAULT_NEVER_ENDS);
  info.step_limit = 0;
  info.workgroup_step_limit = 10000;
  const Device::Report report = fixture.device.dispatch(info);
  EXPECT_EQ(report.fault.kind, SPALT_FAULT_NEVER_ENDS);
  EXPECT_NE(std::string(report.fault.message).find("executed more than 10000 instructions in all waves"),
            std::string::npos)
      << report.fault.message;
}

TEST(Device, HierarchyModeAndDebuggerWork) {
  const Fixture fixture(2);
  std::vector<U> out(64, 0);
  ASSERT_TRUE(fixture.space.map(kData, out.data(), 256).ok());
  const Program program = fixture.load(make_raw(kStoreIds, 2));
  const std::vector<U> entries = address_entries(kData);
  spalt_dispatch_info info = Device::dispatch_info(program, entries, 2);
  info.memory_hierarchy = 1;
  info.hierarchy_seed = 3;
  ASSERT_TRUE(fixture.device.dispatch(info).ok());
  EXPECT_EQ(out[63], 1031u);
  info.memory_hierarchy = 0;
  std::string trace;
  auto debug = spalt_api::sized<spalt_debug_info>();
  debug.user = &trace;
  debug.trace = [](void* user, const char* text) { *static_cast<std::string*>(user) += text; };
  ASSERT_EQ(spalt_device_set_debug(fixture.device.handle(), &debug, nullptr), SPALT_SUCCESS);
  ASSERT_TRUE(fixture.device.dispatch(info).ok());
  EXPECT_NE(trace.find("workgroup (1, 0, 0) wave 0 pc 0x000000: s_lshl_b32 s3, s2, 7"), std::string::npos);
  debug.stop_at_start = 1;
  debug.stop = [](void*, const spalt_stop*) -> uint32_t { return SPALT_STOP_ACTION_END; };
  ASSERT_EQ(spalt_device_set_debug(fixture.device.handle(), &debug, nullptr), SPALT_SUCCESS);
  EXPECT_EQ(fixture.device.dispatch(info).result, SPALT_STOPPED);
  ASSERT_EQ(spalt_device_set_debug(fixture.device.handle(), nullptr, nullptr), SPALT_SUCCESS);
  EXPECT_TRUE(fixture.device.dispatch(info).ok());
}

TEST(Device, CountsInvocations) {
  const Fixture fixture(2);
  const Program program = fixture.load(make_raw("s_endpgm\n", 2, 50));
  const Device::Report report = fixture.device.dispatch(Device::dispatch_info(program, {}, 3, 2));
  ASSERT_TRUE(report.ok()) << report.fault.message;
  EXPECT_EQ(report.counters.invocations, 3u * 2 * 50) << "a wave of 32 lanes and one of 18 in each workgroup";
  EXPECT_EQ(report.counters.instructions, 3u * 2 * 2);
}

TEST(Device, RunsTasksInOrder) {
  const Fixture fixture(2);
  std::vector<U> out(64, 0);
  ASSERT_TRUE(fixture.space.map(kData, out.data(), 256).ok());
  const Program store = fixture.load(make_raw(kStoreIds, 2));
  const Program count = fixture.load(make_raw(kCount, 2), kCode + 0x10000);
  const std::vector<U> entries = address_entries(kData);
  const spalt_dispatch_info first = Device::dispatch_info(store, entries, 2);
  const spalt_dispatch_info last = Device::dispatch_info(count, entries, 3);
  U seen = 0;
  auto between = [&] { seen = std::exchange(out[0], 100) + out[63]; };
  std::array<spalt_counters, 3> counters{};
  for (spalt_counters& c : counters) c.struct_size = sizeof c;
  std::vector<spalt_device_task> tasks = {Device::task(first, &counters[0]), Device::host_task(between),
                                          Device::task(last, &counters[2])};
  tasks[1].counters = &counters[1];
  const Device::Report report = fixture.device.run(Device::run_info(tasks));
  ASSERT_TRUE(report.ok()) << report.fault.message;
  EXPECT_EQ(seen, 1031u);
  EXPECT_EQ(out[0], 196u);
  EXPECT_EQ(counters[0].vmem_stores, 2u);
  EXPECT_EQ(counters[1].instructions, 0u);
  EXPECT_EQ(counters[2].vmem_atomics, 3u);
}

TEST(Device, ARunNamesTheTaskThatFailed) {
  const Fixture fixture;
  const Program program = fixture.load(make_raw(kStoreIds, 2));
  std::vector<U> out(32, 0);
  ASSERT_TRUE(fixture.space.map(kData, out.data(), 128).ok());
  const std::vector<U> good = address_entries(kData), bad = address_entries(kData + 0x1000);
  const spalt_dispatch_info works = Device::dispatch_info(program, good);
  spalt_dispatch_info fails = Device::dispatch_info(program, bad);
  bool reached = false;
  auto after = [&] { reached = true; };
  std::vector<spalt_device_task> tasks = {Device::task(works), Device::task(fails), Device::host_task(after)};
  Device::Report report = fixture.device.run(Device::run_info(tasks));
  EXPECT_EQ(report.result, SPALT_ERROR_EXECUTION);
  EXPECT_EQ(report.fault.kind, SPALT_FAULT_UNMAPPED);
  EXPECT_EQ(report.fault.task, 1u);
  EXPECT_FALSE(reached);
  EXPECT_EQ(out[31], 31u);
  tasks[1] = {};
  report = fixture.device.run(Device::run_info(tasks));
  EXPECT_EQ(report.result, SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(report.fault.task, 1u);
  tasks[1] = tasks[2];
  tasks[1].dispatch = &works;
  EXPECT_EQ(fixture.device.run(Device::run_info(tasks)).result, SPALT_ERROR_INVALID_ARGUMENT) << "both";
  spalt_run_info info = Device::run_info({});
  EXPECT_TRUE(fixture.device.run(info).ok()) << "no tasks";
  info.task_count = 1;
  EXPECT_EQ(fixture.device.run(info).result, SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_device_run(fixture.device.handle(), nullptr, nullptr), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_device_run(nullptr, &info, nullptr), SPALT_ERROR_INVALID_ARGUMENT);
}

TEST(Device, KnowsItsCacheOperations) {
  const Fixture fixture;
  EXPECT_EQ(fixture.device.cache_operation(SPALT_CACHE_ALL), SPALT_SUCCESS);
  EXPECT_EQ(fixture.device.cache_operation(0), SPALT_SUCCESS);
  EXPECT_EQ(fixture.device.cache_operation(SPALT_CACHE_ALL + 1), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_device_cache_operation(nullptr, 0), SPALT_ERROR_INVALID_ARGUMENT);
}

TEST(Device, RefusesArgumentsThatCannotBe) {
  const Fixture fixture;
  alignas(8) uint8_t memory[64];
  EXPECT_EQ(fixture.space.map(kData, nullptr, 64).result, SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(fixture.space.map(kData, memory, 0).result, SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(fixture.space.map(kData, memory + 4, 8).result, SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(fixture.space.map(UINT64_MAX - 7, memory, 64).result, SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(fixture.space.map(kTables + 0x2fff8, memory, 8).result, SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(fixture.space.map(kTables + 0x30000, memory, 8).ok());
  EXPECT_EQ(fixture.space.unmap(kTables), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(fixture.space.unmap(kTables + 0x30004), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_address_space_map(fixture.space.handle(), nullptr, nullptr), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_address_space_create(nullptr), SPALT_ERROR_INVALID_ARGUMENT);

  spalt_device_create_info info = Device::info(fixture.space);
  info.table_address = kTables;  // taken by the device of the fixture
  EXPECT_EQ(Device(info).outcome().result, SPALT_ERROR_INVALID_ARGUMENT);
  info.table_address = 0;
  info.target = "gfx9999";
  EXPECT_EQ(Device(info).outcome().result, SPALT_ERROR_UNSUPPORTED);
  info.target = "gfx1100";
  const Device other(info);
  ASSERT_TRUE(other.ok());
  info.address_space = nullptr;
  EXPECT_EQ(Device(info).outcome().result, SPALT_ERROR_INVALID_ARGUMENT);

  const Program program = fixture.load(make_raw(kStoreIds, 2));
  const std::vector<U> many(200, 0);
  EXPECT_EQ(fixture.device.dispatch(Device::dispatch_info(program, many)).result, SPALT_ERROR_INVALID_ARGUMENT);
  spalt_dispatch_info dispatch = Device::dispatch_info(program, {});
  dispatch.user_data_count = 1;
  EXPECT_EQ(fixture.device.dispatch(dispatch).result, SPALT_ERROR_INVALID_ARGUMENT);
  dispatch = Device::dispatch_info(program, {}, 0);
  EXPECT_TRUE(fixture.device.dispatch(dispatch).ok()) << "no workgroups";
  EXPECT_EQ(other.dispatch(dispatch).result, SPALT_ERROR_INVALID_ARGUMENT) << "for another target";
  dispatch.program = nullptr;
  EXPECT_EQ(fixture.device.dispatch(dispatch).result, SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_device_dispatch(fixture.device.handle(), nullptr, nullptr, nullptr), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(spalt_device_dispatch(nullptr, &dispatch, nullptr, nullptr), SPALT_ERROR_INVALID_ARGUMENT);

  // A program elsewhere: in another window, in another address space.
  const std::vector<uint8_t> elf = elf_of(make_raw(kStoreIds, 2));
  const Program far(fixture.space, elf.data(), elf.size(), kCode + (uint64_t{1} << 32));
  ASSERT_TRUE(far.ok());
  const Device::Report report = fixture.device.dispatch(Device::dispatch_info(far, {}));
  EXPECT_EQ(report.result, SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_NE(std::string(report.fault.message).find("different 4 GiB windows"), std::string::npos);
  const AddressSpace foreign;
  const Program stranger(foreign, elf.data(), elf.size(), kCode);
  EXPECT_EQ(fixture.device.dispatch(Device::dispatch_info(stranger, {})).result, SPALT_ERROR_INVALID_ARGUMENT);
}

TEST(Device, RefusesHostileCodeObjects) {
  const AddressSpace space;
  EXPECT_EQ(Program(space, nullptr, 0).outcome().result, SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(Program(space, "no ELF", 6).outcome().result, SPALT_ERROR_INVALID_INPUT);
  std::vector<uint8_t> elf = elf_of(make_raw(kStoreIds, 2));
  EXPECT_EQ(Program(space, elf.data(), elf.size(), kCode + 4).outcome().result, SPALT_ERROR_INVALID_ARGUMENT);
  for (size_t size = 0; size < elf.size(); size += 7) Program(space, elf.data(), size);
  // Damaged bytes: refused, or run without harm.
  const Device device(Device::info(space, 2));
  for (size_t at = 0; at < elf.size(); ++at) {
    std::vector<uint8_t> damaged = elf;
    damaged[at] ^= static_cast<uint8_t>(1u << at % 8);
    const Program program(space, damaged.data(), damaged.size());
    if (!program.ok()) continue;
    spalt_dispatch_info info = Device::dispatch_info(program, {}, 2);
    info.step_limit = 500;
    device.dispatch(info);
  }
}

TEST(Device, HandlesMayBeDestroyedInAnyOrder) {
  auto space = std::make_unique<AddressSpace>();
  std::vector<U> out(32, 0);
  ASSERT_TRUE(space->map(kData, out.data(), 128).ok());
  const std::vector<uint8_t> elf = elf_of(make_raw(kStoreIds, 2));
  auto program = std::make_unique<Program>(*space, elf.data(), elf.size());
  auto device = std::make_unique<Device>(Device::info(*space, 2));
  space.reset();
  const std::vector<U> entries = address_entries(kData);
  EXPECT_TRUE(device->dispatch(Device::dispatch_info(*program, entries)).ok());
  program.reset();
  device.reset();
  EXPECT_EQ(out[31], 31u);
}

}  // namespace
}  // namespace spalt::emu::test
