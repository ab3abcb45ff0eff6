// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "driver/pass_runner.h"

namespace spalt::driver {

/// The first step: one entry point of a SPIR-V module as IR at ir::Stage::core. The words are untrusted. False: the
/// compilation ends here, and the runner knows why.
bool read_stage(std::span<const uint32_t> words, const Options& options, PassRunner& run, ir::Module& module);

}  // namespace spalt::driver
