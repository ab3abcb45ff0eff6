// SPDX-License-Identifier: MIT
#include "scene_manifest.h"

#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "matrix.h"
#include "meshes.h"
#include "pass_manifest.h"
#include "textures.h"
#include "vkrun/image_manifest.h"
#include "vkrun/image_texels.h"

namespace spalt::scenes {
namespace {

using nlohmann::json;
using vkrun::expect_members;

/// Down to one texel.
uint32_t all_levels(const json& size) {
  uint32_t largest = 1;
  for (const json& extent : size) largest = std::max(largest, extent.get<uint32_t>());
  return static_cast<uint32_t>(std::bit_width(largest));
}

Image parse_image(const std::string& name, json object) {
  expect_members(object, "an image", {"format", "size", "levels", "layers", "samples", "cube", "layered_3d", "init"});
  const bool mipmaps = object.value("levels", json()) == "all";
  if (mipmaps) object["levels"] = all_levels(object.at("size"));
  Image image;
  image.is_cube = object.value("cube", false);
  image.is_3d_layered = object.value("layered_3d", false);
  if (image.is_cube && !object.contains("layers")) object["layers"] = 6;
  image.desc = vkrun::parse_image_contents(object);
  image.desc.name = name;
  image.view_format = static_cast<VkFormat>(image.desc.format->vk);
  if (object.contains("init")) image.desc.initial = make_texels(image.desc, object.at("init"), mipmaps);
  return image;
}

template <typename T>
std::vector<uint8_t> bytes_of(const std::vector<T>& items) {
  std::vector<uint8_t> bytes(items.size() * sizeof(T));
  std::memcpy(bytes.data(), items.data(), bytes.size());
  return bytes;
}

void add_mesh(const std::string& name, const json& object, Scene& scene) {
  const MeshData data = make_mesh(object);
  Mesh& mesh = scene.meshes.emplace_back();
  mesh = {name, scene.buffers.size(), scene.buffers.size() + 1, static_cast<uint32_t>(data.indices.size())};
  scene.buffers.push_back({name + ".vertices", bytes_of(data.vertices)});
  scene.buffers.push_back({name + ".indices", bytes_of(data.indices)});
}

Comparison parse_comparison(const json& item, const Scene& scene, const ResourceNames& names) {
  const json object = item.is_string() ? json{{"image", item}} : item;
  expect_members(object, "a comparison", {"image", "buffer", "aspect", "level", "tolerance", "share"});
  Comparison comparison;
  if (object.contains("buffer")) {
    expect_members(object, "the comparison of a buffer", {"buffer"});
    comparison.buffer = find_name(names.buffers, object.at("buffer").get<std::string>(), "buffer");
    return comparison;
  }
  comparison.image = find_name(names.images, object.at("image").get<std::string>(), "image");
  const vkrun::ImageDesc& desc = scene.images[comparison.image].desc;
  const std::string aspect = object.value("aspect", "");
  comparison.aspect = static_cast<VkImageAspectFlagBits>(desc.format->aspects);
  if (desc.format->has_depth_and_stencil()) comparison.aspect = VK_IMAGE_ASPECT_DEPTH_BIT;
  if (aspect == "stencil") comparison.aspect = VK_IMAGE_ASPECT_STENCIL_BIT;
  comparison.level = object.value("level", 0u);
  if (object.contains("tolerance")) comparison.tolerance = object.at("tolerance").get<double>();
  comparison.share = object.value("share", 0.0);
  if (desc.samples != 1 || comparison.level >= desc.levels)
    throw Error("the image " + desc.name + " cannot be compared");
  return comparison;
}

/// Calls `action(name, value)` for the members of an object that may be missing.
template <typename Action>
void for_each_member(const json& root, const char* object, Action action) {
  if (!root.contains(object)) return;
  for (const auto& [name, value] : root.at(object).items()) action(name, value);
}

Scene parse_scene(const json& root) {
  expect_members(root, "a scene",
                 {"note", "needs", "images", "buffers", "meshes", "samplers", "pipelines", "passes", "compare", "judge",
                  "reference_needs"});
  Scene scene;
  scene.judge = root.value("judge", "");
  scene.note = root.value("note", "");
  scene.needs = root.value("needs", std::vector<std::string>());
  scene.reference_needs = root.value("reference_needs", std::vector<std::string>());
  ResourceNames names;
  for_each_member(root, "images", [&](const std::string& name, const json& object) {
    scene.images.push_back(parse_image(name, object));
    names.images.push_back(name);
  });
  for_each_member(root, "buffers", [&](const std::string& name, const json& init) {
    scene.buffers.push_back({name, {}});
    append_buffer_bytes(init, scene.buffers.back().bytes);
  });
  for_each_member(root, "meshes", [&](const std::string& name, const json& object) {
    add_mesh(name, object, scene);
    names.meshes.push_back(name);
  });
  for (const Buffer& buffer : scene.buffers) names.buffers.push_back(buffer.name);
  for_each_member(root, "samplers", [&](const std::string& name, const json& object) {
    scene.samplers.push_back(vkrun::parse_sampler_state(object));
    names.samplers.push_back(name);
  });
  names.pipelines = &root.at("pipelines");
  for (const json& pass : root.at("passes")) scene.passes.push_back(parse_pass(pass, scene, names));
  for (const json& item : root.at("compare")) scene.comparisons.push_back(parse_comparison(item, scene, names));
  if (scene.comparisons.empty()) throw Error("nothing is compared, so the scene could not fail");
  return scene;
}

}  // namespace

Scene read_scene(const std::string& text, const std::string& name) {
  try {
    Scene scene = parse_scene(json::parse(text));
    scene.name = name;
    return scene;
  } catch (const std::exception& error) {
    throw Error(name + ": " + error.what());
  }
}

Scene load_scene(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error("cannot open " + path);
  try {
    Scene scene = parse_scene(json::parse(file));
    const std::filesystem::path fs_path(path);
    scene.name = fs_path.stem().string();
    scene.folder = fs_path.has_parent_path() ? fs_path.parent_path().string() : ".";
    return scene;
  } catch (const std::exception& error) {
    throw Error(path + ": " + error.what());
  }
}

}  // namespace spalt::scenes
