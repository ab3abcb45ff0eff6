// SPDX-License-Identifier: MIT
//
// Runs a manifest through Spalt: compiles its shaders and executes them on the emulator, by the public API alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "registers.h"
#include "vkrun/manifest.h"
#include "vkrun/vulkan_runner.h"

namespace spalt::run {

struct SpaltOptions {
  std::string target = "gfx1030";
  uint32_t wave = 64;
  bool wgp_mode = false;
  bool verify = true;                                     // all verifiers and the allocation checker
  std::optional<uint64_t> hierarchy_seed = std::nullopt;  // the emulator's memory hierarchy mode
  Registers limits = {};                                  // of a wave; 0 is what the target has
  bool fast = false;                                      // SPALT_OPTIMIZATION_FAST
};

/// Whether the compiler has that target with that wave size and mode.
bool is_supported(const SpaltOptions& options);

/// Final contents; throws vkrun::Error with the diagnostics when a step fails.
vkrun::BufferContents run_on_spalt(const vkrun::Manifest& manifest, const vkrun::ShaderWords& shaders,
                                   const SpaltOptions& options);

}  // namespace spalt::run
