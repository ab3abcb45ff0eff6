// SPDX-License-Identifier: MIT
#include "driver/read_stage.h"

#include <string>
#include <vector>

#include "spirv/reader.h"
#include "spirv/reflect/known_outputs.h"

namespace spalt::driver {
namespace {

/// Vulkan ignores map entries for constants that the module does not have; mostly they are a mistake.
void warn_of_unknown(const spirv::Specialization& constant, Diagnostics& diagnostics) {
  diagnostics.warnings.push_back({Status::ok,
                                  "the module has no specialization constant " + std::to_string(constant.id),
                                  Error::kNoOffset,
                                  {},
                                  0});
}

}  // namespace

bool read_stage(std::span<const uint32_t> words, const Options& options, PassRunner& run, ir::Module& module) {
  spirv::ReadOptions read_options;
  read_options.stage = options.stage;
  read_options.entry_point = options.entry_point;
  read_options.specialization = options.specialization;
  read_options.float_mode = options.float_mode;
  read_options.strict_floats = options.strict_floats;
  read_options.want_origins = options.want_origins;
  if (options.printf) read_options.printf = &*options.printf;
  read_options.widths = {.int8 = true, .int16 = true, .int64 = true, .float16 = true, .float64 = true};
  std::vector<spirv::Specialization> unknown_constants;
  read_options.unknown_constants = &unknown_constants;
  return run.run(Pass::read, module, [&]() -> Result<void> {
    const GraphicsPipelineFacts* graphics = options.graphics();
    spirv::KnownOutputs known(run.context.arena);
    if (graphics != nullptr && graphics->previous_stage) {
      const PreviousStage& previous = *graphics->previous_stage;
      known = spirv::known_outputs(previous.words, previous.entry_point, previous.specialization, previous.attributes,
                                   run.context.arena);
    }
    read_options.points = options.stage == ir::ShaderStage::fragment && graphics != nullptr && !graphics->body_only &&
                          graphics->state.has_points();
    read_options.known_inputs = known.constants;
    read_options.equal_inputs = known.equal;
    Result<ir::Module> read = spirv::read(words, read_options, run.context);
    if (!read) return read.error();
    module = std::move(*read);
    for (const spirv::Specialization& constant : unknown_constants) warn_of_unknown(constant, run.diagnostics);
    return {};
  });
}

}  // namespace spalt::driver
