// SPDX-License-Identifier: MIT
#include "ir/evaluate.h"

#include "base/small_vector.h"
#include "ir/evaluate_groups.h"

namespace spalt::ir {
namespace {

uint64_t first(const uint64_t* o) {
  return o[0];
}
uint64_t choose(const uint64_t* o) {
  return (o[0] & 1) != 0 ? o[1] : o[2];
}
uint64_t join_halves(const uint64_t* o) {
  return (o[1] << 32) | (o[0] & 0xffffffffu);
}

Evaluator find_move_evaluator(Op op, Type result, Type operand) {
  switch (op) {
    case Op::select:
      return choose;
    case Op::bitcast:
      return result.bits() == operand.bits() ? first : nullptr;
    case Op::pack64:
      return join_halves;
    case Op::read_first_lane:
    case Op::quad_permute:
      return first;  // a constant is the same in every lane
    default:
      return nullptr;
  }
}

}  // namespace

Evaluator find_evaluator(Op op, Type result, std::span<const Type> operand_types, const FloatControls& controls) {
  if ((!is_pure(op) && !depends_on_lanes(op)) || operand_types.empty() ||
      operand_types.size() != info(op).operand_count)
    return nullptr;
  if (result.is_vector() || result.scalar == Scalar::resource) return nullptr;
  for (Type type : operand_types) {
    if (type.is_vector() || type.scalar_bits() == 0) return nullptr;
  }
  switch (group(op)) {
    case OpGroup::move:
      return find_move_evaluator(op, result, operand_types[0]);
    case OpGroup::subgroup:  // a constant is the same in every lane
      return op == Op::any_lane || op == Op::read_lane || op == Op::shuffle ? first : nullptr;
    case OpGroup::integer:
    case OpGroup::integer_compare:
      return find_integer_evaluator(op, operand_types[0]);
    case OpGroup::floating:
    case OpGroup::float_compare:
      return find_float_evaluator(op, operand_types[0], controls);
    case OpGroup::integer_convert:
    case OpGroup::float_convert:
      return find_conversion_evaluator(op, result, operand_types[0], controls);
    default:
      return nullptr;
  }
}

std::optional<uint64_t> evaluate(Op op, Type result, std::span<const Type> operand_types,
                                 std::span<const uint64_t> operands, const FloatControls& controls) {
  const Evaluator evaluator = find_evaluator(op, result, operand_types, controls);
  if (evaluator == nullptr || operands.size() != operand_types.size()) return std::nullopt;
  return evaluator(operands.data());
}

}  // namespace spalt::ir
