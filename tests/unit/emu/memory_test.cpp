// SPDX-License-Identifier: MIT
// Vector memory, LDS and scratch against plain C++.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "assemble.h"

namespace spalt::emu::test {
namespace {

using U = uint32_t;

constexpr unsigned kLanes = 32;

std::vector<U> counting(size_t count, U start = 0x01020304, U step = 0x11223345) {
  std::vector<U> values;
  for (size_t i = 0; i < count; ++i) values.push_back(start + static_cast<U>(i) * step);
  return values;
}

U byte_at(const std::vector<U>& words, size_t offset) {
  return words[offset / 4] >> (8 * (offset % 4)) & 255;
}
U half_at(const std::vector<U>& words, size_t offset) {
  return byte_at(words, offset) | byte_at(words, offset + 1) << 8;
}
U word_at(const std::vector<U>& words, size_t offset) {
  return half_at(words, offset) | half_at(words, offset + 2) << 16;
}

/// v1 = 4 * lane, v[2:3] = address of binding 0, v[4:5] = that plus v1.
const std::string kPrologue =
    "v_lshlrev_b32 v1, 2, v0\ns_and_b32 s30, s9, 0xffff\nv_mov_b32 v2, s8\nv_mov_b32 v3, s30\n"
    "v_add_co_u32 v4, vcc_lo, v2, v1\nv_add_co_ci_u32 v5, vcc_lo, 0, v3, vcc_lo\ns_mov_b32 s32, s8\ns_mov_b32 s33, "
    "s30\n";

/// Runs a body that leaves a result in v16 of each lane.
std::vector<U> result_of(const std::string& body, std::vector<U>& memory) {
  std::vector<U> out(kLanes, 0);
  EXPECT_EQ(run_snippet(kPrologue + "v_mov_b32 v16, 0x5555aaaa\n" + body +
                            "\ns_waitcnt vmcnt(0) lgkmcnt(0)\nbuffer_store_dword v16, v1, s[12:15], 0 offen\n",
                        {&memory, &out}),
            "")
      << body;
  return out;
}

void expect_loads(const std::string& body, const std::function<U(const std::vector<U>&, unsigned)>& want) {
  std::vector<U> memory = counting(256);
  const std::vector<U> before = memory;
  const std::vector<U> out = result_of(body, memory);
  for (unsigned i = 0; i < kLanes; ++i) EXPECT_EQ(out[i], want(before, i)) << body << "\nlane " << i;
}

TEST(Memory, EverySizeOfLoad) {
  for (const std::string form :
       {"buffer_load_@ v16, v1, s[8:11], 0 offen offset:5", "global_load_@ v16, v[4:5], off offset:5",
        "global_load_@ v16, v1, s[32:33] offset:5", "flat_load_@ v16, v[4:5]"}) {
    const auto with = [&form](const char* size) { return std::string(form).replace(form.find('@'), 1, size); };
    // FLAT has no offset in use here.
    const unsigned o = form[0] == 'f' ? 0 : 5;
    expect_loads(with("ubyte"), [o](const auto& m, unsigned i) { return byte_at(m, 4 * i + o); });
    expect_loads(with("sbyte"), [o](const auto& m, unsigned i) { return U(int32_t(int8_t(byte_at(m, 4 * i + o)))); });
    expect_loads(with("ushort"), [o](const auto& m, unsigned i) { return half_at(m, 4 * i + o); });
    expect_loads(with("sshort"), [o](const auto& m, unsigned i) { return U(int32_t(int16_t(half_at(m, 4 * i + o)))); });
    expect_loads(with("dword"), [o](const auto& m, unsigned i) { return word_at(m, 4 * i + o); });
    expect_loads(with("ubyte_d16"), [o](const auto& m, unsigned i) { return 0x55550000 | byte_at(m, 4 * i + o); });
    expect_loads(with("short_d16_hi"), [o](const auto& m, unsigned i) { return 0xaaaa | half_at(m, 4 * i + o) << 16; });
    expect_loads(with("sbyte_d16_hi"),
                 [o](const auto& m, unsigned i) { return 0xaaaa | U(int32_t(int8_t(byte_at(m, 4 * i + o)))) << 16; });
  }
}

TEST(Memory, SeveralDwords) {
  for (unsigned n : {2u, 3u, 4u}) {
    const std::string size = "dwordx" + std::to_string(n), regs = "v[20:" + std::to_string(19 + n) + "]";
    const std::string last = "\ns_waitcnt vmcnt(0)\nv_mov_b32 v16, v" + std::to_string(19 + n);
    const auto want = [n](const auto& m, unsigned i) { return m[i + n - 1 + 2]; };
    expect_loads("buffer_load_" + size + " " + regs + ", v1, s[8:11], 0 offen offset:8" + last, want);
    expect_loads("global_load_" + size + " " + regs + ", v[4:5], off offset:8" + last, want);
    expect_loads("global_load_" + size + " " + regs + ", v1, s[32:33] offset:8" + last, want);
  }
}

TEST(Memory, ScalarOffsetsAndIndices) {
  expect_loads("s_mov_b32 s20, 12\nbuffer_load_dword v16, v1, s[8:11], s20 offen offset:4",
               [](const auto& m, unsigned i) { return m[i + 4]; });
  // A structured view: stride 8, index from one register, offset from the next.
  expect_loads(
      "s_or_b32 s9, s9, 0x80000\ns_mov_b32 s10, 100\ns_and_b32 s11, s11, 0xcfffffff\ns_or_b32 s11, s11, 0x10000000\n"
      "v_mov_b32 v20, v0\nv_mov_b32 v21, 4\nbuffer_load_dword v16, v[20:21], s[8:11], 0 idxen offen",
      [](const auto& m, unsigned i) { return m[2 * i + 1]; });
  // Index out of range: zero.
  expect_loads(
      "s_or_b32 s9, s9, 0x80000\ns_mov_b32 s10, 10\ns_and_b32 s11, s11, 0xcfffffff\ns_or_b32 s11, s11, 0x10000000\n"
      "buffer_load_dword v16, v0, s[8:11], 0 idxen",
      [](const auto& m, unsigned i) { return i < 10 ? m[2 * i] : 0; });
  expect_loads("s_load_dwordx4 s[20:23], s[32:33], 0x10\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v16, s22",
               [](const auto& m, unsigned) { return m[6]; });
  expect_loads(
      "s_movk_i32 s20, 8\ns_buffer_load_dwordx2 s[22:23], s[8:11], s20\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v16, s23",
      [](const auto& m, unsigned) { return m[3]; });
}

TEST(Memory, Stores) {
  const auto run_store = [](const std::string& store) {
    std::vector<U> memory(256, 0xffffffff), out(kLanes, 0);
    const std::string value =
        "v_mul_u32_u24 v20, 0x10101, v0\nv_add_nc_u32 v20, 0x44332211, v20\nv_not_b32 v21, v20\nv_mov_b32 v22, "
        "3\nv_mov_b32 v23, 4\n";
    EXPECT_EQ(run_snippet(kPrologue + value + store, {&memory, &out}), "") << store;
    return memory;
  };
  const auto value = [](unsigned i) { return i * 0x10101 + 0x44332211; };
  std::vector<U> m = run_store("buffer_store_byte v20, v1, s[8:11], 0 offen offset:1");
  for (unsigned i = 0; i < kLanes; ++i) EXPECT_EQ(m[i], 0xffff00ff | (value(i) & 255) << 8);
  m = run_store("global_store_short_d16_hi v[4:5], v20, off offset:2");
  for (unsigned i = 0; i < kLanes; ++i) EXPECT_EQ(m[i], 0xffff | (value(i) & 0xffff0000));
  m = run_store("v_lshlrev_b32 v1, 4, v0\nglobal_store_dwordx4 v1, v[20:23], s[32:33]");
  for (unsigned i = 0; i < kLanes; ++i) {
    EXPECT_EQ(m[4 * i], value(i));
    EXPECT_EQ(m[4 * i + 1], ~value(i));
    EXPECT_EQ(m[4 * i + 2], 3u);
    EXPECT_EQ(m[4 * i + 3], 4u);
  }
  m = run_store("s_mov_b32 exec_lo, 0xf0\nbuffer_store_dword v20, v1, s[8:11], 0 offen");
  for (unsigned i = 0; i < kLanes; ++i) EXPECT_EQ(m[i], i >= 4 && i < 8 ? value(i) : 0xffffffff);
}

// ---- atomics ----

struct AtomicCase {
  const char* name;
  std::function<U(U, U)> apply;
};
const std::vector<AtomicCase>& atomic_cases() {
  static const std::vector<AtomicCase> cases = {
      {"swap", [](U, U b) { return b; }},
      {"add", [](U a, U b) { return a + b; }},
      {"sub", [](U a, U b) { return a - b; }},
      {"smin", [](U a, U b) { return U(std::min(int32_t(a), int32_t(b))); }},
      {"umin", [](U a, U b) { return std::min(a, b); }},
      {"smax", [](U a, U b) { return U(std::max(int32_t(a), int32_t(b))); }},
      {"umax", [](U a, U b) { return std::max(a, b); }},
      {"and", [](U a, U b) { return a & b; }},
      {"or", [](U a, U b) { return a | b; }},
      {"xor", [](U a, U b) { return a ^ b; }},
      {"inc", [](U a, U b) { return a >= b ? 0 : a + 1; }},
      {"dec", [](U a, U b) { return a == 0 || a > b ? b : a - 1; }},
  };
  return cases;
}
const char* ds_name(const std::string& name) {
  if (name == "swap") return "wrxchg";
  if (name == "smin" || name == "umin") return "min";
  if (name == "smax" || name == "umax") return "max";
  return nullptr;
}

TEST(Memory, AtomicsReturnTheOldValue) {
  const std::vector<U> operands = interesting_u32(kLanes, 71), start = interesting_u32(kLanes, 72);
  for (const AtomicCase& atomic : atomic_cases()) {
    for (const bool returns : {false, true}) {
      std::vector<U> memory = start, out = operands;
      const std::string glc = returns ? " glc" : "";
      const std::string text =
          kPrologue + "buffer_load_dword v20, v1, s[12:15], 0 offen\nv_mov_b32 v16, 0\ns_waitcnt vmcnt(0)\n" +
          (returns ? "global_atomic_" + std::string(atomic.name) + " v16, v[4:5], v20, off glc\n"
                   : "buffer_atomic_" + std::string(atomic.name) + " v20, v1, s[8:11], 0 offen\n") +
          "s_waitcnt vmcnt(0)\nbuffer_store_dword v16, v1, s[12:15], 0 offen\n";
      EXPECT_EQ(run_snippet(text, {&memory, &out}), "") << atomic.name;
      for (unsigned i = 0; i < kLanes; ++i) {
        EXPECT_EQ(memory[i], atomic.apply(start[i], operands[i]))
            << atomic.name << " " << start[i] << " " << operands[i];
        EXPECT_EQ(out[i], returns ? start[i] : 0) << atomic.name;
      }
    }
  }
}

TEST(Memory, LdsAtomics) {
  const std::vector<U> operands = interesting_u32(kLanes, 73), start = interesting_u32(kLanes, 74);
  for (const AtomicCase& atomic : atomic_cases()) {
    const char* other = ds_name(atomic.name);
    const std::string base = other != nullptr ? other : atomic.name;
    const std::string name(atomic.name);
    const std::string type = name == "smin" || name == "smax"                                   ? "i32"
                             : name == "swap" || name == "and" || name == "or" || name == "xor" ? "b32"
                                                                                                : "u32";
    std::vector<U> in = operands, out = start;
    const std::string text =
        kPrologue +
        "buffer_load_dword v20, v1, s[8:11], 0 offen\nbuffer_load_dword v21, v1, s[12:15], 0 offen\n"
        "s_waitcnt vmcnt(0)\nds_write_b32 v1, v21 offset:64\nds_" +
        base + "_rtn_" + type + " v16, v1, v20 offset:64\nds_read_b32 v17, v1 offset:64\ns_waitcnt lgkmcnt(0)\n" +
        "buffer_store_dword v16, v1, s[8:11], 0 offen\nbuffer_store_dword v17, v1, s[12:15], 0 offen\n";
    EXPECT_EQ(run_snippet(text, {&in, &out}), "") << name;
    for (unsigned i = 0; i < kLanes; ++i) {
      EXPECT_EQ(in[i], start[i]) << name;
      EXPECT_EQ(out[i], atomic.apply(start[i], operands[i])) << name << " " << start[i] << " " << operands[i];
    }
  }
}

TEST(Memory, CompareAndSwap) {
  std::vector<U> memory = counting(kLanes, 0, 1), out(kLanes, 0);
  const std::string text = kPrologue +
                           "v_and_b32 v21, ~1, v0\nv_mov_b32 v20, 99\n"  // compares with the even number below
                           "buffer_atomic_cmpswap v[20:21], v1, s[8:11], 0 offen glc\ns_waitcnt vmcnt(0)\n"
                           "buffer_store_dword v20, v1, s[12:15], 0 offen\n";
  EXPECT_EQ(run_snippet(std::string(text).replace(text.find("~1"), 2, "-2"), {&memory, &out}), "");
  for (unsigned i = 0; i < kLanes; ++i) {
    EXPECT_EQ(memory[i], i % 2 == 0 ? 99 : i);
    EXPECT_EQ(out[i], i);
  }
  // LDS: compare value first.
  std::vector<U> in(kLanes, 0), result(kLanes, 0);
  EXPECT_EQ(run_snippet(kPrologue + "ds_write_b32 v1, v0\nv_and_b32 v21, -2, v0\nv_mov_b32 v20, 99\n"
                                    "ds_cmpst_rtn_b32 v16, v1, v21, v20\nds_read_b32 v17, v1\ns_waitcnt lgkmcnt(0)\n"
                                    "buffer_store_dword v17, v1, s[12:15], 0 offen\n",
                        {&in, &result}),
            "");
  for (unsigned i = 0; i < kLanes; ++i) EXPECT_EQ(result[i], i % 2 == 0 ? 99 : i);
}

TEST(Memory, AllLanesOnOneAddress) {
  std::vector<U> memory(4, 10), out(kLanes, 0);
  const std::string text = kPrologue +
                           "v_mov_b32 v20, 1\nv_mov_b32 v21, 0\nbuffer_atomic_add v20, v21, s[8:11], 0 offen glc\n"
                           "s_waitcnt vmcnt(0)\nbuffer_store_dword v20, v1, s[12:15], 0 offen\n";
  EXPECT_EQ(run_snippet(text, {&memory, &out}), "");
  EXPECT_EQ(memory[0], 10 + kLanes);
  std::sort(out.begin(), out.end());
  for (unsigned i = 0; i < kLanes; ++i) EXPECT_EQ(out[i], 10 + i);
}

TEST(Memory, SixtyFourBitAtomics) {
  std::vector<U> memory(kLanes * 2, 0xffffffff), out(kLanes * 2, 0);
  const std::string text = kPrologue +
                           "v_lshlrev_b32 v1, 3, v0\nv_mov_b32 v20, v0\nv_mov_b32 v21, 1\n"
                           "buffer_atomic_add_x2 v[20:21], v1, s[8:11], 0 offen glc\ns_waitcnt vmcnt(0)\n"
                           "buffer_store_dwordx2 v[20:21], v1, s[12:15], 0 offen\n";
  EXPECT_EQ(run_snippet(text, {&memory, &out}), "");
  for (unsigned i = 0; i < kLanes; ++i) {
    const uint64_t sum = ~uint64_t{0} + (i | uint64_t{1} << 32);
    EXPECT_EQ(memory[2 * i], static_cast<U>(sum));
    EXPECT_EQ(memory[2 * i + 1], static_cast<U>(sum >> 32));
    EXPECT_EQ(out[2 * i], 0xffffffffu);
  }
}

// ---- LDS ----

TEST(Memory, LdsSizesAndTwoAddressForms) {
  const std::string fill =
      "v_mul_u32_u24 v20, v0, v0\nv_lshlrev_b32 v21, 4, v0\nv_add_nc_u32 v22, 7, v20\nv_add_nc_u32 v23, 9, "
      "v20\nv_not_b32 v24, v20\n"
      "v_mov_b32 v25, v20\nds_write_b128 v21, v[22:25]\n";  // lane i at 16 i: sq + 7, sq + 9, ~sq, sq
  const auto expect = [&](const std::string& body, const std::function<U(unsigned)>& want) {
    expect_loads(fill + body, [&want](const auto&, unsigned i) { return want(i); });
  };
  const auto sq = [](unsigned i) { return i * i; };
  expect("ds_read_b32 v16, v21 offset:4", [&](unsigned i) { return sq(i) + 9; });
  expect("ds_read_u8 v16, v21 offset:8", [&](unsigned i) { return ~sq(i) & 255; });
  expect("ds_read_i8 v16, v21 offset:9", [&](unsigned i) { return U(int32_t(int8_t(~sq(i) >> 8))); });
  expect("ds_read_u16_d16_hi v16, v21 offset:12", [&](unsigned i) { return 0xaaaa | sq(i) << 16; });
  expect("ds_read_b64 v[30:31], v21 offset:8\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v16, v31",
         [&](unsigned i) { return sq(i); });
  expect("ds_read_b96 v[30:32], v21\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v16, v32", [&](unsigned i) { return ~sq(i); });
  expect("ds_read2_b32 v[30:31], v21 offset0:3 offset1:1\ns_waitcnt lgkmcnt(0)\nv_sub_nc_u32 v16, v31, v30",
         [](unsigned) { return 9u; });
  expect("ds_read2_b64 v[30:33], v21 offset0:1 offset1:0\ns_waitcnt lgkmcnt(0)\nv_xor_b32 v16, v30, v33",
         [&](unsigned i) { return ~sq(i) ^ (sq(i) + 9); });
  expect(
      "v_mov_b32 v40, 5\nv_mov_b32 v41, 6\nds_write2st64_b32 v1, v40, v41 offset0:2 offset1:3\n"
      "ds_read_b32 v30, v1 offset:512\nds_read_b32 v31, v1 offset:768\ns_waitcnt lgkmcnt(0)\nv_lshl_add_u32 v16, v30, "
      "4, v31",
      [](unsigned) { return 0x56u; });
  expect(
      "v_mov_b32 v40, 0x12345678\nds_write_b8 v21, v40 offset:1\nds_write_b16_d16_hi v21, v40 offset:2\n"
      "ds_read_b32 v16, v21",
      [&](unsigned i) { return ((sq(i) + 7) & 255) | 0x7800 | 0x12340000; });
  // Addresses are sums modulo 2^32.
  expect("v_sub_nc_u32 v26, v21, 64\nds_read_b32 v16, v26 offset:68", [&](unsigned i) { return sq(i) + 9; });
  expect(
      "v_sub_nc_u32 v26, v21, 64\nds_read2_b32 v[30:31], v26 offset0:16 offset1:17\ns_waitcnt lgkmcnt(0)\n"
      "v_sub_nc_u32 v16, v31, v30",
      [](unsigned) { return 2u; });
}

// ---- scratch ----

object::StageObject scratch_shader(const std::string& body, unsigned wave_size, uint32_t bytes) {
  // s2: workgroup id, s3: scratch wave offset. The descriptor comes from slot 1 of the global table.
  std::string text = load_descriptors(1) +
                     "s_getpc_b64 s[6:7]\ns_mov_b32 s6, s0\ns_load_dwordx4 s[16:19], s[6:7], 0x10\n"
                     "s_lshl_b32 s20, s2, 8\ns_waitcnt lgkmcnt(0)\n";
  if (wave_size == 32) text += "s_bitset0_b32 s19, 21\n";
  object::StageObject shader = make_shader(text + body + "s_endpgm\n", wave_size, 64);
  shader.scratch_en = true;
  shader.scratch_bytes_per_lane = bytes;
  return shader;
}

TEST(Memory, ScratchIsPerLane) {
  for (unsigned wave_size : {32u, 64u}) {
    const object::StageObject shader = scratch_shader(
        "v_mov_b32 v1, v0\nv_mul_u32_u24 v2, 3, v0\nbuffer_store_dword v1, off, s[16:19], s3 offset:4\n"
        "v_mov_b32 v3, 8\nbuffer_store_dword v2, v3, s[16:19], s3 offen\ns_waitcnt_vscnt null, 0x0\n"
        "buffer_load_dword v4, off, s[16:19], s3 offset:4\nbuffer_load_dword v5, off, s[16:19], s3 offset:8\n"
        "s_waitcnt vmcnt(0)\nv_lshl_add_u32 v6, v4, 16, v5\nv_lshlrev_b32 v1, 2, v0\n"
        "buffer_store_dword v6, v1, s[8:11], s20 offen\n",
        wave_size, 16);
    std::vector<U> out(64 * 5, 0);
    DispatchInfo info = make_dispatch({&out});
    info.grid = {5, 1, 1};
    info.threads = 3;
    const Result<DispatchOutcome> outcome = run_dispatch(shader, info);
    ASSERT_TRUE(outcome.ok()) << outcome.error().message;
    EXPECT_EQ(outcome->fault, "");
    for (unsigned i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], (i % 64) << 16 | (i % 64) * 3);
  }
}

TEST(Memory, ScratchBoundsAreThoseOfTheWave) {
  for (const auto& [offset, ok] : {std::pair{12, true}, std::pair{16, false}}) {
    const object::StageObject shader = scratch_shader(
        "v_mov_b32 v3, " + std::to_string(offset) + "\nbuffer_store_dword v0, v3, s[16:19], s3 offen\n", 64, 16);
    std::vector<U> out(64, 0);
    DispatchInfo info = make_dispatch({&out});
    const Result<DispatchOutcome> outcome = run_dispatch(shader, info);
    ASSERT_TRUE(outcome.ok());
    EXPECT_EQ(outcome->fault.empty(), ok) << outcome->fault;
  }
}

TEST(Memory, FlatScratchInstructions) {
  const object::StageObject shader = scratch_shader(
      "s_and_b32 s17, s17, 0xffff\ns_add_u32 s16, s16, s3\ns_addc_u32 s17, s17, 0\n"
      "s_setreg_b32 hwreg(HW_REG_FLAT_SCR_LO), s16\ns_setreg_b32 hwreg(HW_REG_FLAT_SCR_HI), s17\n"
      "v_mov_b32 v2, v0\nv_add_nc_u32 v3, 5, v0\nv_mov_b32 v4, 8\nscratch_store_dwordx2 v4, v[2:3], off\n"
      "s_mov_b32 s21, 4\nscratch_load_dword v5, off, s21 offset:8\ns_waitcnt vmcnt(0)\nv_lshlrev_b32 v1, 2, v0\n"
      "buffer_store_dword v5, v1, s[8:11], 0 offen\n",
      64, 16);
  std::vector<U> out(64, 0);
  DispatchInfo info = make_dispatch({&out});
  const Result<DispatchOutcome> outcome = run_dispatch(shader, info);
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->fault, "");
  for (unsigned i = 0; i < 64; ++i) EXPECT_EQ(out[i], i + 5);
}

