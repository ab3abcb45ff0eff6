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

void Layouts::find_sampler_problems() {
  sampler_problems_.assign(sets_.entries().size(), {});
  for (size_t i = 0; i < sampler_problems_.size(); ++i) {
    for (const SetBindingState& binding : sets_.entries()[i].state.bindings) {
      for (const uint64_t hash : binding.immutable_samplers) {
        if (hash == 0 || samplers_.find(hash).problem.cause == Cause::none) continue;
        sampler_problems_[i] = samplers_.find(hash).problem;
      }
    }
  }
}

bool Layouts::resolve(const PipelineLayoutState& state, ResolvedLayout& layout, Problem& problem) const {
  if (state.sets.size() > kMaxSets) {
    return fail(problem, Cause::unsupported, "the pipeline layout has more than 256 sets");
  }
  layout.push_constant_bytes = state.push_constant_bytes;
  size_t bindings = 0;
  for (const uint64_t hash : state.sets) {
    const SetLayoutState*& set = layout.sets.emplace_back(nullptr);
    if (hash == 0) continue;
    const size_t index = sets_.index_of(hash);
    problem = sets_.entries()[index].problem;
    if (problem.cause == Cause::none) problem = sampler_problems_[index];
    if (problem.cause != Cause::none) return false;
    set = &sets_.entries()[index].state;
    bindings += set->bindings.size();
    if (bindings > kMaxBindings) {
      return fail(problem, Cause::unsupported, "the pipeline layout has more than 65536 bindings");
    }
  }
  return true;
}

void Layouts::load(const Database& database, std::vector<uint64_t> hashes, unsigned jobs) {
  layouts_.load(database, Tag::pipeline_layout, std::move(hashes), read_pipeline_layout, jobs);
  sets_.load(database, Tag::set_layout, sets_of(layouts_), read_set_layout, jobs);
  samplers_.load(database, Tag::sampler, samplers_of(sets_), read_sampler, jobs);
  find_sampler_problems();
}

bool Layouts::lay_out(uint64_t hash, uint32_t max_entries, UserDataLayout& result, Problem& problem) const {
  const auto& entry = layouts_.find(hash);
  problem = entry.problem;
  ResolvedLayout layout;
  if (problem.cause != Cause::none || !resolve(entry.state, layout, problem)) return false;
  return lay_out_user_data(layout, max_entries, result, problem);
}

}  // namespace spalt_tool::replay
