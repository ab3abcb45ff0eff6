// SPDX-License-Identifier: MIT
#include <algorithm>

#include "amdgpu/mir/edges.h"
#include "amdgpu/regalloc/spill/spill.h"
#include "amdgpu/regalloc/split_edges.h"

namespace spalt::regalloc {
namespace {

using mir::BlockId;
using mir::InstId;
using mir::Opcode;
using mir::Operand;
using mir::VReg;

class Rewriter {
 public:
  Rewriter(mir::Function& function, mir::RegFile file, SpillState& state, Arena& scratch)
      : function_(function),
        file_(file),
        state_(state),
        scratch_(scratch),
        edge_slots_(mir::edge_slots(function, graph_of(file), &scratch)),
        old_vregs_(static_cast<uint32_t>(function.vregs.size())),
        temporary_(scratch, old_vregs_),
        temporary_of_(scratch, old_vregs_),
        end_temporary_of_(scratch, old_vregs_),
        temporary_in_(scratch, old_vregs_),
        last_use_(scratch, old_vregs_, 0) {
    for (uint32_t v = 0; v < old_vregs_; ++v) {
      if (state.fate[VReg(v)] == SpillState::spill) {
        largest_ = std::max<uint32_t>(largest_, function.vregs[VReg(v)].cls.dwords);
      }
    }
  }

  void run() {
    for (BlockId id : function_.layout) rewrite_block(id);
    for (BlockId id : function_.layout) drop_phis(id);
    if (file_ == mir::RegFile::sgpr) define_homes();
    for (uint32_t v = 0; v < old_vregs_; ++v) {
      // Only its own store is left to use it.
      if (state_.fate[VReg(v)] == SpillState::spill && state_.temporary[VReg(v)] == SpillState::stored) {
        state_.temporary[VReg(v)] = SpillState::single;
      }
    }
    state_.temporary.resize(function_.vregs.size(), SpillState::single);
    for (VReg v : shared_) state_.temporary[v] = v.index < old_vregs_ ? SpillState::stored : SpillState::shared;
  }

 private:
  bool handled(const Operand& operand) const { return handles(file_, operand); }
  bool is_phi(InstId inst) const { return function_.insts[inst].opcode == Opcode::p_phi; }
  /// Values of this round; what is created now is kept in registers.
  SpillState::Fate fate(const Operand& operand) const {
    if (!handled(operand) || operand.value >= old_vregs_) return SpillState::keep;
    return static_cast<SpillState::Fate>(state_.fate[operand.vreg()]);
  }
  bool in_memory(const Operand& operand) const { return fate(operand) != SpillState::keep; }

  // ---- code ----

  InstId emit(Opcode opcode, std::span<const Operand> defs, std::span<const Operand> uses, int32_t simm16 = 0) {
    const InstId id = function_.create(opcode, defs, uses);
    function_.insts[id].simm16 = simm16;
    code_.push_back(id);
    return id;
  }

  VReg home(uint32_t slot) {
    const uint32_t row = slot / function_.wave_size;
    while (state_.homes.size() <= row) state_.homes.push_back(function_.create_vreg(mir::linear_vgpr_class()));
    return state_.homes[row];
  }
  int32_t lane(uint32_t slot) const { return static_cast<int32_t>(slot % function_.wave_size); }

  bool is_in_scratch(uint32_t slot) const {
    return file_ == mir::RegFile::sgpr && slot / function_.wave_size >= state_.vgpr_rows;
  }
  Operand window() {
    if (!state_.window.valid()) state_.window = function_.create_vreg(mir::linear_vgpr_class());
    return function_.use(state_.window);
  }
  Operand scratch_dword(uint32_t slot) const {
    return Operand::immediate(state_.first_slot + slot / function_.wave_size - state_.vgpr_rows);
  }

