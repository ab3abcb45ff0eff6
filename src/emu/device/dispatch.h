// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "amdgpu/object/stage_object.h"
#include "base/result.h"
#include "emu/caches/memory_hierarchy.h"
#include "emu/device/bound_buffers.h"
#include "emu/launch/runner.h"

namespace spalt::emu {

struct DispatchInfo {
  std::vector<BufferBinding> buffers;
  std::vector<uint32_t> user_data;  ///< plain entries, push constants in place; table addresses are filled in here
  std::array<uint32_t, 3> grid{1, 1, 1};
  unsigned threads = 1;  ///< host threads; results do not depend on it for programs without races
  uint64_t step_limit = Launch::kDefaultStepLimit;  ///< instructions per wave before it counts as endless
  Observer* observer = nullptr;  ///< looks at every instruction; the dispatch then uses one host thread
  HierarchySettings hierarchy;   ///< likewise
};

struct DispatchOutcome {
  Statistics statistics;
  std::string fault;  ///< what the program did wrong, as text; empty when it ran to its end
  Fault record;       ///< the same as data
  /// What was executed at least once, sorted, without repetition.
  std::vector<std::pair<isa::Opcode, isa::Format>> executed;
};

/// Runs one grid on a device that is made for it: for tests and tools that dispatch once.
Result<DispatchOutcome> run_dispatch(const object::StageObject& shader, const DispatchInfo& info);

/// Adds what only these callers want to know.
DispatchOutcome describe_outcome(const RunOutcome& outcome, const Program& program);

}  // namespace spalt::emu
