// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

#include "passes/registry.h"

namespace spalt::test {

/// Runs the registered pass with that name. Returns whether it says that something changed.
inline bool run_pass(std::string_view name, ir::Module& module) {
  CompileContext context;
  return passes::find_pass(name)->run(module, context);
}

}  // namespace spalt::test
