// SPDX-License-Identifier: MIT
//
// Arbitrary bytes as a .pipe file: what it describes is read or refused with a cause, and its resources are laid out as
// each stage sees them. Shaders are not compiled and files that it names not opened. Seeds: files of LLPC's form.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "replay/pipe/node_layout.h"

namespace {

using namespace spalt_tool::replay;

void check(bool done, const Problem& problem) {
  const bool refused =
      (problem.cause == Cause::invalid || problem.cause == Cause::unsupported) && !problem.message.empty();
  if (done ? problem.cause == Cause::none : refused) return;
  std::fprintf(stderr, "neither read nor refused with a cause\n");
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  pipe::PipeState state;
  Problem problem;
  const bool read = read_pipe(text, state, problem);
  check(read, problem);
  if (!read) return 0;
  if (state.sources.empty() || state.sources.size() != state.pipeline.stages.size() || state.sources.size() > 2) {
    std::abort();
  }
  for (const pipe::ShaderSource& source : state.sources) {
    UserDataLayout layout;
    const bool done = lay_out_nodes(state, source.stage, 128, layout, problem);
    check(done, problem);
    if (done && layout.push_constant_dwords != 0 && layout.entry_count() > 128) std::abort();
    problem = {};
  }
  return 0;
}
