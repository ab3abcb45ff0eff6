// SPDX-License-Identifier: MIT
#include "amdgpu/opt/drop_mask_flips.h"

#include <algorithm>

namespace spalt::opt {
namespace {

using mir::BlockId;
using mir::InstId;
using mir::Opcode;
using mir::Operand;

/// Blocks that one search enters; sides without instructions are short.
constexpr unsigned kMaxBlocks = 4;

struct Place {
  BlockId block;
  size_t index = 0;
};

class FlipDropper {
 public:
  explicit FlipDropper(mir::Function& function) : function_(function), wave64_(function.wave_size == 64) {}

  void run() {
    for (BlockId block : function_.layout) {
      auto& insts = function_.blocks[block].insts;
      for (size_t i = 0; i < insts.size(); ++i) {
        if (inverse_save(opcode(insts[i])) != Opcode::invalid) {
          swap_sides({block, i});
        } else if (is_flip(insts[i]) && joins_next({block, i})) {
          insts.erase(insts.begin() + static_cast<long>(i));
          --i;
        }
      }
    }
  }

 private:
  Opcode opcode(InstId inst) const { return function_.insts[inst].opcode; }

  static Opcode inverse_save(Opcode opcode) {
    switch (opcode) {
      case Opcode::s_and_saveexec_b32:
        return Opcode::s_andn1_saveexec_b32;
      case Opcode::s_and_saveexec_b64:
        return Opcode::s_andn1_saveexec_b64;
      case Opcode::s_andn1_saveexec_b32:
        return Opcode::s_and_saveexec_b32;
      case Opcode::s_andn1_saveexec_b64:
        return Opcode::s_and_saveexec_b64;
      default:
        return Opcode::invalid;
    }
  }

  bool writes_exec(InstId inst, Opcode wanted) const {
    return opcode(inst) == wanted && function_.defs(inst)[0].is_reg(isa::kExec);
  }
  /// exec = s_andn2 m, exec
  bool is_flip(InstId inst) const {
    if (!writes_exec(inst, wave64_ ? Opcode::s_andn2_b64 : Opcode::s_andn2_b32)) return false;
    return function_.uses(inst)[1].is_reg(isa::kExec) && function_.uses(inst)[0].reg.valid();
  }
  /// exec = s_or exec, mask
  bool is_join(InstId inst, isa::Reg mask) const {
    if (!writes_exec(inst, wave64_ ? Opcode::s_or_b64 : Opcode::s_or_b32)) return false;
    return function_.uses(inst)[0].is_reg(isa::kExec) && function_.uses(inst)[1].reg == mask;
  }

  bool overlaps(const Operand& operand, isa::Reg mask) const {
    if (!operand.reg.valid()) return false;
    return operand.reg < mask.offset(wave64_ ? 2 : 1) && mask < operand.reg.offset(operand.dwords);
  }
  bool touches_exec(const Operand& operand) const {
    return operand.is_reg(isa::kExec) || operand.is_reg(isa::kExecHi) || operand.is_reg(isa::kExecz);
  }

  /// Neither reads nor writes exec, writes neither the mask nor reads an scc from before the search.
  bool is_indifferent(InstId inst, isa::Reg mask) const {
    const Opcode op = opcode(inst);
    if (op == Opcode::p_logical_start || op == Opcode::p_logical_end) return true;
    if (mir::is_pseudo(op) || !mir::has_flag(op, isa::kSalu)) return false;
    if (mir::has_flag(op, isa::kReadsExec | isa::kWritesExec | isa::kSideEffects | isa::kReadsScc)) return false;
    for (const Operand& def : function_.defs(inst)) {
      if (touches_exec(def) || overlaps(def, mask)) return false;
    }
    const auto uses = function_.uses(inst);
    return std::none_of(uses.begin(), uses.end(), [this](const Operand& use) { return touches_exec(use); });
  }

  /// From behind `from`, over indifferent instructions and jumps to blocks without other predecessors, to the first
  /// instruction that is none; an invalid block if there is no such way.
  Place follow(Place from, isa::Reg mask, bool may_join) const {
    ++from.index;
    for (unsigned blocks = 0; blocks < kMaxBlocks;) {
      const auto& insts = function_.blocks[from.block].insts;
      if (from.index >= insts.size()) return {};
      const InstId inst = insts[from.index];
      if (opcode(inst) == Opcode::p_jump) {
        from = {function_.uses(inst)[0].block(), 0};
        if (!may_join && function_.blocks[from.block].linear_preds.size() != 1) return {};
        ++blocks;
      } else if (is_indifferent(inst, mask)) {
        ++from.index;
      } else {
        return from;
      }
    }
    return {};
  }

  /// The side that is walked first has nothing to do: the other one goes first, and without a second change of exec.
  void swap_sides(Place save) {
    const InstId inst = function_.blocks[save.block].insts[save.index];
    const isa::Reg mask = function_.defs(inst)[0].reg;
    const Place end = follow(save, mask, false);
    if (!end.block.valid()) return;
    auto& insts = function_.blocks[end.block].insts;
    const InstId flip = insts[end.index];
    if (!is_flip(flip) || function_.uses(flip)[0].reg != mask) return;
    function_.insts[inst].opcode = inverse_save(opcode(inst));
    insts.erase(insts.begin() + static_cast<long>(end.index));
  }

  /// The side behind this flip has nothing to do before all lanes of the mask run.
  bool joins_next(Place flip) const {
    const isa::Reg mask = function_.uses(function_.blocks[flip.block].insts[flip.index])[0].reg;
    const Place end = follow(flip, mask, true);
    return end.block.valid() && is_join(function_.blocks[end.block].insts[end.index], mask);
  }

  mir::Function& function_;
  const bool wave64_;
};

}  // namespace

void drop_mask_flips(mir::Function& function) {
  FlipDropper(function).run();
}

}  // namespace spalt::opt
