// SPDX-License-Identifier: MIT
#include "amdgpu/expand/expand.h"

#include <algorithm>

#include "amdgpu/expand/part.h"
#include "base/ice.h"

namespace spalt::expand {
namespace {

using mir::InstId;
using mir::Opcode;
using mir::Operand;

class Expander {
 public:
  Expander(mir::Function& function, Arena& scratch) : function_(function), scratch_(scratch) {}

  void run() {
    for (mir::BlockId id : function_.layout) {
      mir::InstList& insts = function_.blocks[id].insts;
      if (std::none_of(insts.begin(), insts.end(), [this](InstId inst) { return is_expanded(inst); })) continue;
      out_.clear();
      for (InstId inst : insts) expand(inst);
      insts.assign(out_);
    }
  }

 private:
  /// Pseudo operations that this pass replaces; markers and jumps stay.
  bool is_expanded(InstId id) const {
    switch (function_.insts[id].opcode) {
      case Opcode::p_linear_vgpr:
      case Opcode::p_phi:
      case Opcode::p_copy:
      case Opcode::p_parallel_copy:
      case Opcode::p_vec:
      case Opcode::p_split:
      case Opcode::p_extract:
      case Opcode::p_spill_vgpr:
      case Opcode::p_reload_vgpr:
      case Opcode::p_spill_sgpr:
      case Opcode::p_reload_sgpr:
      case Opcode::p_spill_sgpr_scratch:
      case Opcode::p_reload_sgpr_scratch:
        return true;
      default:
        return false;
    }
  }

  void expand(InstId id) {
    switch (function_.insts[id].opcode) {
      case Opcode::p_linear_vgpr:
      case Opcode::p_phi:
        return;
      case Opcode::p_copy:
      case Opcode::p_parallel_copy:
        return expand_copies(id);
      case Opcode::p_vec:
        return expand_vec(id);
      case Opcode::p_split:
        return expand_split(id);
      case Opcode::p_extract:
        return expand_extract(id);
      case Opcode::p_spill_vgpr:
      case Opcode::p_reload_vgpr:
      case Opcode::p_spill_sgpr:
      case Opcode::p_reload_sgpr:
      case Opcode::p_spill_sgpr_scratch:
      case Opcode::p_reload_sgpr_scratch:
        return expand_spill(function_, id, out_);
      default:
        out_.push_back(id);
        return;
    }
  }

  void add_moves(const Operand& to, unsigned to_dword, const Operand& from, unsigned from_dword, unsigned dwords) {
    for (unsigned i = 0; i < dwords; ++i) {
      const Move move{to.reg.offset(static_cast<int>(to_dword + i)), part(from, from_dword + i)};
      (move.to.is_vgpr() ? vector_moves_ : scalar_moves_).push_back(move);
    }
  }

  /// Vector moves first: they may read the SGPRs that the scalar moves overwrite, never the other way round.
  void flush_moves() {
    sequentialize(function_, vector_moves_, out_);
    sequentialize(function_, scalar_moves_, out_);
    vector_moves_.clear();
    scalar_moves_.clear();
  }

  void expand_copies(InstId id) {
    const auto defs = function_.defs(id);
    const auto uses = function_.uses(id);
    for (size_t i = 0; i < defs.size(); ++i) {
      if (uses[i].is_vreg() && function_.vregs[uses[i].vreg()].cls == mir::linear_vgpr_class() &&
          defs[i].reg != uses[i].reg) {
        SPALT_ICE("a linear VGPR cannot be copied");
      }
      add_moves(defs[i], 0, uses[i], 0, defs[i].dwords);
    }
    flush_moves();
  }

  void expand_vec(InstId id) {
    const Operand def = function_.defs(id)[0];
    unsigned at = 0;
    for (const Operand& use : function_.uses(id)) {
      add_moves(def, at, use, 0, use.dwords);
      at += use.dwords;
    }
    flush_moves();
  }

  void expand_split(InstId id) {
    const Operand use = function_.uses(id)[0];
    unsigned at = 0;
    for (const Operand& def : function_.defs(id)) {
      if (def.reg.valid()) add_moves(def, 0, use, at, def.dwords);
      at += def.dwords;
    }
    flush_moves();
  }

  void expand_extract(InstId id) {
    const Operand def = function_.defs(id)[0];
    add_moves(def, 0, function_.uses(id)[0], function_.uses(id)[1].value, def.dwords);
    flush_moves();
  }

  mir::Function& function_;
  Arena& scratch_;
  mir::InstList out_{scratch_};
  Vector<Move> vector_moves_{scratch_}, scalar_moves_{scratch_};
};

}  // namespace

void expand_pseudos(mir::Function& function, CompileContext& context) {
  const ArenaScope scope(context.scratch);
  Expander(function, context.scratch).run();
}

}  // namespace spalt::expand
