// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <set>

#include "block_behaviour.h"
#include "ir/module.h"

namespace spalt::prove {

struct SourceFacts {
  unsigned wave_size = 32;
  const PhisOfBlocks& phis;
  const std::set<unsigned>& merged;  ///< MachineBlocks::merged
  /// The word of the selected code that is equal to this one wherever the condition holds, or the same word.
  std::function<z3::expr(const z3::expr& word, const z3::expr& condition)> adopt;
};

struct SourceBlocks {
  FunctionBehaviour behaviour;
  Formulas free;  ///< what each use of undef is
};

/// Formulas of the entry point of a lowered module.
SourceBlocks encode_source_blocks(z3::context& context, Inputs& inputs, const ir::Module& module,
                                  const SourceFacts& facts);

}  // namespace spalt::prove
