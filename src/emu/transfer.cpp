// SPDX-License-Identifier: MIT
#include "emu/transfer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/bits.h"

namespace spalt::emu {
namespace {

// Guest waves on other threads may access the same dword: aligned dwords move as relaxed atomics.
uint32_t load_dword(const uint8_t* from) {
  if (reinterpret_cast<uintptr_t>(from) % 4 == 0) {
    return __atomic_load_n(reinterpret_cast<const uint32_t*>(from), __ATOMIC_RELAXED);
  }
  uint32_t value;
  std::memcpy(&value, from, 4);
  return value;
}

void store_dword(uint8_t* to, uint32_t value) {
  if (reinterpret_cast<uintptr_t>(to) % 4 == 0) {
    __atomic_store_n(reinterpret_cast<uint32_t*>(to), value, __ATOMIC_RELAXED);
  } else {
    std::memcpy(to, &value, 4);
  }
}

uint32_t load_narrow(const uint8_t* from, unsigned bytes) {
  uint16_t value = 0;
  if (bytes == 1) return __atomic_load_n(from, __ATOMIC_RELAXED);
  std::memcpy(&value, from, 2);
  return value;
}

uint32_t extended(uint32_t value, uint32_t old, unsigned bits, Extend extend) {
  const auto sign = static_cast<uint32_t>(sign_extend(value, bits));
  switch (extend) {
    case Extend::zero:
      return value;
    case Extend::sign:
      return sign;
    case Extend::low_half_zero:
      return (old & 0xffff0000u) | (value & 0xffffu);
    case Extend::low_half_sign:
      return (old & 0xffff0000u) | (sign & 0xffffu);
    case Extend::high_half_zero:
      return (old & 0xffffu) | value << 16;
    case Extend::high_half_sign:
      return (old & 0xffffu) | sign << 16;
  }
  return value;
}

/// Whole dwords, nothing out of range, the same distance from component to component in every lane.
bool is_plain(const Transfer& t) {
  return t.all_valid && t.component_bytes == 4 && (t.scratch_lanes | t.crossing_lanes) == 0;
}

template <class Body>
void for_lanes(uint64_t lanes, Body body) {
  for (uint64_t rest = lanes; rest != 0; rest &= rest - 1) body(static_cast<unsigned>(std::countr_zero(rest)));
}

void perform_plain_load(const Transfer& t, uint32_t* dst) {
  for (unsigned c = 0; c < t.components; ++c) {
    const ptrdiff_t offset = t.component_offset(c);
    uint32_t* reg = dst + size_t{c} * kMaxLanes;
    for_lanes(t.lanes, [&](unsigned lane) { reg[lane] = load_dword(t.host[lane] + offset); });
  }
}

void perform_plain_store(const Transfer& t) {
  for (unsigned c = 0; c < t.components; ++c) {
    const ptrdiff_t offset = t.component_offset(c);
    for_lanes(t.lanes, [&](unsigned lane) { store_dword(t.host[lane] + offset, t.data[c][lane]); });
  }
}

uint32_t load_crossing(const Transfer& t, unsigned lane, unsigned component) {
  uint32_t value = 0;
  for (unsigned i = 0; i < t.component_bytes; ++i) {
    value |= uint32_t{*t.crossing_byte(lane, component * t.component_bytes + i)} << (8 * i);
  }
  return value;
}

void store_crossing(const Transfer& t, unsigned lane, unsigned component) {
  for (unsigned i = 0; i < t.component_bytes; ++i) {
    *t.crossing_byte(lane, component * t.component_bytes + i) =
        static_cast<uint8_t>(t.data[component][lane] >> (8 * i));
  }
}

uint32_t load_component(const Transfer& t, unsigned lane, unsigned component) {
  if (t.crosses(lane)) return load_crossing(t, lane, component);
  const uint8_t* from = t.component(lane, component);
  return t.component_bytes == 4 ? load_dword(from) : load_narrow(from, t.component_bytes);
}

void perform_load(const Transfer& t, uint32_t* dst) {
  if (is_plain(t)) return perform_plain_load(t, dst);
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    if ((t.lanes >> lane & 1) == 0) continue;
    for (unsigned c = 0; c < t.components; ++c) {
      uint32_t& reg = dst[c * kMaxLanes + lane];
      const bool valid = (t.valid[lane] >> c & 1) != 0;
      const uint32_t value = valid ? load_component(t, lane, c) : 0;
      reg = t.component_bytes == 4 ? value : extended(value, reg, t.component_bytes * 8u, t.extend);
    }
  }
}

void perform_store(const Transfer& t) {
  if (is_plain(t)) return perform_plain_store(t);
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    if ((t.lanes >> lane & 1) == 0) continue;
    for (unsigned c = 0; c < t.components; ++c) {
      if ((t.valid[lane] >> c & 1) == 0) continue;
      if (t.crosses(lane)) {
        store_crossing(t, lane, c);
        continue;
      }
      uint8_t* to = t.component(lane, c);
      const uint32_t value = t.data[c][lane];
      switch (t.component_bytes) {
        case 1:
          __atomic_store_n(to, static_cast<uint8_t>(value), __ATOMIC_RELAXED);
          break;
        case 2: {
          const auto half = static_cast<uint16_t>(value);
          std::memcpy(to, &half, 2);
          break;
        }
        default:
          store_dword(to, value);
      }
    }
  }
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
      result = old_value + value;
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

void perform_atomic(const Transfer& t, uint32_t* dst) {
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    if ((t.lanes >> lane & 1) == 0) continue;
    uint64_t old = 0;
    const bool valid = (t.valid[lane] & 1) != 0;
    if (t.component_bytes == 4) {
      if (valid) old = exchange<uint32_t>(t.op, t.host[lane], t.data[0][lane], t.data[1][lane]);
    } else if (valid) {
      const uint64_t data = t.data[0][lane] | static_cast<uint64_t>(t.data[1][lane]) << 32;
      const uint64_t second = t.data[2][lane] | static_cast<uint64_t>(t.data[3][lane]) << 32;
      old = exchange<uint64_t>(t.op, t.host[lane], data, second);
    }
    if (!t.has_dst) continue;
    dst[lane] = static_cast<uint32_t>(old);
    if (t.component_bytes == 8) dst[kMaxLanes + lane] = static_cast<uint32_t>(old >> 32);
  }
}

}  // namespace

