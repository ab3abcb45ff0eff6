// SPDX-License-Identifier: MIT
// The amdhsa loader: kernels assembled and linked by LLVM, initial registers compared with the ABI's description
// (LLVM AMDGPU usage guide, "Initial Kernel Execution State"), and code objects with damaged bytes.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

#include "emu/device/hsa_dispatch.h"

namespace spalt::emu::test {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes read_file(const std::string& path) {
  Bytes bytes;
  if (FILE* file = std::fopen(path.c_str(), "rb")) {
    uint8_t buffer[4096];
    for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) bytes.insert(bytes.end(), buffer, buffer + n);
    std::fclose(file);
  }
  return bytes;
}

struct KernelText {
  std::string body, directives;
  unsigned wave_size = 32;
  std::string extra_arguments;  ///< metadata after the output buffer, which is argument 0
  unsigned kernarg_bytes = 8;
};

/// A linked code object with the kernel "k".
Bytes link(const KernelText& kernel) {
  char folder[] = "/tmp/spalt-hsa-XXXXXX";
  if (mkdtemp(folder) == nullptr) return {};
  const std::string base(folder), source = base + "/k.s", object = base + "/k.o", elf = base + "/k.elf";
  const std::string wave = std::to_string(kernel.wave_size);
  const std::string text =
      ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1030\"\n.amdhsa_code_object_version 5\n.text\n.globl k\n"
      ".p2align 8\n.type k,@function\nk:\n" +
      kernel.body +
      "s_endpgm\n.rodata\n.p2align 6\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr 32\n"
      ".amdhsa_next_free_sgpr 64\n.amdhsa_wavefront_size32 " +
      (kernel.wave_size == 32 ? "1" : "0") + "\n" + kernel.directives +
      ".end_amdhsa_kernel\n.amdgpu_metadata\n---\namdhsa.version: [1, 2]\namdhsa.kernels:\n"
      "  - .name: k\n    .symbol: k.kd\n    .kernarg_segment_size: " +
      std::to_string(kernel.kernarg_bytes) +
      "\n    .group_segment_fixed_size: 0\n    .private_segment_fixed_size: 0\n"
      "    .kernarg_segment_align: 8\n    .wavefront_size: " +
      wave +
      "\n    .sgpr_count: 64\n    .vgpr_count: 32\n    .max_flat_workgroup_size: 256\n    .args:\n"
      "      - { .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }\n" +
      kernel.extra_arguments + "...\n.end_amdgpu_metadata\n";
  if (FILE* file = std::fopen(source.c_str(), "wb")) {
    std::fwrite(text.data(), 1, text.size(), file);
    std::fclose(file);
  }
  const std::string command =
      "llvm-mc-19 -triple=amdgcn-amd-amdhsa -mcpu=gfx1030 -mattr=" +
      std::string(kernel.wave_size == 32 ? "+wavefrontsize32,-wavefrontsize64" : "-wavefrontsize32,+wavefrontsize64") +
      " -filetype=obj -o " + object + " " + source + " && ld.lld-19 -shared -o " + elf + " " + object;
  EXPECT_EQ(std::system(command.c_str()), 0) << text;
  Bytes bytes = read_file(elf);
  for (const std::string& path : {source, object, elf}) unlink(path.c_str());
  rmdir(folder);
  return bytes;
}

HsaDispatchInfo dispatch_of(std::vector<uint32_t>& out, uint32_t items, uint32_t group) {
  HsaDispatchInfo info;
  info.kernel = "k";
  HsaArgument argument;
  argument.kind = HsaArgument::Kind::buffer;
  argument.data = reinterpret_cast<uint8_t*>(out.data());
  argument.size = out.size() * 4;
  argument.name = "out";
  info.arguments.push_back(argument);
  info.grid_items = {items, 1, 1};
  info.group_size = {group, 1, 1};
  info.step_limit = 100000;
  return info;
}

