// SPDX-License-Identifier: MIT
//
// In order, one instruction after another: an instruction issues when it is the wave's turn, its operands are there and
// its unit takes it. Results of arithmetic are there after their latency, because the hardware checks them; those of
// memory when a wait for their counter has passed, so each counter is a queue of times. What the timer leaves out, in
// docs/cycles.md: caches, bank conflicts, the fetching of instructions, other waves.
#include "amdgpu/estimate/wave_timer.h"

#include <algorithm>

#include "amdgpu/isa/opcode_tables.h"
#include "amdgpu/isa/simm16.h"
#include "amdgpu/isa/waitcnt.h"

namespace spalt::estimate {
namespace {

using isa::Inst;
using isa::Opcode;
using isa::OpcodeInfo;
using isa::Unit;

/// s_sleep waits for multiples of so many cycles (RDNA 2 ISA guide, S_SLEEP).
constexpr uint32_t kSleepCycles = 64;
/// Values of the fields of s_waitcnt_depctr that do not wait for VGPRs (RDNA 2 ISA guide).
constexpr unsigned kVaVdstShift = 12, kVaVdstMax = 15;

unsigned index_of(Unit unit) {
  return static_cast<unsigned>(unit);
}
unsigned index_of(Counter counter) {
  return static_cast<unsigned>(counter);
}

bool reads_constant_address(const Inst& inst) {
  return !inst.src[1].is_reg() && !inst.src[2].is_reg();
}

/// A scalar load of a descriptor or of a constant: by a 64-bit pointer, or at an address that the code says.
bool is_likely_cached(const Inst& inst) {
  return (inst.src[0].is_reg() && inst.src[0].dwords == 2) || reads_constant_address(inst);
}

/// Dwords that an access moves for each lane.
unsigned data_dwords(const Inst& inst, const OpcodeInfo& info) {
  if (inst.dst[0].is_reg()) return std::max<unsigned>(inst.dst[0].dwords, 1);
  if (!info.has(isa::kMayStore)) return 1;
  // Data is the widest vector source, or as wide as the address.
  unsigned dwords = 1;
  if (info.has(isa::kLds)) {
    for (unsigned i = info.has(isa::kNoAddress) ? 0 : 1; i < info.src_count; ++i) {
      if (inst.src[i].is_reg() && inst.src[i].reg.is_vgpr()) dwords = std::max<unsigned>(dwords, inst.src[i].dwords);
    }
    return dwords;
  }
  // Buffers and images have their data first, flat accesses their address.
  const bool data_is_first = inst.format == isa::Format::mubuf || inst.format == isa::Format::mtbuf ||
                             inst.format == isa::Format::mimg || inst.format == isa::Format::vimage ||
                             inst.format == isa::Format::vsample;
  const isa::Operand& data = inst.src[data_is_first ? 0 : 1];
  return data.is_reg() ? std::max<unsigned>(data.dwords, 1) : 1;
}

isa::Cost cost_of(const Code& code, const Inst& inst, const OpcodeInfo& info) {
  isa::AccessFacts access;
  if (info.has(isa::kSmem)) {
    access.likely_cached = is_likely_cached(inst);
  } else if (info.has(isa::kVmem | isa::kLds)) {
    access.dwords = data_dwords(inst, info);
  }
  return isa::cost_of(*code.target, code.wave_size, inst.opcode, access);
}

/// Cycles in which an instruction that computes nothing keeps the wave.
uint32_t idle_cycles(const Inst& inst, unsigned interval) {
  const auto simm16 = static_cast<uint16_t>(inst.simm16);
  if (inst.opcode == Opcode::s_nop) return (isa::kNopStates.of(simm16) + 1) * interval;
  if (inst.opcode == Opcode::s_sleep) return std::max((simm16 & 0x7f) * kSleepCycles, uint32_t{interval});
  return interval;
}

}  // namespace

void UnderWay::join(const UnderWay& other) {
  // Registers come in ascending order from both.
  std::vector<Result> both;
  size_t a = 0, b = 0;
  while (a < results.size() || b < other.results.size()) {
    if (b == other.results.size() || (a < results.size() && results[a].reg < other.results[b].reg)) {
      both.push_back(results[a++]);
    } else if (a == results.size() || other.results[b].reg < results[a].reg) {
      both.push_back(other.results[b++]);
    } else {
      both.push_back({results[a].reg, std::max(results[a].ready, other.results[b].ready)});
      ++a;
      ++b;
    }
  }
  results = std::move(both);
  for (unsigned c = 0; c < kCounterCount; ++c) {
    // The newest are the same number of operations away from a wait.
    std::vector<uint32_t>& mine = operations[c];
    const std::vector<uint32_t>& theirs = other.operations[c];
    if (mine.size() < theirs.size()) mine.insert(mine.begin(), theirs.size() - mine.size(), 0);
    const size_t skipped = mine.size() - theirs.size();
    for (size_t i = 0; i < theirs.size(); ++i) mine[skipped + i] = std::max(mine[skipped + i], theirs[i]);
  }
  for (unsigned u = 0; u < isa::kUnitCount; ++u) units[u] = std::max(units[u], other.units[u]);
}

WaveTimer::WaveTimer(const Code& code) : code_(code), target_(*code.target) {}

void WaveTimer::begin(const UnderWay& under_way) {
  now_ = 0;
  for (uint16_t reg : touched_) ready_[reg] = 0;
  touched_.clear();
  for (const UnderWay::Result& result : under_way.results) {
    ready_[result.reg] = result.ready;
    touched_.push_back(result.reg);
  }
  for (unsigned c = 0; c < kCounterCount; ++c) {
    operations_[c] = under_way.operations[c];
    complete_[c] = 0;
  }
  unit_free_ = under_way.units;
}

void WaveTimer::end(UnderWay& under_way) const {
  const auto left = [&](uint32_t cycle) { return cycle > now_ ? cycle - now_ : 0; };
  under_way.results.clear();
  std::vector<uint16_t> registers(touched_);
  std::sort(registers.begin(), registers.end());
  registers.erase(std::unique(registers.begin(), registers.end()), registers.end());
  for (uint16_t reg : registers) {
    if (ready_[reg] > now_) under_way.results.push_back({reg, static_cast<uint16_t>(ready_[reg] - now_)});
  }
  for (unsigned c = 0; c < kCounterCount; ++c) {
    under_way.operations[c].clear();
    for (size_t i = complete_[c]; i < operations_[c].size(); ++i) {
      under_way.operations[c].push_back(left(operations_[c][i]));
    }
  }
  for (unsigned u = 0; u < isa::kUnitCount; ++u) under_way.units[u] = left(unit_free_[u]);
}

BlockTime WaveTimer::run(const Block& block, UnderWay& under_way, std::vector<Issue>* issues) {
  begin(under_way);
  BlockTime time;
  for (uint32_t i = block.first; i < block.first + block.count; ++i) {
    Issue issue;
    step(code_.insts[i], time, issue);
    if (issues != nullptr) (*issues)[i] = issue;
  }
  time.cycles = now_;
  end(under_way);
  return time;
}

void WaveTimer::step(const Inst& inst, BlockTime& time, Issue& issue) {
  const OpcodeInfo& info = isa::info(inst.opcode);
  const isa::Cost cost = cost_of(code_, inst, info);
  const uint32_t turn = now_;
  stall_ = Stall::none;
  wait_for_results(inst, info);
  if (inst.opcode_y != Opcode::invalid) wait_for_results(inst, isa::info(inst.opcode_y));
  wait_for_counters(inst);
  const std::optional<Counter> counter = counter_of(inst, info);
  // A full counter holds the wave.
  if (counter) wait(*counter, std::max(limit_of(*counter), 1u) - 1);
  if (cost.unit != Unit::sequencer) delay_until(unit_free_[index_of(cost.unit)], Stall::unit);
  if (cost.transcendental != 0) delay_until(unit_free_[index_of(Unit::transcendental)], Stall::unit);

  issue = {now_, now_ - turn, stall_, cost.unit};
  time.stalls[static_cast<unsigned>(stall_)] += now_ - turn;
  time.busy[index_of(cost.unit)] += cost.busy;
  time.busy[index_of(Unit::transcendental)] += cost.transcendental;
  unit_free_[index_of(cost.unit)] = now_ + cost.busy;
  if (cost.transcendental != 0) unit_free_[index_of(Unit::transcendental)] = now_ + cost.transcendental;
  write_results(inst, info, now_ + cost.latency);
  if (counter) start_operation(*counter, now_ + cost.latency);
  if (inst.format == isa::Format::flat) start_operation(Counter::lds, now_ + cost.latency);
  const uint32_t cycles = idle_cycles(inst, isa::issue_interval(target_));
  time.issuing += cycles;
  now_ += cycles;
}

void WaveTimer::delay_until(uint32_t cycle, Stall why) {
  if (cycle <= now_) return;
  now_ = cycle;
  stall_ = why;
}

void WaveTimer::read(isa::Reg reg, unsigned dwords) {
  const unsigned end = std::min<unsigned>(reg.number + dwords, static_cast<unsigned>(ready_.size()));
  for (unsigned i = reg.number; i < end; ++i) delay_until(ready_[i], Stall::result);
}

void WaveTimer::write(isa::Reg reg, unsigned dwords, uint32_t ready) {
  if (reg == isa::kNull) return;
  const unsigned end = std::min<unsigned>(reg.number + dwords, static_cast<unsigned>(ready_.size()));
  for (unsigned i = reg.number; i < end; ++i) {
    if (ready_[i] == 0) touched_.push_back(static_cast<uint16_t>(i));
    ready_[i] = ready;
  }
}

void WaveTimer::wait_for_results(const Inst& inst, const OpcodeInfo& info) {
  for (const isa::Operand& source : inst.src) {
    if (source.is_reg()) read(source.reg, source.dwords);
  }
  const unsigned mask_dwords = code_.wave_size / 32;
  if (info.has(isa::kDstIsSrc | isa::kSwapsOperands) && inst.dst[0].is_reg()) read(inst.dst[0].reg, inst.dst[0].dwords);
  if (info.has(isa::kReadsScc)) read(isa::kScc, 1);
  if (info.has(isa::kReadsVcc)) read(isa::kVcc, mask_dwords);
  if (info.has(isa::kReadsM0)) read(isa::kM0, 1);
  if (info.has(isa::kReadsExec) || !info.has(isa::kIgnoresExec)) read(isa::kExec, mask_dwords);
  for (unsigned i = 0; i < inst.nsa.count; ++i) read(isa::vgpr(inst.nsa.vgprs[i]), 1);
}

void WaveTimer::write_results(const Inst& inst, const OpcodeInfo& info, uint32_t ready) {
  if (info.has(isa::kVmem | isa::kLds | isa::kSmem)) return;  // waits say when
  for (const isa::Operand& result : inst.dst) {
    if (result.is_reg()) write(result.reg, result.dwords, ready);
  }
  const unsigned mask_dwords = code_.wave_size / 32;
  if (info.has(isa::kSwapsOperands) && inst.src[0].is_reg()) write(inst.src[0].reg, inst.src[0].dwords, ready);
  if (info.has(isa::kWritesScc)) write(isa::kScc, 1, ready);
  if (info.has(isa::kWritesVcc)) write(isa::kVcc, mask_dwords, ready);
  if (info.has(isa::kWritesM0)) write(isa::kM0, 1, ready);
  if (info.has(isa::kWritesExec)) write(isa::kExec, mask_dwords, ready);
}

void WaveTimer::wait(Counter counter, unsigned left) {
  const std::vector<uint32_t>& operations = operations_[index_of(counter)];
  size_t& complete = complete_[index_of(counter)];
  while (operations.size() - complete > left) delay_until(operations[complete++], Stall::memory);
}

void WaveTimer::wait_for_counters(const Inst& inst) {
  const auto simm16 = static_cast<uint16_t>(inst.simm16);
  const auto count = static_cast<unsigned>(simm16 & 0x3f);
  const auto high = static_cast<unsigned>(simm16 >> 8 & 0x3f);
  switch (inst.opcode) {
    case Opcode::s_waitcnt: {
      const isa::WaitCounts counts = isa::decode_waitcnt(target_, simm16);
      if (counts.vm < target_.vmcnt_max) wait(Counter::load, counts.vm);
      if (counts.lgkm < target_.lgkmcnt_max) wait(Counter::lds, counts.lgkm);
      if (counts.exp < target_.expcnt_max) wait(Counter::exports, counts.exp);
      return;
    }
    case Opcode::s_waitcnt_vscnt:
    case Opcode::s_wait_storecnt:
      return wait(Counter::store, count);
    case Opcode::s_waitcnt_vmcnt:
    case Opcode::s_wait_loadcnt:
      return wait(Counter::load, count);
    case Opcode::s_waitcnt_lgkmcnt:
    case Opcode::s_wait_dscnt:
      return wait(Counter::lds, count);
    case Opcode::s_waitcnt_expcnt:
    case Opcode::s_wait_expcnt:
      return wait(Counter::exports, count);
    case Opcode::s_wait_samplecnt:
      return wait(Counter::sample, count);
    case Opcode::s_wait_bvhcnt:
      return wait(Counter::bvh, count);
    case Opcode::s_wait_kmcnt:
      return wait(Counter::scalar, count);
    case Opcode::s_wait_loadcnt_dscnt:
      wait(Counter::load, high);
      return wait(Counter::lds, count);
    case Opcode::s_wait_storecnt_dscnt:
      wait(Counter::store, high);
      return wait(Counter::lds, count);
    case Opcode::s_waitcnt_depctr:
      if (static_cast<unsigned>(simm16 >> kVaVdstShift) < kVaVdstMax) {
        for (uint16_t reg : touched_) delay_until(ready_[reg], Stall::result);
      }
      return;
    case Opcode::s_wait_idle:
    case Opcode::s_endpgm:  // the wave keeps its place until its stores are done
      for (unsigned c = 0; c < kCounterCount; ++c) wait(static_cast<Counter>(c), 0);
      return;
    default:
      if (inst.format == isa::Format::vinterp) wait(Counter::exports, inst.mods.wait_exp);
      return;
  }
}

std::optional<Counter> WaveTimer::counter_of(const Inst& inst, const OpcodeInfo& info) const {
  const Counter scalar = target_.has_kmcnt ? Counter::scalar : Counter::lds;
  if (inst.opcode == Opcode::exp || inst.opcode == Opcode::lds_param_load || inst.opcode == Opcode::lds_direct_load) {
    return Counter::exports;
  }
  if (inst.opcode == Opcode::s_sendmsg_rtn_b32 || inst.opcode == Opcode::s_sendmsg_rtn_b64) return scalar;
  if (info.has(isa::kLds)) return Counter::lds;
  if (!info.has(isa::kMayLoad | isa::kMayStore) && !inst.dst[0].is_reg())
    return std::nullopt;  // of caches, or no access
  if (info.has(isa::kSmem)) return scalar;
  if (!info.has(isa::kVmem)) return std::nullopt;
  if (!inst.dst[0].is_reg()) return target_.has_vscnt ? Counter::store : Counter::load;
  if (target_.has_samplecnt && (info.image_args & isa::kImageRay) != 0) return Counter::bvh;
  return target_.has_samplecnt && inst.format == isa::Format::vsample ? Counter::sample : Counter::load;
}

unsigned WaveTimer::limit_of(Counter counter) const {
  switch (counter) {
    case Counter::load:
      return target_.vmcnt_max;
    case Counter::store:
      return target_.vscnt_max;
    case Counter::lds:
      return target_.lgkmcnt_max;
    case Counter::scalar:
      return target_.kmcnt_max;
    case Counter::sample:
    case Counter::bvh:
      return target_.samplecnt_max;
    case Counter::exports:
      return target_.expcnt_max;
  }
  return 0;
}

void WaveTimer::start_operation(Counter counter, uint32_t complete) {
  std::vector<uint32_t>& operations = operations_[index_of(counter)];
  if (!operations.empty()) complete = std::max(complete, operations.back());
  operations.push_back(complete);
}

}  // namespace spalt::estimate
