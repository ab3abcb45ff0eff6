// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>

#include "amdgpu/hazard/places.h"
#include "amdgpu/isa/simm16.h"
#include "amdgpu/mir/function.h"
#include "amdgpu/mir/machine_inst.h"

namespace spalt::hazard {

/// One machine instruction with the questions that hazard rules ask. Cheap to make; refers to the function.
class Instruction {
 public:
  /// `second_half`: issues together with the instruction before it (mir::Inst::dual there).
  Instruction(const mir::Function& function, mir::InstId id, bool second_half = false)
      : function_(function),
        id_(id),
        inst_(function.insts[id]),
        flags_(mir::is_pseudo(inst_.opcode) ? 0 : mir::flags(inst_.opcode)),
        second_half_(second_half) {}

  bool is_second_half() const { return second_half_; }

  mir::Opcode opcode() const { return inst_.opcode; }
  bool is(mir::Opcode opcode) const { return inst_.opcode == opcode; }
  uint32_t flags() const { return flags_; }  ///< isa::OpcodeFlag bits
  bool has(uint32_t flags) const { return (flags_ & flags) != 0; }
  const isa::Modifiers& mods() const { return function_.modifiers(inst_); }
  uint16_t simm16() const { return static_cast<uint16_t>(inst_.simm16); }
  std::span<const mir::Operand> uses() const { return function_.uses(id_); }
  std::span<const mir::Operand> defs() const { return function_.defs(id_); }
  const isa::Target& target() const { return function_.target; }
  const isa::OpcodeInfo& info() const { return isa::info(mir::to_isa(inst_.opcode)); }

  /// What comes next is not known: it may be in danger of anything.
  bool is_end_of_code() const { return is(mir::Opcode::p_fall_through); }

  /// Loads of parameters are no vector instructions to any rule, although the tables list them as such.
  bool is_parameter_load() const { return is(mir::Opcode::lds_param_load); }
  bool is_valu() const { return has(isa::kValu) && !is_parameter_load(); }
  bool is_salu() const { return has(isa::kSalu); }
  bool is_smem() const { return has(isa::kSmem); }
  bool is_vmem() const { return has(isa::kVmem); }
  bool is_lds() const { return has(isa::kLds); }
  bool is_branch() const { return has(isa::kBranch); }
  /// Whether the opcode has this encoding on the target.
  bool has_format(isa::Format format) const {
    return isa::opcode_number(mir::to_isa(inst_.opcode), format, target().generation) >= 0;
  }
  bool is_dpp() const {
    constexpr const isa::Modifiers& kDefaults = isa::kNoModifiers;
    if (!inst_.has_modifiers()) return false;
    const isa::Modifiers& mods = function_.modifiers(inst_);
    return mods.dpp_ctrl != kDefaults.dpp_ctrl || mods.dpp8 != kDefaults.dpp8 || mods.row_mask != kDefaults.row_mask ||
           mods.bank_mask != kDefaults.bank_mask || mods.bound_ctrl || mods.fetch_inactive;
  }

  /// Address registers beside the first, where an image instruction lists them (NSA).
  unsigned further_addresses() const {
    return is_vmem() ? static_cast<unsigned>(mir::further_addresses(function_, id_).size()) : 0;
  }

  Scalars scalars_read() const { return scalars(uses()); }
  Scalars scalars_written() const { return scalars(defs()); }
  Vgprs vgprs_read() const {
    Vgprs read = vgprs(uses());
    if (has(isa::kSwapsOperands)) read |= vgprs(defs().first(1));
    return read;
  }
  Vgprs vgprs_written() const {
    Vgprs written = vgprs(defs());
    if (has(isa::kSwapsOperands)) written |= vgprs(uses().first(1));
    return written;
  }
  /// Calls visit(index) for each VGPR of the operands.
  template <class Visit>
  void for_each_vgpr_read(Visit&& visit) const {
    for_each_vgpr(uses(), visit);
    if (has(isa::kSwapsOperands)) for_each_vgpr(defs().first(1), visit);
  }
  template <class Visit>
  void for_each_vgpr_written(Visit&& visit) const {
    for_each_vgpr(defs(), visit);
    if (has(isa::kSwapsOperands)) for_each_vgpr(uses().first(1), visit);
  }
  bool writes_exec() const {
    if (has(isa::kWritesExec)) return true;
    const auto written = defs();
    return std::any_of(written.begin(), written.end(), [](const mir::Operand& def) {
      return is_scalar(def) && def.reg.number + def.dwords > isa::kExec.number;
    });
  }

  /// Wait states that pass while it issues.
  unsigned wait_states() const {
    if (mir::is_pseudo(inst_.opcode) || second_half_) return 0;  // markers
    return is(mir::Opcode::s_nop) ? isa::kNopStates.of(simm16()) + 1 : 1;
  }

  static Scalars scalars(std::span<const mir::Operand> operands) {
    Scalars set;
    for (const mir::Operand& operand : operands) {
      if (is_scalar(operand)) set.add(operand.reg.number, operand.dwords);
    }
    return set;
  }
  static Vgprs vgprs(std::span<const mir::Operand> operands) {
    Vgprs set;
    for (const mir::Operand& operand : operands) {
      if (operand.reg.is_vgpr()) set.add(operand.reg.vgpr_index(), operand.dwords);
    }
    return set;
  }
  template <class Visit>
  static void for_each_vgpr(std::span<const mir::Operand> operands, Visit&& visit) {
    for (const mir::Operand& operand : operands) {
      if (!operand.reg.is_vgpr()) continue;
      const unsigned end = std::min<unsigned>(operand.reg.number + operand.dwords, isa::Reg::kVgprEnd);
      for (unsigned i = operand.reg.number; i < end; ++i) visit(i - isa::Reg::kVgprBegin);
    }
  }
  static bool is_scalar(const mir::Operand& operand) { return operand.reg.is_scalar() && operand.reg != isa::kNull; }

 private:
  const mir::Function& function_;
  mir::InstId id_;
  const mir::Inst& inst_;
  uint32_t flags_;
  bool second_half_;
};

/// Whether more code is linked after the function.
inline bool is_followed(const mir::Function& function) {
  const mir::InstList& last = function.blocks[function.layout.back()].insts;
  return !last.empty() && function.insts[last.back()].opcode == mir::Opcode::p_fall_through;
}

}  // namespace spalt::hazard
