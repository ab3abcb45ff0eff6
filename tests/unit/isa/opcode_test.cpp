// SPDX-License-Identifier: MIT
#include "amdgpu/isa/opcode.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "amdgpu/isa/opcode_tables.h"
#include "amdgpu/isa/target.h"

namespace spalt::isa {
namespace {

TEST(Opcode, EveryNameIsFoundOnce) {
  std::set<std::string> names;
  for (unsigned i = 0; i < static_cast<unsigned>(Opcode::count); ++i) {
    const auto opcode = static_cast<Opcode>(i);
    EXPECT_TRUE(names.insert(info(opcode).name).second) << info(opcode).name;
    EXPECT_EQ(find_opcode(info(opcode).name), opcode);
  }
  EXPECT_EQ(find_opcode("v_frobnicate_b32"), Opcode::invalid);
  EXPECT_EQ(find_opcode(""), Opcode::invalid);
  EXPECT_STREQ(info(Opcode::invalid).name, "invalid");
}

TEST(Opcode, NumbersAndOpcodesAreInverse) {
  for (unsigned i = 0; i < static_cast<unsigned>(Opcode::count); ++i) {
    const auto opcode = static_cast<Opcode>(i);
    unsigned encodings = 0;
    for (unsigned f = 1; f < static_cast<unsigned>(Format::count); ++f) {
      const auto format = static_cast<Format>(f);
      const int number = opcode_number(opcode, format, Generation::gfx10_3);
      if (number < 0) continue;
      ++encodings;
      if (format == Format::sdwa || format == Format::dpp16 || format == Format::dpp8) continue;
      EXPECT_EQ(opcode_at(format, static_cast<uint32_t>(number), Generation::gfx10_3), opcode) << info(opcode).name;
    }
  }
  EXPECT_EQ(opcode_number(Opcode::v_add_f32, Format::sop2, Generation::gfx10_3), -1);
  EXPECT_EQ(opcode_number(Opcode::invalid, Format::vop2, Generation::gfx10_3), -1);
}

TEST(Opcode, FactsThatRegisterAllocationRestsOn) {
  const OpcodeInfo& shift = info(Opcode::v_lshlrev_b64);
  EXPECT_EQ(shift.dst[0].type, OperandType::b64);
  EXPECT_EQ(shift.src[0].type, OperandType::u32);
  EXPECT_EQ(shift.src[1].type, OperandType::b64);
  const OpcodeInfo& mad = info(Opcode::v_mad_u64_u32);
  EXPECT_EQ(mad.dst_count, 2);
  EXPECT_EQ(mad.dst[0].type, OperandType::u64);
  EXPECT_EQ(mad.dst[1].role, OperandRole::lane_mask);
  EXPECT_EQ(mad.src[2].type, OperandType::u64);
  EXPECT_TRUE(info(Opcode::v_fmac_f32).has(kDstIsSrc));
  EXPECT_TRUE(info(Opcode::v_writelane_b32).has(kDstIsSrc));
  EXPECT_FALSE(info(Opcode::v_fma_f32).has(kDstIsSrc));
  EXPECT_TRUE(info(Opcode::v_div_fmas_f32).has(kReadsVcc));
  EXPECT_TRUE(info(Opcode::s_addc_u32).has(kReadsScc));
  EXPECT_TRUE(info(Opcode::s_addc_u32).has(kWritesScc));
  EXPECT_FALSE(info(Opcode::s_mul_i32).has(kWritesScc));
  EXPECT_TRUE(info(Opcode::s_and_saveexec_b32).has(kWritesExec));
  EXPECT_TRUE(info(Opcode::v_cmpx_eq_u32).has(kWritesExec));
  EXPECT_EQ(info(Opcode::v_cmpx_eq_u32).dst_count, 0);
}

TEST(Target, Gfx103Family) {
  // EF_AMDGPU_MACH: LLVM AMDGPU usage guide, "ELF Code Object".
  const struct {
    const char* name;
    unsigned mach;
  } expected[] = {{"gfx1030", 0x36}, {"gfx1031", 0x37}, {"gfx1032", 0x38}, {"gfx1033", 0x39},
                  {"gfx1034", 0x3e}, {"gfx1035", 0x3d}, {"gfx1036", 0x45}};
  for (const auto& row : expected) {
    const Target* target = find_target(row.name);
    ASSERT_NE(target, nullptr) << row.name;
    EXPECT_EQ(target->elf_mach, row.mach);
    EXPECT_EQ(target->buffer_resource_word3, 0x31016facu);  // what LLVM puts into its scratch descriptors
  }
  EXPECT_EQ(find_target("gfx1"), nullptr);
}

}  // namespace
}  // namespace spalt::isa
