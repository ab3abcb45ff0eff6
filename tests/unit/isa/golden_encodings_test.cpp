// SPDX-License-Identifier: MIT
// Encodings from a compiled gfx900 kernel, which no assembler of ours or LLVM's has touched.
#include <gtest/gtest.h>

#include <vector>

#include "amdgpu/isa/codec/codec.h"

namespace spalt::isa {
namespace {

struct Golden {
  std::vector<uint32_t> words;
  const char* text;  ///< as LLVM writes it
};

const Golden kGolden[] = {
    {{0xc0060002, 0x0000000c}, "s_load_dwordx2 s[0:1], s[4:5], 0xc"},
    {{0x6804040c}, "v_add_u32_e32 v2, s12, v2"},
    {{0x8e02810b}, "s_lshl_b32 s2, s11, 1"},
    {{0x8e03810a}, "s_lshl_b32 s3, s10, 1"},
    {{0xbf8cc07f}, "s_waitcnt lgkmcnt(0)"},
    {{0xd2850002, 0x00020401}, "v_mul_lo_u32 v2, s1, v2"},
    {{0xc0060103, 0x00000040}, "s_load_dwordx2 s[4:5], s[6:7], 0x40"},
    {{0xc0020043, 0x00000038}, "s_load_dword s1, s[6:7], 0x38"},
    {{0xd1ff0002, 0x040a0202}, "v_add3_u32 v2, s2, v1, v2"},
    {{0xd2850002, 0x00020400}, "v_mul_lo_u32 v2, s0, v2"},
    {{0xc0020002, 0x00000000}, "s_load_dword s0, s[4:5], 0x0"},
    {{0xc0060103, 0x00000030}, "s_load_dwordx2 s[4:5], s[6:7], 0x30"},
    {{0xd2850004, 0x00000300}, "v_mul_lo_u32 v4, v0, s1"},
    {{0xd1ff0002, 0x040a0003}, "v_add3_u32 v2, s3, v0, v2"},
    {{0x7e060280}, "v_mov_b32_e32 v3, 0"},
    {{0xd28f0002, 0x00020482}, "v_lshlrev_b64 v[2:3], 2, v[2:3]"},
    {{0x7e000d04}, "v_cvt_f32_u32_e32 v0, v4"},
    {{0x7e020d01}, "v_cvt_f32_u32_e32 v1, v1"},
    {{0x32040404}, "v_add_co_u32_e32 v2, vcc, s4, v2"},
    {{0x7e080205}, "v_mov_b32_e32 v4, s5"},
    {{0x38060704}, "v_addc_co_u32_e32 v3, vcc, v4, v3, vcc"},
    {{0xd1c10004, 0x04000101}, "v_mad_f32 v4, v1, s0, v0"},
    {{0xdc708000, 0x007f0402}, "global_store_dword v[2:3], v4, off"},
    {{0xbf810000}, "s_endpgm"},
};

TEST(GoldenEncodings, Gfx900) {
  const Target& target = *find_target("gfx900");
  for (const Golden& golden : kGolden) {
    const Result<Inst> inst = decode(golden.words, target, 64);
    ASSERT_TRUE(inst.ok()) << golden.text << ": " << inst.error().message;
    EXPECT_EQ(to_text(*inst, target), golden.text);
    EXPECT_EQ(inst->size_bytes, 4 * golden.words.size()) << golden.text;
    const Result<EncodedInst> encoded = encode(*inst, target);
    ASSERT_TRUE(encoded.ok()) << golden.text << ": " << encoded.error().message;
    EXPECT_EQ(std::vector<uint32_t>(encoded->words, encoded->words + encoded->count), golden.words) << golden.text;
    // Without the format, the same one is chosen.
    Inst open = *inst;
    open.format = Format::invalid;
    EXPECT_EQ(select_format(open, target), inst->format) << golden.text;
  }
}

}  // namespace
}  // namespace spalt::isa
