// SPDX-License-Identifier: MIT
// MUBUF: buffer loads, stores and atomics (RDNA 2 ISA guide, section 8.1 "Vector memory buffer instructions").
#include <atomic>

#include "emu/descriptor.h"
#include "emu/vmem.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

/// Interleaving keeps 4-byte elements of neighbouring lanes together.
constexpr uint32_t kElementBytes = 4;

/// The parts of an address that all lanes share.
struct BufferAccess {
  BufferDescriptor descriptor;
  uint32_t soffset = 0, immediate = 0;
  const uint32_t* index = nullptr;   ///< per lane, when idxen
  const uint32_t* offset = nullptr;  ///< per lane, when offen
};

BufferAccess read_access(Wave& wave, const Step& step, unsigned vaddr) {
  BufferAccess access;
  const isa::Modifiers& mods = step.inst.mods;
  access.descriptor = read_descriptor(wave, step.src[vaddr + 1].index);
  access.soffset = wave.scalar32(step.src[vaddr + 2]);
  access.immediate = static_cast<uint32_t>(mods.offset);
  const unsigned reg = step.src[vaddr].index;
  if (mods.idxen) access.index = wave.vgpr(reg);
  if (mods.offen) access.offset = wave.vgpr(reg + (mods.idxen ? 1u : 0u));
  return access;
}

struct LaneAddress {
  uint64_t address;
  uint8_t valid;
};

/// A bit for every component that lies below `limit`.
uint8_t components_below(uint64_t offset, uint64_t limit, const Transfer& t) {
  uint8_t valid = 0;
  for (unsigned c = 0; c < t.components; ++c) {
    if (offset + uint64_t{c} * t.component_bytes + t.component_bytes <= limit) valid |= static_cast<uint8_t>(1u << c);
  }
  return valid;
}

/// Bounds rules by oob_select. The scalar offset takes no part in them (LLVM AMDGPU raw buffer intrinsics: "soffset is
/// excluded from bounds checking and swizzling").
uint8_t check_range(const BufferDescriptor& d, uint64_t index, uint64_t offset, const Transfer& t) {
  switch (d.oob_select) {
    case kOobIndex:
      return index < d.num_records ? kAllValid : 0;
    case kOobEmpty:
      return d.num_records != 0 ? kAllValid : 0;
    case kOobIndexAndOffset:
      return index < d.num_records ? (d.stride == 0 ? kAllValid : components_below(offset, d.stride, t)) : 0;
    default:
      break;
  }
  if (d.swizzle && d.stride != 0) return index < d.num_records ? components_below(offset, d.stride, t) : 0;
  return components_below(index * d.stride + offset, d.num_records, t);
}

LaneAddress lane_address(const BufferAccess& access, unsigned lane, const Transfer& t) {
  const BufferDescriptor& d = access.descriptor;
  const uint64_t index = (access.index != nullptr ? access.index[lane] : 0u) + (d.add_tid ? uint64_t{lane} : 0u);
  const uint64_t offset =
      static_cast<uint32_t>((access.offset != nullptr ? access.offset[lane] : 0u) + access.immediate);
  uint64_t in_buffer = index * d.stride + offset;
  if (d.swizzle) {
    const uint64_t group = index / d.index_stride, in_group = index % d.index_stride;
    in_buffer = (group * d.stride + offset / kElementBytes * kElementBytes) * d.index_stride +
                in_group * kElementBytes + offset % kElementBytes;
  }
  return {d.base + access.soffset + in_buffer, check_range(d, index, offset, t)};
}

template <AccessShape Shape, unsigned VaddrSlot>
void buffer_access(Wave& wave, const Step& step) {
  const BufferAccess access = read_access(wave, step, VaddrSlot);
  Transfer& transfer = begin_transfer(wave, step, Shape);
  if (access.descriptor.swizzle) transfer.component_stride = kElementBytes * access.descriptor.index_stride;
  if constexpr (VaddrSlot == 1) set_store_data(wave, transfer, Shape, step.src[0].index);
  for (unsigned lane = 0; lane < wave.size(); ++lane) {
    if ((transfer.lanes >> lane & 1) == 0) continue;
    const LaneAddress at = lane_address(access, lane, transfer);
    const bool crosses =
        access.descriptor.swizzle && at.address % kElementBytes + transfer.component_bytes > kElementBytes;
    if (crosses && Shape.kind != TransferKind::atomic) {
      wave.fault("an unaligned access crosses elements of a swizzled buffer", static_cast<int>(lane));
    }
    if (wave.state() == WaveState::faulted || !place_lane(wave, transfer, lane, at.address, at.valid)) break;
  }
  end_transfer(wave, transfer);
}

