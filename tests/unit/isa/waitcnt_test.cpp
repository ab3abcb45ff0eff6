// SPDX-License-Identifier: MIT
#include "amdgpu/isa/waitcnt.h"

#include <gtest/gtest.h>

#include "llvm_mc.h"

namespace spalt::isa {
namespace {

using test::LlvmMc;

const Target& gfx1030() {
  return *find_target("gfx1030");
}

/// RDNA 2 ISA guide, S_WAITCNT: vm_cnt in bits 15:14 and 3:0, exp_cnt in 6:4, lgkm_cnt in 13:8.
TEST(Waitcnt, FieldsOfRdna2) {
  EXPECT_EQ(encode_waitcnt(gfx1030(), {0, 0, 0}), 0x0000);
  EXPECT_EQ(encode_waitcnt(gfx1030(), {15, 0, 0}), 0x000f);
  EXPECT_EQ(encode_waitcnt(gfx1030(), {16, 0, 0}), 0x4000);
  EXPECT_EQ(encode_waitcnt(gfx1030(), {63, 0, 0}), 0xc00f);
  EXPECT_EQ(encode_waitcnt(gfx1030(), {0, 7, 0}), 0x0070);
  EXPECT_EQ(encode_waitcnt(gfx1030(), {0, 0, 63}), 0x3f00);
}

TEST(Waitcnt, WhatExceedsACounterDoesNotWait) {
  const WaitCounts nothing{255, 255, 255};
  for (const Target& target : targets()) {
    const WaitCounts decoded = decode_waitcnt(target, encode_waitcnt(target, nothing));
    EXPECT_EQ(decoded.vm, target.vmcnt_max) << target.name;
    EXPECT_EQ(decoded.exp, target.expcnt_max) << target.name;
    EXPECT_EQ(decoded.lgkm, target.lgkmcnt_max) << target.name;
  }
}

TEST(Waitcnt, DecodingInvertsEncoding) {
  for (const Target& target : targets()) {
    for (unsigned vm = 0; vm <= target.vmcnt_max; ++vm) {
      for (unsigned exp = 0; exp <= target.expcnt_max; ++exp) {
        for (unsigned lgkm = 0; lgkm <= target.lgkmcnt_max; ++lgkm) {
          const WaitCounts counts{static_cast<uint8_t>(vm), static_cast<uint8_t>(exp), static_cast<uint8_t>(lgkm)};
          const WaitCounts decoded = decode_waitcnt(target, encode_waitcnt(target, counts));
          ASSERT_EQ(decoded.vm, vm) << target.name;
          ASSERT_EQ(decoded.exp, exp) << target.name;
          ASSERT_EQ(decoded.lgkm, lgkm) << target.name;
        }
      }
    }
  }
}

/// LLVM's assembler writes the same immediate for the same counters.
TEST(Waitcnt, AgreesWithLlvm) {
  if (!LlvmMc::available()) GTEST_SKIP() << "llvm-mc-19 is not installed";
  for (const Target& target : targets()) {
    std::vector<WaitCounts> counts;
    std::vector<std::string> lines;
    for (unsigned i = 0; i < 64; ++i) {
      const WaitCounts c{static_cast<uint8_t>(i % (target.vmcnt_max + 1u)),
                         static_cast<uint8_t>(i * 5 % (target.expcnt_max + 1u)),
                         static_cast<uint8_t>(i * 11 % (target.lgkmcnt_max + 1u))};
      counts.push_back(c);
      lines.push_back("s_waitcnt vmcnt(" + std::to_string(c.vm) + ") expcnt(" + std::to_string(c.exp) + ") lgkmcnt(" +
                      std::to_string(c.lgkm) + ")");
    }
    const std::string processor = target.name;
    const auto code = LlvmMc(processor == "gfx1153" ? "gfx1152" : processor,  // LLVM 19 does not know the newer one
                             target.has_wave32 ? 32 : 64)
                          .assemble(lines);
    ASSERT_EQ(code.size(), lines.size());
    for (size_t i = 0; i < lines.size(); ++i) {
      ASSERT_EQ(code[i].size(), 1u) << target.name << ": " << lines[i];
      EXPECT_EQ(code[i][0] & 0xffff, encode_waitcnt(target, counts[i])) << target.name << ": " << lines[i];
    }
  }
}

}  // namespace
}  // namespace spalt::isa
