// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <spalt/spalt.hpp>
#include <span>
#include <string>
#include <vector>

#include "replay/results.h"
#include "replay/state.h"
#include "replay/user_data_rule.h"

namespace spalt_tool::replay {

/// One pipeline with all that its code depends on. Refers to memory of the caller.
struct PipelineInput {
  const PipelineState& state;
  /// What each stage sees. Null: the places that the compiler gives by itself.
  std::array<const UserDataLayout*, 2> layouts;
  const ApplicationState& application;
  std::array<std::span<const uint32_t>, 2> words;  ///< of the stages' modules
  const std::vector<uint32_t>& color_formats;      ///< of graphics, by location
};

/// Compiles pipelines for one target. Any number of threads may use one.
class PipelineCompiler {
 public:
  /// Fails when the target is not one, or does not take the settings.
  bool create(const Settings& settings, const RunOptions& options, std::string& error);

  /// Fills in all of `result` but what names the pipeline. `cancel`, as in spalt_compile_info, ends it with
  /// Cause::time. `elf` gets the ELF when it is not null.
  void compile(const PipelineInput& input, const uint32_t* cancel, PipelineResult& result, std::string* elf) const;
  uint32_t max_user_data_entries() const { return target_.max_user_data_entries; }

 private:
  bool choose_wave_size(const StageState& stage, spalt_compile_info& info, Problem& problem) const;
  void set_robustness(const PipelineInput& input, const StageState& stage, spalt_compile_info& info) const;
  void compile_compute(const spalt_compile_info& info, PipelineResult& result, std::string* elf) const;
  /// `infos` has the stages from the last to the first.
  void compile_graphics(std::span<spalt_compile_info> infos, PipelineResult& result, std::string* elf) const;

  spalt_api::detail::Owned<spalt_compiler, spalt_compiler_destroy> compiler_;
  spalt_target_info target_{};
  Settings settings_;
  uint32_t repeat_ = 1;
  bool verify_ = false;
};

}  // namespace spalt_tool::replay
