// SPDX-License-Identifier: MIT
#include "amdgpu/opt/reuse_moves.h"

#include <array>

#include "amdgpu/opt/def_use.h"

namespace spalt::opt {
namespace {

using mir::BlockId;
using mir::InstId;
using mir::Opcode;
using mir::Operand;
using mir::VReg;

/// A direct-mapped table: a collision forgets the older move, which costs a move and no time.
constexpr uint32_t kTableBits = 6;
uint32_t table_index(const Operand& from) {
  return (from.value * 0x9e3779b1u) >> (32 - kTableBits);
}

/// A move of a constant or a register, apart from how the result is used.
bool is_plain_move(const mir::Function& function, InstId inst) {
  const Opcode opcode = function.insts[inst].opcode;
  if (opcode != Opcode::v_mov_b32 && opcode != Opcode::s_mov_b32) return false;
  if (function.insts[inst].has_modifiers() || !function.defs(inst)[0].is_vreg()) return false;
  const Operand& from = function.uses(inst)[0];
  return from.is_imm() || (from.is_vreg() && !from.reg.valid());
}

/// Whether two moves of one block meet in the table; where none do, nothing is shared.
bool may_share(const mir::Function& function) {
  static_assert(kTableBits == 6);
  for (BlockId block : function.layout) {
    uint64_t taken = 0;
    for (InstId inst : function.blocks[block].insts) {
      if (!is_plain_move(function, inst)) continue;
      const uint64_t entry = uint64_t{1} << table_index(function.uses(inst)[0]);
      if ((taken & entry) != 0) return true;
      taken |= entry;
    }
  }
  return false;
}

class MoveReuser {
 public:
  MoveReuser(mir::Function& function, Arena& scratch)
      : function_(function), def_use_(function, scratch), renamed_(scratch, function.vregs.size()) {}

  void run() {
    for (BlockId block : function_.layout) {
      table_.fill(Entry());
      uint32_t position = 0;
      erase_if(function_.blocks[block].insts, [&](InstId inst) { return shares(inst, ++position); });
    }
    if (any_) rename();
  }

 private:
  struct Entry {
    VReg vreg;  ///< none: empty
    Operand::Kind kind = Operand::Kind::none;
    uint32_t value = 0, position = 0;
    Opcode opcode = Opcode::invalid;
  };

  bool is_candidate(InstId inst) const {
    return is_plain_move(function_, inst) && !def_use_[function_.defs(inst)[0].vreg()].wants_own_register;
  }

  /// Whether an earlier move has the value already; then the uses of this one are to be renamed.
  bool shares(InstId inst, uint32_t position) {
    if (!is_candidate(inst)) return false;
    const VReg to = function_.defs(inst)[0].vreg();
    const Operand from = function_.uses(inst)[0];
    const Opcode opcode = function_.insts[inst].opcode;
    Entry& entry = table_[table_index(from)];
    const bool found = entry.vreg.valid() && entry.kind == from.kind && entry.value == from.value &&
                       entry.opcode == opcode && position - entry.position <= kReuseWindow;
    if (!found) {
      entry = {to, from.kind, from.value, position, opcode};
      return false;
    }
    renamed_[to.index] = entry.vreg;
    any_ = true;
    return true;
  }

  void rename() {
    for (BlockId block : function_.layout) {
      for (InstId inst : function_.blocks[block].insts) {
        for (Operand& use : function_.uses(inst)) {
          if (use.is_vreg() && renamed_[use.value].valid()) use.value = renamed_[use.value].index;
        }
      }
    }
  }

  mir::Function& function_;
  DefUse def_use_;
  std::array<Entry, 1u << kTableBits> table_;
  Vector<VReg> renamed_;  ///< by vreg; the register that holds its value, itself never renamed
  bool any_ = false;
};

}  // namespace

void reuse_moves(mir::Function& function, CompileContext& context) {
  const ArenaScope scope(context.scratch);
  if (may_share(function)) MoveReuser(function, context.scratch).run();
}

}  // namespace spalt::opt
