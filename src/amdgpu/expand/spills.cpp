// SPDX-License-Identifier: MIT
//
// Spills and reloads. VGPRs go to the lanes' scratch, SGPRs to lanes of a linear VGPR, or through such a lane to
// scratch. None of them touches scc; offsets that do not fit the immediate go through m0.
#include <initializer_list>

#include "amdgpu/expand/expand.h"
#include "amdgpu/expand/part.h"

namespace spalt::expand {
namespace {

using mir::InstId;
using mir::Opcode;
using mir::Operand;

class SpillExpander {
 public:
  SpillExpander(mir::Function& function, mir::InstList& out) : function_(function), out_(out) {}

  void vgpr(InstId id, bool store) {
    const Operand value = store ? function_.uses(id)[0] : function_.defs(id)[0];
    const int32_t first = function_.insts[id].simm16;
    for (unsigned i = 0; i < value.dwords; ++i) {
      scratch_access(store, part(value, i), scratch_place(first + static_cast<int32_t>(i)));
    }
  }

  void sgpr_lanes(InstId id, bool store) {
    const Operand value = store ? function_.uses(id)[0] : function_.defs(id)[0];
    const Operand lanes = Operand::physical(function_.uses(id).back().reg);
    for (unsigned i = 0; i < value.dwords; ++i) {
      const uint32_t lane = static_cast<uint32_t>(function_.insts[id].simm16) + i;
      store ? write_lane(lanes, part(value, i), lane) : read_lane(part(value, i), lanes, lane);
    }
  }

  /// The values pass through their lanes of the window while exec lets only these lanes reach memory. exec waits in
  /// lanes that are not among them. The first register of the value brings exec back, so no other register is needed.
  void sgpr_scratch(InstId id, bool store) {
    const SmallVector<Operand, 3> uses(std::span<const Operand>(function_.uses(id)));
    const Operand value = store ? uses[0] : function_.defs(id)[0];
    const Operand window = Operand::physical(uses[store ? 1 : 0].reg);
    const Place place = scratch_place(static_cast<int32_t>(uses[store ? 2 : 1].value));
    const auto first = static_cast<uint32_t>(function_.insts[id].simm16);
    const unsigned halves = function_.wave_size / 32;
    const uint32_t saved = first >= halves ? 0 : function_.wave_size - halves;
    SPALT_ASSERT(first >= halves || first + value.dwords <= saved);
    if (store) {
      for (unsigned i = 0; i < value.dwords; ++i) write_lane(window, part(value, i), first + i);
    }
    const uint64_t mask = ((uint64_t{1} << value.dwords) - 1) << first;
    for (unsigned i = 0; i < halves; ++i) write_lane(window, exec_half(i), saved + i);
    for (unsigned i = 0; i < halves; ++i) {
      move(exec_half(i), Operand::immediate(static_cast<uint32_t>(mask >> (32 * i))));
    }
    scratch_access(store, window, place);
    for (unsigned i = 0; i < halves; ++i) {
      read_lane(part(value, 0), window, saved + i);
      move(exec_half(i), part(value, 0));
    }
    // A stored value may be used again.
    for (unsigned i = 0; i < (store ? 1u : value.dwords); ++i) read_lane(part(value, i), window, first + i);
  }

 private:
  /// Where a dword of scratch is: slot n is the byte offset 4 n of the lane. What does not fit the immediate offset
  /// goes through m0 as the scalar part.
  struct Place {
    Operand scalar;  ///< none: no scalar part
    int32_t immediate;
  };

  bool has_descriptor() const { return !function_.target.architected_flat_scratch; }

  Place scratch_place(int32_t dword) {
    const int32_t offset = dword * 4;
    const int32_t limit = has_descriptor() ? function_.target.mubuf_offset_max : function_.target.scratch_offset_max;
    if (offset <= limit) return {Operand(), offset};
    const int32_t immediate = offset & 0xfff & limit;
    const Operand m0 = Operand::physical(isa::kM0);
    // The scalar offset of a buffer is not swizzled: the same dword of all lanes lies side by side.
    const auto scale = has_descriptor() ? function_.wave_size : 1u;
    move(m0, Operand::immediate(static_cast<uint32_t>(offset - immediate) * scale));
    return {m0, immediate};
  }

  void scratch_access(bool store, Operand value, Place place) {
    const InstId id = has_descriptor() ? buffer_access(store, value, place) : flat_access(store, value, place);
    mir::Inst& inst = function_.insts[id];
    function_.set_offset(inst, place.immediate);
    inst.memory = store ? mir::kWritesScratch : mir::kReadsScratch;
    out_.push_back(id);
  }

  InstId buffer_access(bool store, Operand value, Place place) {
    SPALT_ASSERT(function_.scratch_descriptor.valid());
    const Operand descriptor = Operand::physical(function_.scratch_descriptor, 4);
    const Operand address;  // off: neither index nor offset
    const Operand scalar = place.scalar.kind == Operand::Kind::none ? Operand::immediate(0) : place.scalar;
    const Operand operands[] = {value, address, descriptor, scalar};
    const auto uses = std::span<const Operand>(operands).subspan(store ? 0 : 1);
    const auto defs = std::span<const Operand>(operands).first(store ? 0 : 1);
    return function_.create(store ? Opcode::buffer_store_dword : Opcode::buffer_load_dword, defs, uses);
  }

  InstId flat_access(bool store, Operand value, Place place) {
    const Operand address;  // off: no per-lane part
    if (!store) return create(Opcode::scratch_load_dword, {value}, {address, place.scalar});
    return create(Opcode::scratch_store_dword, {}, {address, value, place.scalar});
  }

  InstId create(Opcode opcode, std::initializer_list<Operand> defs, std::initializer_list<Operand> uses) {
    return function_.create(opcode, std::span<const Operand>(defs.begin(), defs.size()),
                            std::span<const Operand>(uses.begin(), uses.size()));
  }

  Operand exec_half(unsigned half) const { return Operand::physical(half == 0 ? isa::kExec : isa::kExecHi); }

  void move(Operand to, Operand from) { emit(Opcode::s_mov_b32, to, {from}); }
  void write_lane(Operand vgpr, Operand value, uint32_t lane) {
    emit(Opcode::v_writelane_b32, vgpr, {value, Operand::immediate(lane)});
  }
  void read_lane(Operand to, Operand vgpr, uint32_t lane) {
    emit(Opcode::v_readlane_b32, to, {vgpr, Operand::immediate(lane)});
  }
  void emit(Opcode opcode, Operand def, std::initializer_list<Operand> uses) {
    const std::span<const Operand> list(uses.begin(), uses.size());
    out_.push_back(function_.create(opcode, std::span<const Operand>(&def, 1), list));
  }

  mir::Function& function_;
  mir::InstList& out_;
};

}  // namespace

void expand_spill(mir::Function& function, InstId id, mir::InstList& out) {
  SpillExpander expander(function, out);
  switch (function.insts[id].opcode) {
    case Opcode::p_spill_vgpr:
      return expander.vgpr(id, true);
    case Opcode::p_reload_vgpr:
      return expander.vgpr(id, false);
    case Opcode::p_spill_sgpr:
      return expander.sgpr_lanes(id, true);
    case Opcode::p_reload_sgpr:
      return expander.sgpr_lanes(id, false);
    case Opcode::p_spill_sgpr_scratch:
      return expander.sgpr_scratch(id, true);
    case Opcode::p_reload_sgpr_scratch:
      return expander.sgpr_scratch(id, false);
    default:
      SPALT_ICE("not a spill or reload");
  }
}

}  // namespace spalt::expand