  void store(Operand value, uint32_t slot) {
    value.tied = false;
    value.reg = isa::kNoReg;
    if (file_ == mir::RegFile::vgpr) {
      emit(Opcode::p_spill_vgpr, {}, {&value, 1}, static_cast<int32_t>(state_.first_slot + slot));
      function_.insts[code_.back()].memory = mir::kWritesScratch;
    } else if (is_in_scratch(slot)) {
      const Operand uses[] = {value, window(), scratch_dword(slot)};
      emit(Opcode::p_spill_sgpr_scratch, {}, uses, lane(slot));
      function_.insts[code_.back()].memory = mir::kWritesScratch;
    } else {
      const Operand uses[] = {value, function_.use(home(slot))};
      emit(Opcode::p_spill_sgpr, {}, uses, lane(slot));
    }
  }

  Operand load(mir::RegClass cls, uint32_t slot) {
    const Operand def = function_.def(cls);
    if (file_ == mir::RegFile::vgpr) {
      emit(Opcode::p_reload_vgpr, {&def, 1}, {}, static_cast<int32_t>(state_.first_slot + slot));
      function_.insts[code_.back()].memory = mir::kReadsScratch;
    } else if (is_in_scratch(slot)) {
      const Operand uses[] = {window(), scratch_dword(slot)};
      emit(Opcode::p_reload_sgpr_scratch, {&def, 1}, uses, lane(slot));
      function_.insts[code_.back()].memory = mir::kReadsScratch;
    } else {
      const Operand use = function_.use(home(slot));
      emit(Opcode::p_reload_sgpr, {&def, 1}, {&use, 1}, lane(slot));
    }
    return def;
  }

  Operand load_constant(InstId definition) {
    const Operand old = function_.defs(definition)[0];
    const Operand def = function_.def(old.cls());
    const SmallVector<Operand, 2> uses(std::span<const Operand>(function_.uses(definition)));
    emit(function_.insts[definition].opcode, {&def, 1}, uses, function_.insts[definition].simm16);
    return def;
  }

  /// The value of `use` in a fresh register.
  Operand fetch(const Operand& use) {
    const VReg v = use.vreg();
    if (state_.fate[v] == SpillState::remat) return load_constant(state_.constant[v]);
    return load(function_.vregs[v].cls, state_.slot[v]);
  }

  // ---- blocks ----

  void rewrite_block(BlockId id) {
    old_.assign(function_.blocks[id].insts);
    const size_t end = end_position(function_, function_.blocks[id], file_);
    code_.clear();
    delayed_.clear();
    in_prolog_ = id == function_.layout[0];
    block_ = id;
    for (size_t i = 0; i < old_.size(); ++i) {
      if (i == end) store_phis(id);
      position_ = static_cast<uint32_t>(i);
      rewrite_inst(old_[i]);
    }
    function_.blocks[id].insts = code_;
  }

  void rewrite_inst(InstId inst) {
    if (is_phi(inst)) {
      code_.push_back(inst);
      return;
    }
    if (file_ == mir::RegFile::sgpr && function_.insts[inst].opcode != Opcode::p_linear_vgpr) store_delayed();
    for (size_t u = 0; u < function_.uses(inst).size(); ++u) {
      const Operand use = function_.uses(inst)[u];
      if (!in_memory(use) || is_own_store(inst, use) || must_wait(use)) continue;
      const VReg v = use.vreg();
      if (temporary_of_[v] != inst && may_share(v)) {
        shared_.push_back(temporary_[v]);
      } else if (temporary_of_[v] != inst) {
        temporary_[v] = fetch(use).vreg();
        temporary_in_[v] = block_;
      }
      temporary_of_[v] = inst;
      last_use_[v] = position_;
      function_.uses(inst)[u].value = temporary_[v].index;
    }
    if (is_recomputed(inst)) return;
    code_.push_back(inst);
    for (size_t d = 0; d < function_.defs(inst).size(); ++d) {
      const Operand def = function_.defs(inst)[d];
      if (fate(def) != SpillState::spill || state_.temporary[def.vreg()] == SpillState::stored) continue;
      serve_next(def.vreg());
      if (must_wait(def)) {
        scratch_delayed_.push_back(def);
      } else if (function_.insts[inst].opcode == Opcode::p_start) {
        delayed_.push_back(def);
      } else {
        store(def, state_.slot[def.vreg()]);
      }
    }
    if (function_.insts[inst].opcode == Opcode::p_logical_start) end_prolog();
  }