void Transfer::set_range() {
  low = nullptr;
  high = nullptr;
  const auto every = static_cast<uint8_t>((1u << components) - 1);
  all_valid = true;
  for (uint64_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    if ((valid[lane] & every) == every && second_from == 255) {
      const uint8_t* end = crosses(lane) ? crossing_byte(lane, components * component_bytes - 1u) + 1
                                         : component(lane, components - 1u) + component_bytes;
      if (low == nullptr || host[lane] < low) low = host[lane];
      if (end > high) high = end;
      continue;
    }
    all_valid = all_valid && (valid[lane] & every) == every;
    for (unsigned c = 0; c < components; ++c) {
      if ((valid[lane] >> c & 1) == 0) continue;
      const uint8_t* start = component(lane, c);
      if (low == nullptr || start < low) low = start;
      if (start + component_bytes > high) high = start + component_bytes;
    }
  }
}

void perform(Transfer& transfer, uint32_t* vgprs) {
  if (transfer.performed) return;
  transfer.performed = true;
  uint32_t* dst = vgprs + static_cast<size_t>(transfer.dst) * kMaxLanes;
  switch (transfer.kind) {
    case TransferKind::load:
      perform_load(transfer, dst);
      break;
    case TransferKind::store:
      perform_store(transfer);
      break;
    case TransferKind::atomic:
      perform_atomic(transfer, dst);
      break;
  }
}

}  // namespace spalt::emu
