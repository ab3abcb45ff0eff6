// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "amdgpu/mir/function.h"

namespace spalt::regalloc {

/// Numbers for every dword of the allocated function that can hold a value: registers (as `isa::Reg` numbers them),
/// lanes of linear VGPRs and of scratch with spilled SGPRs, dwords of scratch with spilled VGPRs.
class CheckedLocations {
 public:
  static constexpr uint32_t kNone = 0xffffffffu;
  struct Range {
    uint32_t begin = 0, end = 0;
  };

  CheckedLocations(const mir::Function& after, bool linear);

  uint32_t count() const { return count_; }
  static uint32_t of(isa::Reg reg, unsigned dword) {
    const uint32_t number = reg.number + dword;
    return number < kRegisters ? number : kNone;
  }
  /// The lane that a spill or reload of SGPRs names.
  uint32_t lane(mir::InstId inst, unsigned dword) const;
  /// Likewise, where the lanes are in scratch.
  uint32_t scratch_lane(mir::InstId inst, unsigned dword) const;
  /// The dword of scratch that a spill or reload of VGPRs names.
  uint32_t slot(mir::InstId inst, unsigned dword) const;
  /// The lanes with spilled SGPRs that are part of a location; none but VGPRs have any.
  Range lanes_of(uint32_t location) const;

 private:
  static constexpr uint32_t kRegisters = isa::Reg::kVgprEnd, kFirstVgpr = isa::Reg::kVgprBegin;

  const mir::Function& after_;
  std::vector<uint32_t> home_;         ///< by VGPR: which home of spilled SGPRs it is, if any
  std::map<uint32_t, uint32_t> rows_;  ///< dwords of scratch that hold spilled SGPRs, numbered
  uint32_t rows_begin_ = 0, slots_begin_ = 0, count_ = 0;
};

}  // namespace spalt::regalloc
