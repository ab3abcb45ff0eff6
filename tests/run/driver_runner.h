// SPDX-License-Identifier: MIT
//
// Runs a manifest on Spalt's Vulkan driver, through the stock loader. These functions change the environment, so that
// each call belongs into a process of its own.
#pragma once

#include <cstdint>
#include <string>

#include "driver_environment.h"
#include "vkrun/manifest.h"
#include "vkrun/vulkan_runner.h"

namespace spalt::run {

/// Final contents; throws vkrun::Error, also when the validation layer prints anything, and NotThere (support.h).
vkrun::BufferContents run_on_driver(const vkrun::Manifest& manifest, const vkrun::ShaderWords& shaders,
                                    const Driver& driver, const std::string& target, uint32_t wave);

/// Throws vkrun::Error unless the validation layer complains about a buffer without bytes.
void check_that_validation_speaks(const Driver& driver);

}  // namespace spalt::run
