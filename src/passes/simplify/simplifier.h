// SPDX-License-Identifier: MIT
#pragma once
#include <initializer_list>
#include <span>

#include "analysis/alias.h"
#include "analysis/analysis_cache.h"
#include "analysis/dominance.h"
#include "ir/function.h"
#include "ir/module.h"
#include "passes/simplify/known_memory.h"
#include "passes/simplify/simplify.h"

namespace spalt::passes {

/// What is known about the bits of an integer value.
struct BitFacts {
  uint64_t ones = ~uint64_t{0};  ///< bits that may be 1
  uint64_t max = ~uint64_t{0};   ///< largest unsigned value; never above `ones`
};

/// A product, a sum or a difference of floats: operands without their signs, in order of their ids. The value is
/// (-a) + (-b), say, where it is `negative` and not `opposite`. None for what is numbered with its operands.
struct SignedPair {
  ir::Value a, b;
  bool opposite = false;  ///< of a sum: the signs of the operands differ
  bool negative = false;
  bool valid() const { return a.valid(); }
};

/// The walk of `simplify`, and what its rules work with.
///
/// A rule is a function `Value rule(Simplifier&, Value value)` that looks at one instruction and returns
///   - none: nothing to do;
///   - `value` itself: rewritten in place by `change`, rules start over;
///   - another value that equals it and is available there.
/// New instructions come from `emit`, which puts them before the instruction and simplifies them as well.
class Simplifier {
 public:
  Simplifier(ir::Function& function, analysis::AnalysisCache& analyses, CompileContext& context,
             const SimplifyConfig& config);
  bool run();

  ir::Function& function() { return function_; }
  const ir::Function& function() const { return function_; }
  const SimplifyConfig& config() const { return config_; }

  // Looking
  ir::Op op(ir::Value value) const { return function_.inst(value).op; }
  ir::Type type(ir::Value value) const { return function_.inst(value).type; }
  uint16_t flags(ir::Value value) const { return function_.inst(value).flags; }
  /// Of an instruction that stands for two: restrictions add up, permissions must hold for both.
  static uint16_t merged_flags(uint16_t a, uint16_t b) {
    constexpr uint16_t kRestrictions = ir::kPrecise | ir::kNonUniform;
    return static_cast<uint16_t>(((a | b) & kRestrictions) | (a & b & ~kRestrictions));
  }
  ir::Value operand(ir::Value value, unsigned index) const { return function_.operand(value, index); }
  bool is_constant(ir::Value value) const { return function_.is_constant(value); }
  bool is_constant(ir::Value value, uint64_t bits) const { return function_.is_constant(value, bits); }
  uint64_t bits(ir::Value constant) const { return function_.inst(constant).imm; }
  /// True if `value` is `op` with a constant as operand 1.
  bool has_constant_rhs(ir::Value value, ir::Op wanted) const {
    return op(value) == wanted && is_constant(operand(value, 1));
  }
  BitFacts facts(ir::Value value) const {
    const ir::Inst& inst = function_.inst(value);
    if (inst.op == ir::Op::constant) return {inst.imm, inst.imm};
    const unsigned width = inst.type.scalar_bits();
    const uint64_t mask = width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
    if (value.index >= has_facts_.size() || has_facts_[value.index] == 0) return {mask, mask};
    const BitFacts& known = facts_[value.index];
    return {known.ones & mask, known.max < mask ? known.max : mask};
  }
  /// True if the sign bit is known to be clear.
  bool non_negative(ir::Value value) const { return facts(value).max < uint64_t{1} << (type(value).bits() - 1); }
  bool available(ir::Value value) const;
  /// True if at most one operand of one instruction reads the value. Replaced and dead users may still be counted.
  bool single_use(ir::Value value);

  // Acting
  ir::Value constant(ir::Type type, uint64_t bits) { return function_.constant(type, bits); }
  ir::Value constant_bool(bool value) { return function_.constant_bool(value); }
  ir::Value emit(ir::Op op, ir::Type type, std::initializer_list<ir::Value> operands, uint16_t flags = 0,
                 uint64_t imm = 0) {
    return emit(op, type, std::span<const ir::Value>(operands.begin(), operands.size()), flags, imm);
  }
  ir::Value emit(ir::Op op, ir::Type type, std::span<const ir::Value> operands, uint16_t flags = 0, uint64_t imm = 0);
  /// Makes `value` the operation `op` on these operands, with the same type, and returns it.
  ir::Value change(ir::Value value, ir::Op op, std::initializer_list<ir::Value> operands, uint16_t flags = 0);
  void set_operand(ir::Value value, unsigned index, ir::Value operand);

 private:
  void visit(ir::Value value);
  void visit_branch(ir::Value value);
  ir::Value simplify(ir::Value value);
  ir::Value fold(ir::Value value);
  bool reads_undef(ir::Value value) const {
    for (ir::Value operand : function_.operands(value)) {
      if (op(operand) == ir::Op::undef) return true;
    }
    return false;
  }
  void order_operands(ir::Value value);
  void record_facts(ir::Value value);
  bool is_replaced(ir::Value value) const {
    return value.index < replacement_.size() && replacement_[value.index].valid();
  }
  /// What stands for the value. Most stand for themselves.
  ir::Value resolve(ir::Value value) { return is_replaced(value) ? resolve_replaced(value) : value; }
  ir::Value resolve_replaced(ir::Value value);
  void resolve_operands(ir::Value value) {
    for (ir::Value& operand : function_.operands(value)) {
      if (is_replaced(operand)) operand = resolve_replaced(operand);
    }
  }
  void replace(ir::Value value, ir::Value with);
  void count_uses();
  void count_operands(ir::Value value, int count);

