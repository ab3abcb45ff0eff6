// SPDX-License-Identifier: MIT
#include "amdgpu/opt/reuse_moves.h"

#include <algorithm>
#include <array>

#include "amdgpu/opt/def_use.h"

namespace spalt::opt {
namespace {

using mir::BlockId;
using mir::InstId;
using mir::Opcode;
using mir::Operand;
using mir::VReg;

/// A direct-mapped table: a collision forgets the older instruction, which costs a move and no time.
constexpr uint32_t kTableBits = 6;

/// A move of a constant or a register, apart from how the result is used.
bool is_plain_move(const mir::Function& function, InstId inst) {
  if (function.insts[inst].has_modifiers() || !function.defs(inst)[0].is_vreg()) return false;
  const Operand& from = function.uses(inst)[0];
  return from.is_imm() || (from.is_vreg() && !from.reg.valid());
}

/// A VGPR tuple made of parts that are where they happen to be.
bool is_plain_tuple(const mir::Function& function, InstId inst) {
  const Operand& to = function.defs(inst)[0];
  if (!to.is_vreg() || to.reg.valid() || to.cls().file != mir::RegFile::vgpr) return false;
  const auto uses = function.uses(inst);
  return std::none_of(uses.begin(), uses.end(), [](const Operand& part) { return part.reg.valid(); });
}

/// A constant and a register.
bool is_plain_address(const mir::Function& function, InstId inst) {
  if (function.insts[inst].has_modifiers() || !function.defs(inst)[0].is_vreg()) return false;
  const auto uses = function.uses(inst);
  return uses[0].is_imm() && uses[1].is_vreg() && !uses[1].reg.valid();
}

/// The running lanes of a condition, which each word of a ballot makes.
bool is_plain_mask(const mir::Function& function, InstId inst) {
  if (!function.defs(inst)[0].is_vreg()) return false;
  const auto uses = function.uses(inst);
  return uses[0].is_vreg() && !uses[0].reg.valid() && uses[1].is_reg(isa::kExec);
}

bool is_plain(const mir::Function& function, InstId inst) {
  switch (function.insts[inst].opcode) {
    case Opcode::v_mov_b32:
    case Opcode::s_mov_b32:
      return is_plain_move(function, inst);
    case Opcode::p_vec:
      return is_plain_tuple(function, inst);
    case Opcode::v_lshlrev_b32:  // the address in bytes of a lane or an element, which each access that wants one makes
    case Opcode::v_add_nc_u32:   // an address and what the offset of an instruction is too small for, likewise
      return is_plain_address(function, inst);
    case Opcode::s_and_b64:
      return is_plain_mask(function, inst);
    default:
      return false;
  }
}

uint32_t table_index(std::span<const Operand> uses, auto value_of) {
  uint32_t hash = 0;
  for (const Operand& use : uses) hash = (hash ^ value_of(use)) * 0x9e3779b1u;
  return hash >> (32 - kTableBits);
}

/// Whether two such instructions of one block meet in the table; where none do, nothing is shared.
bool may_share(const mir::Function& function) {
  static_assert(kTableBits == 6);
  for (BlockId block : function.layout) {
    uint64_t taken = 0;
    for (InstId inst : function.blocks[block].insts) {
      if (!is_plain(function, inst)) continue;
      const uint64_t entry =
          uint64_t{1} << table_index(function.uses(inst), [](const Operand& use) { return use.value; });
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
    InstId inst;  ///< none: empty
    uint32_t position = 0;
  };

  bool is_candidate(InstId inst) const {
    return is_plain(function_, inst) && !def_use_[function_.defs(inst)[0].vreg()].wants_own_register &&
           def_use_.scc_reads(inst) == 0;
  }

  /// Whether an earlier instruction has the value already; then the uses of this one are to be renamed.
  bool shares(InstId inst, uint32_t position) {
    if (!is_candidate(inst)) return false;
    Entry& entry = table_[table_index(function_.uses(inst), [this](const Operand& use) { return current(use); })];
    const bool found =
        entry.inst.valid() && position - entry.position <= kReuseWindow && have_one_value(entry.inst, inst);
    if (!found) {
      entry = {inst, position};
      return false;
    }
    renamed_[function_.defs(inst)[0].vreg().index] = function_.defs(entry.inst)[0].vreg();
    any_ = true;
    return true;
  }

  /// What it is once all is renamed.
  uint32_t current(const Operand& use) const {
    return use.is_vreg() && renamed_[use.value].valid() ? renamed_[use.value].index : use.value;
  }

  bool have_one_value(InstId a, InstId b) const {
    if (function_.insts[a].opcode != function_.insts[b].opcode) return false;
    const auto x = function_.uses(a), y = function_.uses(b);
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), [this](const Operand& p, const Operand& q) {
      return p.kind == q.kind && p.dwords == q.dwords && current(p) == current(q);
    });
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
