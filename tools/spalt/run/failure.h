// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "commands.h"

namespace spalt_tool {

/// Thrown to end `spalt run`: one sentence, and the exit code.
struct Failure {
  std::string message;
  ExitCode code = kUsage;
};

}  // namespace spalt_tool
