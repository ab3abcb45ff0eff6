// SPDX-License-Identifier: MIT
#include "emu/wave/dual.h"

#include <algorithm>

#include "emu/launch/program.h"
#include "emu/wave/wave.h"

namespace spalt::emu {
namespace {

/// Moves the named sources of an operation out of the list that both share; returns the index after them.
unsigned take_sources(const isa::Inst& dual, const isa::OpcodeInfo& info, unsigned first, isa::Inst& operation) {
  for (unsigned i = 0; i < info.src_count; ++i) {
    const bool mask = info.src[i].role == isa::OperandRole::lane_mask;
    operation.src[i] = mask ? isa::Operand::of(isa::kVcc) : dual.src[first++];
  }
  return first;
}

bool reads_vgpr(const Step& step, uint16_t vgpr) {
  const auto end = step.uses.begin() + step.use_count;
  return std::any_of(step.uses.begin(), end, [vgpr](const RegUse& use) {
    const unsigned number = 256u + vgpr;
    return !use.write && number >= use.first && number < unsigned{use.first} + use.count;
  });
}

}  // namespace

isa::Inst operation_of(const isa::Inst& dual, unsigned which, isa::Generation generation) {
  isa::Inst operation;
  operation.format = dual.format;
  operation.size_bytes = dual.size_bytes;
  operation.opcode = dual.opcode;
  operation.dst[0] = dual.dst[which];
  const unsigned second = take_sources(dual, isa::info(dual.opcode, generation), 0, operation);
  if (which == 0) return operation;
  operation.opcode = dual.opcode_y;
  operation.src = {};
  take_sources(dual, isa::info(dual.opcode_y, generation), second, operation);
  return operation;
}

void execute_dual(Wave& wave, const Step& step) {
  const Program::Operations& operations = wave.program().operations(step);
  const Step &first = operations[0], &second = operations[1];
  if (!reads_vgpr(second, first.dst)) {
    first.handler(wave, first);
    second.handler(wave, second);
    return;
  }
  // The second operation sees what the first one's destination held before.
  uint32_t* const shared = wave.vgpr(first.dst);
  LaneBuffer before, after;
  std::copy(shared, shared + kMaxLanes, before.lane);
  first.handler(wave, first);
  std::copy(shared, shared + kMaxLanes, after.lane);
  std::copy(before.lane, before.lane + kMaxLanes, shared);
  second.handler(wave, second);
  std::copy(after.lane, after.lane + kMaxLanes, shared);
}

}  // namespace spalt::emu
