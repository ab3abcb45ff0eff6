// SPDX-License-Identifier: MIT
#include "analysis/escapes.h"

#include "parsed.h"

namespace spalt::analysis {
namespace {

using test::Parsed;

std::vector<ir::Value> listed(const Escapes& escapes, uint32_t loop) {
  return {escapes.of(loop).begin(), escapes.of(loop).end()};
}

// v0 is the parameter; v1 and v2 are the outer header's, v3 to v5 the inner loop's, v6 the outer latch's, v7 and v8
// come after both.
TEST(Escapes, NamesEachLoopThatAValueLeaves) {
  const Parsed p(R"(
func @f(%c: i1) -> i32 {
b0:
  branch b1
b1: loop merge b5, continue b4
  %i: i32 = phi [b0 0], [b4 %next]
  %kept: i32 = iadd %i, 3
  branch b2
b2: loop merge b4, continue b3
  %far: i32 = iadd %i, 1
  %near: i32 = iadd %i, 2
  %stays: i1 = ieq %far, %near
  branch_if %stays, b3, b4
b3:
  branch b2
b4:
  %next: i32 = iadd %near, %kept
  branch_if %c, b1, b5
b5:
  %a: i32 = phi [b4 %far]
  %b: i32 = iadd %a, %next
  ret %b
}
)");
  const Loops loops(p.function());
  ASSERT_EQ(loops.size(), 2u);
  const Uses uses(p.function());
  const Escapes escapes(p.function(), loops, uses);
  EXPECT_EQ(listed(escapes, 1), (std::vector<ir::Value>{p.v(3), p.v(4)}));
  EXPECT_EQ(listed(escapes, 0), (std::vector<ir::Value>{p.v(3), p.v(6)}));
}

}  // namespace
}  // namespace spalt::analysis