  /// The scratch descriptor is valid after the entry block's first part. Until then SGPR values stay in registers;
  /// VGPRs are not touched there anyway.
  bool must_wait(const Operand& operand) const {
    return in_prolog_ && fate(operand) == SpillState::spill && is_in_scratch(state_.slot[operand.vreg()]);
  }
  void end_prolog() {
    in_prolog_ = false;
    if (file_ == mir::RegFile::vgpr) store_delayed();
    for (const Operand& def : scratch_delayed_) store(def, state_.slot[def.vreg()]);
    scratch_delayed_.clear();
  }

  void store_delayed() {
    for (const Operand& def : delayed_) store(def, state_.slot[def.vreg()]);
    delayed_.clear();
  }

  /// Whether a reload a few instructions earlier still serves. Where that keeps too much in registers, the next round
  /// reloads it again.
  bool may_share(VReg v) const {
    return state_.fate[v] == SpillState::spill && temporary_in_[v] == block_ &&
           position_ - last_use_[v] <= kShareDistance;
  }

  /// The value itself serves the instructions right after its definition.
  void serve_next(VReg v) {
    temporary_[v] = v;
    temporary_in_[v] = block_;
    last_use_[v] = position_;
  }
  /// The store of a value that an earlier round put to memory.
  bool is_own_store(InstId inst, const Operand& use) const {
    return is_spill_store(function_.insts[inst].opcode) && state_.temporary[use.vreg()] == SpillState::stored;
  }

  bool is_recomputed(InstId inst) const {
    const auto defs = function_.defs(inst);
    return defs.size() == 1 && fate(defs[0]) == SpillState::remat;
  }

  // ---- phis ----

  struct SlotMove {
    uint32_t to, from;
    mir::RegClass cls;
    bool done = false;
  };
  struct SlotStore {
    uint32_t to;
    Operand value;
    mir::RegClass cls;
  };

  /// What the phis of the successors need at the end of this block: operands of register phis are reloaded, and spilled
  /// phis get their slots written. All slots are read before they are overwritten.
  void store_phis(BlockId id) {
    moves_.clear();
    stores_.clear();
    const SmallVector<BlockId, 2> succs(succs_of(function_.blocks[id], graph_of(file_)));
    for (uint32_t i = 0; i < succs.size(); ++i) {
      const size_t index = edge_slots_(id, i);
      for (size_t p = 0; p < function_.blocks[succs[i]].insts.size(); ++p) {
        const InstId phi = function_.blocks[succs[i]].insts[p];
        if (!is_phi(phi)) break;
        if (handled(function_.defs(phi)[0])) store_phi(id, phi, index);
      }
    }
    emit_moves();
    for (const SlotStore& pending : stores_) {
      Operand value = pending.value;
      if (value.is_imm()) {
        const Operand def = function_.def(pending.cls);
        emit(Opcode::p_copy, {&def, 1}, {&value, 1});
        value = def;
      } else if (fate(value) == SpillState::remat) {
        value = fetch(value);
      }
      store(value, pending.to);
    }
  }

  void store_phi(BlockId id, InstId phi, size_t index) {
    const Operand def = function_.defs(phi)[0];
    const Operand use = function_.uses(phi)[index];
    if (use.kind == Operand::Kind::undef) return;
    if (!in_memory(def)) {
      if (in_memory(use)) function_.uses(phi)[index].value = fetch_at_end(id, use).index;
      return;
    }
    const mir::RegClass cls = def.cls();
    const uint32_t to = state_.slot[def.vreg()];
    if (fate(use) != SpillState::spill) {
      stores_.push_back({to, use, cls});
    } else if (state_.slot[use.vreg()] != to) {
      moves_.push_back({to, state_.slot[use.vreg()], cls});
    }
  }

