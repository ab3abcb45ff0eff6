// SPDX-License-Identifier: MIT
#include "amdgpu/isa/target.h"

#include <gtest/gtest.h>

#include <string_view>

namespace spalt::isa {
namespace {

/// RDNA 2: a compute unit has two SIMDs, each with 1024 registers for waves of 32 lanes in units of 16, or 512 for
/// waves of 64 in units of 8. Worked out by hand.
TEST(Target, WavesOfAWorkgroupShareTheRegistersOfTheirSimds) {
  const Target& target = *find_target("gfx1030");
  EXPECT_EQ(target.vgprs_in_workgroup(32, 1024, false), 64u);  // 32 waves, 16 on each SIMD
  EXPECT_EQ(target.vgprs_in_workgroup(64, 1024, false), 64u);  // 16 waves, 8 on each
  EXPECT_EQ(target.vgprs_in_workgroup(32, 1024, true), 128u);  // two compute units
  EXPECT_EQ(target.vgprs_in_workgroup(32, 768, false), 80u);   // 12 on each: 85, rounded down to 16
  EXPECT_EQ(target.vgprs_in_workgroup(64, 640, false), 96u);   // 5 on each: 102, rounded down to 8
  EXPECT_EQ(target.vgprs_in_workgroup(32, 288, false), 192u);  // 9 waves, 5 on one of the SIMDs: 204
  EXPECT_EQ(target.vgprs_in_workgroup(32, 256, false), 256u);  // what an instruction can name
  EXPECT_EQ(target.vgprs_in_workgroup(64, 1, false), 256u);
  // Vega: four SIMDs with 256 registers for waves of 64 in units of 4.
  EXPECT_EQ(find_target("gfx900")->vgprs_in_workgroup(64, 1024, false), 64u);
}

bool is_member(const Target& processor, const Target& family) {
  const std::string_view name = family.name;
  if (family.generic_version == 0 || processor.generic_version != 0 || processor.major != family.major) return false;
  return !name.starts_with("gfx10-") || processor.minor == (name == "gfx10-1-generic" ? 1 : 3);
}

TEST(GenericTarget, PromisesWhatAllMembersHave) {
  unsigned families = 0, members = 0;
  for (const Target& family : targets()) {
    if (family.generic_version == 0) continue;
    ++families;
    for (const Target& member : targets()) {
      if (!is_member(member, family)) continue;
      ++members;
      EXPECT_EQ(family.features & ~member.features, 0) << family.name << " " << member.name;
      EXPECT_TRUE(member.has_salu_float || !family.has_salu_float) << family.name << " " << member.name;
      EXPECT_GE(family.min_user_sgprs_wave32, member.min_user_sgprs_wave32) << family.name << " " << member.name;
      for (unsigned i = 0; i < static_cast<unsigned>(Hazard::count); ++i) {
        const auto hazard = static_cast<Hazard>(i);
        EXPECT_TRUE(family.has(hazard) || !member.has(hazard)) << family.name << " " << member.name << " " << i;
      }
      EXPECT_EQ(family.architected_flat_scratch, member.architected_flat_scratch) << family.name;
      EXPECT_EQ(family.buffer_resource_word3, member.buffer_resource_word3) << family.name;
      // What fits the file of the generic target fits every member's.
      for (unsigned wave_size : {32u, 64u}) {
        if (wave_size == 32 && !family.has_wave32) continue;
        for (unsigned invocations = wave_size; invocations <= 1024; invocations += wave_size) {
          EXPECT_LE(family.vgprs_in_workgroup(wave_size, invocations, false),
                    member.vgprs_in_workgroup(wave_size, invocations, false))
              << family.name << " " << member.name << " " << invocations;
        }
      }
    }
  }
  EXPECT_EQ(families, 5u);
  EXPECT_EQ(members, targets().size() - families);
  EXPECT_EQ(find_target("gfx11-generic")->min_user_sgprs_wave32, 16);
  EXPECT_EQ(find_target("gfx11-generic")->vgprs_per_simd_wave32, 1024);
  EXPECT_TRUE(find_target("gfx10-3-generic")->has(Feature::dot));
  EXPECT_FALSE(find_target("gfx10-1-generic")->has(Feature::dot));
  EXPECT_FALSE(find_target("gfx10-1-generic")->has(Feature::ray));
  EXPECT_FALSE(find_target("gfx9-generic")->has(Feature::mad_mix));
  EXPECT_FALSE(find_target("gfx9-generic")->has(Feature::fma_mix));
}

/// LLVM writes no PAL objects for generic targets from code; what it writes for HSA has the number and the version at
/// the same places (llvm-mc-19 --amdhsa-code-object-version=6).
TEST(GenericTarget, FlagsHaveProcessorAndVersion) {
  EXPECT_EQ(find_target("gfx9-generic")->elf_flags(), 0x1000051u);
  EXPECT_EQ(find_target("gfx12-generic")->elf_flags(), 0x1000059u);
  EXPECT_EQ(find_target("gfx1030")->elf_flags(), 0x36u);
  EXPECT_EQ(find_target_of_elf(0x1000054)->name, std::string_view("gfx11-generic"));
  EXPECT_EQ(find_target_of_elf(0x54)->name, std::string_view("gfx11-generic"));
  EXPECT_EQ(find_target_of_elf(0x2000054), nullptr);
  EXPECT_EQ(find_target_of_elf(0x1000036), nullptr);
  EXPECT_EQ(find_target_of_elf(0x12c)->name, std::string_view("gfx900"));
}

}  // namespace
}  // namespace spalt::isa
