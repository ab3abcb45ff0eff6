// SPDX-License-Identifier: MIT
#include "passes/promote_scratch.h"

#include <algorithm>

#include "analysis/alias.h"
#include "analysis/loops.h"
#include "base/small_vector.h"
#include "passes/scratch_groups.h"
#include "passes/simplify/replacer.h"

namespace spalt::passes {

using ir::BlockId;
using ir::Op;
using ir::Type;
using ir::Value;

namespace {

bool simple(const ir::Function& function, Value access, const analysis::MemoryPlace& place) {
  const Op op = function.inst(access).op;
  if (op != Op::load && op != Op::store) return false;
  const Type type = function.type(op == Op::store ? analysis::stored_data(function, access) : access);
  const bool plain = (place.access.flags & ir::kVolatile) == 0 && place.access.order == ir::MemoryOrder::none;
  return plain && !place.offset.valid() && place.first % 4 == 0 && type.scalar_bits() == 32;
}

/// Marks the groups that cannot be promoted because of `function`.
void judge(const ir::Function& function, ScratchGroups& groups) {
  for (BlockId block : function.layout()) {
    for (Value value : ir::insts(function, block)) {
      if (!is_scratch_access(function, value)) continue;
      const analysis::MemoryPlace place = analysis::memory_place(function, value);
      ScratchGroup* group = groups.find(place.first);
      if (group == nullptr) return groups.keep_all();  // outside all variables: nothing is known about it
      if (!simple(function, value, place)) {
        group->stays = true;
      } else if (place.first + place.bytes > group->end) {
        return groups.keep_all();
      }
    }
  }
}

/// The first groups win.
void limit(uint32_t max_dwords, ScratchGroups& groups) {
  uint32_t used = 0;
  for (ScratchGroup& group : groups.all()) {
    if (group.stays) continue;
    const auto dwords = static_cast<uint32_t>((group.end - group.begin + 3) / 4);
    if (dwords > max_dwords - used) {
      group.stays = true;
    } else {
      used += dwords;
    }
  }
}

class Promotion {
 public:
  Promotion(ir::Function& function, const ScratchGroups& groups, Arena& scratch)
      : f_(function),
        groups_(groups),
        slots_(scratch),
        accesses_(scratch),
        state_(scratch),
        current_(scratch),
        undef_(scratch),
        stored_in_loop_(scratch),
        header_phis_(scratch),
        replacer_(scratch) {}
  void run(analysis::AnalysisCache& analyses);

 private:
  /// One dword of scratch memory.
  struct Slot {
    uint32_t dword;
    Type type;  ///< of the first access; others are bitcast
  };
  void collect();
  uint32_t slot_of(uint64_t offset) const;
  void find_stores(const analysis::Loops& loops);
  uint32_t position(BlockId block) const { return loops_->position(block); }
  void enter(BlockId block);
  void enter_loop(BlockId block, uint32_t loop);
  void visit(Value value);
  void visit_load(Value value);
  void visit_store(Value value);
  void complete_header_phis();
  Value value_of(BlockId block, uint32_t slot) { return state_[position(block) * slots_.size() + slot]; }
  Value or_undef(Value value, uint32_t slot);
  Value make_phi(BlockId block, uint32_t slot);
  Value cast(Value value, Type type, Value before);