  /// Several phis may take the same operand.
  VReg fetch_at_end(BlockId id, const Operand& use) {
    const VReg v = use.vreg();
    if (end_temporary_of_[v] != id) {
      temporary_[v] = fetch(use).vreg();
      temporary_of_[v] = InstId();
      temporary_in_[v] = BlockId();
      end_temporary_of_[v] = id;
    }
    return temporary_[v];
  }

  /// Sequential form of the parallel moves among slots, one temporary register at a time; a cycle goes through a slot
  /// of its own.
  void emit_moves() {
    if (moves_.empty()) return;
    readers_.assign(state_.next_slot, 0);
    writer_.assign(state_.next_slot, kNone);
    ready_.clear();
    for (uint32_t m = 0; m < moves_.size(); ++m) {
      ++readers_[moves_[m].from];
      writer_[moves_[m].to] = m;
    }
    for (uint32_t m = 0; m < moves_.size(); ++m) {
      if (readers_[moves_[m].to] == 0) ready_.push_back(m);
    }
    emit_ready(kNone);
    for (const SlotMove& move : moves_) {
      if (move.done) continue;
      // Only cycles are left: every slot is read once.
      const uint32_t saved = move.to;
      store(load(move.cls, saved), cycle_slot());
      readers_[saved] = 0;
      ready_.push_back(writer_[saved]);
      emit_ready(saved);
    }
  }

  /// `saved`: the slot whose old content is in the cycle slot.
  void emit_ready(uint32_t saved) {
    while (!ready_.empty()) {
      SlotMove& move = moves_[ready_.back()];
      ready_.pop_back();
      store(load(move.cls, move.from == saved ? cycle_slot() : move.from), move.to);
      move.done = true;
      if (move.from == saved || --readers_[move.from] != 0) continue;
      if (writer_[move.from] != kNone) ready_.push_back(writer_[move.from]);
    }
  }

  uint32_t cycle_slot() {
    if (cycle_slot_ != kNone) return cycle_slot_;
    if (file_ == mir::RegFile::sgpr && state_.next_slot % function_.wave_size + largest_ > function_.wave_size) {
      state_.next_slot += function_.wave_size - state_.next_slot % function_.wave_size;
    }
    cycle_slot_ = state_.next_slot;
    state_.next_slot += largest_;
    return cycle_slot_;
  }

  void drop_phis(BlockId id) {
    erase_if(function_.blocks[id].insts,
             [this](InstId inst) { return is_phi(inst) && in_memory(function_.defs(inst)[0]); });
  }

  void define_homes() {
    auto& insts = function_.blocks[function_.layout[0]].insts;
    size_t at = 0;
    while (at < insts.size() && function_.insts[insts[at]].opcode == Opcode::p_start) ++at;
    Vector<VReg> linear(state_.homes, &scratch_);
    if (state_.window.valid()) linear.push_back(state_.window);
    mir::InstList definitions(scratch_);
    for (VReg v : linear) {
      if (v.index < old_vregs_) continue;
      const Operand def = function_.use(v);
      definitions.push_back(function_.create(Opcode::p_linear_vgpr, {&def, 1}, {}));
    }
    insts.insert(insts.begin() + static_cast<long>(at), definitions.rbegin(), definitions.rend());
  }

  static constexpr uint32_t kShareDistance = 24;  ///< instructions
  static constexpr uint32_t kNone = 0xffffffffu;

