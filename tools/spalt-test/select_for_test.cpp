// SPDX-License-Identifier: MIT
#include "select_for_test.h"

#include "amdgpu/abi/compute_interface.h"
#include "amdgpu/select/select.h"
#include "analysis/divergence.h"
#include "ir/parser.h"
#include "ir/verifier.h"

namespace spalt::golden {

Result<SelectedForTest> select_for_test(const TestFile& file, const TargetWords& words, CompileContext& context) {
  Result<ir::Module> module = ir::parse(file.input);
  if (!module) return module.error();
  select::ScratchSource scratch{isa::sgpr(0), abi::kComputeScratchSlotOffset, isa::sgpr(15)};
  if (module->stage == ir::Stage::core) {
    const Result<abi::StageInterface> lowered = lower_for_test(*module, context, words);
    if (!lowered) return lowered.error();
    scratch.wave_offset = lowered->field(abi::EntryRole::scratch_wave_offset).reg;
  }
  if (const Result<void> verdict = ir::verify(*module); !verdict) return test_error(verdict.error().message);
  const ir::Function& entry = module->functions[0];
  analysis::AnalysisCache analyses(entry, &context.arena);
  const analysis::Divergence divergence = analysis::analyze_divergence(entry, *module, analyses, context);
  select::SelectConfig config;
  config.wave_size = words.wave_size;
  config.enable_scratch = words.scratch;
  config.scratch = scratch;
  Result<mir::Function> selected =
      select::select_function(*module, divergence, analyses.loops(), *words.target, config, context);
  if (!selected) return selected.error();
  std::vector<bool> divergent(entry.value_capacity());
  for (uint32_t i = 0; i < divergent.size(); ++i) divergent[i] = divergence.divergent(ir::Value(i));
  return SelectedForTest{std::move(*module), std::move(divergent), std::move(*selected)};
}

}  // namespace spalt::golden
