// SPDX-License-Identifier: MIT
// Addresses and bounds of buffer instructions ("Buffer Addressing" and "Range Checking" of each ISA guide).
#include "emu/memory/buffer_address.h"

#include <algorithm>

#include "emu/launch/program.h"
#include "emu/memory/access.h"
#include "emu/memory/vmem.h"
#include "emu/wave/wave.h"

namespace spalt::emu {
namespace {

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

/// Bytes from the place that the scalar offset points to up to the end of the buffer.
uint64_t bytes_left(const BufferAccess& access) {
  const uint64_t records = access.descriptor.num_records;
  return records - std::min<uint64_t>(records, access.soffset);
}

/// GFX9 chooses the rule by how the buffer is used (Vega ISA guide, 8.1.5): scratch is not checked, a structured buffer
/// by the index, a raw one by the offset.
uint8_t check_by_use(const BufferAccess& access, uint64_t index, uint64_t offset, const Transfer& t) {
  const BufferDescriptor& d = access.descriptor;
  if (d.add_tid && access.index == nullptr) return kAllValid;
  if (access.index != nullptr && d.stride != 0) return index < d.num_records ? kAllValid : 0;
  return components_below(offset, d.num_records, t);
}

uint8_t check_range(const BufferAccess& access, uint64_t index, uint64_t offset, const Transfer& t) {
  const BufferDescriptor& d = access.descriptor;
  switch (d.oob_select) {
    case kOobIndex:
      return index < d.num_records ? kAllValid : 0;
    case kOobEmpty:
      return d.num_records != 0 ? kAllValid : 0;
    case kOobIndexAndOffset:
      return index < d.num_records ? components_below(offset, d.stride, t) : 0;
    case kOobByUse:
      return check_by_use(access, index, offset, t);
    default:
      break;
  }
  if (d.swizzle && d.stride != 0) return index < d.num_records ? components_below(offset, d.stride, t) : 0;
  return components_below(index * d.stride + offset, bytes_left(access), t);
}

LaneAddress lane_address(const BufferAccess& access, unsigned lane, const Transfer& t) {
  const BufferDescriptor& d = access.descriptor;
  const uint64_t index = (access.index != nullptr ? access.index[lane] : 0u) + (d.add_tid ? uint64_t{lane} : 0u);
  uint64_t offset = static_cast<uint32_t>((access.offset != nullptr ? access.offset[lane] : 0u) + access.immediate);
  uint8_t valid = check_range(access, index, offset, t);
  const auto every = static_cast<uint8_t>((1u << t.components) - 1);
  if (access.whole && (valid & every) != every) valid = 0;
  if (!d.swizzle) return {d.base + access.soffset + index * d.stride + offset, valid};

  uint64_t base = d.base;
  // With elements of 16 bytes, those of the attribute ring, it is not: RADV and LLPC put the place of a subgroup there.
  if (access.swizzled_soffset && d.element_bytes == 4) {
    offset = static_cast<uint32_t>(offset + access.soffset);
  } else {
    base += access.soffset;
  }
  const uint64_t group = index / d.index_stride, in_group = index % d.index_stride;
  const uint64_t in_element = offset % d.element_bytes, element = offset - in_element;
  return {base + (group * d.stride + element) * d.index_stride + in_group * d.element_bytes + in_element, valid};
}

/// Whether a component, or with elements of 16 bytes the whole access, lies in two elements of a swizzled buffer.
bool crosses_elements(const BufferDescriptor& d, const Transfer& t, uint64_t address) {
  const uint64_t together = d.element_bytes == 4 ? t.component_bytes : uint64_t{t.component_bytes} * t.components;
  return d.swizzle && t.kind != TransferKind::atomic && address % d.element_bytes + together > d.element_bytes;
}

Access access_of(const Transfer& transfer, uint64_t address, unsigned lane) {
  return {access_kind(transfer.kind), address, uint64_t{transfer.component_bytes} * transfer.components,
          static_cast<int>(lane)};
}

}  // namespace

BufferAccess read_buffer_access(Wave& wave, const Step& step, unsigned vaddr, bool typed) {
  BufferAccess access;
  const isa::Modifiers& mods = step.inst.mods;
  BufferDescriptor& d = access.descriptor;
  d = read_descriptor(wave, step.src[vaddr + 1].index);
  if (d.add_tid && !typed) d.stride = d.lane_stride;
  const Source& soffset = step.src[vaddr + 2];
  access.soffset = soffset.kind == SourceKind::none ? 0 : wave.scalar32(soffset);
  access.immediate = static_cast<uint32_t>(mods.offset);
  access.typed = typed;
  access.whole = typed || step.step_class == StepClass::vmem_atomic;
  access.swizzled_soffset = wave.program().target().soffset_is_swizzled;
  const unsigned reg = step.src[vaddr].index;
  if (mods.idxen) access.index = wave.vgpr(reg);
  if (mods.offen) access.offset = wave.vgpr(reg + (mods.idxen ? 1u : 0u));
  return access;
}

void place_in_buffer(Wave& wave, const BufferAccess& access, Transfer& transfer) {
  const BufferDescriptor& d = access.descriptor;
  if (d.swizzle && d.element_bytes == 4) transfer.component_stride = d.element_bytes * d.index_stride;
  // A format that means nothing says that no buffer is bound ("Buffer Resource", unbound resources).
  const bool bound = d.format != 0 || d.add_tid;
  for (unsigned lane = 0; lane < wave.size(); ++lane) {
    if ((transfer.lanes >> lane & 1) == 0) continue;
    LaneAddress at = lane_address(access, lane, transfer);
    if (!bound) at.valid = 0;
    if (at.valid != 0 && crosses_elements(d, transfer, at.address)) {
      fault_on_access(wave, FaultKind::misaligned, access_of(transfer, at.address, lane),
                      " unaligned, which crosses elements of a swizzled buffer");
    }
    // Section "Alignment": formatted accesses need what their size says, up to a dword.
    if (access.typed && at.valid != 0 && at.address % transfer.component_bytes != 0) {
      fault_on_access(wave, FaultKind::misaligned, access_of(transfer, at.address, lane),
                      ", a typed access that is unaligned");
    }
    if (wave.state() == WaveState::faulted || !place_lane(wave, transfer, lane, at.address, at.valid)) break;
  }
  end_transfer(wave, transfer);
}

}  // namespace spalt::emu
