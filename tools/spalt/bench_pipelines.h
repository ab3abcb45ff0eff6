// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>

#include "compiler.h"

namespace spalt_tool {

struct PipelineBench {
  std::string list;  ///< pipeline_list.h
  uint32_t repeat = 10;
  bool json = false;
  bool assembly = false;  ///< in the JSON
};

/// `spalt bench --pipelines`: the time from the words of both shaders to the linked ELF. Returns the exit code.
int bench_pipelines(const PipelineBench& bench, const CompileOptions& options);

}  // namespace spalt_tool
