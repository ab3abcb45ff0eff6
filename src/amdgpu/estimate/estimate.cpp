// SPDX-License-Identifier: MIT
//
// Blocks are timed in reverse postorder, each with what is under way at the ends of the blocks before it. A second walk
// gives the headers of loops what is under way where the loop goes round, so that a block in a loop has the time of its
// second and later executions. Two linear walks, and the sizes of what is under way, which the counters bound.
#include "amdgpu/estimate/estimate.h"

#include <algorithm>

#include "amdgpu/estimate/trip_counts.h"

namespace spalt::estimate {
namespace {

using isa::Unit;

class Estimator {
 public:
  Estimator(const Code& code, bool count_loops)
      : code_(code),
        loops_(find_loops(code)),
        trip_counts_(count_loops ? find_trip_counts(code, loops_) : std::vector<uint32_t>(loops_.loops.size(), 0)),
        weights_(find_weights(code, loops_, trip_counts_)),
        timer_(code) {}

  Estimate run(isa::WaveResources resources) {
    result_.blocks.resize(code_.blocks.size());
    result_.issues.resize(code_.insts.size());
    at_end_.resize(code_.blocks.size());
    for (bool second : {false, true}) {
      for (uint32_t b : loops_.order) time_block(b, second);
    }
    result_.loops = static_cast<uint32_t>(loops_.loops.size());
    for (uint32_t count : trip_counts_) result_.counted_loops += count != 0;
    result_.pressure = find_pressure(code_, loops_);
    count_registers(resources);
    sum(resources);
    return std::move(result_);
  }

 private:
  void time_block(uint32_t b, bool second) {
    UnderWay under_way;
    const uint32_t loop = loops_.loop_of[b];
    const bool goes_round = second && loop != kNoLoop && loops_.loops[loop].header == b;
    loops_.for_each_predecessor(b, [&](uint32_t p) {
      if (loops_.is_back_edge(p, b) == goes_round) under_way.join(at_end_[p]);
    });
    BlockEstimate& block = result_.blocks[b];
    block.once = timer_.run(code_.blocks[b], under_way, &result_.issues);
    at_end_[b] = std::move(under_way);
    block.times = weights_.times[b];
    block.times_taken = weights_.times_taken[b];
    block.loop_depth = loop != kNoLoop ? loops_.loops[loop].depth : 0;
  }

  void count_registers(const isa::WaveResources& resources) {
    unsigned vgprs = 0, sgprs = 0;
    const auto count = [&](const isa::Operand& operand) {
      if (!operand.is_reg()) return;
      const unsigned end = operand.reg.number + operand.dwords;
      if (operand.reg.is_vgpr()) vgprs = std::max(vgprs, end - isa::Reg::kVgprBegin);
      if (operand.reg.is_sgpr()) sgprs = std::max(sgprs, end);
    };
    for (const isa::Inst& inst : code_.insts) {
      for (const isa::Operand& operand : inst.dst) count(operand);
      for (const isa::Operand& operand : inst.src) count(operand);
      for (unsigned i = 0; i < inst.nsa.count; ++i) count(isa::Operand::of(isa::vgpr(inst.nsa.vgprs[i])));
    }
    result_.vgprs = resources.vgprs != 0 ? resources.vgprs : vgprs;
    result_.sgprs = resources.sgprs != 0 ? resources.sgprs : sgprs;
  }

  void sum(isa::WaveResources resources) {
    for (size_t b = 0; b < result_.blocks.size(); ++b) {
      const BlockEstimate& block = result_.blocks[b];
      result_.instructions += block.times * code_.blocks[b].count;
      result_.issuing += block.times * block.once.issuing;
      result_.latency += block.times * block.once.cycles + block.times_taken * isa::branch_latency(*code_.target);
      for (unsigned s = 0; s < kStallCount; ++s) result_.stalls[s] += block.times * block.once.stalls[s];
      for (unsigned u = 0; u < isa::kUnitCount; ++u) {
        const unsigned sharing = isa::is_shared(static_cast<Unit>(u)) ? code_.target->simds_per_cu : 1;
        result_.busy[u] += block.times * block.once.busy[u] * sharing;
      }
    }
    resources.wave_size = code_.wave_size;
    resources.vgprs = result_.vgprs;
    resources.sgprs = result_.sgprs;
    result_.waves = isa::waves_per_simd(*code_.target, resources);
    result_.throughput = result_.latency / result_.waves;
    for (unsigned u = 1; u < isa::kUnitCount; ++u) {
      if (result_.busy[u] <= result_.throughput) continue;
      result_.throughput = result_.busy[u];
      result_.bound = static_cast<Unit>(u);
    }
  }

  const Code& code_;
  const Loops loops_;
  const std::vector<uint32_t> trip_counts_;
  const Weights weights_;
  WaveTimer timer_;
  Estimate result_;
  std::vector<UnderWay> at_end_;
};

}  // namespace

Estimate estimate(const Code& code, isa::WaveResources resources, bool count_loops) {
  return Estimator(code, count_loops).run(resources);
}

}  // namespace spalt::estimate
