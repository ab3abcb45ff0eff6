// SPDX-License-Identifier: MIT
// The program resource registers that we write, on every target whose loaders take them raw, beside those that llvm-mc
// puts into kernel descriptors for the same resources and modes.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "../command.h"
#include "amdgpu/isa/target.h"
#include "sample.h"

namespace spalt::object {
namespace {

using test::output_of;

constexpr uint32_t kVgprs[] = {1, 4, 5, 8, 9, 24, 33, 64, 97, 128, 255, 256};
constexpr uint32_t kSgprs[] = {1, 10, 11, 26, 27, 42, 58, 59, 75, 90, 96};

/// A shader of that many registers whose other fields change with the number: every flag is on somewhere and off
/// somewhere, alone among its neighbours.
StageObject shader_of(const isa::Target& target, uint32_t wave_size, unsigned number) {
  StageObject shader = sample();
  shader.target_name = target.name;
  shader.wave_size = wave_size;
  shader.vgpr_count = kVgprs[number % std::size(kVgprs)];
  shader.sgpr_count = kSgprs[number % std::size(kSgprs)];
  shader.user_sgprs = number % 17;
  shader.float_mode = (0x5b + number * 0x35) & 0xff;
  shader.dx10_clamp = number % 3 == 0;
  shader.ieee_mode = number % 3 == 1;
  shader.fp16_overflow = number % 5 == 2;
  shader.wgp_mode = number % 4 == 1;
  shader.mem_ordered = number % 4 != 2;
  shader.forward_progress = number % 4 == 3;
  shader.scratch_en = number % 2 == 0;
  shader.tgid_x_en = number % 4 != 1;
  shader.tgid_y_en = number % 4 == 2;
  shader.tgid_z_en = number % 4 == 3;
  shader.tg_size_en = number % 5 == 4;
  shader.tidig_comp_cnt = number % 3;
  shader.excp_en = number % 7 == 6 ? 0x7f : 1u << number % 7;
  shader.shared_vgpr_count = wave_size == 64 && target.has_wave32 && shader.vgpr_count < 200 ? number % 6 * 8 : 0;
  return shader;
}

std::string directive(const char* name, uint32_t value) {
  return std::string(".amdhsa_") + name + " " + std::to_string(value) + "\n";
}

/// The same for llvm-mc. vcc, flat_scratch and the xnack mask are reserved after the SGPRs, as we do on GFX9.
std::string descriptor_of(const isa::Target& target, const StageObject& shader, unsigned number) {
  const std::string name = "k" + std::to_string(number);
  std::string text = ".text\n.globl " + name + "\n.p2align 8\n.type " + name + ",@function\n" + name +
                     ": s_endpgm\n.rodata\n.p2align 6\n.amdhsa_kernel " + name + "\n";
  text += directive("next_free_vgpr", shader.vgpr_count) + directive("next_free_sgpr", shader.sgpr_count);
  text += directive("reserve_vcc", 1) + directive("user_sgpr_count", shader.user_sgprs);
  text += directive("float_round_mode_32", shader.float_mode & 3);
  text += directive("float_round_mode_16_64", shader.float_mode >> 2 & 3);
  text += directive("float_denorm_mode_32", shader.float_mode >> 4 & 3);
  text += directive("float_denorm_mode_16_64", shader.float_mode >> 6 & 3);
  text += directive("dx10_clamp", shader.dx10_clamp) + directive("ieee_mode", shader.ieee_mode);
  text += directive("fp16_overflow", shader.fp16_overflow);
  if (target.has_wave32) {
    text += directive("wavefront_size32", shader.wave_size == 32);
    text += directive("workgroup_processor_mode", shader.wgp_mode) + directive("memory_ordered", shader.mem_ordered);
    text += directive("forward_progress", shader.forward_progress);
    text += directive("shared_vgpr_count", shader.shared_vgpr_count / 8);
  }
  if (!target.architected_flat_scratch) text += directive("reserve_flat_scratch", 1);
  text += directive(
      target.architected_flat_scratch ? "enable_private_segment" : "system_sgpr_private_segment_wavefront_offset",
      shader.scratch_en);
  text += directive("system_sgpr_workgroup_id_x", shader.tgid_x_en);
  text += directive("system_sgpr_workgroup_id_y", shader.tgid_y_en);
  text += directive("system_sgpr_workgroup_id_z", shader.tgid_z_en);
  text += directive("system_sgpr_workgroup_info", shader.tg_size_en);
  text += directive("system_vgpr_workitem_id", shader.tidig_comp_cnt);
  constexpr const char* kExceptions[] = {"fp_ieee_invalid_op", "fp_denorm_src",     "fp_ieee_div_zero",
                                         "fp_ieee_overflow",   "fp_ieee_underflow", "fp_ieee_inexact",
                                         "int_div_zero"};
  for (unsigned i = 0; i < std::size(kExceptions); ++i) {
    text += directive((std::string("exception_") + kExceptions[i]).c_str(), shader.excp_en >> i & 1);
  }
  return text + ".end_amdhsa_kernel\n";
}

struct Registers {
  uint32_t rsrc1 = 0, rsrc2 = 0, rsrc3 = 0;
  bool operator==(const Registers&) const = default;
};

void PrintTo(const Registers& registers, std::ostream* out) {
  *out << std::hex << registers.rsrc1 << " " << registers.rsrc2 << " " << registers.rsrc3;
}

/// Descriptors of 64 bytes, one after the other (docs/abi/amdgpu.md#kernel-descriptor).
std::vector<Registers> from_llvm(const isa::Target& target, const std::string& text) {
  const std::vector<uint8_t> source(text.begin(), text.end());
  const std::string bytes = output_of(
      std::string("f() { llvm-mc-19 -triple=amdgcn-amd-amdhsa --amdhsa-code-object-version=6 -filetype=obj -mcpu=") +
          target.name + " -o $1.o $1 && llvm-objcopy-19 -O binary --only-section=.rodata $1.o $1.b && " +
          "od -An -v -tx4 -w64 $1.b; rm -f $1.o $1.b; }; f",
      source);
  std::vector<Registers> all;
  for (size_t at = 0; at < bytes.size(); at = bytes.find('\n', at) + 1) {
    uint32_t words[16] = {};
    const char* place = bytes.c_str() + at;
    for (uint32_t& word : words) {
      char* end = nullptr;
      word = static_cast<uint32_t>(std::strtoul(place, &end, 16));
      if (end == place) return ADD_FAILURE() << target.name << ": " << bytes, all;
      place = end;
    }
    all.push_back({words[12], words[13], words[11]});
  }
  return all;
}

uint32_t register_in(const std::string& notes, uint32_t number) {
  const std::string key = "\n      " + std::to_string(number) + ":";
  const size_t at = notes.find(key);
  return at == std::string::npos ? 0 : static_cast<uint32_t>(std::stoul(notes.substr(at + key.size())));
}

Registers from_us(const StageObject& shader) {
  const std::string notes = output_of("llvm-readelf-19 --notes", written(shader, MetadataVersion::v2_6));
  EXPECT_NE(notes.find(".registers:"), std::string::npos) << notes;
  return {register_in(notes, 0x2e12), register_in(notes, 0x2e13), register_in(notes, 0x2e28)};
}

/// LDS is the packet's business in HSA: bits 23:15 of RSRC2 are ours alone. LLVM counts SGPRs in units of 8 although
/// GFX9 allocates 16, and rounds the registers after them otherwise: what is allocated is the same
/// (docs/abi/amdgpu.md#program-resources).
constexpr uint32_t kLds = 0x1ff << 15, kSgprField = 0xf << 6;

unsigned sgprs_allocated(uint32_t rsrc1) {
  return ((rsrc1 & kSgprField) >> 6) / 2 * 16 + 16;
}

TEST(ProgramRegisters, AreThoseOfLlvmOnEveryTarget) {
  unsigned number = 0;  // goes on from target to target, so that each has other combinations
  for (const isa::Target& target : isa::targets()) {
    // Loaders of GFX12 make the registers from named fields, and LLVM 19 does not know gfx1153.
    if (target.min_metadata_major != 2 || std::string_view(target.name) == "gfx1153") continue;
    for (uint32_t wave_size : {32u, 64u}) {
      if (wave_size == 32 && !target.has_wave32) continue;
      std::vector<StageObject> shaders;
      std::string text;
      for (unsigned i = 0; i < 8; ++i, ++number) {
        shaders.push_back(shader_of(target, wave_size, number));
        text += descriptor_of(target, shaders.back(), number);
      }
      const std::vector<Registers> theirs = from_llvm(target, text);
      ASSERT_EQ(theirs.size(), shaders.size()) << target.name;
      for (size_t i = 0; i < shaders.size(); ++i) {
        Registers ours = from_us(shaders[i]), expected = theirs[i];
        EXPECT_EQ((ours.rsrc2 & kLds) >> 15, 3u) << target.name;  // 1300 bytes in units of 512
        if (target.sgpr_granule != 0) {
          EXPECT_EQ(sgprs_allocated(ours.rsrc1), sgprs_allocated(expected.rsrc1)) << target.name << " " << i;
          EXPECT_EQ(ours.rsrc1 & 1u << 6, 0u);
          ours.rsrc1 &= ~kSgprField;
          expected.rsrc1 &= ~kSgprField;
        }
        ours.rsrc2 &= ~kLds;
        EXPECT_EQ(ours, expected) << target.name << " wave" << wave_size << " " << i;
      }
    }
  }
  EXPECT_GE(number, 8u * 40);
}

}  // namespace
}  // namespace spalt::object
