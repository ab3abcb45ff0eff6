// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "device.h"

namespace spalt::litmus {

struct Selection {
  unsigned seeds = 40;
  std::string filter, target;
  bool table = false;
  bool redundant = false;  ///< also take out what is listed as redundant
};

struct Totals {
  unsigned passed = 0, failed = 0;
};

/// A test in one scope, compiled for one configuration.
struct Case {
  const Test& test;
  const Program& program;
  const Variant& variant;
  const Configuration& configuration;
};

/// Every processor generation, wave size and mode.
const std::vector<Configuration>& configurations();

void for_each_case(const Selection& selection, const std::function<void(const Case&)>& body);

/// Runs every case with every seed: nothing that is forbidden appears, and what the hierarchy can show does.
Totals check_outcomes(const Selection& selection);

}  // namespace spalt::litmus
