// SPDX-License-Identifier: MIT
#include "amdgpu/opt/reuse_moves.h"

#include <gtest/gtest.h>

#include "amdgpu/mir/parser.h"
#include "amdgpu/mir/printer.h"
#include "amdgpu/mir/verifier.h"

namespace spalt::opt {
namespace {

/// How many moves are left of two equal ones with so many instructions between them.
size_t moves_left(uint32_t between) {
  std::string text = "machine gfx1030 wave32 selected\nb0:\n  %0:v1@v0 = p_start\n  %1:v1 = v_mov_b32 0x7\n";
  for (uint32_t i = 0; i < between; ++i) text += "  ds_write_b32 %0:v1, %0:v1\n";
  text += "  %2:v1 = v_mov_b32 0x7\n  ds_write_b32 %1:v1, %2:v1\n  p_return\n";
  auto function = mir::parse(text);
  EXPECT_TRUE(function.ok()) << (function.ok() ? "" : function.error().message);
  if (!function.ok()) return 0;
  CompileContext context;
  reuse_moves(*function, context);
  EXPECT_TRUE(mir::verify(*function).ok());
  const std::string after = mir::print(*function);
  size_t moves = 0;
  for (size_t at = after.find("v_mov_b32"); at != std::string::npos; at = after.find("v_mov_b32", at + 1)) ++moves;
  return moves;
}

TEST(ReuseMoves, WithinTheWindow) {
  EXPECT_EQ(moves_left(0), 1u);
  EXPECT_EQ(moves_left(kReuseWindow - 1), 1u);
}

TEST(ReuseMoves, NotBeyondTheWindow) {
  EXPECT_EQ(moves_left(kReuseWindow), 2u);
}

}  // namespace
}  // namespace spalt::opt
