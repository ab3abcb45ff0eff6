// SPDX-License-Identifier: MIT
//
// Operands:
// - A virtual register exists and has the size of its class; a block exists; undef stands only in phis, p_vec, p_copy
// and
//   p_parallel_copy.
// - A machine instruction has at least the operands of its isa::OpcodeInfo; a slot for SGPRs holds no VGPR, a slot for
//   VGPRs holds a VGPR; scalar and vector ALU tuples have the size of the slot's type.
// - An instruction that reads or writes scc names it. Every use of scc, and before allocation of a physical vcc, has a
//   definition before it in its block.
// - The shapes of the pseudo operations.
// - From Stage::masked on VGPRs other than linear ones are touched only between p_logical_start and p_logical_end
//   (p_phi and p_start aside, and after allocation what brings spilled SGPRs to scratch); until allocation nothing
//   writes exec there.
// - From Stage::allocated on every virtual register operand has its register, of the right file and alignment.
#include <algorithm>

#include "amdgpu/isa/codec/codec.h"
#include "amdgpu/mir/dominance.h"
#include "amdgpu/mir/verifier_parts.h"

namespace spalt::mir {
namespace {

using isa::OperandRole;

bool takes_undef(Opcode opcode) {
  return is_phi(opcode) || opcode == Opcode::p_vec || opcode == Opcode::p_copy || opcode == Opcode::p_parallel_copy;
}

class OperandVerifier {
 public:
  explicit OperandVerifier(const Function& function) : function_(function) {}

  Finding run() {
    for (BlockId id : function_.layout) {
      block_ = id;
      scc_defined_ = vcc_defined_ = false;
      in_lanes_ = function_.stage == Stage::selected || function_.stage == Stage::final;
      for (InstId inst : function_.blocks[id].insts) {
        inst_ = inst;
        check_inst();
        if (finding_) return finding_;
      }
    }
    return finding_;
  }

 private:
  void report(const std::string& rule) {
    if (!finding_) finding_ = broken_rule(function_, block_, inst_, rule);
  }
  Opcode opcode() const { return function_.insts[inst_].opcode; }
  std::span<const Operand> defs() const { return function_.defs(inst_); }
  std::span<const Operand> uses() const { return function_.uses(inst_); }

  void check_inst() {
    for (const Operand& def : defs()) {
      if (def.kind != Operand::Kind::vreg && def.kind != Operand::Kind::reg && def.kind != Operand::Kind::none) {
        return report("a definition is a register");
      }
      check_operand(def);
    }
    for (const Operand& use : uses()) check_operand(use);
    if (finding_) return;
    check_special();
    if (is_pseudo(opcode())) {
      check_pseudo();
    } else {
      check_machine();
    }
    check_lanes();
  }

  void check_operand(const Operand& operand) {
    switch (operand.kind) {
      case Operand::Kind::vreg:
        return check_vreg(operand);
      case Operand::Kind::block:
        if (!function_.blocks.contains(operand.block())) report("a block operand names a block");
        return;
      case Operand::Kind::undef:
        if (!takes_undef(opcode())) report("only copies, p_vec and phis take undef");
        return;
      case Operand::Kind::reg:
        if (!operand.reg.valid()) report("a physical operand has a register");
        return;
      default:
        return;
    }
  }

  void check_vreg(const Operand& operand) {
    if (!function_.vregs.contains(operand.vreg())) return report("a virtual register exists");
    const RegClass cls = function_.vregs[operand.vreg()].cls;
    if (operand.dwords != cls.dwords) return report("a virtual register operand has the size of its class");
    if (operand.cls() != cls) return report("a virtual register operand has the class of the register");
    if (!operand.reg.valid()) {
      if (function_.stage >= Stage::allocated) report("every virtual register has a register after allocation");
      return;
    }
    const isa::Reg first = operand.reg, last = first.offset(cls.dwords - 1);
    const bool fits =
        cls.is_vgpr() ? first.is_vgpr() && last.is_vgpr() : last.is_sgpr() || (first.is_vcc() && last.is_vcc());
    if (!fits) return report("a register lies in the file of its class");
    const unsigned alignment = cls.is_vgpr() || cls.dwords == 1 ? 1 : cls.dwords == 2 ? 2 : 4;
    if (first.number % alignment != 0) report("an SGPR tuple is aligned");
  }

