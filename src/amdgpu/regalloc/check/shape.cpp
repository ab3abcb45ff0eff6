// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "amdgpu/mir/dominance.h"
#include "amdgpu/mir/wave64_passes.h"
#include "amdgpu/regalloc/check/parts.h"

namespace spalt::regalloc {
namespace {

using mir::Block;
using mir::BlockId;
using mir::Function;
using mir::InstId;
using mir::Opcode;
using mir::Operand;
using mir::RegClass;

class ShapeChecker {
 public:
  ShapeChecker(const Function& before, const Function& after) : before_(before), after_(after) {}

  CheckFinding run() {
    if (after_.stage != mir::Stage::allocated) report(BlockId(), InstId(), "the stage is not allocated");
    if (after_.layout.size() < before_.layout.size()) report(BlockId(), InstId(), "a block is missing");
    size_t next = 0;
    for (BlockId id : after_.layout) {
      if (is_new(id)) {
        check_new_block(id);
      } else {
        if (next >= before_.layout.size() || before_.layout[next] != id) {
          report(id, InstId(), "the layout of the original blocks changed");
        }
        ++next;
        check_block(id);
      }
      if (finding_) return finding_;
    }
    if (next != before_.layout.size()) report(BlockId(), InstId(), "a block is missing");
    return finding_;
  }

 private:
  enum class Owner : uint8_t { nobody, vgprs, sgprs };

  void report(BlockId block, InstId inst, const std::string& what) {
    if (!finding_) finding_ = broken_allocation(after_, block, inst, what);
  }
  bool is_new(BlockId id) const { return id.index >= before_.blocks.size(); }
  bool is_new(InstId id) const { return id.index >= before_.insts.size(); }

