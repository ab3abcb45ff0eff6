// SPDX-License-Identifier: MIT
//
// Spilling puts a reload right before the instruction that wants the value, which then waits for memory. A block is
// walked backwards with the live values at hand. A reload that is met is taken along in a queue, and what it loads
// counts as live; it comes down when as many instructions as its latency lasts are passed, when an instruction would
// need more registers than there are, or where it may not pass (a store to its slot, the start).
// The first to come down is the one that was met first: reloads keep their order, in which their results arrive.
#include "amdgpu/regalloc/spill/advance_reloads.h"

#include <algorithm>

#include "amdgpu/isa/timing.h"

namespace spalt::regalloc {
namespace {

using mir::Block;
using mir::BlockId;
using mir::InstId;
using mir::Opcode;
using mir::Operand;
using mir::RegFile;
using mir::VReg;

class Advancer {
 public:
  Advancer(mir::Function& function, unsigned limit, uint32_t slots, Arena& scratch)
      : function_(function),
        limit_(limit),
        distance_(isa::cost_of(function.target, function.wave_size, isa::Opcode::buffer_load_dword).latency /
                  std::max(1u, isa::issue_interval(function.target))),
        liveness_(compute_liveness(function, RegFile::vgpr, scratch)),
        live_(scratch, function.vregs.size(), BlockId()),
        in_slot_(scratch, slots, 0),
        order_(scratch),
        queue_(scratch),
        changed_(scratch),
        scratch_(scratch) {}

  Vector<GivenOrder> run() {
    for (BlockId id : function_.layout) {
      Block& block = function_.blocks[id];
      const bool any = std::any_of(block.insts.begin(), block.insts.end(), [&](InstId inst) { return reloads(inst); });
      if (any) walk(id);
    }
    return std::move(changed_);
  }

 private:
  struct Taken {
    InstId inst;
    uint32_t position;  ///< where it was met, counted from the end
  };

  bool reloads(InstId inst) const { return function_.insts[inst].opcode == Opcode::p_reload_vgpr; }
  static bool handled(const Operand& operand) { return handles(RegFile::vgpr, operand); }
  bool is_live(const Operand& operand) const { return live_[operand.vreg()] == block_; }

  void walk(BlockId id) {
    block_ = id;
    size_ = 0;
    order_.clear();
    queue_.clear();
    first_ = 0;
    for (VReg v : liveness_.live_out[id]) {
      live_[v] = id;
      size_ += function_.vregs[v].cls.dwords;
    }
    mir::InstList& insts = function_.blocks[id].insts;
    bool moved = false;
    for (size_t i = insts.size(); i-- > 0;) {
      const InstId inst = insts[i];
      const auto position = static_cast<uint32_t>(insts.size() - i);
      if (reloads(inst)) {
        note_slots(function_.defs(inst)[0].dwords, inst, 1);
        queue_.push_back({inst, position});
        continue;
      }
      const bool stops = may_not_pass(inst);
      while (first_ < queue_.size() &&
             (stops || position - queue_[first_].position > distance_ || demand(inst) > limit_)) {
        put_down();
      }
      moved |= first_ < queue_.size();
      pass(inst);
    }
    if (!moved) return;
    changed_.push_back({id, mir::InstList(insts, &scratch_)});
    std::reverse_copy(order_.begin(), order_.end(), insts.begin());
  }

  void put_down() {
    const InstId inst = queue_[first_++].inst;
    note_slots(function_.defs(inst)[0].dwords, inst, -1);
    pass(inst);
  }

  void note_slots(unsigned dwords, InstId inst, int change) {
    for (unsigned i = 0; i < dwords; ++i) {
      in_slot_[static_cast<size_t>(function_.insts[inst].simm16) + i] += change;
    }
  }

  /// Whether reloads stay after it. Lanes do not change between here and the start (the verifier sees to it).
  bool may_not_pass(InstId id) const {
    const Opcode opcode = function_.insts[id].opcode;
    if (opcode == Opcode::p_spill_vgpr) return stores_to_taken(id);
    return opcode == Opcode::p_phi || opcode == Opcode::p_logical_start;
  }

  bool stores_to_taken(InstId store) const {
    const auto first = static_cast<size_t>(function_.insts[store].simm16);
    for (unsigned i = 0; i < function_.uses(store)[0].dwords; ++i) {
      if (in_slot_[first + i] != 0) return true;
    }
    return false;
  }

  /// Dwords that are live at the instruction at most: with its results, or with its operands.
  unsigned demand(InstId inst) const {
    unsigned results = 0, ended = 0, begun = 0;
    for (const Operand& def : function_.defs(inst)) {
      if (handled(def)) (is_live(def) ? ended : results) += def.dwords;
    }
    for (const Operand& use : function_.uses(inst)) {
      // An operand in a required or tied register that lives on needs a copy of its own.
      if (handled(use) && (!is_live(use) || use.reg.valid() || use.tied)) begun += use.dwords;
    }
    return std::max(size_ + results, size_ - ended + begun);
  }

  void pass(InstId inst) {
    order_.push_back(inst);
    if (function_.insts[inst].opcode == Opcode::p_phi) return;
    for (const Operand& def : function_.defs(inst)) {
      if (!handled(def) || !is_live(def)) continue;
      size_ -= def.dwords;
      live_[def.vreg()] = BlockId();
    }
    for (const Operand& use : function_.uses(inst)) {
      if (!handled(use) || is_live(use)) continue;
      size_ += use.dwords;
      live_[use.vreg()] = block_;
    }
  }

  mir::Function& function_;
  const unsigned limit_;
  const uint32_t distance_;  ///< instructions
  const Liveness liveness_;
  IdMap<VReg, BlockId> live_;  ///< by value: the block in which it is live at the current place
  Vector<uint32_t> in_slot_;   ///< by dword of scratch: reloads of it that are taken along
  mir::InstList order_;        ///< of the block, from its end
  Vector<Taken> queue_;
  size_t first_ = 0;  ///< of queue_ that is still taken along
  BlockId block_;
  unsigned size_ = 0;  ///< dwords that are live
  Vector<GivenOrder> changed_;
  Arena& scratch_;
};

}  // namespace

Vector<GivenOrder> advance_reloads(mir::Function& function, unsigned limit, uint32_t slots, Arena& scratch) {
  return Advancer(function, limit, slots, scratch).run();
}

}  // namespace spalt::regalloc
