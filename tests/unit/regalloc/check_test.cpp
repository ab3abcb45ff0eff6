// SPDX-License-Identifier: MIT
//
// The checker must refuse wrong allocations. Each test takes a right one, proves it, breaks one thing by hand, and
// expects the reason.
#include <algorithm>

#include "allocated.h"
#include "random_function.h"

namespace spalt::regalloc {
namespace {

using mir::InstId;
using mir::Opcode;
using mir::Operand;

constexpr const char* kStraight = R"(machine gfx1030 wave64 masked
b0:
  %0:s2@s[0:1], %1:v1@v0 = p_start
  p_logical_start
  %2:s4 = s_load_dwordx4 %0:s2, 0x0
  %3:v1 = v_add_f32 %1:v1, %1:v1
  %4:v1 = v_fmac_f32 %1:v1, %1:v1, tied %3:v1
  %5:v1 = v_mul_f32 %4:v1, %1:v1
  buffer_store_dword %5:v1, %4:v1, %2:s4, 0x0
  p_logical_end
  s_endpgm
)";

/// The loop exchanges two values in each file, so that the back edge carries copies.
constexpr const char* kExchange = R"(machine gfx1030 wave64 masked
b0: logical(-> b1) linear(-> b1)
  %0:s4@s[0:3], %1:s1@s4, %2:s1@s5, %3:v1@v0, %4:v1@v1 = p_start
  p_logical_start
  p_logical_end
  p_jump b1
b1: loop_header depth=1 logical(b0, b2 -> b2, b3) linear(b0, b2 -> b2, b3)
  %5:s1 = p_phi %1:s1, %6:s1
  %6:s1 = p_phi %2:s1, %5:s1
  %7:v1 = p_phi %3:v1, %8:v1
  %8:v1 = p_phi %4:v1, %7:v1
  p_logical_start
  buffer_store_dword %7:v1, %8:v1, %0:s4, %5:s1
  scc = s_cmp_lt_u32 %5:s1, %6:s1
  p_logical_end
  p_jump_scc1 scc, b2, b3
b2: depth=1 logical(b1 -> b1) linear(b1 -> b1)
  p_logical_start
  p_logical_end
  p_jump b1
b3: logical(b1 ->) linear(b1 ->)
  p_logical_start
  p_logical_end
  s_endpgm
)";

/// More values than twelve registers hold, in both files.
std::string crowded() {
  std::string text =
      "machine gfx1030 wave64 masked\nb0:\n"
      "  %0:s4@s[0:3], %1:s1@s4, %2:v1@v0 = p_start\n  p_logical_start\n";
  for (int i = 0; i < 16; ++i) {
    text += "  %" + std::to_string(10 + i) + ":v1 = v_add_f32 %2:v1, %2:v1\n";
    text += "  %" + std::to_string(40 + i) + ":s1, scc = s_add_u32 %1:s1, %1:s1\n";
  }
  for (int i = 0; i < 16; ++i) {
    text +=
        "  buffer_store_dword %" + std::to_string(10 + i) + ":v1, %2:v1, %0:s4, %" + std::to_string(40 + i) + ":s1\n";
  }
  return text + "  p_logical_end\n  s_endpgm\n";
}

Allocated proved(const std::string& text, Config config = {}) {
  Allocated result = allocate(text, config);
  EXPECT_EQ(finding(result), "") << mir::print(result.after);
  return result;
}

void expect_refused(const Allocated& broken, const std::string& reason) {
  const auto proof = check_allocation(broken.before, broken.after);
  ASSERT_FALSE(proof.ok()) << mir::print(broken.after);
  EXPECT_NE(proof.error().message.find(reason), std::string::npos) << proof.error().message;
}

void remove(Allocated& allocated, InstId inst) {
  for (mir::Block& block : allocated.after.blocks)
    erase_if(block.insts, [inst](InstId other) { return other == inst; });
}
/// Moves an instruction to right after another one.
void move_behind(Allocated& allocated, InstId inst, InstId place) {
  remove(allocated, inst);
  for (mir::Block& block : allocated.after.blocks) {
    const auto at = std::find(block.insts.begin(), block.insts.end(), place);
    if (at != block.insts.end()) {
      block.insts.insert(at + 1, inst);
      return;
    }
  }
}

TEST(CheckAllocation, RefusesAWrongRegisterInAUse) {
  Allocated broken = proved(kStraight);
  Operand& use = broken.after.uses(broken.all(Opcode::v_mul_f32)[0])[1];
  use.reg = use.reg == isa::vgpr(0) ? isa::vgpr(1) : isa::vgpr(0);
  expect_refused(broken, "is not in v");
}

