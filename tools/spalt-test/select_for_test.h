// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "amdgpu/mir/function.h"
#include "command.h"
#include "ir/module.h"
#include "target_words.h"

namespace spalt::golden {

/// The code that a test selects, in the arena of the context.
struct SelectedForTest {
  ir::Module module;            ///< what it was selected from
  std::vector<bool> divergent;  ///< by number of the value
  mir::Function function;
};

/// Selects the entry point for the target that the words name; a module of the core stage is lowered first.
Result<SelectedForTest> select_for_test(const TestFile& file, const TargetWords& words, CompileContext& context);

}  // namespace spalt::golden
