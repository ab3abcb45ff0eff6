// SPDX-License-Identifier: MIT
#include "emu/device/dispatch.h"

#include <algorithm>

#include "emu/device/device.h"

namespace spalt::emu {
namespace {

std::vector<std::pair<isa::Opcode, isa::Format>> executed_of(const Program& program,
                                                             const std::vector<uint8_t>& visited) {
  std::vector<std::pair<isa::Opcode, isa::Format>> executed;
  for (uint32_t i = 0; i < visited.size(); ++i) {
    const isa::Inst& inst = program[i].inst;
    if (visited[i] == 0) continue;
    for (const isa::Opcode opcode : {inst.opcode, inst.opcode_y}) {
      if (opcode != isa::Opcode::invalid) executed.emplace_back(opcode, inst.format);
    }
  }
  std::sort(executed.begin(), executed.end());
  executed.erase(std::unique(executed.begin(), executed.end()), executed.end());
  return executed;
}

}  // namespace

DispatchOutcome describe_outcome(const RunOutcome& outcome, const Program& program) {
  const bool faulted = outcome.fault.kind != FaultKind::none;
  return {outcome.statistics, faulted ? outcome.fault.message() : std::string(), outcome.fault,
          executed_of(program, outcome.visited)};
}

Result<DispatchOutcome> run_dispatch(const object::StageObject& shader, const DispatchInfo& info) {
  const auto space = std::make_shared<AddressSpace>();
  const auto program = PalProgram::load(space, shader, 0, "code");
  if (!program) return program.error();
  const Result<uint64_t> groups = count_groups(info.grid);
  if (!groups) return groups.error();
  const unsigned threads = groups_at_a_time(info.threads, *groups, info.observer, {});
  const auto device = Device::create(space, threads, 0);
  if (!device) return device.error();
  std::vector<uint32_t> user_data = info.user_data;
  BoundBuffers buffers(space);
  if (Result<void> done = buffers.add(info.buffers, (*program)->target(), user_data); !done) return done.error();
  PalDispatch dispatch;
  dispatch.program = *program;
  dispatch.user_data = user_data;
  dispatch.group_count = info.grid;
  dispatch.step_limit = info.step_limit;
  dispatch.observer = info.observer;
  dispatch.hierarchy = info.hierarchy;
  Result<RunOutcome> outcome = (*device)->dispatch(dispatch);
  if (!outcome) return outcome.error();
  return describe_outcome(*outcome, *(*program)->program());
}

}  // namespace spalt::emu