  static bool same(std::span<const BlockId> a, std::span<const BlockId> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

  // ---- graphs ----

  void check_new_block(BlockId id) {
    const Block& block = after_.blocks[id];
    if (!block.logical_preds.empty() || !block.logical_succs.empty())
      report(id, InstId(), "a new block is on the linear graph only");
    if (block.linear_preds.size() != 1 || block.linear_succs.size() != 1) {
      return report(id, InstId(), "a new block splits one edge");
    }
    if (block.insts.empty()) return report(id, InstId(), "a block is empty");
    for (InstId inst : block.insts) {
      if (inst == block.insts.back()) {
        if (after_.insts[inst].opcode != Opcode::p_jump) report(id, inst, "a new block jumps to its target");
      } else {
        check_new_inst(id, inst);
      }
      if (touches_vgprs(inst)) report(id, inst, "VGPRs are touched in a block without lanes");
    }
  }

  void check_edges(BlockId id) {
    const Block& old_block = before_.blocks[id];
    const Block& new_block = after_.blocks[id];
    if (!same(old_block.logical_preds, new_block.logical_preds) ||
        !same(old_block.logical_succs, new_block.logical_succs)) {
      report(id, InstId(), "the logical graph changed");
    }
    check_linear_edges(id, old_block.linear_preds, new_block.linear_preds, true);
    check_linear_edges(id, old_block.linear_succs, new_block.linear_succs, false);
  }

  void check_linear_edges(BlockId id, std::span<const BlockId> old_ends, std::span<const BlockId> new_ends,
                          bool preds) {
    if (old_ends.size() != new_ends.size()) return report(id, InstId(), "the linear graph changed");
    for (size_t i = 0; i < old_ends.size(); ++i) {
      if (old_ends[i] == new_ends[i]) continue;
      bool splits = is_new(new_ends[i]);
      if (splits) {
        const Block& middle = after_.blocks[new_ends[i]];
        const auto far = preds ? middle.linear_preds.span() : middle.linear_succs.span();
        const auto near = preds ? middle.linear_succs.span() : middle.linear_preds.span();
        splits = far.size() == 1 && far[0] == old_ends[i] && near.size() == 1 && near[0] == id;
      }
      if (!splits) return report(id, InstId(), "the linear graph changed");
    }
  }

  // ---- instructions ----

  void check_block(BlockId id) {
    check_edges(id);
    const auto& old_insts = before_.blocks[id].insts;
    const auto& new_insts = after_.blocks[id].insts;
    const bool has_start = std::any_of(new_insts.begin(), new_insts.end(), [this](InstId inst) {
      return after_.insts[inst].opcode == Opcode::p_logical_start;
    });
    bool in_lanes = !has_start;
    size_t next = 0;
    // Until the last instruction that makes the descriptor.
    InstId descriptor;
    for (InstId inst : old_insts) {
      if (id == after_.layout[0] && makes_descriptor(inst)) descriptor = inst;
    }
    in_prolog_ = descriptor.valid();
    for (InstId inst : new_insts) {
      if (finding_) return;
      if (after_.insts[inst].opcode == Opcode::p_logical_start) in_lanes = true;
      if (after_.insts[inst].opcode == Opcode::p_logical_end) in_lanes = false;
      if (is_new(inst)) {
        check_new_inst(id, inst);
        if (!in_lanes && touches_vgprs(inst)) report(id, inst, "VGPRs are touched where the block's lanes do not run");
        continue;
      }
      while (next < old_insts.size() && old_insts[next] != inst && may_vanish(old_insts[next])) ++next;
      if (next == old_insts.size() || old_insts[next] != inst)
        return report(id, inst, "an original instruction is missing before this one");
      ++next;
      check_original(id, inst);
      if (inst == descriptor) in_prolog_ = false;
    }
    while (next < old_insts.size() && may_vanish(old_insts[next])) ++next;
    if (next != old_insts.size()) report(id, InstId(), "an original instruction is missing at the end");
  }

  bool may_vanish(InstId inst) const {
    return before_.insts[inst].opcode == Opcode::p_phi || is_constant_load(before_, inst);
  }

  bool touches_vgprs(InstId inst) const {
    const Opcode opcode = after_.insts[inst].opcode;
    if (mir::has_flag(opcode, isa::kIgnoresExec)) return false;
    const auto is_vgpr = [](const Operand& operand) { return operand.reg.valid() && operand.reg.is_vgpr(); };
    const auto defs = after_.defs(inst), uses = after_.uses(inst);
    return std::any_of(defs.begin(), defs.end(), is_vgpr) || std::any_of(uses.begin(), uses.end(), is_vgpr);
  }

  void check_original(BlockId id, InstId inst) {
    const mir::Inst& a = before_.insts[inst];
    const mir::Inst& b = after_.insts[inst];
    if (a.opcode != b.opcode || a.simm16 != b.simm16 || before_.modifiers(a) != after_.modifiers(b) ||
        a.memory != b.memory || a.def_count != b.def_count || a.use_count != b.use_count) {
      return report(id, inst, "an original instruction changed");
    }
    check_operands(id, inst, before_.defs(inst), after_.defs(inst));
    check_operands(id, inst, before_.uses(inst), after_.uses(inst));
    check_distinct(id, inst);
    check_second_pass(id, inst);
    for (const Operand& use : after_.uses(inst)) {
      if (use.is_vreg() && use.tied && use.reg != after_.defs(inst)[0].reg)
        report(id, inst, "a tied operand is elsewhere");
    }
  }

  void check_second_pass(BlockId id, InstId inst) {
    const auto defs = after_.defs(inst), uses = after_.uses(inst);
    for (size_t i = 0; i < uses.size(); ++i) {
      if (!mir::second_pass_reads(after_, inst, i)) continue;
      for (const Operand& def : defs) {
        const bool overlap =
            def.reg.valid() && def.reg < uses[i].reg.offset(uses[i].dwords) && uses[i].reg < def.reg.offset(def.dwords);
        if (overlap) report(id, inst, "a scalar is overwritten that the second pass of the instruction reads");
      }
    }
  }

  void check_operands(BlockId id, InstId inst, std::span<const Operand> old_list, std::span<const Operand> new_list) {
    for (size_t i = 0; i < old_list.size(); ++i) {
      const Operand& a = old_list[i];
      const Operand& b = new_list[i];
      if (a.kind != b.kind || a.dwords != b.dwords || a.tied != b.tied) return report(id, inst, "an operand changed");
      if (a.kind == Operand::Kind::vreg) {
        if (a.reg.valid() && a.reg != b.reg) report(id, inst, "a required register is ignored");
        check_register(id, inst, before_.vregs[a.vreg()].cls, b);
      } else if (a.kind == Operand::Kind::block) {
        if (a.value != b.value && !(is_new(b.block()) && after_.blocks[b.block()].linear_succs[0] == a.block())) {
          report(id, inst, "a branch target changed");
        }
      } else if (a.value != b.value || a.reg != b.reg) {
        report(id, inst, "an operand changed");
      }
    }
  }

  /// Results do not share registers.
  void check_distinct(BlockId id, InstId inst) {
    const auto defs = after_.defs(inst);
    for (size_t i = 0; i < defs.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (defs[i].reg < defs[j].reg.offset(defs[j].dwords) && defs[j].reg < defs[i].reg.offset(defs[i].dwords)) {
          report(id, inst, "two results share a register");
        }
      }
    }
  }

