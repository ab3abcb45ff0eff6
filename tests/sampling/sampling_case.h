// SPDX-License-Identifier: MIT
//
// The cases of sampling_grid: one image, one operation, many samplers, many accesses.
#pragma once

#include <string>
#include <vector>

#include "spec_sampler.h"
#include "vkrun/manifest.h"
#include "vkrun/vulkan_runner.h"

namespace spalt::sampling {

enum class Operation { Lod, Gradients, Offset, Gather, GatherOffset, CompareLod, CompareGather, Unnormalized };

struct Case {
  std::string name;
  Operation operation = Operation::Lod;
  bool is_cube = false;
  bool is_array = false;
  vkrun::Manifest manifest;         // one image, samplers, a buffer of accesses and one of results
  std::vector<Access> accesses;     // what each sampler is asked
  std::string sampler, expression;  // what the shader is made of

  /// What the image's view shows.
  View view() const;
};

/// All cases, or few of them that touch everything once.
std::vector<Case> make_cases(bool quick);

/// SPIR-V of the case; throws vkrun::Error.
vkrun::ShaderWords shaders_of(const Case& test);

/// The constant offset of Operation::Offset and Operation::GatherOffset.
constexpr std::array<int, 3> kOffset = {3, -2, 1};
/// The component that gathers take.
constexpr int kGatherComponent = 1;

}  // namespace spalt::sampling
