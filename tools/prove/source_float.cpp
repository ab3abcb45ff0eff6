// SPDX-License-Identifier: MIT
#include "source_float.h"

#include <array>

#include "float_function.h"

namespace spalt::prove {

using ir::Op;

namespace {

struct Row {
  Op op;
  const char* name;
};

/// Operations that one instruction computes as it may.
constexpr std::array<Row, 19> kFunctions = {{{Op::fsqrt, "sqrt"},
                                             {Op::frsq, "rsq"},
                                             {Op::frcp, "rcp"},
                                             {Op::fexp2, "exp"},
                                             {Op::flog2, "log"},
                                             {Op::fsin_turns, "sin"},
                                             {Op::fcos_turns, "cos"},
                                             {Op::ffloor, "floor"},
                                             {Op::fceil, "ceil"},
                                             {Op::ftrunc, "trunc"},
                                             {Op::fround_even, "rndne"},
                                             {Op::ffract, "fract"},
                                             {Op::fldexp, "ldexp"},
                                             {Op::frexp_mantissa, "frexp_mant"},
                                             {Op::frexp_exponent, "frexp_exp"},
                                             {Op::cube_id, "cubeid"},
                                             {Op::cube_sc, "cubesc"},
                                             {Op::cube_tc, "cubetc"},
                                             {Op::cube_ma, "cubema"}}};

constexpr std::array<Row, 10> kComparisons = {{{Op::foeq, "eq"},
                                               {Op::fone, "lg"},
                                               {Op::folt, "lt"},
                                               {Op::fole, "le"},
                                               {Op::fueq, "nlg"},
                                               {Op::fune, "neq"},
                                               {Op::fult, "nge"},
                                               {Op::fule, "ngt"},
                                               {Op::fordered, "o"},
                                               {Op::funordered, "u"}}};

/// f32 rounded to what a half holds; its denormals become zeros of their sign.
z3::expr quantized(const z3::expr& a) {
  const z3::expr back = widened(narrowed(a));
  const z3::expr is_small = *float_compared("lt", magnitude_of(back), number(a.ctx(), 0x38800000, 32));
  return z3::ite(is_small, back & number(a.ctx(), 0x80000000, 32), back);
}

z3::expr between_floats(unsigned width, const z3::expr& a) {
  const unsigned from = a.get_sort().bv_size();
  if (from == 16 && width == 32) return widened(a);
  if (from == 32 && width == 16) return narrowed(a);
  return float_call("cvt_f" + std::to_string(width) + "_f" + std::to_string(from), width, {a}, false);
}

}  // namespace

std::optional<z3::expr> source_float(Op op, ir::Type result, std::span<const ir::Type> types, const Formulas& o) {
  const unsigned width = result.scalar_bits(), from = types[0].scalar_bits();
  for (const Row& row : kFunctions) {
    if (row.op == op) return float_call(row.name, width, o, false);
  }
  for (const Row& row : kComparisons) {
    if (row.op == op) return from_bool(*float_compared(row.name, o[0], o[1]));
  }
  const auto convert_to = [&](const char* kind) {
    return float_call("cvt_" + std::string(kind) + std::to_string(width) + "_f" + std::to_string(from), width, o,
                      false);
  };
  switch (op) {
    case Op::fadd:
      return float_call("add", width, o, true);
    case Op::fsub:
      return float_call("add", width, {o[0], negated(o[1])}, true);
    case Op::fmul:
      return float_call("mul", width, o, true);
    case Op::ffma:
      return fused(o[0], o[1], o[2]);
    case Op::fneg:
      return negated(o[0]);
    case Op::fabs:
      return magnitude_of(o[0]);
    case Op::fmin:
    case Op::fmax:
      return extreme(o[0], o[1], op == Op::fmin);
    case Op::f_to_s:
      return convert_to("i");
    case Op::f_to_u:
      return convert_to("u");
    case Op::s_to_f:
    case Op::u_to_f:
      return from_integer(width, o[0], op == Op::s_to_f);
    case Op::f_to_f:
      return between_floats(width, o[0]);
    case Op::quantize_f16:
      return quantized(o[0]);
    case Op::pack_half:
      return z3::concat(narrowed(o[1]), narrowed(o[0]));
    case Op::unpack_half_lo:
      return widened(o[0].extract(15, 0));
    case Op::unpack_half_hi:
      return widened(o[0].extract(31, 16));
    default:
      return std::nullopt;
  }
}

}  // namespace spalt::prove
