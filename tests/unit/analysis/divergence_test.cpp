// SPDX-License-Identifier: MIT
#include "analysis/divergence.h"

#include "analysis/loops.h"
#include "parsed.h"

namespace spalt::analysis {
namespace {

using test::Parsed;

Divergence analyze(Parsed& p) {
  AnalysisCache analyses(p.function(), &p.context.arena);
  return analyze_divergence(p.function(), p.module, analyses, p.context);
}

TEST(Divergence, Sources) {
  Parsed p(R"(
workgroup_size 64, 1, 1
shared_bytes 64
scratch_bytes 64
push_constant_bytes 16
binding 0, 0, storage
binding 0, 1, uniform
func @main() {
b0:
  %lane: i32 = builtin local_invocation_id.x
  %index: i32 = builtin local_invocation_index
  %global: i32 = builtin global_invocation_id.x
  %sub: i32 = builtin subgroup_invocation_id
  %group: i32 = builtin workgroup_id.x
  %groups: i32 = builtin num_workgroups.x
  %wave: i32 = builtin subgroup_id
  %b: resource = resource 0, 0
  %u: resource = resource 1, 0
  %l0: i32 = load.push 4
  %l1: i32 = load.uniform %u, %group
  %l2: i32 = load.uniform %u, %lane
  %l3: i32 = load.storage %b, 0
  %l4: i32 = load.storage %b, 0, volatile
  %l5: i32 = load.shared %group
  %l6: i32 = load.scratch 0
  %l7: i32 = atomic_add.shared 0, 1, order relaxed, scope workgroup
  %first: i32 = read_first_lane %lane
  %sum: i32 = iadd %group, %first
  %mix: i32 = iadd %sum, %lane
  %moved: i32 = shuffle %lane, %mix, 64
  %one: i32 = shuffle %lane, %sum, 64
  %same: i32 = shuffle %sum, %lane, 64
  ret
}
)");
  const Divergence d = analyze(p);
  const bool expected[] = {true,  true,  true,  true,  // lane ids
                           false, false, false,        // one for the whole wave
                           false, false,               // resources
                           false, false, true,         // push, uniform address, divergent address
                           false, true,  false, true,  // storage, volatile, shared, scratch
                           true,  false, false, true,  // atomic, first lane, uniform sum, mixed sum
                           true,  false, false};       // moved, all read one lane, all have the same
  for (unsigned i = 0; i < std::size(expected); ++i) EXPECT_EQ(d.divergent(p.v(i)), expected[i]) << "%" << i;
}

TEST(Divergence, JoinsOfDivergentAndUniformBranches) {
  Parsed p(R"(
func @main() {
b0: merge b3
  %lane: i32 = builtin subgroup_invocation_id
  %group: i32 = builtin workgroup_id.x
  %c: i1 = ult %lane, 4
  %u: i1 = ult %group, 4
  branch_if %c, b1, b2
b1:
  branch b3
b2:
  branch b3
b3: merge b5
  %p: i32 = phi [b1 1], [b2 2]
  %q: i32 = phi [b1 %group], [b2 %group]
  branch_if %u, b4, b5
b4:
  branch b5
b5:
  %r: i32 = phi [b3 1], [b4 2]
  ret
}
)");
  const Divergence d = analyze(p);
  EXPECT_TRUE(d.divergent_branch(p.b(0)));
  EXPECT_TRUE(d.divergent(p.v(4)));   // %p
  EXPECT_FALSE(d.divergent(p.v(5)));  // %q: equal on both sides
  EXPECT_FALSE(d.divergent_branch(p.b(3)));
  EXPECT_FALSE(d.divergent(p.v(6)));  // %r
  EXPECT_TRUE(d.divergent_join(p.b(3)));
  EXPECT_FALSE(d.divergent_join(p.b(5)));
}

// Lanes wait for each other at the header, so that only what they bring into the loop decides about its phis.
TEST(Divergence, LanesThatMeetAtALoopHeaderCountTogether) {
  Parsed p(R"(
func @main() {
b0: merge b3
  %lane: i32 = builtin subgroup_invocation_id
  %group: i32 = builtin workgroup_id.x
  %c: i1 = ult %lane, 4
  branch_if %c, b1, b2
b1:
  branch b3
b2:
  branch b3
b3: loop merge b5, continue b4
  %i: i32 = phi [b1 0], [b2 0], [b4 %next]
  %side: i32 = phi [b1 1], [b2 2], [b4 %side]
  %more: i1 = ult %i, %group
  branch_if %more, b4, b5
b4:
  %next: i32 = iadd %i, 1
  branch b3
b5:
  ret
}
)");
  const Divergence d = analyze(p);
  EXPECT_TRUE(d.divergent_join(p.b(3)));
  EXPECT_FALSE(d.divergent(p.v(3)));  // %i
  EXPECT_TRUE(d.divergent(p.v(4)));   // %side
  EXPECT_FALSE(d.divergent_branch(p.b(3)));
}

TEST(Divergence, UniformBranchInsideDivergentSide) {
  // Lanes of b1 go together to b2 or b3, but meet the others at b4 only: the phi of b3 is uniform, that of b4 is not.
  Parsed p(R"(
func @main() {
b0: merge b4
  %lane: i32 = builtin subgroup_invocation_id
  %group: i32 = builtin workgroup_id.x
  %c: i1 = ult %lane, 4
  %u: i1 = ult %group, 4
  branch_if %c, b1, b4
b1: merge b3
  branch_if %u, b2, b3
b2:
  branch b3
b3:
  %p: i32 = phi [b1 1], [b2 2]
  branch b4
b4:
  %q: i32 = phi [b0 0], [b3 %p]
  ret
}
)");
  const Divergence d = analyze(p);
  EXPECT_FALSE(d.divergent_branch(p.b(1)));
  EXPECT_FALSE(d.divergent(p.v(4)));
  EXPECT_TRUE(d.divergent(p.v(5)));
}

TEST(Divergence, LanesThatLeaveALoopOneByOne) {
  Parsed p(R"(
func @main() {
b0:
  %lane: i32 = builtin subgroup_invocation_id
  %group: i32 = builtin workgroup_id.x
  branch b1
b1: loop merge b3, continue b2
  %i: i32 = phi [b0 0], [b2 %j]
  %c: i1 = ult %i, %lane
  branch_if %c, b2, b3
b2:
  %j: i32 = iadd %i, 1
  branch b1
b3:
  %after: i32 = iadd %i, 1
  %before: i32 = iadd %group, 1
  ret
}
)");
  const Divergence d = analyze(p);
  EXPECT_TRUE(d.has_divergent_exit(p.b(1)));
  EXPECT_FALSE(d.divergent(p.v(2)));  // %i counts the same for all lanes that still run
  EXPECT_FALSE(d.divergent(p.v(4)));
  EXPECT_TRUE(d.divergent(p.v(5)));  // %after reads it outside
  EXPECT_FALSE(d.divergent(p.v(6)));
  EXPECT_TRUE(d.divergent_at(p.function(), p.v(2), p.b(3)));
  EXPECT_FALSE(d.divergent_at(p.function(), p.v(2), p.b(2)));
  EXPECT_FALSE(d.divergent_at(p.function(), p.v(1), p.b(3)));
}

TEST(Divergence, DivergentContinueKeepsLanesTogether) {
  // Lanes that continue early wait at the continue block: the loop itself stays uniform, the phi there is not.
  Parsed p(R"(
func @main() {
b0:
  %lane: i32 = builtin subgroup_invocation_id
  branch b1
b1: loop merge b5, continue b4
  %i: i32 = phi [b0 0], [b4 %j]
  %s: i32 = phi [b0 0], [b4 %t]
  %m: i1 = ult %i, 9
  branch_if %m, b2, b5
b2: merge b3
  %c: i1 = ult %i, %lane
  branch_if %c, b4, b3
b3:
  branch b4
b4:
  %t: i32 = phi [b2 1], [b3 2]
  %j: i32 = iadd %i, 1
  branch b1
b5:
  %r: i32 = iadd %i, 1
  ret
}
)");
  const Divergence d = analyze(p);
  EXPECT_FALSE(d.has_divergent_exit(p.b(1)));
  EXPECT_FALSE(d.divergent(p.v(1)));  // %i
  EXPECT_TRUE(d.divergent(p.v(2)));   // %s
  EXPECT_FALSE(d.divergent_branch(p.b(1)));
  EXPECT_TRUE(d.divergent(p.v(5)));   // %t
  EXPECT_FALSE(d.divergent(p.v(7)));  // %r
}

TEST(Divergence, UniformExitUnderADivergentCondition) {
  // The test of b3 is uniform, but only some lanes make it.
  Parsed p(R"(
func @main() {
b0:
  %lane: i32 = builtin subgroup_invocation_id
  %group: i32 = builtin workgroup_id.x
  %c: i1 = ult %lane, 4
  %u: i1 = ult %group, 4
  branch b1
b1: loop merge b5, continue b4
  %i: i32 = phi [b0 0], [b4 %j]
  branch b2
b2: merge b4
  branch_if %c, b3, b4
b3:
  branch_if %u, b5, b4
b4:
  %j: i32 = iadd %i, 1
  %m: i1 = ult %j, 9
  branch_if %m, b1, b5
b5:
  %r: i32 = phi [b3 1], [b4 2]
  ret
}
)");
  const Divergence d = analyze(p);
  EXPECT_FALSE(d.divergent_branch(p.b(3)));
  EXPECT_TRUE(d.has_divergent_exit(p.b(1)));
  EXPECT_TRUE(d.divergent(p.v(7)));
}

TEST(Divergence, EarlierUniformExitOfALoopWithDivergentExit) {
  // Lanes that b3 let go wait at b5 while the others leave through b2 in a later iteration: they meet there.
  Parsed p(R"(
func @main() {
b0:
  %lane: i32 = builtin subgroup_invocation_id
  %group: i32 = builtin workgroup_id.x
  branch b1
b1: loop merge b5, continue b4
  %i: i32 = phi [b0 0], [b4 %j]
  branch b2
b2:
  %u: i1 = ieq %i, %group
  branch_if %u, b5, b3
b3:
  %c: i1 = ult %i, %lane
  branch_if %c, b4, b5
b4:
  %j: i32 = iadd %i, 1
  branch b1
b5:
  %r: i32 = phi [b2 1], [b3 2]
  ret
}
)");
  const Divergence d = analyze(p);
  EXPECT_FALSE(d.divergent_branch(p.b(2)));
  EXPECT_TRUE(d.divergent(p.v(6)));
}

TEST(Divergence, ChainOfDivergentJumpsToOneTarget) {
  // The second branch covers what the first one would find; the phi at their common target differs between the two.
  Parsed p(R"(
func @main() {
b0: merge b3
  %lane: i32 = builtin subgroup_invocation_id
  %c: i1 = ult %lane, 4
  %d: i1 = ult %lane, 8
  branch_if %c, b3, b1
b1:
  branch_if %d, b3, b2
b2:
  ret
b3:
  %r: i32 = phi [b0 1], [b1 2]
  ret
}
)");
  EXPECT_TRUE(analyze(p).divergent(p.v(3)));
}

TEST(Divergence, SwitchWithFallThrough) {
  Parsed p(R"(
func @main() {
b0: merge b4
  %lane: i32 = builtin subgroup_invocation_id
  switch_on %lane, b4, 0: b1, 1: b2, 2: b3
b1:
  branch b2
b2:
  %p: i32 = phi [b0 1], [b1 2]
  branch b4
b3:
  %q: i32 = iadd 1, 2
  branch b4
b4:
  %r: i32 = phi [b0 7], [b2 7], [b3 7]
  %s: i32 = phi [b0 7], [b2 8], [b3 7]
  ret
}
)");
  const Divergence d = analyze(p);
  EXPECT_TRUE(d.divergent_branch(p.b(0)));
  EXPECT_TRUE(d.divergent(p.v(1)));
  EXPECT_FALSE(d.divergent(p.v(2)));
  EXPECT_FALSE(d.divergent(p.v(3)));
  EXPECT_TRUE(d.divergent(p.v(4)));
}

TEST(Divergence, LoweredArgumentsByRegisterFile) {
  Parsed p(R"(
stage lowered
arg "user_data_0", sgpr 0
arg "local_id", vgpr 0
func @main() {
b0:
  %s: i32 = arg 0
  %v: i32 = arg 1
  ret
}
)");
  const Divergence d = analyze(p);
  EXPECT_FALSE(d.divergent(p.v(0)));
  EXPECT_TRUE(d.divergent(p.v(1)));
}

}  // namespace
}  // namespace spalt::analysis