  void check_register(BlockId id, InstId inst, RegClass cls, const Operand& operand) {
    if (!operand.reg.valid()) return report(id, inst, "an operand has no register");
    const isa::Reg first = operand.reg, last = first.offset(cls.dwords - 1);
    if (cls.is_vgpr()) {
      if (!first.is_vgpr() || !last.is_vgpr() || last.vgpr_index() >= after_.facts.vgpr_count)
        report(id, inst, "a VGPR is outside the file");
      return;
    }
    if (cls.dwords == 2 ? first.number % 2 != 0 : cls.dwords > 2 && first.number % 4 != 0)
      report(id, inst, "an SGPR tuple is misaligned");
    const bool sgprs = last.is_sgpr() && last.number < after_.facts.sgpr_count;
    const bool vcc = first.is_vcc() && last.is_vcc() && after_.facts.uses_vcc;
    if (!sgprs && !vcc) report(id, inst, "an SGPR is outside the file");
  }

  // ---- what was added ----

  void check_new_inst(BlockId id, InstId inst) {
    const mir::Inst& added = after_.insts[inst];
    for (const Operand& def : after_.defs(inst)) {
      if (!def.is_vreg()) return report(id, inst, "added code writes a special register");
      check_register(id, inst, after_.vregs[def.vreg()].cls, def);
      if (is_reserved(def)) report(id, inst, "added code writes a reserved register");
    }
    check_distinct(id, inst);
    switch (added.opcode) {
      case Opcode::p_parallel_copy:
        return;
      case Opcode::p_linear_vgpr:
        return;
      case Opcode::p_spill_vgpr:
        return check_slot(id, inst, after_.uses(inst)[0].dwords);
      case Opcode::p_reload_vgpr:
        return check_slot(id, inst, after_.defs(inst)[0].dwords);
      case Opcode::p_spill_sgpr:
        return check_lanes(id, inst, after_.uses(inst)[0].dwords);
      case Opcode::p_reload_sgpr:
        return check_lanes(id, inst, after_.defs(inst)[0].dwords);
      case Opcode::p_spill_sgpr_scratch:
        return check_row(id, inst, after_.uses(inst)[0].dwords);
      case Opcode::p_reload_sgpr_scratch:
        return check_row(id, inst, after_.defs(inst)[0].dwords);
      default:
        break;
    }
    const bool undefined = added.opcode == Opcode::p_copy && after_.uses(inst)[0].kind == Operand::Kind::undef;
    if (!undefined && !is_constant_load(after_, inst)) report(id, inst, "added code does more than move values");
  }

  bool is_reserved(const Operand& def) const {
    const auto meets = [&def](isa::Reg first, unsigned count) {
      return first.valid() && def.reg < first.offset(static_cast<int>(count)) && first < def.reg.offset(def.dwords);
    };
    return meets(after_.scratch_descriptor, 4) || meets(after_.jump_pair, 2);
  }

  void check_slot(BlockId id, InstId inst, unsigned dwords) {
    check_scratch(id, inst, after_.insts[inst].simm16, dwords, Owner::vgprs);
  }

  /// Lanes of one dword of scratch.
  void check_row(BlockId id, InstId inst, unsigned dwords) {
    check_lanes(id, inst, dwords);
    check_scratch(id, inst, after_.uses(inst).back().value, 1, Owner::sgprs);
  }

  /// A dword of scratch serves one file: lanes and rows of lanes would destroy each other.
  void check_scratch(BlockId id, InstId inst, int64_t slot, unsigned dwords, Owner owner) {
    const int64_t first = (before_.facts.scratch_bytes + 3) / 4;
    if (slot < first || (slot + dwords) * 4 > after_.facts.scratch_bytes)
      return report(id, inst, "a spill slot is outside scratch");
    owners_.resize(after_.facts.scratch_bytes / 4, Owner::nobody);
    for (unsigned d = 0; d < dwords; ++d) {
      Owner& known = owners_[static_cast<size_t>(slot) + d];
      if (known != Owner::nobody && known != owner) report(id, inst, "VGPRs and SGPRs share a spill slot");
      known = owner;
    }
    if (id == after_.layout[0] && in_prolog_) report(id, inst, "scratch is accessed before its descriptor is there");
  }

  bool makes_descriptor(InstId inst) const {
    const auto defs = before_.defs(inst);
    return std::any_of(defs.begin(), defs.end(), [this](const Operand& def) { return is_reserved(def); });
  }

  void check_lanes(BlockId id, InstId inst, unsigned dwords) {
    const int32_t lane = after_.insts[inst].simm16;
    if (lane < 0 || static_cast<unsigned>(lane) + dwords > after_.wave_size)
      report(id, inst, "a spill lane is outside the wave");
  }

  const Function& before_;
  const Function& after_;
  std::vector<Owner> owners_;  ///< by dword of scratch
  bool in_prolog_ = false;     ///< in the entry block, where the scratch descriptor is not complete
  CheckFinding finding_;
};

}  // namespace

CheckFinding check_shape(const Function& before, const Function& after) {
  return ShapeChecker(before, after).run();
}

}  // namespace spalt::regalloc
