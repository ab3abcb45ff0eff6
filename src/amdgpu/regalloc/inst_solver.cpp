// SPDX-License-Identifier: MIT
#include "amdgpu/regalloc/inst_solver.h"

#include <algorithm>

#include "amdgpu/mir/wave64_passes.h"
#include "amdgpu/regalloc/physical_ranges.h"
#include "base/ice.h"

namespace spalt::regalloc {

using mir::InstId;
using mir::Operand;
using mir::VReg;

bool InstSolver::solve(InstId inst) {
  placement_.clear();
  roles_.clear();
  // A wish is judged with the killed operands' registers free.
  const RegisterSet saved = state_.free;
  block_physical(inst);
  add_required_operands(inst);
  add_live_values(inst);
  add_results(inst);
  state_.free = saved;
  return placement_.solve();
}

void InstSolver::add(VReg v, PlacedValue::Span span, unsigned index, bool movable, Role role) {
  PlacedValue value;
  value.value = v;
  value.dwords = static_cast<uint8_t>(dwords(v));
  value.span = span;
  value.index = static_cast<uint16_t>(index);
  value.movable = movable;
  placement_.add(value);
  roles_.push_back(role);
}

void InstSolver::block_physical(InstId inst) {
  RegisterSet written = state_.physical;
  for (const Operand& def : function_.defs(inst)) {
    if (is_file_register(file_, def)) written.add(index_of(file_, def.reg), def.dwords);
  }
  placement_.block(state_.physical, written);
}

/// Operands that must be in a certain register. A value that dies here simply goes there; one that lives on, or is
/// wanted elsewhere too, is copied there for this instruction.
void InstSolver::add_required_operands(InstId inst) {
  const auto uses = function_.uses(inst);
  required_.clear();
  for (size_t i = 0; i < uses.size(); ++i) {
    if (!handled(uses[i]) || !uses[i].reg.valid()) continue;
    bool seen = false;
    for (const Role& role : roles_) {
      seen = seen || (uses[role.number].reg == uses[i].reg && uses[role.number].value == uses[i].value);
    }
    if (seen) continue;
    if (!in_file(file_, uses[i].reg)) SPALT_ICE("operand required in a register outside the allocatable files");
    required_.push_back(uses[i].vreg());
    if (stays_in_place(inst, uses[i])) continue;
    add(uses[i].vreg(), PlacedValue::before, index_of(file_, uses[i].reg), false,
        {Role::operand_copy, static_cast<uint16_t>(i)});
  }
}

/// The value lives where it is required, lives on, and nothing is written there.
bool InstSolver::stays_in_place(InstId inst, const Operand& use) const {
  if (use.kill || reg_of(file_, state_.place[use.vreg()]) != use.reg) return false;
  for (const Operand& def : function_.defs(inst)) {
    const bool fixed = is_file_register(file_, def) || (handled(def) && def.reg.valid());
    if (fixed && def.reg < use.reg.offset(use.dwords) && use.reg < def.reg.offset(def.dwords)) return false;
  }
  return true;
}
bool InstSolver::is_fixed_home(InstId inst, VReg v) const {
  for (const Operand& use : function_.uses(inst)) {
    if (handled(use) && use.vreg() == v && use.reg.valid() && stays_in_place(inst, use)) return true;
  }
  return false;
}

bool InstSolver::is_killed(InstId inst, VReg v) const {
  for (const Operand& use : function_.uses(inst)) {
    if (use.is_vreg() && use.vreg() == v && handled(use)) return use.kill;
  }
  return false;
}
bool InstSolver::is_read_twice(InstId inst, VReg v) const {
  if (file_ != mir::RegFile::sgpr) return false;
  const auto uses = function_.uses(inst);
  for (size_t i = 0; i < uses.size(); ++i) {
    if (uses[i].is_vreg() && uses[i].vreg() == v && mir::second_pass_reads(function_, inst, i)) return true;
  }
  return false;
}
const Operand* InstSolver::tied_use(InstId inst) const {
  for (const Operand& use : function_.uses(inst)) {
    if (handled(use) && use.tied) return &use;
  }
  return nullptr;
}

void InstSolver::add_live_values(InstId inst) {
  const Operand* tied = tied_use(inst);
  for (unsigned i = 0, end = space_.allowed.end(); i < end;) {
    const VReg v = state_.owner[i];
    if (!v.valid()) {
      ++i;
      continue;
    }
    const bool killed = is_killed(inst, v);
    const bool required = std::find(required_.begin(), required_.end(), v) != required_.end();
    const bool apart = killed && outlasts_results(inst, v);
    if (killed && !apart) {
      for (unsigned r = i; r < i + dwords(v); ++r) {
        if (space_.allowed.contains(r)) state_.free.add(r, 1);
      }
    }
    if (!killed) {
      add(v, PlacedValue::through, i, !(required && is_fixed_home(inst, v)), {Role::live, 0});
    } else if (tied != nullptr && tied->vreg() == v) {
      // Becomes the tied result.
    } else if (!required) {
      add(v, apart ? PlacedValue::through : PlacedValue::before, i, true, {Role::live, 0});
    }
    i += dwords(v);
  }
}

void InstSolver::add_results(InstId inst) {
  const auto defs = function_.defs(inst);
  const Operand* tied = tied_use(inst);
  for (size_t i = 0; i < defs.size(); ++i) {
    if (!handled(defs[i])) continue;
    const bool fixed = defs[i].reg.valid();
    if (fixed && !in_file(file_, defs[i].reg)) SPALT_ICE("result required in a register outside the allocatable files");
    const auto span = i == 0 && tied != nullptr ? PlacedValue::through : PlacedValue::after;
    unsigned wish = fixed ? index_of(file_, defs[i].reg) : unsigned{RegisterSet::kNone};
    if (!fixed && span == PlacedValue::through && tied->kill) wish = state_.place[tied->vreg()];
    if (wish == RegisterSet::kNone) wish = wishes_.of_result(inst, defs[i], i);
    add(defs[i].vreg(), span, wish, !fixed, {Role::result, static_cast<uint16_t>(i)});
  }
}

unsigned InstSolver::read_place(InstId inst, size_t use_number) const {
  const Operand& use = function_.uses(inst)[use_number];
  unsigned copy = RegisterSet::kNone, home = RegisterSet::kNone;
  for (size_t i = 0; i < roles_.size(); ++i) {
    if (roles_[i].kind == Role::result) {
      if (use.tied && roles_[i].number == 0) return placement_[i].index;
      // The only register of a tied operand that dies is that of the result.
      const Operand* tied = tied_use(inst);
      if (roles_[i].number == 0 && tied != nullptr && tied->vreg() == use.vreg()) copy = placement_[i].index;
      continue;
    }
    if (placement_[i].value != use.vreg()) continue;
    if (roles_[i].kind == Role::live) {
      home = placement_[i].index;
    } else if (!use.reg.valid() || function_.uses(inst)[roles_[i].number].reg == use.reg) {
      copy = placement_[i].index;
    }
  }
  if (use.reg.valid() && copy != RegisterSet::kNone) return copy;
  return home != RegisterSet::kNone ? home : copy;
}

}  // namespace spalt::regalloc
