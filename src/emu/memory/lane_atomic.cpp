// SPDX-License-Identifier: MIT
// Read-modify-write operations on memory and LDS.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/bits.h"
#include "emu/memory/lane_access.h"
#include "emu/vector/float_math.h"

namespace spalt::emu {
namespace {

// ---- addition of floats ----

/// A sum of an IEEE format, on its bits. `Add` rounds the sum of two numbers to nearest even.
template <unsigned MantissaBits, unsigned ExponentBits, auto Add>
struct Sum {
  static constexpr uint64_t kMantissa = (uint64_t{1} << MantissaBits) - 1, kQuiet = uint64_t{1} << (MantissaBits - 1);
  static constexpr uint64_t kInfinity = ((uint64_t{1} << ExponentBits) - 1) << MantissaBits;
  static constexpr uint64_t kSign = uint64_t{1} << (MantissaBits + ExponentBits);

  static uint64_t magnitude(uint64_t bits) { return bits & (kSign - 1); }
  static uint64_t flush(uint64_t bits, bool flushed) {
    return flushed && magnitude(bits) <= kMantissa ? bits & kSign : bits;
  }

  /// RDNA 4 ISA guide, section 13.3, "Float Add rules": a NaN comes through, quiet, that of memory first; opposite
  /// infinities give the negative one.
  static uint64_t of(uint64_t old, uint64_t data, FlushedDenormals flushed) {
    if (magnitude(old) > kInfinity) return old | kQuiet;
    if (magnitude(data) > kInfinity) return data | kQuiet;
    if (magnitude(old) == kInfinity && (old ^ data) == kSign) return kSign | kInfinity | kQuiet;
    return flush(Add(flush(old, flushed.inputs), flush(data, flushed.inputs)), flushed.outputs);
  }
};

uint64_t add_f32(uint64_t a, uint64_t b) {
  return as_bits(as_float(static_cast<uint32_t>(a)) + as_float(static_cast<uint32_t>(b)));
}
uint64_t add_f64(uint64_t a, uint64_t b) {
  return as_bits(as_double(a) + as_double(b));
}
/// The sum of two halves is exact as a double.
uint64_t add_f16(uint64_t a, uint64_t b) {
  const double sum = double{half_to_float(static_cast<uint32_t>(a))} + half_to_float(static_cast<uint32_t>(b));
  return float_to_half(sum, 0);
}
/// A bfloat is the upper half of a float. The sum as a float is exact wherever the last rounding is close.
uint64_t add_bf16(uint64_t a, uint64_t b) {
  const auto widened = [](uint64_t bits) { return as_float(static_cast<uint32_t>(bits << 16)); };
  const uint32_t sum = as_bits(widened(a) + widened(b));
  return (sum + 0x7fffu + (sum >> 16 & 1)) >> 16;
}

using SumF32 = Sum<23, 8, add_f32>;
using SumF64 = Sum<52, 11, add_f64>;
using SumF16 = Sum<10, 5, add_f16>;
using SumBf16 = Sum<7, 8, add_bf16>;

template <class Half>
uint64_t add_halves(uint64_t old, uint64_t data, FlushedDenormals flushed) {
  const uint64_t high = Half::of(old >> 16 & 0xffff, data >> 16 & 0xffff, flushed);
  return high << 16 | Half::of(old & 0xffff, data & 0xffff, flushed);
}

uint64_t sum_of(AtomicOp op, bool wide, uint64_t old, uint64_t data, FlushedDenormals flushed) {
  if (op == AtomicOp::pk_add_f16) return add_halves<SumF16>(old, data, flushed);
  if (op == AtomicOp::pk_add_bf16) return add_halves<SumBf16>(old, data, flushed);
  return wide ? SumF64::of(old, data, flushed) : SumF32::of(old, data, flushed);
}

// ---- comparisons of floats ----

template <class Float, class Bits>
Bits float_result(AtomicOp op, Bits old_bits, Bits data, Bits compare) {
  Float old_value, value, compared;
  std::memcpy(&old_value, &old_bits, sizeof(Float));
  std::memcpy(&value, &data, sizeof(Float));
  std::memcpy(&compared, &compare, sizeof(Float));
  Float result = old_value;
  switch (op) {
    case AtomicOp::fcmpswap:
      return old_value == compared ? data : old_bits;
    case AtomicOp::fmin:
      result = std::isnan(value) ? old_value : std::isnan(old_value) ? value : std::min(old_value, value);
      break;
    case AtomicOp::fmax:
      result = std::isnan(value) ? old_value : std::isnan(old_value) ? value : std::max(old_value, value);
      break;
    default:
      break;
  }
  Bits bits;
  std::memcpy(&bits, &result, sizeof(Float));
  return bits;
}

/// The new memory value of one lane (RDNA 2 ISA guide, chapters "LDS" and "Vector memory", atomic operations).
template <class U>
U atomic_result(AtomicOp op, U old, U data, U second, FlushedDenormals flushed) {
  using S = std::make_signed_t<U>;
  using F = std::conditional_t<sizeof(U) == 4, float, double>;
  switch (op) {
    case AtomicOp::swap:
      return data;
    case AtomicOp::cmpswap:
      return old == second ? data : old;
    case AtomicOp::add:
      return old + data;
    case AtomicOp::sub:
      return old - data;
    case AtomicOp::csub:
      return old < data ? 0 : old - data;
    case AtomicOp::cond_sub:
      return old < data ? old : old - data;
    case AtomicOp::rsub:
      return data - old;
    case AtomicOp::inc:
      return old >= data ? 0 : old + 1;
    case AtomicOp::dec:
      return old == 0 || old > data ? data : old - 1;
    case AtomicOp::smin:
      return static_cast<S>(data) < static_cast<S>(old) ? data : old;
    case AtomicOp::umin:
      return std::min(old, data);
    case AtomicOp::smax:
      return static_cast<S>(data) > static_cast<S>(old) ? data : old;
    case AtomicOp::umax:
      return std::max(old, data);
    case AtomicOp::and_:
      return old & data;
    case AtomicOp::or_:
      return old | data;
    case AtomicOp::xor_:
      return old ^ data;
    case AtomicOp::mskor:
      return (old & ~data) | second;
    case AtomicOp::wrap:
      return old >= data ? old - data : old + second;
    case AtomicOp::condxchg:
      return data;
    case AtomicOp::fcmpswap:
    case AtomicOp::fmin:
    case AtomicOp::fmax:
      return float_result<F, U>(op, old, data, second);
    case AtomicOp::fadd:
    case AtomicOp::pk_add_f16:
    case AtomicOp::pk_add_bf16:
      return static_cast<U>(sum_of(op, sizeof(U) == 8, old, data, flushed));
    case AtomicOp::none:
      break;
  }
  return old;
}

/// ds_condxchg32_rtn_b64: two independent dword exchanges, each under bit 31 of its data.
uint64_t conditional_exchange(uint64_t old, uint64_t data) {
  uint64_t result = old;
  for (unsigned shift = 0; shift < 64; shift += 32) {
    if ((data >> (shift + 31) & 1) != 0) result = with_bits(result, shift, 32, data >> shift & 0x7fffffff);
  }
  return result;
}

template <class U>
U exchange(AtomicOp op, uint8_t* at, U data, U second, FlushedDenormals flushed) {
  auto* place = reinterpret_cast<U*>(at);
  U old = __atomic_load_n(place, __ATOMIC_RELAXED);
  for (;;) {
    const U next = op == AtomicOp::condxchg ? static_cast<U>(conditional_exchange(old, data))
                                            : atomic_result<U>(op, old, data, second, flushed);
    if (__atomic_compare_exchange_n(place, &old, next, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) return old;
  }
}

uint64_t pair_of(const Transfer& t, unsigned first, unsigned lane) {
  return t.data[first][lane] | static_cast<uint64_t>(t.data[first + 1][lane]) << 32;
}

template <class U>
U load_operand(const uint8_t* from) {
  U value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// One operation of a lane. Its operands begin at data register `first`.
uint64_t update(const Transfer& t, unsigned lane, uint8_t* at, unsigned first) {
  const uint8_t* memory_operand = at + static_cast<int32_t>(t.data[1][lane]);
  if (t.component_bytes == 4) {
    const uint32_t data = t.operand_in_memory ? load_operand<uint32_t>(memory_operand) : t.data[first][lane];
    return apply_atomic(t.op, false, at, data, t.data[first + 1][lane], t.flushed);
  }
  const uint64_t data = t.operand_in_memory ? load_operand<uint64_t>(memory_operand) : pair_of(t, first, lane);
  return apply_atomic(t.op, true, at, data, first == 0 ? pair_of(t, 2, lane) : 0, t.flushed);
}

void deliver(const Transfer& t, uint32_t* dst, unsigned lane, uint64_t old) {
  dst[lane] = static_cast<uint32_t>(old);
  if (t.component_bytes == 8) dst[kMaxLanes + lane] = static_cast<uint32_t>(old >> 32);
}

void perform_for_all_lanes(const Transfer& t, uint32_t* dst) {
  if (t.lanes == 0) return;
  const auto first = static_cast<unsigned>(std::countr_zero(t.lanes));
  const uint64_t old = update(t, first, t.host[first], 0);
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    if ((t.lanes >> lane & 1) != 0) deliver(t, dst, lane, old);
  }
}

}  // namespace

uint64_t apply_atomic(AtomicOp op, bool wide, uint8_t* at, uint64_t data, uint64_t second, FlushedDenormals flushed) {
  if (wide) return exchange<uint64_t>(op, at, data, second, flushed);
  return exchange<uint32_t>(op, at, static_cast<uint32_t>(data), static_cast<uint32_t>(second), flushed);
}

void perform_atomic(const Transfer& t, uint32_t* dst) {
  if (t.for_all_lanes) return perform_for_all_lanes(t, dst);
  const unsigned dwords = t.component_bytes / 4u;
  const bool two = t.second_from != 255;
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    if ((t.lanes >> lane & 1) == 0) continue;
    const bool valid = (t.valid[lane] & 1) != 0;
    const uint64_t old = valid ? update(t, lane, t.host[lane], 0) : 0;
    if (t.has_dst) deliver(t, dst, lane, old);
    if (!two) continue;
    const uint64_t second = update(t, lane, t.host[lane] + t.second_delta, dwords);
    if (t.has_dst) deliver(t, dst + size_t{dwords} * kMaxLanes, lane, second);
  }
}

}  // namespace spalt::emu