  static bool names(std::span<const Operand> list, isa::Reg reg) {
    return std::any_of(list.begin(), list.end(), [reg](const Operand& operand) { return operand.is_reg(reg); });
  }

  void check_special() {
    const uint32_t bits = flags(opcode());
    if ((bits & isa::kReadsScc) != 0 && !names(uses(), isa::kScc))
      return report("an instruction that reads scc names it");
    if ((bits & isa::kWritesScc) != 0 && !names(defs(), isa::kScc))
      return report("an instruction that writes scc names it");
    if (names(uses(), isa::kScc) && !scc_defined_) return report("scc is defined before its use in the same block");
    // After allocation vcc is a register like others: a value may live there across blocks.
    if (function_.stage < Stage::allocated && names(uses(), isa::kVcc) && !vcc_defined_)
      return report("physical vcc is defined before its use in the same block");
    scc_defined_ |= names(defs(), isa::kScc);
    vcc_defined_ |= names(defs(), isa::kVcc);
  }

  void check_machine() {
    const isa::OpcodeInfo& info = isa::info(to_isa(opcode()));
    const isa::Modifiers& mods = function_.modifiers(inst_);
    const unsigned def_slots = info.has(isa::kReturns) && !mods.glc ? 0 : info.dst_count;
    if (defs().size() < def_slots) return report("a definition is missing");
    for (unsigned i = 0; i < info.dst_count && i < defs().size(); ++i) check_slot(info, info.dst[i], defs()[i]);
    size_t next = 0;
    for (unsigned i = 0; i < info.src_count; ++i) {
      const OperandRole role = info.src[i].role;
      if (role == OperandRole::simm16 || role == OperandRole::label) continue;
      if (next >= uses().size()) {
        // Address and resource operands that the modifiers make unnecessary may be left out at the end.
        if (!info.has(isa::kVmem | isa::kLds | isa::kSmem)) report("an operand is missing");
        return;
      }
      check_slot(info, info.src[i], uses()[next++]);
    }
  }

  void check_slot(const isa::OpcodeInfo& info, isa::OperandSlot slot, const Operand& operand) {
    if (operand.kind == Operand::Kind::none) return;
    const bool register_slot = slot.role == OperandRole::vdst || slot.role == OperandRole::vgpr;
    if (operand.is_imm()) {
      if (register_slot || slot.role == OperandRole::sdst) report("a register slot holds no constant");
      return;
    }
    const bool is_vgpr = operand.is_vreg() ? function_.vregs[operand.vreg()].cls.is_vgpr() : operand.reg.is_vgpr();
    const bool scalar_slot = slot.role == OperandRole::sdst || slot.role == OperandRole::ssrc ||
                             slot.role == OperandRole::sreg || slot.role == OperandRole::lane_mask;
    if (scalar_slot && is_vgpr) return report("a scalar slot holds no VGPR");
    if (register_slot && operand.is_vreg() && !is_vgpr) return report("a vector slot holds a VGPR");
    if (!info.has(isa::kSalu | isa::kValu) || !operand.is_vreg()) return;
    const unsigned dwords = isa::type_dwords(slot.type, function_.wave_size);
    if (dwords != 0 && operand.dwords != dwords) {
      report("a tuple has the size of its slot, " + std::to_string(dwords) + " dwords");
    }
  }

  static unsigned total_dwords(std::span<const Operand> list) {
    unsigned sum = 0;
    for (const Operand& operand : list) sum += operand.dwords;
    return sum;
  }
  void expect_counts(size_t def_count, size_t use_count) {
    if (defs().size() != def_count || uses().size() != use_count) report("a pseudo operation has its operand counts");
  }

