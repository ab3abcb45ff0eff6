// SPDX-License-Identifier: MIT
// A pipeline is made in three steps: read each stage, compile each stage, link the stages (object::link_stages). The
// first two know one stage only and may run at any time, on any thread; the third takes microseconds.
#include "driver/pipeline.h"

#include "driver/compile_stage.h"
#include "driver/pass_runner.h"
#include "driver/read_stage.h"
#include "ir/builder.h"

namespace spalt::driver {

namespace {

/// `read(run, module)` makes the module, or ends the compilation.
template <class Read>
Result<StageOutput> compile_read(const Options& options, Diagnostics& diagnostics, CompileContext& context,
                                 Read&& read) {
  StageOutput output(&context.arena);
  PassRunner run(options, diagnostics, context);
  ir::Module module(&context.arena);
  context.cancellation = Cancellation(options.cancel);
  bool done = false;
  try {
    done = read(run, module) && compile_stage(module, options, run, output);
  } catch (const Cancelled&) {
    return Error{Status::cancelled, "the compilation was cancelled", Error::kNoOffset, {}, 0};
  }
  if (!done && run.failed()) return run.error();
  output.stopped = !done;
  output.times = run.times();
  return output;
}

/// A shader that does nothing; lowering puts in what the piece does.
void make_empty(ir::ShaderStage stage, uint8_t float_mode, ir::Module& module) {
  if (stage == ir::ShaderStage::vertex) {
    module.shader = ir::VertexFacts();
  } else {
    module.shader = ir::FragmentFacts();
  }
  module.float_mode = float_mode;
  ir::Function& function = module.add_function();
  const ir::BlockId block = function.create_block();
  function.edit_layout().push_back(block);
  ir::Builder builder(function);
  builder.set_end(block);
  builder.ret();
}

}  // namespace

Result<StageOutput> compile(std::span<const uint32_t> words, const Options& options, Diagnostics& diagnostics,
                            CompileContext& context) {
  return compile_read(options, diagnostics, context,
                      [&](PassRunner& run, ir::Module& module) { return read_stage(words, options, run, module); });
}

Result<StageOutput> compile_piece(const Options& options, Diagnostics& diagnostics, CompileContext& context) {
  return compile_read(options, diagnostics, context, [&](PassRunner& run, ir::Module& module) {
    make_empty(options.stage, options.float_mode, module);
    return run.after(Pass::read, module);
  });
}

}  // namespace spalt::driver
