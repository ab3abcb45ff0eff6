// SPDX-License-Identifier: MIT
// Floats are words of bits. What only looks at bits is exact in either way of taking floats: signs, comparisons, minima
// and maxima, classes of numbers. The rest are unknown functions, or the theory of IEEE 754.
#include <algorithm>
#include <utility>

#include "formula.h"

namespace spalt::prove {

using ir::Op;

namespace {

struct Format {
  unsigned width, exponent, fraction;
};

Format format_of(unsigned width) {
  if (width == 16) return {16, 5, 10};
  return width == 32 ? Format{32, 8, 23} : Format{64, 11, 52};
}

z3::expr magnitude(const z3::expr& bits) {
  const unsigned width = bits.get_sort().bv_size();
  return bits & number(bits.ctx(), ~uint64_t{0} >> (65 - width), width);
}

z3::expr infinity(z3::context& c, const Format& f) {
  return number(c, ((uint64_t{1} << f.exponent) - 1) << f.fraction, f.width);
}

z3::expr quiet_nan(z3::context& c, const Format& f) {
  return number(c, ((uint64_t{2} << f.exponent) - 1) << (f.fraction - 1), f.width);
}

z3::expr sign_bit(const z3::expr& bits) {
  const unsigned width = bits.get_sort().bv_size();
  return bits & number(bits.ctx(), uint64_t{1} << (width - 1), width);
}

/// A zero of its sign for a denormal.
z3::expr flushed(const z3::expr& bits, bool flush) {
  if (!flush) return bits;
  const Format f = format_of(bits.get_sort().bv_size());
  const z3::expr exponent = bits & infinity(bits.ctx(), f);
  return z3::ite(exponent == number(bits.ctx(), 0, f.width), sign_bit(bits), bits);
}

z3::expr with_quiet_nan(const z3::expr& bits) {
  return z3::ite(nan_formula(bits), quiet_nan(bits.ctx(), format_of(bits.get_sort().bv_size())), bits);
}

/// Order of the bits as of signed numbers, -0 before +0; NaN aside.
z3::expr order_key(const z3::expr& bits) {
  return z3::ite(bits < 0, ~magnitude(bits), bits);
}

z3::expr equal(const z3::expr& a, const z3::expr& b) {
  return a == b || (zero_formula(a) && zero_formula(b));
}

z3::expr less(const z3::expr& a, const z3::expr& b) {
  return z3::slt(order_key(a), order_key(b)) && !(zero_formula(a) && zero_formula(b));
}

z3::expr comparison(Op op, const z3::expr& a, const z3::expr& b) {
  z3::expr unordered = nan_formula(a) || nan_formula(b);
  switch (op) {
    case Op::foeq:
      return !unordered && equal(a, b);
    case Op::fone:
      return !unordered && !equal(a, b);
    case Op::folt:
      return !unordered && less(a, b);
    case Op::fole:
      return !unordered && (less(a, b) || equal(a, b));
    case Op::fueq:
      return unordered || equal(a, b);
    case Op::fune:
      return unordered || !equal(a, b);
    case Op::fult:
      return unordered || less(a, b);
    case Op::fule:
      return unordered || less(a, b) || equal(a, b);
    case Op::fordered:
      return !unordered;
    default:
      return unordered;
  }
}

z3::expr extremum(Op op, const z3::expr& a, const z3::expr& b) {
  const z3::expr first = op == Op::fmin ? z3::sle(order_key(a), order_key(b)) : z3::sge(order_key(a), order_key(b));
  return z3::ite(nan_formula(a), with_quiet_nan(b), z3::ite(nan_formula(b), a, z3::ite(first, a, b)));
}

/// The theory of Z3, over words of bits.
class Theory {
 public:
  Theory(z3::context& context, bool toward_zero)
      : c_(context), mode_(c_, toward_zero ? Z3_mk_fpa_rtz(c_) : Z3_mk_fpa_rne(c_)) {}

  z3::expr load(const z3::expr& bits) { return wrap(Z3_mk_fpa_to_fp_bv(c_, bits, sort(bits.get_sort().bv_size()))); }
  z3::expr store(const z3::expr& value, unsigned width) {
    const z3::expr nan = wrap(Z3_mk_fpa_is_nan(c_, value));
    return z3::ite(nan, quiet_nan(c_, format_of(width)), wrap(Z3_mk_fpa_to_ieee_bv(c_, value)));
  }
  z3::sort sort(unsigned width) {
    const Format f = format_of(width);
    return z3::sort(c_, Z3_mk_fpa_sort(c_, f.exponent, f.fraction + 1));
  }
  z3::expr wrap(Z3_ast ast) { return z3::expr(c_, ast); }
  /// Of a power of two, unless it or the reciprocal is no normal number: a constant. Else anything that is none.
  z3::expr reciprocal(const z3::expr& value) {
    z3::expr bits = wrap(Z3_mk_fpa_to_ieee_bv(c_, value)).simplify();
    if (!bits.is_numeral()) return bits;
    const Format f = format_of(bits.get_sort().bv_size());
    const uint64_t word = bits.get_numeral_uint64();
    const uint64_t fraction = word & ((uint64_t{1} << f.fraction) - 1);
    const uint64_t largest = (uint64_t{1} << f.exponent) - 1, exponent = word >> f.fraction & largest;
    const uint64_t bias = largest >> 1;
    z3::expr none = c_.bv_const("no reciprocal", 1);
    if (fraction != 0 || exponent == 0 || exponent >= 2 * bias) return none;
    const uint64_t sign = word >> (f.width - 1) << (f.width - 1);
    return load(number(c_, sign | (2 * bias - exponent) << f.fraction, f.width)).simplify();
  }
  z3::expr mode() { return mode_; }
  z3::context& context() { return c_; }
  z3::expr to_zero() { return wrap(Z3_mk_fpa_rtz(c_)); }