  void check_pseudo() {
    switch (opcode()) {
      case Opcode::p_copy:
        expect_counts(1, 1);
        if (!finding_ && !uses()[0].is_imm() && defs()[0].dwords != uses()[0].dwords) report("a copy keeps the size");
        return;
      case Opcode::p_parallel_copy:
        return expect_counts(uses().size(), uses().size());
      case Opcode::p_vec:
        expect_counts(1, uses().size());
        if (!finding_ && total_dwords(uses()) != defs()[0].dwords) report("the parts of p_vec fill the tuple");
        return;
      case Opcode::p_split:
        expect_counts(defs().size(), 1);
        if (!finding_ && total_dwords(defs()) != uses()[0].dwords) report("the parts of p_split fill the tuple");
        return;
      case Opcode::p_extract:
        expect_counts(1, 2);
        if (!finding_ && (!uses()[1].is_imm() || uses()[1].value + defs()[0].dwords > uses()[0].dwords)) {
          report("p_extract takes dwords of its tuple");
        }
        return;
      case Opcode::p_wait:
        if ((function_.insts[inst_].simm16 & ~kAllWaitBits) != 0) report("p_wait names counters that there are");
        return expect_counts(0, 0);
      case Opcode::p_start:
        for (const Operand& def : defs()) {
          if (!def.reg.valid()) report("p_start fixes its registers");
        }
        return expect_counts(defs().size(), 0);
      case Opcode::p_branch:
      case Opcode::p_jump:
        return expect_counts(0, 1);
      case Opcode::p_branch_scc:
      case Opcode::p_branch_mask:
      case Opcode::p_jump_scc1:
      case Opcode::p_jump_execz:
      case Opcode::p_jump_execnz:
        return expect_counts(0, 3);
      case Opcode::p_logical_start:
      case Opcode::p_logical_end:
      case Opcode::p_fall_through:
        return expect_counts(0, 0);
      case Opcode::p_return:
        return expect_counts(0, std::min<size_t>(uses().size(), 1));
      case Opcode::p_hand_over:
        for (const Operand& use : uses()) {
          if (!use.reg.valid()) report("p_hand_over fixes its registers");
        }
        return expect_counts(0, uses().size());
      case Opcode::p_scan_reduce:
      case Opcode::p_scan_inclusive:
      case Opcode::p_scan_exclusive:
        return expect_counts(2, 6);
      case Opcode::p_scan_cluster:
        return expect_counts(2, 7);
      case Opcode::p_spill_vgpr:
        return expect_counts(0, 1);
      case Opcode::p_linear_vgpr:
      case Opcode::p_reload_vgpr:
        return expect_counts(1, 0);
      case Opcode::p_spill_sgpr:
        return expect_counts(0, 2);
      case Opcode::p_reload_sgpr:
        return expect_counts(1, 1);
      case Opcode::p_spill_sgpr_scratch:
        return expect_counts(0, 3);
      case Opcode::p_reload_sgpr_scratch:
        return expect_counts(1, 2);
      default:
        return;
    }
  }

  bool is_lane_vgpr(const Operand& operand) const {
    if (operand.kind == Operand::Kind::reg) return operand.reg.is_vgpr();
    return operand.is_vreg() && function_.vregs[operand.vreg()].cls.is_vgpr() &&
           !function_.vregs[operand.vreg()].cls.linear;
  }

  void check_lanes() {
    if (function_.stage != Stage::masked && function_.stage != Stage::allocated) return;
    if (opcode() == Opcode::p_logical_start) in_lanes_ = true;
    if (opcode() == Opcode::p_logical_end) in_lanes_ = false;
    if (opcode() == Opcode::p_phi || opcode() == Opcode::p_start) return;
    // Lane accesses of spilled SGPRs do not depend on exec. Where they go on to scratch memory, exec holds the lanes of
    // their values meanwhile.
    const bool spills =
        function_.stage == Stage::allocated && (function_.insts[inst_].memory & (kReadsScratch | kWritesScratch)) != 0;
    const bool needs_lanes = !has_flag(opcode(), isa::kIgnoresExec) && !spills;
    for (const auto list : {defs(), uses()}) {
      for (const Operand& operand : list) {
        if (needs_lanes && !in_lanes_ && is_lane_vgpr(operand)) {
          return report("VGPRs are touched between p_logical_start and p_logical_end");
        }
      }
    }
    const bool writes_exec =
        names(defs(), isa::kExec) || names(defs(), isa::kExecHi) || has_flag(opcode(), isa::kWritesExec);
    // What expands to SGPR spills changes exec and restores it.
    if (function_.stage == Stage::masked && in_lanes_ && writes_exec)
      report("nothing writes exec between p_logical_start and p_logical_end");
  }

  const Function& function_;
  BlockId block_;
  InstId inst_;
  bool scc_defined_ = false, vcc_defined_ = false, in_lanes_ = false;
  Finding finding_;
};

}  // namespace

Finding verify_operands(const Function& function) {
  return OperandVerifier(function).run();
}

}  // namespace spalt::mir
