// SPDX-License-Identifier: MIT
#include "passes/movable_work.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "ir/vertex_work.h"

namespace spalt::passes {

using ir::InterfaceAccess;
using ir::Interpolation;
using ir::Op;
using ir::SamplePlace;
using ir::Value;

namespace {

bool is_component(ir::Type type) {
  return type == ir::kI32 || type == ir::kF32;
}

}  // namespace

PassedAs passed_as(const InterfaceAccess& input) {
  if (input.interpolation == Interpolation::per_vertex) return PassedAs::per_vertex;
  return ir::is_interpolated(input.interpolation) ? PassedAs::varying : PassedAs::flat;
}

bool is_location_input(const ir::Inst& inst) {
  return inst.op == Op::input && InterfaceAccess::unpack(inst.imm).semantic == ir::Semantic::location;
}

OutputSlots::OutputSlots(const ir::Function& function, std::span<const Value> inputs) {
  for (Value input : inputs) {
    locations_ = std::max(locations_, InterfaceAccess::unpack(function.inst(input).imm).number + 1u);
  }
}

MovableWork::MovableWork(const ir::Module& module, CompileContext& context)
    : module_(module),
      function_(module.functions[0]),
      kinds_(context.scratch, function_.value_capacity(), kFixed),
      states_(context.scratch, function_.value_capacity(), uint8_t{0}),
      sets_(context.scratch),
      counts_(context.scratch),
      inputs_(find_inputs(function_, context)),
      operations_(context.scratch),
      numbers_(function_, inputs_),
      slots_(context.scratch, numbers_.count(), Slot()) {
  classify();
  find_needs();
  join();
  count();
}

// ---- what is movable ----

Vector<Value> MovableWork::find_inputs(const ir::Function& function, CompileContext& context) {
  Vector<Value> inputs(context.scratch);
  for (ir::BlockId block : function.layout()) {
    for (Value value : ir::insts(function, block)) {
      if (is_location_input(function.inst(value))) inputs.push_back(value);
    }
  }
  return inputs;
}

void MovableWork::classify() {
  for (ir::BlockId block : function_.layout()) {
    for (Value value : ir::insts(function_, block)) {
      const ir::Inst& inst = function_.inst(value);
      if (is_location_input(inst)) {
        kinds_[value.index] = kind_of_input(inst);
      } else if (ir::may_be_vertex_work(function_, value)) {
        const Kind kind = common_kind(value);
        if (kind == kFixed || (kind >= kVarying && !is_linear(value))) continue;
        kinds_[value.index] = kind;
        operations_.push_back(value);
      }
    }
  }
}

MovableWork::Kind MovableWork::kind_of_input(const ir::Inst& inst) {
  const InterfaceAccess access = InterfaceAccess::unpack(inst.imm);
  const PassedAs passed = passed_as(access);
  if (!is_component(inst.type) || passed == PassedAs::per_vertex) return kFixed;
  if (access.interpolation == Interpolation::equal) return kEqual;
  if (passed == PassedAs::flat) return kFlat;
  if (inst.type != ir::kF32 || ir::place_operands(access.place) != 0) return kFixed;
  const bool linear = access.interpolation == Interpolation::linear;
  return static_cast<Kind>(kVarying + static_cast<unsigned>(access.place) * 2 + (linear ? 1 : 0));
}

InterfaceAccess MovableWork::interpolation(Value operation) const {
  InterfaceAccess access;
  const Kind kind = kinds_[operation.index];
  if (kind < kVarying) {
    access.interpolation = kind == kEqual ? Interpolation::equal : Interpolation::flat;
    return access;
  }
  access.interpolation = (kind - kVarying) % 2 != 0 ? Interpolation::linear : Interpolation::perspective;
  access.place = static_cast<SamplePlace>((kind - kVarying) / 2);
  return access;
}

/// That of all operands but constants, of which equal ones go with any; kFixed if there is none.
MovableWork::Kind MovableWork::common_kind(Value value) const {
  Kind kind = kFixed;
  for (Value operand : function_.operands(value)) {
    if (function_.is_constant(operand)) continue;
    const Kind found = kinds_[operand.index];
    if (found == kFixed) return kFixed;
    if (kind <= kEqual) {
      kind = std::max(kind, found);
    } else if (found != kEqual && found != kind) {
      return kFixed;
    }
  }
  return kind;
}

/// What a product may have and be linear in the rest: the same at all vertices.
bool MovableWork::is_factor(Value value) const {
  return function_.is_constant(value) || kinds_[value.index] == kEqual;
}

/// Of an operation on floats that are interpolated in the same way, or factors: whether it is linear in the former.
bool MovableWork::is_linear(Value value) const {
  const ir::Inst& inst = function_.inst(value);
  if (inst.op == Op::fneg) return true;
  const uint16_t freedoms = ir::fast_math(module_.float_controls(), ir::kF32, inst.flags);
  if ((freedoms & ir::kAllowTransformation) == 0) return false;
  for (Value operand : function_.operands(value)) {
    // No sum of shares gives back what is not finite.
    const auto bits = static_cast<uint32_t>(function_.inst(operand).imm);
    if (function_.is_constant(operand) && !std::isfinite(std::bit_cast<float>(bits))) return false;
  }
  switch (inst.op) {
    case Op::fadd:
    case Op::fsub:
      return true;
    case Op::fmul:
    case Op::ffma:
      return is_factor(function_.operand(value, 0)) || is_factor(function_.operand(value, 1));
    default:
      return false;
  }
}

// ---- what is needed ----

void MovableWork::mark_operands(Value value, uint8_t state) {
  for (Value operand : function_.operands(value)) states_[operand.index] |= state;
}

void MovableWork::find_needs() {
  const ir::BlockList& layout = function_.layout();
  for (ir::BlockId block : layout) {
    for (Value value : ir::insts(function_, block)) {
      if (function_.inst(value).op != Op::phi) break;
      mark_operands(value, kNeeded);
    }
  }
  for (size_t i = layout.size(); i-- > 0;) {
    for (Value value = function_.terminator(layout[i]); value.valid(); value = function_.inst(value).prev) {
      find_needs(value);
    }
  }
}

/// A truth value is no component: who needs it computes it again. So does who needs a negation, a modifier there.
void MovableWork::find_needs(Value value) {
  if (kinds_[value.index] == kFixed || function_.inst(value).op == Op::input) return mark_operands(value, kNeeded);
  const bool needed = (states_[value.index] & kNeeded) != 0;
  if (needed && !is_root(value)) mark_operands(value, kNeeded);
  if (is_work(value)) mark_operands(value, kWork);
}

bool MovableWork::is_root(Value value) const {
  const ir::Inst& inst = function_.inst(value);
  return (states_[value.index] & kNeeded) != 0 && is_component(inst.type) && inst.op != Op::fneg;
}

// ---- what is decided together ----

uint32_t MovableWork::slot_of(Value input) const {
  return numbers_.number(InterfaceAccess::unpack(function_.inst(input).imm));
}

uint32_t MovableWork::member_of(Value value) const {
  const bool is_input = is_location_input(function_.inst(value));
  return is_input ? static_cast<uint32_t>(kinds_.size()) + slot_of(value) : value.index;
}

uint32_t MovableWork::set_of(uint32_t member) const {
  while (sets_[member] != member) {
    sets_[member] = sets_[sets_[member]];
    member = sets_[member];
  }
  return member;
}

void MovableWork::join() {
  sets_.resize(kinds_.size() + slots_.size());
  for (uint32_t i = 0; i < sets_.size(); ++i) sets_[i] = i;
  for (Value value : operations_) {
    if (!is_work(value)) continue;
    for (Value operand : function_.operands(value)) {
      if (!function_.is_constant(operand)) sets_[set_of(value.index)] = set_of(member_of(operand));
    }
  }
}

void MovableWork::count() {
  counts_.resize(sets_.size());
  for (Value input : inputs_) {
    Slot& slot = slots_[slot_of(input)];
    Counts& counts = counts_[set_of(member_of(input))];
    counts.inputs += slot.read ? 0 : 1;
    slot.read = true;
    if ((states_[input.index] & kNeeded) == 0) continue;
    counts.kept += slot.needed ? 0 : 1;
    slot.needed = true;
  }
  for (Value value : operations_) counts_[set_of(value.index)].roots += is_root(value) ? 1 : 0;
}

}  // namespace spalt::passes
