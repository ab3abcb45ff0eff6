// SPDX-License-Identifier: MIT
#include "amdgpu/opt/simplify_exec.h"

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

class ExecSimplifier {
 public:
  explicit ExecSimplifier(mir::Function& function) : function_(function), wave64_(function.wave_size == 64) {}

  void run() {
    if (!changes_exec()) return;
    for (BlockId block : function_.layout) drop_flips(block);
    for (BlockId block : function_.layout) {
      auto& insts = function_.blocks[block].insts;
      for (size_t i = 0; i < insts.size(); ++i) {
        if (!only_writes_exec(insts[i])) continue;
        if (move_result({block, i})) continue;
        if (!is_overwritten({block, i})) continue;
        insts.erase(insts.begin() + static_cast<long>(i));
        --i;
      }
    }
  }

 private:
  /// Whether any instruction does; straight code and uniform branches have none.
  bool changes_exec() const {
    for (BlockId block : function_.layout) {
      for (InstId inst : function_.blocks[block].insts) {
        for (const Operand& def : function_.defs(inst)) {
          if (def.is_reg(isa::kExec)) return true;
        }
      }
    }
    return false;
  }

  void drop_flips(BlockId block) {
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

  /// Neither reads nor writes exec, nor reads an scc from before the search, nor writes the mask, nor reads it where
  /// that matters.
  bool is_indifferent(InstId inst, isa::Reg mask, bool may_read) const {
    const Opcode op = opcode(inst);
    if (op == Opcode::p_logical_start || op == Opcode::p_logical_end) return true;
    if (mir::is_pseudo(op) || !mir::has_flag(op, isa::kSalu)) return false;
    if (mir::has_flag(op, isa::kReadsExec | isa::kWritesExec | isa::kSideEffects | isa::kReadsScc)) return false;
    for (const Operand& def : function_.defs(inst)) {
      if (touches_exec(def) || overlaps(def, mask)) return false;
    }
    const auto uses = function_.uses(inst);
    return std::none_of(uses.begin(), uses.end(),
                        [&](const Operand& use) { return touches_exec(use) || (!may_read && overlaps(use, mask)); });
  }

  /// From after `from`, over indifferent instructions and jumps to blocks without other predecessors, to the first
  /// instruction that is none; an invalid block if there is no such way.
  Place follow(Place from, isa::Reg mask, bool may_join, bool may_read = true) const {
    ++from.index;
    for (unsigned blocks = 0; blocks < kMaxBlocks;) {
      const auto& insts = function_.blocks[from.block].insts;
      if (from.index >= insts.size()) return {};
      const InstId inst = insts[from.index];
      if (opcode(inst) == Opcode::p_jump) {
        from = {function_.uses(inst)[0].block(), 0};
        if (!may_join && function_.blocks[from.block].linear_preds.size() != 1) return {};
        ++blocks;
      } else if (is_indifferent(inst, mask, may_read)) {
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

  /// The side after this flip has nothing to do before all lanes of the mask run.
  bool joins_next(Place flip) const {
    const isa::Reg mask = function_.uses(function_.blocks[flip.block].insts[flip.index])[0].reg;
    const Place end = follow(flip, mask, true);
    return end.block.valid() && is_join(function_.blocks[end.block].insts[end.index], mask);
  }

  // ---- moves ----

  /// A scalar operation with the result exec, and scc, which nobody reads, perhaps.
  bool only_writes_exec(InstId inst) const {
    if (mir::is_pseudo(opcode(inst)) || !mir::has_flag(opcode(inst), isa::kSalu)) return false;
    const auto defs = function_.defs(inst);
    if (defs.empty() || !defs[0].is_reg(isa::kExec) || defs[0].dwords != mask_dwords()) return false;
    return defs.size() == 1 || (defs.size() == 2 && defs[1].is_reg(isa::kScc));
  }
  bool is_mask_move(InstId inst) const {
    return opcode(inst) == (wave64_ ? Opcode::s_mov_b64 : Opcode::s_mov_b32) && !function_.defs(inst).empty();
  }
  unsigned mask_dwords() const { return wave64_ ? 2 : 1; }

  /// The next instruction that has to do with exec sets it to something else, or ends the program.
  bool is_overwritten(Place write) const {
    const Place end = follow(write, isa::kNoReg, true);
    if (!end.block.valid()) return false;
    const InstId next = function_.blocks[end.block].insts[end.index];
    if (opcode(next) == Opcode::s_endpgm) return true;
    return is_mask_move(next) && function_.defs(next)[0].is_reg(isa::kExec) &&
           !function_.uses(next)[0].is_reg(isa::kExec);
  }

  /// A copy of exec whose original is overwritten next: the result goes to the copy at once. Returns whether it did.
  bool move_result(Place write) {
    const InstId inst = function_.blocks[write.block].insts[write.index];
    const Place copy = follow(write, isa::kNoReg, false);
    if (!copy.block.valid()) return false;
    auto& insts = function_.blocks[copy.block].insts;
    const InstId move = insts[copy.index];
    if (!is_mask_move(move) || !function_.uses(move)[0].is_reg(isa::kExec)) return false;
    const Operand to = function_.defs(move)[0];
    if (!to.reg.is_sgpr() || !is_overwritten(copy)) return false;
    // The register gets its new value earlier: nothing in between may know it.
    const Place same = follow(write, to.reg, false, false);
    if (same.block != copy.block || same.index != copy.index) return false;
    insts.erase(insts.begin() + static_cast<long>(copy.index));
    if (is_mask_move(inst) && function_.uses(inst)[0].reg == to.reg) return false;  // back to where it came from
    function_.defs(inst)[0] = to;
    return true;
  }

  mir::Function& function_;
  const bool wave64_;
};

}  // namespace

void simplify_exec(mir::Function& function, CompileContext& context) {
  const ArenaScope scope(context.scratch);
  ExecSimplifier(function).run();
}

}  // namespace spalt::opt
