// SPDX-License-Identifier: MIT
#include "passes/close_loops.h"

#include "passes/loop_closer.h"

namespace spalt::passes {

bool close_loops(ir::Module& module, const CloseLoopsConfig& config, std::optional<analysis::Divergence>* kept) {
  bool changed = false;
  for (ir::Function& function : module.functions) {
    const analysis::Loops loops(function);
    if (loops.empty()) continue;
    std::vector<uint32_t> chosen;
    analysis::Divergence divergence = analysis::analyze_divergence(function, module);
    for (uint32_t loop = loops.size(); loop-- > 0;) {  // inner before outer
      if (!config.only_divergent || divergence.has_divergent_exit(loops[loop].header)) chosen.push_back(loop);
    }
    bool closed = false;
    if (!chosen.empty()) {
      const analysis::Dominance dominance(function);
      LoopCloser closer(function, dominance, loops);
      for (uint32_t loop : chosen) closed |= closer.close(loop);
    }
    changed |= closed;
    if (!closed && kept != nullptr && &function == &module.functions[0]) *kept = std::move(divergence);
  }
  return changed;
}

}  // namespace spalt::passes
