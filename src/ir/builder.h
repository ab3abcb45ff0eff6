// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <initializer_list>
#include <span>

#include "ir/float_controls.h"
#include "ir/function.h"

namespace spalt::ir {

/// Creates instructions at an insertion point. Operations on constants fold as they are created (ir/evaluate), and so
/// do identities that hold for every operand value including NaN, infinities and signed zeros; no instruction is made
/// then.
class Builder {
 public:
  explicit Builder(Function& function) : function_(&function) {}

  Function& function() { return *function_; }

  /// Appends to the end of `block` from now on. No block: only operations that fold may be created.
  void set_end(BlockId block) {
    block_ = block;
    before_ = Value();
  }
  /// Inserts before `position` from now on. What is created, also at the end of blocks after that, is for what
  /// `position` is for (Inst::origin).
  void set_before(Value position) {
    block_ = function_->inst(position).block;
    before_ = position;
    origin_ = function_->inst(position).origin;
  }
  BlockId block() const { return block_; }

  /// InstFlag bits given to each arithmetic operation created from now on.
  void set_flags(uint16_t flags) { flags_ = flags; }
  uint16_t flags() const { return flags_; }

  /// What folding of floats heeds (Module::float_controls); none at first.
  void set_float_controls(FloatControls controls) { float_controls_ = controls; }
  /// Whether operations on floats of this type that are created now have all of these freedoms.
  bool may(Type type, uint16_t freedoms) const {
    return (fast_math(float_controls_, type, flags_) & freedoms) == freedoms;
  }

  // Constants
  Value i32(uint32_t value) { return function_->constant_i32(value); }
  Value f32(float value) { return function_->constant_f32(value); }
  Value boolean(bool value) { return function_->constant_bool(value); }
  Value integer(Type type, uint64_t bits) { return function_->constant(type, bits); }
  /// A float constant of any width, rounded to nearest even.
  Value number(Type type, double value);

  /// The one way to create an operation: folds it or inserts it. `type` is ignored where the operation's row in ops.def
  /// says what it is.
  Value emit(Op op, Type type, std::span<const Value> operands, uint64_t imm = 0);
  Value emit(Op op, Type type, std::initializer_list<Value> operands, uint64_t imm = 0) {
    return emit(op, type, std::span<const Value>(operands.begin(), operands.size()), imm);
  }
  /// Result of the same type as the operands, or i1 for comparisons.
  Value unary(Op op, Value a) { return emit(op, function_->type(a), {a}); }
  Value binary(Op op, Value a, Value b) { return emit(op, function_->type(a), {a, b}); }
  Value ternary(Op op, Value a, Value b, Value c) { return emit(op, function_->type(a), {a, b, c}); }
  Value convert(Op op, Type type, Value a) { return emit(op, type, {a}); }

  Value iadd(Value a, Value b) { return binary(Op::iadd, a, b); }
  Value isub(Value a, Value b) { return binary(Op::isub, a, b); }
  Value imul(Value a, Value b) { return binary(Op::imul, a, b); }
  Value iand(Value a, Value b) { return binary(Op::iand, a, b); }
  Value ior(Value a, Value b) { return binary(Op::ior, a, b); }
  Value ixor(Value a, Value b) { return binary(Op::ixor, a, b); }
  Value ishl(Value a, Value b) { return binary(Op::ishl, a, b); }
  Value ushr(Value a, Value b) { return binary(Op::ushr, a, b); }
  Value sshr(Value a, Value b) { return binary(Op::sshr, a, b); }
  Value fadd(Value a, Value b) { return binary(Op::fadd, a, b); }
  Value fsub(Value a, Value b) { return binary(Op::fsub, a, b); }
  Value fmul(Value a, Value b) { return binary(Op::fmul, a, b); }
  Value fdiv(Value a, Value b) { return binary(Op::fdiv, a, b); }
  Value ffma(Value a, Value b, Value c) { return ternary(Op::ffma, a, b, c); }
  Value fneg(Value a) { return unary(Op::fneg, a); }
  Value fabs(Value a) { return unary(Op::fabs, a); }
  Value bitcast(Type type, Value a) { return convert(Op::bitcast, type, a); }
  /// The integer in another width: cut, or extended with its sign or with zeros.
  Value resize(Type type, Value a, bool is_signed);
  Value select(Value condition, Value if_true, Value if_false) {
    return emit(Op::select, function_->type(if_true), {condition, if_true, if_false});
  }
  /// A vector of equal scalars; a single component stays what it is.
  Value vec(std::span<const Value> components);
  Value extract(Value vector, unsigned component);

  /// Operands: [base] offset [data...].
  Value memory(Op op, Type type, std::span<const Value> operands, MemoryAccess access) {
    return insert(op, type, operands, access.pack(), 0);
  }

  // Terminators; edges are added in the order of the arguments.
  void branch(BlockId target);
  void branch_if(Value condition, BlockId if_true, BlockId if_false);
  void ret() { insert(Op::ret, kVoid, {}, 0, 0); }
  void unreachable() { insert(Op::unreachable, kVoid, {}, 0, 0); }

  /// Creates without folding.
  Value insert(Op op, Type type, std::span<const Value> operands, uint64_t imm, uint16_t flags);

 private:
  Value fold_constants(Op op, Type type, std::span<const Value> operands);
  Value fold_identity(Op op, Type type, std::span<const Value> operands, uint64_t imm);
  Value fold_float(Op op, Type type, std::span<const Value> operands);
  Value passed_float(Value value) const;
  Value fold_integer(Op op, Type type, Value a, Value b);
  Value fold_select(Value condition, Value if_true, Value if_false);
  Value fold_move(Op op, Type type, std::span<const Value> operands, uint64_t imm);

  Function* function_;
  BlockId block_;
  Value before_;
  uint32_t origin_ = 0;
  uint16_t flags_ = 0;
  FloatControls float_controls_;
};

}  // namespace spalt::ir
