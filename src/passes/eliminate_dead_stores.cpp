// SPDX-License-Identifier: MIT
#include "passes/eliminate_dead_stores.h"

#include <algorithm>
#include <span>

#include "analysis/alias.h"
#include "base/id_map.h"

namespace spalt::passes {

using analysis::MemoryPlace;
using analysis::Overlap;
using ir::BlockId;
using ir::MemoryOrder;
using ir::Op;
using ir::StorageClass;
using ir::Value;

namespace {

constexpr size_t kMaxPlaces = 16;

/// What is overwritten before anybody reads it, from some point on.
struct Unseen {
  std::span<const MemoryPlace> places;
  bool scratch = false, shared = false;  ///< all of it
};

/// What it is at the start of a block.
struct Start {
  uint32_t first = 0, count = 0;  ///< of the pool
  bool scratch = false, shared = false;
  bool known = false;
};

bool contains(const MemoryPlace& whole, const MemoryPlace& part) {
  return analysis::same_origin(whole, part) && whole.first <= part.first &&
         part.first + part.bytes <= whole.first + whole.bytes;
}

bool is_covered(const Unseen& unseen, const MemoryPlace& place) {
  if (place.access.storage == StorageClass::scratch && unseen.scratch) return true;
  if (place.access.storage == StorageClass::shared && unseen.shared) return true;
  return std::any_of(unseen.places.begin(), unseen.places.end(),
                     [&](const MemoryPlace& whole) { return contains(whole, place); });
}

bool is_plain(const ir::MemoryAccess& access) {
  return (access.flags & (ir::kVolatile | ir::kCoherent)) == 0 && access.order == MemoryOrder::none;
}

class Eliminator {
 public:
  Eliminator(ir::Module& module, CompileContext& context)
      : module_(module),
        f_(module.functions[0]),
        starts_(context.scratch, f_.block_capacity()),
        pool_(context.scratch),
        places_(context.scratch) {}

  bool run();

 private:
  void find_readers();
  void begin_at_end_of(BlockId block);
  void keep_start_of(BlockId block);
  Unseen start_of(BlockId block) const;
  void meet(const Unseen& other);
  void visit(Value value);
  void visit_store(Value value);
  bool is_undefined(Value data) const;
  void visit_memory(Value value);
  void see_what_overlaps(const MemoryPlace& place);
  void see_shared();
  void overwrite(const MemoryPlace& place);

