// SPDX-License-Identifier: MIT
#include "passes/close_loops.h"

#include "passes/loop_closer.h"

namespace spalt::passes {

bool close_loops(ir::Function& function, const ir::Module& module, analysis::AnalysisCache& analyses,
                 CompileContext& context, const CloseLoopsConfig& config, std::optional<analysis::Divergence>* kept) {
  const analysis::Loops& loops = analyses.loops();
  if (loops.empty()) return false;
  const ArenaScope scope(context.scratch);
  analysis::Divergence divergence = analysis::analyze_divergence(function, module, analyses, context);
  Vector<uint32_t> chosen(context.scratch);
  for (uint32_t loop = loops.size(); loop-- > 0;) {  // inner before outer
    if (!config.only_divergent || divergence.has_divergent_exit(loops[loop].header)) chosen.push_back(loop);
  }
  bool closed = false;
  if (!chosen.empty()) {
    LoopCloser closer(function, analyses.dominance(), loops, context.scratch);
    for (uint32_t loop : chosen) closed |= closer.close(loop);
  }
  if (!closed && kept != nullptr) kept->emplace(std::move(divergence));
  return closed;
}

}  // namespace spalt::passes
