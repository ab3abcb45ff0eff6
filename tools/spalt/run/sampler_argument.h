// SPDX-License-Identifier: MIT
#pragma once
#include <spalt/descriptor.h>

#include <string>

#include "run/place.h"

namespace spalt_tool {

/// --sampler SET:BINDING[ELEMENT]=STATE.
struct SamplerArgument {
  Place place;
  spalt_sampler_descriptor_info state;
};

/// Nearest texels of the nearest level, coordinates clamped to the edge, all levels.
spalt_sampler_descriptor_info default_sampler();
/// Throws Failure.
SamplerArgument parse_sampler(const std::string& text);

}  // namespace spalt_tool
