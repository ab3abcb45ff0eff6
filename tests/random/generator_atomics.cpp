// SPDX-License-Identifier: MIT
//
// Atomic operations on integers of 64 bits and on floats. Where invocations share what is changed, all use the same
// operation, and only the last value is looked at: it does not depend on their order, since sums of floats are exact.
// What an operation returns is looked at where one invocation alone has the memory.
#include "generator.h"
#include "wide_layout.h"

namespace spalt::random_programs {
namespace {

constexpr spv::Op kIntegerOps[] = {spv::OpAtomicIAdd, spv::OpAtomicOr,   spv::OpAtomicAnd,  spv::OpAtomicXor,
                                   spv::OpAtomicUMin, spv::OpAtomicUMax, spv::OpAtomicSMin, spv::OpAtomicSMax};
constexpr spv::Op kFloatOps[] = {spv::OpAtomicFAddEXT, spv::OpAtomicFMinEXT, spv::OpAtomicFMaxEXT};

struct Format {
  uint32_t bits;
  bool is_float;
};
constexpr Format kFormats[] = {{64, false}, {64, true}, {32, true}, {16, true}};

}  // namespace

void declare_cells(Shared& s) {
  ModuleBuilder& m = s.module;
  std::vector<Id> members;
  std::vector<uint32_t> offsets;
  for (const WideField& field : kCellFields) {
    members.push_back(m.type_array(s.scalar_type(field.bits, field.is_float), field.length, field.bits / 8));
    offsets.push_back(field.offset);
  }
  s.cells = m.buffer_variable(spv::StorageClassStorageBuffer, m.type_block(members, offsets, true), 1, 5);
  for (const Format& format : kFormats) {
    const Id id = m.variable(spv::StorageClassWorkgroup, s.scalar_type(format.bits, format.is_float));
    s.workgroup_cells.push_back({id, spv::StorageClassWorkgroup, format.bits, format.is_float, 0});
  }
}

/// Floats of 32 bits are so small that any number of sums is exact.
Number FunctionGenerator::atomic_operand(uint32_t bits, bool is_float) {
  if (!is_float) return computed(bits, 1, false);
  if (bits != 32) return whole(bits, 1, false);
  const Value some = masked(expression(kInt, 1, false), 31);
  const Value number = make(spv::OpISub, kInt, {some, splat(kInt, 16)});
  return {f_.value(spv::OpConvertSToF, module_.type_float(bits), {number.id}), bits, false, true};
}

Id FunctionGenerator::wide_atomic(spv::Op op, const WidePlace& place, uint32_t scope,
                                  std::initializer_list<Id> values) {
  Words operands = {place.pointer, s_.uint_constant(scope), s_.uint_constant(0)};
  if (op == spv::OpAtomicCompareExchange) operands.push_back(s_.uint_constant(0));
  operands.insert(operands.end(), values);
  if (op == spv::OpAtomicStore) {
    f_.statement(op, operands);
    return 0;
  }
  return f_.value(op, s_.scalar_type(place.bits, place.is_float), operands);
}

void FunctionGenerator::cell_atomic() {
  const uint32_t number = rng_.below(static_cast<uint32_t>(std::size(kCellFields)));
  const WideField& field = kCellFields[number];
  const uint32_t element = rng_.below(field.length);
  // A sum of many halves is not exact.
  const bool has_sum = field.length == std::size(kFloatOps);
  const spv::Op op = field.is_float ? kFloatOps[has_sum ? element : element + 1] : kIntegerOps[element];
  const Number value = atomic_operand(field.bits, field.is_float);
  const Id type = module_.type_pointer(spv::StorageClassStorageBuffer, s_.scalar_type(field.bits, field.is_float));
  const Id pointer =
      f_.value(spv::OpAccessChain, type, {s_.cells, s_.uint_constant(number), s_.uint_constant(element)});
  wide_atomic(op, {pointer, field.bits, field.is_float}, spv::ScopeDevice, {value.id});
}

/// In a buffer, by address or in workgroup memory; with a value that is known.
WidePlace FunctionGenerator::own_cell() {
  // An element of an array, so that the place has one component: 64-bit integers, doubles, halves.
  constexpr uint32_t kFields[] = {0, 1, 3};
  const uint32_t kind = rng_.below(s_.parts.pointers ? 4 : 3);
  if (kind == 0) {
    const WideVariable* array = nullptr;
    do {
      array = &rng_.pick(s_.workgroup_wide);
    } while (array->bits != 64 && !array->is_float);
    const Id own = f_.value(spv::OpLoad, s_.type(kUint), {s_.local_index});
    const Id type = module_.type_pointer(array->storage, s_.scalar_type(array->bits, array->is_float));
    return {f_.value(spv::OpAccessChain, type, {array->id, own}), array->bits, array->is_float};
  }
  const uint32_t field = rng_.pick(kFields);
  return kind == 3 ? physical_place(field) : record_place(field);
}

void FunctionGenerator::own_atomic() {
  const WidePlace place = own_cell();
  store(place, 1);
  const uint32_t scope = rng_.chance(50) ? spv::ScopeDevice : spv::ScopeWorkgroup;
  const Number value = atomic_operand(place.bits, place.is_float);
  const auto taken = [&](Id id) { take({id, place.bits, false, place.is_float}); };
  switch (rng_.below(place.is_float ? 6 : 10)) {
    case 0:
      taken(wide_atomic(spv::OpAtomicLoad, place, scope, {}));
      break;
    case 1:
      wide_atomic(spv::OpAtomicStore, place, scope, {value.id});
      break;
    case 2:
      taken(wide_atomic(spv::OpAtomicExchange, place, scope, {value.id}));
      break;
    case 6: {
      // Half of the time what is there.
      Number there = load(place);
      if (rng_.chance(50)) there = number_op(spv::OpIAdd, there, number_constant(place.bits, 1));
      taken(wide_atomic(spv::OpAtomicCompareExchange, place, scope, {value.id, there.id}));
      break;
    }
    case 7:
      taken(wide_atomic(rng_.chance(50) ? spv::OpAtomicIIncrement : spv::OpAtomicIDecrement, place, scope, {}));
      break;
    case 8:
      taken(wide_atomic(spv::OpAtomicISub, place, scope, {value.id}));
      break;
    default: {
      const spv::Op op = place.is_float ? rng_.pick(kFloatOps) : rng_.pick(kIntegerOps);
      taken(wide_atomic(op, place, scope, {value.id}));
    }
  }
  taken(load(place).id);
  // Sums would grow from turn to turn of a loop.
  if (place.is_float) store(place, 0);
}

void FunctionGenerator::wide_total() {
  const WideVariable& cell = rng_.pick(s_.workgroup_cells);
  const WidePlace place{cell.id, cell.bits, cell.is_float};
  const Id own = f_.value(spv::OpLoad, s_.type(kUint), {s_.local_index});
  const Id is_first = f_.value(spv::OpIEqual, s_.type(kBool), {own, s_.uint_constant(0)});
  const Number start = atomic_operand(cell.bits, cell.is_float);
  const Id then = module_.new_id(), merge = module_.new_id();
  f_.statement(spv::OpSelectionMerge, {merge, spv::SelectionControlMaskNone});
  f_.statement(spv::OpBranchConditional, {is_first, then, merge});
  f_.label(then);
  f_.statement(spv::OpStore, {cell.id, start.id});
  f_.statement(spv::OpBranch, {merge});
  f_.label(merge);
  barrier();
  const bool is_half = cell.bits == 16;
  const spv::Op op = cell.is_float ? kFloatOps[is_half ? rng_.between(1, 2) : rng_.below(3)] : rng_.pick(kIntegerOps);
  const Number part = atomic_operand(cell.bits, cell.is_float);
  wide_atomic(op, place, spv::ScopeWorkgroup, {part.id});
  barrier();
  Number total = load(place);
  total.uniform = true;
  take(total);
  barrier();
}

}  // namespace spalt::random_programs