  ir::Function& f_;
  const ScratchGroups& groups_;
  const analysis::Loops* loops_ = nullptr;
  Vector<Slot> slots_;  ///< sorted by dword
  Vector<Value> accesses_;
  Vector<Value> state_;    ///< value of each slot at the end of each block, by layout position; none: not written
  Vector<Value> current_;  ///< the same at the current instruction
  Vector<Value> undef_;    ///< per slot, on demand
  Vector<uint8_t> stored_in_loop_;  ///< loop * slots + slot
  struct HeaderPhi {
    Value phi;
    BlockId block;
    uint32_t slot;
  };
  Vector<HeaderPhi> header_phis_;
  Replacer replacer_;
};

/// Finds the accesses and the dwords they touch.
void Promotion::collect() {
  for (BlockId block : f_.layout()) {
    for (Value value : ir::insts(f_, block)) {
      if (is_scratch_access(f_, value) && groups_.takes(f_, value)) accesses_.push_back(value);
    }
  }
  for (Value value : accesses_) {
    const analysis::MemoryPlace place = analysis::memory_place(f_, value);
    const Value data = analysis::stored_data(f_, value);
    const Type type = f_.type(data.valid() ? data : value).element();
    for (uint32_t i = 0; i < place.bytes / 4; ++i) slots_.push_back({static_cast<uint32_t>(place.first / 4) + i, type});
  }
  std::stable_sort(slots_.begin(), slots_.end(), [](const Slot& a, const Slot& b) { return a.dword < b.dword; });
  const auto same = [](const Slot& a, const Slot& b) { return a.dword == b.dword; };
  slots_.erase(std::unique(slots_.begin(), slots_.end(), same), slots_.end());
}

uint32_t Promotion::slot_of(uint64_t offset) const {
  const auto found = std::lower_bound(slots_.begin(), slots_.end(), offset / 4,
                                      [](const Slot& slot, uint64_t dword) { return slot.dword < dword; });
  return static_cast<uint32_t>(found - slots_.begin());
}

void Promotion::find_stores(const analysis::Loops& loops) {
  stored_in_loop_.assign(loops.size() * slots_.size(), 0);
  for (Value value : accesses_) {
    if (f_.inst(value).op != Op::store) continue;
    const analysis::MemoryPlace place = analysis::memory_place(f_, value);
    const uint32_t first = slot_of(place.first);
    for (uint32_t loop = loops.loop_of(f_.inst(value).block); loop != analysis::kNoLoop; loop = loops[loop].parent) {
      for (uint32_t i = 0; i < place.bytes / 4; ++i) stored_in_loop_[loop * slots_.size() + first + i] = 1;
    }
  }
}

void Promotion::run(analysis::AnalysisCache& analyses) {
  collect();
  if (accesses_.empty()) return;
  const analysis::Loops& loops = analyses.loops();
  loops_ = &loops;
  state_.resize(f_.layout().size() * slots_.size());
  undef_.resize(slots_.size());
  find_stores(loops);
  size_t next = 0;  // accesses_ is in layout order
  for (BlockId block : f_.layout()) {
    const uint32_t loop = loops.loop_of(block);
    if (loop != analysis::kNoLoop && loops[loop].header == block) {
      enter_loop(block, loop);
    } else {
      enter(block);
    }
    while (next < accesses_.size() && f_.inst(accesses_[next]).block == block) visit(accesses_[next++]);
    const auto end = state_.begin() + static_cast<ptrdiff_t>(position(block) * slots_.size());
    std::copy(current_.begin(), current_.end(), end);
  }
  complete_header_phis();
  replacer_.apply(f_);
}

void Promotion::visit(Value value) {
  if (f_.inst(value).op == Op::load) {
    visit_load(value);
  } else {
    visit_store(value);
  }
  f_.unlink(value);
}

Value Promotion::or_undef(Value value, uint32_t slot) {
  if (value.valid()) return value;
  if (!undef_[slot].valid()) undef_[slot] = f_.undef(slots_[slot].type);
  return undef_[slot];
}

/// A phi with the values at the ends of the predecessors; those of back edges are completed later.
Value Promotion::make_phi(BlockId block, uint32_t slot) {
  SmallVector<Value, 16> operands;
  for (BlockId pred : f_.block(block).preds) operands.push_back(or_undef(value_of(pred, slot), slot));
  const Value phi = f_.create(Op::phi, slots_[slot].type, operands);
  f_.prepend_phi(block, phi);
  return phi;
}

void Promotion::enter(BlockId block) {
  current_.assign(slots_.size(), Value());
  const auto& preds = f_.block(block).preds;
  if (preds.empty()) return;
  for (uint32_t slot = 0; slot < slots_.size(); ++slot) {
    const Value first = value_of(f_.block(block).preds[0], slot);
    bool same = true;
    for (BlockId pred : f_.block(block).preds) same &= value_of(pred, slot) == first;
    current_[slot] = same ? first : make_phi(block, slot);
  }
}

void Promotion::enter_loop(BlockId block, uint32_t loop) {
  current_.assign(slots_.size(), Value());
  for (uint32_t slot = 0; slot < slots_.size(); ++slot) {
    // The values of entries; back edges bring the same unless the loop stores.
    Value first;
    bool same = true, any = false;
    for (BlockId pred : f_.block(block).preds) {
      if (position(pred) >= position(block)) continue;
      const Value value = value_of(pred, slot);
      same &= !any || value == first;
      first = any ? first : value;
      any = true;
    }
    if (same && stored_in_loop_[loop * slots_.size() + slot] == 0) {
      current_[slot] = first;
      continue;
    }
    current_[slot] = make_phi(block, slot);
    header_phis_.push_back({current_[slot], block, slot});
  }
}

void Promotion::complete_header_phis() {
  for (const HeaderPhi& header : header_phis_) {
    const auto& preds = f_.block(header.block).preds;
    for (uint32_t i = 0; i < preds.size(); ++i) {
      if (position(preds[i]) < position(header.block)) continue;
      // Without a store in the loop the phi is only for several entries, and comes back as it is.
      f_.set_operand(header.phi, i, or_undef(value_of(preds[i], header.slot), header.slot));
    }
  }
}

Value Promotion::cast(Value value, Type type, Value before) {
  if (f_.type(value) == type) return value;
  const Value result = f_.create(Op::bitcast, type, {&value, 1});
  f_.insert_before(before, result);
  return result;
}

void Promotion::visit_load(Value value) {
  const analysis::MemoryPlace place = analysis::memory_place(f_, value);
  const Type type = f_.type(value);
  const uint32_t first = slot_of(place.first);
  SmallVector<Value, 16> parts;
  for (uint32_t i = 0; i < type.components; ++i) {
    parts.push_back(cast(or_undef(current_[first + i], first + i), type.element(), value));
  }
  Value result = parts[0];
  if (type.is_vector()) {
    result = f_.create(Op::vec, type, parts);
    f_.insert_before(value, result);
  }
  replacer_.replace(value, result);
}

void Promotion::visit_store(Value value) {
  const analysis::MemoryPlace place = analysis::memory_place(f_, value);
  const Value data = replacer_.resolve(analysis::stored_data(f_, value));
  const Type type = f_.type(data);
  const uint32_t first = slot_of(place.first);
  for (uint32_t i = 0; i < type.components; ++i) {
    Value part = data;
    if (type.is_vector()) {
      part = f_.create(Op::extract, type.element(), {&data, 1}, i);
      f_.insert_before(value, part);
    }
    current_[first + i] = cast(part, slots_[first + i].type, value);
  }
}

}  // namespace

bool promote_scratch(ir::Module& module, analysis::AnalysisCache& analyses, CompileContext& context,
                     const PromoteScratchConfig& config) {
  if (module.scratch_bytes == 0) return false;
  const ArenaScope scope(context.scratch);
  ScratchGroups groups(module, context.scratch);
  uint32_t blocks = 0;
  for (const ir::Function& function : module.functions) {
    judge(function, groups);
    blocks = std::max(blocks, function.layout().size());
  }
  const uint64_t affordable = uint64_t{config.max_dwords} * config.max_dwords * 64 / std::max(blocks, 1u);
  limit(static_cast<uint32_t>(std::min<uint64_t>(config.max_dwords, affordable)), groups);
  if (!groups.any()) return false;
  for (ir::Function& function : module.functions) {
    Promotion promotion(function, groups, context.scratch);
    if (&function == module.functions.begin()) {
      promotion.run(analyses);
    } else {
      analysis::AnalysisCache others(function, &context.scratch);
      promotion.run(others);
    }
  }
  groups.remove_taken(module);
  return true;
}

}  // namespace spalt::passes
