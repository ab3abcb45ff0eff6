// SPDX-License-Identifier: MIT
// The mathematical functions for host/floats.clh and the rounding for host/conversions.clh: computed in a wider
// type by the C library and rounded once, so each is within half an ulp (long double: a hair more) of the exact value.
#include <bit>
#include <cmath>
#include <cstdint>

namespace {

constexpr long double kPi = 3.14159265358979323846264338327950288L;

__extension__ using Wide = unsigned __int128;

/// Rounding modes of host/conversions.clh.
enum RoundMode { kEven, kZero, kUp, kDown };

struct Format {
  int precision, emin, emax;
};
constexpr Format kHalf{11, -14, 15};

bool rounds_up(Wide rest, Wide half, bool odd, bool negative, int mode) {
  switch (mode) {
    case kEven:
      return rest > half || (rest == half && odd);
    case kUp:
      return rest != 0 && !negative;
    case kDown:
      return rest != 0 && negative;
    default:
      return false;
  }
}

double overflowed(bool negative, const Format& format, int mode) {
  const bool to_infinity = mode == kEven || (mode == kUp && !negative) || (mode == kDown && negative);
  const double largest = std::ldexp(2.0 - std::ldexp(1.0, 1 - format.precision), format.emax);
  const double magnitude = to_infinity ? INFINITY : largest;
  return negative ? -magnitude : magnitude;
}

/// significand * 2^exponent in the format; every value of it is a double.
double round_to(bool negative, uint64_t significand, int exponent, const Format& format, int mode) {
  if (significand == 0) return negative ? -0.0 : 0.0;
  const int top = 64 - std::countl_zero(significand) + exponent - 1;
  const int lowest = std::max(top, format.emin) - format.precision + 1;
  const int drop = lowest - exponent;
  uint64_t kept = significand;
  int scale = exponent;
  if (drop > 0) {
    // More than 65 bits below the lowest kept one all mean "a little".
    const int shift = std::min(drop, 66);
    const Wide value = significand, one = 1;
    const Wide rest = value & ((one << shift) - 1);
    kept = shift >= 64 ? 0 : significand >> shift;
    if (rounds_up(rest, one << (shift - 1), (kept & 1) != 0, negative, mode)) ++kept;
    scale = lowest;
  }
  const int kept_top = kept == 0 ? format.emin : 64 - std::countl_zero(kept) + scale - 1;
  if (kept_top > format.emax) return overflowed(negative, format, mode);
  const double magnitude = std::ldexp(static_cast<double>(kept), scale);
  return negative ? -magnitude : magnitude;
}

double round_to(double x, const Format& format, int mode) {
  if (std::isnan(x) || std::isinf(x) || x == 0) return x;
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(x), &exponent);
  return round_to(std::signbit(x), static_cast<uint64_t>(std::ldexp(fraction, 53)), exponent - 53, format, mode);
}

float to_half(double x) {
  return static_cast<float>(round_to(x, kHalf, kEven));
}
/// A long double of 64 significant bits, rounded once.
float to_half(long double x) {
  if (std::isnan(x) || std::isinf(x) || x == 0) return static_cast<float>(x);
  int exponent = 0;
  const long double fraction = std::frexp(std::fabs(x), &exponent);
  return static_cast<float>(
      round_to(std::signbit(x), static_cast<uint64_t>(std::ldexp(fraction, 64)), exponent - 64, kHalf, kEven));
}

// What the C library lacks. T is double or long double.
template <class T>
T sinpi_of(T x) {
  T r = std::remainder(x, T{2});
  if (std::fabs(r) > T{0.5}) r = std::copysign(T{1}, r) - r;
  // sinpi of a positive integer is +0, of a negative one -0.
  if (r == 0) return std::copysign(T{0}, x);
  return static_cast<T>(std::sin(kPi * r));
}
template <class T>
T cospi_of(T x) {
  const T r = std::fabs(std::remainder(x, T{2}));
  if (r < T{0.25}) return static_cast<T>(std::cos(kPi * r));
  return static_cast<T>(std::sin(kPi * (T{0.5} - r)));
}
template <class T>
T maxmag_of(T a, T b) {
  if (std::fabs(a) > std::fabs(b)) return a;
  return std::fabs(b) > std::fabs(a) ? b : std::fmax(a, b);
}
template <class T>
T minmag_of(T a, T b) {
  if (std::fabs(a) < std::fabs(b)) return a;
  return std::fabs(b) < std::fabs(a) ? b : std::fmin(a, b);
}
template <class T>
T rootn_of(T x, int n) {
  const T magnitude = n == 2   ? std::sqrt(std::fabs(x))
                      : n == 3 ? std::cbrt(std::fabs(x))
                               : std::pow(std::fabs(x), T{1} / n);
  if (n % 2 != 0) return std::copysign(magnitude, x);
  return x < 0 ? static_cast<T>(NAN) : magnitude;
}