std::string run(const Bytes& elf, const HsaDispatchInfo& info) {
  const Result<object::HsaObject> object = object::read_hsa_object(elf);
  if (!object) return object.error().message;
  const Result<DispatchOutcome> outcome = run_hsa_dispatch(*object, info);
  return outcome ? outcome->fault : outcome.error().message;
}

/// Stores s[0..count) of the first lane's group to the buffer that s[pointer] points to.
std::string store_sgprs(unsigned pointer, unsigned count) {
  std::string text = "s_load_dwordx2 s[40:41], s[" + std::to_string(pointer) + ":" + std::to_string(pointer + 1) +
                     "], 0x0\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v10, 0\n";
  for (unsigned i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    text += "v_mov_b32 v11, s" + n + "\nglobal_store_dword v10, v11, s[40:41] offset:" + std::to_string(4 * i) + "\n";
  }
  return text;
}

constexpr const char* kEverySgpr =
    ".amdhsa_user_sgpr_private_segment_buffer 1\n.amdhsa_user_sgpr_dispatch_ptr 1\n.amdhsa_user_sgpr_queue_ptr 1\n"
    ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_user_sgpr_dispatch_id 1\n"
    ".amdhsa_user_sgpr_flat_scratch_init 1\n.amdhsa_user_sgpr_private_segment_size 1\n"
    ".amdhsa_system_sgpr_private_segment_wavefront_offset 1\n.amdhsa_private_segment_fixed_size 64\n"
    ".amdhsa_system_sgpr_workgroup_id_x 1\n.amdhsa_system_sgpr_workgroup_id_y 1\n.amdhsa_system_sgpr_workgroup_id_z 1\n"
    ".amdhsa_system_sgpr_workgroup_info 1\n";

TEST(Hsa, UserAndSystemSgprsFollowTheAbi) {
  KernelText kernel{store_sgprs(8, 20), kEverySgpr};
  std::vector<uint32_t> out(20, 0xffffffffu);
  ASSERT_EQ(run(link(kernel), dispatch_of(out, 32, 32)), "");
  // 0 to 3: descriptor of scratch, swizzled with the lane added; 4: dispatch packet; 6: queue; 8: kernarg; 10: id; 12:
  // flat scratch base, which is the descriptor's base; 14: scratch bytes; 15 to 17: workgroup id; 18: one wave, the
  // first; 19: offset.
  EXPECT_EQ(out[0], out[12]);
  EXPECT_EQ(out[1] & 0xffff, out[13]);
  EXPECT_EQ(out[1] >> 31, 1u);
  EXPECT_EQ(out[3] >> 23 & 1, 1u);
  EXPECT_EQ(out[3] >> 21 & 3, 2u) << "32 lanes interleave";
  EXPECT_EQ(out[10], 0u);
  EXPECT_EQ(out[14], 64u);
  EXPECT_EQ(out[15], 0u);
  EXPECT_EQ(out[16], 0u);
  EXPECT_EQ(out[17], 0u);
  EXPECT_EQ(out[18], 1u | 1u << 31);
  EXPECT_EQ(out[19], 0u);
}