TEST(Memory, FlatAddressesReachScratch) {
  // Odd lanes store two dwords to scratch, even ones to the buffer; all load through flat addresses of the aperture.
  const object::StageObject shader = scratch_shader(
      "s_and_b32 s17, s17, 0xffff\ns_add_u32 s16, s16, s3\ns_addc_u32 s17, s17, 0\n"
      "s_setreg_b32 hwreg(HW_REG_FLAT_SCR_LO), s16\ns_setreg_b32 hwreg(HW_REG_FLAT_SCR_HI), s17\n"
      "s_mov_b64 s[24:25], src_private_base\nv_mov_b32 v2, v0\nv_add_nc_u32 v3, 5, v0\n"
      "v_mov_b32 v4, 8\nv_mov_b32 v5, s25\nv_lshlrev_b32 v1, 3, v0\nv_add_nc_u32 v6, s8, v1\nv_mov_b32 v7, s9\n"
      "v_and_b32 v8, 1, v0\nv_cmp_eq_u32 vcc, 1, v8\nv_cndmask_b32 v6, v6, v4, vcc\nv_cndmask_b32 v7, v7, v5, vcc\n"
      "flat_store_dwordx2 v[6:7], v[2:3]\ns_waitcnt_vscnt null, 0\ns_waitcnt lgkmcnt(0)\n"
      "flat_load_dwordx2 v[10:11], v[6:7]\ns_waitcnt vmcnt(0) lgkmcnt(0)\nv_lshl_add_u32 v10, v10, 8, v11\n"
      "buffer_store_dword v10, v1, s[8:11], 0 offen offset:512\n",
      64, 16);
  std::vector<U> out(64 * 4, 0);
  DispatchInfo info = make_dispatch({&out});
  const Result<DispatchOutcome> outcome = run_dispatch(shader, info);
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->fault, "");
  for (unsigned i = 0; i < 64; ++i) {
    EXPECT_EQ(out[128 + 2 * i], (i << 8) + i + 5);
    EXPECT_EQ(out[2 * i], i % 2 == 0 ? i : 0);
    EXPECT_EQ(out[2 * i + 1], i % 2 == 0 ? i + 5 : 0);
  }
}

}  // namespace
}  // namespace spalt::emu::test
