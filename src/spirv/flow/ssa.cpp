// SPDX-License-Identifier: MIT
#include "spirv/flow/ssa.h"

#include <utility>

namespace spalt::spirv {
namespace {

using ir::BlockId;
using ir::Op;
using ir::Type;
using ir::Value;

uint64_t table_key(BlockId block, uint32_t slot) {
  return (static_cast<uint64_t>(block.index) << 32 | slot) + 1;
}
size_t table_hash(uint64_t key) {
  key *= 0x9e3779b97f4a7c15ull;
  return static_cast<size_t>(key ^ (key >> 32));
}

}  // namespace

uint32_t Ssa::add_slot(Type type) {
  slots_.push_back({type});
  return slots_.size() - 1;
}

Value Ssa::undef(Type type) {
  if (type.is_vector()) return function_.undef(type);
  Value& value = undefs_[static_cast<unsigned>(type.scalar)];
  if (!value.valid()) value = function_.undef(type);
  return value;
}

void Ssa::begin_block(BlockId block, BlockId dominator, bool sealed) {
  flush();
  if (blocks_.size() <= block.index) blocks_.resize(function_.block_capacity());
  BlockState& state = blocks_[block.index];
  state.sequence = state.last_pred = ++sequence_;
  state.dominator = dominator;
  state.sealed = sealed;
  current_ = block;
}

void Ssa::flush() {
  for (const uint32_t slot : touched_) {
    define(current_, slot, slots_[slot].value);
    slots_[slot].stamp = 0;
  }
  touched_.clear();
}

void Ssa::write(uint32_t slot, Value value) {
  Slot& entry = slots_[slot];
  if (entry.stamp != sequence_) {
    entry.stamp = sequence_;
    touched_.push_back(slot);
  }
  entry.value = value;
  if (entry.last_write != sequence_) {
    if (entry.last_write != 0) entry.older_write = add_older_write(entry.last_write, entry.older_write);
    entry.last_write = sequence_;
  }
  ++work_;
}

Value Ssa::read(uint32_t slot) {
  ++work_;
  if (slots_[slot].stamp == sequence_) return resolve(slots_[slot].value);
  const Value value = lookup(current_, slot);
  fill_pending(slot);
  const Value result = resolve(value);
  Slot& entry = slots_[slot];
  if (entry.stamp != sequence_) {
    entry.stamp = sequence_;
    touched_.push_back(slot);
  }
  entry.value = result;
  return result;
}

uint32_t Ssa::last_write_before(const Slot& slot, uint32_t before) const {
  if (slot.last_write < before) return slot.last_write;
  uint32_t at = slot.older_write;
  while (at != kNoEntry && older_writes_[at].sequence >= before) {
    const OlderWrite& write = older_writes_[at];
    at = write.jump != at && older_writes_[write.jump].sequence >= before ? write.jump : write.previous;
  }
  return at == kNoEntry ? 0 : older_writes_[at].sequence;
}

uint32_t Ssa::add_older_write(uint32_t sequence, uint32_t previous) {
  const uint32_t index = older_writes_.size();
  OlderWrite write{sequence, previous, index, 1};
  if (previous != kNoEntry) {
    const OlderWrite& next = older_writes_[previous];
    const OlderWrite& far = older_writes_[next.jump];
    const bool equal_jumps = next.length - far.length == far.length - older_writes_[far.jump].length;
    write.jump = equal_jumps ? far.jump : previous;
    write.length = next.length + 1;
  }
  older_writes_.push_back(write);
  return index;
}

/// The value of the slot at the end of `block` (of the current block: at its start). May create phis whose operands are
/// still missing.
Value Ssa::lookup(BlockId block, uint32_t slot) {
  while (true) {
    ++work_;
    if (const Value found = find(block, slot); found.valid()) return resolve(found);
    const BlockState& state = blocks_[block.index];
    const auto& preds = function_.block(block).preds;
    if (!state.sealed) return make_phi(block, slot);
    if (preds.empty()) return undef(slots_[slot].type);
    if (preds.size() == 1) {
      block = preds[0];
      continue;
    }
    const uint32_t end = state.last_pred;
    const uint32_t written = last_write_before(slots_[slot], end);
    if (!state.dominator.valid() || written > blocks_[state.dominator.index].sequence) return make_phi(block, slot);
    // Nothing was stored between the dominator and here, nor between here and its dominators after the last store;
    // except where one of them is the header of a loop that goes on after `end`.
    block = state.dominator;
    while (true) {
      const BlockState& above = blocks_[block.index];
      if (!above.sealed || above.last_pred > end || !above.dominator.valid()) break;
      if (blocks_[above.dominator.index].sequence < written) break;
      block = above.dominator;
    }
  }
}

Value Ssa::make_phi(BlockId block, uint32_t slot) {
  const bool sealed = blocks_[block.index].sealed;
  // One place is kept for the back edge of a loop header, so that completing the phi needs no new operand list.
  const size_t edges = function_.block(block).preds.size() + (sealed ? 0 : 1);
  operands_.assign(edges, undef(slots_[slot].type));
  work_ += edges;
  const Value phi = function_.create(Op::phi, slots_[slot].type, operands_);
  function_.prepend_phi(block, phi);
  define(block, slot, phi);
  if (sealed) {
    pending_.push_back({block, slot, phi});
  } else {
    incomplete_.push_back({block, slot, phi, blocks_[block.index].incomplete});
    blocks_[block.index].incomplete = static_cast<uint32_t>(incomplete_.size() - 1);
  }
  return phi;
}

void Ssa::fill_pending(uint32_t slot) {
  const size_t first = phis_.size();
  while (!pending_.empty()) {
    const Incomplete entry = pending_.back();
    pending_.pop_back();
    fill_phi(entry.block, slot, entry.phi);
    phis_.push_back(entry.phi);
  }
  // Phis made later are operands of those made earlier: going backwards finds most chains of trivial ones at once.
  for (size_t i = phis_.size(); i > first; --i) forward_if_trivial(phis_[i - 1]);
}

void Ssa::fill_phi(BlockId block, uint32_t slot, Value phi) {
  const size_t edges = function_.block(block).preds.size();
  for (size_t i = 0; i < edges; ++i) {
    const Value value = lookup(function_.block(block).preds[i], slot);
    function_.set_operand(phi, static_cast<unsigned>(i), value);
  }
  if (function_.inst(phi).operand_count > edges) {
    function_.set_operands(phi, function_.operands(phi).first(edges));
  }
}

void Ssa::seal(BlockId block) {
  flush();
  blocks_[block.index].sealed = true;
  blocks_[block.index].last_pred = sequence_ + 1;
  const size_t first = phis_.size();
  // Filling may make phis in headers around this one, never in this one.
  for (uint32_t i = blocks_[block.index].incomplete; i != kNoEntry;) {
    const Incomplete entry = incomplete_[i];
    fill_phi(entry.block, entry.slot, entry.phi);
    phis_.push_back(entry.phi);
    fill_pending(entry.slot);
    i = entry.next;
  }
  blocks_[block.index].incomplete = kNoEntry;
  for (size_t i = phis_.size(); i > first; --i) forward_if_trivial(phis_[i - 1]);
}

Value Ssa::create_phi(BlockId block, Type type, std::span<const Value> operands) {
  const Value phi = function_.create(Op::phi, type, operands);
  function_.prepend_phi(block, phi);
  phis_.push_back(phi);
  work_ += operands.size();
  return phi;
}

void Ssa::define(BlockId block, uint32_t slot, Value value) {
  if ((table_used_ + 1) * 2 > table_.size()) grow_table();
  const uint64_t key = table_key(block, slot);
  size_t at = table_hash(key) & (table_.size() - 1);
  while (table_[at].key != 0 && table_[at].key != key) at = (at + 1) & (table_.size() - 1);
  if (table_[at].key == 0) ++table_used_;
  table_[at] = {key, value};
}

Value Ssa::find(BlockId block, uint32_t slot) const {
  if (table_.empty()) return {};
  const uint64_t key = table_key(block, slot);
  size_t at = table_hash(key) & (table_.size() - 1);
  while (table_[at].key != 0) {
    if (table_[at].key == key) return table_[at].value;
    at = (at + 1) & (table_.size() - 1);
  }
  return {};
}

void Ssa::grow_table() {
  const Vector<Definition> old(std::move(table_));
  table_.resize(old.empty() ? 64 : size_t{old.size()} * 2);
  for (const Definition& entry : old) {
    if (entry.key == 0) continue;
    size_t at = table_hash(entry.key) & (table_.size() - 1);
    while (table_[at].key != 0) at = (at + 1) & (table_.size() - 1);
    table_[at] = entry;
  }
}

// A forwarded phi is out of its block and holds the index of its value, plus 1, as immediate.
Value Ssa::resolve(Value value) const {
  while (true) {
    ir::Inst& inst = function_.inst(value);
    if (inst.op != Op::phi || inst.imm == 0) return value;
    const Value next(static_cast<uint32_t>(inst.imm - 1));
    const ir::Inst& following = function_.inst(next);
    if (following.op == Op::phi && following.imm != 0) inst.imm = following.imm;  // halves the path
    value = next;
  }
}

bool Ssa::forward_if_trivial(Value phi) {
  if (function_.inst(phi).imm != 0) return false;
  Value only;
  for (const Value operand : function_.operands(phi)) {
    const Value value = resolve(operand);
    if (value == phi || value == only) continue;
    if (only.valid()) return false;
    only = value;
  }
  work_ += function_.inst(phi).operand_count;
  if (!only.valid()) only = undef(function_.type(phi));
  function_.unlink(phi);
  function_.inst(phi).imm = uint64_t{only.index} + 1;
  forwarded_any_ = true;
  return true;
}

void Ssa::finish() {
  simplify_phis();
  if (forwarded_any_) rewrite_operands();
}

/// Forwards trivial phis until none is left. Each phi keeps a list of the phis that use it; a forwarded phi hands its
/// list on to its value, so the work is near linear in the number of operands.
void Ssa::simplify_phis() {
  struct Link {
    uint32_t user;
    uint32_t next;
  };
  constexpr uint32_t kEnd = 0xffffffffu;
  if (phis_.empty()) return;
  Vector<uint32_t> number(scratch_, function_.value_capacity(), kEnd);
  for (uint32_t i = 0; i < phis_.size(); ++i) number[phis_[i].index] = i;
  Vector<uint32_t> head(scratch_, phis_.size(), kEnd), tail(scratch_, phis_.size(), kEnd);
  Vector<Link> links(scratch_);
  for (uint32_t i = 0; i < phis_.size(); ++i) {
    if (function_.inst(phis_[i]).imm != 0) continue;
    for (const Value operand : function_.operands(phis_[i])) {
      const uint32_t used = number[resolve(operand).index];
      if (used == kEnd || used == i) continue;
      links.push_back({i, head[used]});
      head[used] = static_cast<uint32_t>(links.size() - 1);
      if (tail[used] == kEnd) tail[used] = head[used];
    }
  }
  Vector<uint32_t> worklist(scratch_, phis_.size());
  for (uint32_t i = 0; i < phis_.size(); ++i) worklist[i] = i;
  while (!worklist.empty()) {
    const uint32_t i = worklist.back();
    worklist.pop_back();
    if (!forward_if_trivial(phis_[i])) continue;
    for (uint32_t link = head[i]; link != kEnd; link = links[link].next) worklist.push_back(links[link].user);
    const uint32_t target = number[resolve(phis_[i]).index];
    if (target == kEnd || head[i] == kEnd) continue;
    links[tail[i]].next = head[target];
    head[target] = head[i];
    if (tail[target] == kEnd) tail[target] = tail[i];
  }
}

void Ssa::rewrite_operands() {
  for (uint32_t i = 0; i < function_.value_capacity(); ++i) {
    for (Value& operand : function_.operands(Value(i))) operand = resolve(operand);
  }
}

}  // namespace spalt::spirv
