// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include "replay/object_table.h"
#include "replay/user_data_rule.h"

namespace spalt_tool::replay {

/// The pipeline layouts that pipelines of a run refer to, each resolved and laid out once.
class Layouts {
 public:
  struct Entry {
    UserDataLayout user_data;
    Problem problem;
  };
  /// `hashes` in any order, with repetitions. Works on `jobs` threads.
  void load(const Database& database, std::vector<uint64_t> hashes, uint32_t max_entries, unsigned jobs);
  /// One that was loaded, and not 0.
  const Entry& find(uint64_t hash) const { return entries_[layouts_.index_of(hash)]; }

 private:
  bool resolve(const PipelineLayoutState& state, ResolvedLayout& layout, Problem& problem) const;
  bool check_samplers(const SetLayoutState& set, Problem& problem) const;

  ObjectTable<PipelineLayoutState> layouts_;
  ObjectTable<SetLayoutState> sets_;
  ObjectTable<SamplerState> samplers_;
  std::vector<Entry> entries_;
};

}  // namespace spalt_tool::replay
