// SPDX-License-Identifier: MIT
#include "ir/function.h"

#include <algorithm>
#include <bit>
#include <functional>

#include "base/ice.h"

namespace spalt::ir {
namespace {

uint64_t hash_constant(Op op, Type type, uint64_t bits) {
  uint64_t h = bits * 0x9e3779b97f4a7c15ull;
  h ^= (static_cast<uint64_t>(op) << 16 | static_cast<uint64_t>(type.scalar) << 8 | type.components) *
       0xff51afd7ed558ccdull;
  return h ^ (h >> 29);
}

uint64_t exponent_bits(Type type) {
  return type == kF16 ? 0x7c00u : type == kF32 ? 0x7f800000u : 0x7ff0000000000000u;
}

}  // namespace

/// Operands may be a view of the pool itself, which moves now.
void Function::append_growing(std::span<const Value> operands) {
  const size_t begin = operand_pool_.size(), count = operands.size();
  const Value *first = operands.data(), *pool = operand_pool_.data();
  const bool inside = std::greater_equal<>()(first, pool) && std::less<>()(first, pool + begin);
  const size_t at = inside ? static_cast<size_t>(first - pool) : 0;
  operand_pool_.resize(begin + count);
  const Value* from = inside ? operand_pool_.data() + at : first;
  for (size_t i = 0; i < count; ++i) operand_pool_[begin + i] = from[i];
}

BlockId Function::create_block() {
  ++flow_epoch_;
  return blocks_.push_back(Block(layout_.arena()));
}

void Function::add_edge(BlockId from, BlockId to) {
  ++flow_epoch_;
  blocks_[from].succs.push_back(to);
  blocks_[to].preds.push_back(from);
}

void Function::set_operands(Value value, std::span<const Value> operands) {
  Inst& inst = insts_[value];
  if (operands.size() > inst.operand_count) {
    inst.operand_begin = append_operands(operands);
  } else {
    for (size_t i = 0; i < operands.size(); ++i) operand_pool_[inst.operand_begin + i] = operands[i];
  }
  inst.operand_count = static_cast<uint32_t>(operands.size());
}

void Function::push_operand(Value value, Value operand) {
  Inst& inst = insts_[value];
  if (inst.operand_begin + inst.operand_count != operand_pool_.size()) {
    inst.operand_begin = append_operands(operands(value));
  }
  operand_pool_.push_back(operand);
  ++inst.operand_count;
}

void Function::erase_operand(Value value, unsigned index) {
  const std::span<Value> list = operands(value);
  std::copy(list.begin() + index + 1, list.end(), list.begin() + index);
  --insts_[value].operand_count;
}

Value Function::constant(Type type, uint64_t bits) {
  SPALT_ASSERT(!type.is_vector());
  const unsigned width = type.scalar_bits();
  if (width < 64) bits &= (uint64_t{1} << width) - 1;
  if (constant_count_ * 2 >= constant_table_.size()) {
    Vector<Value> old(constant_table_.empty() ? 64 : constant_table_.size() * 2, Value(), constant_table_.arena());
    old.swap(constant_table_);
    for (Value entry : old) {
      if (!entry.valid()) continue;
      const Inst& inst = insts_[entry];
      size_t slot = hash_constant(inst.op, inst.type, inst.imm) & (constant_table_.size() - 1);
      while (constant_table_[slot].valid()) slot = (slot + 1) & (constant_table_.size() - 1);
      constant_table_[slot] = entry;
    }
  }
  size_t slot = hash_constant(Op::constant, type, bits) & (constant_table_.size() - 1);
  while (constant_table_[slot].valid()) {
    const Inst& inst = insts_[constant_table_[slot]];
    if (inst.type == type && inst.imm == bits) return constant_table_[slot];
    slot = (slot + 1) & (constant_table_.size() - 1);
  }
  Inst inst;
  inst.op = Op::constant;
  inst.type = type;
  inst.imm = bits;
  const Value value = insts_.push_back(inst);
  constant_table_[slot] = value;
  ++constant_count_;
  constants_ |= 1u << static_cast<unsigned>(type.scalar);
  return value;
}

Value Function::constant_f32(float value) {
  return constant(kF32, std::bit_cast<uint32_t>(value));
}

Value Function::undef(Type type) {
  operations_.add(Op::undef);
  Inst inst;
  inst.op = Op::undef;
  inst.type = type;
  return insts_.push_back(inst);
}

Value Function::add_param(Type type) {
  Inst inst;
  inst.op = Op::param;
  inst.type = type;
  inst.imm = params.size();
  const Value value = insts_.push_back(inst);
  params.push_back(value);
  return value;
}

void Function::set_operation(Value value, Op op, Type type, uint64_t imm, uint16_t flags) {
  operations_.add(op);
  results_ |= 1u << static_cast<unsigned>(type.scalar);
  Inst& inst = insts_[value];
  inst.op = op;
  inst.type = type;
  inst.imm = imm;
  inst.flags = flags;
}

void Function::prepend_phi(BlockId id, Value value) {
  if (blocks_[id].first.valid()) {
    insert_before(blocks_[id].first, value);
  } else {
    append(id, value);
  }
}

void Function::insert_before(Value position, Value value) {
  Inst& at = insts_[position];
  Inst& inst = insts_[value];
  if (inst.origin == 0) inst.origin = at.origin;
  inst.block = at.block;
  inst.prev = at.prev;
  inst.next = position;
  if (at.prev.valid()) {
    insts_[at.prev].next = value;
  } else {
    blocks_[at.block].first = value;
  }
  at.prev = value;
}

void Function::insert_after(Value position, Value value) {
  if (insts_[value].origin == 0) insts_[value].origin = insts_[position].origin;
  const Value following = insts_[position].next;
  if (following.valid()) {
    insert_before(following, value);
  } else {
    append(insts_[position].block, value);
  }
}

void Function::unlink(Value value) {
  Inst& inst = insts_[value];
  Block& block = blocks_[inst.block];
  if (inst.prev.valid()) {
    insts_[inst.prev].next = inst.next;
  } else {
    block.first = inst.next;
  }
  if (inst.next.valid()) {
    insts_[inst.next].prev = inst.prev;
  } else {
    block.last = inst.prev;
  }
  inst.block = BlockId();
  inst.prev = inst.next = Value();
}

bool is_flushed(const Function& function, Value value) {
  const auto moves_bits = [&] { return function.inst(value).op == Op::fneg || function.inst(value).op == Op::fabs; };
  while (moves_bits()) value = function.operand(value, 0);
  const Inst& inst = function.inst(value);
  if (inst.op == Op::constant) return (inst.imm & exponent_bits(inst.type)) != 0;
  return group(inst.op) == OpGroup::floating || group(inst.op) == OpGroup::float_convert;
}

}  // namespace spalt::ir
