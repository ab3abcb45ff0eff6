// SPDX-License-Identifier: MIT
//
// Weights flow along the edges in reverse postorder. The header of a loop multiplies what enters it by the number of
// iterations. Inside of a loop, the edges that leave it take nothing from those that stay, so that all weights there
// are per iteration; together they carry out what came in.
#include "amdgpu/estimate/weights.h"

#include <algorithm>

namespace spalt::estimate {
namespace {

using isa::Opcode;

/// Shares of two ways out of a block: one side of a branch on a condition that all lanes share is as likely as the
/// other, and a wave has a lane for either side of a divergent branch in three of four cases.
constexpr double kUniform = 0.5, kSomeLane = 0.75;

/// Likelihood that the branch at the end of a block is taken.
double likelihood(Opcode branch) {
  if (branch == Opcode::s_cbranch_execz) return 1 - kSomeLane;
  return branch == Opcode::s_cbranch_execnz ? kSomeLane : kUniform;
}

class WeightFinder {
 public:
  WeightFinder(const Code& code, const Loops& loops, const std::vector<uint32_t>& trip_counts)
      : code_(code), loops_(loops), trip_counts_(trip_counts) {}

  Weights run() {
    result_.times.assign(code_.blocks.size(), 0);
    result_.times_taken.assign(code_.blocks.size(), 0);
    count_exits();
    flow();
    return std::move(result_);
  }

 private:
  void count_exits() {
    exits_.assign(loops_.loops.size(), 0);
    for (uint32_t b : loops_.order) {
      code_.blocks[b].for_each_successor([&](uint32_t s) {
        const uint32_t left = loops_.left_by(b, s);
        if (left != kNoLoop) ++exits_[left];
      });
    }
  }

  void flow() {
    std::vector<double> entering(loops_.loops.size(), 0);
    result_.times[0] = 1;
    for (uint32_t b : loops_.order) {
      double times = result_.times[b];
      const uint32_t loop = loops_.loop_of[b];
      if (loop != kNoLoop && loops_.loops[loop].header == b) {
        entering[loop] = times;
        times *= trip_counts_[loop] != 0 ? trip_counts_[loop] : kAssumedIterations;
        result_.times[b] = times;
      }
      leave(b, times, entering);
    }
  }

  /// Hands on what flows out of a block.
  void leave(uint32_t b, double times, const std::vector<double>& entering) {
    const Block& block = code_.blocks[b];
    const auto leaving = [&](uint32_t to) {
      const uint32_t left = to != kNoBlock ? loops_.left_by(b, to) : kNoLoop;
      return left != kNoLoop ? entering[left] / exits_[left] : -1;  // -1: the edge stays
    };
    double falls = leaving(block.next), jumps = leaving(block.target);
    if (block.target == kNoBlock) {
      if (falls < 0) falls = times;
    } else if (block.next == kNoBlock) {
      if (jumps < 0) jumps = times;
    } else if (falls < 0 && jumps < 0) {
      jumps = times * likelihood(code_.insts[block.first + block.count - 1].opcode);
      falls = times - jumps;
    } else if (falls < 0) {
      falls = std::max(times - jumps, 0.0);
    } else if (jumps < 0) {
      jumps = std::max(times - falls, 0.0);
    }
    if (block.next != kNoBlock && !loops_.is_back_edge(b, block.next)) result_.times[block.next] += falls;
    if (block.target == kNoBlock) return;
    result_.times_taken[b] = jumps;
    if (!loops_.is_back_edge(b, block.target)) result_.times[block.target] += jumps;
  }

  const Code& code_;
  const Loops& loops_;
  const std::vector<uint32_t>& trip_counts_;
  Weights result_;
  std::vector<double> exits_;
};

}  // namespace

Weights find_weights(const Code& code, const Loops& loops, const std::vector<uint32_t>& trip_counts) {
  return WeightFinder(code, loops, trip_counts).run();
}

}  // namespace spalt::estimate
