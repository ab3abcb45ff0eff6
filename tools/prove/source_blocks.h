// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <set>

#include "block_behaviour.h"
#include "ir/module.h"

namespace spalt::prove {

struct SourceFacts {
  unsigned wave_size = 32;
  bool has_image_dimension = true;  ///< image instructions say which kind of image they are for
  bool rounds_once = false;         ///< products with sums that the selected code has in no form that is recognized
  const PhisOfBlocks& phis;
  const std::set<unsigned>& forms;  ///< MachineBlocks::forms
  /// The word of the selected code that is equal to this one wherever the conditions hold, or the same word. The first
  /// condition is what the operation itself promises.
  std::function<z3::expr(const z3::expr& word, const z3::expr& own, const z3::expr& all)> adopt;
};

struct SourceBlocks {
  FunctionBehaviour behaviour;
  Formulas free;        ///< what each use of undef is
  bool is_sure = true;  ///< nothing depended on `rounds_once`
};

/// Formulas of the entry point of a lowered module.
SourceBlocks encode_source_blocks(z3::context& context, Inputs& inputs, const ir::Module& module,
                                  const SourceFacts& facts);

}  // namespace spalt::prove
