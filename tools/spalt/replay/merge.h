// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "replay/results.h"

namespace spalt_tool::replay {

struct ResultFile {
  std::string name;
  Results results;
};

/// Joins the results of shards of one run, or of whole runs on different archives, to what one run would have given.
/// Fails, with a sentence that names the file, when they were not compiled alike or overlap. `files` has at least one.
bool merge_results(std::vector<ResultFile> files, Results& merged, std::string& error);
/// "2 and 3": shards that `results` lacks; empty when it is whole.
std::string missing_shards(const Results& results);

}  // namespace spalt_tool::replay
