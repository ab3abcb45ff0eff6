// SPDX-License-Identifier: MIT
//
// The first step of a program: its SPIR-V, and what a Vulkan driver and the C++ reference make of it. It runs in a
// process of its own and hands its result on as text.
#pragma once

#include <string>

#include "vkrun/manifest.h"
#include "vkrun/shader_source.h"
#include "vkrun/vulkan_runner.h"

namespace spalt::run {

struct ReferenceResult {
  vkrun::ShaderWords shaders;
  vkrun::BufferContents contents;
};

/// What read_reference reads. Throws vkrun::Error when driver, literals and reference do not agree. `vulkan_1_2`: as
/// for vkrun::load_shader.
std::string run_reference(const std::string& path, vkrun::Variant variant, bool vulkan_1_2);
ReferenceResult read_reference(const std::string& text);

/// Throws with the first difference from the literals and the C++ reference of the manifest.
void check_independently(const vkrun::Manifest& manifest, const vkrun::BufferContents& actual);

}  // namespace spalt::run
