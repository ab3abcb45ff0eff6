// SPDX-License-Identifier: MIT
// GLOBAL, SCRATCH and FLAT (RDNA 2 ISA guide, chapter 9 "Flat memory instructions").
#include <bit>

#include "base/bits.h"
#include "emu/launch/program.h"
#include "emu/memory/access.h"
#include "emu/memory/vmem.h"
#include "emu/wave/operands.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

enum class Segment : uint8_t { flat, global, scratch };

/// Source slots: loads have vaddr, saddr; stores and atomics vaddr, vdata, saddr.
struct Slots {
  unsigned vaddr, saddr;
};
constexpr Slots slots_of(TransferKind kind) {
  return kind == TransferKind::load ? Slots{0, 1} : Slots{0, 2};
}

uint64_t wide_address(const Wave& wave, const Source& vaddr, unsigned lane) {
  return wave.vgpr(vaddr.index)[lane] | static_cast<uint64_t>(wave.vgpr(vaddr.index + 1u)[lane]) << 32;
}

uint64_t global_address(const Wave& wave, const Step& step, Slots slots, unsigned lane) {
  const Source& vaddr = step.src[slots.vaddr];
  const Source& saddr = step.src[slots.saddr];
  const auto immediate = static_cast<uint64_t>(int64_t{step.imm});
  if (saddr.kind == SourceKind::none) return wide_address(wave, vaddr, lane) + immediate;
  const uint64_t offset = vaddr.kind == SourceKind::vgpr ? wave.vgpr(vaddr.index)[lane] : 0;
  return wave.scalar64(saddr) + offset + immediate;
}

uint64_t flat_scratch_of(const Wave& wave) {
  constexpr unsigned kFlatScratchSgpr = 102;
  return wave.program().target().flat_scratch_in_sgprs ? wave.read_s64(kFlatScratchSgpr) : wave.flat_scratch;
}

/// Byte `offset` of a lane's private memory: dwords of neighbouring lanes lie side by side.
uint64_t swizzled(const Wave& wave, uint64_t offset, unsigned lane) {
  return offset / 4 * 4 * wave.size() + lane * 4u + offset % 4;
}

/// `further` bytes are added to the offset of the instruction.
uint64_t scratch_address(const Wave& wave, const Step& step, Slots slots, unsigned lane, uint32_t further = 0) {
  const Source& vaddr = step.src[slots.vaddr];
  const Source& saddr = step.src[slots.saddr];
  uint32_t offset = static_cast<uint32_t>(step.imm) + further;
  if (vaddr.kind == SourceKind::vgpr) offset += wave.vgpr(vaddr.index)[lane];
  if (saddr.kind != SourceKind::none) offset += wave.scalar32(saddr);
  return flat_scratch_of(wave) + swizzled(wave, offset, lane);
}

template <AccessShape Shape, Segment S>
void global_access(Wave& wave, const Step& step) {
  constexpr Slots kSlots = slots_of(Shape.kind);
  Transfer& transfer = begin_transfer(wave, step, Shape);
  if constexpr (S == Segment::scratch) transfer.component_stride = 4 * wave.size();
  if constexpr (Shape.kind != TransferKind::load) set_store_data(wave, transfer, Shape, step.src[1].index);
  for (unsigned lane = 0; lane < wave.size(); ++lane) {
    if ((transfer.lanes >> lane & 1) == 0) continue;
    const uint64_t address =
        S == Segment::scratch ? scratch_address(wave, step, kSlots, lane) : global_address(wave, step, kSlots, lane);
    if (S == Segment::scratch && address % 4 + Shape.component_bytes > 4) {
      transfer.crossing_lanes |= uint64_t{1} << lane;
    }
    if (!place_lane(wave, transfer, lane, address, kAllValid)) break;
  }
  end_transfer(wave, transfer);
}

/// A transfer that counts and moves nothing.
void finish_idle(Wave& wave, Transfer& transfer) {
  transfer.performed = true;
  transfer.has_dst = false;
  transfer.lanes = 0;
  transfer.low = transfer.high = nullptr;
  wave.waits.issued(transfer);
}

