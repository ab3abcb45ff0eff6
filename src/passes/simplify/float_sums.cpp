// SPDX-License-Identifier: MIT
// A factor that both operands of a sum have is taken out: (r * x) * a + (r * y) * b is r * (x * a + y * b), one product
// less. That is the dot product with a normalized vector of which nothing else is needed: r is the reciprocal of its
// length, which comes late, and the rest need not wait for it. Term by term, the whole of a longer sum gets there.
//
// Equal for real numbers only, so that all that take part must have that freedom, and what overflows may be another
// number.
#include "passes/simplify/simplifier.h"

namespace spalt::passes {

using ir::Op;
using ir::Value;

namespace {

constexpr uint16_t kFreedoms = ir::kNoNaN | ir::kNoInf | ir::kAllowReassociation | ir::kAllowTransformation;

bool is_product(const Simplifier& s, Value value) {
  if (s.op(value) != Op::fmul) return false;
  return (ir::fast_math(s.config().float_controls, s.type(value), s.flags(value)) & kFreedoms) == kFreedoms;
}

/// A product as factor * rest, where the rest is `other`, or other * inner.
struct Factored {
  Value factor, other, inner;
  bool saves() const { return inner.valid(); }
};

struct FactorList {
  Factored items[6];
  unsigned count = 0;
};

/// Every factor of `product`, and of the products that it is made of.
FactorList factors(const Simplifier& s, Value product) {
  FactorList list;
  for (unsigned side = 0; side < 2; ++side) {
    const Value factor = s.operand(product, side), other = s.operand(product, 1 - side);
    list.items[list.count++] = {factor, other, Value()};
    if (!is_product(s, factor)) continue;
    for (unsigned i = 0; i < 2; ++i) {
      list.items[list.count++] = {s.operand(factor, i), other, s.operand(factor, 1 - i)};
    }
  }
  return list;
}

/// The product that the rest and the factor were made with; none if they are factors of one.
Value inner_product(const Simplifier& s, Value product, const Factored& factored) {
  if (!factored.inner.valid()) return Value();
  return s.operand(product, s.operand(product, 1) == factored.other ? 0 : 1);
}

/// Nobody else needs the products that would go.
bool goes(Simplifier& s, Value product, const Factored& factored) {
  if (!s.single_use(product)) return false;
  const Value inner = inner_product(s, product, factored);
  return !inner.valid() || s.single_use(inner);
}

Value rest(Simplifier& s, const Factored& factored, uint16_t flags) {
  if (!factored.inner.valid()) return factored.other;
  return s.emit(Op::fmul, s.type(factored.other), {factored.other, factored.inner}, flags);
}

}  // namespace

Value simplify_common_factor(Simplifier& s, Value value) {
  const Value a = s.operand(value, 0), b = s.operand(value, 1);
  if (!is_product(s, a) || !is_product(s, b)) return Value();
  if ((ir::fast_math(s.config().float_controls, s.type(value), s.flags(value)) & kFreedoms) != kFreedoms)
    return Value();
  const FactorList left = factors(s, a), right = factors(s, b);
  for (unsigned i = 0; i < left.count; ++i) {
    for (unsigned j = 0; j < right.count; ++j) {
      const Factored &x = left.items[i], &y = right.items[j];
      if (x.factor != y.factor || (!x.saves() && !y.saves()) || s.is_constant(x.factor)) continue;
      if (!goes(s, a, x) || !goes(s, b, y)) continue;
      uint16_t flags = s.flags(value);
      for (const Value part : {a, b, inner_product(s, a, x), inner_product(s, b, y)}) {
        if (part.valid()) flags = Simplifier::merged_flags(flags, s.flags(part));
      }
      const Value sum = s.emit(s.op(value), s.type(value), {rest(s, x, flags), rest(s, y, flags)}, flags);
      return s.change(value, Op::fmul, {sum, x.factor}, flags);
    }
  }
  return Value();
}

}  // namespace spalt::passes
