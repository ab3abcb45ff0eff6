// SPDX-License-Identifier: MIT
//
// The steps of a scene's test. Each one changes the environment and belongs into a process of its own; results travel
// as text.
#pragma once

#include <cstdint>
#include <string>

#include "run/driver_environment.h"
#include "scene.h"
#include "vkrun/shader_source.h"

namespace spalt::scenes {

struct StepOptions {
  vkrun::Variant variant = vkrun::Variant::Plain;
  bool vulkan_1_2 = false;  // shaders for such a driver
  Ways ways;
  std::string png_folder;  // empty: no files
};

/// The pictures on the reference driver, for read_pictures. `twice`: drawn again, with render passes where the first
/// time had dynamic rendering, and the pictures must be the same to the bit; so is a third time, with pipelines from
/// libraries, where the options say so. Throws Error and run::NotThere.
std::string draw_reference(const std::string& path, const run::Driver& driver, const StepOptions& options, bool twice);
Pictures read_pictures(const std::string& text);

/// Draws on another driver and compares: a sentence about the pixels that differ, empty when there are none. Throws
/// Error when they are too many.
std::string draw_and_compare(const std::string& path, const run::Driver& driver, const std::string& target,
                             uint32_t wave, const StepOptions& options, const Pictures& expected);

}  // namespace spalt::scenes
