// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>

#include "amdgpu/mir/function.h"
#include "base/result.h"

namespace spalt::mir {

/// The first broken rule found by a part of the verifier, or nothing.
using Finding = std::optional<Error>;

/// `rule` is a lower-case sentence without full stop. `inst` may be none.
Error broken_rule(const Function& function, BlockId block, InstId inst, const std::string& rule);

Finding verify_structure(const Function& function);
Finding verify_operands(const Function& function);
Finding verify_ssa(const Function& function);

}  // namespace spalt::mir
