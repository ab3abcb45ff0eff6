// SPDX-License-Identifier: MIT
//
// The cases of sampling_grid: one image, one operation, many samplers, many accesses.
#pragma once

#include <string>
#include <vector>

#include "accesses.h"
#include "sampler_states.h"
#include "vkrun/manifest.h"
#include "vkrun/vulkan_runner.h"

namespace spalt::sampling {

/// Which invocations are the quads of derivatives.
enum class Quads : uint8_t { None, Linear, Squares };

struct Case {
  std::string name;
  const Kind* kind = nullptr;
  Operation operation = Operation::Lod;
  Theme theme = Theme::Plain;
  Quads quads = Quads::None;
  vkrun::Manifest manifest;      // one image, samplers, a buffer of accesses and one of results
  std::vector<Access> accesses;  // what each sampler is asked

  /// What the image shows in the state.
  View view(size_t state) const { return view_of(*kind, manifest.images[0], manifest.images[0].bindings[state]); }
};

/// All cases, or few of them that touch everything once.
std::vector<Case> make_cases(bool quick);

/// SPIR-V of the case; throws vkrun::Error.
vkrun::ShaderWords shaders_of(const Case& test);

}  // namespace spalt::sampling
