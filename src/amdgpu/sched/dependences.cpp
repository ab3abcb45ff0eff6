// SPDX-License-Identifier: MIT
#include "amdgpu/sched/dependences.h"

#include <algorithm>

#include "amdgpu/isa/timing.h"

namespace spalt::sched {

using mir::InstId;
using mir::Operand;

namespace {

/// Most pseudo operations become moves and scalar arithmetic.
constexpr uint16_t kMoveLatency = 2;

/// What a pseudo operation becomes that is one instruction and no move; any other opcode as it is.
mir::Opcode becomes(mir::Opcode opcode) {
  switch (opcode) {
    case mir::Opcode::p_load_parameter:
      return mir::Opcode::lds_param_load;
    case mir::Opcode::p_interpolate_i:
      return mir::Opcode::v_interp_p1_f32;
    case mir::Opcode::p_interpolate_j:
      return mir::Opcode::v_interp_p2_f32;
    case mir::Opcode::p_parameter:
      return mir::Opcode::v_interp_mov_f32;
    default:
      return opcode;
  }
}

}  // namespace

InstCost cost_of(const mir::Function& function, InstId id) {
  const mir::Inst& inst = function.insts[id];
  const mir::Opcode opcode = becomes(inst.opcode);
  if (mir::is_pseudo(opcode)) return {1, kMoveLatency};
  isa::AccessFacts access;
  if (mir::has_flag(inst.opcode, isa::kSmem)) {
    const auto uses = function.uses(id);
    // By a pointer, or at an address that the code says. Clocks have no operands.
    access.likely_cached = uses.empty() || uses[0].dwords == 2 ||
                           std::none_of(uses.begin() + 1, uses.end(), [](const Operand& use) { return use.is_vreg(); });
  }
  const isa::Cost cost = isa::cost_of(function.target, function.wave_size, mir::to_isa(opcode), access);
  // Other units take their time beside the wave, which goes on.
  const auto turn = static_cast<uint16_t>(isa::issue_interval(function.target));
  return {cost.unit == isa::Unit::vector ? cost.busy : turn, cost.latency};
}

void Dependences::build(const mir::Function& function, std::span<const InstId> insts, Vector<uint32_t>& def_node) {
  const auto count = static_cast<uint32_t>(insts.size());
  raw_.clear();
  cost_.resize(count);
  for (Resource* resource : {&scc_, &exec_, &m0_, &vcc_, &other_, &memory_[0], &memory_[1], &memory_[2]}) {
    resource->writer = kNone;
    resource->readers.clear();
  }
  memory_accesses_.clear();
  memory_fence_ = barrier_ = kNone;
  for (uint32_t node = 0; node < count; ++node) {
    const mir::Inst& inst = function.insts[insts[node]];
    cost_[node] = cost_of(function, insts[node]);
    if (barrier_ != kNone) add(barrier_, node, 1);
    const bool writes_reserved = add_registers(function, insts[node], node, def_node);
    if ((inst.memory & ~mir::kReadsConstant) != 0) add_memory(inst, node);
    if (writes_reserved || (mir::has_flag(inst.opcode, isa::kSideEffects) && !concerns_only_memory(inst))) {
      add_barrier(node);
    }
  }
  for (InstId id : insts) {
    for (const Operand& def : function.defs(id)) {
      if (def.is_vreg()) def_node[def.value] = kNone;
    }
  }
  finish(count);
}

/// Barriers of workgroups, waits and invalidations of caches: for them it is enough that accesses stay on their side,
/// and those to memory that nobody writes need not.
bool Dependences::concerns_only_memory(const mir::Inst& inst) {
  return (inst.memory & ~mir::kReadsConstant) != 0;
}

/// Those through values and through physical registers. Whether the instruction writes a register that allocation keeps
/// out of its hands, such as the scratch descriptor: spills that are not there yet will read it.
bool Dependences::add_registers(const mir::Function& function, InstId inst, uint32_t node, Vector<uint32_t>& def_node) {
  for (const Operand& use : function.uses(inst)) {
    if (use.is_vreg()) {
      const uint32_t def = def_node[use.value];
      if (def != kNone) add(def, node, cost_[def].latency);
    } else if (use.kind == Operand::Kind::reg) {
      read(resource_of(use.reg), node);
    }
  }
  bool reserved = false;
  for (const Operand& def : function.defs(inst)) {
    if (def.is_vreg()) {
      def_node[def.value] = node;
    } else if (def.kind == Operand::Kind::reg) {
      write(resource_of(def.reg), node);
      reserved |= def.reg.is_sgpr();
    }
  }
  return reserved;
}

Dependences::Resource& Dependences::resource_of(isa::Reg reg) {
  if (reg == isa::kScc) return scc_;
  if (reg == isa::kExec || reg == isa::kExecHi) return exec_;
  if (reg == isa::kM0) return m0_;
  return reg.is_vcc() ? vcc_ : other_;
}

void Dependences::read(Resource& resource, uint32_t node) {
  if (resource.writer != kNone) add(resource.writer, node, cost_[resource.writer].latency);
  resource.readers.push_back(node);
}

void Dependences::write(Resource& resource, uint32_t node) {
  if (resource.writer != kNone) add(resource.writer, node, 1);
  for (uint32_t reader : resource.readers) {
    if (reader != node) add(reader, node, 1);
  }
  resource.readers.clear();
  resource.writer = node;
}

void Dependences::add_memory(const mir::Inst& inst, uint32_t node) {
  constexpr uint8_t kReads[3] = {mir::kReadsBuffer, mir::kReadsShared, mir::kReadsScratch};
  constexpr uint8_t kWrites[3] = {mir::kWritesBuffer, mir::kWritesShared, mir::kWritesScratch};
  if (memory_fence_ != kNone) add(memory_fence_, node, 1);
  for (unsigned i = 0; i < 3; ++i) {
    // Memory keeps program order by itself; the edges only keep the instructions in order.
    if ((inst.memory & kWrites[i]) != 0) {
      write(memory_[i], node);
    } else if ((inst.memory & kReads[i]) != 0) {
      if (memory_[i].writer != kNone) add(memory_[i].writer, node, 1);
      memory_[i].readers.push_back(node);
    }
  }
  if ((inst.memory & mir::kOrdersMemory) != 0) {
    const bool waits = inst.opcode == mir::Opcode::p_wait && inst.simm16 != 0;
    for (uint32_t access : memory_accesses_) add(access, node, waits ? cost_[access].latency : 1);
    memory_accesses_.clear();
    memory_fence_ = node;
  }
  memory_accesses_.push_back(node);
}

/// The node stays where it is relative to everything: waits, barriers, mode changes, the prolog.
void Dependences::add_barrier(uint32_t node) {
  for (uint32_t before = barrier_ == kNone ? 0 : barrier_; before < node; ++before) add(before, node, 1);
  barrier_ = node;
}

void Dependences::finish(uint32_t count) {
  begin_.assign(count + 1, 0);
  predecessors_.assign(count, 0);
  for (const RawEdge& edge : raw_) ++begin_[edge.from + 1];
  for (uint32_t i = 0; i < count; ++i) begin_[i + 1] += begin_[i];
  edges_.resize(raw_.size());
  Vector<uint32_t> next(std::span<const uint32_t>(begin_.data(), count), &scratch_);
  for (const RawEdge& edge : raw_) {
    edges_[next[edge.from]++] = {edge.to, edge.latency};
    ++predecessors_[edge.to];
  }
}

}  // namespace spalt::sched
