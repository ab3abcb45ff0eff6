// SPDX-License-Identifier: MIT
#include "amdgpu/expand/expand.h"

#include "base/ice.h"

namespace spalt::expand {
namespace {

using mir::InstId;
using mir::Opcode;
using mir::Operand;

class Expander {
 public:
  explicit Expander(mir::Function& function) : function_(function) {}

  void run() {
    for (mir::BlockId id : function_.layout) {
      std::vector<InstId> old;
      old.swap(function_.blocks[id].insts);
      out_.clear();
      for (InstId inst : old) expand(inst);
      function_.blocks[id].insts = out_;
    }
  }

 private:
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
        return expand_vgpr_spill(id, Opcode::buffer_store_dword);
      case Opcode::p_reload_vgpr:
        return expand_vgpr_spill(id, Opcode::buffer_load_dword);
      case Opcode::p_spill_sgpr:
        return expand_sgpr_spill(id);
      case Opcode::p_reload_sgpr:
        return expand_sgpr_reload(id);
      default:
        out_.push_back(id);
        return;
    }
  }

  static Operand part(const Operand& operand, unsigned dword) {
    if (operand.kind == Operand::Kind::undef) return Operand::undefined(1);
    if (operand.is_imm()) {
      // A wide immediate is sign extended, like an inline constant of a 64-bit operand.
      const uint32_t high = (operand.value & 0x80000000u) != 0 ? 0xffffffffu : 0;
      return Operand::immediate(dword == 0 ? operand.value : high);
    }
    SPALT_ASSERT(operand.reg.valid());
    return Operand::physical(operand.reg.offset(static_cast<int>(dword)));
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

  /// Scratch of one lane is swizzled by its descriptor; a slot is the byte offset slot * 4. What does not fit the
  /// immediate offset goes through m0 as the scalar offset.
  void expand_vgpr_spill(InstId id, Opcode opcode) {
    const bool store = opcode == Opcode::buffer_store_dword;
    const Operand value = store ? function_.uses(id)[0] : function_.defs(id)[0];
    const int32_t base = function_.insts[id].simm16 * 4;
    const int32_t limit = function_.target.mubuf_offset_max;
    for (unsigned i = 0; i < value.dwords; ++i) {
      const int32_t offset = base + static_cast<int32_t>(i) * 4;
      Operand scalar_offset = Operand::immediate(0);
      int32_t immediate = offset;
      if (offset > limit) {
        immediate = offset & 0xfff & limit;
        const Operand m0 = Operand::physical(isa::kM0);
        // The scalar offset is not swizzled: the same dword of all lanes lies side by side.
        const Operand high = Operand::immediate(static_cast<uint32_t>(offset - immediate) * function_.wave_size);
        out_.push_back(
            function_.create(Opcode::s_mov_b32, std::span<const Operand>(&m0, 1), std::span<const Operand>(&high, 1)));
        scalar_offset = m0;
      }
      emit_scratch_access(opcode, store, part(value, i), scalar_offset, immediate);
    }
  }

  void emit_scratch_access(Opcode opcode, bool store, Operand value, Operand scalar_offset, int32_t immediate) {
    SPALT_ASSERT(function_.scratch_descriptor.valid());
    const Operand descriptor = Operand::physical(function_.scratch_descriptor, 4);
    const Operand address;  // off: neither index nor offset
    const Operand operands[] = {value, address, descriptor, scalar_offset};
    const auto uses = std::span<const Operand>(operands).subspan(store ? 0 : 1);
    const auto defs = std::span<const Operand>(operands).first(store ? 0 : 1);
    const InstId id = function_.create(opcode, defs, uses);
    mir::Inst& inst = function_.insts[id];
    inst.mods.offset = immediate;
    inst.memory = store ? mir::kWritesScratch : mir::kReadsScratch;
    out_.push_back(id);
  }

  void expand_sgpr_spill(InstId id) {
    const Operand value = function_.uses(id)[0], home = function_.uses(id)[1];
    for (unsigned i = 0; i < value.dwords; ++i) {
      const Operand def = Operand::physical(home.reg);
      const Operand uses[] = {part(value, i),
                              Operand::immediate(static_cast<uint32_t>(function_.insts[id].simm16) + i)};
      out_.push_back(function_.create(Opcode::v_writelane_b32, std::span<const Operand>(&def, 1), uses));
    }
  }

  void expand_sgpr_reload(InstId id) {
    const Operand value = function_.defs(id)[0], home = function_.uses(id)[0];
    for (unsigned i = 0; i < value.dwords; ++i) {
      const Operand def = Operand::physical(value.reg.offset(static_cast<int>(i)));
      const Operand uses[] = {Operand::physical(home.reg),
                              Operand::immediate(static_cast<uint32_t>(function_.insts[id].simm16) + i)};
      out_.push_back(function_.create(Opcode::v_readlane_b32, std::span<const Operand>(&def, 1), uses));
    }
  }

  mir::Function& function_;
  std::vector<InstId> out_;
  std::vector<Move> vector_moves_, scalar_moves_;
};

}  // namespace

void expand_pseudos(mir::Function& function) {
  Expander(function).run();
}

}  // namespace spalt::expand
