// SPDX-License-Identifier: MIT
// SMEM: scalar loads (RDNA 2 ISA guide, chapter 7), and messages that return data like them. Their results become
// readable at lgkmcnt(0).
#include <algorithm>
#include <atomic>

#include "emu/descriptor.h"
#include "emu/salu.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

uint64_t offset_of(const Wave& wave, const Step& step) {
  const uint64_t soffset = step.src[1].kind == SourceKind::none ? 0 : wave.scalar32(step.src[1]);
  return soffset + static_cast<uint64_t>(int64_t{step.imm});
}

/// A value narrower than a dword, or dwords.
struct Narrow {
  unsigned bytes = 0;
  bool sign = false;
};

void issue(Wave& wave, const Step& step, uint64_t address, unsigned valid_dwords, Narrow narrow = {}) {
  ScalarTransfer transfer;
  transfer.dst = step.dst;
  transfer.dwords = step.dst_dwords;
  transfer.valid_dwords = static_cast<uint8_t>(valid_dwords);
  transfer.narrow_bytes = static_cast<uint8_t>(narrow.bytes);
  transfer.sign = narrow.sign;
  if (valid_dwords != 0) {
    const unsigned bytes = narrow.bytes != 0 ? narrow.bytes : valid_dwords * 4u;
    const Allocation* at = wave.group().memory->find(address, bytes, wave.allocation_hint);
    if (at == nullptr) {
      wave.fault("loads " + std::to_string(bytes) + " bytes at " + hex_address(address) + ", outside any allocation");
      return;
    }
    transfer.host = at->host + (address - at->base);
  }
  wave.waits.issue_scalar(transfer);
}

void load(Wave& wave, const Step& step) {
  const uint64_t address = (wave.read_s64(step.src[0].index) + offset_of(wave, step)) & ~uint64_t{3};
  issue(wave, step, address, step.dst_dwords);
}

uint64_t bytes_of(const BufferDescriptor& descriptor) {
  return descriptor.stride == 0 ? descriptor.num_records : uint64_t{descriptor.stride} * descriptor.num_records;
}

void buffer_load(Wave& wave, const Step& step) {
  const BufferDescriptor descriptor = read_descriptor(wave, step.src[0].index);
  const uint64_t offset = offset_of(wave, step) & ~uint64_t{3};
  const uint64_t bytes = bytes_of(descriptor);
  const uint64_t in_range = offset < bytes ? (bytes - offset) / 4 : 0;
  const auto dwords = static_cast<unsigned>(std::min<uint64_t>(in_range, step.dst_dwords));
  issue(wave, step, descriptor.base + offset, dwords);
}

/// 8 and 16 bits of GFX12; a value that is not wholly in range is 0.
template <unsigned Bytes, bool Sign>
void load_narrow(Wave& wave, const Step& step) {
  const uint64_t address = wave.read_s64(step.src[0].index) + offset_of(wave, step);
  issue(wave, step, address & ~uint64_t{Bytes - 1}, 1, {Bytes, Sign});
}
template <unsigned Bytes, bool Sign>
void buffer_load_narrow(Wave& wave, const Step& step) {
  const BufferDescriptor descriptor = read_descriptor(wave, step.src[0].index);
  const uint64_t offset = offset_of(wave, step) & ~uint64_t{Bytes - 1};
  const bool in_range = offset + Bytes <= bytes_of(descriptor);
  issue(wave, step, descriptor.base + offset, in_range ? 1 : 0, {Bytes, Sign});
}

void clock(Wave& wave, const Step& step) {
  ScalarTransfer transfer;
  transfer.dst = step.dst;
  transfer.dwords = 2;
  transfer.has_value = true;
  transfer.value = wave.instructions + 1;
  wave.waits.issue_scalar(transfer);
}

// What s_sendmsg_rtn asks for (RDNA 3 ISA guide, "S_SENDMSG messages"). The others belong to trap handlers.
constexpr uint32_t kGetRealtime = 0x83;

/// The answer comes back like that of s_memtime.
void sendmsg_rtn(Wave& wave, const Step& step) {
  const uint32_t message = wave.scalar32(step.src[0]);
  if (message != kGetRealtime) {
    wave.fault("asks for message " + std::to_string(message) + ", which the emulator does not answer");
    return;
  }
  ScalarTransfer transfer;
  transfer.dst = step.dst;
  transfer.dwords = step.dst_dwords;
  transfer.has_value = true;
  transfer.value = wave.instructions + 1;
  wave.waits.issue_scalar(transfer);
}

void invalidate(Wave&, const Step&) {
  std::atomic_thread_fence(std::memory_order_acq_rel);
}

/// Prefetches change no state and no counter.
void nothing(Wave&, const Step&) {}

constexpr HandlerRow kRows[] = {
    {Op::s_load_dwordx3, load},
    {Op::s_buffer_load_dwordx3, buffer_load},
    {Op::s_load_i8, load_narrow<1, true>},
    {Op::s_load_u8, load_narrow<1, false>},
    {Op::s_load_i16, load_narrow<2, true>},
    {Op::s_load_u16, load_narrow<2, false>},
    {Op::s_buffer_load_i8, buffer_load_narrow<1, true>},
    {Op::s_buffer_load_u8, buffer_load_narrow<1, false>},
    {Op::s_buffer_load_i16, buffer_load_narrow<2, true>},
    {Op::s_buffer_load_u16, buffer_load_narrow<2, false>},
    {Op::s_prefetch_inst, nothing},
    {Op::s_prefetch_inst_pc_rel, nothing},
    {Op::s_prefetch_data, nothing},
    {Op::s_prefetch_data_pc_rel, nothing},
    {Op::s_buffer_prefetch_data, nothing},
    {Op::s_load_dword, load},
    {Op::s_load_dwordx2, load},
    {Op::s_load_dwordx4, load},
    {Op::s_load_dwordx8, load},
    {Op::s_load_dwordx16, load},
    {Op::s_buffer_load_dword, buffer_load},
    {Op::s_buffer_load_dwordx2, buffer_load},
    {Op::s_buffer_load_dwordx4, buffer_load},
    {Op::s_buffer_load_dwordx8, buffer_load},
    {Op::s_buffer_load_dwordx16, buffer_load},
    {Op::s_gl1_inv, invalidate},
    {Op::s_dcache_inv, invalidate},
    {Op::s_atc_probe, nothing},
    {Op::s_atc_probe_buffer, nothing},
    {Op::s_memtime, clock},
    {Op::s_memrealtime, clock},
    {Op::s_sendmsg_rtn_b32, sendmsg_rtn},
    {Op::s_sendmsg_rtn_b64, sendmsg_rtn},
};

}  // namespace

void add_smem(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
