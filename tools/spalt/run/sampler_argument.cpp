// SPDX-License-Identifier: MIT
#include "run/sampler_argument.h"

#include <algorithm>
#include <iterator>

#include "run/failure.h"

namespace spalt_tool {
namespace {

// The numbers are Vulkan's: where a name is in its list.
constexpr std::string_view kFilters[] = {"nearest", "linear"};
constexpr std::string_view kAddressModes[] = {"repeat", "mirrored_repeat", "clamp_to_edge", "clamp_to_border",
                                              "mirror_clamp_to_edge"};
constexpr std::string_view kCompareOps[] = {
    "never", "less", "equal", "less_or_equal", "greater", "not_equal", "greater_or_equal", "always"};
constexpr std::string_view kReductions[] = {"weighted_average", "min", "max"};
constexpr std::string_view kBorders[] = {"float_transparent_black", "int_transparent_black", "float_opaque_black",
                                         "int_opaque_black",        "float_opaque_white",    "int_opaque_white"};

template <size_t N>
bool find(const std::string_view (&names)[N], std::string_view name, uint32_t& number) {
  const auto* at = std::find(std::begin(names), std::end(names), name);
  if (at == std::end(names)) return false;
  number = static_cast<uint32_t>(at - std::begin(names));
  return true;
}

/// A word without a value.
bool parse_word(std::string_view word, spalt_sampler_descriptor_info& state) {
  uint32_t number = 0;
  if (find(kFilters, word, number)) {
    state.mag_filter = state.min_filter = number;
    return true;
  }
  if (find(kAddressModes, word, number)) {
    std::fill(std::begin(state.address_modes), std::end(state.address_modes), number);
    return true;
  }
  if (word == "unnormalized") {
    state.unnormalized = 1;
    return true;
  }
  if (word != "non_seamless_cube") return false;
  state.non_seamless_cube = 1;
  return true;
}

bool parse_pair(std::string_view key, std::string_view value, spalt_sampler_descriptor_info& state) {
  if (key == "mag") return find(kFilters, value, state.mag_filter);
  if (key == "min") return find(kFilters, value, state.min_filter);
  if (key == "mip") return find(kFilters, value, state.mipmap_mode);
  if (key == "u") return find(kAddressModes, value, state.address_modes[0]);
  if (key == "v") return find(kAddressModes, value, state.address_modes[1]);
  if (key == "w") return find(kAddressModes, value, state.address_modes[2]);
  if (key == "border") return find(kBorders, value, state.border_color);
  if (key == "reduction") return find(kReductions, value, state.reduction_mode);
  if (key == "bias") return parse_float(value, state.mip_lod_bias);
  if (key == "min_lod") return parse_float(value, state.min_lod);
  if (key == "max_lod") return parse_float(value, state.max_lod);
  if (key == "anisotropy") return parse_float(value, state.max_anisotropy);
  if (key != "compare" || !find(kCompareOps, value, state.compare_op)) return false;
  state.compare = 1;
  return true;
}

bool parse_item(std::string_view item, spalt_sampler_descriptor_info& state) {
  const size_t equals = item.find('=');
  if (equals == std::string_view::npos) return parse_word(item, state);
  return parse_pair(item.substr(0, equals), item.substr(equals + 1), state);
}

}  // namespace

spalt_sampler_descriptor_info default_sampler() {
  constexpr uint32_t kClampToEdge = 2;
  constexpr float kAllLevels = 1000;
  spalt_sampler_descriptor_info state{};
  state.struct_size = sizeof state;
  std::fill(std::begin(state.address_modes), std::end(state.address_modes), kClampToEdge);
  state.max_lod = kAllLevels;
  state.max_anisotropy = 1;
  return state;
}

SamplerArgument parse_sampler(const std::string& text) {
  SamplerArgument argument{{}, default_sampler()};
  const std::string where = "--sampler " + text + ": ";
  const size_t equals = text.find('=');
  if (equals == std::string::npos || !parse_place(std::string_view(text).substr(0, equals), argument.place)) {
    throw Failure{where + "expected SET:BINDING=STATE, for example 0:1=linear,repeat"};
  }
  for (const std::string_view item : split(std::string_view(text).substr(equals + 1), ',')) {
    if (!parse_item(item, argument.state)) {
      throw Failure{where + "'" + std::string(item) + "' is no state of a sampler; spalt run --help lists them"};
    }
  }
  return argument;
}

}  // namespace spalt_tool
