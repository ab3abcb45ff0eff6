// SPDX-License-Identifier: MIT
// SMEM (section "Scalar Memory Operations" of each ISA guide; the Vega one for stores, atomics and scratch), and
// messages that return data like scalar loads. Results become readable and stores happen at lgkmcnt(0).
#include <algorithm>

#include "emu/memory/access.h"
#include "emu/memory/descriptor.h"
#include "emu/memory/vmem.h"
#include "emu/scalar/salu.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

/// How an instruction makes its address. Sources are the base and the scalar offset, after the data if there is any.
enum class Base : uint8_t { plain, buffer, scratch };

struct Place {
  uint64_t address = 0;
  uint64_t bytes_in_range = UINT64_MAX;  ///< from the address on
};

/// `unit` is what an address is a multiple of: its low bits do not count.
Place place_of(const Wave& wave, const Step& step, Base base, unsigned slot, unsigned unit) {
  const unsigned reg = step.src[slot].index;
  const uint64_t soffset = step.src[slot + 1].kind == SourceKind::none ? 0 : wave.scalar32(step.src[slot + 1]);
  // A scalar offset into scratch counts 64 bytes.
  const uint64_t offset = soffset * (base == Base::scratch ? 64 : 1) + static_cast<uint64_t>(int64_t{step.imm});
  const uint64_t mask = ~uint64_t{unit - 1};
  if (base != Base::buffer) return {(wave.read_s64(reg) + offset) & mask};
  const BufferDescriptor d = read_descriptor(wave, reg);
  const uint64_t bytes = d.stride == 0 ? d.num_records : uint64_t{d.stride} * d.num_records;
  const uint64_t first = offset & mask;
  return {(d.base & mask) + first, first < bytes ? bytes - first : 0};
}

/// Points the transfer at those of `count` units that are in range; false, and a fault, when memory does not have them.
bool aim(Wave& wave, ScalarTransfer& transfer, const Place& place, unsigned unit, unsigned count) {
  const uint64_t in_range = std::min<uint64_t>(place.bytes_in_range / unit, count);
  const unsigned bytes = static_cast<unsigned>(in_range) * unit;
  transfer.valid_bytes = static_cast<uint8_t>(bytes);
  if (bytes == 0) return true;
  const Access access{access_kind(transfer.kind), place.address, bytes};
  const Mapping* at = find_mapping(wave, access);
  if (at == nullptr) return false;
  if (transfer.kind == TransferKind::atomic && place.address % bytes != 0) {
    fault_on_access(wave, FaultKind::misaligned, access, " atomically, but unaligned");
    return false;
  }
  transfer.host = at->host + (place.address - at->base);
  return true;
}

template <Base B>
void load(Wave& wave, const Step& step) {
  ScalarTransfer transfer;
  transfer.dst = step.dst;
  transfer.dwords = step.dst_dwords;
  if (aim(wave, transfer, place_of(wave, step, B, 0, 4), 4, step.dst_dwords)) wave.waits.issue_scalar(transfer);
}

/// 8 and 16 bits of GFX12; a value that is not wholly in range is 0.
template <Base B, unsigned Bytes, bool Sign>
void load_narrow(Wave& wave, const Step& step) {
  ScalarTransfer transfer;
  transfer.dst = step.dst;
  transfer.dwords = step.dst_dwords;
  transfer.sign = Sign;
  if (aim(wave, transfer, place_of(wave, step, B, 0, Bytes), Bytes, 1)) wave.waits.issue_scalar(transfer);
}

/// The data registers are read at once: the guide lets software change them only after a wait.
void read_data(const Wave& wave, const Step& step, ScalarTransfer& transfer) {
  for (unsigned i = 0; i < step.src[0].dwords; ++i) transfer.data[i] = wave.read_s32(step.src[0].index + i);
}

template <Base B>
void store(Wave& wave, const Step& step) {
  ScalarTransfer transfer;
  transfer.kind = TransferKind::store;
  read_data(wave, step, transfer);
  if (aim(wave, transfer, place_of(wave, step, B, 1, 4), 4, step.src[0].dwords)) wave.waits.issue_scalar(transfer);
}

template <Base B, AtomicOp O, bool Wide>
void atomic(Wave& wave, const Step& step) {
  constexpr unsigned kDwords = Wide ? 2 : 1;
  ScalarTransfer transfer;
  transfer.kind = TransferKind::atomic;
  transfer.op = O;
  transfer.wide = Wide;
  read_data(wave, step, transfer);
  if (step.has_dst) {
    transfer.dst = step.dst;
    transfer.dwords = kDwords;
  }
  if (aim(wave, transfer, place_of(wave, step, B, 1, 4), kDwords * 4, 1)) wave.waits.issue_scalar(transfer);
}

void issue_value(Wave& wave, const Step& step, uint64_t value) {
  ScalarTransfer transfer;
  transfer.dst = step.dst;
  transfer.dwords = step.dst_dwords;
  transfer.has_value = true;
  transfer.value = value;
  wave.waits.issue_scalar(transfer);
}

