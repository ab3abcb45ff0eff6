// SPDX-License-Identifier: MIT
#include "lavapipe.h"

#include <cmath>
#include <string_view>

#include "candidates.h"

namespace spalt::sampling {
namespace {

constexpr uint32_t kClampToEdge = 2;

/// Its texel coordinates are 32-bit integers, which overflow, and weights of what is no number are none.
bool is_too_far(const Case& test, const SamplerDesc& sampler, const Access& access) {
  if (!is_finite(access)) return true;
  if (test.kind->is_cube) return false;
  for (size_t axis = 0; axis < 3; ++axis) {
    const double scale = sampler.unnormalized ? 1.0 : test.kind->size[axis];
    if (std::abs(access.coordinates[axis]) * scale > 0x1p+30) return true;
  }
  return false;
}

}  // namespace

/// It has no derivatives in compute shaders and no least levels of detail. Anisotropic samples lie in an ellipse, with
/// weights of their own, and those of 1D images crash. Decoders of blocks are compiled into each shader, which takes
/// minutes and then crashes, but for BC1 (tests/formats compares all of them). Gathers with four offsets
/// are wrong in most texels.
bool lavapipe_deviates(const Case& test) {
  const texel::ShapeFacts& shape = test.manifest.images[0].format->shape();
  if (shape.is_compressed() && std::string_view(shape.name) != "bc1") return true;
  return test.quads != Quads::None || test.operation == Operation::ClampedGradients ||
         test.theme == Theme::Anisotropy || test.operation == Operation::GatherFourOffsets;
}

bool lavapipe_deviates(const Case& test, const SamplerDesc& sampler, const Access& access) {
  if (is_too_far(test, sampler, access)) return true;
  // Two levels are averaged even where texels are not.
  if (sampler.reduction != 0 && sampler.mipmap_mode != 0) return true;
  // Faces without seams apart, every address mode is clamping.
  const auto& modes = sampler.address_modes;
  return sampler.non_seamless && (modes[0] != kClampToEdge || modes[1] != kClampToEdge);
}

}  // namespace spalt::sampling
