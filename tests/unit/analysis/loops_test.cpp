// SPDX-License-Identifier: MIT
#include "analysis/loops.h"

#include "analysis/alias.h"
#include "analysis/uses.h"
#include "parsed.h"

namespace spalt::analysis {
namespace {

using test::Parsed;

TEST(Loops, NestWithExitsOverTwoLevels) {
  // 0 entry; 1 outer header; 2 inner header; 3 body, may leave both; 4 inner latch; 5 outer latch; 6 end
  const Parsed p(R"(
func @f(%c: i1) {
b0:
  branch b1
b1: loop merge b6, continue b5
  branch b2
b2: loop merge b5, continue b4
  branch_if %c, b3, b5
b3:
  branch_if %c, b4, b6
b4:
  branch b2
b5:
  branch_if %c, b1, b6
b6:
  ret
}
)");
  const Loops loops(p.function());
  ASSERT_EQ(loops.size(), 2u);
  EXPECT_EQ(loops[0].header, p.b(1));
  EXPECT_EQ(loops[0].first, 1u);
  EXPECT_EQ(loops[0].last, 5u);
  EXPECT_EQ(loops[0].parent, kNoLoop);
  EXPECT_EQ(loops[1].header, p.b(2));
  EXPECT_EQ(loops[1].last, 4u);
  EXPECT_EQ(loops[1].parent, 0u);
  EXPECT_EQ(loops[1].depth, 2u);
  EXPECT_EQ(loops.loop_of(p.b(0)), kNoLoop);
  EXPECT_EQ(loops.loop_of(p.b(3)), 1u);
  EXPECT_EQ(loops.loop_of(p.b(5)), 0u);
  EXPECT_EQ(loops.depth(p.b(4)), 2u);
  EXPECT_TRUE(loops.contains(0, p.b(3)));
  EXPECT_FALSE(loops.contains(1, p.b(5)));
  ASSERT_EQ(loops.exits(1).size(), 2u);
  EXPECT_EQ(loops.exits(1)[0].from, p.b(2));
  EXPECT_EQ(loops.exits(1)[0].to, p.b(5));
  EXPECT_EQ(loops.exits(1)[1].to, p.b(6));
  ASSERT_EQ(loops.exits(0).size(), 2u);
  EXPECT_EQ(loops.exits(0)[0].from, p.b(3));
  EXPECT_EQ(loops.exits(0)[1].from, p.b(5));
}

TEST(Loops, NoneAndOfOneBlock) {
  const Parsed straight("func @f() {\nb0:\n  branch b1\nb1:\n  ret\n}\n");
  EXPECT_TRUE(Loops(straight.function()).empty());
  const Parsed one(
      "func @f(%c: i1) {\nb0:\n  branch b1\nb1: loop merge b2, continue b1\n  branch_if %c, b1, b2\nb2:\n  ret\n}\n");
  const Loops loops(one.function());
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_EQ(loops[0].first, loops[0].last);
  EXPECT_EQ(loops.exits(0).size(), 1u);
}

TEST(Uses, OncePerOperandInLayoutOrder) {
  const Parsed p(R"(
func @f(%x: i32) -> i32 {
b0:
  %a: i32 = iadd %x, %x
  %b: i32 = iadd %a, %x
  ret %b
}
)");
  const Uses uses(p.function());
  const auto of_x = uses.of(p.v(0));
  ASSERT_EQ(of_x.size(), 3u);
  EXPECT_EQ(of_x[0], p.v(1));
  EXPECT_EQ(of_x[1], p.v(1));
  EXPECT_EQ(of_x[2], p.v(2));
  EXPECT_EQ(uses.count(p.v(1)), 1u);
  EXPECT_EQ(uses.of(p.v(2))[0], p.function().terminator(p.b(0)));
}

TEST(Alias, PlacesOverlapByClassBaseAndOffset) {
  const Parsed p(R"(
shared_bytes 64
binding 0, 0, storage, aliased
binding 0, 1, storage, aliased
binding 0, 2, uniform, aliased
binding 0, 3, storage
func @main() {
b0:
  %i: i32 = builtin global_invocation_id.x
  %a: resource = resource 0, 0
  %b: resource = resource 1, 0
  %u: resource = resource 2, 0
  %l0: i32 = load.storage %a, %i
  %l1: i32 = load.storage %a, %i, offset 4
  %l2: i32x2 = load.storage %a, %i
  %l3: i32 = load.storage %b, %i
  %l4: i32 = load.shared %i
  %l5: i32 = load.storage %a, 8
  %l6: i32 = load.storage %a, 4, offset 4
  %l7: i32 = load.uniform %u, 8
  %l8: i32 = load.storage %a, %i
  %c: resource = resource 3, 0
  %j: i32 = ishl %l0, 4
  %k: i32 = imul %l1, 48
  %l9: i32 = load.storage %c, %j, offset 16
  %l10: i32 = load.storage %c, 12
  %l11: i32 = load.storage %c, %k, offset 20
  %l12: i32x2 = load.storage %c, %k, offset 12
  %l13: i32 = load.storage %a, %j, offset 16
  ret
}
)");
  const ir::Function& f = p.function();
  const auto of = [&](unsigned l) { return memory_place(f, p.v(4 + l)); };
  const auto compare = [&](unsigned a, unsigned b) { return overlap(f, p.module.bindings, of(a), of(b)); };
  EXPECT_EQ(compare(0, 1), Overlap::never);
  EXPECT_EQ(compare(0, 8), Overlap::always);
  EXPECT_EQ(compare(0, 2), Overlap::maybe);  // part of it
  EXPECT_EQ(compare(1, 2), Overlap::maybe);
  EXPECT_EQ(compare(0, 3), Overlap::maybe);  // two buffers may be one
  EXPECT_EQ(compare(0, 4), Overlap::never);  // never in shared memory
  EXPECT_EQ(compare(0, 5), Overlap::maybe);  // the variable offset may be 8
  EXPECT_EQ(compare(5, 6), Overlap::always);
  EXPECT_EQ(compare(5, 7), Overlap::maybe);  // a uniform and a storage buffer may be one
  const auto after = [&](unsigned l) { return memory_place(f, p.v(7 + l)); };
  const auto compare_after = [&](unsigned a, unsigned b) { return overlap(f, p.module.bindings, after(a), after(b)); };
  EXPECT_EQ(compare_after(9, 13), Overlap::never);   // not aliased, so that they are two
  EXPECT_EQ(compare_after(9, 10), Overlap::never);   // offsets do not wrap
  EXPECT_EQ(compare_after(10, 11), Overlap::never);  // the same
  EXPECT_EQ(compare_after(9, 11), Overlap::never);   // 4 past multiples of 16, and none past them
  EXPECT_EQ(compare_after(9, 12), Overlap::maybe);   // 12 to 19 past them
  EXPECT_TRUE(reads_constant_memory(of(7).access));
  EXPECT_FALSE(reads_constant_memory(of(0).access));
}

}  // namespace
}  // namespace spalt::analysis