void clock(Wave& wave, const Step& step) {
  issue_value(wave, step, wave.instructions + 1);
}

void wave_id(Wave& wave, const Step& step) {
  issue_value(wave, step, wave.wave_id_in_group);
}

// What s_sendmsg_rtn asks for (RDNA 3 ISA guide, "S_SENDMSG messages"). The others belong to trap handlers.
constexpr uint32_t kGetRealtime = 0x83;

/// The answer comes back like that of s_memtime.
void sendmsg_rtn(Wave& wave, const Step& step) {
  const uint32_t message = wave.scalar32(step.src[0]);
  if (message != kGetRealtime) {
    wave.fault(FaultKind::invalid_instruction,
               "asks for message " + std::to_string(message) + ", which the emulator does not answer");
    return;
  }
  clock(wave, step);
}

/// Fetches ahead: changes no state and no counter.
void probe(Wave&, const Step&) {}

constexpr HandlerRow kRows[] = {
    {Op::s_load_i8, load_narrow<Base::plain, 1, true>},
    {Op::s_load_u8, load_narrow<Base::plain, 1, false>},
    {Op::s_load_i16, load_narrow<Base::plain, 2, true>},
    {Op::s_load_u16, load_narrow<Base::plain, 2, false>},
    {Op::s_buffer_load_i8, load_narrow<Base::buffer, 1, true>},
    {Op::s_buffer_load_u8, load_narrow<Base::buffer, 1, false>},
    {Op::s_buffer_load_i16, load_narrow<Base::buffer, 2, true>},
    {Op::s_buffer_load_u16, load_narrow<Base::buffer, 2, false>},
    {Op::s_load_dwordx3, load<Base::plain>},
    {Op::s_buffer_load_dwordx3, load<Base::buffer>},
    {Op::s_load_dword, load<Base::plain>},
    {Op::s_load_dwordx2, load<Base::plain>},
    {Op::s_load_dwordx4, load<Base::plain>},
    {Op::s_load_dwordx8, load<Base::plain>},
    {Op::s_load_dwordx16, load<Base::plain>},
    {Op::s_buffer_load_dword, load<Base::buffer>},
    {Op::s_buffer_load_dwordx2, load<Base::buffer>},
    {Op::s_buffer_load_dwordx4, load<Base::buffer>},
    {Op::s_buffer_load_dwordx8, load<Base::buffer>},
    {Op::s_buffer_load_dwordx16, load<Base::buffer>},
    {Op::s_scratch_load_dword, load<Base::scratch>},
    {Op::s_scratch_load_dwordx2, load<Base::scratch>},
    {Op::s_scratch_load_dwordx4, load<Base::scratch>},
    {Op::s_store_dword, store<Base::plain>},
    {Op::s_store_dwordx2, store<Base::plain>},
    {Op::s_store_dwordx4, store<Base::plain>},
    {Op::s_buffer_store_dword, store<Base::buffer>},
    {Op::s_buffer_store_dwordx2, store<Base::buffer>},
    {Op::s_buffer_store_dwordx4, store<Base::buffer>},
    {Op::s_scratch_store_dword, store<Base::scratch>},
    {Op::s_scratch_store_dwordx2, store<Base::scratch>},
    {Op::s_scratch_store_dwordx4, store<Base::scratch>},
#define SPALT_ATOMIC(name, op)                                                   \
  {Op::s_atomic_##name, atomic<Base::plain, AtomicOp::op, false>},               \
      {Op::s_atomic_##name##_x2, atomic<Base::plain, AtomicOp::op, true>},       \
      {Op::s_buffer_atomic_##name, atomic<Base::buffer, AtomicOp::op, false>}, { \
    Op::s_buffer_atomic_##name##_x2, atomic<Base::buffer, AtomicOp::op, true>    \
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
#undef SPALT_ATOMIC
    {Op::s_gl1_inv, control_caches},
    {Op::s_dcache_inv, control_caches},
    {Op::s_dcache_inv_vol, control_caches},
    {Op::s_dcache_wb, control_caches},
    {Op::s_dcache_wb_vol, control_caches},
    {Op::s_dcache_discard, control_caches},
    {Op::s_dcache_discard_x2, control_caches},
    {Op::s_prefetch_inst, probe},
    {Op::s_prefetch_inst_pc_rel, probe},
    {Op::s_prefetch_data, probe},
    {Op::s_prefetch_data_pc_rel, probe},
    {Op::s_buffer_prefetch_data, probe},
    {Op::s_atc_probe, probe},
    {Op::s_atc_probe_buffer, probe},
    {Op::s_memtime, clock},
    {Op::s_memrealtime, clock},
    {Op::s_sendmsg_rtn_b32, sendmsg_rtn},
    {Op::s_sendmsg_rtn_b64, sendmsg_rtn},
    {Op::s_get_waveid_in_workgroup, wave_id},
};

}  // namespace

void add_smem(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