/// Up to 32 dwords in a row, those whose bits are set in m0, which have the same places among registers and in memory
/// (RDNA 4 ISA guide, section 11.5).
template <TransferKind Kind, Segment S>
void block_access(Wave& wave, const Step& step) {
  constexpr AccessShape kShape = Kind == TransferKind::load ? load_shape(4, 1) : store_shape(4, 1);
  const uint32_t mask = wave.m0();
  Transfer& transfer = begin_transfer(wave, step, kShape);
  if (mask == 0) return finish_idle(wave, transfer);
  const auto first = static_cast<unsigned>(std::countr_zero(mask));
  transfer.block = mask >> first;
  transfer.components = transfer.dst_dwords = static_cast<uint8_t>(std::bit_width(transfer.block));
  transfer.dst = static_cast<uint16_t>(transfer.dst + first);
  if constexpr (S == Segment::scratch) transfer.component_stride = 4 * wave.size();
  if constexpr (Kind == TransferKind::store) {
    const uint32_t* data = wave.vgpr(step.src[1].index + first);
    transfer.block_data.assign(data, data + size_t{transfer.components} * kMaxLanes);
  }
  for (unsigned lane = 0; lane < wave.size(); ++lane) {
    if ((transfer.lanes >> lane & 1) == 0) continue;
    const uint64_t address = S == Segment::scratch ? scratch_address(wave, step, slots_of(Kind), lane, 4 * first)
                                                   : global_address(wave, step, slots_of(Kind), lane) + 4 * first;
    if (S == Segment::scratch && address % 4 != 0) transfer.crossing_lanes |= uint64_t{1} << lane;
    if (!place_lane(wave, transfer, lane, address, kAllValid)) break;
  }
  end_transfer(wave, transfer);
}

/// 32 lanes load 16 rows of a matrix, half a row each, which arrive as columns (RDNA 4 ISA guide, section 11.6). No
/// lanes: nothing happens, not even to the counter.
template <unsigned ElementBytes>
void transposing_load(Wave& wave, const Step& step) {
  constexpr unsigned kLoadingLanes = 32;
  if (wave.exec() == 0) return;
  if (wave.exec() != bits_of(~uint64_t{0}, 0, wave.size())) {
    wave.fault(FaultKind::invalid_instruction, "is undefined with some lanes inactive");
    return;
  }
  Transfer& transfer = begin_transfer(wave, step, load_shape(4, 2 * ElementBytes));
  transfer.transposed_bytes = ElementBytes;
  transfer.lanes = bits_of(~uint64_t{0}, 0, kLoadingLanes);
  for (unsigned lane = 0; lane < kLoadingLanes; ++lane) {
    if (!place_lane(wave, transfer, lane, global_address(wave, step, Slots{0, 1}, lane), kAllValid)) break;
  }
  end_transfer(wave, transfer);
}

/// A flat address in an aperture becomes LDS or scratch. The access counts as vector memory and as LDS.
bool place_flat(Wave& wave, Transfer& transfer, unsigned lane, uint64_t address) {
  if (address >> 32 == kPrivateApertureBase >> 32) {
    if (transfer.kind == TransferKind::atomic) {
      wave.fault(FaultKind::invalid_instruction, "a flat atomic to scratch memory is not executed",
                 static_cast<int>(lane));
      return false;
    }
    if (address % 4 + transfer.component_bytes > 4) transfer.crossing_lanes |= uint64_t{1} << lane;
    transfer.scratch_lanes |= uint64_t{1} << lane;
    transfer.scratch_stride = 4 * wave.size();
    return place_lane(wave, transfer, lane, flat_scratch_of(wave) + swizzled(wave, address & 0xffffffffu, lane),
                      kAllValid);
  }
  if (address >> 32 != kSharedApertureBase >> 32) return place_lane(wave, transfer, lane, address, kAllValid);
  const uint64_t offset = address & 0xffffffffu, bytes = uint64_t{transfer.component_bytes} * transfer.components;
  std::vector<uint8_t>& lds = wave.group().lds;
  if (offset + bytes > lds.size()) {
    fault_outside_lds(wave, {access_kind(transfer.kind), offset, bytes, static_cast<int>(lane)});
    return false;
  }
  transfer.valid[lane] = kAllValid;
  transfer.host[lane] = lds.data() + offset;
  return true;
}

