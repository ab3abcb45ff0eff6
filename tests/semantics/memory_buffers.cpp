// SPDX-License-Identifier: MIT
// Buffer addresses and bounds as the guides give them, byte by byte: Vega ISA guide, 8.1.5 and 8.1.8; RDNA 1 and 2, the
// same sections; RDNA 3 and 4, 9.4 and 9.6.
#include "memory_buffers.h"

#include <algorithm>

namespace spalt::semantics {
namespace {

using isa::Inst;
using isa::Operand;
using isa::Target;

constexpr unsigned kVaddr = 0, kDescriptor = 24, kSoffset = 30;

/// The address registers of all lanes: index and offset.
struct Lanes {
  std::vector<uint32_t> index, offset;
};

unsigned below(Trial& trial, unsigned limit) {
  return static_cast<unsigned>(trial.random() % limit);
}
unsigned aligned_below(Trial& trial, unsigned limit, unsigned alignment) {
  return below(trial, (limit + alignment - 1) / alignment) * alignment;
}

unsigned address_slot(const Access& access) {
  return access.kind == Kind::load ? 0 : 1;
}

/// Puts descriptor, scalar offset and the lanes' registers into place.
void set_operands(Trial& trial, World& world, Inst& inst, const Access& access, const Descriptor& descriptor,
                  uint32_t soffset, const Lanes& lanes) {
  set_descriptor(trial.target, world, kDescriptor, descriptor);
  const unsigned slot = address_slot(access);
  inst.src[slot + 1] = Operand::of(isa::sgpr(kDescriptor), 4);
  if (soffset != 0 || trial.random() % 2 == 0) {
    world.regs.s[kSoffset] = soffset;
    inst.src[slot + 2] = Operand::of(isa::sgpr(kSoffset));
  } else if (trial.target.major < 12) {
    inst.src[slot + 2] = Operand::of_imm(0);
  }
  inst.mods.idxen = !lanes.index.empty();
  inst.mods.offen = !lanes.offset.empty();
  unsigned reg = kVaddr;
  for (const std::vector<uint32_t>* values : {&lanes.index, &lanes.offset}) {
    if (values->empty()) continue;
    for (unsigned lane = 0; lane < trial.wave_size; ++lane) {
      // The immediate is part of the offset.
      const uint32_t immediate = values == &lanes.offset ? static_cast<uint32_t>(inst.mods.offset) : 0;
      world.regs.v[reg][lane] = (*values)[lane] - immediate;
    }
    ++reg;
  }
  if (reg != kVaddr) inst.src[slot] = Operand::of(isa::vgpr(kVaddr), reg - kVaddr);
}

/// Whether byte i of an access at `offset` is below the limit: with its unit, or with all of an atomic.
bool is_below(uint64_t offset, unsigned i, uint64_t limit, const Access& access) {
  if (access.kind == Kind::atomic) return offset + access.bytes <= limit;
  return offset + (i / access.unit + 1) * access.unit <= limit;
}

/// A byte of memory. Lanes that are not active may point elsewhere.
uint8_t* at(World& world, uint64_t offset) {
  return offset < world.memory.size() ? &world.memory[offset] : nullptr;
}

bool is_vega(const Trial& trial) {
  return trial.target.major == 9;
}

int32_t small_immediate(Trial& trial, unsigned alignment) {
  return static_cast<int32_t>(aligned_below(trial, 64, alignment));
}

}  // namespace

bool has_oob_select(const Target& target) {
  return target.major >= 10;
}

void set_descriptor(const Target& target, World& world, unsigned reg, const Descriptor& d) {
  uint32_t word1 = static_cast<uint32_t>(d.base >> 32 & 0xffff) | (d.stride & 0x3fff) << 16;
  uint32_t word3 = d.dst_sel | d.index_stride << 21 | (d.add_tid ? 1u << 23 : 0);
  if (target.major >= 11) {
    word1 |= (d.swizzle == 0 ? 0u : d.swizzle == 4 ? 1u : 3u) << 30;
  } else {
    word1 |= d.swizzle != 0 ? 1u << 31 : 0;
  }
  // Format "32 uint" where no other is wanted, and none to say that nothing is bound.
  if (target.major == 9) {
    const unsigned format = d.unbound ? 0 : d.format != 0 ? d.format : 4u | 4u << 4;
    const unsigned data_format = d.add_tid && d.format == 0 ? d.stride >> 14 : format & 15;
    word3 |= (format >> 4) << 12 | data_format << 15;
  } else {
    word3 |= (d.unbound ? 0 : d.format != 0 ? d.format : 20u) << 12 | d.oob << 28;
    if (target.major == 10) word3 |= 1u << 24;
    if (target.major >= 12) word3 |= d.stride_scale << 18;
  }
  world.regs.s[reg] = static_cast<uint32_t>(d.base);
  world.regs.s[reg + 1] = word1;
  world.regs.s[reg + 2] = d.num_records;
  world.regs.s[reg + 3] = word3;
}

Bytes buffer_raw(Trial& trial, World& world, Inst& inst, const Access& access) {
  Descriptor d;
  d.num_records = 1024 + below(trial, 2000);
  const uint32_t soffset = trial.random() % 2 == 0 ? 0 : aligned_below(trial, 256, 8);
  inst.mods.offset = static_cast<int32_t>(below(trial, 4) == 0 ? 4095 : aligned_below(trial, 64, access.alignment));
  Lanes lanes;
  for (unsigned lane = 0; lane < trial.wave_size; ++lane) {
    const bool far = below(trial, 8) == 0;
    lanes.offset.push_back(far ? 0x80000000u : aligned_below(trial, d.num_records + 64, access.step()));
  }
  set_operands(trial, world, inst, access, d, soffset, lanes);
  // From GFX10 on the scalar offset shortens a raw buffer.
  const uint64_t limit = is_vega(trial) ? d.num_records : d.num_records - soffset;
  const std::vector<uint32_t> offset = lanes.offset;
  return [=](World& w, unsigned lane, unsigned i) {
    return is_below(offset[lane], i, limit, access) ? at(w, uint64_t{soffset} + offset[lane] + i) : nullptr;
  };
}

Bytes buffer_without_address(Trial& trial, World& world, Inst& inst, const Access& access) {
  Descriptor d;
  d.num_records = 64;
  inst.mods.offset = static_cast<int32_t>(aligned_below(trial, 72, access.alignment));
  set_operands(trial, world, inst, access, d, 0, {});
  const auto offset = static_cast<uint64_t>(inst.mods.offset);
  return [=](World& w, unsigned, unsigned i) { return is_below(offset, i, 64, access) ? at(w, offset + i) : nullptr; };
}

namespace {

/// A stride of a few dwords, on GFX12 sometimes with a factor.
void choose_stride(Trial& trial, Descriptor& d, uint32_t& stride) {
  stride = 32 + 8 * below(trial, 5);
  d.stride = stride;
  if (trial.target.major < 12 || trial.random() % 2 == 0) return;
  constexpr uint32_t kFactors[] = {1, 4, 8, 32};
  d.stride_scale = below(trial, 4);
  d.stride = stride / kFactors[d.stride_scale];
  stride = d.stride * kFactors[d.stride_scale];
}

}  // namespace

Bytes buffer_structured(Trial& trial, World& world, Inst& inst, const Access& access) {
  Descriptor d;
  uint32_t stride = 0;
  choose_stride(trial, d, stride);
  d.num_records = 40;
  d.oob = 1;
  const uint32_t soffset = aligned_below(trial, 64, 8);
  inst.mods.offset = small_immediate(trial, access.alignment);
  Lanes lanes;
  for (unsigned lane = 0; lane < trial.wave_size; ++lane) {
    lanes.index.push_back(below(trial, 8) == 0 ? 0xffffffffu - below(trial, 2) : below(trial, 44));
  }
  set_operands(trial, world, inst, access, d, soffset, lanes);
  const uint64_t fixed = uint64_t{soffset} + static_cast<uint64_t>(inst.mods.offset);
  const std::vector<uint32_t> index = lanes.index;
  return [=](World& w, unsigned lane, unsigned i) {
    return index[lane] < 40 ? at(w, fixed + uint64_t{index[lane]} * stride + i) : nullptr;
  };
}

Bytes buffer_structured_offset(Trial& trial, World& world, Inst& inst, const Access& access) {
  Descriptor d;
  uint32_t stride = 0;
  choose_stride(trial, d, stride);
  d.num_records = 40;
  d.oob = 0;
  inst.mods.offset = small_immediate(trial, access.alignment);
  // Offsets where a component would begin inside of the stride and end outside are left out: the guides differ.
  const unsigned step = std::max(access.unit, access.step());
  Lanes lanes;
  for (unsigned lane = 0; lane < trial.wave_size; ++lane) {
    lanes.index.push_back(below(trial, 44));
    lanes.offset.push_back(aligned_below(trial, stride + 16, step));
  }
  set_operands(trial, world, inst, access, d, 0, lanes);
  return [=](World& w, unsigned lane, unsigned i) {
    const bool inside = lanes.index[lane] < 40 && is_below(lanes.offset[lane], i, stride, access);
    return inside ? at(w, uint64_t{lanes.index[lane]} * stride + lanes.offset[lane] + i) : nullptr;
  };
}

Bytes buffer_unchecked(Trial& trial, World& world, Inst& inst, const Access& access) {
  Descriptor d;
  d.num_records = trial.random() % 2;  // an empty buffer is still out of range
  d.oob = 2;
  const bool empty = d.num_records == 0;
  inst.mods.offset = small_immediate(trial, access.alignment);
  Lanes lanes;
  for (unsigned lane = 0; lane < trial.wave_size; ++lane) {
    lanes.offset.push_back(aligned_below(trial, 4000, access.step()));
  }
  set_operands(trial, world, inst, access, d, 0, lanes);
  return [=](World& w, unsigned lane, unsigned i) { return empty ? nullptr : at(w, lanes.offset[lane] + i); };
}

namespace {

/// The swizzle of the guides, for one byte.
uint64_t swizzled(uint64_t index, uint64_t offset, uint64_t stride, unsigned index_stride, unsigned element) {
  const uint64_t index_msb = index / index_stride, index_lsb = index % index_stride;
  const uint64_t offset_msb = offset / element, offset_lsb = offset % element;
  return (index_msb * stride + offset_msb * element) * index_stride + index_lsb * element + offset_lsb;
}

}  // namespace

Bytes buffer_swizzled(Trial& trial, World& world, Inst& inst, const Access& access) {
  if (access.kind == Kind::atomic && access.bytes > 4) return {};
  const bool with_lane = trial.random() % 2 == 0, gfx12 = trial.target.major >= 12;
  Descriptor d;
  d.swizzle = 4;
  d.stride = 32;
  d.index_stride = with_lane ? (trial.wave_size == 64 ? 3 : 2) : below(trial, 4);
  d.add_tid = with_lane;
  d.num_records = with_lane ? 1000 : 24;
  // Scratch is not checked; elsewhere the index, and from GFX10 on the offset.
  d.oob = with_lane || gfx12 ? 2 : 3;
  const uint32_t soffset = aligned_below(trial, gfx12 ? 16 : 64, 4);
  inst.mods.offset = static_cast<int32_t>(aligned_below(trial, 16, access.unit));
  Lanes lanes;
  for (unsigned lane = 0; lane < trial.wave_size; ++lane) {
    if (!with_lane) lanes.index.push_back(below(trial, gfx12 ? 24 : 28));
    lanes.offset.push_back(aligned_below(trial, with_lane || gfx12 ? 16 : 32, std::max(access.unit, access.step())));
  }
  set_operands(trial, world, inst, access, d, soffset, lanes);
  const bool vega = is_vega(trial), checked = !with_lane && !gfx12;
  const unsigned index_stride = 8u << d.index_stride;
  return [=](World& w, unsigned lane, unsigned i) -> uint8_t* {
    const uint64_t index = with_lane ? lane : lanes.index[lane], offset = lanes.offset[lane];
    if (checked && index >= 24) return nullptr;
    if (checked && !vega && !is_below(offset, i, 32, access)) return nullptr;
    // GFX12 swizzles the scalar offset, too.
    const uint64_t inside = offset + i + (gfx12 ? soffset : 0);
    return at(w, swizzled(index, inside, 32, index_stride, 4) + (gfx12 ? 0 : soffset));
  };
}

Bytes buffer_lane_added(Trial& trial, World& world, Inst& inst, const Access& access) {
  Descriptor d;
  d.stride = 40;
  d.add_tid = true;
  d.oob = 2;
  d.num_records = 1;
  // The stride has 18 bits on GFX9: with one lane only, the base makes up for it.
  if (is_vega(trial) && trial.random() % 2 == 0) {
    const unsigned lane = below(trial, trial.wave_size);
    d.stride = 0x2c040;
    d.base = World::kMemory - uint64_t{lane} * d.stride;
    world.regs.set_mask(isa::kExec.number, trial.wave_size, uint64_t{1} << lane);
  }
  inst.mods.offset = small_immediate(trial, access.alignment);
  Lanes lanes;
  for (unsigned lane = 0; lane < trial.wave_size; ++lane) {
    // Stores of different lanes meet as a whole or not at all.
    lanes.offset.push_back(aligned_below(trial, 1024, access.kind == Kind::store ? 40 : access.alignment));
  }
  set_operands(trial, world, inst, access, d, 0, lanes);
  return [=](World& w, unsigned lane, unsigned i) {
    return at(w, d.base + uint64_t{lane} * d.stride + lanes.offset[lane] + i - World::kMemory);
  };
}

Bytes buffer_swizzled_16(Trial& trial, World& world, Inst& inst, const Access& access) {
  if (trial.target.major >= 12 && access.bytes == 16) return {};
  Descriptor d;
  d.swizzle = 16;
  d.stride = 32;
  d.index_stride = below(trial, 3);
  d.num_records = 24;
  d.oob = 1;
  Lanes lanes;
  const unsigned fits = 16 - access.bytes, step = std::max(access.unit, access.step());
  for (unsigned lane = 0; lane < trial.wave_size; ++lane) {
    lanes.index.push_back(below(trial, 28));
    lanes.offset.push_back(16 * below(trial, 2) + aligned_below(trial, fits + 1, step));
  }
  set_operands(trial, world, inst, access, d, 0, lanes);
  const unsigned index_stride = 8u << d.index_stride;
  return [=](World& w, unsigned lane, unsigned i) {
    const uint64_t index = lanes.index[lane];
    return index < 24 ? at(w, swizzled(index, lanes.offset[lane] + i, 32, index_stride, 16)) : nullptr;
  };
}

Bytes buffer_unbound(Trial& trial, World& world, Inst& inst, const Access& access) {
  Descriptor d;
  d.unbound = true;
  Lanes lanes;
  for (unsigned lane = 0; lane < trial.wave_size; ++lane) {
    lanes.offset.push_back(aligned_below(trial, 4000, access.step()));
  }
  set_operands(trial, world, inst, access, d, 0, lanes);
  return [](World&, unsigned, unsigned) -> uint8_t* { return nullptr; };
}

}  // namespace spalt::semantics
