// SPDX-License-Identifier: MIT
#include "analysis/analysis_cache.h"

namespace spalt::analysis {
namespace {

template <class Analysis>
Result<void> check(const ir::Function& function, const Analysis& kept, uint64_t epoch, const char* name) {
  if (epoch != function.flow_epoch() || kept == Analysis(function)) return {};
  return Error{Status::internal_error,
               std::string("the ") + name + " of @" + function.name +
                   " are out of date: its graph was edited after the epoch was raised",
               Error::kNoOffset,
               {},
               0};
}

}  // namespace

Result<void> AnalysisCache::verify() const {
  if (Result<void> r = check(function_, dominance_, dominance_epoch_, "dominators"); !r) return r;
  return check(function_, loops_, loops_epoch_, "loops");
}

}  // namespace spalt::analysis
