// SPDX-License-Identifier: MIT
// Divergence analysis against a wave that walks the blocks in layout order with lane masks (notes on lane masks: lanes
// that jump wait in the mask of their target until the wave gets there). Whatever the analysis calls uniform must be
// the same in all lanes that run together.
#include <gtest/gtest.h>

#include <cstdlib>

#include "analysis/divergence.h"
#include "analysis/loops.h"
#include "ir/evaluate.h"
#include "ir/printer.h"
#include "random_function.h"
#include "run_pass.h"

namespace spalt {
namespace {

using ir::BlockId;
using ir::Op;
using ir::Value;

constexpr unsigned kLanes = 8;
constexpr unsigned kScratchWords = 64;

class Wave {
 public:
  Wave(const ir::Module& module, const analysis::Divergence& divergence)
      : f_(module.functions[0]),
        divergence_(divergence),
        loops_(f_),
        values_(f_.value_capacity() * kLanes),
        pending_(f_.block_capacity(), 0) {}

  /// Empty if all is well.
  std::string run() {
    const auto& layout = f_.layout();
    pending_[f_.entry()] = (1u << kLanes) - 1;
    uint32_t steps = 0;
    for (uint32_t position = 0; position < layout.size();) {
      const BlockId block = layout[position];
      const uint32_t lanes = std::exchange(pending_[block], 0);
      if (lanes != 0) execute(block, lanes);
      if (!error_.empty()) return error_;
      if (++steps > 200'000) return "too many steps";
      position = next(position);
    }
    return error_;
  }
  unsigned uniform_checks() const { return uniform_checks_; }

 private:
  uint32_t next(uint32_t position) {
    for (uint32_t loop = loops_.loop_of(f_.layout()[position]); loop != analysis::kNoLoop; loop = loops_[loop].parent) {
      if (loops_[loop].last != position) break;
      if (pending_[loops_[loop].header] != 0) return loops_[loop].first;
    }
    return position + 1;
  }

  uint64_t& at(Value value, unsigned lane) { return values_[value.index * kLanes + lane]; }
  uint64_t read(Value value, unsigned lane) { return f_.is_constant(value) ? f_.inst(value).imm : at(value, lane); }

  void expect_equal(Value value, uint32_t lanes, BlockId block, const char* what) {
    ++uniform_checks_;
    const unsigned first = static_cast<unsigned>(std::countr_zero(lanes));
    for (unsigned lane = first; lane < kLanes; ++lane) {
      if ((lanes >> lane & 1) != 0 && read(value, lane) != read(value, first)) {
        error_ =
            std::string(what) + " in block " + std::to_string(loops_.position(block)) + ": " + ir::print(f_, value);
      }
    }
  }

  void execute(BlockId block, uint32_t lanes) {
    phis(block, lanes);
    for (Value value : ir::insts(f_, block)) {
      const ir::Inst& inst = f_.inst(value);
      if (inst.op == Op::phi) {
        if (!divergence_.divergent(value)) expect_equal(value, lanes, block, "phi");
        continue;
      }
      for (Value operand : f_.operands(value)) {
        if (!divergence_.divergent_at(f_, operand, block)) expect_equal(operand, lanes, block, "use");
      }
      if (ir::is_terminator(inst.op)) return leave(block, lanes);
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        if ((lanes >> lane & 1) != 0) compute(value, lane);
      }
      if (!inst.type.is_none() && !divergence_.divergent(value)) expect_equal(value, lanes, block, "result");
    }
  }

  void phis(BlockId block, uint32_t lanes) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if ((lanes >> lane & 1) == 0) continue;
      const auto& preds = f_.block(block).preds;
      const size_t index = static_cast<size_t>(std::find(preds.begin(), preds.end(), came_from_[lane]) - preds.begin());
      std::vector<std::pair<Value, uint64_t>> results;
      for (Value phi : ir::insts(f_, block)) {
        if (f_.inst(phi).op != Op::phi) break;
        results.emplace_back(phi, read(f_.operand(phi, static_cast<unsigned>(index)), lane));
      }
      for (const auto& [phi, bits] : results) at(phi, lane) = bits;
    }
  }