TEST(CheckAllocation, RefusesAResultOverALiveValue) {
  Allocated broken = proved(kStraight);
  // %3 into v0, where %1 lives on.
  const InstId add = broken.all(Opcode::v_add_f32)[0], fmac = broken.all(Opcode::v_fmac_f32)[0];
  broken.after.defs(add)[0].reg = isa::vgpr(0);
  broken.after.uses(fmac)[2].reg = isa::vgpr(0);
  broken.after.defs(fmac)[0].reg = isa::vgpr(0);
  expect_refused(broken, "%1 is not in v0");
}

TEST(CheckAllocation, RefusesATiedOperandElsewhere) {
  Allocated broken = proved(kStraight);
  const InstId fmac = broken.all(Opcode::v_fmac_f32)[0];
  broken.after.facts.vgpr_count = 16;
  broken.after.defs(fmac)[0].reg = isa::vgpr(9);
  expect_refused(broken, "tied operand");
}

TEST(CheckAllocation, RefusesAMaskOverAScalarThatTheSecondPassReads) {
  const std::string text = R"(machine gfx1030 wave64 masked
b0:
  %0:s1@s2, %1:v1@v0 = p_start
  p_logical_start
  %2:s2 = v_cmp_lt_f32 %0:s1, %1:v1
  %3:v1 = v_cndmask_b32 0x0, 0x1, %2:s2
  ds_write_b32 %1:v1, %3:v1
  p_logical_end
  s_endpgm
)";
  Allocated broken = proved(text);
  // The mask into s[2:3], where %0 is read for the last time.
  broken.after.defs(broken.all(Opcode::v_cmp_lt_f32)[0])[0].reg = isa::sgpr(2);
  broken.after.uses(broken.all(Opcode::v_cndmask_b32)[0])[2].reg = isa::sgpr(2);
  broken.after.facts.sgpr_count = 4;
  expect_refused(broken, "second pass");
}

TEST(CheckAllocation, RefusesMisalignedTuples) {
  Allocated broken = proved(kStraight);
  broken.after.facts.sgpr_count = 20;
  broken.after.defs(broken.all(Opcode::s_load_dwordx4)[0])[0].reg = isa::sgpr(6);
  expect_refused(broken, "misaligned");
}

TEST(CheckAllocation, RefusesRegistersThatTheFactsDoNotCount) {
  Allocated broken = proved(kStraight);
  broken.after.facts.vgpr_count = 1;
  expect_refused(broken, "outside the file");
}

TEST(CheckAllocation, RefusesAnIgnoredRequirement) {
  Allocated broken = proved(kStraight);
  broken.after.defs(broken.all(Opcode::p_start)[0])[1].reg = isa::vgpr(1);
  expect_refused(broken, "required register");
}

TEST(CheckAllocation, RefusesAMissingInstruction) {
  Allocated broken = proved(kStraight);
  remove(broken, broken.all(Opcode::v_mul_f32)[0]);
  expect_refused(broken, "missing");
}

TEST(CheckAllocation, RefusesAChangedInstruction) {
  Allocated broken = proved(kStraight);
  broken.after.edit_modifiers(broken.all(Opcode::v_mul_f32)[0], [](isa::Modifiers& mods) { mods.clamp = true; });
  expect_refused(broken, "changed");
}

TEST(CheckAllocation, RefusesAnotherOrder) {
  Allocated broken = proved(kStraight);
  move_behind(broken, broken.all(Opcode::s_load_dwordx4)[0], broken.all(Opcode::v_add_f32)[0]);
  expect_refused(broken, "missing before");
}

TEST(CheckAllocation, RefusesAddedCode) {
  Allocated broken = proved(kStraight);
  const Operand def = Operand::fixed(broken.after.create_vreg(mir::kV1), mir::kV1, isa::vgpr(0));
  const InstId added = broken.after.create(Opcode::v_add_f32, {&def, 1}, {});
  auto& insts = broken.after.blocks[mir::BlockId(0)].insts;
  insts.insert(insts.end() - 2, added);
  expect_refused(broken, "more than move values");
}

TEST(CheckAllocation, RefusesALostEdgeCopy) {
  const Allocated right = proved(kExchange);
  const auto copies = right.all(Opcode::p_parallel_copy);
  ASSERT_FALSE(copies.empty());
  for (InstId copy : copies) {
    Allocated broken = right;
    remove(broken, copy);
    expect_refused(broken, "is not in");
  }
}

