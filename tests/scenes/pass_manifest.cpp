// SPDX-License-Identifier: MIT
#include "pass_manifest.h"

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>

#include "binding_manifest.h"
#include "names.h"
#include "pipeline_manifest.h"
#include "vkrun/data_init.h"
#include "vkrun/image_manifest.h"
#include "vkrun/image_texels.h"

namespace spalt::scenes {
namespace {

using nlohmann::json;
using vkrun::expect_members;

// ---- attachments ----

void parse_place(const json& object, const Scene& scene, const ResourceNames& names, Attachment& attachment) {
  attachment.image = find_name(names.images, object.at("image").get<std::string>(), "image");
  attachment.level = object.value("level", 0u);
  attachment.layer = object.value("layer", 0u);
  const vkrun::ImageDesc& desc = scene.images[attachment.image].desc;
  const uint32_t slices = desc.dimensions == 3 ? desc.depth : desc.layers;
  if (attachment.level >= desc.levels || attachment.layer >= slices) {
    throw Error("an attachment is not in the image " + desc.name);
  }
  attachment.load = load_op_named(object.value("load", "clear"));
  attachment.store = store_op_named(object.value("store", "store"));
  if (object.contains("resolve")) {
    attachment.resolve = find_name(names.images, object.at("resolve").get<std::string>(), "image");
  }
}

/// A name alone is an attachment with all the defaults.
json as_object(const json& item) {
  return item.is_string() ? json{{"image", item}} : item;
}

std::optional<Attachment> parse_color(const json& item, const Scene& scene, const ResourceNames& names) {
  if (item.is_null()) return std::nullopt;
  const json object = as_object(item);
  expect_members(object, "a colour attachment",
                 {"image", "level", "layer", "load", "store", "clear", "resolve", "resolve_mode"});
  Attachment attachment;
  parse_place(object, scene, names, attachment);
  const texel::Format& format = *scene.images[attachment.image].desc.format;
  const json clear = object.value("clear", json::array({0, 0, 0, 0}));
  if (!clear.is_array() || clear.size() != 4) throw Error("a clear colour has four components");
  for (size_t i = 0; i < 4; ++i) {
    attachment.clear.color.uint32[i] =
        vkrun::has_integers(format) ? vkrun::word_from_json(clear[i]) : std::bit_cast<uint32_t>(clear[i].get<float>());
  }
  const char* mode = vkrun::has_integers(format) ? "sample_zero" : "average";
  attachment.resolve_mode = resolve_mode_named(object.value("resolve_mode", mode));
  return attachment;
}

Attachment parse_depth(const json& item, const Scene& scene, const ResourceNames& names) {
  const json object = as_object(item);
  expect_members(object, "a depth attachment",
                 {"image", "level", "layer", "load", "store", "clear", "stencil_clear", "stencil_load", "resolve",
                  "resolve_mode", "read_only"});
  Attachment attachment;
  parse_place(object, scene, names, attachment);
  attachment.stencil_load = load_op_named(object.value("stencil_load", object.value("load", "clear")));
  attachment.clear.depthStencil = {object.value("clear", 1.0f), object.value("stencil_clear", 0u)};
  attachment.resolve_mode = resolve_mode_named(object.value("resolve_mode", "sample_zero"));
  attachment.read_only = object.value("read_only", false);
  return attachment;
}

// ---- draws ----

/// The pipeline with what it takes from others; a manifest may not go in circles.
json resolved_pipeline(const std::string& name, const ResourceNames& names) {
  json result = json::object();
  std::string next = name;
  for (int depth = 0; !next.empty(); ++depth) {
    if (depth == 8) throw Error("pipeline " + name + " is like too many others");
    if (names.pipelines == nullptr || !names.pipelines->contains(next)) throw Error("no pipeline '" + next + "'");
    json base = names.pipelines->at(next);
    next = base.value("like", "");
    base.merge_patch(result);
    result = base;
  }
  return result;
}

void parse_vertex_buffers(const json& object, const ResourceNames& names, Draw& draw) {
  for (const json& item : object.value("vertex_buffers", json::array())) {
    expect_members(item, "a vertex buffer", {"binding", "buffer", "offset"});
    draw.vertex_buffers.push_back({item.at("binding").get<uint32_t>(),
                                   find_name(names.buffers, item.at("buffer").get<std::string>(), "buffer"),
                                   item.value("offset", VkDeviceSize{0})});
  }
  if (object.contains("index_buffer")) {
    const json& item = object.at("index_buffer");
    expect_members(item, "an index buffer", {"buffer", "offset", "type"});
    draw.indices = IndexBuffer{find_name(names.buffers, item.at("buffer").get<std::string>(), "buffer"),
                               item.value("offset", VkDeviceSize{0}), index_type_named(item.value("type", "uint32"))};
  }
  if (object.contains("indirect")) {
    const json& item = object.at("indirect");
    expect_members(item, "an indirect draw", {"buffer", "offset", "count", "stride"});
    draw.indirect = Indirect{find_name(names.buffers, item.at("buffer").get<std::string>(), "buffer"),
                             item.value("offset", VkDeviceSize{0}), item.value("count", 1u), item.value("stride", 20u)};
  }
}

void parse_mesh(const json& object, const Scene& scene, const ResourceNames& names, Draw& draw) {
  if (!object.contains("mesh")) return;
  const Mesh& mesh = scene.meshes[find_name(names.meshes, object.at("mesh").get<std::string>(), "mesh")];
  draw.vertex_buffers.push_back({0, mesh.vertices, 0});
  draw.indices = IndexBuffer{mesh.indices, 0, VK_INDEX_TYPE_UINT32};
  draw.count = mesh.index_count;
}

Draw parse_draw(const json& object, const json& pass, const Scene& scene, const ResourceNames& names) {
  expect_members(object, "a draw",
                 {"pipeline", "set", "mesh", "vertex_buffers", "index_buffer", "indirect", "count", "instances",
                  "first", "first_instance", "vertex_offset", "push", "bind", "waits"});
  Draw draw;
  const std::string pipeline = object.value("pipeline", pass.value("pipeline", ""));
  json state = resolved_pipeline(pipeline, names);
  if (object.contains("set")) state.merge_patch(object.at("set"));
  draw.pipeline = parse_pipeline(state);
  draw.pipeline.name = pipeline;
  // Dynamic state alone makes no other pipeline.
  draw.variant = draw.pipeline.dynamic.empty() ? state.dump() : pipeline;
  parse_mesh(object, scene, names, draw);
  parse_vertex_buffers(object, names, draw);
  draw.count = object.value("count", draw.count);
  draw.instances = object.value("instances", 1u);
  draw.first = object.value("first", 0u);
  draw.first_instance = object.value("first_instance", 0u);
  draw.vertex_offset = object.value("vertex_offset", 0);
  draw.waits = object.value("waits", false);
  for (const json& value : object.value("push", json::array())) draw.push.push_back(vkrun::word_from_json(value));
  add_bindings(pass.value("bind", json::array()), scene, names, draw.bindings);
  add_bindings(object.value("bind", json::array()), scene, names, draw.bindings);
  return draw;
}

// ---- passes ----

/// Of all its attachments, which must agree.
void set_size_and_samples(const json& object, const Scene& scene, Pass& pass) {
  const Attachment* first = nullptr;
  std::vector<const Attachment*> all;
  for (const std::optional<Attachment>& color : pass.colors) {
    if (color) all.push_back(&*color);
  }
  if (pass.depth) all.push_back(&*pass.depth);
  for (const Attachment* attachment : all) {
    const vkrun::ImageDesc& desc = scene.images[attachment->image].desc;
    if (first != nullptr && desc.samples != static_cast<uint32_t>(pass.samples)) {
      throw Error("the attachments of a pass have different numbers of samples");
    }
    if (first == nullptr) {
      const vkrun::LevelSize size = vkrun::level_size(desc, attachment->level);
      pass.area = {{0, 0}, {size.width, size.height}};
    }
    first = attachment;
    pass.samples = static_cast<VkSampleCountFlagBits>(desc.samples);
  }
  if (first == nullptr) pass.samples = static_cast<VkSampleCountFlagBits>(object.value("samples", 1u));
  if (object.contains("area")) {
    const auto area = object.at("area").get<std::array<uint32_t, 4>>();
    pass.area = {{static_cast<int32_t>(area[0]), static_cast<int32_t>(area[1])}, {area[2], area[3]}};
  }
  if (pass.area.extent.width == 0) throw Error("a pass without attachments needs an area");
}

Rendering parse_rendering(const std::string& name) {
  if (name == "any") return Rendering::Any;
  if (name == "dynamic") return Rendering::Dynamic;
  if (name == "render_pass") return Rendering::RenderPass;
  throw Error("unknown rendering '" + name + "'");
}

}  // namespace

size_t find_name(const Names& names, const std::string& name, const char* what) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw Error(std::string("there is no ") + what + " '" + name + "'");
  return static_cast<size_t>(found - names.begin());
}

Pass parse_pass(const json& object, const Scene& scene, const ResourceNames& names) {
  expect_members(object, "a pass",
                 {"color", "depth", "area", "layers", "view_mask", "samples", "rendering", "pipeline", "bind", "draws",
                  "subpass"});
  Pass pass;
  pass.is_next_subpass = object.value("subpass", false);
  if (pass.is_next_subpass && scene.passes.empty()) throw Error("the first pass is no further subpass");
  const json colors = object.value("color", json::array());
  for (const json& item : colors.is_array() ? colors : json::array({colors})) {
    pass.colors.push_back(parse_color(item, scene, names));
  }
  if (object.contains("depth")) pass.depth = parse_depth(object.at("depth"), scene, names);
  pass.layers = object.value("layers", 1u);
  pass.view_mask = object.value("view_mask", 0u);
  pass.rendering = parse_rendering(object.value("rendering", "any"));
  set_size_and_samples(object, scene, pass);
  for (const json& item : object.at("draws")) pass.draws.push_back(parse_draw(item, object, scene, names));
  return pass;
}

}  // namespace spalt::scenes
