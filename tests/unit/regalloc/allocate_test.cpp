// SPDX-License-Identifier: MIT
#include <vector>

#include "allocated.h"

namespace spalt::regalloc {
namespace {

using mir::InstId;
using mir::Opcode;
using mir::Operand;

std::string number(int value) {
  return std::to_string(value);
}

/// A block that makes `vectors` VGPR and `scalars` SGPR values and only then stores them all.
std::string many_values(int vectors, int scalars, unsigned wave_size) {
  std::string text = "machine gfx1030 wave" + std::to_string(wave_size) +
                     " masked\nb0:\n  %0:s4@s[0:3], %1:s1@s4, %2:v1@v0 = p_start\n  p_logical_start\n";
  const int first_scalar = 10 + vectors;
  for (int i = 0; i < vectors; ++i) text += "  %" + number(10 + i) + ":v1 = v_add_f32 %2:v1, %2:v1\n";
  for (int i = 0; i < scalars; ++i) text += "  %" + number(first_scalar + i) + ":s1, scc = s_add_u32 %1:s1, %1:s1\n";
  for (int i = 0; i < vectors; ++i) text += "  buffer_store_dword %" + number(10 + i) + ":v1, %2:v1, %0:s4, 0x0\n";
  for (int i = 0; i < scalars; ++i) {
    text += "  buffer_store_dword %2:v1, %2:v1, %0:s4, %" + number(first_scalar + i) + ":s1\n";
  }
  return text + "  p_logical_end\n  s_endpgm\n";
}

TEST(AllocateRegisters, FiveHundredLiveVectorsSpill) {
  const Allocated result = allocate(many_values(500, 0, 64));
  EXPECT_EQ(finding(result), "");
  EXPECT_EQ(result.after.facts.vgpr_count, 256);
  EXPECT_GE(result.after.facts.spilled_vgprs, 500u - 256);
  EXPECT_GE(result.after.facts.scratch_bytes, (500u - 256) * 4);
}

TEST(AllocateRegisters, FiveHundredLiveScalarsSpillToLanes) {
  const Allocated result = allocate(many_values(0, 500, 32));
  EXPECT_EQ(finding(result), "");
  EXPECT_GE(result.after.facts.spilled_sgprs, 500u - 108);
  EXPECT_EQ(result.after.facts.scratch_bytes, 0u);
  EXPECT_EQ(result.count(Opcode::p_linear_vgpr), (result.after.facts.spilled_sgprs + 31) / 32);
}

/// More than the lanes of half the VGPRs; the rest of them stays for vector values.
TEST(AllocateRegisters, MoreLiveScalarsThanLanesSpillToScratch) {
  for (unsigned wave_size : {32u, 64u}) {
    const int count = static_cast<int>(wave_size) * 140;
    const Allocated result = allocate(many_values(100, count, wave_size));
    EXPECT_EQ(finding(result), "");
    EXPECT_GT(result.count(Opcode::p_spill_sgpr), 0u);
    EXPECT_GT(result.count(Opcode::p_spill_sgpr_scratch), 0u);
    EXPECT_EQ(result.after.facts.spilled_vgprs, 0u);
    // A dword for each row of lanes that found no VGPR.
    const size_t rows = (result.after.facts.spilled_sgprs + wave_size - 1) / wave_size;
    const size_t linear = result.count(Opcode::p_linear_vgpr);
    EXPECT_LT(linear, 128u);
    EXPECT_GE(result.after.facts.scratch_bytes, 4 * (rows - linear));
    EXPECT_LE(result.after.facts.scratch_bytes, 4 * (rows - linear + 2));
  }
}

/// The window to scratch is all that spilled SGPRs get.
TEST(AllocateRegisters, ScalarsSpillWithOneVgprToSpare) {
  for (unsigned wave_size : {32u, 64u}) {
    const Allocated result = allocate(many_values(20, 200, wave_size), {16, 3});
    EXPECT_EQ(finding(result), "");
    EXPECT_LE(result.after.facts.vgpr_count, 3);
    EXPECT_EQ(result.count(Opcode::p_linear_vgpr), 1u);
    EXPECT_EQ(result.count(Opcode::p_spill_sgpr), 0u);
  }
}

/// The descriptor is made after what needs registers.
TEST(AllocateRegisters, ScratchWaitsForItsDescriptor) {
  std::string text = many_values(20, 100, 32);
  text.insert(text.find("b0:"), "scratch s[16:19]\n");
  text.insert(text.find("  p_logical_start"),
              "  %5:s1, scc = s_add_u32 %1:s1, 0x5\n  s[16:19] = s_load_dwordx4 %6:s2, 0x0\n"
              "  s19, scc = s_and_b32 s19, %5:s1\n");
  text.replace(text.find("%2:v1@v0 = p_start"), 18, "%6:s2@s[6:7], %2:v1@v0 = p_start");
  const Allocated result = allocate(text, {20, 3});
  EXPECT_EQ(finding(result), "");
  EXPECT_GT(result.count(Opcode::p_spill_sgpr_scratch), 0u);
  EXPECT_GT(result.count(Opcode::p_spill_vgpr), 0u);
}

TEST(AllocateRegisters, BothFilesTogether) {
  for (unsigned wave_size : {32u, 64u}) {
    const Allocated result = allocate(many_values(300, 300, wave_size), {24, 12});
    EXPECT_EQ(finding(result), "");
    EXPECT_LE(result.after.facts.vgpr_count, 12);
    EXPECT_LE(result.after.facts.sgpr_count, 24);
  }
}

TEST(AllocateRegisters, FewRegistersAreUsedWhenFewAreNeeded) {
  const Allocated result = allocate(many_values(5, 5, 64));
  EXPECT_EQ(finding(result), "");
  EXPECT_LE(result.after.facts.vgpr_count, 6);
  EXPECT_EQ(result.after.facts.spilled_vgprs, 0u);
  EXPECT_EQ(result.after.facts.scratch_bytes, 0u);
}

TEST(AllocateRegisters, ConstantsAreRepeatedRatherThanStored) {
  std::string text = "machine gfx1030 wave32 masked\nb0:\n  %0:s4@s[0:3], %2:v1@v0 = p_start\n  p_logical_start\n";
  for (int i = 0; i < 40; ++i) text += "  %" + number(10 + i) + ":v1 = v_mov_b32 0x" + number(1000 + i) + "\n";
  for (int i = 0; i < 40; ++i) text += "  buffer_store_dword %" + number(10 + i) + ":v1, %2:v1, %0:s4, 0x0\n";
  const Allocated result = allocate(text + "  p_logical_end\n  s_endpgm\n", {0, 8});
  EXPECT_EQ(finding(result), "");
  EXPECT_EQ(result.after.facts.spilled_vgprs, 0u);
  EXPECT_EQ(result.count(Opcode::p_spill_vgpr), 0u);
}

/// A counter in each file: no copy anywhere.
TEST(AllocateRegisters, LoopVariablesKeepTheirRegisters) {
  const Allocated result = allocate(R"(machine gfx1030 wave32 masked
b0: logical(-> b1) linear(-> b1)
  %0:s4@s[0:3], %1:v1@v0 = p_start
  p_logical_start
  %2:s1 = s_mov_b32 0x0
  %3:v1 = v_mov_b32 0x0
  p_logical_end
  p_jump b1
b1: loop_header depth=1 logical(b0, b2 -> b2, b3) linear(b0, b2 -> b2, b3)
  %4:s1 = p_phi %2:s1, %6:s1
  %5:v1 = p_phi %3:v1, %7:v1
  p_logical_start
  %6:s1, scc = s_add_u32 %4:s1, 0x1
  %7:v1 = v_add_f32 %5:v1, %1:v1
  scc = s_cmp_lt_u32 %6:s1, 0x10
  p_logical_end
  p_jump_scc1 scc, b2, b3
b2: depth=1 logical(b1 -> b1) linear(b1 -> b1)
  p_logical_start
  p_logical_end
  p_jump b1
b3: logical(b1 ->) linear(b1 ->)
  p_logical_start
  buffer_store_dword %7:v1, %1:v1, %0:s4, 0x0
  p_logical_end
  s_endpgm
)");
  EXPECT_EQ(finding(result), "");
  EXPECT_EQ(result.count(Opcode::p_parallel_copy), 0u) << mir::print(result.after);
}

TEST(AllocateRegisters, PartsGrowInTheirTuple) {
  const Allocated result = allocate(R"(machine gfx1030 wave32 masked
b0:
  %0:s4@s[0:3], %1:v1@v0 = p_start
  p_logical_start
  %2:v1 = v_add_f32 %1:v1, %1:v1
  %3:v1 = v_mul_f32 %1:v1, %1:v1
  %4:v1 = v_max_f32 %1:v1, %1:v1
  %5:v1 = v_min_f32 %1:v1, %1:v1
  %6:v4 = p_vec %5:v1, %3:v1, %4:v1, %2:v1
  buffer_store_dwordx4 %6:v4, %1:v1, %0:s4, 0x0
  p_logical_end
  s_endpgm
)");
  EXPECT_EQ(finding(result), "");
  const InstId vec = result.all(Opcode::p_vec)[0];
  const isa::Reg tuple = result.after.defs(vec)[0].reg;
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(result.after.uses(vec)[static_cast<size_t>(i)].reg, tuple.offset(i)) << mir::print(result.after);
  }
}

TEST(AllocateRegisters, HintsAreFollowed) {
  const Allocated result = allocate(R"(machine gfx1030 wave64 masked
hint %2:s2 vcc
b0:
  %0:s4@s[0:3], %1:v1@v0 = p_start
  p_logical_start
  %2:s2 = v_cmp_lt_f32 %1:v1, %1:v1
  %3:v1 = v_cndmask_b32 %1:v1, %1:v1, %2:s2
  buffer_store_dword %3:v1, %1:v1, %0:s4, 0x0
  p_logical_end
  s_endpgm
)");
  EXPECT_EQ(finding(result), "");
  EXPECT_EQ(result.after.defs(result.all(Opcode::v_cmp_lt_f32)[0])[0].reg, isa::kVcc);
  EXPECT_TRUE(result.after.facts.uses_vcc);
}

TEST(AllocateRegisters, ReservedRegistersAreLeftAlone) {
  std::string text = many_values(0, 60, 64);
  text.insert(text.find("b0:"), "scratch s[16:19]\n");
  const Allocated result = allocate(text);
  EXPECT_EQ(finding(result), "");
  for (mir::BlockId id : result.after.layout) {
    for (InstId inst : result.after.blocks[id].insts) {
      for (const Operand& def : result.after.defs(inst)) {
        EXPECT_FALSE(def.reg.number >= 16 && def.reg.number < 20) << mir::print_inst(result.after, inst);
      }
    }
  }
}

/// Scattered single registers leave no aligned quad; live values have to move.
TEST(AllocateRegisters, MovesLiveValuesToMakeRoomForATuple) {
  std::string text =
      "machine gfx1030 wave64 masked\nb0:\n  %0:s2@s[0:1], %1:s1@s2, %2:v1@v0 = p_start\n  p_logical_start\n";
  for (int i = 0; i < 12; ++i) text += "  %" + number(10 + i) + ":s1, scc = s_add_u32 %1:s1, %1:s1\n";
  // Every second one dies.
  for (int i = 0; i < 12; i += 2) text += "  %" + number(30 + i) + ":v1 = v_mov_b32 %" + number(10 + i) + ":s1\n";
  text += "  %50:s4 = s_load_dwordx4 %0:s2, 0x0\n";
  for (int i = 1; i < 12; i += 2) text += "  buffer_store_dword %2:v1, %2:v1, %50:s4, %" + number(10 + i) + ":s1\n";
  const Allocated result = allocate(text + "  p_logical_end\n  s_endpgm\n", {16, 0});
  EXPECT_EQ(finding(result), "");
  EXPECT_GT(result.count(Opcode::p_parallel_copy), 0u);
  EXPECT_EQ(result.after.facts.spilled_sgprs, 0u);
}

/// The same phis, spilled: the slots are exchanged through a third one.
TEST(AllocateRegisters, SpilledPhisThatExchangeTheirValues) {
  std::string text = R"(machine gfx1030 wave32 masked
b0: logical(-> b1) linear(-> b1)
  %0:s4@s[0:3], %1:v1@v0 = p_start
  p_logical_start
)";
  const int count = 20;
  for (int i = 0; i < count; ++i) text += "  %" + number(100 + i) + ":v1 = v_add_f32 %1:v1, %1:v1\n";
  text += "  p_logical_end\n  p_jump b1\nb1: loop_header depth=1 logical(b0, b2 -> b2, b3) linear(b0, b2 -> b2, b3)\n";
  for (int i = 0; i < count; ++i) {
    text += "  %" + number(200 + i) + ":v1 = p_phi %" + number(100 + i) + ":v1, %" + number(200 + (i + 1) % count) +
            ":v1\n";
  }
  text += R"(  p_logical_start
  scc = s_cmp_lt_u32 0x1, 0x2
  p_logical_end
  p_jump_scc1 scc, b2, b3
b2: depth=1 logical(b1 -> b1) linear(b1 -> b1)
  p_logical_start
  p_logical_end
  p_jump b1
b3: logical(b1 ->) linear(b1 ->)
  p_logical_start
)";
  for (int i = 0; i < count; ++i) text += "  buffer_store_dword %" + number(200 + i) + ":v1, %1:v1, %0:s4, 0x0\n";
  const Allocated result = allocate(text + "  p_logical_end\n  s_endpgm\n", {0, 8});
  EXPECT_EQ(finding(result), "");
  EXPECT_LE(result.after.facts.vgpr_count, 8);
}

