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
      seen_ = 0;
      in_m0_ = isa::Reg();
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
      case Opcode::p_interpolate_i:
      case Opcode::p_interpolate_j:
      case Opcode::p_parameter:
      case Opcode::p_load_parameter:
      case Opcode::p_scan_reduce:
      case Opcode::p_scan_inclusive:
      case Opcode::p_scan_exclusive:
      case Opcode::p_scan_cluster:
        return true;
      default:
        return false;
    }
  }

  void expand(InstId id) {
    function_.set_origin(function_.insts[id].origin);
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
      case Opcode::p_interpolate_i:
        return expand_parameter(id, Opcode::v_interp_p1_f32);
      case Opcode::p_interpolate_j:
        return expand_parameter(id, Opcode::v_interp_p2_f32);
      case Opcode::p_parameter:
        return expand_parameter(id, Opcode::v_interp_mov_f32);
      case Opcode::p_load_parameter:
        return expand_parameter(id, Opcode::lds_param_load);
      case Opcode::p_scan_reduce:
      case Opcode::p_scan_inclusive:
      case Opcode::p_scan_exclusive:
      case Opcode::p_scan_cluster:
        return expand_scan(function_, id, out_);
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
      if (uses[i].is_vreg() && uses[i].cls() == mir::linear_vgpr_class() && defs[i].reg != uses[i].reg) {
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

  /// What says which primitives the lanes belong to goes to m0, unless it is there.
  void expand_parameter(InstId id, Opcode opcode) {
    constexpr uint32_t kVertices[] = {2, 0, 1};  // P0, P10, P20
    const auto uses = function_.uses(id);
    const Operand m0 = Operand::physical(isa::kM0);
    const Operand mask = Operand::physical(uses[0].reg);
    if (!holds_mask(mask.reg)) {
      const InstId move = function_.create(Opcode::s_mov_b32, {&m0, 1}, {&mask, 1});
      out_.push_back(move);
    }
    SmallVector<Operand, 4> sources;
    const int32_t which = function_.insts[id].simm16 & 0xff;
    if (opcode == Opcode::v_interp_mov_f32) {
      sources.push_back(Operand::immediate(kVertices[function_.insts[id].simm16 >> 8]));
    }
    if (uses.size() > 1) sources.push_back(function_.uses(id)[1]);
    sources.push_back(m0);
    if (uses.size() > 2) sources.push_back(function_.uses(id)[2]);
    const Operand def = function_.defs(id)[0];
    const InstId inst = function_.create(opcode, {&def, 1}, sources.span());
    isa::Modifiers mods;
    mods.interp_attribute = static_cast<uint8_t>(which / 4);
    mods.interp_channel = static_cast<uint8_t>(which % 4);
    function_.set_modifiers(function_.insts[inst], mods);
    out_.push_back(inst);
  }

  /// Whether an instruction of this block has put the register into m0, and neither has been written since. Each
  /// instruction is looked at once.
  bool holds_mask(isa::Reg mask) {
    for (; seen_ < out_.size(); ++seen_) {
      const mir::Inst& inst = function_.insts[out_[seen_]];
      for (const Operand& def : function_.defs(out_[seen_])) {
        if (def.is_reg(isa::kM0)) {
          const Operand* from = inst.opcode == Opcode::s_mov_b32 ? &function_.uses(out_[seen_])[0] : nullptr;
          in_m0_ = from != nullptr && from->kind == Operand::Kind::reg ? from->reg : isa::Reg();
        } else if (def.reg.valid() && in_m0_.valid() && !(in_m0_ < def.reg) &&
                   in_m0_ < def.reg.offset(static_cast<int>(def.dwords))) {
          in_m0_ = isa::Reg();
        }
      }
    }
    return in_m0_.valid() && in_m0_ == mask;
  }

  mir::Function& function_;
  Arena& scratch_;
  mir::InstList out_{scratch_};
  size_t seen_ = 0;  ///< instructions of out_ that in_m0_ knows
  isa::Reg in_m0_;   ///< what m0 is a copy of; none where that is not known
  Vector<Move> vector_moves_{scratch_}, scalar_moves_{scratch_};
};

}  // namespace

void expand_pseudos(mir::Function& function, CompileContext& context) {
  const ArenaScope scope(context.scratch);
  Expander(function, context.scratch).run();
}

}  // namespace spalt::expand
