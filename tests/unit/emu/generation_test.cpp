// SPDX-License-Identifier: MIT
// What gfx9 and gfx10.1 do otherwise than gfx10.3: expectations from the Vega ISA guide, by hand.
#include <gtest/gtest.h>

#include "assemble.h"

namespace spalt::emu::test {
namespace {

using U = uint32_t;

/// The dword that every lane stores from v16, taken from lane 3; the fault message in its place when there is one.
struct Outcome {
  U value = 0;
  std::string fault;
};
Outcome run(const char* target, const std::string& body) {
  std::vector<U> out(64, 0);
  Outcome outcome;
  outcome.fault = run_snippet("v_lshlrev_b32 v1, 2, v0\n" + body + "buffer_store_dword v16, v1, s[8:11], 0 offen\n",
                              {&out}, 64, 4096, 0, target);
  outcome.value = out[3];
  return outcome;
}
void expect(const char* target, const std::string& body, U want) {
  const Outcome outcome = run(target, body);
  EXPECT_EQ(outcome.fault, "") << target << "\n" << body;
  EXPECT_EQ(outcome.value, want) << target << "\n" << body;
}
void expect_fault(const char* target, const std::string& body, const std::string& part) {
  const Outcome outcome = run(target, body);
  EXPECT_NE(outcome.fault.find(part), std::string::npos) << target << ": " << outcome.fault << "\n" << body;
}

TEST(Generations, MadRoundsTheProduct) {
  // (1 + 2^-12)^2 - (1 + 2^-11) is 2^-24, which the rounded product has lost.
  const std::string values = "v_mov_b32 v2, 0x3f800800\nv_mov_b32 v3, 0xbf801000\nv_mov_b32 v16, v3\n";
  for (const char* target : {"gfx900", "gfx1010"}) {
    expect(target, values + "v_mad_f32 v16, v2, v2, v3\n", 0);
    expect(target, values + "v_mac_f32 v16, v2, v2\n", 0);
    expect(target, values + "v_madmk_f32 v16, v2, 0x3f800800, v3\n", 0);
    expect(target, values + "v_fma_f32 v16, v2, v2, v3\n", 0x33800000);
  }
}

TEST(Generations, MadFlushesDenormalsInEveryMode) {
  const std::string values = "v_mov_b32 v2, 0x00400000\nv_mov_b32 v3, 1.0\n";
  expect("gfx900", values + "v_mad_f32 v16, v2, v3, 0\n", 0);
  expect("gfx900", values + "v_fma_f32 v16, v2, v3, 0\n", 0x00400000);
  expect("gfx1010", values + "v_mad_legacy_f32 v16, v3, v3, v2\n", 0x3f800000);
}

TEST(Generations, HalfResultsClearTheOtherHalfOnGfx9) {
  const std::string values = "v_mov_b32 v16, 0x12345678\nv_mov_b32 v2, 0x3c00\n";
  expect("gfx900", values + "v_add_f16 v16, v2, v2\n", 0x4000);
  expect("gfx900", values + "v_lshlrev_b16 v16, 1, v2\n", 0x7800);
  expect("gfx900", values + "v_cvt_f16_u16 v16, 1\n", 0x3c00);
  expect("gfx900", values + "v_mad_legacy_f16 v16, v2, v2, v2\n", 0x4000);
  expect("gfx900", values + "v_mad_f16 v16, v2, v2, v2\n", 0x12344000);
  expect("gfx900", values + "v_fma_f16 v16, v2, v2, v2\n", 0x12344000);
  expect("gfx1010", values + "v_add_f16 v16, v2, v2\n", 0x12344000);
}

TEST(Generations, StoresCountAmongLoadsWithoutVscnt) {
  const std::string load = "buffer_load_dword v2, v1, s[8:11], 0 offen\n",
                    store = "buffer_store_dword v1, v1, s[8:11], 0 offen\n", use = "v_add_u32 v16, 7, v2\n",
                    use10 = "v_add_nc_u32 v16, 7, v2\n";
  expect("gfx900", load + store + "s_waitcnt vmcnt(1)\n" + use, 7);
  expect("gfx900", store + load + "s_waitcnt vmcnt(0)\n" + use, 19);
  expect_fault("gfx900", store + load + "s_waitcnt vmcnt(1)\n" + use, "reads v2");
  expect_fault("gfx1010", load + store + "s_waitcnt vmcnt(1)\n" + use10, "reads v2");
}

// .long 0xbf110M14: s_set_gpr_idx_on s20, with M 1 for source 0, 2 source 1, 4 source 2, 8 destination.
TEST(Generations, VgprIndexingOfGfx9) {
  const std::string values =
      "v_mov_b32 v4, 40\nv_mov_b32 v5, 50\nv_mov_b32 v6, 60\nv_mov_b32 v16, 0\nv_mov_b32 v14, 7\n";
  expect("gfx900",
         values +
             "s_mov_b32 s20, 2\n.long 0xbf110114\nv_add_u32 v16, v4, v5\n"
             "s_set_gpr_idx_off\n",
         110);
  expect("gfx900",
         values +
             "s_mov_b32 s20, 2\n.long 0xbf110214\nv_add_u32 v16, v4, v4\n"
             "s_set_gpr_idx_off\n",
         100);
  expect("gfx900",
         values +
             "s_mov_b32 s20, 2\n.long 0xbf110814\nv_mov_b32 v14, v5\n"
             "s_set_gpr_idx_off\nv_add_u32 v16, v14, v16\n",
         57);
  expect("gfx900",
         values +
             "s_mov_b32 s20, 1\n.long 0xbf110114\ns_mov_b32 s21, 2\n"
             "s_set_gpr_idx_idx s21\nv_mov_b32 v16, v4\ns_set_gpr_idx_off\n",
         60);
  expect_fault("gfx900",
               values +
                   "s_mov_b32 s20, 200\n.long 0xbf110114\nv_mov_b32 v16, v4\n"
                   "s_set_gpr_idx_off\n",
               "indexes a vector register beyond");
  // A moved source is waited for like any other.
  expect_fault("gfx900",
               values +
                   "buffer_load_dword v6, v1, s[8:11], 0 offen\ns_mov_b32 s20, 2\n"
                   ".long 0xbf110114\nv_mov_b32 v16, v4\ns_set_gpr_idx_off\n",
               "reads v6");
}

}  // namespace
}  // namespace spalt::emu::test
