// SPDX-License-Identifier: MIT
//
// Result files: JSON, one line for each pipeline. docs/replay.md has the schema.
#pragma once
#include <string>

#include "replay/compare.h"
#include "replay/results.h"

namespace spalt_tool::replay {

/// Raised when the meaning of a member changes or one goes; new members do not raise it.
constexpr uint32_t kResultsVersion = 1;

/// Without `times`, equal runs give equal bytes. `comparison` may be null.
std::string write_results(const Results& results, bool times, const Comparison* comparison);
/// Reads what write_results wrote, from whoever. On failure `error` is a sentence without the file's name.
bool read_results(const std::string& text, Results& results, std::string& error);
bool load_results(const std::string& path, Results& results, std::string& error);

}  // namespace spalt_tool::replay