/// b0 and b1 both branch around to b3. A tuple makes room for itself in b1 by moving what b3 wants where b0 left it,
/// and b2, b1's other successor, has the tuple there.
constexpr const char* kCrowdedEdge = R"(machine gfx1030 wave32 masked
b0: logical(-> b1, b3) linear(-> b1, b3)
  %0:s4@s[0:3], %1:s1@s4, %2:v1@v0 = p_start
  p_logical_start
  %10:v1 = v_add_f32 %2:v1, %2:v1
  %11:v1 = v_add_f32 %2:v1, %10:v1
  %12:v1 = v_add_f32 %2:v1, %11:v1
  %13:v1 = v_add_f32 %2:v1, %12:v1
  buffer_store_dword %10:v1, %12:v1, %0:s4, 0x0
  scc = s_cmp_lt_u32 %1:s1, 0x5
  p_logical_end
  p_jump_scc1 scc, b1, b3
b1: logical(b0 -> b2, b3) linear(b0 -> b2, b3)
  p_logical_start
  %20:v4 = buffer_load_dwordx4 %2:v1, %0:s4, 0x0
  scc = s_cmp_lt_u32 %1:s1, 0x3
  p_logical_end
  p_jump_scc1 scc, b2, b3
b2: logical(b1 -> b4) linear(b1 -> b4)
  p_logical_start
  buffer_store_dwordx4 %20:v4, %2:v1, %0:s4, 0x0
  buffer_store_dword %11:v1, %13:v1, %0:s4, 0x0
  p_logical_end
  p_jump b4
b3: logical(b0, b1 -> b4) linear(b0, b1 -> b4)
  p_logical_start
  buffer_store_dword %11:v1, %13:v1, %0:s4, 0x4
  buffer_store_dword %2:v1, %13:v1, %0:s4, 0x8
  p_logical_end
  p_jump b4
b4: logical(b2, b3 ->) linear(b2, b3 ->)
  p_logical_start
  p_logical_end
  s_endpgm
)";

TEST(AllocateRegisters, NamesTheCriticalEdgesThatNeedABlock) {
  mir::Function function = parse_masked(kCrowdedEdge);
  CompileContext context;
  const std::vector<mir::LogicalEdge> crowded = try_allocate_registers(function, {0, 7}, context);
  ASSERT_EQ(crowded.size(), 1u);
  EXPECT_EQ(crowded[0].from.index, 1u);
  EXPECT_EQ(crowded[0].to.index, 3u);
  // With more registers nothing has to move.
  EXPECT_EQ(finding(allocate(kCrowdedEdge)), "");
}

}  // namespace
}  // namespace spalt::regalloc
