// SPDX-License-Identifier: MIT
// Internal to src/amdgpu/lower: writes instructions before one position, and replaces values when a pass is done.
#pragma once
#include <initializer_list>

#include "base/compile_context.h"
#include "ir/builder.h"

namespace spalt::lower {

class Inserter {
 public:
  Inserter(ir::Function& function, Arena& scratch, ir::FloatControls float_controls = {})
      : function_(function), builder_(function), replacement_(scratch) {
    builder_.set_float_controls(float_controls);
  }

  ir::Function& function() { return function_; }
  ir::Builder& builder() { return builder_; }
  /// Everything that follows is inserted before `position`, folded where possible, and inherits `flags`.
  void before(ir::Value position, uint16_t flags = 0) {
    builder_.set_before(position);
    builder_.set_flags(flags);
  }
  ir::Value op(ir::Op op, ir::Type type, std::span<const ir::Value> operands, uint64_t imm = 0) {
    return builder_.emit(op, type, operands, imm);
  }
  ir::Value op(ir::Op which, ir::Type type, std::initializer_list<ir::Value> operands, uint64_t imm = 0) {
    return op(which, type, std::span<const ir::Value>(operands.begin(), operands.size()), imm);
  }
  /// An operation on and to i32.
  ir::Value i(ir::Op which, std::initializer_list<ir::Value> operands) { return op(which, ir::kI32, operands); }
  /// An operation on and to f32.
  ir::Value f(ir::Op which, std::initializer_list<ir::Value> operands) { return op(which, ir::kF32, operands); }
  ir::Value compare(ir::Op which, ir::Value a, ir::Value b) { return op(which, ir::kBool, {a, b}); }
  ir::Value constant(uint32_t value) { return function_.constant_i32(value); }

  /// Notes that `value` becomes `by` everywhere, and takes it out of its block.
  void replace(ir::Value value, ir::Value by) {
    if (replacement_.size() <= value.index) replacement_.resize(function_.value_capacity());
    replacement_[value.index] = by;
    if (function_.is_linked(value)) function_.unlink(value);
  }
  /// What stands for `value` now.
  ir::Value current(ir::Value value) const {
    while (value.index < replacement_.size() && replacement_[value.index].valid()) value = replacement_[value.index];
    return value;
  }
  /// Carries out all replacements: one sweep over the function.
  void finish() {
    if (replacement_.empty()) return;
    for (ir::BlockId block : function_.layout()) {
      for (ir::Value value : ir::insts(function_, block)) {
        for (ir::Value& operand : function_.operands(value)) operand = current(operand);
      }
    }
    replacement_.clear();
  }
  /// Replaces each value for which lower(value) gives another one, in order, and finishes. Returns true if it did.
  template <class Lower>
  bool replace_each(Lower&& lower) {
    bool changed = false;
    for (ir::BlockId block : function_.layout()) {
      for (ir::Value value : ir::insts(function_, block)) {
        const ir::Value by = lower(value);
        if (!by.valid()) continue;
        replace(value, by);
        changed = true;
      }
    }
    finish();
    return changed;
  }

 private:
  ir::Function& function_;
  ir::Builder builder_;
  Vector<ir::Value> replacement_;
};

}  // namespace spalt::lower
