// SPDX-License-Identifier: MIT
//
// Statements without control flow: stores, atomics, calls, and the exchange of values in a workgroup.
#include "generator.h"

namespace spalt::random_programs {

namespace {

constexpr uint32_t kHashFactor = 0x01000193;
constexpr uint32_t kHashWord = kSlotWords - 1;
constexpr uint32_t kAcquireReleaseWorkgroup =
    uint32_t{spv::MemorySemanticsAcquireReleaseMask} | uint32_t{spv::MemorySemanticsWorkgroupMemoryMask};

}  // namespace

void FunctionGenerator::trace(Value value) {
  const Id type = s_.type(kUint);
  const Id old = f_.value(spv::OpLoad, type, {s_.hash});
  const Id mixed = f_.value(spv::OpBitwiseXor, type, {old, cast(value, kUint).id});
  const Id scaled = f_.value(spv::OpIMul, type, {mixed, s_.uint_constant(kHashFactor)});
  const Id shifted = f_.value(spv::OpShiftRightLogical, type, {scaled, s_.uint_constant(15)});
  f_.statement(spv::OpStore, {s_.hash, f_.value(spv::OpIAdd, type, {scaled, shifted})});
}

void FunctionGenerator::assign() {
  if (variables_.empty()) return trace(expression(kUint, 2, false));
  const Variable& variable = rng_.pick(variables_);
  const auto [pointer, type] = element(variable);
  const Value value = expression(type, 3, false);
  f_.statement(spv::OpStore, {pointer, value.id});
}

void FunctionGenerator::own_store() {
  if (s_.store_image != 0 && rng_.chance(40)) return image_store();
  const Id type = s_.type(kUint);
  const Value value = expression(kUint, 2, false);
  const Id slot = f_.value(spv::OpLoad, type, {s_.slot});
  const Id first = f_.value(spv::OpIMul, type, {slot, s_.uint_constant(kSlotWords)});
  const Id offset =
      rng_.chance(50) ? cast(index(8, false), kUint).id : s_.uint_constant(rng_.between(8, kHashWord - 1));
  const Id at = f_.value(spv::OpIAdd, type, {first, offset});
  const Id pointer = access(s_.output, spv::StorageClassStorageBuffer, kUint, {s_.uint_constant(0), at});
  f_.statement(spv::OpStore, {pointer, value.id});
}

void FunctionGenerator::store_hash() {
  const Id type = s_.type(kUint);
  const Id slot = f_.value(spv::OpLoad, type, {s_.slot});
  const Id first = f_.value(spv::OpIMul, type, {slot, s_.uint_constant(kSlotWords)});
  const Id at = f_.value(spv::OpIAdd, type, {first, s_.uint_constant(kHashWord)});
  const Id pointer = access(s_.output, spv::StorageClassStorageBuffer, kUint, {s_.uint_constant(0), at});
  f_.statement(spv::OpStore, {pointer, f_.value(spv::OpLoad, type, {s_.hash})});
}

void FunctionGenerator::record_store() {
  constexpr Type kMembers[] = {{Base::Int, 3}, kInt, kInt, {Base::Uint, 2}};
  const uint32_t member = rng_.below(4);
  Type type = kMembers[member];
  const Id slot = f_.value(spv::OpLoad, s_.type(kUint), {s_.slot});
  Words indices = {s_.records, s_.uint_constant(0), slot, s_.uint_constant(member)};
  if (member == 2) indices.push_back(index(4, false).id);
  if (type.size != 1 && rng_.chance(40)) {
    indices.push_back(index(type.size, false).id);
    type.size = 1;
  }
  const Value value = expression(type, 2, false);
  const Id pointer = f_.value(spv::OpAccessChain, s_.pointer(spv::StorageClassStorageBuffer, type), indices);
  f_.statement(spv::OpStore, {pointer, value.id});
}

void FunctionGenerator::atomic() {
  // One operation for each word, so that the final value does not depend on the order; what it returns would.
  constexpr spv::Op kOps[kAtomicWords] = {spv::OpAtomicIAdd, spv::OpAtomicOr,         spv::OpAtomicAnd,
                                          spv::OpAtomicXor,  spv::OpAtomicUMin,       spv::OpAtomicUMax,
                                          spv::OpAtomicISub, spv::OpAtomicIIncrement, spv::OpAtomicSMin,
                                          spv::OpAtomicSMax, spv::OpAtomicIAdd,       spv::OpAtomicIDecrement};
  // Vertices may be computed more than once: a second time must change nothing.
  constexpr uint32_t kIdempotent[] = {1, 2, 4, 5, 8, 9};
  const uint32_t word = s_.stage == Stage::Vertex ? rng_.pick(kIdempotent) : rng_.below(kAtomicWords);
  const bool is_signed = word >= 8;
  const Type type = is_signed ? kInt : kUint;
  const Id pointer = access(s_.atomics, spv::StorageClassStorageBuffer, type,
                            {s_.uint_constant(is_signed ? 1 : 0), s_.uint_constant(is_signed ? word - 8 : word)});
  Words operands = {pointer, s_.uint_constant(spv::ScopeDevice), s_.uint_constant(0)};
  if (kOps[word] != spv::OpAtomicIIncrement && kOps[word] != spv::OpAtomicIDecrement) {
    operands.push_back(expression(type, 2, false).id);
  }
  f_.value(kOps[word], s_.type(type), operands);
}

void FunctionGenerator::array_statement() {
  // A whole variable through a value: copied to another of its type, or with one element replaced.
  if (variables_.empty()) return assign();
  const Variable& from = rng_.pick(variables_);
  if (from.lengths[0] == 0) return assign();
  const Id type = s_.type(from);
  Id whole = f_.value(spv::OpLoad, type, {from.id});
  Words path = {rng_.below(from.lengths[0])};
  if (from.lengths[1] != 0) path.push_back(rng_.below(from.lengths[1]));
  if (rng_.chance(60)) {
    Words operands = {expression(from.element, 2, false).id, whole};
    operands.insert(operands.end(), path.begin(), path.end());
    whole = f_.value(spv::OpCompositeInsert, type, operands);
  }
  if (rng_.chance(50) && from.element.size == 1) {
    Words operands = {whole};
    operands.insert(operands.end(), path.begin(), path.end());
    pool_.push_back({f_.value(spv::OpCompositeExtract, s_.type(from.element), operands), from.element, false});
  }
  std::vector<Id> targets;
  for (const Variable& variable : variables_) {
    if (s_.type(variable) == type) targets.push_back(variable.id);
  }
  f_.statement(spv::OpStore, {rng_.pick(targets), whole});
}

void FunctionGenerator::call() {
  constexpr uint32_t kMostCost = 3000;
  if (s_.callees.empty()) return assign();
  const Callee& callee = rng_.pick(s_.callees);
  if (cost_ + callee.cost * product_ > kMostCost) return assign();
  Words operands = {callee.id};
  for (const Type type : callee.values) operands.push_back(expression(type, 2, false).id);
  for (const Variable& wanted : callee.pointers) {
    std::vector<Id> targets;
    for (const Variable& variable : variables_) {
      const bool fits = variable.storage == spv::StorageClassFunction && s_.type(variable) == s_.type(wanted);
      if (fits) targets.push_back(variable.id);
    }
    if (targets.empty()) {
      const Id id = f_.variable(s_.type(wanted), module_.constant_null(s_.type(wanted)));
      variables_.push_back({id, spv::StorageClassFunction, wanted.element, {wanted.lengths[0], wanted.lengths[1]}});
      targets.push_back(id);
    }
    operands.push_back(rng_.pick(targets));
  }
  pass_pointers(callee, operands);
  cost_ += callee.cost * product_;
  if (callee.result) {
    pool_.push_back({f_.value(spv::OpFunctionCall, s_.type(*callee.result), operands), *callee.result, false});
  } else {
    f_.value(spv::OpFunctionCall, module_.type_void(), operands);
  }
}

void FunctionGenerator::barrier() {
  const Id workgroup = s_.uint_constant(spv::ScopeWorkgroup);
  f_.statement(spv::OpControlBarrier, {workgroup, workgroup, s_.uint_constant(kAcquireReleaseWorkgroup)});
}

void FunctionGenerator::workgroup_total() {
  const Id type = s_.type(kUint), none = s_.uint_constant(0);
  const Id index_id = f_.value(spv::OpLoad, type, {s_.local_index});
  const Id is_first = f_.value(spv::OpIEqual, s_.type(kBool), {index_id, none});
  const Id then = module_.new_id(), merge = module_.new_id();
  f_.statement(spv::OpSelectionMerge, {merge, spv::SelectionControlMaskNone});
  f_.statement(spv::OpBranchConditional, {is_first, then, merge});
  f_.label(then);
  f_.statement(spv::OpStore, {s_.workgroup_sum, none});
  f_.statement(spv::OpBranch, {merge});
  f_.label(merge);
  barrier();
  const Value part = expression(kUint, 2, false);
  f_.value(spv::OpAtomicIAdd, type, {s_.workgroup_sum, s_.uint_constant(spv::ScopeWorkgroup), none, part.id});
  barrier();
  const Value total{f_.value(spv::OpLoad, type, {s_.workgroup_sum}), kUint, true};
  trace(total);
  pool_.push_back(total);
  barrier();
}

void FunctionGenerator::exchange() {
  if (!uniform_) return assign();
  if (rng_.chance(25)) return workgroup_total();
  const auto storage = spv::StorageClassWorkgroup;
  const Id type = s_.type(kUint);
  const Value given = expression(kUint, 2, false);
  const Id own = f_.value(spv::OpLoad, type, {s_.local_index});
  f_.statement(spv::OpStore, {access(s_.workgroup_array, storage, kUint, {own}), given.id});
  barrier();
  const Id shifted = f_.value(spv::OpIAdd, type, {own, s_.uint_constant(rng_.below(s_.invocations))});
  const Id other = f_.value(spv::OpUMod, type, {shifted, s_.uint_constant(s_.invocations)});
  const Value taken{f_.value(spv::OpLoad, type, {access(s_.workgroup_array, storage, kUint, {other})}), kUint, false};
  pool_.push_back(taken);
  trace(taken);
  if (rng_.chance(50)) {
    // Divergent code may read until the next barrier.
    uniform_ = false;
    shared_readable_ = true;
    if_statement(2, true);
    shared_readable_ = false;
    uniform_ = true;
  }
  barrier();
}

}  // namespace spalt::random_programs