TEST(Hsa, DispatchPacketAndHiddenArguments) {
  KernelText kernel;
  kernel.directives = ".amdhsa_user_sgpr_dispatch_ptr 1\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n";
  kernel.kernarg_bytes = 40;
  kernel.extra_arguments =
      "      - { .offset: 8, .size: 4, .value_kind: by_value }\n"
      "      - { .offset: 16, .size: 4, .value_kind: hidden_block_count_x }\n"
      "      - { .offset: 20, .size: 2, .value_kind: hidden_group_size_x }\n"
      "      - { .offset: 22, .size: 2, .value_kind: hidden_remainder_x }\n"
      "      - { .offset: 24, .size: 8, .value_kind: hidden_global_offset_x }\n"
      "      - { .offset: 32, .size: 2, .value_kind: hidden_grid_dims }\n";
  kernel.body =
      "s_load_dwordx2 s[40:41], s[2:3], 0x0\ns_load_dwordx4 s[16:19], s[0:1], 0x0\ns_load_dwordx2 s[20:21], s[0:1], "
      "0x28\n"
      "s_load_dwordx8 s[24:31], s[2:3], 0x8\ns_waitcnt lgkmcnt(0)\ns_sub_u32 s20, s20, s2\nv_mov_b32 v10, 0\n";
  unsigned next = 0;
  for (const unsigned reg : {16u, 17u, 18u, 19u, 20u, 24u, 26u, 27u, 28u, 29u, 30u}) {
    kernel.body += "v_mov_b32 v11, s" + std::to_string(reg) +
                   "\nglobal_store_dword v10, v11, s[40:41] offset:" + std::to_string(4 * next++) + "\n";
  }
  std::vector<uint32_t> out(11, 0xffffffffu);
  HsaDispatchInfo info = dispatch_of(out, 100, 32);
  HsaArgument value;
  value.bytes = {0x78, 0x56, 0x34, 0x12};
  info.arguments.push_back(value);
  info.global_offset = {0x500000007, 0, 0};
  ASSERT_EQ(run(link(kernel), info), "");
  EXPECT_EQ(out[0] >> 16, 1u) << "one dimension";
  EXPECT_EQ(out[1], 32u | 1u << 16);
  EXPECT_EQ(out[2], 1u);
  EXPECT_EQ(out[3], 100u);
  EXPECT_EQ(out[4], 0u) << "the packet names the kernarg segment";
  EXPECT_EQ(out[5], 0x12345678u);
  EXPECT_EQ(out[6], 3u) << "whole workgroups";
  EXPECT_EQ(out[7], 32u | 4u << 16) << "group size, remainder";
  EXPECT_EQ(out[8], 7u);
  EXPECT_EQ(out[9], 5u);
  EXPECT_EQ(out[10] & 0xffff, 1u);
}

TEST(Hsa, PartialWorkgroupsAndWorkItemIds) {
  for (const unsigned wave_size : {32u, 64u}) {
    KernelText kernel;
    kernel.wave_size = wave_size;
    kernel.directives =
        ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_system_sgpr_workgroup_id_y "
        "1\n.amdhsa_system_vgpr_workitem_id 1\n";
    // out[group * 96 + y * 16 + x] = 1 + x + 100 y
    kernel.body =
        "s_load_dwordx2 s[40:41], s[0:1], 0x0\ns_lshl_b32 s4, s3, 1\ns_add_u32 s4, s4, s2\ns_mul_i32 s4, s4, 384\n"
        "v_lshlrev_b32 v2, 4, v1\nv_add_lshl_u32 v2, v2, v0, 2\nv_add_nc_u32 v2, s4, v2\nv_mul_u32_u24 v3, 100, v1\n"
        "v_add3_u32 v3, v3, v0, 1\ns_waitcnt lgkmcnt(0)\nglobal_store_dword v2, v3, s[40:41]\n";
    std::vector<uint32_t> out(4 * 96, 0);
    HsaDispatchInfo info = dispatch_of(out, 1, 1);
    info.grid_items = {20, 8, 1};
    info.group_size = {16, 6, 1};
    ASSERT_EQ(run(link(kernel), info), "");
    for (uint32_t group = 0; group < 4; ++group) {
      const uint32_t width = group % 2 == 0 ? 16 : 4, height = group < 2 ? 6 : 2;
      for (uint32_t y = 0; y < 6; ++y) {
        for (uint32_t x = 0; x < 16; ++x) {
          EXPECT_EQ(out[group * 96 + y * 16 + x], x < width && y < height ? 1 + x + 100 * y : 0)
              << group << " " << x << " " << y;
        }
      }
    }
  }
}