 private:
  z3::context& c_;
  z3::expr mode_;
};

/// Null if the theory has no such operation.
Z3_ast arithmetic(Op op, Theory& t, const Formulas& v) {
  z3::context& c = t.context();
  switch (op) {
    case Op::fadd:
      return Z3_mk_fpa_add(c, t.mode(), v[0], v[1]);
    case Op::fsub:
      return Z3_mk_fpa_sub(c, t.mode(), v[0], v[1]);
    case Op::fmul:
      return Z3_mk_fpa_mul(c, t.mode(), v[0], v[1]);
    case Op::fdiv:
      // A quotient by a power of two is the product with its reciprocal, as long as that is a normal number.
      if (z3::expr reciprocal = t.reciprocal(v[1]); reciprocal.is_numeral()) {
        return Z3_mk_fpa_mul(c, t.mode(), v[0], reciprocal);
      }
      return Z3_mk_fpa_div(c, t.mode(), v[0], v[1]);
    case Op::ffma:
      return Z3_mk_fpa_fma(c, t.mode(), v[0], v[1], v[2]);
    case Op::fsqrt:
      return Z3_mk_fpa_sqrt(c, t.mode(), v[0]);
    case Op::ffloor:
      return Z3_mk_fpa_round_to_integral(c, t.wrap(Z3_mk_fpa_rtn(c)), v[0]);
    case Op::fceil:
      return Z3_mk_fpa_round_to_integral(c, t.wrap(Z3_mk_fpa_rtp(c)), v[0]);
    case Op::ftrunc:
      return Z3_mk_fpa_round_to_integral(c, t.to_zero(), v[0]);
    case Op::fround_even:
      return Z3_mk_fpa_round_to_integral(c, t.wrap(Z3_mk_fpa_rne(c)), v[0]);
    default:
      return nullptr;
  }
}

/// Toward zero; saturated, NaN to 0.
z3::expr to_integer(Theory& t, bool is_signed, const z3::expr& bits, unsigned width) {
  z3::context& c = t.context();
  const z3::expr value = t.load(bits);
  const z3::sort sort = t.sort(bits.get_sort().bv_size());
  const z3::expr limit = t.wrap(Z3_mk_fpa_to_fp_unsigned(
      c, t.mode(), z3::shl(number(c, 1, 66), number(c, is_signed ? width - 1 : width, 66)), sort));
  const z3::expr above = t.wrap(Z3_mk_fpa_geq(c, value, limit));
  const z3::expr zero = number(c, 0, width), ones = number(c, ~uint64_t{0}, width);
  const z3::expr inside = t.wrap(is_signed ? Z3_mk_fpa_to_sbv(c, t.to_zero(), value, width)
                                           : Z3_mk_fpa_to_ubv(c, t.to_zero(), value, width));
  if (!is_signed) {
    const z3::expr positive = !nan_formula(bits) && bits >= 0 && !zero_formula(bits);
    return z3::ite(!positive, zero, z3::ite(above, ones, inside));
  }
  const z3::expr smallest = number(c, uint64_t{1} << (width - 1), width);
  const z3::expr below = t.wrap(Z3_mk_fpa_leq(c, value, t.wrap(Z3_mk_fpa_neg(c, limit))));
  return z3::ite(nan_formula(bits), zero, z3::ite(above, ~smallest, z3::ite(below, smallest, inside)));
}

/// Exact results. Null (an unset optional) if the operation is none of the theory's.
bool exact_formula(Op op, ir::Type result, std::span<const ir::Type> types, const Formulas& o,
                   const ir::FloatControls& controls, z3::expr& out) {
  z3::context& c = o[0].ctx();
  const bool to_float = result.is_float();
  Theory theory(c, to_float && controls.of(result).toward_zero);
  const unsigned width = result.scalar_bits();
  switch (op) {
    case Op::f_to_s:
    case Op::f_to_u:
      out = to_integer(theory, op == Op::f_to_s, flushed(o[0], controls.of(types[0]).flush), width);
      return true;
    case Op::s_to_f:
      out = theory.wrap(Z3_mk_fpa_to_fp_signed(c, theory.mode(), o[0], theory.sort(width)));
      break;
    case Op::u_to_f:
      out = theory.wrap(Z3_mk_fpa_to_fp_unsigned(c, theory.mode(), o[0], theory.sort(width)));
      break;
    case Op::f_to_f:
      out = theory.load(flushed(o[0], controls.of(types[0]).flush));
      if (types[0].scalar != result.scalar) {
        out = theory.wrap(Z3_mk_fpa_to_fp_float(c, theory.mode(), out, theory.sort(width)));
      }
      break;
    default: {
      if (!to_float || ir::group(op) != ir::OpGroup::floating) return false;
      Formulas values;
      for (size_t i = 0; i < o.size(); ++i) {
        if (!types[i].is_float()) return false;
        values.push_back(theory.load(flushed(o[i], controls.of(types[i]).flush)));
      }
      Z3_ast ast = arithmetic(op, theory, values);
      if (ast == nullptr) return false;
      out = theory.wrap(ast);
    }
  }
  out = flushed(theory.store(out, width), controls.of(result).flush);
  return true;
}

/// Sums and products as unknown functions that commute; a difference is a sum, and the sign of a product is known.
z3::expr opaque_formula(Op op, ir::Type result, std::span<const ir::Type> types, Formulas o,
                        const ir::FloatControls& controls) {
  const unsigned width = result.scalar_bits();
  z3::context& c = o[0].ctx();
  for (size_t i = 0; i < o.size(); ++i) {
    if (types[i].is_float()) o[i] = flushed(o[i], controls.of(types[i]).flush);
  }
  if (op == Op::fsub) {
    o[1] = o[1] ^ number(c, uint64_t{1} << (width - 1), width);
    op = Op::fadd;
  }
  z3::expr sign = number(c, 0, width);
  if (op == Op::fmul || op == Op::fdiv) {
    sign = sign_bit(o[0] ^ o[1]);
    o[0] = magnitude(o[0]);
    o[1] = magnitude(o[1]);
  }
  if (ir::info(op).has(ir::kCommutes)) {
    // The same two operands make the same formula; those that are only equal have the order of their bits.
    if (Z3_get_ast_id(c, o[0]) > Z3_get_ast_id(c, o[1])) std::swap(o[0], o[1]);
    const z3::expr swap = z3::ult(o[1], o[0]), first = z3::ite(swap, o[1], o[0]), second = z3::ite(swap, o[0], o[1]);
    o[0] = first;
    o[1] = second;
  }
  const z3::expr bits = unknown(std::string(ir::info(op).name) + (result.is_float() ? "_to_f" : ""), width, o);
  return result.is_float() ? with_quiet_nan(flushed(bits, controls.of(result).flush) ^ sign) : bits;
}

}  // namespace

z3::expr nan_formula(const z3::expr& bits) {
  return z3::ugt(magnitude(bits), infinity(bits.ctx(), format_of(bits.get_sort().bv_size())));
}

z3::expr zero_formula(const z3::expr& bits) {
  return magnitude(bits) == number(bits.ctx(), 0, bits.get_sort().bv_size());
}

z3::expr infinity_formula(const z3::expr& bits) {
  return magnitude(bits) == infinity(bits.ctx(), format_of(bits.get_sort().bv_size()));
}

z3::expr float_formula(Op op, ir::Type result, std::span<const ir::Type> types, const Formulas& o,
                       const Semantics& semantics) {
  const unsigned width = o[0].get_sort().bv_size();
  const bool flush = types[0].is_float() && semantics.controls.of(types[0]).flush;
  if (op == Op::fneg) return o[0] ^ number(o[0].ctx(), uint64_t{1} << (width - 1), width);
  if (op == Op::fabs) return magnitude(o[0]);
  if (ir::group(op) == ir::OpGroup::float_compare) {
    return from_bool(comparison(op, flushed(o[0], flush), flushed(o[1], flush)));
  }
  if (op == Op::fmin || op == Op::fmax) return extremum(op, flushed(o[0], flush), flushed(o[1], flush));
  z3::expr exact = o[0];
  const bool has_constant =
      std::any_of(o.begin(), o.end(), [](const z3::expr& operand) { return operand.is_numeral(); });
  const bool is_exact = semantics.floats == Floats::exact || (semantics.floats == Floats::mixed && has_constant);
  if (is_exact && exact_formula(op, result, types, o, semantics.controls, exact)) return exact;
  return opaque_formula(op, result, types, o, semantics.controls);
}

z3::expr operation_formula(Op op, ir::Type result, std::span<const ir::Type> types, const Formulas& o,
                           const Semantics& semantics) {
  const unsigned width = result.scalar_bits();
  switch (ir::group(op)) {
    case ir::OpGroup::integer:
    case ir::OpGroup::integer_compare:
      if (op != Op::bits_below) return integer_formula(op, o, semantics);
      break;
    case ir::OpGroup::integer_convert:
      if (op == Op::sext && width > types[0].scalar_bits()) return z3::sext(o[0], width - types[0].scalar_bits());
      return resize(o[0], width);
    case ir::OpGroup::floating:
    case ir::OpGroup::float_compare:
    case ir::OpGroup::float_convert:
      return float_formula(op, result, types, o, semantics);
    default:
      break;
  }
  return unknown(std::string(ir::info(op).name), width, o);
}

}  // namespace spalt::prove
