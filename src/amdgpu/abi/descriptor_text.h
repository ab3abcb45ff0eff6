// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string>

#include "amdgpu/isa/target.h"

namespace spalt::abi {

/// A descriptor for people: a line for each field that the target has, "name value", and what the value means. The
/// words may be any.
std::string buffer_descriptor_text(std::span<const uint32_t, 4> words, const isa::Target& target);
std::string image_descriptor_text(std::span<const uint32_t, 8> words, const isa::Target& target);
std::string sampler_descriptor_text(std::span<const uint32_t, 4> words, const isa::Target& target);

}  // namespace spalt::abi
