// SPDX-License-Identifier: MIT
//
// Liveness of physical registers: sets of what each block reads before it writes and of what it writes, carried against
// the edges until nothing changes, blocks in reverse order; then one walk backwards through each block.
#include "amdgpu/estimate/pressure.h"

#include <algorithm>
#include <bitset>

namespace spalt::estimate {
namespace {

using isa::Inst;
using isa::OpcodeInfo;
using isa::Operand;

using Registers = std::bitset<isa::Reg::kVgprEnd>;

void add(Registers& set, isa::Reg reg, unsigned dwords) {
  const unsigned end = std::min<unsigned>(reg.number + dwords, isa::Reg::kVgprEnd);
  for (unsigned i = reg.number; i < end; ++i) set.set(i);
}

void add(Registers& set, const Operand& operand) {
  if (operand.is_reg()) add(set, operand.reg, operand.dwords);
}

/// The registers that are live before an instruction, of those after it.
void step_back(const Inst& inst, Registers& live) {
  const OpcodeInfo& info = isa::info(inst.opcode);
  Registers written, read;
  for (const Operand& dst : inst.dst) add(written, dst);
  for (const Operand& src : inst.src) add(read, src);
  if (info.has(isa::kDstIsSrc | isa::kSwapsOperands)) add(read, inst.dst[0]);
  if (inst.opcode_y != isa::Opcode::invalid && isa::info(inst.opcode_y).has(isa::kDstIsSrc)) add(read, inst.dst[1]);
  for (unsigned i = 0; i < inst.nsa.count; ++i) add(read, isa::vgpr(inst.nsa.vgprs[i]), 1);
  live = (live & ~written) | read;
}

class PressureFinder {
 public:
  PressureFinder(const Code& code, const Loops& loops) : code_(code), loops_(loops) {}

  std::vector<Pressure> run() {
    at_start_.resize(code_.blocks.size());
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = loops_.order.size(); i-- > 0;) changed |= update(loops_.order[i]);
    }
    std::vector<Pressure> pressure(code_.insts.size());
    for (uint32_t b : loops_.order) {
      Registers live = at_end(b);
      const Block& block = code_.blocks[b];
      for (uint32_t i = block.first + block.count; i-- > block.first;) {
        step_back(code_.insts[i], live);
        pressure[i] = count(live);
      }
    }
    return pressure;
  }

 private:
  Registers at_end(uint32_t b) const {
    Registers live;
    code_.blocks[b].for_each_successor([&](uint32_t s) { live |= at_start_[s]; });
    return live;
  }

  bool update(uint32_t b) {
    Registers live = at_end(b);
    const Block& block = code_.blocks[b];
    for (uint32_t i = block.first + block.count; i-- > block.first;) step_back(code_.insts[i], live);
    if (live == at_start_[b]) return false;
    at_start_[b] = live;
    return true;
  }

  static Pressure count(const Registers& live) {
    static const Registers kSgprs = [] {
      Registers set;
      add(set, isa::sgpr(0), isa::Reg::kSgprEnd);
      return set;
    }();
    Pressure pressure;
    pressure.vgprs = static_cast<uint16_t>((live >> isa::Reg::kVgprBegin).count());
    pressure.sgprs = static_cast<uint16_t>((live & kSgprs).count());
    return pressure;
  }

  const Code& code_;
  const Loops& loops_;
  std::vector<Registers> at_start_;
};

}  // namespace

std::vector<Pressure> find_pressure(const Code& code, const Loops& loops) {
  return PressureFinder(code, loops).run();
}

}  // namespace spalt::estimate