  void compute(Value value, unsigned lane) {
    const ir::Inst& inst = f_.inst(value);
    if (inst.op == Op::builtin) {
      const bool id = (inst.imm & 0xff) == static_cast<uint64_t>(ir::BuiltIn::subgroup_invocation_id);
      at(value, lane) = id ? lane : 3 + (inst.imm & 0xff);
    } else if (inst.op == Op::load || inst.op == Op::store) {
      const uint64_t address = read(f_.operand(value, 0), lane) + f_.access(value).offset;
      uint64_t& word = scratch_[lane][address / 4 % kScratchWords];
      if (inst.op == Op::load) {
        at(value, lane) = word;
      } else {
        word = read(f_.operand(value, 1), lane);
      }
    } else {
      std::vector<ir::Type> types;
      std::vector<uint64_t> operands;
      for (Value operand : f_.operands(value)) {
        types.push_back(f_.type(operand));
        operands.push_back(read(operand, lane));
      }
      at(value, lane) = ir::evaluate(inst.op, inst.type, types, operands).value_or(0);
    }
  }

  void leave(BlockId block, uint32_t lanes) {
    const auto& info = f_.block(block);
    BlockId common;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if ((lanes >> lane & 1) == 0 || info.succs.empty()) continue;
      size_t taken = 0;
      if (f_.inst(info.last).op != Op::branch) {
        const uint64_t selector = read(f_.operand(info.last, 0), lane);
        const auto match = std::find(info.cases.begin(), info.cases.end(), selector);
        if (f_.inst(info.last).op == Op::branch_if) {
          taken = selector != 0 ? 0 : 1;
        } else if (match != info.cases.end()) {
          taken = static_cast<size_t>(match - info.cases.begin()) + 1;
        }
      }
      const BlockId target = info.succs[taken];
      if (common.valid() && common != target && !divergence_.divergent_branch(block)) {
        error_ = "lanes separate in block " + std::to_string(loops_.position(block));
      }
      common = target;
      came_from_[lane] = block;
      pending_[target] |= 1u << lane;
    }
  }

  const ir::Function& f_;
  const analysis::Divergence& divergence_;
  analysis::Loops loops_;
  std::vector<uint64_t> values_;
  IdMap<BlockId, uint32_t> pending_;
  BlockId came_from_[kLanes];
  uint64_t scratch_[kLanes][kScratchWords] = {};
  std::string error_;
  unsigned uniform_checks_ = 0;
};

void check(const ir::Module& module, uint64_t seed, const char* when, unsigned& uniform) {
  CompileContext context;
  analysis::AnalysisCache analyses(module.functions[0]);
  const analysis::Divergence divergence = analysis::analyze_divergence(module.functions[0], module, analyses, context);
  Wave wave(module, divergence);
  const std::string error = wave.run();
  uniform += wave.uniform_checks();
  ASSERT_TRUE(error.empty()) << "seed " << seed << ", " << when << ": " << error << "\n" << ir::print(module);
}

TEST(RandomDivergence, UniformValuesAreEqualInAllLanesThatRunTogether) {
  const char* text = std::getenv("SPALT_RANDOM_SEEDS");
  const uint64_t seeds = text != nullptr ? std::strtoull(text, nullptr, 10) : 300;
  unsigned uniform = 0, after_exit = 0;
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    test::RandomFunctionOptions options;
    options.statements = 10 + static_cast<unsigned>(seed % 7) * 8;
    options.lane_values = true;
    ir::Module module = test::random_module(seed, options);
    ASSERT_NO_FATAL_FAILURE(check(module, seed, "as generated", uniform));
    for (std::string_view name : {"promote_scratch", "simplify", "eliminate_dead_code"}) test::run_pass(name, module);
    ASSERT_NO_FATAL_FAILURE(check(module, seed, "in SSA form", uniform));
    for (std::string_view name : {"lower_switch", "split_critical_edges"}) test::run_pass(name, module);
    ASSERT_NO_FATAL_FAILURE(check(module, seed, "without switches", uniform));
    test::run_pass("close_loops", module);
    ASSERT_NO_FATAL_FAILURE(check(module, seed, "with closed loops", uniform));
    // Closed means that only phis read values of a loop that lanes leave one by one.
    const ir::Function& f = module.functions[0];
    CompileContext context;
    analysis::AnalysisCache analyses(f);
    const analysis::Divergence divergence = analysis::analyze_divergence(f, module, analyses, context);
    for (BlockId block : f.layout()) {
      for (Value value : ir::insts(f, block)) {
        if (f.inst(value).op == Op::phi) continue;
        for (Value operand : f.operands(value)) {
          ASSERT_EQ(divergence.divergent_at(f, operand, block), divergence.divergent(operand))
              << "seed " << seed << ": " << ir::print(f, value) << "\n"
              << ir::print(module);
        }
      }
    }
    for (BlockId block : f.layout()) after_exit += divergence.has_divergent_exit(block) ? 1 : 0;
  }
  EXPECT_GT(uniform, seeds * 100);  // an analysis that calls everything divergent would be right, but useless
  EXPECT_GT(after_exit, seeds / 20);
}

}  // namespace
}  // namespace spalt
