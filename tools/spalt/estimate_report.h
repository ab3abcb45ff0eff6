// SPDX-License-Identifier: MIT
//
// What spalt_estimate_code found, as text for people and as JSON.
#pragma once
#include <spalt/estimate.h>

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace spalt_tool {

struct EstimateDeleter {
  void operator()(spalt_estimate* estimate) const { spalt_estimate_destroy(estimate); }
};
using Estimate = std::unique_ptr<spalt_estimate, EstimateDeleter>;

/// Tables of the program and its blocks; with `listing`, its instructions with the cycles in which they issue.
void print_program(const std::string& file, spalt_estimate* estimate, size_t program, bool listing);

/// The same numbers. With `listing`, each block has its instructions.
nlohmann::ordered_json program_json(const std::string& file, spalt_estimate* estimate, size_t program, bool listing);

}  // namespace spalt_tool
