// SPDX-License-Identifier: MIT
// Float arithmetic. Everything is written once for the three formats of evaluate_groups.h.
#include <numbers>

#include "ir/evaluate_groups.h"

namespace spalt::ir {
namespace {

template <class Format>
struct Float {
  using T = typename Format::Compute;
  static T x(const uint64_t* o) { return Format::load(o[0]); }
  static T y(const uint64_t* o) { return Format::load(o[1]); }
  static T z(const uint64_t* o) { return Format::load(o[2]); }
  static uint64_t store(T value) { return Format::store(value); }
  /// A double result of a libm function, rounded to the format.
  static uint64_t round(double value) { return Format::store(static_cast<T>(value)); }

  static uint64_t fadd(const uint64_t* o) { return store(Format::add(x(o), y(o))); }
  static uint64_t fsub(const uint64_t* o) { return store(Format::add(x(o), -y(o))); }
  static uint64_t fmul(const uint64_t* o) { return store(Format::multiply(x(o), y(o))); }
  static uint64_t fdiv(const uint64_t* o) { return store(Format::divide(x(o), y(o))); }
  static uint64_t frem(const uint64_t* o) { return store(std::fmod(x(o), y(o))); }
  static uint64_t fmod(const uint64_t* o) {
    const T divisor = y(o);
    const T remainder = std::fmod(x(o), divisor);
    const bool adjust = remainder != 0 && std::signbit(remainder) != std::signbit(divisor);
    return store(adjust ? Format::add(remainder, divisor) : remainder);
  }
  static uint64_t fneg(const uint64_t* o) { return o[0] ^ Format::kSign; }
  static uint64_t fabs(const uint64_t* o) { return o[0] & ~Format::kSign; }
  static uint64_t ffma(const uint64_t* o) {
    // f16 computes in double, where the product is exact and so is the sum wherever it is close to a tie: up to the
    // overflow at 2^16 a product has its last bit at 2^-48 or relative 2^-21, an addend at 2^-24, and 53 bits hold
    // that.
    return store(Format::multiply_add(x(o), y(o), Format::load(o[2])));
  }

  /// -0 before +0; neither operand is NaN.
  static bool less(T a, T b) { return a < b || (a == b && std::signbit(a) && !std::signbit(b)); }
  static uint64_t fmin(const uint64_t* o) {
    const T a = x(o), b = y(o);
    if (std::isnan(a)) return store(b);
    if (std::isnan(b)) return store(a);
    return store(less(b, a) ? b : a);
  }
  static uint64_t fmax(const uint64_t* o) {
    const T a = x(o), b = y(o);
    if (std::isnan(a)) return store(b);
    if (std::isnan(b)) return store(a);
    return store(less(a, b) ? b : a);
  }

  static uint64_t fsqrt(const uint64_t* o) { return store(Format::root(x(o))); }
  static uint64_t frcp(const uint64_t* o) { return store(Format::divide(T{1}, x(o))); }
  static uint64_t frsq(const uint64_t* o) { return round(1.0 / std::sqrt(static_cast<double>(x(o)))); }
  static uint64_t fexp2(const uint64_t* o) { return round(std::exp2(static_cast<double>(x(o)))); }
  static uint64_t flog2(const uint64_t* o) { return round(std::log2(static_cast<double>(x(o)))); }
  static uint64_t fsin(const uint64_t* o) { return round(std::sin(static_cast<double>(x(o)))); }
  static uint64_t fcos(const uint64_t* o) { return round(std::cos(static_cast<double>(x(o)))); }
  /// The sine of a + quarters / 4 turns. Whole turns and quarters are taken off first, which is exact: large operands
  /// keep their precision, and multiples of a quarter give 0, 1 and -1 themselves.
  static double sin_of_turns(double a, int quarters) {
    if (!std::isfinite(a)) return std::numeric_limits<double>::quiet_NaN();
    const double turn = std::remainder(a, 1.0), quarter = std::nearbyint(turn * 4);
    const double angle = (turn - quarter / 4) * 2.0 * std::numbers::pi;
    const int quadrant = (static_cast<int>(quarter) + quarters) & 3;
    const double magnitude = (quadrant & 1) != 0 ? std::cos(angle) : std::sin(angle);
    return (quadrant & 2) != 0 ? 0.0 - magnitude : magnitude + 0.0;
  }
  static uint64_t fsin_turns(const uint64_t* o) {
    return x(o) == 0 ? store(x(o)) : round(sin_of_turns(static_cast<double>(x(o)), 0));
  }
  static uint64_t fcos_turns(const uint64_t* o) { return round(sin_of_turns(static_cast<double>(x(o)), 1)); }

  static uint64_t ffloor(const uint64_t* o) { return store(std::floor(x(o))); }
  static uint64_t fceil(const uint64_t* o) { return store(std::ceil(x(o))); }
  static uint64_t ftrunc(const uint64_t* o) { return store(std::trunc(x(o))); }
  static uint64_t fround_even(const uint64_t* o) { return store(std::nearbyint(x(o))); }
  static uint64_t ffract(const uint64_t* o) {
    const uint64_t bits = store(Format::add(x(o), -std::floor(x(o))));
    return Format::load(bits) == 1 ? Format::kBelowOne : bits;
  }
  static uint64_t fldexp(const uint64_t* o) { return store(std::ldexp(x(o), static_cast<int32_t>(o[1]))); }
  static uint64_t frexp_mantissa(const uint64_t* o) {
    int exponent = 0;
    return store(std::frexp(x(o), &exponent));
  }
  static uint64_t frexp_exponent(const uint64_t* o) {
    int exponent = 0;
    if (std::isfinite(x(o))) static_cast<void>(std::frexp(x(o), &exponent));
    return static_cast<uint32_t>(exponent);
  }

