// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "replay/object_table.h"
#include "replay/user_data_rule.h"

namespace spalt_tool::replay {

/// The pipeline layouts that pipelines of a run refer to, with their set layouts and samplers, each read once.
class Layouts {
 public:
  /// `hashes` in any order, with repetitions. Works on `jobs` threads.
  void load(const Database& database, std::vector<uint64_t> hashes, unsigned jobs);
  /// Lays out one that was loaded, and not 0; takes time in proportion to its bindings. Threads may call it at once.
  bool lay_out(uint64_t hash, uint32_t max_entries, UserDataLayout& result, Problem& problem) const;

 private:
  bool resolve(const PipelineLayoutState& state, ResolvedLayout& layout, Problem& problem) const;
  void find_sampler_problems();

  ObjectTable<PipelineLayoutState> layouts_;
  ObjectTable<SetLayoutState> sets_;
  ObjectTable<SamplerState> samplers_;
  std::vector<Problem> sampler_problems_;  ///< of each set: of its immutable samplers
};

}  // namespace spalt_tool::replay
