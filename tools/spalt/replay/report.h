// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "replay/compare.h"
#include "replay/results.h"

namespace spalt_tool::replay {

struct ReportOptions {
  uint32_t rows = 5;                    ///< worst and best of a comparison, pipelines named for one reason
  bool all = false;                     ///< every pipeline
  std::string metric = "instructions";  ///< a compared metric that worst and best are told by
};

/// For reading: what was compiled, totals, what failed and why.
std::string report(const Results& results, const ReportOptions& options);
std::string report(const Comparison& comparison, const ReportOptions& options);

}  // namespace spalt_tool::replay
