// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <vector>

#include "amdgpu/regalloc/placement.h"
#include "amdgpu/regalloc/wishes.h"

namespace spalt::regalloc {

/// The general case of assignment: finds room for the operands and results of one instruction, some of which may be
/// bound to registers, by moving live values. Changes nothing but its own findings.
class InstSolver {
 public:
  /// What the walk knows before the instruction.
  struct State {
    const IdMap<mir::VReg, uint16_t>& place;                 ///< of live values
    const std::array<mir::VReg, RegisterSet::kSize>& owner;  ///< live value in each register
    RegisterSet& free;                                       ///< comes back as it was
    const RegisterSet& physical;
  };
  /// What one entry of the findings stands for.
  struct Role {
    enum Kind : uint8_t { live, operand_copy, result } kind;
    uint16_t number;  ///< operand_copy: use; result: definition
  };

  InstSolver(const mir::Function& function, const RegisterSpace& space, Wishes& wishes, const State& state,
             Arena& arena)
      : function_(function),
        space_(space),
        file_(space.file),
        wishes_(wishes),
        state_(state),
        placement_(space.file, space.allowed, arena),
        roles_(arena),
        required_(arena) {}

  /// False when the live tuples cannot be packed.
  bool solve(mir::InstId inst);
  size_t size() const { return roles_.size(); }
  const PlacedValue& operator[](size_t i) const { return placement_[i]; }
  const Role& role(size_t i) const { return roles_[i]; }
  /// Where an operand is read: its own copy if it has one, else where the value lives.
  unsigned read_place(mir::InstId inst, size_t use_number) const;

  bool is_killed(mir::InstId inst, mir::VReg v) const;
  /// The value dies here but must not share registers with the results.
  bool outlasts_results(mir::InstId inst, mir::VReg v) const {
    // Only scalars of waves of 64 lanes can.
    return file_ == mir::RegFile::sgpr && function_.wave_size == 64 && is_read_twice(inst, v);
  }
  const mir::Operand* tied_use(mir::InstId inst) const;

 private:
  bool is_read_twice(mir::InstId inst, mir::VReg v) const;
  bool handled(const mir::Operand& operand) const { return handles(file_, operand); }
  unsigned dwords(mir::VReg v) const { return function_.vregs[v].cls.dwords; }
  void add(mir::VReg v, PlacedValue::Span span, unsigned index, bool movable, Role role);
  void block_physical(mir::InstId inst);
  void add_required_operands(mir::InstId inst);
  bool stays_in_place(mir::InstId inst, const mir::Operand& use) const;
  bool is_fixed_home(mir::InstId inst, mir::VReg v) const;
  void add_live_values(mir::InstId inst);
  void add_results(mir::InstId inst);

  const mir::Function& function_;
  const RegisterSpace& space_;
  const mir::RegFile file_;
  Wishes& wishes_;
  const State state_;
  Placement placement_;
  Vector<Role> roles_;  ///< of the entries of placement_
  Vector<mir::VReg> required_;
};

}  // namespace spalt::regalloc
