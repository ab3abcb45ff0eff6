// SPDX-License-Identifier: MIT
#include "image_manifest.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "image_texels.h"

namespace spalt::vkrun {
namespace {

using nlohmann::json;

constexpr const char* kViewTypes[] = {"1d", "2d", "3d", "cube", "1d_array", "2d_array", "cube_array"};
constexpr const char* kFilters[] = {"nearest", "linear"};
constexpr const char* kAddressModes[] = {"repeat", "mirrored_repeat", "clamp_to_edge", "clamp_to_border",
                                         "mirror_clamp_to_edge"};
constexpr const char* kCompareOps[] = {
    "never", "less", "equal", "less_or_equal", "greater", "not_equal", "greater_or_equal", "always"};
constexpr const char* kBorderColors[] = {"float_transparent_black", "int_transparent_black", "float_opaque_black",
                                         "int_opaque_black",        "float_opaque_white",    "int_opaque_white"};
constexpr const char* kReductions[] = {"weighted_average", "min", "max"};
constexpr const char* kUses[] = {"sampled", "storage", "combined"};

/// "rgba", "bgr1", ...: letters of components, 0 and 1.
std::array<uint32_t, 4> parse_swizzle(const std::string& text) {
  std::array<uint32_t, 4> swizzle;
  if (text.size() != 4) throw Error("a swizzle must have four letters");
  for (size_t i = 0; i < 4; ++i) {
    const size_t at = std::string("01rgba").find(text[i]);
    if (at == std::string::npos) throw Error("a swizzle has letters among 01rgba");
    swizzle[i] = static_cast<uint32_t>(at) + 1;  // VK_COMPONENT_SWIZZLE_ZERO is 1
    if (at == i + 2) swizzle[i] = 0;             // identity
  }
  return swizzle;
}

void parse_filters(const json& object, SamplerDesc& sampler) {
  const std::string both = object.value("filter", "nearest");
  sampler.mag_filter = index_of(object.value("mag", both), kFilters, "filter");
  sampler.min_filter = index_of(object.value("min", both), kFilters, "filter");
  sampler.mipmap_mode = index_of(object.value("mip", "nearest"), kFilters, "mip filter");
}

void parse_address_modes(const json& object, SamplerDesc& sampler) {
  const json modes = object.value("address", json("clamp_to_edge"));
  if (modes.is_array() && modes.size() != 3) throw Error("address modes are one or three");
  for (size_t i = 0; i < 3; ++i) {
    const json& mode = modes.is_array() ? modes[i] : modes;
    sampler.address_modes[i] = index_of(mode.get<std::string>(), kAddressModes, "address mode");
  }
}

SamplerDesc parse_state(const json& object) {
  SamplerDesc sampler;
  parse_filters(object, sampler);
  parse_address_modes(object, sampler);
  sampler.lod_bias = object.value("lod_bias", 0.0f);
  sampler.min_lod = object.value("min_lod", 0.0f);
  sampler.max_lod = object.value("max_lod", 1000.0f);
  sampler.anisotropy = object.value("anisotropy", 1.0f);
  if (object.contains("compare")) {
    sampler.compare_op = index_of(object.at("compare").get<std::string>(), kCompareOps, "compare operation");
  }
  sampler.border_color = index_of(object.value("border", kBorderColors[0]), kBorderColors, "border colour");
  sampler.reduction = index_of(object.value("reduction", kReductions[0]), kReductions, "reduction");
  sampler.unnormalized = object.value("unnormalized", false);
  if (sampler.unnormalized) sampler.max_lod = 0.0f;
  return sampler;
}

#define SPALT_SAMPLER_MEMBERS                                                                                    \
  "filter", "mag", "min", "mip", "address", "lod_bias", "min_lod", "max_lod", "anisotropy", "compare", "border", \
      "reduction", "unnormalized"

/// "levels" or "layers": [first, count], or nothing for all.
void parse_part(const json& object, const char* name, uint32_t all, uint32_t& first, uint32_t& count) {
  count = all;
  if (!object.contains(name)) return;
  const json& part = object.at(name);
  if (!part.is_array() || part.size() != 2) throw Error(std::string(name) + " of a view are [first, count]");
  first = part[0].get<uint32_t>();
  count = part[1].get<uint32_t>();
  if (count == 0 || first >= all || count > all - first) throw Error(std::string(name) + " lie outside of the image");
}

std::string default_view(const ImageDesc& image) {
  const std::string type = std::to_string(image.dimensions) + "d";
  return image.layers == 1 ? type : type + "_array";
}

ImageBinding parse_binding(const json& object, const ImageDesc& image, Manifest& manifest) {
  expect_members(object, "an image binding",
                 {"set", "binding", "element", "kind", "format", "view", "swizzle", "levels", "layers", "sampler"});
  ImageBinding binding;
  binding.set = object.value("set", 0u);
  binding.binding = object.at("binding").get<uint32_t>();
  binding.element = object.value("element", 0u);
  binding.use = static_cast<ImageUse>(index_of(object.value("kind", "sampled"), kUses, "kind of image"));
  binding.format = object.contains("format") ? format_named(object.at("format").get<std::string>()) : image.format;
  binding.view_type = index_of(object.value("view", default_view(image)), kViewTypes, "view type");
  binding.swizzle = parse_swizzle(object.value("swizzle", "rgba"));
  parse_part(object, "levels", image.levels, binding.first_level, binding.level_count);
  parse_part(object, "layers", image.layers, binding.first_layer, binding.layer_count);
  if (binding.use == ImageUse::Combined) {
    const json& state = object.at("sampler");
    binding.sampler = manifest.samplers.size();
    manifest.samplers.push_back(parse_sampler_state(state));
  } else if (object.contains("sampler")) {
    throw Error("only a combined binding has a sampler");
  }
  return binding;
}

void parse_size(const json& size, ImageDesc& image) {
  if (!size.is_array() || size.empty() || size.size() > 3) throw Error("the size of an image is a list of 1 to 3");
  image.dimensions = static_cast<uint32_t>(size.size());
  image.width = size[0].get<uint32_t>();
  if (size.size() > 1) image.height = size[1].get<uint32_t>();
  if (size.size() > 2) image.depth = size[2].get<uint32_t>();
  constexpr uint32_t kMost = 16384;
  if (std::min({image.width, image.height, image.depth}) == 0) throw Error("an image has no texels");
  if (std::max({image.width, image.height, image.depth}) > kMost) throw Error("an image is too large");
}

ImageCheck parse_check(const json& object, const ImageDesc& image) {
  expect_members(object, "a check of an image", {"level", "rel", "abs"});
  ImageCheck check;
  if (object.contains("level")) check.level = object.at("level").get<uint32_t>();
  if (check.level.value_or(0) >= image.levels) throw Error("a check names a level that the image does not have");
  check.rel = object.value("rel", 0.0);
  check.abs = object.value("abs", 0.0);
  if (check.rel < 0.0 || check.abs < 0.0) throw Error("a tolerance is negative");
  if (has_integers(*image.format) && (check.rel != 0.0 || check.abs != 0.0)) {
    throw Error("integer texels have no tolerance");
  }
  if (image.samples != 1 || image.format->shape().is_compressed()) throw Error("such an image cannot be checked");
  return check;
}

}  // namespace

uint32_t index_of(const std::string& name, std::span<const char* const> names, const char* what) {
  for (size_t i = 0; i < names.size(); ++i) {
    if (name == names[i]) return static_cast<uint32_t>(i);
  }
  throw Error(std::string("unknown ") + what + " '" + name + "'");
}

const texel::Format* format_named(const std::string& name) {
  for (const texel::Format& format : texel::formats()) {
    if (name == format.name) return &format;
  }
  throw Error("unknown format '" + name + "'");
}

void expect_members(const json& object, const char* what, std::initializer_list<const char*> allowed) {
  if (!object.is_object()) throw Error(std::string(what) + " must be an object");
  for (const auto& [name, value] : object.items()) {
    bool known = false;
    for (const char* candidate : allowed) known = known || name == candidate;
    if (!known) throw Error(std::string(what) + " has an unknown member '" + name + "'");
  }
}

/// A list of pairs, first row and the one after the last.
void parse_absent_rows(const json& list, ImageDesc& image) {
  if (image.dimensions != 2 || image.levels != 1 || image.layers != 1 || image.samples != 1) {
    throw Error("only 2D images with one level and layer may have absent rows");
  }
  uint32_t end = 0;
  for (const json& item : list) {
    const std::array<uint32_t, 2> rows = {item.at(0).get<uint32_t>(), item.at(1).get<uint32_t>()};
    if (rows[0] < end || rows[1] <= rows[0] || rows[1] > image.height) throw Error("absent rows are no list of ranges");
    end = rows[1];
    image.absent_rows.push_back(rows);
  }
}

ImageDesc parse_image_contents(const json& object) {
  ImageDesc image;
  image.format = format_named(object.at("format").get<std::string>());
  parse_size(object.at("size"), image);
  image.levels = object.value("levels", 1u);
  image.layers = object.value("layers", 1u);
  image.samples = object.value("samples", 1u);
  if (image.levels == 0 || image.levels > 15 || image.layers == 0 || image.layers > 2048 || image.samples == 0) {
    throw Error("an image has no such number of levels, layers or samples");
  }
  if (image.dimensions == 3 && image.layers != 1) throw Error("a 3D image has no layers");
  return image;
}

SamplerDesc parse_sampler_state(const json& object) {
  expect_members(object, "a sampler", {SPALT_SAMPLER_MEMBERS});
  return parse_state(object);
}

void parse_image(const json& object, Manifest& manifest) {
  expect_members(
      object, "an image",
      {"name", "format", "size", "levels", "layers", "samples", "init", "check", "bindings", "note", "absent_rows"});
  ImageDesc image = parse_image_contents(object);
  image.name = object.at("name").get<std::string>();
  image.initial = initial_image(image, object.value("init", json()));
  if (object.contains("absent_rows")) parse_absent_rows(object.at("absent_rows"), image);
  if (object.contains("check")) {
    const json& checks = object.at("check");
    for (const json& check : checks.is_array() ? checks : json::array({checks})) {
      image.checks.push_back(parse_check(check, image));
    }
  }
  for (const json& binding : object.at("bindings")) image.bindings.push_back(parse_binding(binding, image, manifest));
  manifest.images.push_back(std::move(image));
}

void parse_sampler(const json& object, Manifest& manifest) {
  expect_members(object, "a sampler", {"set", "binding", "element", SPALT_SAMPLER_MEMBERS});
  SamplerDesc sampler = parse_state(object);
  sampler.is_bound = true;
  sampler.set = object.value("set", 0u);
  sampler.binding = object.at("binding").get<uint32_t>();
  sampler.element = object.value("element", 0u);
  manifest.samplers.push_back(sampler);
}

}  // namespace spalt::vkrun
