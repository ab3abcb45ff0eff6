// SPDX-License-Identifier: MIT
// A pipeline is made in three steps: read each stage, compile each stage, link the stages (object::link_stages). The
// first two know one stage only and may run at any time, on any thread; the third takes microseconds.
#include "driver/pipeline.h"

#include "driver/compile_stage.h"
#include "driver/pass_runner.h"
#include "driver/read_stage.h"

namespace spalt::driver {

Result<StageOutput> compile(std::span<const uint32_t> words, const Options& options, Diagnostics& diagnostics,
                            CompileContext& context) {
  StageOutput output(&context.arena);
  PassRunner run(options, diagnostics, context);
  ir::Module module(&context.arena);
  context.cancellation = Cancellation(options.cancel);
  bool done = false;
  try {
    done = read_stage(words, options, run, module) && compile_stage(module, options, run, output);
  } catch (const Cancelled&) {
    return Error{Status::cancelled, "the compilation was cancelled", Error::kNoOffset, {}, 0};
  }
  if (!done && run.failed()) return run.error();
  output.stopped = !done;
  output.times = run.times();
  return output;
}

}  // namespace spalt::driver