  static unsigned cube_axis(const uint64_t* o) {
    const T a = std::fabs(x(o)), b = std::fabs(y(o)), c = std::fabs(z(o));
    return c >= a && c >= b ? 2 : b >= a ? 1 : 0;
  }
  static bool cube_negative(const uint64_t* o) { return Format::load(o[cube_axis(o)]) < 0; }
  static uint64_t cube_id(const uint64_t* o) {
    return store(static_cast<T>(2 * cube_axis(o) + (cube_negative(o) ? 1 : 0)));
  }
  static uint64_t cube_sc(const uint64_t* o) {
    if (cube_axis(o) == 0) return store(cube_negative(o) ? z(o) : -z(o));
    return store(cube_axis(o) == 2 && cube_negative(o) ? -x(o) : x(o));
  }
  static uint64_t cube_tc(const uint64_t* o) {
    if (cube_axis(o) != 1) return store(-y(o));
    return store(cube_negative(o) ? -z(o) : z(o));
  }
  static uint64_t cube_ma(const uint64_t* o) { return store(Format::multiply(T{2}, Format::load(o[cube_axis(o)]))); }

  static bool ordered(const uint64_t* o) { return !std::isnan(x(o)) && !std::isnan(y(o)); }
  static uint64_t foeq(const uint64_t* o) { return x(o) == y(o); }
  static uint64_t fone(const uint64_t* o) { return ordered(o) && x(o) != y(o); }
  static uint64_t folt(const uint64_t* o) { return x(o) < y(o); }
  static uint64_t fole(const uint64_t* o) { return x(o) <= y(o); }
  static uint64_t fueq(const uint64_t* o) { return !ordered(o) || x(o) == y(o); }
  static uint64_t fune(const uint64_t* o) { return x(o) != y(o); }
  static uint64_t fult(const uint64_t* o) { return !(x(o) >= y(o)); }
  static uint64_t fule(const uint64_t* o) { return !(x(o) > y(o)); }
  static uint64_t fordered(const uint64_t* o) { return ordered(o); }
  static uint64_t funordered(const uint64_t* o) { return !ordered(o); }

  static Evaluator find(Op op) {
    switch (op) {
      case Op::fadd:
        return fadd;
      case Op::fsub:
        return fsub;
      case Op::fmul:
        return fmul;
      case Op::fdiv:
        return fdiv;
      case Op::frem:
        return frem;
      case Op::fmod:
        return fmod;
      case Op::fneg:
        return fneg;
      case Op::fabs:
        return fabs;
      case Op::ffma:
        return ffma;
      case Op::fmin:
        return fmin;
      case Op::fmax:
        return fmax;
      case Op::fsqrt:
        return fsqrt;
      case Op::frcp:
        return frcp;
      case Op::ffloor:
        return ffloor;
      case Op::fceil:
        return fceil;
      case Op::ftrunc:
        return ftrunc;
      case Op::fround_even:
        return fround_even;
      case Op::ffract:
        return ffract;
      case Op::fldexp:
        return fldexp;
      case Op::frexp_mantissa:
        return frexp_mantissa;
      case Op::frexp_exponent:
        return frexp_exponent;
      case Op::foeq:
        return foeq;
      case Op::fone:
        return fone;
      case Op::folt:
        return folt;
      case Op::fole:
        return fole;
      case Op::fueq:
        return fueq;
      case Op::fune:
        return fune;
      case Op::fult:
        return fult;
      case Op::fule:
        return fule;
      case Op::fordered:
        return fordered;
      case Op::funordered:
        return funordered;
      default:
        break;
    }
    // A double rounded twice would not be correctly rounded, and SPIR-V has no f64 form of these.
    if constexpr (Format::kIsDouble) return op == Op::frsq ? frsq : nullptr;
    return find_transcendental(op);
  }

  static Evaluator find_transcendental(Op op) {
    switch (op) {
      case Op::frsq:
        return frsq;
      case Op::fexp2:
        return fexp2;
      case Op::flog2:
        return flog2;
      case Op::fsin:
        return fsin;
      case Op::fcos:
        return fcos;
      case Op::fsin_turns:
        return fsin_turns;
      case Op::fcos_turns:
        return fcos_turns;
      case Op::cube_id:
        return cube_id;
      case Op::cube_sc:
        return cube_sc;
      case Op::cube_tc:
        return cube_tc;
      case Op::cube_ma:
        return cube_ma;
      default:
        return nullptr;
    }
  }
};

}  // namespace

Evaluator find_float_evaluator(Op op, Type type, const FloatControls& controls) {
  return with_float(type, controls, [op]<class Format>() { return Float<Format>::find(op); });
}

}  // namespace spalt::ir