float next_half(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return NAN;
  if (a == b) return b;
  constexpr float kSmallest = 5.9604644775390625e-8f;  // 2^-24
  if (a == 0) return std::copysign(kSmallest, b);
  int exponent = 0;
  std::frexp(std::fabs(a), &exponent);
  const bool away = (b > a) == (a > 0);
  // The step below a power of two is half as wide.
  const bool power = std::fabs(a) == std::ldexp(1.0f, exponent - 1);
  const int step = std::max(exponent - 11 - (power && !away ? 1 : 0), -24);
  return to_half(static_cast<double>(a) + std::ldexp(b > a ? 1.0 : -1.0, step));
}

}  // namespace

extern "C" {

#define SPALT_MATH_1(NAME, EXPRESSION)      \
  double spalt_f64_##NAME(double a) {       \
    const long double x = a;                \
    return static_cast<double>(EXPRESSION); \
  }                                         \
  float spalt_f32_##NAME(float a) {         \
    const double x = a;                     \
    return static_cast<float>(EXPRESSION);  \
  }                                         \
  float spalt_f16_##NAME(float a) {         \
    const double x = a;                     \
    return to_half(EXPRESSION);             \
  }
SPALT_MATH_1(acos, std::acos(x))
SPALT_MATH_1(acosh, std::acosh(x))
SPALT_MATH_1(acospi, std::acos(x) / kPi)
SPALT_MATH_1(asin, std::asin(x))
SPALT_MATH_1(asinh, std::asinh(x))
SPALT_MATH_1(asinpi, std::asin(x) / kPi)
SPALT_MATH_1(atan, std::atan(x))
SPALT_MATH_1(atanh, std::atanh(x))
SPALT_MATH_1(atanpi, std::atan(x) / kPi)
SPALT_MATH_1(cbrt, std::cbrt(x))
SPALT_MATH_1(ceil, std::ceil(x))
SPALT_MATH_1(cos, std::cos(x))
SPALT_MATH_1(cosh, std::cosh(x))
SPALT_MATH_1(cospi, cospi_of(x))
SPALT_MATH_1(erf, std::erf(x))
SPALT_MATH_1(erfc, std::erfc(x))
SPALT_MATH_1(exp, std::exp(x))
SPALT_MATH_1(exp10, std::pow(10.0L, static_cast<long double>(x)))
SPALT_MATH_1(exp2, std::exp2(x))
SPALT_MATH_1(expm1, std::expm1(x))
SPALT_MATH_1(fabs, std::fabs(x))
SPALT_MATH_1(floor, std::floor(x))
SPALT_MATH_1(lgamma, std::lgamma(x))
SPALT_MATH_1(log, std::log(x))
SPALT_MATH_1(log10, std::log10(x))
SPALT_MATH_1(log1p, std::log1p(x))
SPALT_MATH_1(log2, std::log2(x))
SPALT_MATH_1(logb, std::logb(x))
SPALT_MATH_1(rint, std::nearbyint(x))
SPALT_MATH_1(round, std::round(x))
SPALT_MATH_1(rsqrt, 1 / std::sqrt(x))
SPALT_MATH_1(sin, std::sin(x))
SPALT_MATH_1(sinh, std::sinh(x))
SPALT_MATH_1(sinpi, sinpi_of(x))
SPALT_MATH_1(tan, std::tan(x))
SPALT_MATH_1(tanh, std::tanh(x))
SPALT_MATH_1(tanpi, sinpi_of(x) / cospi_of(x))
SPALT_MATH_1(tgamma, std::tgamma(x))
SPALT_MATH_1(trunc, std::trunc(x))
// The root of a float rounded from double is correctly rounded; from long double to double it would not be.
double spalt_f64_sqrt(double a) {
  return std::sqrt(a);
}
float spalt_f32_sqrt(float a) {
  return std::sqrt(a);
}
float spalt_f16_sqrt(float a) {
  return to_half(std::sqrt(static_cast<double>(a)));
}

