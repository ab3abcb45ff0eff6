// SPDX-License-Identifier: MIT
#include "binding_manifest.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "names.h"
#include "vkrun/image_manifest.h"

namespace spalt::scenes {
namespace {

using nlohmann::json;

struct Kind {
  const char* member;  // whose value is the name of the resource
  VkDescriptorType type;
  bool is_image;
};

constexpr Kind kKinds[] = {
    {"uniform", VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, false},
    {"storage", VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, false},
    {"uniform_texel", VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, false},
    {"storage_texel", VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, false},
    {"texture", VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, true},
    {"storage_image", VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, true},
    {"input", VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, true},
};

std::string default_view(const Image& image) {
  if (image.is_cube) return image.desc.layers == 6 ? "cube" : "cube_array";
  const std::string type = std::to_string(image.desc.dimensions) + "d";
  return image.desc.layers == 1 ? type : type + "_array";
}

VkImageAspectFlags aspects_of(const json& object, const Image& image) {
  const std::string name = object.value("aspect", "");
  if (name == "stencil") return VK_IMAGE_ASPECT_STENCIL_BIT;
  if (name == "depth" || image.desc.format->has_depth_and_stencil()) return VK_IMAGE_ASPECT_DEPTH_BIT;
  return image.desc.format->aspects;
}

void parse_view(const json& object, const Image& image, Binding& binding) {
  binding.view_type = view_type_named(object.value("view", default_view(image)));
  binding.view_format = image.view_format;
  if (object.contains("format")) {
    binding.view_format = static_cast<VkFormat>(vkrun::format_named(object.at("format").get<std::string>())->vk);
  }
  binding.aspects = aspects_of(object, image);
  binding.levels = object.value("levels", std::array<uint32_t, 2>{0, image.desc.levels});
  binding.layers = object.value("layers", std::array<uint32_t, 2>{0, image.desc.layers});
}

Binding parse_binding(const json& object, const Scene& scene, const ResourceNames& names) {
  vkrun::expect_members(object, "a binding",
                        {"set", "binding", "element", "uniform", "storage", "uniform_texel", "storage_texel", "texture",
                         "storage_image", "input", "index", "sampler", "format", "view", "aspect", "levels", "layers"});
  Binding binding;
  binding.input_index = object.value("index", 0u);
  binding.set = object.value("set", 0u);
  binding.binding = object.at("binding").get<uint32_t>();
  binding.element = object.value("element", 0u);
  binding.type = VK_DESCRIPTOR_TYPE_SAMPLER;
  for (const Kind& kind : kKinds) {
    if (!object.contains(kind.member)) continue;
    if (binding.type != VK_DESCRIPTOR_TYPE_SAMPLER) throw Error("a binding shows one resource");
    const auto name = object.at(kind.member).get<std::string>();
    binding.type = kind.type;
    binding.resource =
        find_name(kind.is_image ? names.images : names.buffers, name, kind.is_image ? "image" : "buffer");
    if (kind.is_image) {
      parse_view(object, scene.images[binding.resource], binding);
    } else if (object.contains("format")) {
      binding.view_format = static_cast<VkFormat>(vkrun::format_named(object.at("format").get<std::string>())->vk);
    }
  }
  if (binding.type == VK_DESCRIPTOR_TYPE_SAMPLER || object.contains("sampler")) {
    binding.sampler = find_name(names.samplers, object.at("sampler").get<std::string>(), "sampler");
    if (binding.type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE) binding.type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  }
  return binding;
}

}  // namespace

void add_bindings(const json& list, const Scene& scene, const ResourceNames& names, std::vector<Binding>& bindings) {
  const auto place = [](const Binding& one) { return std::tuple(one.set, one.binding, one.element); };
  for (const json& item : list) {
    const Binding binding = parse_binding(item, scene, names);
    std::erase_if(bindings, [&](const Binding& other) { return place(other) == place(binding); });
    bindings.push_back(binding);
  }
}

}  // namespace spalt::scenes