TEST(CheckAllocation, RefusesASwapThatIsNoSwap) {
  Allocated broken = proved(kExchange);
  bool found = false;
  for (InstId copy : broken.all(Opcode::p_parallel_copy)) {
    if (broken.after.uses(copy).size() < 2) continue;
    std::swap(broken.after.uses(copy)[0].reg, broken.after.uses(copy)[1].reg);
    found = true;
    break;
  }
  ASSERT_TRUE(found);
  expect_refused(broken, "is not in");
}

TEST(CheckAllocation, RefusesVectorCopiesWithoutTheLanes) {
  Allocated broken = proved(kExchange);
  for (InstId copy : broken.all(Opcode::p_parallel_copy)) {
    if (!broken.after.defs(copy)[0].reg.is_vgpr()) continue;
    move_behind(broken, copy, broken.all(Opcode::p_logical_end)[2]);
    return expect_refused(broken, "lanes do not run");
  }
  FAIL() << "no vector copy";
}

TEST(CheckAllocation, RefusesTheWrongScratchSlot) {
  Allocated broken = proved(crowded(), {12, 12});
  const auto reloads = broken.all(Opcode::p_reload_vgpr);
  ASSERT_GE(reloads.size(), 2u);
  auto& first = broken.after.insts[reloads[0]];
  const auto other = std::find_if(reloads.begin(), reloads.end(),
                                  [&](InstId id) { return broken.after.insts[id].simm16 != first.simm16; });
  ASSERT_NE(other, reloads.end());
  first.simm16 = broken.after.insts[*other].simm16;
  expect_refused(broken, "is not in v");
}

TEST(CheckAllocation, RefusesASlotOutsideScratch) {
  Allocated broken = proved(crowded(), {12, 12});
  broken.after.facts.scratch_bytes -= 4;
  expect_refused(broken, "outside scratch");
}

TEST(CheckAllocation, RefusesASlotOfTheShadersVariables) {
  Allocated broken = proved(crowded(), {12, 12});
  broken.before.facts.scratch_bytes = 4;
  expect_refused(broken, "outside scratch");
}

TEST(CheckAllocation, RefusesTheWrongLane) {
  Allocated broken = proved(crowded(), {12, 12});
  const auto reloads = broken.all(Opcode::p_reload_sgpr);
  ASSERT_FALSE(reloads.empty());
  broken.after.insts[reloads[0]].simm16 = 63;
  expect_refused(broken, "is not in s");
}

TEST(CheckAllocation, RefusesTheWrongLaneOfScratch) {
  Allocated broken = proved(crowded(), {12, 3});
  const auto reloads = broken.all(Opcode::p_reload_sgpr_scratch);
  ASSERT_FALSE(reloads.empty());
  broken.after.insts[reloads[0]].simm16 = 63;
  expect_refused(broken, "is not in s");
}

TEST(CheckAllocation, RefusesScalarsInTheSlotOfAVector) {
  Allocated broken = proved(crowded(), {12, 3});
  const auto vectors = broken.all(Opcode::p_spill_vgpr);
  ASSERT_FALSE(vectors.empty());
  const auto slot = static_cast<uint32_t>(broken.after.insts[vectors[0]].simm16);
  for (const Opcode opcode : {Opcode::p_spill_sgpr_scratch, Opcode::p_reload_sgpr_scratch}) {
    for (const InstId inst : broken.all(opcode)) broken.after.uses(inst).back().value = slot;
  }
  expect_refused(broken, "share a spill slot");
}

TEST(CheckAllocation, RefusesHomesThatAreWindows) {
  Allocated broken = proved(crowded(), {12, 12});
  const InstId reload = broken.all(Opcode::p_reload_sgpr)[0];
  // A reload from scratch through the home, right before.
  const Operand def = Operand::fixed(broken.after.create_vreg(mir::kS1), mir::kS1, broken.after.defs(reload)[0].reg);
  const Operand uses[] = {broken.after.uses(reload)[0], Operand::immediate(0)};
  const InstId added = broken.after.create(Opcode::p_reload_sgpr_scratch, {&def, 1}, uses);
  for (const Opcode opcode : {Opcode::p_spill_vgpr, Opcode::p_reload_vgpr}) {
    for (const InstId inst : broken.all(opcode)) ++broken.after.insts[inst].simm16;
  }
  broken.after.facts.scratch_bytes += 4;
  auto& insts = broken.after.blocks[mir::BlockId(0)].insts;
  insts.insert(std::find(insts.begin(), insts.end(), reload), added);
  expect_refused(broken, "is not in s");
}

