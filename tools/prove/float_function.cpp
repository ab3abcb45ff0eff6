// SPDX-License-Identifier: MIT
#include "float_function.h"

#include <array>
#include <optional>
#include <utility>

namespace spalt::prove {

using ir::Op;

namespace {

bool is_constant(const z3::expr& a, uint64_t bits) {
  const z3::expr simple = a.simplify();
  return simple.is_numeral() && simple.get_numeral_uint64() == bits;
}

ir::Type float_type(unsigned width) {
  return width == 16 ? ir::kF16 : width == 32 ? ir::kF32 : ir::kF64;
}

z3::expr exact(Op op, ir::Type result, const z3::expr& a, const z3::expr& b) {
  const ir::Type type = float_type(a.get_sort().bv_size());
  const std::array<ir::Type, 2> types = {type, type};
  return float_formula(op, result, types, {a, b}, {});
}

}  // namespace

uint64_t one_bits(unsigned width) {
  return width == 16 ? 0x3c00 : width == 32 ? 0x3f800000 : 0x3ff0000000000000;
}

z3::expr float_call(const std::string& name, unsigned width, Formulas operands, bool commutes) {
  // Equal operands are the same formula as far as simplification tells, and have one order then.
  for (z3::expr& operand : operands) operand = operand.simplify();
  if (commutes) {
    if (Z3_get_ast_id(operands[0].ctx(), operands[0]) > Z3_get_ast_id(operands[0].ctx(), operands[1])) {
      std::swap(operands[0], operands[1]);
    }
    const z3::expr swap = z3::ult(operands[1], operands[0]);
    const z3::expr first = z3::ite(swap, operands[1], operands[0]), second = z3::ite(swap, operands[0], operands[1]);
    operands[0] = first;
    operands[1] = second;
  }
  return unknown(name, width, operands);
}

z3::expr fused(const z3::expr& a, const z3::expr& b, const z3::expr& c) {
  const unsigned width = a.get_sort().bv_size();
  const uint64_t one = one_bits(width);
  if (is_constant(c, uint64_t{1} << (width - 1))) {
    if (is_constant(a, one)) return b;
    return is_constant(b, one) ? a : float_call("mul", width, {a, b}, true);
  }
  if (is_constant(a, one)) return float_call("add", width, {b, c}, true);
  if (is_constant(b, one)) return float_call("add", width, {a, c}, true);
  return float_call("fma", width, {a, b, c}, true);
}

z3::expr rounded_twice(const z3::expr& a, const z3::expr& b, const z3::expr& c) {
  const unsigned width = a.get_sort().bv_size();
  return float_call("add", width, {float_call("mul", width, {a, b}, true), c}, true);
}

z3::expr widened(const z3::expr& half) {
  const z3::expr rest = unknown("cvt_f32_f16", 31, {resize(half, 15)});
  return z3::concat(half.extract(15, 15), rest);
}

z3::expr narrowed(const z3::expr& a) {
  return z3::concat(a.extract(31, 31), unknown("cvt_f16_f32", 15, {resize(a, 31)}));
}

z3::expr from_integer(unsigned width, const z3::expr& a, bool is_signed) {
  const std::string bits = std::to_string(a.get_sort().bv_size()), to = "cvt_f" + std::to_string(width);
  const z3::expr positive = float_call(to + "_u" + bits, width, {a}, false);
  return is_signed ? z3::ite(a < 0, float_call(to + "_i" + bits, width, {a}, false), positive) : positive;
}

z3::expr scaled(unsigned modifier, const z3::expr& bits) {
  return unknown("omod" + std::to_string(modifier), bits.get_sort().bv_size(), {bits});
}

z3::expr negated(const z3::expr& a) {
  const unsigned width = a.get_sort().bv_size();
  return a ^ number(a.ctx(), uint64_t{1} << (width - 1), width);
}

z3::expr magnitude_of(const z3::expr& a) {
  const unsigned width = a.get_sort().bv_size();
  return a & number(a.ctx(), ~uint64_t{0} >> (65 - width), width);
}

z3::expr extreme(const z3::expr& a, const z3::expr& b, bool is_min) {
  return exact(is_min ? Op::fmin : Op::fmax, float_type(a.get_sort().bv_size()), a, b);
}

z3::expr limited(const z3::expr& a) {
  const unsigned width = a.get_sort().bv_size();
  return extreme(extreme(a, number(a.ctx(), 0, width), false), number(a.ctx(), one_bits(width), width), true);
}

std::optional<z3::expr> float_compared(std::string_view how, const z3::expr& a, const z3::expr& b) {
  struct Row {
    std::string_view how;
    Op op;
    bool swaps;
  };
  constexpr std::array<Row, 14> kRows = {{{"eq", Op::foeq, false},
                                          {"lg", Op::fone, false},
                                          {"lt", Op::folt, false},
                                          {"gt", Op::folt, true},
                                          {"le", Op::fole, false},
                                          {"ge", Op::fole, true},
                                          {"nlg", Op::fueq, false},
                                          {"neq", Op::fune, false},
                                          {"nge", Op::fult, false},
                                          {"nle", Op::fult, true},
                                          {"ngt", Op::fule, false},
                                          {"nlt", Op::fule, true},
                                          {"o", Op::fordered, false},
                                          {"u", Op::funordered, false}}};
  for (const Row& row : kRows) {
    if (row.how == how) return truth(exact(row.op, ir::kBool, row.swaps ? b : a, row.swaps ? a : b));
  }
  return std::nullopt;
}

}  // namespace spalt::prove
