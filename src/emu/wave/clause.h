// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "amdgpu/isa/target.h"
#include "emu/wave/step.h"

namespace spalt::emu {

/// What a clause consists of. Which of these are different is a fact of the target.
enum class ClauseKind : uint8_t {
  none,  ///< cannot stand in a clause
  vector,
  scalar_memory,
  lds,
  load,  ///< buffer, global and scratch instructions
  store,
  atomic,
  flat_load,
  flat_store,
  flat_atomic,
  image_load,
  image_store,
  image_atomic,
  image_sample
};

/// s_clause N: the next N + 1 instructions are of one kind (RDNA 2, 3 and 4 ISA guides, "Instruction Clauses" and
/// S_CLAUSE; LLVM, SIInsertHardClauses). Its length is a SingleRule.
class Clause {
 public:
  bool open() const { return left_ != 0; }
  void start(const Step& step);
  /// Looks at an instruction while a clause is open; faults the wave when it must not stand there.
  void check(Wave& wave, const Step& step);

 private:
  uint8_t left_ = 0;                    ///< instructions that still belong to it
  ClauseKind kind_ = ClauseKind::none;  ///< that of its first instruction, none before
};

}  // namespace spalt::emu
