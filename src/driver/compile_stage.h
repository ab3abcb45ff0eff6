// SPDX-License-Identifier: MIT
#pragma once
#include "driver/pass_runner.h"

namespace spalt::driver {

/// The second step: IR at ir::Stage::core to a stage object, which no other stage of the pipeline can change any more.
/// False: the compilation ends here, and the runner knows why.
bool compile_stage(ir::Module& module, const Options& options, PassRunner& run, StageOutput& output);

}  // namespace spalt::driver
