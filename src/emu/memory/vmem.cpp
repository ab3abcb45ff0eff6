// SPDX-License-Identifier: MIT
#include "emu/memory/vmem.h"

#include <atomic>

#include "emu/caches/memory_hierarchy.h"
#include "emu/memory/access.h"

namespace spalt::emu {
namespace {

bool counts_as_load(const Step& step, const AccessShape& shape) {
  return shape.kind == TransferKind::load || (shape.kind == TransferKind::atomic && step.has_dst);
}

/// Bytes from the first one, at `address`, to the end of the last of `components` components.
uint64_t span_of(const Transfer& t, unsigned lane, uint64_t address, unsigned components) {
  if (t.crosses(lane)) {
    const uint64_t last = address % 4 + uint64_t{t.component_bytes} * components - 1;
    return last / 4 * t.stride_of(lane) + last % 4 + 1 - address % 4;
  }
  return uint64_t{t.stride_of(lane)} * (components - 1) + t.component_bytes;
}

unsigned last_valid(uint8_t valid, unsigned components) {
  while (components > 0 && (valid >> (components - 1) & 1) == 0) --components;
  return components;
}

/// Scratch is one ring for all waves; a wave that leaves its own part corrupts another one's.
bool inside_own_scratch(const Wave& wave, uint64_t address, uint64_t bytes) {
  return address >= wave.scratch_base && address + bytes <= wave.scratch_base + wave.scratch_size;
}

bool in_scratch_ring(Wave& wave, uint64_t address) {
  return address - wave.group().scratch_ring_base < wave.group().scratch_ring_size;
}

/// A load without a register writes LDS, each lane a dword at M0[15:0] plus the instruction's offset plus four times
/// its number (section "Memory Buffer Load to LDS"; LLVM, llvm.amdgcn.raw.buffer.load.lds: the offset counts in both
/// places).
void aim_at_lds(Wave& wave, const Step& step, Transfer& transfer) {
  std::vector<uint8_t>& lds = wave.group().lds;
  const uint64_t base = (wave.m0() & 0xffffu) + static_cast<uint64_t>(step.imm);
  transfer.to_lds = lds.data();
  for (unsigned lane = 0; lane < wave.size(); ++lane) {
    const uint64_t offset = base + lane * 4u;
    if ((transfer.lanes >> lane & 1) != 0 && offset + 4 > lds.size()) {
      fault_outside_lds(wave, {AccessKind::store, offset, 4, static_cast<int>(lane)});
      return;
    }
    transfer.data[0][lane] = static_cast<uint32_t>(offset);
  }
}

}  // namespace

Transfer& begin_transfer(Wave& wave, const Step& step, const AccessShape& shape) {
  const bool load = counts_as_load(step, shape);
  Transfer& transfer = shape.sampler ? wave.waits.issue_sample(wave)
                       : load        ? wave.waits.issue_load(wave)
                                     : wave.waits.issue_store(wave);
  transfer.kind = shape.kind;
  transfer.op = shape.op;
  transfer.extend = shape.extend;
  transfer.component_bytes = shape.component_bytes;
  transfer.component_stride = shape.component_bytes;
  transfer.components = shape.components;
  transfer.has_dst = load && step.has_dst;
  transfer.dst = step.dst;
  transfer.dst_dwords = step.dst_dwords;
  transfer.path = step.path;
  transfer.lanes = wave.exec();
  transfer.has_status = transfer.has_dst && step.inst.mods.tfe;
  if (shape.kind == TransferKind::load && !step.has_dst) aim_at_lds(wave, step, transfer);
  return transfer;
}

void set_store_data(Wave& wave, Transfer& transfer, const AccessShape& shape, unsigned data) {
  // Compare-and-swap has two values, each as wide as the memory.
  const bool compare = shape.op == AtomicOp::cmpswap || shape.op == AtomicOp::fcmpswap;
  const unsigned dwords =
      shape.kind == TransferKind::atomic ? shape.component_bytes / 4u * (compare ? 2u : 1u) : shape.components;
  for (unsigned i = 0; i < dwords; ++i) {
    const uint32_t* lanes = wave.vgpr(data + i);
    std::copy(lanes, lanes + kMaxLanes, transfer.data[i].begin());
    if (shape.store_high_half) {
      for (uint32_t& lane : transfer.data[i]) lane >>= 16;
    }
  }
}

namespace {

/// Where an access lies in `at`, the mapping that holds all of it, if there is one.
std::optional<uint8_t*> place_in(Wave& wave, const Mapping* at, TransferKind kind, unsigned lane, uint64_t address,
                                 uint64_t bytes) {
  // Made only for a fault: this runs for every lane.
  const auto access = [&] { return Access{access_kind(kind), address, bytes, static_cast<int>(lane)}; };
  if (at != nullptr && !at->is_resident()) return nullptr;
  if (at == nullptr || (!at->writable && kind != TransferKind::load)) {
    fault_on_refusal(wave, access(), at);
    return std::nullopt;
  }
  if (in_scratch_ring(wave, address) && !inside_own_scratch(wave, address, bytes)) {
    fault_on_access(wave, FaultKind::scratch_bounds, access(), ", outside the scratch memory of the wave");
    return std::nullopt;
  }
  return at->host + (address - at->base);
}

/// Accesses whose components count one by one, each at its own distance from the first.
bool is_divisible(const Transfer& t, unsigned lane) {
  return t.components > 1 && !t.crosses(lane) && t.block == 0 && t.transposed_bytes == 0 && t.second_from == 255;
}

/// Component by component, where no mapping holds the whole access: some are absent. Those that are there must be in
/// one mapping; otherwise the access is refused as a whole.
bool place_parts(Wave& wave, Transfer& t, unsigned lane, uint64_t address, uint64_t bytes) {
  const Memory& memory = *wave.group().memory;
  const auto refuse = [&] { return place_in(wave, nullptr, t.kind, lane, address, bytes).has_value(); };
  const Mapping* resident = nullptr;
  const uint8_t valid = t.valid[lane];
  for (unsigned c = 0; c < t.components; ++c) {
    if ((valid >> c & 1) == 0) continue;
    const uint64_t offset = uint64_t{t.stride_of(lane)} * c;
    const Mapping* at = memory.find(address + offset, t.component_bytes, wave.mapping_hint);
    if (at == nullptr) return refuse();
    if (!at->is_resident()) {
      t.valid[lane] &= static_cast<uint8_t>(~(1u << c));
      continue;
    }
    if (resident != nullptr && resident != at) return refuse();
    resident = at;
    const auto host = place_in(wave, at, t.kind, lane, address + offset, t.component_bytes);
    if (!host) return false;
    t.host[lane] = *host - offset;
  }
  if (t.valid[lane] == valid) return refuse();
  t.absent_lanes |= uint64_t{1} << lane;
  return true;
}

/// What moves no single components has no use for memory that is not there.
bool refuses_absence(const Transfer& t) {
  return t.block != 0 || t.transposed_bytes != 0 || t.for_all_lanes;
}

}  // namespace

std::optional<uint8_t*> locate(Wave& wave, TransferKind kind, unsigned lane, uint64_t address, uint64_t bytes) {
  const Mapping* at = wave.group().memory->find(address, bytes, wave.mapping_hint);
  return place_in(wave, at, kind, lane, address, bytes);
}

bool place_lane(Wave& wave, Transfer& transfer, unsigned lane, uint64_t address, uint8_t valid) {
  transfer.valid[lane] = valid;
  transfer.host[lane] = nullptr;
  transfer.misaligned[lane] = static_cast<uint8_t>(address % 4);
  const unsigned components = transfer.block != 0 ? transfer.components : last_valid(valid, transfer.components);
  if (components == 0) {
    transfer.valid[lane] = 0;
    return true;
  }
  const uint64_t bytes = span_of(transfer, lane, address, components);
  const Mapping* at = wave.group().memory->find(address, bytes, wave.mapping_hint);
  if (at == nullptr && is_divisible(transfer, lane)) return place_parts(wave, transfer, lane, address, bytes);
  const std::optional<uint8_t*> host = place_in(wave, at, transfer.kind, lane, address, bytes);
  if (!host) return false;
  const Access access{access_kind(transfer.kind), address, bytes, static_cast<int>(lane)};
  if (transfer.kind == TransferKind::atomic && address % transfer.component_bytes != 0) {
    fault_on_access(wave, FaultKind::misaligned, access, " atomically, but unaligned");
    return false;
  }
  transfer.host[lane] = *host;
  if (*host != nullptr) return true;
  if (refuses_absence(transfer)) {
    fault_on_refusal(wave, access, at);
    return false;
  }
  transfer.valid[lane] = 0;
  transfer.absent_lanes |= uint64_t{1} << lane;
  return true;
}

void end_transfer(Wave& wave, Transfer& transfer) {
  if (wave.state() == WaveState::faulted) transfer.lanes = 0;
  transfer.set_range();
  wave.waits.issued(transfer);
  const Step& step = wave.current_step();
  if (wave.group().hierarchy != nullptr && step.step_class != StepClass::lds) {
    wave.group().hierarchy->issue(wave, transfer, step.inst.mods);
  }
}

void control_caches(Wave& wave, const Step& step) {
  std::atomic_thread_fence(std::memory_order_acq_rel);
  if (wave.group().hierarchy != nullptr) wave.group().hierarchy->invalidate(wave, step.inst.opcode, step.inst.mods);
}

}  // namespace spalt::emu
