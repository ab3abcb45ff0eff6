// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "amdgpu/isa/inst.h"

namespace spalt::hazard::test {

/// Where our rule for s_delay_alu differs from LLVM 19's (docs/isa-errata.md, "Delays").
struct DelayRule {
  /// vcc counts where the encoding does not name it: in VOP2, VOPC, v_div_fmas and pairs.
  bool implicit_vcc = false;
  /// An instruction that must wait for a result issues when that is there, so the results before it are there, too.
  bool stalls = false;
  /// A scalar instruction with registers waits for the vector results in SGPRs that are under way, so these and older
  /// ones are there.
  bool scalars_wait = false;
  /// The carry of an addition is there when its sum is, not as soon as a scalar result.
  bool slow_carry = false;
  /// A vector instruction of 64 lanes is issued in two cycles.
  bool two_passes = false;
  /// Stalls of one cycle get no delay.
  bool pays = false;
  /// What was issued before a wait for memory is there after it.
  bool long_waits = false;
};

/// The s_delay_alu that stands right before each instruction of straight-line code, 0 for none. Made from the
/// instructions as decoded and written apart from the pass.
std::vector<uint16_t> model_delays(std::span<const isa::Inst> code, unsigned wave_size, DelayRule rule);

}  // namespace spalt::hazard::test
