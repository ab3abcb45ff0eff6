// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/hazard/contents.h"
#include "amdgpu/hazard/cures.h"
#include "amdgpu/hazard/instruction.h"

namespace spalt::hazard {

/// An SGPR that a vector instruction has read once and that is written later may be read too early. The state machine
/// of a register: untouched, read (by any vector instruction, or as a lane mask), written; a read then needs a wait for
/// the result. exec and m0 are safe. A scalar instruction waits for SGPRs that vector instructions write. Code in front
/// of the program may have read all of them.
class SgprWriteRules {
 public:
  struct State {
    Scalars read;     ///< what it takes to be in danger
    Scalars by_salu;  ///< and written by a scalar instruction since
    Scalars by_valu;  ///< by a vector instruction

    bool join(const State& other);
    bool operator==(const State&) const = default;
  };

  explicit SgprWriteRules(const mir::Function& function, const Contents& program);
  bool any() const { return any_; }
  State at_start() const;

  Cures cures(const Instruction& inst, const State& state) const;
  void advance(const Instruction& inst, State& state) const;

 private:
  void note_writes(const Instruction& inst, State& state) const;
  void remember_reads(const Instruction& inst, State& state) const;

  bool follows_code_;
  bool mask_write_;   ///< Hazard::valu_mask_write: only lane masks, until the next write
  bool any_ = false;  ///< some vector instruction reads what is in danger
  bool read_sgpr_;    ///< Hazard::valu_read_sgpr: any read of the pair, for the rest of the program
};

}  // namespace spalt::hazard
