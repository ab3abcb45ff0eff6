// SPDX-License-Identifier: MIT
#include "amdgpu/opt/forward_copies.h"

#include <gtest/gtest.h>

#include "amdgpu/mir/parser.h"
#include "amdgpu/mir/printer.h"
#include "amdgpu/mir/verifier.h"

namespace spalt::opt {
namespace {

/// Whether the pass drops the copy, the first instruction after the marker, when the next one reads its result for the
/// last time. Text does not say which use is the last one.
bool drops_copy(const std::string& copy, const std::string& reader) {
  auto function =
      mir::parse("machine gfx1030 wave64 allocated\nfacts sgpr_count=40 vgpr_count=10\nb0:\n  p_logical_start\n  " +
                 copy + "\n  " + reader + "\n  p_logical_end\n  s_endpgm\n");
  EXPECT_TRUE(function.ok()) << (function.ok() ? "" : function.error().message);
  if (!function.ok()) return false;
  const auto& insts = function->blocks[function->layout.front()].insts;
  const isa::Reg copied = function->defs(insts[1])[0].reg;
  for (mir::Operand& use : function->uses(insts[2])) use.kill = use.reg == copied;
  CompileContext context;
  forward_copies(*function, context);
  EXPECT_TRUE(mir::verify(*function).ok());
  const size_t left = function->blocks[function->layout.front()].insts.size();
  EXPECT_EQ(mir::print(*function).find(copy) == std::string::npos, left == 4);
  return left == 4;
}

TEST(ForwardCopies, ToTheLastReader) {
  EXPECT_TRUE(drops_copy("s4 = s_mov_b32 s11", "s5, scc = s_add_i32 s4, s4"));
  EXPECT_TRUE(drops_copy("s[4:5] = s_mov_b64 s[10:11]", "s[6:7], scc = s_or_b64 s[4:5], s[8:9]"));
  EXPECT_TRUE(drops_copy("v1 = v_mov_b32 v2", "v3 = v_add_f32 v1, v1"));
}

TEST(ForwardCopies, ReaderWritesTheOriginal) {
  EXPECT_TRUE(drops_copy("s4 = s_mov_b32 s11", "s11, scc = s_add_i32 s4, s5"));
  // The second half would read what the first one wrote.
  EXPECT_FALSE(drops_copy("s4 = s_mov_b32 s6", "s[6:7] = v_cmp_lt_f32 s4, v5"));
}

TEST(ForwardCopies, NotToReadersOfMore) {
  EXPECT_FALSE(drops_copy("s4 = s_mov_b32 s11", "s[6:7], scc = s_or_b64 s[4:5], s[8:9]"));
}

}  // namespace
}  // namespace spalt::opt
