// SPDX-License-Identifier: MIT
#include "ir/builder.h"

#include "base/half.h"
#include "ir/evaluate.h"

namespace spalt::ir {
namespace {

constexpr size_t kMaxFoldOperands = 4;

Type result_type(ResultRule rule, Type stated, Type first) {
  switch (rule) {
    case ResultRule::same:
      return first;
    case ResultRule::boolean:
      return kBool;
    case ResultRule::none:
      return kVoid;
    case ResultRule::stated:
      break;
  }
  return stated;
}

/// 1.0 in this float type.
uint64_t one_bits(Type type) {
  switch (type.scalar) {
    case Scalar::f16:
      return 0x3c00;
    case Scalar::f32:
      return 0x3f800000;
    default:
      return 0x3ff0000000000000;
  }
}

}  // namespace

Value Builder::insert(Op op, Type type, std::span<const Value> operands, uint64_t imm, uint16_t flags) {
  const Value value = function_->create(op, type, operands, imm, flags);
  if (function_->inst(value).origin == 0) function_->inst(value).origin = origin_;
  if (before_.valid()) {
    function_->insert_before(before_, value);
  } else if (block_.valid()) {
    function_->append(block_, value);
  }
  return value;
}

Value Builder::emit(Op op, Type type, std::span<const Value> operands, uint64_t imm) {
  const OpInfo& row = info(op);
  bool may_fold = false;  // mostly the first operand is no constant
  if (!operands.empty()) {
    const Inst& first = function_->inst(operands[0]);
    if (op != Op::select) type = result_type(row.result, type, first.type);
    may_fold = first.op == Op::constant;
  }
  if (row.has(kPure | kLanes)) {
    Value folded = may_fold ? fold_constants(op, type, operands) : Value();
    if (!folded.valid()) folded = fold_identity(op, type, operands, imm);
    if (folded.valid()) return folded;
  }
  return insert(op, type, operands, imm, flags_);
}

Value Builder::fold_constants(Op op, Type type, std::span<const Value> operands) {
  if (operands.empty() || operands.size() > kMaxFoldOperands || type.is_vector()) return {};
  Type types[kMaxFoldOperands];
  uint64_t bits[kMaxFoldOperands];
  for (size_t i = 0; i < operands.size(); ++i) {
    const Inst& inst = function_->inst(operands[i]);
    if (inst.op != Op::constant) return {};
    types[i] = inst.type;
    bits[i] = inst.imm;
  }
  const auto result = evaluate(op, type, {types, operands.size()}, {bits, operands.size()}, float_controls_);
  return result ? function_->constant(type, *result) : Value();
}

Value Builder::fold_identity(Op op, Type type, std::span<const Value> operands, uint64_t imm) {
  switch (op) {
    case Op::select:
      return fold_select(operands[0], operands[1], operands[2]);
    case Op::vec:
    case Op::extract:
    case Op::bitcast:
      return fold_move(op, type, operands, imm);
    case Op::inot:
    case Op::fneg: {
      const Inst& inner = function_->inst(operands[0]);
      return inner.op == op ? function_->operand(operands[0], 0) : Value();
    }
    default:
      if (type.is_float()) return fold_float(op, type, operands);
      if (operands.size() != 2 || !type.is_integer() || type.is_vector()) return {};
      return fold_integer(op, type, operands[0], operands[1]);
  }
}

/// An operand that is the result, unless it may be a denormal that the operation would flush.
Value Builder::passed_float(Value value) const {
  const bool may_flush = float_controls_.of(function_->type(value)).flush;
  return !may_flush || is_flushed(*function_, value) ? value : Value();
}

Value Builder::fold_float(Op op, Type type, std::span<const Value> operands) {
  if (type.is_vector() || operands.size() != 2) return {};
  const auto is = [&](unsigned i, uint64_t bits) { return function_->is_constant(operands[i], bits); };
  switch (op) {
    case Op::fmul:
      if (is(1, one_bits(type))) return passed_float(operands[0]);
      return is(0, one_bits(type)) ? passed_float(operands[1]) : Value();
    case Op::fdiv:
      return is(1, one_bits(type)) ? passed_float(operands[0]) : Value();
    case Op::fadd: {  // x + -0 is x, also for x = -0
      const uint64_t minus_zero = uint64_t{1} << (type.scalar_bits() - 1);
      if (is(1, minus_zero)) return passed_float(operands[0]);
      return is(0, minus_zero) ? passed_float(operands[1]) : Value();
    }
    case Op::fsub:
      return is(1, 0) ? passed_float(operands[0]) : Value();
    default:
      return {};
  }
}

Value Builder::fold_integer(Op op, Type type, Value a, Value b) {
  const uint64_t ones = type.scalar_bits() == 64 ? ~uint64_t{0} : (uint64_t{1} << type.scalar_bits()) - 1;
  if (info(op).has(kCommutes) && function_->is_constant(a)) std::swap(a, b);
  const auto is = [this](Value value, uint64_t bits) { return function_->is_constant(value, bits); };
  switch (op) {
    case Op::iadd:
    case Op::ishl:
    case Op::ushr:
    case Op::sshr:
      return is(b, 0) ? a : Value();
    case Op::isub:
      if (a == b) return function_->constant(type, 0);
      return is(b, 0) ? a : Value();
    case Op::ixor:
      if (a == b) return function_->constant(type, 0);
      return is(b, 0) ? a : Value();
    case Op::ior:
      if (is(b, 0) || a == b) return a;
      return is(b, ones) ? b : Value();
    case Op::iand:
      if (is(b, ones) || a == b) return a;
      return is(b, 0) ? b : Value();
    case Op::imul:
      if (is(b, 0)) return b;
      return is(b, 1) ? a : Value();
    case Op::udiv:
    case Op::sdiv:
      return is(b, 1) ? a : Value();
    case Op::smin:
    case Op::smax:
      return a == b ? a : Value();
    case Op::umin:
      if (is(b, 0)) return b;
      return a == b || is(b, ones) ? a : Value();
    case Op::umax:
      if (is(b, ones)) return b;
      return a == b || is(b, 0) ? a : Value();
    default:
      return {};
  }
}

Value Builder::fold_select(Value condition, Value if_true, Value if_false) {
  if (if_true == if_false) return if_true;
  const Inst& inst = function_->inst(condition);
  if (inst.op == Op::constant) return inst.imm != 0 ? if_true : if_false;
  if (function_->type(if_true) != kBool) return {};
  if (function_->is_constant(if_true, 1) && function_->is_constant(if_false, 0)) return condition;
  return {};
}

Value Builder::fold_move(Op op, Type type, std::span<const Value> operands, uint64_t imm) {
  const Inst& inner = function_->inst(operands[0]);
  if (op == Op::extract) {
    if (!inner.type.is_vector()) return operands[0];
    return inner.op == Op::vec ? function_->operand(operands[0], static_cast<unsigned>(imm)) : Value();
  }
  if (op == Op::bitcast) {
    if (inner.type == type) return operands[0];
    if (inner.op == Op::bitcast && function_->type(function_->operand(operands[0], 0)) == type) {
      return function_->operand(operands[0], 0);
    }
  }
  return {};
}

Value Builder::number(Type type, double value) {
  switch (type.scalar) {
    case Scalar::f16:
      return function_->constant(type, double_to_half(value));
    case Scalar::f32:
      return f32(static_cast<float>(value));
    default:
      return function_->constant(type, std::bit_cast<uint64_t>(value));
  }
}

Value Builder::resize(Type type, Value a, bool is_signed) {
  const unsigned from = function_->type(a).bits();
  if (from == type.bits()) return a;
  if (from > type.bits()) return convert(Op::trunc, type, a);
  return convert(is_signed ? Op::sext : Op::zext, type, a);
}

Value Builder::vec(std::span<const Value> components) {
  if (components.size() == 1) return components[0];
  const Type type = function_->type(components[0]).vector(static_cast<unsigned>(components.size()));
  return emit(Op::vec, type, components);
}

Value Builder::extract(Value vector, unsigned component) {
  return emit(Op::extract, function_->type(vector).element(), {vector}, component);
}

void Builder::branch(BlockId target) {
  insert(Op::branch, kVoid, {}, 0, 0);
  function_->add_edge(block_, target);
}

void Builder::branch_if(Value condition, BlockId if_true, BlockId if_false) {
  const Value operands[] = {condition};
  insert(Op::branch_if, kVoid, operands, 0, 0);
  function_->add_edge(block_, if_true);
  function_->add_edge(block_, if_false);
}

}  // namespace spalt::ir