#define SPALT_MATH_2(NAME, EXPRESSION)          \
  double spalt_f64_##NAME(double a, double b) { \
    const long double x = a, y = b;             \
    return static_cast<double>(EXPRESSION);     \
  }                                             \
  float spalt_f32_##NAME(float a, float b) {    \
    const double x = a, y = b;                  \
    return static_cast<float>(EXPRESSION);      \
  }                                             \
  float spalt_f16_##NAME(float a, float b) {    \
    const double x = a, y = b;                  \
    return to_half(EXPRESSION);                 \
  }
SPALT_MATH_2(atan2, std::atan2(x, y))
SPALT_MATH_2(atan2pi, std::atan2(x, y) / kPi)
SPALT_MATH_2(copysign, std::copysign(x, y))
SPALT_MATH_2(fdim, std::fdim(x, y))
SPALT_MATH_2(fmax, std::fmax(x, y))
SPALT_MATH_2(fmin, std::fmin(x, y))
SPALT_MATH_2(fmod, std::fmod(x, y))
SPALT_MATH_2(hypot, std::hypot(x, y))
SPALT_MATH_2(maxmag, maxmag_of(x, y))
SPALT_MATH_2(minmag, minmag_of(x, y))
SPALT_MATH_2(pow, std::pow(x, y))
SPALT_MATH_2(powr, x < 0 ? static_cast<decltype(x + y)>(NAN) : std::pow(x, y))
SPALT_MATH_2(remainder, std::remainder(x, y))
double spalt_f64_nextafter(double a, double b) {
  return std::nextafter(a, b);
}
float spalt_f32_nextafter(float a, float b) {
  return std::nextafter(a, b);
}
float spalt_f16_nextafter(float a, float b) {
  return next_half(a, b);
}

double spalt_f64_fma(double a, double b, double c) {
  return std::fma(a, b, c);
}
float spalt_f32_fma(float a, float b, float c) {
  return std::fma(a, b, c);
}
/// The product of two halves is exact; of the sum, 64 bits are kept, and what lies below only matters as "not a tie".
float spalt_f16_fma(float a, float b, float c) {
  const long double product = static_cast<long double>(a) * b, sum = product + c;
  return to_half(sum);
}

double spalt_f64_ldexp(double a, int n) {
  return std::ldexp(a, n);
}
float spalt_f32_ldexp(float a, int n) {
  return static_cast<float>(
      round_to(std::ldexp(static_cast<double>(a), std::max(-700, std::min(n, 700))), Format{24, -126, 127}, kEven));
}
float spalt_f16_ldexp(float a, int n) {
  return to_half(std::ldexp(static_cast<double>(a), std::max(-700, std::min(n, 700))));
}
double spalt_f64_pown(double a, int n) {
  return static_cast<double>(std::pow(static_cast<long double>(a), static_cast<long double>(n)));
}
float spalt_f32_pown(float a, int n) {
  return static_cast<float>(std::pow(static_cast<double>(a), static_cast<double>(n)));
}
float spalt_f16_pown(float a, int n) {
  return to_half(std::pow(static_cast<double>(a), static_cast<double>(n)));
}
double spalt_f64_rootn(double a, int n) {
  return static_cast<double>(rootn_of<long double>(a, n));
}
float spalt_f32_rootn(float a, int n) {
  return static_cast<float>(rootn_of<double>(a, n));
}
float spalt_f16_rootn(float a, int n) {
  return to_half(rootn_of<double>(a, n));
}

int spalt_cl_ilogb(double a) {
  // FP_ILOGB0 is -INT_MAX - 1 and FP_ILOGBNAN INT_MAX in glibc and in the device library.
  return std::ilogb(a);
}
double spalt_cl_frexp(double a, int* e) {
  *e = 0;
  return std::isfinite(a) ? std::frexp(a, e) : a;
}
double spalt_cl_lgamma_sign(double a, int* sign) {
  return lgamma_r(a, sign);
}
double spalt_cl_remquo(double a, double b, int* quotient) {
  return std::remquo(a, b, quotient);
}

double spalt_cl_round(int negative, uint64_t significand, int exponent, int precision, int emin, int emax, int mode) {
  return round_to(negative != 0, significand, exponent, Format{precision, emin, emax}, mode);
}
double spalt_cl_round_double(double x, int precision, int emin, int emax, int mode) {
  return round_to(x, Format{precision, emin, emax}, mode);
}

}  // extern "C"
