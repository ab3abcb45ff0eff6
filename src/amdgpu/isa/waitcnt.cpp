// SPDX-License-Identifier: MIT
#include "amdgpu/isa/waitcnt.h"

#include <algorithm>

#include "base/bits.h"

namespace spalt::isa {
namespace {

// RDNA 1 to 3 and Vega ISA guides, s_waitcnt in section "SOPP instructions". GFX12 has separate instructions per
// counter.
constexpr WaitcntLayout kLayouts[kGenerationCount] = {
    {0, 4, 14, 2, 4, 3, 8, 4},  // gfx9
    {0, 4, 14, 2, 4, 3, 8, 6},  // gfx10.1
    {0, 4, 14, 2, 4, 3, 8, 6},  // gfx10.3
    {10, 6, 0, 0, 0, 3, 4, 6},  // gfx11
    {10, 6, 0, 0, 0, 3, 4, 6},  // gfx11.5
    {10, 6, 0, 0, 0, 3, 4, 6},  // gfx12: not encodable, kept for symmetry
};

constexpr WaitNames kCommonNames = {"vmcnt wait", "lgkmcnt wait", "lgkmcnt(0) wait", "expcnt wait", "vmcnt wait"};
constexpr WaitNames kSplitNames = {"s_wait_loadcnt", "s_wait_dscnt", "s_wait_kmcnt 0x0", "s_wait_expcnt",
                                   "s_wait_samplecnt"};

uint64_t field_max(unsigned bits) {
  return (uint64_t{1} << bits) - 1;
}

}  // namespace

const WaitNames& wait_names(const Target& target) {
  return target.has_kmcnt ? kSplitNames : kCommonNames;
}

const WaitcntLayout& waitcnt_layout(const Target& target) {
  return kLayouts[static_cast<unsigned>(target.generation)];
}

uint16_t encode_waitcnt(const Target& target, WaitCounts counts) {
  const WaitcntLayout& at = waitcnt_layout(target);
  const uint64_t vm = std::min<uint64_t>(counts.vm, field_max(at.vm_low_bits + at.vm_high_bits));
  const uint64_t exp = std::min<uint64_t>(counts.exp, field_max(at.exp_bits));
  const uint64_t lgkm = std::min<uint64_t>(counts.lgkm, field_max(at.lgkm_bits));
  uint64_t imm = with_bits(0, at.vm_low_shift, at.vm_low_bits, vm);
  if (at.vm_high_bits != 0) imm = with_bits(imm, at.vm_high_shift, at.vm_high_bits, vm >> at.vm_low_bits);
  imm = with_bits(imm, at.exp_shift, at.exp_bits, exp);
  return static_cast<uint16_t>(with_bits(imm, at.lgkm_shift, at.lgkm_bits, lgkm));
}

// RDNA 4 ISA guide, S_WAIT_LOADCNT_DSCNT.
uint16_t encode_wait_pair(uint8_t vector_count, uint8_t ds_count) {
  return static_cast<uint16_t>(with_bits(with_bits(0, 0, 6, ds_count), 8, 6, vector_count));
}

WaitCounts decode_waitcnt(const Target& target, uint16_t simm16) {
  const WaitcntLayout& at = waitcnt_layout(target);
  uint64_t vm = bits_of(simm16, at.vm_low_shift, at.vm_low_bits);
  if (at.vm_high_bits != 0) vm |= bits_of(simm16, at.vm_high_shift, at.vm_high_bits) << at.vm_low_bits;
  return {static_cast<uint8_t>(vm), static_cast<uint8_t>(bits_of(simm16, at.exp_shift, at.exp_bits)),
          static_cast<uint8_t>(bits_of(simm16, at.lgkm_shift, at.lgkm_bits))};
}

}  // namespace spalt::isa