TEST(Hsa, RefusesWhatDoesNotFit) {
  const Bytes elf = link({store_sgprs(8, 1), kEverySgpr});
  std::vector<uint32_t> out(32, 0);
  HsaDispatchInfo info = dispatch_of(out, 512, 512);
  EXPECT_EQ(run(elf, info), "the workgroup is larger than the kernel allows");
  info = dispatch_of(out, 32, 32);
  info.arguments.clear();
  EXPECT_EQ(run(elf, info), "too few kernel arguments");
  info = dispatch_of(out, 32, 32);
  info.arguments.push_back(info.arguments[0]);
  EXPECT_EQ(run(elf, info), "too many kernel arguments");
  info = dispatch_of(out, 32, 32);
  info.arguments[0].kind = HsaArgument::Kind::value;
  info.arguments[0].bytes = {1, 2, 3, 4};
  EXPECT_EQ(run(elf, info), "out is not a value of the argument's size");
  info = dispatch_of(out, 32, 32);
  info.kernel = "other";
  EXPECT_EQ(run(elf, info), "there is no kernel \"other\"");
  info = dispatch_of(out, 32, 0);
  EXPECT_EQ(run(elf, info), "a workgroup dimension is out of range");
}

TEST(Hsa, DamagedCodeObjectsAreErrorsOrRunToAnEnd) {
  const Bytes elf = link({store_sgprs(8, 20), kEverySgpr});
  ASSERT_FALSE(elf.empty());
  std::vector<uint32_t> out(20, 0);
  HsaDispatchInfo info = dispatch_of(out, 32, 32);
  info.step_limit = 2000;
  for (size_t size = 0; size < elf.size(); size += 7) {
    EXPECT_FALSE(object::read_hsa_object(std::span(elf).first(size)).ok()) << size;
  }
  // Every byte of headers, notes, symbols and descriptor in turn, and random groups of bytes anywhere.
  std::mt19937 random(7);
  for (size_t at = 0; at < elf.size(); ++at) {
    for (const uint8_t value : {uint8_t{0}, uint8_t{0xff}, static_cast<uint8_t>(elf[at] ^ (1u << (random() & 7)))}) {
      Bytes damaged = elf;
      damaged[at] = value;
      (void)run(damaged, info);
    }
  }
  for (unsigned round = 0; round < 500; ++round) {
    Bytes damaged = elf;
    for (unsigned k = 0; k < 8; ++k) damaged[random() % damaged.size()] = static_cast<uint8_t>(random());
    (void)run(damaged, info);
  }
}

TEST(Hsa, ReadsRelocationsAndKeepsSegmentsApart) {
  // A table of addresses in .data.rel.ro, filled in by the loader.
  KernelText kernel;
  kernel.directives = ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n";
  kernel.body =
      "s_load_dwordx2 s[40:41], s[0:1], 0x0\ns_getpc_b64 s[4:5]\ns_add_u32 s4, s4, table@rel32@lo+4\n"
      "s_addc_u32 s5, s5, table@rel32@hi+12\ns_load_dwordx2 s[6:7], s[4:5], 0x8\ns_waitcnt lgkmcnt(0)\n"
      "s_load_dword s8, s[6:7], 0x0\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v10, 0\nv_mov_b32 v11, s8\n"
      "global_store_dword v10, v11, s[40:41]\ns_endpgm\n"
      ".section .data.rel.ro,\"aw\",@progbits\n.p2align 3\ntable:\n.quad 0\n.quad value\n"
      ".section .rodata.value,\"a\",@progbits\n.p2align 2\nvalue:\n.long 0xcafe1234\n.text\n";
  std::vector<uint32_t> out(1, 0);
  const Bytes elf = link(kernel);
  ASSERT_EQ(run(elf, dispatch_of(out, 1, 1)), "");
  EXPECT_EQ(out[0], 0xcafe1234u);
  const Result<object::HsaObject> object = object::read_hsa_object(elf);
  ASSERT_TRUE(object.ok());
  EXPECT_EQ(object->relocations.size(), 1u);
}

}  // namespace
}  // namespace spalt::emu::test
