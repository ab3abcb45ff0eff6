// SPDX-License-Identifier: MIT
// Lets each heap allocation of a short life of a device fail in turn: every function returns SPALT_ERROR_OUT_OF_MEMORY,
// and everything can be destroyed, and used again, afterwards. The sanitizers see what leaks.
#include <gtest/gtest.h>
#include <spalt/emulator.h>

#include <spalt/device.hpp>

#include "amdgpu/object/link.h"
#include "assemble.h"
#include "failing_new.h"

namespace spalt::emu::test {
namespace {

using spalt::test::left_to_failure;

constexpr uint64_t kData = 0x10000000000;

/// A call that is allowed to run out of memory.
template <class Call>
bool survives(long fail_at, Call call) {
  left_to_failure = fail_at;
  const spalt_result result = call();
  const bool failed = left_to_failure.exchange(-1) < 0 && fail_at >= 0;
  if (!failed) {
    EXPECT_EQ(result, SPALT_SUCCESS);
  } else if (result != SPALT_SUCCESS) {
    EXPECT_EQ(result, SPALT_ERROR_OUT_OF_MEMORY);
  }
  return failed;
}

std::vector<uint8_t> make_elf() {
  object::StageObject shader =
      make_shader("v_lshlrev_b32 v1, 2, v0\nv_mov_b32 v2, 7\nglobal_store_dword v1, v2, s[0:1]\ns_endpgm\n", 32, 32);
  shader.user_data_reg_map[0] = 0;
  shader.user_data_reg_map[1] = 1;
  shader.user_data_limit = 2;
  shader.scratch_en = true;
  shader.scratch_bytes_per_lane = 16;
  const Result<object::Bytes> elf = object::link_stages({&shader, 1}, object::MetadataVersion::v3_0);
  EXPECT_TRUE(elf.ok());
  return {elf->begin(), elf->end()};
}

/// Repeats a call, whose n-th allocation fails, until it needs fewer than n. Returns how many it needs.
template <class Call>
long fail_each(Call call) {
  for (long n = 0; n < 100000; ++n) {
    if (!survives(n, call)) return n;
  }
  ADD_FAILURE() << "it never succeeds";
  return 0;
}

TEST(OutOfMemory, EveryCallOfADevice) {
  const std::vector<uint8_t> elf = make_elf();
  std::vector<uint64_t> out(16, 0);
  spalt_address_space* space = nullptr;
  EXPECT_GT(fail_each([&] {
              spalt_address_space_destroy(space);
              space = nullptr;
              return spalt_address_space_create(&space);
            }),
            0);
  auto mapping = spalt_api::sized<spalt_mapping>();
  mapping.address = kData;
  mapping.host = out.data();
  mapping.size = out.size() * 8;
  mapping.name = "a name that is too long to be kept without an allocation";
  EXPECT_GT(fail_each([&] {
              spalt_address_space_unmap(space, kData);
              return spalt_address_space_map(space, &mapping, nullptr);
            }),
            0);
  auto program_info = spalt_api::sized<spalt_program_create_info>();
  program_info.elf = elf.data();
  program_info.elf_size = elf.size();
  spalt_program* program = nullptr;
  EXPECT_GT(fail_each([&] {
              spalt_program_destroy(program);
              program = nullptr;
              return spalt_program_create(space, &program_info, &program, nullptr);
            }),
            10);
  auto device_info = spalt_api::sized<spalt_device_create_info>();
  device_info.address_space = space;
  device_info.threads = 3;
  spalt_device* device = nullptr;
  EXPECT_GT(fail_each([&] {
              spalt_device_destroy(device);
              device = nullptr;
              return spalt_device_create(&device_info, &device, nullptr);
            }),
            2);
  const uint32_t entries[] = {static_cast<uint32_t>(kData), static_cast<uint32_t>(kData >> 32)};
  auto dispatch = spalt_api::sized<spalt_dispatch_info>();
  dispatch.program = program;
  dispatch.user_data = entries;
  dispatch.user_data_count = 2;
  dispatch.workgroup_count[0] = 5;
  dispatch.workgroup_count[1] = dispatch.workgroup_count[2] = 1;
  EXPECT_GT(fail_each([&] { return spalt_device_dispatch(device, &dispatch, nullptr, nullptr); }), 2);
  for (const uint64_t pair : out) EXPECT_EQ(pair, 0x700000007u);
  // Interleaved, with caches and stores under way that outlive each attempt.
  auto host = [&] { out[0] = 0; };
  const std::vector<spalt_device_task> tasks = {spalt_api::Device::task(dispatch), spalt_api::Device::host_task(host),
                                                spalt_api::Device::task(dispatch)};
  spalt_run_info run = spalt_api::Device::run_info(tasks);
  run.interleave = run.memory_hierarchy = run.keep_caches = 1;
  EXPECT_GT(fail_each([&] {
              ++run.seed;
              return spalt_device_run(device, &run, nullptr);
            }),
            20);
  fail_each([&] { return spalt_device_cache_operation(device, SPALT_CACHE_ALL); });
  EXPECT_EQ(spalt_device_cache_operation(device, SPALT_CACHE_ALL), SPALT_SUCCESS);
  EXPECT_EQ(spalt_device_dispatch(device, &dispatch, nullptr, nullptr), SPALT_SUCCESS);
  for (const uint64_t pair : out) EXPECT_EQ(pair, 0x700000007u);
  spalt_device_destroy(device);
  spalt_program_destroy(program);
  spalt_address_space_destroy(space);
}

TEST(OutOfMemory, TheLayerAbove) {
  const std::vector<uint8_t> elf = make_elf();
  std::vector<uint64_t> out(16, 0);
  spalt_emulator* emulator = nullptr;
  EXPECT_GT(fail_each([&] {
              spalt_emulator_destroy(emulator);
              emulator = nullptr;
              return spalt_emulator_create(&emulator);
            }),
            0);
  fail_each([&] { return spalt_emulator_load(emulator, elf.data(), elf.size()); });
  fail_each([&] { return spalt_emulator_set_buffer(emulator, 0, 0, 0, out.data(), out.size() * 8); });
  auto info = spalt_api::sized<spalt_emulator_dispatch_info>();
  info.grid[1] = info.grid[2] = 1;  // no workgroups: the program wants an address in its entries
  info.threads = 2;
  EXPECT_GT(fail_each([&] { return spalt_emulator_dispatch(emulator, &info); }), 5);
  spalt_emulator_destroy(emulator);
}

}  // namespace
}  // namespace spalt::emu::test
