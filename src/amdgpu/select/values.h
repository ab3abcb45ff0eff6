// SPDX-License-Identifier: MIT
// Internal to src/amdgpu/select: where each IR value lives.
#pragma once
#include "amdgpu/mir/function.h"
#include "analysis/divergence.h"
#include "ir/module.h"

namespace spalt::select {

enum class Place : uint8_t {
  none,    ///< constant, undef, or no value
  scalar,  ///< SGPRs, the same for all lanes
  vector,  ///< VGPRs; maybe the same in all lanes
  flag,    ///< condition that is the same for all lanes: scc, or 0 or 1 in an SGPR
  mask     ///< condition per lane in SGPRs; bits of lanes that do not run mean nothing
};

/// Operations that the scalar unit has where it computes floats.
bool has_scalar_float(ir::Op op, ir::Type type);

/// Facts about the values of one function that selection reads, all found in one forward sweep, or a few more where the
/// scalar unit has floats and a loop carries one.
///
/// Aliases: a bitcast, an extract from a vec, and what else only renames a value, is looked up as its source.
/// Places: a divergent value lives in VGPRs. A uniform one lives in SGPRs if the scalar unit can compute it (floats,
/// where it has float arithmetic, from operands that are all scalar); other uniform floats stay in VGPRs, since moving
/// each back with v_readfirstlane would double the work, and are moved only where a user demands a scalar. A uniform
/// phi of floats is a vector phi for the same reason, unless all its inputs are scalar.
class ValueFacts {
 public:
  /// `scratch` has the facts.
  ValueFacts(const ir::Module& module, const analysis::Divergence& divergence, const isa::Target& target,
             Arena& scratch);

  ir::Value root(ir::Value value) const { return facts_[value].alias; }
  Place place(ir::Value value) const { return of_root(value).place; }
  /// Uses of the value and of what only renames it.
  uint32_t use_count(ir::Value value) const { return of_root(value).use_count; }
  /// Order of definition within a block.
  uint32_t position(ir::Value value) const { return of_root(value).position; }
  /// Of a product of floats: sums and differences in its block are all that uses it.
  bool only_summed(ir::Value value) const { return of_root(value).sum_count == of_root(value).use_count; }
  /// Components of the vector are used, never the whole.
  bool only_extracted(ir::Value value) const { return !of_root(value).used_whole; }
  /// How many values there are in blocks, apart from those that only rename others.
  uint32_t count() const { return count_; }
  /// Carries and borrows, in order.
  std::span<const ir::Value> carries() const { return carries_; }
  bool divergent(ir::Value value) const { return divergence_.divergent(value); }

  /// A load that scalar memory instructions can do: uniform address, memory that the shader does not write.
  bool is_scalar_load(ir::Value value) const;

 private:
  struct Fact {
    ir::Value alias;  ///< itself where it renames nothing
    uint32_t use_count = 0, position = 0;
    uint32_t sum_count = 0;  ///< uses by sums and differences of floats in the same block
    Place place = Place::none;
    bool placed = false;
    bool used_whole = false;
    bool vector_phi = false;  ///< a phi that was placed in SGPRs until a vector came around its loop
  };

  const Fact& of_root(ir::Value value) const { return facts_[root(value)]; }
  void count_uses();
  ir::Value find_alias(ir::Value value) const;
  void place_all();
  bool demote_phis(bool all);
  Place find_place(ir::Value value);
  Place place_condition(ir::Value value) const;
  Place place_phi(ir::Value value);
  Place widest(std::span<const ir::Value> operands) const;
  Place place_float(const ir::Inst& inst, std::span<const ir::Value> operands) const;

  const ir::Module& module_;
  const ir::Function& function_;
  const analysis::Divergence& divergence_;
  const bool scalar_floats_;
  IdMap<ir::Value, Fact> facts_;
  uint32_t count_ = 0;
  Vector<ir::Value> carries_;
  Vector<ir::Value> hoped_;  ///< phis placed in SGPRs before all their inputs were placed
};

}  // namespace spalt::select
