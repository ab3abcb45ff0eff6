// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string_view>

#include "base/compile_context.h"
#include "ir/module.h"

namespace spalt::passes {

/// A pass under the name that goldens, dumps and `--stop-after` use. `run` applies it to the whole module with its
/// default configuration and tells whether anything changed.
struct PassEntry {
  std::string_view name;
  bool (*run)(ir::Module& module, CompileContext& context);
};

/// All passes, sorted by name.
std::span<const PassEntry> all_passes();
/// Null if there is none with this name.
const PassEntry* find_pass(std::string_view name);

}  // namespace spalt::passes
