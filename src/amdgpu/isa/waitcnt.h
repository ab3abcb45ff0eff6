// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "amdgpu/isa/target.h"

namespace spalt::isa {

/// Values of the counters in one s_waitcnt. A counter at its maximum does not wait.
struct WaitCounts {
  uint8_t vm, exp, lgkm;
};

/// Where each counter stands in the immediate of s_waitcnt. VM_CNT may be split into two fields.
struct WaitcntLayout {
  uint8_t vm_low_shift, vm_low_bits, vm_high_shift, vm_high_bits;
  uint8_t exp_shift, exp_bits, lgkm_shift, lgkm_bits;
};

/// How messages name the wait that ends each kind of outstanding work.
struct WaitNames {
  const char *load, *lds, *scalar, *direct, *sample;
};

const WaitNames& wait_names(const Target& target);

const WaitcntLayout& waitcnt_layout(const Target& target);
/// The immediate of s_waitcnt; values above a counter's maximum mean "do not wait".
uint16_t encode_waitcnt(const Target& target, WaitCounts counts);
WaitCounts decode_waitcnt(const Target& target, uint16_t simm16);
/// The immediate of s_wait_loadcnt_dscnt and s_wait_storecnt_dscnt (GFX12).
uint16_t encode_wait_pair(uint8_t vector_count, uint8_t ds_count);

}  // namespace spalt::isa