  // Value numbers (value_numbers.cpp)
  enum class Relation : uint8_t { different, equal, negated };
  /// The value that stands for `value`, which is known from now on.
  ir::Value number(ir::Value value);
  SignedPair signed_pair(ir::Value value) const;
  // `pair` is that of `value`.
  Relation compare(ir::Value known, ir::Value value, const SignedPair& pair) const;
  Relation compare_signs(ir::Value known, ir::Value value, const SignedPair& pair) const;
  bool ignores_zeros(const ir::Inst& inst) const;
  bool equal(ir::Value a, ir::Value b) const;
  void merge_flags(ir::Value kept, ir::Value dropped);
  void grow_table();

  // Memory (memory.cpp)
  ir::Value visit_load(ir::Value value);
  void visit_store(ir::Value value);
  void visit_atomic(ir::Value value);
  ir::Value visit_image(ir::Value value);
  void visit_barrier(ir::Value value);
  ir::Value value_in_memory(ir::Value load, const analysis::MemoryPlace& place);
  ir::Value scalar_in_memory(const KnownMemory::Part& part, ir::Type wanted);
  bool is_in_memory(const analysis::MemoryPlace& place, ir::Value data) const;
  KnownMemory::Part component(ir::Value data, unsigned index) const;

  ir::Function& function_;
  const SimplifyConfig& config_;
  const analysis::Dominance& dominance_;
  const Cancellation& cancellation_;
  Vector<ir::Value> table_;  ///< value numbers, open addressing
  uint32_t table_used_ = 0;
  Vector<ir::Value> replacement_;
  Vector<uint8_t> has_facts_;  ///< by value: whether facts_ has been written, which has no values of its own at first
  Vector<BitFacts> facts_;
  Vector<uint32_t> uses_;  ///< operands that read each value
  KnownMemory memory_;
  ir::Value barrier_;  ///< the last one of the block, if nothing that it orders came after it
  ir::Value insert_point_;
  unsigned emit_depth_ = 0;
  bool has_undef_ = false;  ///< there is an undef, or was
  bool counted_ = false;    ///< uses_ is filled
  bool replaced_ = false;   ///< replacement_ has entries
  bool changed_ = false;
};

// Rules, by topic. Each dispatches on the operation.
ir::Value simplify_integer(Simplifier& s, ir::Value value);   // simplify_int.cpp
ir::Value simplify_division(Simplifier& s, ir::Value value);  // simplify_division.cpp
ir::Value simplify_bits(Simplifier& s, ir::Value value);      // simplify_bits.cpp
ir::Value simplify_compare(Simplifier& s, ir::Value value);   // simplify_bool.cpp
ir::Value simplify_select(Simplifier& s, ir::Value value);    // simplify_select.cpp
ir::Value simplify_phi(Simplifier& s, ir::Value value);       // simplify_select.cpp
ir::Value simplify_float(Simplifier& s, ir::Value value);     // simplify_float.cpp
/// Of a sum or a difference of two products (float_sums.cpp).
ir::Value simplify_common_factor(Simplifier& s, ir::Value value);
/// Of two truth values joined by iand or ior (float_orders.cpp).
ir::Value simplify_joined_orders(Simplifier& s, ir::Value value);
ir::Value simplify_undef(Simplifier& s, ir::Value value);       // undef.cpp; of instructions that read an undef
ir::Value simplify_conversion(Simplifier& s, ir::Value value);  // simplify_convert.cpp
ir::Value simplify_address(Simplifier& s, ir::Value value);     // simplify_memory.cpp
ir::Value simplify_buffer(Simplifier& s, ir::Value value);      // simplify_memory.cpp

/// Whether compute_facts knows anything about some result of the operation.
constexpr bool has_facts(ir::Op op) {
  switch (op) {
    case ir::Op::builtin:
    case ir::Op::arg:
    case ir::Op::iand:
    case ir::Op::ior:
    case ir::Op::ixor:
    case ir::Op::iadd:
    case ir::Op::imul:
    case ir::Op::ishl:
    case ir::Op::ushr:
    case ir::Op::umin:
    case ir::Op::umax:
    case ir::Op::select:
    case ir::Op::zext:
    case ir::Op::trunc:
    case ir::Op::udiv:
    case ir::Op::umod:
    case ir::Op::bfe_u:
    case ir::Op::bit_count:
    case ir::Op::f_to_s:
    case ir::Op::f_to_u:
      return true;
    default:
      return false;
  }
}
/// What the operation lets one know about its result (bit_facts.cpp).
BitFacts compute_facts(const Simplifier& s, ir::Value value);

inline uint64_t type_mask(ir::Type type) {
  return type.scalar_bits() >= 64 ? ~uint64_t{0} : (uint64_t{1} << type.scalar_bits()) - 1;
}

}  // namespace spalt::passes
