// SPDX-License-Identifier: MIT
#include "replay/layouts.h"

#include <string>
#include <utility>

#include "replay/read_state.h"

namespace spalt_tool::replay {
namespace {

/// Far above what devices have, and low enough that an archive made to harm takes no gigabytes.
constexpr size_t kMaxSets = 256;
constexpr size_t kMaxBindings = size_t{1} << 16;

std::vector<uint64_t> sets_of(const ObjectTable<PipelineLayoutState>& layouts) {
  std::vector<uint64_t> hashes;
  for (const auto& layout : layouts.entries()) {
    hashes.insert(hashes.end(), layout.state.sets.begin(), layout.state.sets.end());
  }
  return hashes;
}

std::vector<uint64_t> samplers_of(const ObjectTable<SetLayoutState>& sets) {
  std::vector<uint64_t> hashes;
  for (const auto& set : sets.entries()) {
    for (const SetBindingState& binding : set.state.bindings) {
      hashes.insert(hashes.end(), binding.immutable_samplers.begin(), binding.immutable_samplers.end());
    }
  }
  return hashes;
}

}  // namespace

bool Layouts::check_samplers(const SetLayoutState& set, Problem& problem) const {
  for (const SetBindingState& binding : set.bindings) {
    for (const uint64_t hash : binding.immutable_samplers) {
      if (hash == 0 || samplers_.find(hash).problem.cause == Cause::none) continue;
      problem = samplers_.find(hash).problem;
      return false;
    }
  }
  return true;
}

bool Layouts::resolve(const PipelineLayoutState& state, ResolvedLayout& layout, Problem& problem) const {
  if (state.sets.size() > kMaxSets) {
    return fail(problem, Cause::unsupported, "the pipeline layout has more than 256 sets");
  }
  layout.push_constant_bytes = state.push_constant_bytes;
  size_t bindings = 0;
  for (const uint64_t hash : state.sets) {
    // A set that no stage uses may be null.
    SetLayoutState& set = layout.sets.emplace_back();
    if (hash == 0) continue;
    const auto& entry = sets_.find(hash);
    problem = entry.problem;
    if (problem.cause != Cause::none || !check_samplers(entry.state, problem)) return false;
    bindings += entry.state.bindings.size();
    if (bindings > kMaxBindings) {
      return fail(problem, Cause::unsupported, "the pipeline layout has more than 65536 bindings");
    }
    set = entry.state;
  }
  return true;
}

void Layouts::load(const Database& database, std::vector<uint64_t> hashes, uint32_t max_entries, unsigned jobs) {
  layouts_.load(database, Tag::pipeline_layout, std::move(hashes), read_pipeline_layout, jobs);
  sets_.load(database, Tag::set_layout, sets_of(layouts_), read_set_layout, jobs);
  samplers_.load(database, Tag::sampler, samplers_of(sets_), read_sampler, jobs);
  entries_.clear();
  entries_.resize(layouts_.hashes().size());
  run_parallel(entries_.size(), jobs, [&](unsigned, size_t index) {
    Entry& entry = entries_[index];
    entry.problem = layouts_.entries()[index].problem;
    ResolvedLayout layout;
    if (entry.problem.cause == Cause::none && resolve(layouts_.entries()[index].state, layout, entry.problem)) {
      lay_out_user_data(layout, max_entries, entry.user_data, entry.problem);
    }
  });
}

}  // namespace spalt_tool::replay
