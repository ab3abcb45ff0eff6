// SPDX-License-Identifier: MIT
#include "operation.h"

namespace spalt::sampling {
namespace {

std::string coordinates_text(const Kind& kind) {
  if (kind.is_cube) return kind.is_array ? "a.at" : "a.at.xyz";
  constexpr const char* kPlain[] = {"a.at.x", "a.at.xy", "a.at.xyz"};
  constexpr const char* kArray[] = {"vec2(a.at.x, a.at.w)", "a.at.xyw"};
  const auto axes = static_cast<size_t>(kind.axes - 1);
  return kind.is_array ? kArray[axes] : kPlain[axes];
}

/// Of levels of detail: layers do not count.
std::string place_text(const Kind& kind) {
  constexpr const char* kPlaces[] = {"a.at.x", "a.at.xy", "a.at.xyz"};
  return kPlaces[kind.is_cube ? 2 : kind.axes - 1];
}

std::string texel_text(const Kind& kind) {
  constexpr const char* kTypes[] = {"int", "ivec2", "ivec3"};
  return kTypes[kind.axes - 1 + (kind.is_array ? 1 : 0)] + ("(" + coordinates_text(kind)) + ")";
}

std::string projective_text(const Kind& kind) {
  constexpr const char* kPlaces[] = {"vec2(a.at.x * a.dx.w, a.dx.w)", "vec3(a.at.xy * a.dx.w, a.dx.w)",
                                     "vec4(a.at.xyz * a.dx.w, a.dx.w)"};
  return kPlaces[kind.axes - 1];
}

/// With the reference; that of cube arrays is an operand of its own.
std::string compared_text(const Kind& kind) {
  const std::string reference = ", a.more.y)";
  if (kind.is_cube) return kind.is_array ? "a.at, a.more.y" : "vec4(a.at.xyz" + reference;
  if (kind.axes == 1) return (kind.is_array ? "vec3(a.at.x, a.at.w" : "vec3(a.at.x, 0.0") + reference;
  return (kind.is_array ? "vec4(a.at.xyw" : "vec3(a.at.xy") + reference;
}

std::string gradients_text(const Kind& kind) {
  constexpr const char* kGradients[] = {", a.dx.x, a.dy.x", ", a.dx.xy, a.dy.xy", ", a.dx.xyz, a.dy.xyz"};
  return kGradients[kind.is_cube ? 2 : kind.axes - 1];
}

std::string offset_text(const Kind& kind) {
  constexpr const char* kOffsets[] = {", 3", ", ivec2(3, -2)", ", ivec3(3, -2, 1)"};
  return kOffsets[kind.axes - 1];
}

constexpr OperationFacts kFacts[] = {
    {"lod", LodSource::operand, false, false, false},
    {"gradients", LodSource::gradients, false, false, false},
    {"clamped_gradients", LodSource::gradients, false, false, false},
    {"implicit", LodSource::quad, false, false, false},
    {"implicit_bias", LodSource::quad, false, false, false},
    {"implicit_clamp", LodSource::quad, false, false, false},
    {"query_lod", LodSource::quad, false, false, false},
    {"offset", LodSource::operand, false, false, false},
    {"projective", LodSource::operand, false, false, false},
    {"fetch", LodSource::none, false, false, true},
    {"fetch_offset", LodSource::none, false, false, true},
    {"gather", LodSource::none, true, false, false},
    {"gather_offset", LodSource::none, true, false, false},
    {"gather_dynamic_offset", LodSource::none, true, false, false},
    {"gather_four_offsets", LodSource::none, true, false, false},
    {"compare", LodSource::operand, false, true, false},
    {"compare_level_zero", LodSource::operand, false, true, false},
    {"compare_gradients", LodSource::gradients, false, true, false},
    {"compare_implicit", LodSource::quad, false, true, false},
    {"compare_gather", LodSource::none, true, true, false},
    {"unnormalized", LodSource::none, false, false, false},
};

}  // namespace

const OperationFacts& facts(Operation operation) {
  return kFacts[static_cast<size_t>(operation)];
}

std::string expression_of(const Kind& kind, Operation operation) {
  const std::string at = coordinates_text(kind);
  switch (operation) {
    case Operation::Lod:
      return "textureLod(S, " + at + ", a.more.x)";
    case Operation::Gradients:
      return "textureGrad(S, " + at + gradients_text(kind) + ")";
    case Operation::ClampedGradients:
      return "textureGradClampARB(S, " + at + gradients_text(kind) + ", a.more.z)";
    case Operation::Implicit:
      return "texture(S, " + at + ")";
    case Operation::ImplicitBias:
      return "texture(S, " + at + ", a.more.w)";
    case Operation::ImplicitClamp:
      return "textureClampARB(S, " + at + ", a.more.z)";
    case Operation::QueryLod:
      return "textureQueryLod(S, " + place_text(kind) + "), 0.0, 0.0";
    case Operation::Offset:
      return "textureLodOffset(S, " + at + ", a.more.x" + offset_text(kind) + ")";
    case Operation::Projective:
      return "textureProjLod(S, " + projective_text(kind) + ", a.more.x)";
    case Operation::Fetch:
      return "texelFetch(S, " + texel_text(kind) + ", int(a.more.x))";
    case Operation::FetchOffset:
      return "texelFetchOffset(S, " + texel_text(kind) + ", int(a.more.x)" + offset_text(kind) + ")";
    case Operation::Gather:
      return "textureGather(S, " + at + ", 1)";
    case Operation::GatherOffset:
      return "textureGatherOffset(S, " + at + offset_text(kind) + ", 1)";
    case Operation::GatherDynamicOffset:
      return "textureGatherOffset(S, " + at + ", ivec2(a.dx.xy), 1)";
    case Operation::GatherFourOffsets:
      return "textureGatherOffsets(S, " + at + ", kOffsets, 1)";
    case Operation::CompareLod:
      // GLSL has none of arrays and cubes.
      return "textureLod(S, " + compared_text(kind) + ", a.more.x)";
    case Operation::CompareLevelZero:
    case Operation::CompareImplicit:
      return "texture(S, " + compared_text(kind) + ")";
    case Operation::CompareGradients:
      return "textureGrad(S, " + compared_text(kind) + gradients_text(kind) + ")";
    case Operation::CompareGather:
      return "textureGather(S, " + at + ", a.more.y)";
    case Operation::Unnormalized:
      return "textureLod(S, " + at + ", 0.0)";
  }
  return "";
}

}  // namespace spalt::sampling
