// SPDX-License-Identifier: MIT
#include "passes/simplify/known_memory.h"

#include <algorithm>

namespace spalt::passes {

using analysis::MemoryPlace;
using analysis::Overlap;
using ir::BlockId;
using ir::MemoryOrder;
using ir::Op;
using ir::StorageClass;
using ir::Value;

namespace {

constexpr size_t kMaxEntries = 32;
/// A loop with more writes forgets everything.
constexpr size_t kMaxLoopWrites = 32;

bool acquires(const ir::MemoryAccess& access) {
  return access.order == MemoryOrder::acquire || access.order == MemoryOrder::acq_rel ||
         access.order == MemoryOrder::seq_cst;
}

uint32_t all_of(ir::Type type) {
  return (1u << type.components) - 1;
}

bool changes_memory(const ir::Function& function, Value value) {
  const Op op = function.inst(value).op;
  const ir::OpInfo& info = ir::info(op);
  if (ir::group(op) == ir::OpGroup::synchronize || info.has(ir::kWrites)) return true;
  return info.has(ir::kReads) && acquires(function.access(value));
}

}  // namespace

KnownMemory::KnownMemory(const ir::Function& function, std::span<const ir::Binding> bindings,
                         const analysis::Dominance& dominance, const analysis::Loops& loops, Arena& scratch)
    : function_(function),
      bindings_(bindings),
      dominance_(dominance),
      loops_(loops),
      entries_(scratch),
      writes_(scratch) {}

void KnownMemory::enter(BlockId block) {
  block_ = block;
  if (entries_.empty()) return;
  erase_if(entries_, [&](const Entry& entry) { return !dominance_.dominates(entry.block, block); });
  if (!entries_.empty() && function_.block(block).is_loop_header()) enter_loop();
}

/// Those of a loop inside of one that has been listed are there.
void KnownMemory::list_writes(uint32_t first, uint32_t last) {
  for (uint32_t position = std::max(first, listed_); position <= last; ++position) {
    for (Value value : ir::insts(function_, function_.layout()[position])) {
      if (changes_memory(function_, value)) writes_.push_back({position, value});
    }
  }
  listed_ = std::max(listed_, last + 1);
}

void KnownMemory::enter_loop() {
  const uint32_t loop = loops_.loop_of(block_), position = loops_.position(block_);
  if (loop == analysis::kNoLoop) return;
  list_writes(position, loops_[loop].last);
  const auto before = [](const Write& write, uint32_t wanted) { return write.position < wanted; };
  const auto first = std::lower_bound(writes_.begin(), writes_.end(), position, before);
  const auto last = std::lower_bound(first, writes_.end(), loops_[loop].last + 1, before);
  if (static_cast<size_t>(last - first) > kMaxLoopWrites) {
    entries_.clear();
    return;
  }
  for (auto write = first; write != last; ++write) forget_writes_of(write->operation);
}

void KnownMemory::remember(const MemoryPlace& place, Value data) {
  const Entry entry{place, data, block_, all_of(function_.type(data))};
  if (entries_.size() < kMaxEntries) {
    entries_.push_back(entry);
  } else {
    entries_[next_++ % kMaxEntries] = entry;
  }
}

void KnownMemory::forget_writes_of(Value operation) {
  const Op op = function_.inst(operation).op;
  if (op == Op::memory_barrier || op == Op::control_barrier) return forget_shared();
  if (op == Op::store || ir::is_atomic(op)) return forget_written(analysis::memory_place(function_, operation));
  if (acquires(function_.access(operation))) forget_shared();
  if (ir::info(op).has(ir::kWrites)) forget_image(function_.operand(operation, 0));
}

void KnownMemory::forget_written(const MemoryPlace& place) {
  if (acquires(place.access)) forget_shared();
  forget(place);
}

void KnownMemory::forget(const MemoryPlace& place) {
  erase_if(entries_, [&](Entry& entry) {
    if (analysis::overlap(function_, bindings_, entry.place, place) == Overlap::never) return false;
    return forget_components(entry, place);
  });
}

/// Of a vector, what is certainly beside the place stays known. Whether nothing does.
bool KnownMemory::forget_components(Entry& entry, const MemoryPlace& place) {
  const unsigned components = type(entry).components;
  if (components == 1) return true;
  MemoryPlace component = entry.place;
  component.bytes /= components;
  for (unsigned i = 0; i < components; ++i) {
    if (analysis::overlap(function_, bindings_, component, place) != Overlap::never) entry.valid &= ~(1u << i);
    component.first += component.bytes;
  }
  return entry.valid == 0;
}

/// Texels may be in the memory of buffers.
void KnownMemory::forget_image(Value image) {
  erase_if(entries_,
           [&](const Entry& entry) { return analysis::image_may_overlap(function_, bindings_, image, entry.place); });
}

/// What other invocations may have written becomes visible; scratch belongs to this one.
void KnownMemory::forget_shared() {
  erase_if(entries_, [](const Entry& entry) { return entry.place.access.storage != StorageClass::scratch; });
}

Value KnownMemory::find_whole(const MemoryPlace& place) const {
  for (const Entry& entry : entries_) {
    if (entry.place.first != place.first || entry.place.bytes != place.bytes) continue;
    if (analysis::same_origin(entry.place, place) && entry.valid == all_of(type(entry))) return entry.data;
  }
  return {};
}

bool KnownMemory::find(const MemoryPlace& place, ir::Type wanted, unsigned component, Part& part) const {
  const unsigned bytes = place.bytes / wanted.components;
  if (bytes == 0) return false;
  const uint64_t at = place.first + uint64_t{component} * bytes;
  for (const Entry& entry : entries_) {
    if (at < entry.place.first || at + bytes > entry.place.first + entry.place.bytes) continue;
    const unsigned unit = type(entry).scalar_bits() / 8;
    if (!analysis::same_origin(entry.place, place) || unit < bytes) continue;
    const uint64_t distance = at - entry.place.first, index = distance / unit, inside = distance % unit;
    if (inside % bytes != 0 || (entry.valid >> index & 1) == 0) continue;
    part = {entry.data, static_cast<uint32_t>(index), static_cast<uint32_t>(inside * 8)};
    return true;
  }
  return false;
}

}  // namespace spalt::passes