  mir::Function& function_;
  const mir::RegFile file_;
  SpillState& state_;
  Arena& scratch_;
  const mir::EdgeSlots edge_slots_;
  const uint32_t old_vregs_;
  mir::InstList old_{scratch_}, code_{scratch_};
  Vector<Operand> delayed_{scratch_};          ///< results of p_start, stored when the lanes run or the homes are there
  Vector<Operand> scratch_delayed_{scratch_};  ///< SGPRs, stored when scratch is there
  bool in_prolog_ = false;                     ///< before p_logical_start of the entry block
  IdMap<VReg, VReg> temporary_;                ///< the register that holds a spilled value ...
  IdMap<VReg, InstId> temporary_of_;           ///< ... for this instruction
  IdMap<VReg, BlockId> end_temporary_of_;      ///< ... or at the end of this block
  IdMap<VReg, BlockId> temporary_in_;          ///< ... and for later instructions of this block
  IdMap<VReg, uint32_t> last_use_;             ///< position of the last instruction that used it
  Vector<VReg> shared_{scratch_};              ///< temporaries with several uses
  BlockId block_;
  uint32_t position_ = 0;
  Vector<SlotMove> moves_{scratch_};
  Vector<SlotStore> stores_{scratch_};
  Vector<uint32_t> readers_{scratch_}, writer_{scratch_}, ready_{scratch_};  ///< of emit_moves, by slot; ready_ by move
  uint32_t cycle_slot_ = kNone, largest_ = 1;                                ///< dwords of the largest spilled value
};

}  // namespace

void rewrite_spills(mir::Function& function, mir::RegFile file, SpillState& state, Arena& scratch) {
  Rewriter(function, file, state, scratch).run();
}

namespace {

/// Stores to slots that nobody reads: all uses of the value came soon enough to find it in its register.
void drop_dead_stores(mir::Function& function, mir::RegFile file, SpillState& state, Arena& scratch) {
  const bool vector = file == mir::RegFile::vgpr;
  const auto is_ours = [&](InstId inst) {
    const Opcode opcode = function.insts[inst].opcode;
    return vector == (opcode == Opcode::p_spill_vgpr || opcode == Opcode::p_reload_vgpr);
  };
  Vector<bool> read(scratch, state.next_slot, false);
  // Rows of lanes in the order of the homes; a home that is not ours belongs to nobody's spills.
  const auto slot_of = [&](InstId inst) -> uint32_t {
    const auto number = static_cast<uint32_t>(function.insts[inst].simm16);
    if (vector) return number - state.first_slot;
    if (function.uses(inst).back().is_imm()) {
      const uint32_t row = state.vgpr_rows + function.uses(inst).back().value - state.first_slot;
      return number + row * function.wave_size;
    }
    const auto home = std::find(state.homes.begin(), state.homes.end(), function.uses(inst).back().vreg());
    return number + static_cast<uint32_t>(home - state.homes.begin()) * function.wave_size;
  };
  for (BlockId id : function.layout) {
    for (InstId inst : function.blocks[id].insts) {
      if (is_reload(function.insts[inst].opcode) && is_ours(inst)) read[slot_of(inst)] = true;
    }
  }
  for (BlockId id : function.layout) {
    erase_if(function.blocks[id].insts, [&](InstId inst) {
      if (!is_spill_store(function.insts[inst].opcode) || !is_ours(inst) || read[slot_of(inst)]) return false;
      const Operand value = function.uses(inst)[0];
      state.spilled_dwords -= std::min<uint32_t>(state.spilled_dwords, value.dwords);
      // Should more have to leave later, the value is an ordinary one again.
      uint8_t& temporary = state.temporary[value.vreg()];
      if (temporary == SpillState::stored) temporary = SpillState::none;
      return true;
    });
  }
}

}  // namespace

void spill(mir::Function& function, mir::RegFile file, unsigned limit, SpillState& state, CompileContext& context) {
  Arena& scratch = context.scratch;
  for (bool first = true;; first = false) {
    const ArenaScope round(scratch);
    context.cancellation.poll();
    Liveness liveness = compute_liveness(function, file, scratch);
    // Whoever wants the first round has seen that the limit is exceeded.
    if (!first && max_demand(function, liveness, file, scratch) <= limit) break;
    if (file == mir::RegFile::sgpr && split_edges_to_phis(function, scratch)) {
      liveness = compute_liveness(function, file, scratch);
    }
    context.cancellation.poll();
    if (!choose_spills(function, liveness, file, limit, state, scratch)) break;
    context.cancellation.poll();
    assign_slots(function, liveness, file, state, scratch);
    context.cancellation.poll();
    rewrite_spills(function, file, state, scratch);
  }
  const ArenaScope scope(scratch);
  drop_dead_stores(function, file, state, scratch);
}

}  // namespace spalt::regalloc