TEST(CheckAllocation, RefusesScratchBeforeItsDescriptor) {
  std::string text = crowded();
  text.insert(text.find("b0:"), "scratch s[16:19]\n");
  text.insert(text.find("  p_logical_start"), "  s[16:19] = s_load_dwordx4 %3:s2, 0x0\n");
  text.replace(text.find("%2:v1@v0 = p_start"), 18, "%3:s2@s[6:7], %2:v1@v0 = p_start");
  Allocated broken = proved(text, {20, 3});
  const auto spills = broken.all(Opcode::p_spill_sgpr_scratch);
  const auto linear = broken.all(Opcode::p_linear_vgpr);
  ASSERT_FALSE(spills.empty() || linear.empty());
  move_behind(broken, spills[0], linear[0]);
  expect_refused(broken, "before its descriptor");
}

TEST(CheckAllocation, RefusesAStoreThatComesTooLate) {
  Allocated broken = proved(crowded(), {12, 12});
  move_behind(broken, broken.all(Opcode::p_spill_vgpr)[0], broken.all(Opcode::p_reload_vgpr).back());
  expect_refused(broken, "is not in v");
}

TEST(CheckAllocation, RefusesAnOverwrittenHomeOfSpilledScalars) {
  Allocated broken = proved(crowded(), {12, 12});
  const isa::Reg home = broken.after.defs(broken.all(Opcode::p_linear_vgpr)[0])[0].reg;
  // The last vector result goes to the home instead; nothing else changes.
  const InstId last = broken.all(Opcode::v_add_f32).back();
  broken.after.defs(last)[0].reg = home;
  expect_refused(broken, "is not in");
}

TEST(CheckAllocation, RefusesAnOverwrittenVcc) {
  Allocated broken = proved(R"(machine gfx1030 wave64 masked
b0:
  %0:s4@s[0:3], %1:v1@v0 = p_start
  p_logical_start
  vcc = v_cmp_lt_f32 %1:v1, %1:v1
  %2:s2 = s_getpc_b64
  %3:v1 = v_cndmask_b32 %1:v1, %1:v1, vcc
  buffer_store_dword %3:v1, %1:v1, %0:s4, 0x0
  %4:v1 = v_cndmask_b32 %1:v1, %1:v1, %2:s2
  buffer_store_dword %4:v1, %1:v1, %0:s4, 0x0
  p_logical_end
  s_endpgm
)");
  const InstId middle = broken.all(Opcode::s_getpc_b64)[0];
  ASSERT_NE(broken.after.defs(middle)[0].reg, isa::kVcc);
  broken.after.defs(middle)[0].reg = isa::kVcc;
  broken.after.uses(broken.all(Opcode::v_cndmask_b32)[1])[2].reg = isa::kVcc;
  expect_refused(broken, "vcc was overwritten");
}

/// One register of a random operand changes. Some changes are harmless (the other register holds the same value), most
/// are not.
TEST(CheckAllocation, RefusesMostRandomChanges) {
  unsigned tried = 0, refused = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    Allocated allocated{random_function({seed, 64, 80}), random_function({seed, 64, 80})};
    allocate_registers(allocated.after, {40, 32});
    ASSERT_EQ(finding(allocated), "");
    uint64_t state = seed * 77777;
    for (int attempt = 0; attempt < 10; ++attempt) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const auto& layout = allocated.after.layout;
      const auto& insts = allocated.after.blocks[layout[(state >> 33) % layout.size()]].insts;
      const InstId inst = insts[(state >> 20) % insts.size()];
      if (inst.index >= allocated.before.insts.size()) continue;
      for (Operand& use : allocated.after.uses(inst)) {
        if (!use.is_vreg() || use.tied || use.reg.number >= 106 || use.dwords != 1) continue;
        const isa::Reg right = use.reg;
        use.reg = isa::sgpr((right.number + 1u + (state >> 50) % 8) % allocated.after.facts.sgpr_count);
        ++tried;
        if (!check_allocation(allocated.before, allocated.after).ok()) ++refused;
        use.reg = right;
      }
    }
  }
  EXPECT_GT(tried, 100u);
  EXPECT_GT(refused * 100, tried * 90);
}

}  // namespace
}  // namespace spalt::regalloc
