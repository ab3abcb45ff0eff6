// SPDX-License-Identifier: MIT
//
// Contents of textures that a manifest names, beyond those of vkrun/image_texels.h: patterns, mipmaps, distance fields.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "scene.h"

namespace spalt::scenes {

/// The contents of all levels; `mipmaps` averages every level but the first from the one before. Throws Error.
std::vector<uint8_t> make_texels(const vkrun::ImageDesc& image, const nlohmann::json& init, bool mipmaps);

}  // namespace spalt::scenes
