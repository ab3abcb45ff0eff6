// SPDX-License-Identifier: MIT
// Proves that selection kept the meaning of a function: Z3 looks for an input for which a block of the selected code
// does something else than the block of IR. docs/testing.md says what is proved and what is not.
#pragma once
#include <vector>

#include "amdgpu/mir/function.h"
#include "ir/module.h"
#include "prove.h"

namespace spalt::prove {

/// `divergent[v]`: lanes may have different values of the value with this number. That is taken as given.
Proof prove_select(const ir::Module& module, const std::vector<bool>& divergent, const mir::Function& selected,
                   const ProveOptions& options = {});

}  // namespace spalt::prove
