// SPDX-License-Identifier: MIT
// The memory hierarchy mode: what the caches of each generation may do, they do under some seed, and what the sequences
// of docs/abi/amdgpu.md forbid never happens. Hand-written assembly: no compiler is involved.
#include <gtest/gtest.h>

#include <set>

#include "assemble.h"

namespace spalt::emu::test {
namespace {

constexpr unsigned kSeeds = 400;

struct Machine {
  const char* target;
  /// Message passing through buffers between workgroups. Braces mark what the sequences of the table consist of.
  const char* writer;
  const char* reader;
  const char* group_id;
};

constexpr Machine kMachines[] = {
    {"gfx900",
     "buffer_store_dword v1, off, s[8:11], 0\n{s_waitcnt vmcnt(0)}\nbuffer_store_dword v1, off, s[8:11], 0 offset:1024",
     "buffer_load_dword v3, off, s[8:11], 0 offset:1024 glc\n{s_waitcnt vmcnt(0)}\n{buffer_wbinvl1_vol}\n"
     "buffer_load_dword v4, off, s[8:11], 0",
     "s2"},
    {"gfx1010",
     "buffer_store_dword v1, off, s[8:11], 0\n{s_waitcnt_vscnt null, 0x0}\n"
     "buffer_store_dword v1, off, s[8:11], 0 offset:1024",
     "buffer_load_dword v3, off, s[8:11], 0 offset:1024 glc dlc\n{s_waitcnt vmcnt(0)}\n{buffer_gl1_inv}\n"
     "{buffer_gl0_inv}\nbuffer_load_dword v4, off, s[8:11], 0",
     "s2"},
    {"gfx1100",
     "buffer_store_b32 v1, off, s[8:11], 0\n{s_waitcnt_vscnt null, 0x0}\nbuffer_store_b32 v1, off, s[8:11], 0 "
     "offset:1024",
     "buffer_load_b32 v3, off, s[8:11], 0 offset:1024 glc\n{s_waitcnt vmcnt(0)}\n{buffer_gl1_inv}\n{buffer_gl0_inv}\n"
     "buffer_load_b32 v4, off, s[8:11], 0",
     "s2"},
    {"gfx1200",
     "buffer_store_b32 v1, off, s[8:11], null scope:SCOPE_DEV\n{s_wait_storecnt 0x0}\n"
     "buffer_store_b32 v1, off, s[8:11], null offset:1024 scope:SCOPE_DEV",
     "buffer_load_b32 v3, off, s[8:11], null offset:1024 scope:SCOPE_DEV\n{s_wait_loadcnt 0x0}\n"
     "{global_inv scope:SCOPE_DEV}\nbuffer_load_b32 v4, off, s[8:11], null",
     "ttmp9"},
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

std::string without_braces(const std::string& text) {
  return replaced(replaced(text, "{", ""), "}", "");
}

/// The parts in braces.
std::vector<std::string> elements_of(const std::string& text) {
  std::vector<std::string> elements;
  for (size_t at = 0; (at = text.find('{', at)) != std::string::npos; ++at) {
    elements.push_back(text.substr(at, text.find('}', at) + 1 - at));
  }
  return elements;
}

using Outcome = std::vector<uint32_t>;

struct Runner {
  const Machine& machine;
  bool wgp_mode = false;
  unsigned groups = 2, threads = 1;

  /// Runs the text once per seed. Results are the first four dwords of the second buffer.
  std::set<Outcome> run(const std::string& text, unsigned seeds = kSeeds) const {
    const std::string code = load_descriptors(2, machine.target) + "v_mov_b32 v1, 1\n" + text + "\ns_endpgm\n";
    object::StageObject shader =
        make_shader(code, machine.target == std::string("gfx900") ? 64 : 32, threads, machine.target);
    shader.lds_bytes = 1024;
    shader.wgp_mode = wgp_mode;
    std::set<Outcome> outcomes;
    for (unsigned seed = 0; seed < seeds; ++seed) {
      std::vector<uint32_t> memory(1024, 0), out(4, 7);
      DispatchInfo info = make_dispatch({&memory, &out});
      info.grid = {groups, 1, 1};
      info.step_limit = 100000;
      info.hierarchy.enabled = true;
      info.hierarchy.seed = seed;
      const Result<DispatchOutcome> outcome = run_dispatch(shader, info);
      EXPECT_EQ(outcome.ok() ? outcome->fault : outcome.error().message, "");
      outcomes.insert(out);
    }
    return outcomes;
  }

  /// The first code in group 0, the second in group 1, which leaves v3 and v4.
  std::set<Outcome> run_pair(const std::string& first, const std::string& second) const {
    const bool gfx12 = machine.target == std::string("gfx1200"), gfx9 = machine.target == std::string("gfx900");
    const std::string load = gfx9 || machine.target == std::string("gfx1010") ? "buffer_load_dword" : "buffer_load_b32";
    const std::string store = replaced(load, "load", "store"), zero = gfx12 ? "null" : "0";
    const std::string wait = gfx12 ? "s_wait_loadcnt 0x0\n" : "s_waitcnt vmcnt(0)\n";
    // The line of the datum is in the reader's caches from the start.
    const std::string warm = load + " v2, off, s[8:11], " + zero + " offset:4\n" + wait;
    const std::string results =
        wait + store + " v3, off, s[12:15], " + zero + "\n" + store + " v4, off, s[12:15], " + zero + " offset:4\n";
    return run(std::string("s_cmp_eq_u32 ") + machine.group_id + ", 0\ns_cbranch_scc0 reader\n" +
               without_braces(first) + "\ns_endpgm\nreader:\n" + warm + without_braces(second) + "\n" + results);
  }
};

bool has(const std::set<Outcome>& outcomes, uint32_t first, uint32_t second) {
  for (const Outcome& outcome : outcomes) {
    if (outcome[0] == first && outcome[1] == second) return true;
  }
  return false;
}

TEST(Hierarchy, MessagesPassWithTheWholeSequence) {
  for (const Machine& machine : kMachines) {
    const std::set<Outcome> outcomes = Runner{machine}.run_pair(machine.writer, machine.reader);
    EXPECT_TRUE(has(outcomes, 0, 0) && has(outcomes, 0, 1) && has(outcomes, 1, 1)) << machine.target;
    EXPECT_FALSE(has(outcomes, 1, 0)) << machine.target;
  }
}

TEST(Hierarchy, EachElementOfTheSequenceMatters) {
  for (const Machine& machine : kMachines) {
    for (const std::string& element : elements_of(machine.writer)) {
      const std::string writer = replaced(machine.writer, element, "");
      EXPECT_TRUE(has(Runner{machine}.run_pair(writer, machine.reader), 1, 0)) << machine.target << ": " << element;
    }
    for (const std::string& element : elements_of(machine.reader)) {
      const std::string reader = replaced(machine.reader, element, "");
      EXPECT_TRUE(has(Runner{machine}.run_pair(machine.writer, reader), 1, 0)) << machine.target << ": " << element;
    }
  }
}

TEST(Hierarchy, CacheBitsLeadPastStaleLines) {
  // The reader's caches hold the flag, too, and it asks twice.
  const Machine& gfx10 = kMachines[1];
  const std::string warm = "buffer_load_dword v2, off, s[8:11], 0 offset:1028\ns_waitcnt vmcnt(0)\ns_sleep 1\n";
  const std::string twice = warm +
                            "buffer_load_dword v3, off, s[8:11], 0 offset:1024 glc dlc\ns_waitcnt vmcnt(0)\n"
                            "buffer_load_dword v4, off, s[8:11], 0 offset:1024 glc dlc";
  EXPECT_FALSE(has(Runner{gfx10}.run_pair(gfx10.writer, twice), 1, 0));
  EXPECT_TRUE(has(Runner{gfx10}.run_pair(
                      gfx10.writer, replaced(twice, "1024 glc dlc\ns_waitcnt", "1024 glc dlc\ns_nop 0\ns_waitcnt")),
                  1, 1));
  const size_t second = twice.rfind(" dlc");
  EXPECT_TRUE(has(Runner{gfx10}.run_pair(gfx10.writer, twice.substr(0, second)), 1, 0)) << "the GL1 is passed by dlc";
}

TEST(Hierarchy, AComputeUnitTakesAccessesInOrder) {
  // Workgroup scope on GFX9 and in CU mode needs no waits (docs/abi/amdgpu.md).
  const Machine& gfx10 = kMachines[1];
  const std::string program =
      "v_readfirstlane_b32 s3, v0\ns_cmp_lt_u32 s3, 32\ns_cbranch_scc0 reader\n"
      "buffer_store_dword v1, off, s[8:11], 0\nbuffer_store_dword v1, off, s[8:11], 0 offset:1024\ns_endpgm\nreader:\n"
      "buffer_load_dword v2, off, s[8:11], 0 offset:4\ns_waitcnt vmcnt(0)\n"
      "buffer_load_dword v3, off, s[8:11], 0 offset:1024\nbuffer_load_dword v4, off, s[8:11], 0\ns_waitcnt vmcnt(0)\n"
      "buffer_store_dword v3, off, s[12:15], 0\nbuffer_store_dword v4, off, s[12:15], 0 offset:4\n";
  const std::set<Outcome> one_unit = Runner{gfx10, false, 1, 64}.run(program);
  EXPECT_TRUE(has(one_unit, 0, 1) && has(one_unit, 1, 1));
  EXPECT_FALSE(has(one_unit, 1, 0));
  EXPECT_TRUE(has(Runner{gfx10, true, 1, 64}.run(program), 1, 0)) << "in WGP mode it does";
}

TEST(Hierarchy, AWaveSeesItsOwnStores) {
  for (const Machine& machine : kMachines) {
    const std::string store = machine.target == std::string("gfx900") || machine.target == std::string("gfx1010")
                                  ? "buffer_store_dword"
                                  : "buffer_store_b32";
    const std::string load = replaced(store, "store", "load");
    const std::string zero = machine.target == std::string("gfx1200") ? "null" : "0";
    const std::string at = ", off, s[8:11], " + zero;
    std::string reader =
        load + " v2" + at + "\n" + store + " v1" + at + " offset:8\n" + load + " v3" + at + " offset:8\n";
    reader += store + " v1" + at + " offset:12\n" + load + " v4" + at + " offset:12";
    const std::set<Outcome> outcomes = Runner{machine}.run_pair("s_nop 0", reader);
    EXPECT_EQ(outcomes.size(), 1u);
    EXPECT_TRUE(has(outcomes, 1, 1)) << machine.target;
  }
}

TEST(Hierarchy, LdsAndBuffersAreUnordered) {
  const Machine& gfx10 = kMachines[1];
  const auto program = [](const std::string& wait) {
    return "v_mov_b32 v5, 0\nv_readfirstlane_b32 s3, v0\ns_cmp_lt_u32 s3, 32\ns_cbranch_scc0 reader\n"
           "ds_write_b32 v5, v1\n" +
           wait +
           "buffer_store_dword v1, off, s[8:11], 0 offset:1024\ns_endpgm\nreader:\n"
           "buffer_load_dword v3, off, s[8:11], 0 offset:1024\ns_waitcnt vmcnt(0)\nds_read_b32 v4, v5\n"
           "s_waitcnt lgkmcnt(0)\nbuffer_store_dword v3, off, s[12:15], 0\n"
           "buffer_store_dword v4, off, s[12:15], 0 offset:4\n";
  };
  EXPECT_FALSE(has(Runner{gfx10, false, 1, 64}.run(program("s_waitcnt lgkmcnt(0)\n")), 1, 0xcdcdcdcd));
  EXPECT_TRUE(has(Runner{gfx10, false, 1, 64}.run(program("")), 1, 0xcdcdcdcd));
}

TEST(Hierarchy, ScalarCachesAreNotCoherent) {
  const Machine& gfx10 = kMachines[1];
  const auto program = [](const std::string& invalidate) {
    return "s_buffer_load_dword s20, s[8:11], 0x4\ns_waitcnt lgkmcnt(0)\nbuffer_store_dword v1, off, s[8:11], 0\n"
           "s_waitcnt_vscnt null, 0x0\n" +
           invalidate +
           "s_buffer_load_dword s21, s[8:11], 0x0\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v3, s21\n"
           "buffer_store_dword v3, off, s[12:15], 0\n";
  };
  EXPECT_TRUE(has(Runner{gfx10, false, 1}.run(program("")), 0, 7));
  const std::set<Outcome> invalidated = Runner{gfx10, false, 1}.run(program("s_dcache_inv\n"));
  EXPECT_TRUE(has(invalidated, 1, 7) && !has(invalidated, 0, 7));
}

TEST(Hierarchy, ASeedDecidesEverything) {
  const Machine& machine = kMachines[1];
  const std::string relaxed = replaced(replaced(machine.reader, "{buffer_gl0_inv}", ""), "{buffer_gl1_inv}", "");
  EXPECT_EQ(Runner{machine}.run_pair(machine.writer, relaxed), Runner{machine}.run_pair(machine.writer, relaxed));
}

TEST(Hierarchy, RegistersMayWaitForTheirLoads) {
  std::vector<uint32_t> memory(1024, 5), out(4, 0);
  const std::string code = load_descriptors(2) +
                           "buffer_load_dword v2, off, s[8:11], 0\nv_add_nc_u32 v2, 1, v2\n"
                           "buffer_store_dword v2, off, s[12:15], 0\ns_endpgm\n";
  const object::StageObject shader = make_shader(code, 32, 1);
  DispatchInfo info = make_dispatch({&memory, &out});
  info.hierarchy.enabled = true;
  Result<DispatchOutcome> outcome = run_dispatch(shader, info);
  ASSERT_TRUE(outcome.ok());
  EXPECT_NE(outcome->fault.find("reads v2"), std::string::npos);
  info.hierarchy.registers_wait = true;
  outcome = run_dispatch(shader, info);
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->fault, "");
  EXPECT_EQ(out[0], 6u);
}

}  // namespace
}  // namespace spalt::emu::test
