// SPDX-License-Identifier: MIT
// Internal to src/amdgpu/lower: which loads may move, and how far up their operands let them.
#pragma once
#include "analysis/divergence.h"
#include "analysis/dominance.h"
#include "base/compile_context.h"
#include "ir/function.h"

namespace spalt::lower {

/// Loads of memory and images.
constexpr ir::OpSet kLoads = {ir::Op::load, ir::Op::image_load, ir::Op::image_sample, ir::Op::image_gather};

/// Nobody writes what it reads.
bool is_movable_load(const ir::Function& function, ir::Value value);

/// What is known of values, in the order in which they are visited: each after its operands, those of phis apart.
class MovableLoads {
 public:
  MovableLoads(const ir::Function& function, const analysis::Divergence& divergence,
               const analysis::Dominance& dominance, Arena& scratch)
      : function_(function),
        divergence_(divergence),
        dominance_(dominance),
        facts_(scratch, function.value_capacity()) {}

  /// Learns about the value, which is in the block. Once more where it has moved.
  void visit(ir::Value value, ir::BlockId block) { facts_[value.index] = derive(value, block); }

  /// A load by the scalar unit.
  bool is_scalar(ir::Value load) const;
  /// A scalar load from a constant place of a buffer: with its neighbours it may become one.
  bool is_joinable(ir::Value value) const;
  /// Whether all that makes the address can be there in the block, and no load of the same block is waited for then.
  /// A result of the scalar unit comes soon.
  bool can_be_in(ir::Value load, ir::BlockId block) const;

 private:
  struct Fact {
    ir::BlockId earliest;  ///< where its operands, computed as early as possible, are there; none: anywhere
    bool waits = false;    ///< in that block, for a load by the vector unit
  };
  Fact derive(ir::Value value, ir::BlockId block) const;
  void combine_operands(ir::Value value, Fact& fact) const;
  bool has_constant_offset(ir::Value load) const;

  const ir::Function& function_;
  const analysis::Divergence& divergence_;
  const analysis::Dominance& dominance_;
  Vector<Fact> facts_;  ///< by value
};

}  // namespace spalt::lower
