// SPDX-License-Identifier: MIT
//
// Pointers as values: variable pointers to 32-bit words, chosen by select, phi and a variable of pointers, moved,
// compared and subtracted; addresses of records in physical storage, as pointers and as integers; and pointers to
// anything that only the invocation sees, as parameters of functions.
//
// All words that are written belong to the invocation, whichever pointer leads to them.
#include "generator.h"
#include "wide_layout.h"

namespace spalt::random_programs {
namespace {

constexpr uint32_t kPointerWords = 4;  ///< of workgroup memory, for each invocation
constexpr uint32_t kWordStride = 4;
constexpr auto kPhysical = spv::StorageClassPhysicalStorageBuffer;

}  // namespace

void declare_pointers(Shared& s) {
  ModuleBuilder& m = s.module;
  // For OpPtrAccessChain.
  m.decorate(s.pointer(spv::StorageClassStorageBuffer, kUint), {spv::DecorationArrayStride, kWordStride});
  const Id words = m.type_array(s.type(kUint), kPointerWords * s.invocations);
  s.pointer_words = m.variable(spv::StorageClassWorkgroup, words);
  const Id records = m.type_runtime_array(s.record_type, kWideRecordBytes);
  s.physical_type = m.type_pointer(kPhysical, m.type_block({records}, {0}, true));
  s.physical_record = m.type_pointer(kPhysical, s.record_type);
  const Id addresses = m.type_block({m.type_int(false, 64), s.physical_type}, {0, 8}, true);
  s.addresses = m.buffer_variable(spv::StorageClassUniform, addresses, 1, 3);
}

// ---- as parameters ----

void draw_pointer_parameters(Shared& s, Callee& callee) {
  for (uint32_t i = s.rng.below(3); i > 0; --i) {
    const bool is_private = !s.wide_privates.empty() && s.rng.chance(40);
    callee.wide_pointers.push_back(is_private ? s.rng.pick(s.wide_privates) : random_wide_variable(s));
  }
  if (!s.parts.pointers) return;
  for (uint32_t i = s.rng.below(3); i > 0; --i) {
    callee.word_pointers.push_back(s.rng.chance(65) ? spv::StorageClassStorageBuffer : spv::StorageClassWorkgroup);
  }
  callee.record_pointers = s.rng.below(3);
}

void add_pointer_types(Shared& s, const Callee& callee, std::vector<Id>& types) {
  for (const WideVariable& variable : callee.wide_pointers) {
    types.push_back(s.module.type_pointer(variable.storage, s.type(variable)));
  }
  for (const spv::StorageClass storage : callee.word_pointers) types.push_back(s.pointer(storage, kUint));
  types.insert(types.end(), callee.record_pointers, s.physical_record);
}

/// Functions reach words both through variables and through parameters.
void decorate_aliases(Shared& s) {
  bool has_words = false;
  for (const Callee& callee : s.callees) has_words |= !callee.word_pointers.empty();
  if (!has_words) return;
  for (const Id id : {s.output, s.records, s.pointer_words}) s.module.decorate(id, {spv::DecorationAliased});
}

void FunctionGenerator::pass_pointers(const Callee& callee, Words& operands) {
  for (const WideVariable& wanted : callee.wide_pointers) {
    std::vector<Id> targets;
    for (const WideVariable& variable : wide_variables_) {
      if (variable.storage == wanted.storage && s_.type(variable) == s_.type(wanted)) targets.push_back(variable.id);
    }
    if (targets.empty()) {
      WideVariable variable = wanted;
      variable.id = f_.variable(s_.type(wanted), module_.constant_null(s_.type(wanted)));
      wide_variables_.push_back(variable);
      targets.push_back(variable.id);
    }
    operands.push_back(rng_.pick(targets));
  }
  for (const spv::StorageClass storage : callee.word_pointers) operands.push_back(pointer(storage, true, 2));
  for (uint32_t i = 0; i < callee.record_pointers; ++i) operands.push_back(physical_record(1));
}

// ---- variable pointers ----

Id FunctionGenerator::own_word(spv::StorageClass storage, Id word) {
  const bool is_shared = storage == spv::StorageClassWorkgroup;
  const Id slot = f_.value(spv::OpLoad, s_.type(kUint), {is_shared ? s_.local_index : s_.slot});
  const Id first = word_op(spv::OpIMul, slot, s_.uint_constant(is_shared ? kPointerWords : kSlotWords));
  const Id at = word_op(spv::OpIAdd, first, word);
  if (is_shared) return access(s_.pointer_words, storage, kUint, {at});
  return access(s_.output, storage, kUint, {s_.uint_constant(0), at});
}

/// `only_own`: one that may be written.
Id FunctionGenerator::pointer_leaf(spv::StorageClass storage, bool only_own) {
  std::vector<Id> given;
  for (const WordParameter& parameter : word_parameters_) {
    if (parameter.storage == storage) given.push_back(parameter.id);
  }
  if (!given.empty() && rng_.chance(60)) return rng_.pick(given);
  if (storage == spv::StorageClassWorkgroup) return own_word(storage, cast(index(kPointerWords, false), kUint).id);
  const uint32_t kind = rng_.below(100);
  if (kind < 10) {
    const Id slot = f_.value(spv::OpLoad, s_.type(kUint), {s_.slot});
    const Id part = index(2, false).id;
    return access(s_.records, storage, kUint, {s_.uint_constant(0), slot, s_.uint_constant(3), part});
  }
  if (kind < 30 && !only_own) {
    return access(s_.input, storage, kUint, {s_.uint_constant(1), index(kInputWords, false).id});
  }
  if (kind < 60) {
    // One of the first half, and at most as many further.
    const Id base = own_word(storage, s_.uint_constant(rng_.below(4)));
    const Id more = cast(index(4, false), kUint).id;
    return f_.value(spv::OpPtrAccessChain, s_.pointer(storage, kUint), {base, more});
  }
  return own_word(storage, cast(index(8, false), kUint).id);
}

Id FunctionGenerator::pointer(spv::StorageClass storage, bool only_own, unsigned depth) {
  const Id type = s_.pointer(storage, kUint);
  const uint32_t kind = depth == 0 ? 0 : rng_.below(5);
  if (kind == 0) return pointer_leaf(storage, only_own);
  if (kind == 1) {
    const Value chooser = condition(1, false);
    const Id a = pointer(storage, only_own, depth - 1), b = pointer(storage, only_own, depth - 1);
    return f_.value(spv::OpSelect, type, {chooser.id, a, b});
  }
  if (kind == 2) {
    const Id array = module_.type_array(type, 2);
    const Id variable = f_.variable(array);
    const Id element = module_.type_pointer(spv::StorageClassFunction, type);
    for (uint32_t i = 0; i < 2; ++i) {
      const Id value = pointer(storage, only_own, depth - 1);
      const Id place = f_.value(spv::OpAccessChain, element, {variable, s_.uint_constant(i)});
      f_.statement(spv::OpStore, {place, value});
    }
    const Id at = index(2, false).id;
    const Id place = f_.value(spv::OpAccessChain, element, {variable, at});
    return f_.value(spv::OpLoad, type, {place});
  }
  const Value chooser = condition(1, false);
  const Id then = module_.new_id(), otherwise = module_.new_id(), merge = module_.new_id();
  f_.statement(spv::OpSelectionMerge, {merge, spv::SelectionControlMaskNone});
  f_.statement(spv::OpBranchConditional, {chooser.id, then, otherwise});
  Words operands;
  const size_t pool_size = pool_.size();
  for (const Id label : {then, otherwise}) {
    f_.label(label);
    const bool was_uniform = std::exchange(uniform_, false);
    operands.push_back(pointer(storage, only_own, depth - 1));
    uniform_ = was_uniform;
    cut_pool(pool_size);
    operands.push_back(f_.current_block());
    f_.statement(spv::OpBranch, {merge});
  }
  f_.label(merge);
  return f_.value(spv::OpPhi, type, operands);
}

/// Adds up what a pointer leads to that goes from word to word.
void FunctionGenerator::pointer_walk() {
  const Id type = s_.pointer(spv::StorageClassStorageBuffer, kUint), word = s_.type(kUint);
  const Value turns = masked(leaf(kUint, false), 3);
  const Id start = own_word(spv::StorageClassStorageBuffer, s_.uint_constant(rng_.below(4)));
  const Id before = f_.current_block(), header = module_.new_id(), merge = module_.new_id(), body = module_.new_id(),
           next = module_.new_id();
  f_.statement(spv::OpBranch, {header});
  f_.label(header);
  const auto place = f_.open_phi(type, start, before);
  const auto turn = f_.open_phi(word, s_.uint_constant(0), before);
  const auto sum = f_.open_phi(word, turns.id, before);
  const Id goes_on = f_.value(spv::OpULessThan, s_.type(kBool), {turn.id, turns.id});
  f_.statement(spv::OpLoopMerge, {merge, next, spv::LoopControlMaskNone});
  f_.statement(spv::OpBranchConditional, {goes_on, body, merge});
  f_.label(body);
  const Id there = f_.value(spv::OpLoad, word, {place.id});
  const Id added = word_op(spv::OpIAdd, sum.id, there);
  if (rng_.chance(50)) f_.statement(spv::OpStore, {place.id, added});
  f_.statement(spv::OpBranch, {next});
  f_.label(next);
  f_.close_phi(place, f_.value(spv::OpPtrAccessChain, type, {place.id, s_.uint_constant(1)}), next);
  f_.close_phi(turn, word_op(spv::OpIAdd, turn.id, s_.uint_constant(1)), next);
  f_.close_phi(sum, added, next);
  f_.statement(spv::OpBranch, {header});
  f_.label(merge);
  take({sum.id, 32, false, false});
}

void FunctionGenerator::pointer_statement() {
  const auto storage = rng_.chance(70) ? spv::StorageClassStorageBuffer : spv::StorageClassWorkgroup;
  const Id word = s_.type(kUint);
  if (rng_.chance(20)) return call();
  switch (rng_.below(6)) {
    case 0: {
      const Id a = pointer(storage, false, 1), b = pointer(storage, false, 1);
      const spv::Op op = rng_.chance(50) ? spv::OpPtrEqual : spv::OpPtrNotEqual;
      const Value result{f_.value(op, s_.type(kBool), {a, b}), kBool, false};
      trace(result);
      pool_.push_back(result);
      return;
    }
    case 1: {
      // Of one array.
      const Id at = cast(index(8, false), kUint).id, other = cast(index(8, false), kUint).id;
      const Id a = own_word(spv::StorageClassStorageBuffer, at);
      const Id b = own_word(spv::StorageClassStorageBuffer, other);
      return take({f_.value(spv::OpPtrDiff, word, {a, b}), 32, false, false});
    }
    case 2:
      return pointer_walk();
    case 3: {
      const Id place = pointer(storage, false, 2);
      return take({f_.value(spv::OpLoad, word, {place}), 32, false, false});
    }
    default: {
      const Id place = pointer(storage, true, 2);
      const Value value = expression(kUint, 2, false);
      f_.statement(spv::OpStore, {place, value.id});
      if (rng_.chance(60)) take({f_.value(spv::OpLoad, word, {place}), 32, false, false});
    }
  }
}

/// Workgroup memory is what it was before; nobody may see that.
void FunctionGenerator::clear_pointer_words() {
  for (uint32_t i = 0; i < kPointerWords; ++i) {
    const Id place = own_word(spv::StorageClassWorkgroup, s_.uint_constant(i));
    f_.statement(spv::OpStore, {place, s_.uint_constant(i)});
  }
}

// ---- addresses ----

Id FunctionGenerator::address_of_records() {
  const Id wide = module_.type_int(false, 64);
  const Id pointer = module_.type_pointer(spv::StorageClassUniform, wide);
  return f_.value(spv::OpLoad, wide, {f_.value(spv::OpAccessChain, pointer, {s_.addresses, s_.uint_constant(0)})});
}

/// A pointer to all records.
Id FunctionGenerator::physical_records() {
  switch (rng_.below(3)) {
    case 0: {
      const Id pointer = module_.type_pointer(spv::StorageClassUniform, s_.physical_type);
      const Id place = f_.value(spv::OpAccessChain, pointer, {s_.addresses, s_.uint_constant(1)});
      return f_.value(spv::OpLoad, s_.physical_type, {place});
    }
    case 1:
      return f_.value(spv::OpConvertUToPtr, s_.physical_type, {address_of_records()});
    default: {
      const Id words = f_.value(spv::OpBitcast, s_.type({Base::Uint, 2}), {address_of_records()});
      return f_.value(spv::OpBitcast, s_.physical_type, {words});
    }
  }
}

/// A pointer to one of the two records of the invocation.
Id FunctionGenerator::physical_record(unsigned depth) {
  const Id wide = module_.type_int(false, 64);
  if (!record_parameters_.empty() && rng_.chance(60)) return rng_.pick(record_parameters_);
  if (depth > 0 && rng_.chance(30)) {
    const Value chooser = condition(1, false);
    const Id a = physical_record(depth - 1), b = physical_record(depth - 1);
    return f_.value(spv::OpSelect, s_.physical_record, {chooser.id, a, b});
  }
  const Id slot = f_.value(spv::OpLoad, s_.type(kUint), {s_.slot});
  const Id first = word_op(spv::OpIMul, slot, s_.uint_constant(2));
  const Id record = word_op(spv::OpIAdd, first, cast(index(2, false), kUint).id);
  if (rng_.chance(50)) {
    const Id all = physical_records();
    return f_.value(spv::OpAccessChain, s_.physical_record, {all, s_.uint_constant(0), record});
  }
  const Id number = f_.value(spv::OpUConvert, wide, {record});
  const Id offset = f_.value(spv::OpIMul, wide, {number, module_.constant64(wide, kWideRecordBytes)});
  const Id address = f_.value(spv::OpIAdd, wide, {address_of_records(), offset});
  return f_.value(spv::OpConvertUToPtr, s_.physical_record, {address});
}

WidePlace FunctionGenerator::physical_place(uint32_t field) {
  const Id record = physical_record(1);
  WidePlace place = wide_place(record, kPhysical, {}, kRecordFields, field, false);
  place.uniform = false;
  place.align = place.bits / 8;
  if (rng_.chance(20)) {
    // There and back as an integer, or as the distance from the start.
    const Id wide = module_.type_int(false, 64);
    const Id address = f_.value(spv::OpConvertPtrToU, wide, {place.pointer});
    const Id distance = f_.value(spv::OpISub, wide, {address, address_of_records()});
    take({distance, 64, false, false});
  }
  return place;
}

}  // namespace spalt::random_programs
