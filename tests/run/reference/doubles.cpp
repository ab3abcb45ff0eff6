// SPDX-License-Identifier: MIT
//
// Floats of 64 bits. The host computes them as IEEE 754 says, without fusing a product and a sum that the program keeps
// apart.
#include "doubles.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace spalt::run {
namespace {

using vkrun::BufferContents;
using vkrun::Manifest;

uint64_t order(double a, double b) {
  const bool facts[] = {a<b, a <= b, a> b, a >= b, a == b, a != b, !(a < b), !(a >= b), std::isnan(a), std::isinf(b)};
  uint64_t result = 0;
  for (size_t i = 0; i < std::size(facts); ++i) result |= uint64_t{facts[i]} << i;
  return result;
}

/// -0 is less than +0.
double least(double x, double y) {
  return x < y || (x == y && std::signbit(x)) ? x : y;
}
double greatest(double x, double y) {
  return x > y || (x == y && !std::signbit(x)) ? x : y;
}

double sign_of(double x) {
  return x > 0 ? 1 : x < 0 ? -1 : x;
}

struct Push {
  double base, factor, first, second;
  uint32_t rounds;
};

double walk_uniform(const Push& push) {
  double state = push.base;
  for (uint32_t r = 0; r < push.rounds; ++r) {
    const double scaled = state * push.factor, part = push.first / (state + push.second);
    state = scaled - part;
    if (state > 1e3) {
      state = std::floor(state) * 0.0009765625;
    } else if (state < push.first) {
      state = std::abs(state) + 0.25;
    }
  }
  return state;
}

uint64_t walk(double x) {
  double at = std::isnan(x) || std::isinf(x) ? 1 : x;
  uint64_t steps = 0;
  while (std::abs(at) > 1 && steps < 40) {
    const double scaled = at * 0.7;
    at = scaled - 0.125;
    ++steps;
  }
  return bits(at) + steps;
}

uint64_t fraction(double x) {
  if (std::isinf(x) || std::isnan(x)) return 3;
  return bits(x < 0 && x > -1e-16 ? 0.5 : x - std::floor(x));
}

void double_arithmetic(const Manifest& manifest, BufferContents& b) {
  const auto& words = manifest.dispatches[0].push;
  const Push push = {from_words(words, 0), from_words(words, 2), from_words(words, 4), from_words(words, 6), words[8]};
  const double state = walk_uniform(push);
  const auto in = u64(b, 0), out = u64(b, 1);
  for (uint32_t i = 0; i < 2048; ++i) {
    const bool edge = i < 1024;
    const double x = number(in[edge ? i / 32 : i - 992]), y = number(in[edge ? i % 32 : i + 32]);
    const double z = number(in[edge ? (i * 5 + i / 32) % 32 : i - 991]);
    const bool any_nan = std::isnan(x) || std::isnan(y);
    const double product = x * y, half_sum = x + 0.5, less = x - 100.0, scaled = x * 1.3, added = x + push.base;
    const double magnitudes = std::abs(y) * z, moved = added * push.factor;
    const uint64_t rows[] = {
        bits(x + y),
        bits(x - y),
        bits(product),
        bits(x / y),
        bits(product + z),
        bits(z - product),
        bits(-x) ^ bits(std::abs(y)) >> 1,
        order(x, y),
        order(x, 1) | order(0.1, y) << 10 | order(std::abs(x), -y) << 20,
        any_nan || (x == 0 && y == 0) ? 7 : bits(least(x, y)) ^ bits(greatest(x, -y)) << 1,
        std::isnan(x) || x == 0 ? 7 : bits(std::clamp(x, -1.5, 1e300)),
        bits(std::floor(x)) ^ bits(std::ceil(x)) << 1,
        bits(std::trunc(x)) ^ bits(std::nearbyint(y)) << 1,
        fraction(x),
        any_nan || x == 0 ? 5 : bits(sign_of(x)) ^ bits(y < x ? 0 : 1),
        bits(half_sum * 4.0),
        bits(less * 0.375),
        bits(0.1 - scaled),
        bits(x < y ? x : y * 3.0),
        bits(-std::abs(x) + magnitudes),
        bits(moved + push.second),
        bits(x / 3.0),
        bits(1.0 / y),
        bits(state),
        order(state, push.base) + order(push.first, push.second),
        walk(x),
    };
    for (size_t row = 0; row < std::size(rows); ++row) out[row * 2048 + i] = rows[row];
  }
}

void double_strict(const Manifest&, BufferContents& b) {
  const auto in = u64(b, 0), out = u64(b, 1);
  for (uint32_t i = 0; i < 2048; ++i) {
    const bool edge = i < 1024;
    const double x = number(in[edge ? i / 32 : i - 992]), y = number(in[edge ? i % 32 : i + 32]);
    const double z = number(in[edge ? (i * 5 + i / 32) % 32 : i - 991]);
    out[i] = bits(std::fma(x, y, -z));
    out[2048 + i] = bits(std::fma(-std::abs(x), 1.5, -(x * y)));
    out[4096 + i] = bits(std::fma(x, 0.1, 4.0));
    out[6144 + i] = bits(std::fma(2.0, y, std::abs(x)));
    int exponent = 5;
    const double mantissa = std::isfinite(x) ? std::frexp(x, &exponent) : 0.5;
    out[8192 + i] = bits(mantissa) + static_cast<uint32_t>(exponent);
    out[10240 + i] = std::isfinite(x) ? bits(x) : bits(16);
  }
}

template <size_t N>
using Vector = std::array<double, N>;
template <size_t Columns, size_t Rows>
using Matrix = std::array<Vector<Rows>, Columns>;

template <size_t N>
double dot(const Vector<N>& a, const Vector<N>& b) {
  double sum = 0;
  for (size_t i = 0; i < N; ++i) sum += a[i] * b[i];
  return sum;
}
template <size_t N>
double length(const Vector<N>& v) {
  return std::sqrt(dot(v, v));
}
/// a + scale * b
template <size_t N>
Vector<N> plus(const Vector<N>& a, double scale, const Vector<N>& b) {
  Vector<N> sum = a;
  for (size_t i = 0; i < N; ++i) sum[i] += scale * b[i];
  return sum;
}
template <size_t N>
Vector<N> times(double scale, const Vector<N>& v) {
  return plus(Vector<N>{}, scale, v);
}
template <size_t N>
Vector<N> normalized(const Vector<N>& v) {
  return times(1 / length(v), v);
}
/// Weights 1, 2, 4, ...
template <size_t N>
double summed(const Vector<N>& v) {
  double sum = 0;
  for (size_t i = 0; i < N; ++i) sum += std::ldexp(v[i], static_cast<int>(i));
  return sum;
}
template <size_t Columns, size_t Rows>
Vector<Rows> product(const Matrix<Columns, Rows>& m, const Vector<Columns>& v) {
  Vector<Rows> sum{};
  for (size_t c = 0; c < Columns; ++c) sum = plus(sum, v[c], m[c]);
  return sum;
}
template <size_t Columns, size_t Rows>
Matrix<Rows, Columns> transposed(const Matrix<Columns, Rows>& m) {
  Matrix<Rows, Columns> out;
  for (size_t c = 0; c < Columns; ++c) {
    for (size_t r = 0; r < Rows; ++r) out[r][c] = m[c][r];
  }
  return out;
}
/// The solution of m * x = v and the determinant of m, by elimination with the largest pivot.
template <size_t N>
Vector<N> solved(Matrix<N, N> m, Vector<N> v, double& determinant) {
  determinant = 1;
  for (size_t k = 0; k < N; ++k) {
    size_t pivot = k;
    for (size_t r = k; r < N; ++r) pivot = std::abs(m[k][r]) > std::abs(m[k][pivot]) ? r : pivot;
    for (size_t c = 0; c < N; ++c) std::swap(m[c][k], m[c][pivot]);
    std::swap(v[k], v[pivot]);
    determinant *= pivot == k ? m[k][k] : -m[k][k];
    for (size_t r = k + 1; r < N; ++r) {
      const double factor = m[k][r] / m[k][k];
      for (size_t c = k; c < N; ++c) m[c][r] -= factor * m[c][k];
      v[r] -= factor * v[k];
    }
  }
  for (size_t k = N; k-- > 0;) {
    for (size_t c = k + 1; c < N; ++c) v[k] -= m[c][k] * v[c];
    v[k] /= m[k][k];
  }
  return v;
}

using Pair = Vector<2>;
using Triple = Vector<3>;
using Quadruple = Vector<4>;

Triple cross(const Triple& a, const Triple& b) {
  return {a[1] * b[2] - b[1] * a[2], a[2] * b[0] - b[2] * a[0], a[0] * b[1] - b[0] * a[1]};
}
Triple reflected(const Triple& i, const Triple& n) {
  return plus(i, -2 * dot(n, i), n);
}
Triple refracted(const Triple& i, const Triple& n, double eta) {
  const double d = dot(n, i), k = 1 - eta * eta * (1 - d * d);
  return k < 0 ? Triple{} : plus(times(eta, i), -(eta * d + std::sqrt(k)), n);
}
double smoothstep(double low, double high, double x) {
  const double t = std::clamp((x - low) / (high - low), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}
double modulo(double x, double y) {
  return x - y * std::floor(x / y);
}

/// The operands of one invocation, by the names of the program.
class Operands {
 public:
  explicit Operands(std::span<const uint64_t> in) : in_(in) {}
  double moderate(uint32_t at) const { return number(0x3ff0000000000000 | in_[at & 2047] >> 12); }
  Pair pair(uint32_t at) const { return {moderate(at), -moderate(at + 1)}; }
  Triple triple(uint32_t at) const { return {moderate(at), -moderate(at + 1), moderate(at + 2) - 1.5}; }
  Quadruple quadruple(uint32_t at) const {
    const Pair a = pair(at + 3), b = pair(at + 1);
    return {a[0], a[1], b[1], b[0]};
  }

 private:
  std::span<const uint64_t> in_;
};

Vector<5> of_matrices(const Operands& in, uint32_t i) {
  const double x = in.moderate(i), y = in.moderate(i + 17);
  const Matrix<2, 2> m2 = {Pair{4 + x, y}, Pair{-x, 5}};
  Matrix<3, 3> m3;
  for (uint32_t c = 0; c < 3; ++c) {
    m3[c] = in.triple(i + 3 * c);
    m3[c][c] += 6;
  }
  Matrix<4, 4> m4;
  for (uint32_t c = 0; c < 4; ++c) {
    m4[c] = in.quadruple(i + 4 * c);
    m4[c][c] += 9;
  }
  double d2 = 0, d3 = 0, d4 = 0;
  const Pair column = solved(m2, Pair{0, 1}, d2);
  const Triple x3 = solved(m3, in.triple(i + 9), d3);
  const Quadruple x4 = solved(m4, in.quadruple(i + 9), d4), q = in.quadruple(i);
  const double products = summed(product(m4, product(m4, q))) + summed(product(transposed(m4), q)) +
                          summed(product(transposed(m3), in.triple(i))) + in.pair(i)[1] * in.pair(i + 1)[0];
  const Matrix<3, 2> tall = {in.pair(i), in.pair(i + 2), in.pair(i + 4)};
  const Pair p0 = product(tall, in.triple(i)), p1 = product(tall, in.triple(i + 3));
  const double all = p0[0] + 2 * p1[0] + 4 * p0[1] + 8 * p1[1] + 5 * p1[1];
  return {d2 + d3 + d4, summed(x3) + column[0], summed(x4), products, all};
}

void double_functions(const Manifest&, BufferContents& b) {
  const auto bits_in = u64(b, 0);
  const Operands in(bits_in);
  const auto out = view<double>(b, 1);
  for (uint32_t i = 0; i < 512; ++i) {
    const double raw = std::abs(number(bits_in[i])), x = in.moderate(i), y = in.moderate(i + 17);
    const bool nan = std::isnan(raw);
    const Triple a = in.triple(i), c = in.triple(i + 31), slope = {0.6, -0.8, 0}, up = {0, 1, 0};
    const Vector<5> matrices = of_matrices(in, i);
    const double rows[] = {
        nan ? 1 : std::sqrt(raw),
        nan ? 1 : static_cast<double>(1 / std::sqrt(static_cast<long double>(raw))),
        length(in.pair(i)) + length(a) + length(in.quadruple(i)) + x,
        length(plus(a, -1, in.triple(i + 5))) + std::abs(x - y),
        summed(normalized(a)),
        summed(cross(a, c)),
        summed(a) * (dot(in.triple(i + 2), c) < 0 ? 1 : -1),
        summed(reflected(a, normalized(c))),
        summed(refracted(normalized(a), normalized(c), 0.4)) + summed(refracted(slope, up, y)),
        x + (y - x) * 0.3 + (i % 3 == 0 ? y : -x) + summed(plus(a, in.moderate(i + 2), plus(in.triple(i + 1), -1, a))),
        smoothstep(1, 2, x) + smoothstep(x - 1, y + 1, 1.5),
        modulo(x * 5.7, y) + modulo(-x * 9.1, 2.5),
        dot(in.pair(i), in.pair(i + 2)) + dot(a, in.triple(i + 3)) + dot(in.quadruple(i), in.quadruple(i + 4)),
        matrices[0],
        matrices[1],
        matrices[2],
        matrices[3],
        matrices[4],
    };
    for (size_t row = 0; row < std::size(rows); ++row) out[row * 512 + i] = rows[row];
  }
}

/// Offsets by std430 and std140: vectors of three are aligned like those of four, to 32 bytes.
constexpr uint32_t kRecord = 192 / 8, kThree = 32 / 8, kColumns = 64 / 8, kColumn = 32 / 8, kList = 128 / 8,
                   kPair = 160 / 8;
constexpr uint32_t kSingle = 64 / 8, kRows = 96 / 8, kRow = 32 / 8, kLast = 160 / 8;

uint64_t mixed(std::span<const uint64_t> three) {
  return three[0] ^ three[1] << 1 ^ three[2] << 2;
}

/// Row 6.
uint64_t local_array(std::span<const uint64_t> records, uint64_t first, uint32_t i) {
  std::array<uint64_t, 8> local;
  for (uint32_t k = 0; k < 8; ++k) local[k] = records[k % 5 * kRecord + kList + k % 3];
  local[i & 7] = first;
  std::swap(local[(i * 3) & 7], local[(i * 5 + 1) & 7]);
  uint64_t all = 0;
  for (uint32_t k = 0; k < 8; ++k) all = std::rotl(all, 3) ^ local[(k + i) & 7];
  return all;
}

void double_memory(const Manifest& manifest, BufferContents& b) {
  const auto& words = manifest.dispatches[0].push;
  const auto pushed = [&](uint32_t index) { return std::bit_cast<uint64_t>(from_words(words, size_t{2} * index)); };
  const auto records = u64(b, 0), block = u64(b, 1), out = u64(b, 2), copies = u64(b, 3);
  const auto record = [&](uint32_t i) { return records.subspan(size_t{i % 5} * kRecord, kRecord); };
  for (uint32_t i = 0; i < 64; ++i) {
    const auto r = record(i), three = r.subspan(kThree, 3), second = r.subspan(kColumns + kColumn, 3);
    const auto at_21 = record(i ^ 21).subspan(kThree, 3);
    const uint64_t turned = at_21[2] ^ at_21[1] << 1 ^ at_21[0] << 2;
    const uint32_t from = (i * 7 + 3) & 63;
    uint64_t chosen = r[0], other = r[kPair];
    for (uint32_t k = 0; k < i; ++k) {
      const uint64_t next = k % 3 == 0 ? other : record(k)[kList];
      other = chosen;
      chosen = next;
    }
    const uint64_t rows[] = {
        r[0] ^ mixed(three) ^ mixed(second) << 3 ^ r[kColumns + (i & 1) * kColumn + i % 3],
        r[kList + i % 3] ^ r[kPair + 1] << 1 ^ (r[1] & 0xffffffff),
        block[(i & 3) * 2 + 1] ^ block[kSingle] << 1 ^ block[kRows + kRow + i % 3] << 2 ^ block[kLast + (i & 1) * 2],
        pushed(i % 3) ^ pushed(1) << 1 ^ pushed(5) << 2,
        mixed(record(2).subspan(kThree, 3)) ^ record(4)[kList + 2] ^ block[kRows + 2],
        record(from)[kColumns + from % 3] ^ turned << 1 ^ record(63 - i)[kThree + 2 - i % 3],
        local_array(records, r[0], i),
        chosen ^ other << 1,
    };
    for (size_t row = 0; row < std::size(rows); ++row) out[row * 64 + i] = rows[row];
    const uint64_t copy[] = {r[kPair],  r[kPair + 1], three[0],    three[1],        second[0], second[1],
                             second[2], chosen,       r[kColumns], r[kColumns + 1], second[2], second[0]};
    for (size_t k = 0; k < std::size(copy); ++k) copies[i * 12 + k] = copy[k];
  }
}

void double_subgroup(const Manifest&, BufferContents& b) {
  for (uint32_t& result : u32(b, 1)) result = 255;
}

constexpr Reference kReferences[] = {
    {"double_memory", double_memory},       {"double_subgroup", double_subgroup},
    {"double_functions", double_functions}, {"double_arithmetic", double_arithmetic},
    {"double_strict", double_strict},
};

}  // namespace

std::span<const Reference> double_references() {
  return kReferences;
}

}  // namespace spalt::run
