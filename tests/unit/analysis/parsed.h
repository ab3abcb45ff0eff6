// SPDX-License-Identifier: MIT
#pragma once
#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "base/compile_context.h"
#include "ir/parser.h"
#include "ir/verifier.h"

namespace spalt::test {

/// A module from text. Blocks are addressed by layout position, values by their number in dense text (parameters
/// first).
struct Parsed {
  explicit Parsed(std::string_view text) {
    auto parsed = ir::parse(text);
    EXPECT_TRUE(parsed.ok()) << (parsed.ok() ? "" : parsed.error().message);
    if (!parsed.ok()) return;
    module = std::move(*parsed);
    const auto verdict = ir::verify(module);
    EXPECT_TRUE(verdict.ok()) << (verdict.ok() ? "" : verdict.error().message);
    values.assign(function().params.begin(), function().params.end());
    for (ir::BlockId block : function().layout()) {
      for (ir::Value value : ir::insts(function(), block)) {
        if (!function().type(value).is_none()) values.push_back(value);
      }
    }
  }
  const ir::Function& function() const { return module.functions[0]; }
  ir::BlockId b(unsigned index) const { return function().layout()[index]; }
  ir::Value v(unsigned index) const { return values[index]; }

  CompileContext context;
  ir::Module module;
  std::vector<ir::Value> values;
};

}  // namespace spalt::test
