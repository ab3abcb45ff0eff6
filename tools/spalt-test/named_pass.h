// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

#include "passes/registry.h"

namespace spalt::golden {

/// A pass of src/passes, or a step of target lowering that stays in the core stage. Null if there is none.
const passes::PassEntry* find_named_pass(std::string_view name);

}  // namespace spalt::golden
