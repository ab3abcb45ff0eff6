// SPDX-License-Identifier: MIT
#include "amdgpu/abi/compute_interface.h"
#include "amdgpu/mir/printer.h"
#include "amdgpu/mir/verifier.h"
#include "amdgpu/select/select.h"
#include "analysis/divergence.h"
#include "command.h"
#include "ir/parser.h"
#include "ir/verifier.h"
#include "passes/close_loops.h"
#include "passes/lower_switch.h"
#include "passes/split_critical_edges.h"
#include "target_words.h"

namespace spalt::golden {
namespace {

/// Instruction selection of the entry point. A module of the core stage is lowered first.
class SelectCommand : public Command {
 public:
  std::string_view name() const override { return "select"; }
  std::string_view summary() const override {
    return "select instructions ([wave32|wave64] [scratch]) and print the machine IR";
  }

  Result<std::optional<std::string>> run(const TestFile& file, std::span<const std::string> args) const override {
    const Result<TargetWords> words = parse_target_words(args);
    if (!words) return words.error();
    Result<ir::Module> module = ir::parse(file.input);
    if (!module) return module.error();
    CompileContext context;
    select::ScratchSource scratch{isa::sgpr(0), abi::kComputeScratchSlotOffset, isa::sgpr(15)};
    if (module->stage == ir::Stage::core) {
      const Result<abi::StageInterface> lowered = lower_for_test(*module, context, *words);
      if (!lowered) return lowered.error();
      scratch.wave_offset = lowered->field(abi::EntryRole::scratch_wave_offset).reg;
    }
#ifdef SPALT_TEST_PASSES
    ir::Function& entry = module->functions[0];
    passes::lower_switch(entry, context);
    passes::split_critical_edges(entry, context);
    analysis::AnalysisCache analyses(entry, &context.arena);
    passes::close_loops(entry, *module, analyses, context);
#endif
    if (const Result<void> verdict = ir::verify(*module); !verdict) return test_error(verdict.error().message);
    return select(*module, scratch, *words, context);
  }

 private:
  static Result<std::optional<std::string>> select(const ir::Module& module, const select::ScratchSource& scratch,
                                                   const TargetWords& words, CompileContext& context) {
    analysis::AnalysisCache analyses(module.functions[0], &context.arena);
    const analysis::Divergence divergence =
        analysis::analyze_divergence(module.functions[0], module, analyses, context);
    select::SelectConfig config;
    config.wave_size = words.wave_size;
    config.enable_scratch = words.scratch;
    config.scratch = scratch;
    const Result<mir::Function> selected =
        select::select_function(module, divergence, analyses.loops(), *words.target, config, context);
    if (!selected) return selected.error();
    const std::string text = mir::print(*selected);
    if (const Result<void> verdict = mir::verify(*selected); !verdict) {
      return test_error("after select: " + verdict.error().message + "\n" + text);
    }
    return std::optional(text);
  }
};

}  // namespace

const Command& select_command() {
  static const SelectCommand command;
  return command;
}

}  // namespace spalt::golden
