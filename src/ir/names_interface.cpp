// SPDX-License-Identifier: MIT
// Words of built-ins, inputs and outputs.
#include <array>

#include "base/text/lexer.h"
#include "ir/name_table.h"
#include "ir/names.h"

namespace spalt::ir {
namespace {

constexpr uint8_t compute = 1u << static_cast<unsigned>(ShaderStage::compute),
                  vertex = 1u << static_cast<unsigned>(ShaderStage::vertex),
                  fragment = 1u << static_cast<unsigned>(ShaderStage::fragment), any = compute | vertex | fragment;

constexpr bool lane = true, wave = false;
constexpr BuiltInInfo kBuiltIns[] = {
#define SPALT_BUILTIN(name, type, components, shaders, rate) {#name, Type{Scalar::type}, components, shaders, rate},
#include "ir/builtins.def"
#undef SPALT_BUILTIN
};

constexpr std::array<std::string_view, kSemantics> kSemanticNames = {
    "location",       "position", "point_size",        "clip_distance", "cull_distance", "layer",
    "viewport_index", "depth",    "stencil_reference", "sample_mask",   "barycentric"};
constexpr std::array<std::string_view, kInterpolations> kInterpolationNames = {"none", "perspective", "linear",
                                                                               "flat", "per_vertex",  "equal"};
constexpr std::array<std::string_view, kSamplePlaces> kPlaceNames = {"center", "centroid", "each_sample", "at_offset",
                                                                     "at_sample"};
constexpr std::array<std::string_view, 4> kDepthBoundNames = {"any", "greater", "less", "unchanged"};

/// Targets of exports that follow each other.
struct ExportTargets {
  std::string_view name;
  uint8_t first, count;
};
constexpr ExportTargets kExportTargets[] = {{"color", kExportColor, kExportColors},
                                            {"depth", kExportDepth, 1},
                                            {"null", kExportNull, 1},
                                            {"position", kExportPosition, kExportPositions},
                                            {"primitive", kExportPrimitive, 1},
                                            {"dual", kExportDual, kExportDuals},
                                            {"parameter", kExportParameter, kExportParameters}};

constexpr std::string_view kComponents = "xyzw";

/// The component after the last dot; false where there is none.
bool take_component(std::string_view& word, unsigned components, unsigned& component) {
  const size_t dot = word.rfind('.');
  if (dot == std::string_view::npos || dot + 2 != word.size()) return false;
  const size_t at = kComponents.find(word.back());
  if (at == std::string_view::npos || at >= components) return false;
  component = static_cast<unsigned>(at);
  word = word.substr(0, dot);
  return true;
}

}  // namespace

const BuiltInInfo& builtin_info(BuiltIn builtin) {
  return kBuiltIns[static_cast<unsigned>(builtin)];
}

std::string builtin_name(uint64_t imm) {
  const uint64_t index = imm & 0xff, component = imm >> 8;
  if (index >= kBuiltInCount || component >= kBuiltIns[index].components) return {};
  std::string name(kBuiltIns[index].name);
  if (kBuiltIns[index].components > 1) name += std::string(".") + kComponents[component];
  return name;
}

std::optional<uint64_t> find_builtin(std::string_view word) {
  const std::string_view name = word.substr(0, word.find('.'));
  for (unsigned i = 0; i < kBuiltInCount; ++i) {
    if (kBuiltIns[i].name != name) continue;
    unsigned component = 0;
    std::string_view rest = word;
    if (kBuiltIns[i].components > 1 && !take_component(rest, kBuiltIns[i].components, component)) return std::nullopt;
    if (rest != name) return std::nullopt;
    return builtin_imm(static_cast<BuiltIn>(i), component);
  }
  return std::nullopt;
}

std::string interface_name(const InterfaceAccess& access) {
  std::string name(name_of(kSemanticNames, access.semantic));
  if (is_numbered(access.semantic)) name += "." + std::to_string(access.number);
  if (semantic_components(access.semantic) > 1) name += std::string(".") + kComponents[access.component & 3];
  return name;
}

bool find_interface(std::string_view word, InterfaceAccess& access) {
  const size_t dot = word.find('.');
  const std::optional<Semantic> semantic = find_in<Semantic>(kSemanticNames, word.substr(0, dot));
  if (!semantic) return false;
  access.semantic = *semantic;
  unsigned component = 0;
  const unsigned components = semantic_components(*semantic);
  if (components > 1 && !take_component(word, components, component)) return false;
  access.component = static_cast<uint8_t>(component);
  if (!is_numbered(*semantic)) return word == name_of(kSemanticNames, *semantic);
  uint64_t number = 0;
  const bool ok = dot < word.size() && text::parse_integer(word.substr(dot + 1), number) && number <= 0xff;
  access.number = static_cast<uint8_t>(number);
  return ok;
}

std::string export_target_name(unsigned target) {
  for (const ExportTargets& row : kExportTargets) {
    if (target < row.first || target >= unsigned{row.first} + row.count) continue;
    return std::string(row.name) + (row.count > 1 ? "." + std::to_string(target - row.first) : "");
  }
  return {};
}

bool find_export_target(std::string_view word, uint8_t& target) {
  const size_t dot = word.find('.');
  for (const ExportTargets& row : kExportTargets) {
    if (row.name != word.substr(0, dot) || (dot == std::string_view::npos) != (row.count == 1)) continue;
    uint64_t number = 0;
    if (row.count > 1 && (!text::parse_integer(word.substr(dot + 1), number) || number >= row.count)) return false;
    target = static_cast<uint8_t>(row.first + number);
    return true;
  }
  return false;
}

std::string_view interpolation_name(Interpolation interpolation) {
  return name_of(kInterpolationNames, interpolation);
}
std::optional<Interpolation> find_interpolation(std::string_view word) {
  return find_in<Interpolation>(kInterpolationNames, word);
}
std::string_view sample_place_name(SamplePlace place) {
  return name_of(kPlaceNames, place);
}
std::optional<SamplePlace> find_sample_place(std::string_view word) {
  return find_in<SamplePlace>(kPlaceNames, word);
}
std::string_view depth_bound_name(DepthBound bound) {
  return name_of(kDepthBoundNames, bound);
}
std::optional<DepthBound> find_depth_bound(std::string_view word) {
  return find_in<DepthBound>(kDepthBoundNames, word);
}

}  // namespace spalt::ir