template <AccessShape Shape>
void flat_access(Wave& wave, const Step& step) {
  constexpr Slots kSlots = slots_of(Shape.kind);
  Transfer& transfer = begin_transfer(wave, step, Shape);
  transfer.flat = true;
  if constexpr (Shape.kind != TransferKind::load) set_store_data(wave, transfer, Shape, step.src[1].index);
  for (unsigned lane = 0; lane < wave.size(); ++lane) {
    if ((transfer.lanes >> lane & 1) == 0) continue;
    const uint64_t address =
        wide_address(wave, step.src[kSlots.vaddr], lane) + static_cast<uint64_t>(int64_t{step.imm});
    if (!place_flat(wave, transfer, lane, address)) break;
  }
  end_transfer(wave, transfer);
  wave.waits.issue_flat(wave, transfer);
}

/// The lane number is the address.
template <AccessShape Shape>
void addtid_access(Wave& wave, const Step& step) {
  Transfer& transfer = begin_transfer(wave, step, Shape);
  const unsigned saddr = Shape.kind == TransferKind::load ? 0 : 1;
  if constexpr (Shape.kind == TransferKind::store) set_store_data(wave, transfer, Shape, step.src[0].index);
  const uint64_t base = wave.scalar64(step.src[saddr]) + static_cast<uint64_t>(int64_t{step.imm});
  for (unsigned lane = 0; lane < wave.size(); ++lane) {
    if ((transfer.lanes >> lane & 1) == 0) continue;
    if (!place_lane(wave, transfer, lane, base + lane * 4u, kAllValid)) break;
  }
  end_transfer(wave, transfer);
}

/// Cache control of GFX12 moves no data, but counts: an invalidation among loads, a write-back among stores (LLVM,
/// SIInsertWaitcnts).
template <bool Load>
void cache_control(Wave& wave, const Step& step) {
  control_caches(wave, step);
  Transfer& transfer = Load ? wave.waits.issue_load(wave) : wave.waits.issue_store(wave);
  transfer.kind = Load ? TransferKind::load : TransferKind::store;
  finish_idle(wave, transfer);
}

