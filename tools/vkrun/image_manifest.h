// SPDX-License-Identifier: MIT
//
// The "images" and "samplers" of a manifest.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "manifest.h"

namespace spalt::vkrun {

/// Appends the image, and the samplers of its combined bindings, to the manifest; throws Error.
void parse_image(const nlohmann::json& object, Manifest& manifest);
/// Appends a sampler that has a descriptor of its own; throws Error.
void parse_sampler(const nlohmann::json& object, Manifest& manifest);

/// The format of that name, without VK_FORMAT_; throws Error.
const texel::Format* format_named(const std::string& name);

/// Rejects misspelt members, which would otherwise silently weaken a test.
void expect_members(const nlohmann::json& object, const char* what, std::initializer_list<const char*> allowed);

}  // namespace spalt::vkrun
