// SPDX-License-Identifier: MIT
//
// The image operations that are judged, and how GLSL writes them.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace spalt::sampling {

/// A dimension of images and views.
struct Kind {
  const char* name;  // as GLSL has it after "texture"
  int axes;
  bool is_cube, is_array;
  uint32_t view_type;  // VkImageViewType
  std::array<uint32_t, 3> size;
  uint32_t layers, levels;

  bool is_plane() const { return axes == 2 && !is_cube; }
};

enum class Operation : uint8_t {
  Lod,
  Gradients,
  ClampedGradients,  // with a least level of detail
  Implicit,
  ImplicitBias,
  ImplicitClamp,
  QueryLod,
  Offset,
  Projective,
  Fetch,
  FetchOffset,
  Gather,
  GatherOffset,
  GatherDynamicOffset,
  GatherFourOffsets,
  CompareLod,
  CompareLevelZero,
  CompareGradients,
  CompareImplicit,
  CompareGather,
  Unnormalized
};

/// Where the level of detail comes from.
enum class LodSource : uint8_t { none, operand, gradients, quad };

struct OperationFacts {
  const char* name;
  LodSource lod;
  bool gathers, compares;
  bool fetches;  // integer coordinates, no sampler
};
const OperationFacts& facts(Operation operation);

/// The offset of operations with a constant one, and those of gathers with four.
constexpr std::array<int, 3> kOffset = {3, -2, 1};
constexpr std::array<std::array<int, 2>, 4> kFourOffsets = {{{-8, 7}, {0, 1}, {2, -3}, {7, -1}}};
/// The component that gathers take.
constexpr int kGatherComponent = 1;

/// An expression of the access `a` and the sampled image `S` (sample.comp).
std::string expression_of(const Kind& kind, Operation operation);

}  // namespace spalt::sampling
