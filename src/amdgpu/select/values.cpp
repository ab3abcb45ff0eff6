// SPDX-License-Identifier: MIT
#include "amdgpu/select/values.h"

#include <algorithm>

#include "ir/packed.h"
#include "ir/scan.h"

namespace spalt::select {

using ir::Op;
using ir::Type;
using ir::Value;

namespace {

/// How often places are found anew because a loop brings a vector; then all doubtful phis are vectors.
constexpr unsigned kMaxRounds = 4;

/// Float arithmetic and conversions, which the scalar unit of older targets lacks.
bool is_float_arithmetic(Op op) {
  if (op == Op::fneg || op == Op::fabs) return false;
  return ir::group(op) == ir::OpGroup::floating || ir::group(op) == ir::OpGroup::float_convert;
}

}  // namespace

ValueFacts::ValueFacts(const ir::Module& module, const analysis::Divergence& divergence, const isa::Target& target,
                       Arena& scratch)
    : module_(module),
      function_(module.functions[0]),
      divergence_(divergence),
      scalar_floats_(target.has_salu_float),
      facts_(scratch, function_.value_capacity()),
      carries_(scratch),
      hoped_(scratch) {
  for (uint32_t i = 0; i < facts_.size(); ++i) facts_[Value(i)].alias = Value(i);
  place_all();
  for (unsigned round = 1; demote_phis(round == kMaxRounds); ++round) {
    for (Fact& fact : facts_) fact.placed = false;
    place_all();
  }
  count_uses();
}

/// After all aliases are known: an operand of a phi may be defined after it.
void ValueFacts::count_uses() {
  for (ir::BlockId block : function_.layout()) {
    for (Value value : ir::insts(function_, block)) {
      if (root(value) != value) continue;
      facts_[value].position = count_++;
      const Op op = function_.inst(value).op;
      if (op == Op::uadd_carry || op == Op::usub_borrow) carries_.push_back(value);
      const bool extracts = op == Op::extract, sums = op == Op::fadd || op == Op::fsub;
      for (Value operand : function_.operands(value)) {
        Fact& used = facts_[root(operand)];
        ++used.use_count;
        used.used_whole |= !extracts;
        if (sums && function_.inst(root(operand)).block == block) ++used.sum_count;
      }
    }
  }
}

void ValueFacts::place_all() {
  for (ir::BlockId block : function_.layout()) {
    for (Value value : ir::insts(function_, block)) {
      Fact& fact = facts_[value];
      fact.alias = find_alias(value);
      if (fact.alias == value) fact.place = find_place(value);
      fact.placed = true;
    }
  }
}

/// Hoped-for phis into which a vector comes, or all of them, are vectors from now on. Whether there are any.
bool ValueFacts::demote_phis(bool all) {
  bool any = false;
  for (Value phi : hoped_) {
    const auto operands = function_.operands(phi);
    const bool mixed = std::any_of(operands.begin(), operands.end(),
                                   [this](Value operand) { return place(operand) == Place::vector; });
    if (!all && (place(phi) != Place::scalar || !mixed)) continue;
    facts_[phi].vector_phi = true;
    any = true;
  }
  hoped_.clear();
  return any;
}

Value ValueFacts::find_alias(Value value) const {
  const ir::Inst& inst = function_.inst(value);
  if (inst.op == Op::bitcast) {
    const Value source = root(function_.operand(value, 0));
    const Type from = function_.type(source);
    // What an extract takes apart must be in registers: a constant is not, until this copies it there.
    const Op op = function_.inst(source).op;
    if (inst.type.is_vector() && (op == Op::constant || op == Op::undef)) return value;
    // Registers have no types, but a component must be a part of what it is taken from (parts.h).
    const unsigned bits = inst.type.scalar_bits(), from_bits = from.scalar_bits();
    const bool parts_fit = !inst.type.is_vector() || bits == from_bits || (bits >= 32 && bits < from_bits);
    return from.is_bool() == inst.type.is_bool() && parts_fit ? source : value;
  }
  if (inst.op == Op::quad_permute || inst.op == Op::read_first_lane) {
    // What all lanes agree about is the same in any of them.
    const Value source = function_.operand(value, 0);
    return divergence_.divergent_at(function_, source, inst.block) ? value : root(source);
  }
  if (inst.op == Op::trunc) {
    // A narrow value is the low end of a register. The root of floats stays theirs, so that no modifier moves across.
    const Value source = root(function_.operand(value, 0));
    const Type from = function_.type(source);
    return from.is_integer() && !from.is_vector() && from.bits() <= 32 && !inst.type.is_bool() ? source : value;
  }
  if (inst.op == Op::zext && !inst.type.is_vector() && inst.type.bits() <= 32) {
    // Loads of less than a dword clear the rest of their register.
    const Value source = root(function_.operand(value, 0));
    const bool same = function_.type(source) == function_.type(function_.operand(value, 0));
    if (same && function_.inst(source).op == Op::load && function_.type(source).bits() < 32) return source;
  }
  if (inst.op == Op::extract) {
    const Value source = root(function_.operand(value, 0));
    const ir::Inst& vector = function_.inst(source);
    // The halves of an i64, read as a vector of two.
    if (vector.op == Op::pack64 && inst.type.bits() == 32) {
      return root(function_.operand(source, static_cast<unsigned>(inst.imm)));
    }
    const bool same_parts = function_.type(function_.operand(value, 0)).scalar_bits() == vector.type.scalar_bits();
    if (vector.op == Op::vec && same_parts && inst.imm < vector.operand_count) {
      const Value component = function_.operand(source, static_cast<unsigned>(inst.imm));
      if (function_.type(component).components == 1) return root(component);
    }
  }
  return value;
}

bool ValueFacts::is_scalar_load(Value value) const {
  const ir::Inst& inst = function_.inst(value);
  if (inst.op != Op::load || divergence_.divergent(value)) return false;
  const ir::MemoryAccess access = function_.access(value);
  if (access.align_log2 < 2 || inst.type.bits() < 32) return false;
  if ((access.flags & ir::kVolatile) != 0 || access.order != ir::MemoryOrder::none) return false;
  switch (access.storage) {
    case ir::StorageClass::constant:
    case ir::StorageClass::table:
    case ir::StorageClass::uniform:
      return true;
    case ir::StorageClass::storage:
    case ir::StorageClass::global:
      return (access.flags & ir::kReadOnly) != 0 && (access.flags & ir::kCoherent) == 0;
    default:
      return false;
  }
}

Place ValueFacts::widest(std::span<const Value> operands) const {
  for (Value operand : operands) {
    const Value source = root(operand);
    const Fact& fact = facts_[source];
    if (fact.place == Place::vector || (!fact.placed && function_.inst(source).block.valid())) return Place::vector;
  }
  return Place::scalar;
}

Place ValueFacts::place_condition(Value value) const {
  if (divergence_.divergent(value)) return Place::mask;
  const ir::Inst& inst = function_.inst(value);
  if (inst.op == Op::any_lane) return Place::flag;
  if (ir::group(inst.op) == ir::OpGroup::float_compare &&
      (!scalar_floats_ || function_.type(function_.operand(value, 0)) == ir::kF64 ||
       widest(function_.operands(value)) == Place::vector)) {
    return Place::mask;
  }
  if (inst.op == Op::phi) return Place::flag;
  for (Value operand : function_.operands(value)) {
    if (function_.type(operand).is_bool() && place(operand) == Place::mask) return Place::mask;
  }
  return Place::flag;
}

Place ValueFacts::place_phi(Value value) {
  if (!function_.type(value).is_float()) return Place::scalar;
  const bool hopeless = !scalar_floats_ || facts_[value].vector_phi;
  bool any_known = false, any_hoped = false;
  for (Value operand : function_.operands(value)) {
    const Value source = root(operand);
    const Fact& fact = facts_[source];
    const bool seen = fact.placed || !function_.inst(source).block.valid() || source == value;
    if (seen && fact.place == Place::vector) return Place::vector;
    any_known |= seen && fact.place == Place::scalar;
    // It comes around a loop and is what arithmetic makes of this phi.
    any_hoped |= !seen;
  }
  if (any_hoped && hopeless) return Place::vector;
  if (any_hoped) hoped_.push_back(value);
  return any_known || any_hoped ? Place::scalar : Place::vector;
}

/// Moving one operand to an SGPR costs as much as the operation. The scalar unit has no doubles, nor conversions of
/// them.
Place ValueFacts::place_float(const ir::Inst& inst, std::span<const Value> operands) const {
  const bool of_doubles = function_.type(operands[0]) == ir::kF64;
  return scalar_floats_ && !of_doubles && has_scalar_float(inst.op, inst.type) ? widest(operands) : Place::vector;
}

Place ValueFacts::find_place(Value value) {
  const ir::Inst& inst = function_.inst(value);
  if (inst.type.is_none()) return Place::none;
  if (inst.type.is_bool()) return place_condition(value);
  if (inst.op == Op::read_first_lane || inst.op == Op::read_lane) return Place::scalar;
  if (inst.op == Op::scan) {
    return ir::ScanForm::unpack(inst.imm).kind == ir::ScanKind::reduce ? Place::scalar : Place::vector;
  }
  if (inst.op == Op::arg) {
    return module_.args[inst.imm].file == ir::EntryArg::File::vgpr ? Place::vector : Place::scalar;
  }
  if (divergence_.divergent(value) || ir::is_atomic(inst.op) || ir::is_image(inst.op)) return Place::vector;
  const std::span<const Value> operands = function_.operands(value);
  if (is_float_arithmetic(inst.op)) return place_float(inst, operands);
  if (ir::works_on_pairs(inst.op, inst.type)) return Place::vector;  // nor has the scalar unit pairs of integers
  switch (inst.op) {
    case Op::phi:
      return place_phi(value);
    case Op::load:
      return is_scalar_load(value) ? Place::scalar : Place::vector;
    case Op::extract:
    case Op::vec:
    case Op::fneg:
    case Op::fabs:
      return widest(operands);
    case Op::dot4_s:
    case Op::dot4_u:
    case Op::dot4_su:
    case Op::fetch:
    case Op::pack_export:
    case Op::interpolate_quad:
    case Op::interpolate:
      return Place::vector;  // the scalar unit has none
    case Op::select:
      return inst.type.is_float() ? widest(operands.subspan(1)) : Place::scalar;
    default:
      return Place::scalar;
  }
}

}  // namespace spalt::select
