// SPDX-License-Identifier: MIT
// Read-modify-write operations on memory and LDS.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/bits.h"
#include "emu/transfer.h"

namespace spalt::emu {
namespace {

/// Keeps sign and payload of a NaN.
float quiet(float value) {
  return std::bit_cast<float>(std::bit_cast<uint32_t>(value) | 0x400000u);
}
double quiet(double value) {
  return std::bit_cast<double>(std::bit_cast<uint64_t>(value) | uint64_t{0x8000000000000});
}

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
      // The host has its own opinion on which NaN a sum is.
      result = std::isnan(old_value) ? quiet(old_value) : std::isnan(value) ? quiet(value) : old_value + value;
      if (std::isinf(old_value) && std::isinf(value) && std::isnan(result))
        result = std::numeric_limits<Float>::quiet_NaN();
  }
  Bits bits;
  std::memcpy(&bits, &result, sizeof(Float));
  return bits;
}

/// The new memory value of one lane (RDNA 2 ISA guide, chapters "LDS" and "Vector memory", atomic operations).
template <class U>
U atomic_result(AtomicOp op, U old, U data, U second) {
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
    case AtomicOp::fadd:
      return float_result<F, U>(op, old, data, second);
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
U exchange(AtomicOp op, uint8_t* at, U data, U second) {
  auto* place = reinterpret_cast<U*>(at);
  U old = __atomic_load_n(place, __ATOMIC_RELAXED);
  for (;;) {
    const U next = op == AtomicOp::condxchg ? static_cast<U>(conditional_exchange(old, data))
                                            : atomic_result<U>(op, old, data, second);
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
    return apply_atomic(t.op, false, at, data, t.data[first + 1][lane]);
  }
  const uint64_t data = t.operand_in_memory ? load_operand<uint64_t>(memory_operand) : pair_of(t, first, lane);
  return apply_atomic(t.op, true, at, data, first == 0 ? pair_of(t, 2, lane) : 0);
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

uint64_t apply_atomic(AtomicOp op, bool wide, uint8_t* at, uint64_t data, uint64_t second) {
  if (wide) return exchange<uint64_t>(op, at, data, second);
  return exchange<uint32_t>(op, at, static_cast<uint32_t>(data), static_cast<uint32_t>(second));
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
