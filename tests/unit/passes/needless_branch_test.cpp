// SPDX-License-Identifier: MIT
// has_needless_branch: simplify_control_flow runs late only where this says that it would remove blocks.
#include <gtest/gtest.h>

#include "ir/parser.h"
#include "passes/simplify_control_flow.h"

namespace spalt {
namespace {

bool needless(const std::string& blocks) {
  const Result<ir::Module> module = ir::parse("func @f(%c: i1) {\n" + blocks + "}\n");
  EXPECT_TRUE(module.ok()) << (module.ok() ? "" : module.error().message);
  return module.ok() && passes::has_needless_branch(module->functions[0]);
}

TEST(NeedlessBranch, DecidedCondition) {
  EXPECT_TRUE(needless("a: merge c\n  branch_if true, b, c\nb:\n  branch c\nc:\n  ret\n"));
  EXPECT_FALSE(needless("a: merge c\n  branch_if %c, b, c\nb:\n  branch c\nc:\n  ret\n"));
}

TEST(NeedlessBranch, OnlyWayToABlock) {
  EXPECT_TRUE(needless("a:\n  branch b\nb:\n  ret\n"));
  EXPECT_TRUE(needless("a: merge c\n  branch_if %c, b, c\nb:\n  branch d\nd:\n  branch c\nc:\n  ret\n"));
}

TEST(NeedlessBranch, LoopsKeepTheirHeaders) {
  EXPECT_FALSE(
      needless("a:\n  branch b\nb: loop merge d, continue c\n  branch_if %c, c, d\nc:\n  branch b\nd:\n  ret\n"));
}

}  // namespace
}  // namespace spalt