  ir::Module& module_;
  ir::Function& f_;
  IdMap<BlockId, Start> starts_;  ///< of the blocks after the current one
  Vector<MemoryPlace> pool_;
  Vector<MemoryPlace> places_;             ///< at the current point
  bool scratch_ = false, shared_ = false;  ///< the same
  bool reads_scratch_ = false, reads_shared_ = false;
  bool changed_ = false;
};

void Eliminator::find_readers() {
  for (BlockId block : f_.layout()) {
    for (Value value : ir::insts(f_, block)) {
      const Op op = f_.inst(value).op;
      if (op != Op::load && !ir::is_atomic(op)) continue;
      reads_scratch_ |= f_.access(value).storage == StorageClass::scratch;
      reads_shared_ |= f_.access(value).storage == StorageClass::shared;
    }
  }
}

bool Eliminator::run() {
  find_readers();
  const ir::BlockList& layout = f_.layout();
  for (size_t i = layout.size(); i-- > 0;) {
    const BlockId block = layout[i];
    begin_at_end_of(block);
    for (Value value = f_.terminator(block); value.valid();) {
      const Value before = f_.inst(value).prev;
      visit(value);
      value = before;
    }
    keep_start_of(block);
  }
  return changed_;
}

void Eliminator::keep_start_of(BlockId block) {
  starts_[block] = {.first = static_cast<uint32_t>(pool_.size()),
                    .count = static_cast<uint32_t>(places_.size()),
                    .scratch = scratch_,
                    .shared = shared_,
                    .known = true};
  for (const MemoryPlace& place : places_) pool_.push_back(place);
}

Unseen Eliminator::start_of(BlockId block) const {
  const Start& start = starts_[block];
  return {std::span<const MemoryPlace>(pool_).subspan(start.first, start.count), start.scratch, start.shared};
}

/// What all successors overwrite. After the last block only buffers and images are left.
void Eliminator::begin_at_end_of(BlockId block) {
  const auto& successors = f_.block(block).succs;
  const auto is_known = [this](BlockId successor) { return starts_[successor].known; };
  places_.clear();
  scratch_ = shared_ = successors.empty();
  // Around a loop nothing is known.
  if (successors.empty() || !std::all_of(successors.begin(), successors.end(), is_known)) return;
  const Unseen first = start_of(successors[0]);
  for (const MemoryPlace& place : first.places) places_.push_back(place);
  scratch_ = first.scratch;
  shared_ = first.shared;
  for (size_t i = 1; i < successors.size(); ++i) meet(start_of(successors[i]));
}

void Eliminator::meet(const Unseen& other) {
  const size_t own = places_.size();
  for (const MemoryPlace& place : other.places) {
    if (places_.size() < kMaxPlaces && is_covered({places_, scratch_, shared_}, place)) places_.push_back(place);
  }
  size_t kept = 0;
  for (size_t i = 0; i < places_.size(); ++i) {
    if (i >= own || is_covered(other, places_[i])) places_[kept++] = places_[i];
  }
  places_.resize(kept);
  scratch_ = scratch_ && other.scratch;
  shared_ = shared_ && other.shared;
}

void Eliminator::visit(Value value) {
  const Op op = f_.inst(value).op;
  const ir::OpInfo& info = ir::info(op);
  if (op == Op::store) {
    visit_store(value);
  } else if (ir::group(op) == ir::OpGroup::synchronize || op == Op::demote) {
    see_shared();
  } else if (info.has(ir::kReads | ir::kWrites)) {
    visit_memory(value);
  }
}

bool Eliminator::is_undefined(Value data) const {
  if (f_.inst(data).op != Op::vec) return f_.inst(data).op == Op::undef;
  const auto parts = f_.operands(data);
  return std::all_of(parts.begin(), parts.end(), [this](Value part) { return f_.inst(part).op == Op::undef; });
}

void Eliminator::visit_store(Value value) {
  const MemoryPlace place = analysis::memory_place(f_, value);
  if (!is_plain(place.access)) {
    if (place.access.order > MemoryOrder::relaxed) see_shared();
    return;
  }
  const StorageClass storage = place.access.storage;
  const bool has_readers =
      (storage != StorageClass::scratch || reads_scratch_) && (storage != StorageClass::shared || reads_shared_);
  if (is_undefined(analysis::stored_data(f_, value)) || !has_readers ||
      is_covered({places_, scratch_, shared_}, place)) {
    f_.unlink(value);
    changed_ = true;
    return;
  }
  overwrite(place);
}

void Eliminator::overwrite(const MemoryPlace& place) {
  erase_if(places_, [&](const MemoryPlace& other) { return contains(place, other); });
  if (places_.size() < kMaxPlaces) places_.push_back(place);
}

/// Loads, atomic operations and those on images.
void Eliminator::visit_memory(Value value) {
  const ir::MemoryAccess access = f_.access(value);
  if (access.order > MemoryOrder::relaxed) see_shared();
  const Op op = f_.inst(value).op;
  if (op == Op::load || ir::is_atomic(op)) {
    if (op != Op::load || !analysis::reads_constant_memory(access))
      see_what_overlaps(analysis::memory_place(f_, value));
    return;
  }
  const Value image = f_.operand(value, 0);
  erase_if(places_,
           [&](const MemoryPlace& place) { return analysis::image_may_overlap(f_, module_.bindings, image, place); });
}

void Eliminator::see_what_overlaps(const MemoryPlace& place) {
  if (place.access.storage == StorageClass::scratch) scratch_ = false;
  if (place.access.storage == StorageClass::shared) shared_ = false;
  erase_if(places_, [&](const MemoryPlace& other) {
    return analysis::overlap(f_, module_.bindings, place, other) != Overlap::never;
  });
}

/// Others may look at everything but scratch.
void Eliminator::see_shared() {
  shared_ = false;
  erase_if(places_, [](const MemoryPlace& place) { return place.access.storage != StorageClass::scratch; });
}

}  // namespace

bool eliminate_dead_stores(ir::Module& module, CompileContext& context) {
  if (!module.functions[0].operations().has(Op::store)) return false;
  const ArenaScope scope(context.scratch);
  return Eliminator(module, context).run();
}

}  // namespace spalt::passes