#define SPALT_SEGMENT_ROWS(segment, access)                                                                           \
  {Op::segment##_load_ubyte, access(load_shape(1, 1))},                                                               \
      {Op::segment##_load_sbyte, access(load_shape(1, 1, Extend::sign))},                                             \
      {Op::segment##_load_ushort, access(load_shape(2, 1))},                                                          \
      {Op::segment##_load_sshort, access(load_shape(2, 1, Extend::sign))},                                            \
      {Op::segment##_load_dword, access(load_shape(4, 1))}, {Op::segment##_load_dwordx2, access(load_shape(4, 2))},   \
      {Op::segment##_load_dwordx3, access(load_shape(4, 3))}, {Op::segment##_load_dwordx4, access(load_shape(4, 4))}, \
      {Op::segment##_load_ubyte_d16, access(load_shape(1, 1, Extend::low_half_zero))},                                \
      {Op::segment##_load_ubyte_d16_hi, access(load_shape(1, 1, Extend::high_half_zero))},                            \
      {Op::segment##_load_sbyte_d16, access(load_shape(1, 1, Extend::low_half_sign))},                                \
      {Op::segment##_load_sbyte_d16_hi, access(load_shape(1, 1, Extend::high_half_sign))},                            \
      {Op::segment##_load_short_d16, access(load_shape(2, 1, Extend::low_half_zero))},                                \
      {Op::segment##_load_short_d16_hi, access(load_shape(2, 1, Extend::high_half_zero))},                            \
      {Op::segment##_store_byte, access(store_shape(1, 1))},                                                          \
      {Op::segment##_store_byte_d16_hi, access(store_shape(1, 1, true))},                                             \
      {Op::segment##_store_short, access(store_shape(2, 1))},                                                         \
      {Op::segment##_store_short_d16_hi, access(store_shape(2, 1, true))},                                            \
      {Op::segment##_store_dword, access(store_shape(4, 1))},                                                         \
      {Op::segment##_store_dwordx2, access(store_shape(4, 2))},                                                       \
      {Op::segment##_store_dwordx3, access(store_shape(4, 3))}, {                                                     \
    Op::segment##_store_dwordx4, access(store_shape(4, 4))                                                            \
  }
#define SPALT_ATOMIC(segment, access, name, op)                                \
  {Op::segment##_atomic_##name, access(atomic_shape(AtomicOp::op, false))}, {  \
    Op::segment##_atomic_##name##_x2, access(atomic_shape(AtomicOp::op, true)) \
  }
#define SPALT_ATOMIC_ROWS(segment, access)                                                        \
  SPALT_ATOMIC(segment, access, swap, swap), SPALT_ATOMIC(segment, access, cmpswap, cmpswap),     \
      SPALT_ATOMIC(segment, access, add, add), SPALT_ATOMIC(segment, access, sub, sub),           \
      SPALT_ATOMIC(segment, access, smin, smin), SPALT_ATOMIC(segment, access, umin, umin),       \
      SPALT_ATOMIC(segment, access, smax, smax), SPALT_ATOMIC(segment, access, umax, umax),       \
      SPALT_ATOMIC(segment, access, and, and_), SPALT_ATOMIC(segment, access, or, or_),           \
      SPALT_ATOMIC(segment, access, xor, xor_), SPALT_ATOMIC(segment, access, inc, inc),          \
      SPALT_ATOMIC(segment, access, dec, dec), SPALT_ATOMIC(segment, access, fcmpswap, fcmpswap), \
      SPALT_ATOMIC(segment, access, fmin, fmin), SPALT_ATOMIC(segment, access, fmax, fmax)
#define SPALT_GLOBAL(shape) (global_access<(shape), Segment::global>)
#define SPALT_SCRATCH(shape) (global_access<(shape), Segment::scratch>)
#define SPALT_FLAT(shape) (flat_access<(shape)>)

constexpr HandlerRow kRows[] = {
    {Op::global_inv, cache_control<true>},
    {Op::global_wb, cache_control<false>},
    {Op::global_wbinv, cache_control<false>},
    SPALT_SEGMENT_ROWS(global, SPALT_GLOBAL),
    SPALT_ATOMIC_ROWS(global, SPALT_GLOBAL),
    {Op::global_atomic_csub, SPALT_GLOBAL(atomic_shape(AtomicOp::csub, false))},
    {Op::global_atomic_cond_sub_u32, SPALT_GLOBAL(atomic_shape(AtomicOp::cond_sub, false))},
    {Op::global_atomic_add_f32, SPALT_GLOBAL(atomic_shape(AtomicOp::fadd, false))},
    {Op::global_atomic_pk_add_f16, SPALT_GLOBAL(atomic_shape(AtomicOp::pk_add_f16, false))},
    {Op::global_atomic_pk_add_bf16, SPALT_GLOBAL(atomic_shape(AtomicOp::pk_add_bf16, false))},
    {Op::global_load_block, block_access<TransferKind::load, Segment::global>},
    {Op::global_store_block, block_access<TransferKind::store, Segment::global>},
    {Op::scratch_load_block, block_access<TransferKind::load, Segment::scratch>},
    {Op::scratch_store_block, block_access<TransferKind::store, Segment::scratch>},
    {Op::global_load_tr_b64, transposing_load<1>},
    {Op::global_load_tr_b128, transposing_load<2>},
    {Op::global_load_dword_addtid, addtid_access<load_shape(4, 1)>},
    {Op::global_store_dword_addtid, addtid_access<store_shape(4, 1)>},
    SPALT_SEGMENT_ROWS(scratch, SPALT_SCRATCH),
    SPALT_SEGMENT_ROWS(flat, SPALT_FLAT),
    SPALT_ATOMIC_ROWS(flat, SPALT_FLAT),
    {Op::flat_atomic_csub, SPALT_FLAT(atomic_shape(AtomicOp::csub, false))},
    {Op::flat_atomic_cond_sub_u32, SPALT_FLAT(atomic_shape(AtomicOp::cond_sub, false))},
    {Op::flat_atomic_pk_add_f16, SPALT_FLAT(atomic_shape(AtomicOp::pk_add_f16, false))},
    {Op::flat_atomic_pk_add_bf16, SPALT_FLAT(atomic_shape(AtomicOp::pk_add_bf16, false))},
    {Op::flat_atomic_add_f32, SPALT_FLAT(atomic_shape(AtomicOp::fadd, false))},
};
#undef SPALT_SEGMENT_ROWS
#undef SPALT_ATOMIC
#undef SPALT_ATOMIC_ROWS
#undef SPALT_GLOBAL
#undef SPALT_SCRATCH
#undef SPALT_FLAT

}  // namespace

void add_flat(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
