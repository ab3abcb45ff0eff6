// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <vector>

#include "amdgpu/abi/stage_interface.h"
#include "amdgpu/encode/encode.h"
#include "amdgpu/exec/lower_control_flow.h"
#include "amdgpu/regalloc/allocate.h"
#include "analysis/divergence.h"
#include "driver/pass_runner.h"

namespace spalt::driver {

/// The machine part: from lowered IR to encoded instructions.
///
/// Three things are known only late, although the code before would have to be another: whether values spill to scratch
/// memory, whether a branch is too far for its field, and whether values must move on a critical edge whose block was
/// folded away. Each is rare. So the passes assume that it is not so, say when it is, and an attempt starts again from
/// selection with that assumption dropped. Each retry drops one that stays dropped, or adds blocks that stay, up to a
/// bound after which all blocks stay, so there are few.
class BackEnd {
 public:
  BackEnd(const ir::Module& module, const abi::StageInterface& interface, const analysis::Divergence& divergence,
          const Options& options, PassRunner& run)
      : module_(module),
        interface_(interface),
        divergence_(divergence),
        options_(options),
        runner_(run),
        program_(&run.context.arena) {}

  /// False: the compilation ends here.
  bool run();

  const mir::Function& function() const { return *function_; }
  const encode::Program& program() const { return program_; }

 private:
  /// How an attempt ended.
  enum class Outcome : uint8_t {
    done,
    ended,  ///< stopped or failed; the runner knows
    needs_scratch_prolog,
    needs_far_jumps,
    needs_edge_blocks
  };

  Outcome attempt();
  bool select();
  bool combine();
  bool schedule_masked();
  Outcome allocate();
  bool expand();
  Outcome encode();
  bool keep_more_edges();

  template <class Step>
  bool pass(Pass name, Step&& step) {
    return runner_.run(name, *function_, [&] { return step(*function_, runner_.context); });
  }

  const ir::Module& module_;
  const abi::StageInterface& interface_;
  const analysis::Divergence& divergence_;  ///< of the module's function
  const Options& options_;
  PassRunner& runner_;
  std::optional<mir::Function> function_;
  encode::Program program_;

  // What retries have learned.
  bool scratch_prolog_ = false;                  ///< although the module has no variables in scratch
  bool far_jumps_ = false;                       ///< reserve the registers that a far jump needs
  std::vector<mir::LogicalEdge> kept_edges_;     ///< critical edges that keep a block
  std::vector<mir::LogicalEdge> crowded_edges_;  ///< those that the last allocation missed
  unsigned edge_rounds_ = 0;
};

}  // namespace spalt::driver
