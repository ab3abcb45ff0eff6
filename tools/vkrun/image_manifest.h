// SPDX-License-Identifier: MIT
//
// The "images" and "samplers" of a manifest.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "manifest.h"

namespace spalt::vkrun {

/// Appends the image, and the samplers of its combined bindings, to the manifest; throws Error.
void parse_image(const nlohmann::json& object, Manifest& manifest);
/// Appends a sampler that has a descriptor of its own; throws Error.
void parse_sampler(const nlohmann::json& object, Manifest& manifest);

/// An image without bindings; throws Error.
ImageDesc parse_image_contents(const nlohmann::json& object);
/// The state of a sampler that has no descriptor of its own; throws Error.
SamplerDesc parse_sampler_state(const nlohmann::json& object);

/// The format of that name, without VK_FORMAT_; throws Error.
const texel::Format* format_named(const std::string& name);

/// Specialization constants by id; throws Error.
SpecConstants parse_spec(const nlohmann::json& object);

/// The index of a name in a list in Vulkan's order; throws Error.
uint32_t index_of(const std::string& name, std::span<const char* const> names, const char* what);

/// Rejects misspelt members, which would otherwise silently weaken a test.
void expect_members(const nlohmann::json& object, const char* what, std::initializer_list<const char*> allowed);

}  // namespace spalt::vkrun