template <unsigned Bytes, unsigned Components, Extend E = Extend::zero>
constexpr Handler kLoad = buffer_access<load_shape(Bytes, Components, E), 0>;
template <unsigned Bytes, unsigned Components, bool High = false>
constexpr Handler kStore = buffer_access<store_shape(Bytes, Components, High), 1>;
template <AtomicOp O, bool Wide>
constexpr Handler kAtomic = buffer_access<atomic_shape(O, Wide), 1>;

/// Caches are not modelled; the order that an invalidation gives is.
void invalidate(Wave&, const Step&) {
  std::atomic_thread_fence(std::memory_order_acq_rel);
}

constexpr HandlerRow kRows[] = {
    {Op::buffer_load_ubyte, kLoad<1, 1>},
    {Op::buffer_load_sbyte, kLoad<1, 1, Extend::sign>},
    {Op::buffer_load_ushort, kLoad<2, 1>},
    {Op::buffer_load_sshort, kLoad<2, 1, Extend::sign>},
    {Op::buffer_load_dword, kLoad<4, 1>},
    {Op::buffer_load_dwordx2, kLoad<4, 2>},
    {Op::buffer_load_dwordx3, kLoad<4, 3>},
    {Op::buffer_load_dwordx4, kLoad<4, 4>},
    {Op::buffer_load_ubyte_d16, kLoad<1, 1, Extend::low_half_zero>},
    {Op::buffer_load_ubyte_d16_hi, kLoad<1, 1, Extend::high_half_zero>},
    {Op::buffer_load_sbyte_d16, kLoad<1, 1, Extend::low_half_sign>},
    {Op::buffer_load_sbyte_d16_hi, kLoad<1, 1, Extend::high_half_sign>},
    {Op::buffer_load_short_d16, kLoad<2, 1, Extend::low_half_zero>},
    {Op::buffer_load_short_d16_hi, kLoad<2, 1, Extend::high_half_zero>},
    {Op::buffer_store_byte, kStore<1, 1>},
    {Op::buffer_store_byte_d16_hi, kStore<1, 1, true>},
    {Op::buffer_store_short, kStore<2, 1>},
    {Op::buffer_store_short_d16_hi, kStore<2, 1, true>},
    {Op::buffer_store_dword, kStore<4, 1>},
    {Op::buffer_store_dwordx2, kStore<4, 2>},
    {Op::buffer_store_dwordx3, kStore<4, 3>},
    {Op::buffer_store_dwordx4, kStore<4, 4>},
    {Op::buffer_gl0_inv, invalidate},
    {Op::buffer_wbinvl1, invalidate},
    {Op::buffer_wbinvl1_vol, invalidate},
    {Op::buffer_gl1_inv, invalidate},
#define SPALT_ATOMIC(name, op)                                 \
  {Op::buffer_atomic_##name, kAtomic<AtomicOp::op, false>}, {  \
    Op::buffer_atomic_##name##_x2, kAtomic<AtomicOp::op, true> \
  }
    SPALT_ATOMIC(swap, swap),
    SPALT_ATOMIC(cmpswap, cmpswap),
    SPALT_ATOMIC(add, add),
    SPALT_ATOMIC(sub, sub),
    SPALT_ATOMIC(smin, smin),
    SPALT_ATOMIC(umin, umin),
    SPALT_ATOMIC(smax, smax),
    SPALT_ATOMIC(umax, umax),
    SPALT_ATOMIC(and, and_),
    SPALT_ATOMIC(or, or_),
    SPALT_ATOMIC(xor, xor_),
    SPALT_ATOMIC(inc, inc),
    SPALT_ATOMIC(dec, dec),
    SPALT_ATOMIC(fcmpswap, fcmpswap),
    SPALT_ATOMIC(fmin, fmin),
    SPALT_ATOMIC(fmax, fmax),
    {Op::buffer_atomic_add_f32, kAtomic<AtomicOp::fadd, false>},
    {Op::buffer_atomic_csub, kAtomic<AtomicOp::csub, false>},
#undef SPALT_ATOMIC
};

}  // namespace

void add_mubuf(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
