// SPDX-License-Identifier: MIT
// Comparisons with one number that are joined: x > c or y > c is max(x, y) > c, one instruction of the vector unit and
// one of the scalar unit less. A minimum or maximum of a number and NaN is the number: what is joined by `or` must be
// false for NaN, what is joined by `and` true.
#include "passes/simplify/simplifier.h"

namespace spalt::passes {

using ir::Op;
using ir::Value;

namespace {

bool is_order(Op joined_by, Op op) {
  return joined_by == Op::ior ? op == Op::folt || op == Op::fole : op == Op::fult || op == Op::fule;
}

}  // namespace

Value simplify_joined_orders(Simplifier& s, Value value) {
  const Value a = s.operand(value, 0), b = s.operand(value, 1);
  const Op op = s.op(a);
  if (!is_order(s.op(value), op) || s.op(b) != op) return Value();
  const ir::Type type = s.type(s.operand(a, 0));
  if (type != s.type(s.operand(b, 0)) || (type != ir::kF32 && type != ir::kF16)) return Value();
  for (unsigned common = 0; common < 2; ++common) {
    const Value bound = s.operand(a, common);
    if (s.operand(b, common) != bound || !s.single_use(a) || !s.single_use(b)) continue;
    // Of numbers above the bound (common == 0) `or` wants the greatest, `and` the least.
    const bool greatest = (common == 0) == (s.op(value) == Op::ior);
    const Value one =
        s.emit(greatest ? Op::fmax : Op::fmin, type, {s.operand(a, 1 - common), s.operand(b, 1 - common)});
    return common == 0 ? s.change(value, op, {bound, one}) : s.change(value, op, {one, bound});
  }
  return Value();
}

}  // namespace spalt::passes
