// SPDX-License-Identifier: MIT
#include "emu/memory/lane_access.h"

#include <algorithm>
#include <bit>
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
  return t.all_valid && t.component_bytes == 4 && (t.scratch_lanes | t.crossing_lanes | t.block) == 0;
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

void store_crossing(const Transfer& t, unsigned lane, unsigned component, uint32_t value) {
  for (unsigned i = 0; i < t.component_bytes; ++i) {
    *t.crossing_byte(lane, component * t.component_bytes + i) = static_cast<uint8_t>(value >> (8 * i));
  }
}

uint32_t load_component(const Transfer& t, unsigned lane, unsigned component) {
  if (t.crosses(lane)) return load_crossing(t, lane, component);
  const uint8_t* from = t.component(lane, component);
  return t.component_bytes == 4 ? load_dword(from) : load_narrow(from, t.component_bytes);
}

/// Where element `index` (of eight) of a lane's result comes from: the lane that loads it. Its number there is that of
/// the lane modulo 8 (docs/isa-errata.md, "Transposing loads").
unsigned lane_of_element(const Transfer& t, unsigned lane, unsigned index) {
  if (t.transposed_bytes == 2) return (lane & ~7u) + index;
  return (lane & 16u) + (index & 4u) * 2 + (lane & 8u) / 2 + (index & 3u);
}

/// 32 lanes load eight elements each. In wave64 the second half of every result goes to the upper lanes.
void perform_transposed_load(const Transfer& t, uint32_t* dst) {
  std::array<uint32_t, size_t{4} * kMaxLanes> loaded;
  perform_plain_load(t, loaded.data());
  const unsigned per_dword = 4u / t.transposed_bytes, bits = 8u * t.transposed_bytes;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned element = lane % 8, shift = element % per_dword * bits;
    for (unsigned c = 0; c < t.components; ++c) {
      uint64_t dword = 0;
      for (unsigned i = 0; i < per_dword; ++i) {
        const unsigned from = lane_of_element(t, lane, c * per_dword + i);
        dword |= bits_of(loaded[element / per_dword * kMaxLanes + from], shift, bits) << (i * bits);
      }
      dst[c % t.dst_dwords * kMaxLanes + c / t.dst_dwords * 32 + lane] = static_cast<uint32_t>(dword);
    }
  }
}

void perform_load(const Transfer& t, uint32_t* dst) {
  if (t.texels.kind != TexelRead::Kind::none) return perform_texel_read(t, dst);
  if (t.conversion.format != nullptr) return perform_typed_load(t, dst);
  if (t.transposed_bytes != 0) return perform_transposed_load(t, dst);
  if (is_plain(t)) return perform_plain_load(t, dst);
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    if ((t.lanes >> lane & 1) == 0) continue;
    for (unsigned c = 0; c < t.components; ++c) {
      uint32_t& reg = dst[c * kMaxLanes + lane];
      const bool valid = t.moves(lane, c);
      if (!valid && t.block != 0) continue;
      const uint32_t value = valid ? load_component(t, lane, c) : 0;
      reg = t.component_bytes == 4 ? value : extended(value, reg, t.component_bytes * 8u, t.extend);
    }
  }
}

/// The usual way, with registers that nobody else sees in between.
void perform_load_to_lds(const Transfer& t) {
  std::array<uint32_t, kMaxLanes> result{};
  perform_load(t, result.data());
  for_lanes(t.lanes, [&](unsigned lane) { store_dword(t.to_lds + t.data[0][lane], result[lane]); });
}

void perform_store(const Transfer& t) {
  if (is_plain(t)) return perform_plain_store(t);
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    if ((t.lanes >> lane & 1) == 0) continue;
    for (unsigned c = 0; c < t.components; ++c) {
      if (!t.moves(lane, c)) continue;
      const uint32_t value = t.block != 0 ? t.block_data[c * kMaxLanes + lane] : t.data[c][lane];
      if (t.crosses(lane)) {
        store_crossing(t, lane, c, value);
        continue;
      }
      uint8_t* to = t.component(lane, c);
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

/// Lanes whose memory was all there keep what the register holds.
void write_status(const Transfer& t, uint32_t* dst) {
  constexpr uint32_t kNotResident = 1;
  uint32_t* status = dst + (t.dst_dwords - size_t{1}) * kMaxLanes;
  for_lanes(t.absent_lanes & t.lanes, [&](unsigned lane) { status[lane] = kNotResident; });
}

}  // namespace

void Transfer::set_range() {
  low = nullptr;
  high = nullptr;
  const auto every = static_cast<uint8_t>((1u << std::min<unsigned>(components, 8)) - 1);
  all_valid = true;
  texels.for_each_texel([this](const Tap& tap) {
    if (low == nullptr || tap.place < low) low = tap.place;
    if (tap.place + texels.texel_bytes > high) high = tap.place + texels.texel_bytes;
  });
  if (texels.kind != TexelRead::Kind::none) return;
  for (uint64_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    if (block == 0 && (valid[lane] & every) == every && second_from == 255) {
      const uint8_t* end = crosses(lane) ? crossing_byte(lane, components * component_bytes - 1u) + 1
                                         : component(lane, components - 1u) + component_bytes;
      if (low == nullptr || host[lane] < low) low = host[lane];
      if (end > high) high = end;
      continue;
    }
    all_valid = all_valid && (valid[lane] & every) == every;
    for (unsigned c = 0; c < components; ++c) {
      if (!moves(lane, c)) continue;
      const uint8_t* start = component(lane, c);
      const uint8_t* end =
          crosses(lane) ? crossing_byte(lane, (c + 1) * component_bytes - 1) + 1 : start + component_bytes;
      if (low == nullptr || start < low) low = start;
      if (end > high) high = end;
    }
  }
}

void perform(Transfer& transfer, uint32_t* vgprs) {
  if (transfer.performed) return;
  transfer.performed = true;
  uint32_t* dst = vgprs + static_cast<size_t>(transfer.dst) * kMaxLanes;
  switch (transfer.kind) {
    case TransferKind::load:
      transfer.to_lds != nullptr ? perform_load_to_lds(transfer) : perform_load(transfer, dst);
      break;
    case TransferKind::store:
      perform_store(transfer);
      break;
    case TransferKind::atomic:
      perform_atomic(transfer, dst);
      break;
  }
  if (transfer.has_status) write_status(transfer, dst);
}

}  // namespace spalt::emu
