// SPDX-License-Identifier: MIT
//
// The manifest of a random draw: state, resources and data as tests/scenes/README.md describes them.
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

#include "draw_shape.h"

namespace spalt::random_programs {
namespace {

using nlohmann::json;

/// What a buffer holds is drawn from the seed as well, but not from the numbers that make the shaders.
class Data {
 public:
  explicit Data(const DrawShape& shape) : shape_(shape), rng_(~shape.seed) {}

  json words(size_t count) {
    json list = json::array();
    for (size_t i = 0; i < count; ++i) list.push_back(word());
    return {{"u32", list}};
  }
  json random_words(size_t count) { return {{"random_u32", {{"count", count}, {"seed", rng_.word()}}}}; }
  uint32_t number() { return rng_.below(1u << 30); }
  json push() { return words(kPushWords)["u32"]; }

  /// Positions and what is for each vertex, or what is for each instance.
  json vertices(bool per_instance) {
    const size_t stride = per_instance ? shape_.instance_stride : shape_.vertex_stride;
    const size_t elements =
        per_instance ? size_t{shape_.first_instance} + shape_.instances : size_t{shape_.base} + shape_.vertex_count();
    std::vector<uint8_t> bytes(elements * stride);
    for (size_t i = 0; i < elements; ++i) {
      for (const Attribute& attribute : shape_.attributes) {
        if (attribute.per_instance == per_instance) put(attribute, bytes.data() + i * stride + attribute.offset);
      }
      if (!per_instance && i >= shape_.base) put_position(i - shape_.base, bytes.data() + i * stride);
    }
    json list = json::array();
    for (size_t at = 0; at < bytes.size(); at += 4) {
      uint32_t word = 0;
      std::memcpy(&word, bytes.data() + at, 4);
      list.push_back(word);
    }
    return {{"u32", list}};
  }

 private:
  uint32_t word() {
    const uint32_t kind = rng_.below(4);
    if (kind == 0) return rng_.below(16);
    if (kind == 1) return 0u - rng_.below(16);
    return kind == 2 ? 1u << rng_.below(32) : rng_.word();
  }

  void put_position(size_t vertex, uint8_t* at) {
    const Corner& corner = shape_.corners[vertex];
    // The viewport is twice as large as the picture, whose middle it shares.
    constexpr float kW[] = {1.0f, 2.0f, 4.0f, 0.5f};
    const float depth = shape_.varied_depth ? static_cast<float>(rng_.between(1, 12)) / 16.0f : 0.25f;
    const float position[4] = {static_cast<float>(corner.x) / (256.0f * static_cast<float>(shape_.width)) - 0.5f,
                               static_cast<float>(corner.y) / (256.0f * static_cast<float>(shape_.height)) - 0.5f,
                               depth, shape_.varied_w ? rng_.pick(kW) : shape_.w};
    std::memcpy(at, position, sizeof(position));
  }

  void put(const Attribute& attribute, uint8_t* at) {
    if (attribute.shares_location) return;
    using Kind = Attribute::Data;
    for (uint32_t offset = 0; attribute.data == Kind::Floats && offset < attribute.bytes; offset += 4) {
      const float value = (static_cast<float>(rng_.below(512)) - 256.0f) / 4.0f;
      std::memcpy(at + offset, &value, 4);
    }
    for (uint32_t offset = 0; attribute.data == Kind::Halves && offset < attribute.bytes; offset += 2) {
      // 0 or +-(1 + f / 4) * 2^e for e from 0 to 3: multiples of 1/4 below 16.
      const uint32_t half = rng_.chance(10) ? 0 : rng_.below(2) << 15 | (15 + rng_.below(4)) << 10 | rng_.below(4) << 8;
      std::memcpy(at + offset, &half, 2);
    }
    for (uint32_t offset = 0; attribute.data == Kind::Integers && offset < attribute.bytes; offset += 4) {
      const uint32_t value = word();
      std::memcpy(at + offset, &value, std::min(4u, attribute.bytes - offset));
    }
  }

  const DrawShape& shape_;
  Rng rng_;
};

const char* topology_name(Topology topology) {
  switch (topology) {
    case Topology::Points:
      return "point_list";
    case Topology::Lines:
      return "line_list";
    case Topology::LineStrip:
      return "line_strip";
    case Topology::Strip:
      return "triangle_strip";
    case Topology::Fan:
      return "triangle_fan";
    default:
      return "triangle_list";
  }
}

std::string target_name(size_t index) {
  return "color" + std::to_string(index);
}

std::string texture_name(size_t index) {
  return "texture" + std::to_string(index);
}

/// What a texture holds at the start: floats are multiples of a quarter.
json texels(const Texture& texture, Data& data) {
  json range = {{"seed", data.number()}};
  if (texture.is_float && texture.scale == 0.0f) {
    range["lo"] = -32;
    range["hi"] = 32;
  } else if (!texture.is_float) {
    range["hi"] = data.number() % 2 == 0 ? 3 : 100;
  }
  return {{"random", range}};
}

json images(const DrawShape& shape, Data& data) {
  json all = json::object();
  const json size = {shape.width, shape.height};
  const uint32_t layers = shape.layers * shape.views;
  for (size_t i = 0; i < shape.targets.size(); ++i) {
    json& target = all[target_name(i)];
    target = {{"format", shape.targets[i].format}, {"size", size}, {"layers", layers}};
    if (shape.samples == 1) continue;
    json several = target;
    several["samples"] = shape.samples;
    all[target_name(i) + ".samples"] = several;
  }
  if (shape.depth_format != nullptr) {
    all["depth"] = {{"format", shape.depth_format}, {"size", size}, {"layers", layers}, {"samples", shape.samples}};
  }
  for (size_t i = 0; i < shape.textures.size(); ++i) {
    const Texture& texture = shape.textures[i];
    if (texture.kind == Texture::Kind::Buffer) continue;
    if (texture.kind == Texture::Kind::Input) {
      all[texture_name(i)] = {{"format", texture.format}, {"size", size}, {"init", texels(texture, data)}};
      continue;
    }
    all[texture_name(i)] = {{"format", texture.format},
                            {"size", {1u << texture.width_bits, 1u << texture.height_bits}},
                            {"levels", texture.levels},
                            {"layers", texture.layers},
                            {"init", texels(texture, data)}};
  }
  if (shape.store_format.format != nullptr) {
    const uint32_t rows = (shape.slots() >> kStoreWidthBits) + 1;
    const json zeros = {{"texels", json::array({{0, 0, 0, 0}})}};
    all["stores"] = {{"format", shape.store_format.format}, {"size", {1u << kStoreWidthBits, rows}}, {"init", zeros}};
  }
  return all;
}

json samplers(const DrawShape& shape) {
  json all = json::object();
  for (size_t i = 0; i < shape.textures.size(); ++i) {
    if (shape.textures[i].kind != Texture::Kind::Image) continue;
    all[texture_name(i)] = {{"filter", "nearest"}, {"mip", "nearest"}, {"address", shape.textures[i].address}};
  }
  return all;
}

json pipeline(const DrawShape& shape) {
  json result = {{"vertex", kVertexFile},
                 {"fragment", kFragmentFile},
                 {"topology", topology_name(shape.topology)},
                 {"primitive_restart", shape.restart},
                 {"cull", shape.cull},
                 {"front_face", shape.front_face},
                 {"provoking", shape.provoking_last ? "last" : "first"}};
  const auto width = static_cast<int32_t>(shape.width), height = static_cast<int32_t>(shape.height);
  for (uint32_t i = 0; i < shape.viewports; ++i) {
    const std::array<int32_t, 2> shift = i == 0 ? std::array<int32_t, 2>{} : shape.viewport_shift;
    result["viewports"].push_back({shift[0] - width / 2, shift[1] - height / 2, 2 * width, 2 * height});
    result["scissors"].push_back(shape.scissors[i]);
  }
  if (shape.is_of_lines()) result["line"] = {{"mode", "bresenham"}};
  json bindings = json::array({{{"binding", 0}, {"stride", shape.vertex_stride}}});
  json attributes = json::array({{{"location", 0}, {"format", "R32G32B32A32_SFLOAT"}}});
  bool has_instances = false;
  for (const Attribute& attribute : shape.attributes) {
    if (attribute.shares_location) continue;
    has_instances |= attribute.per_instance;
    attributes.push_back({{"location", attribute.location},
                          {"binding", attribute.per_instance ? 1 : 0},
                          {"format", attribute.format},
                          {"offset", attribute.offset}});
  }
  if (has_instances) {
    bindings.push_back({{"binding", 1}, {"stride", shape.instance_stride}, {"rate", "instance"}});
    if (shape.divisor != 1) bindings.back()["divisor"] = shape.divisor;
  }
  result["vertex_bindings"] = bindings;
  result["attributes"] = attributes;
  if (shape.sample_shading_set) result["min_sample_shading"] = 1.0;
  if (shape.sample_mask != 0xffffffff) result["sample_mask"] = shape.sample_mask;
  if (shape.depth_format != nullptr) {
    result["depth"] = {{"compare", shape.depth_compare}, {"write", shape.depth_write}};
  }
  if (shape.stencil[0] != nullptr) {
    result["stencil"] = {{"fail", shape.stencil[0]},
                         {"depth_fail", shape.stencil[1]},
                         {"pass", shape.stencil[2]},
                         {"compare", shape.stencil[3]},
                         {"reference", shape.stencil_reference}};
  }
  json dynamic = json::array();
  if (shape.dynamic_viewport) dynamic.push_back("viewport");
  if (shape.dynamic_scissor) dynamic.push_back("scissor");
  result["dynamic"] = dynamic;
  json blend = json::array();
  for (const Target& target : shape.targets) {
    json state = json::object();
    std::string mask;
    for (uint32_t i = 0; i < 4; ++i) {
      if ((target.write_mask >> i & 1) != 0) mask += "rgba"[i];
    }
    state["mask"] = mask;
    if (target.adds) state["color"] = {"one", "add", "one"};
    blend.push_back(state);
  }
  result["blend"] = blend;
  return result;
}

json texture_binding(const Texture& texture, size_t index) {
  json result = {{"set", 1}, {"binding", kFirstTextureBinding + index}};
  switch (texture.kind) {
    case Texture::Kind::Buffer:
      result["uniform_texel"] = "texels";
      result["format"] = texture.format;
      break;
    case Texture::Kind::Input:
      result["input"] = texture_name(index);
      break;
    default:
      result["texture"] = result["sampler"] = texture_name(index);
      result["view"] = texture.layers > 1 ? "2d_array" : "2d";
  }
  return result;
}

json draw(const DrawShape& shape, Data& data) {
  json result = {{"pipeline", "draw"}, {"push", data.push()}, {"count", shape.indices.size()}};
  json buffers = json::array({{{"binding", 0}, {"buffer", "vertices"}}});
  for (const Attribute& attribute : shape.attributes) {
    if (!attribute.per_instance) continue;
    buffers.push_back({{"binding", 1}, {"buffer", "instances"}});
    break;
  }
  result["vertex_buffers"] = buffers;
  result["instances"] = shape.instances;
  result["first_instance"] = shape.first_instance;
  if (shape.indexed) {
    result["index_buffer"] = {{"buffer", "indices"}, {"type", shape.short_indices ? "uint16" : "uint32"}};
    result["vertex_offset"] = static_cast<int32_t>(shape.base) - static_cast<int32_t>(shape.index_bias);
  } else {
    result["first"] = shape.base;
  }
  result["bind"] = json::array({{{"set", 0}, {"binding", 0}, {"storage", "input"}},
                                {{"set", 0}, {"binding", 1}, {"storage", "output"}},
                                {{"set", 0}, {"binding", 2}, {"storage", "atomics"}},
                                {{"set", 0}, {"binding", 3}, {"uniform", "uniforms"}},
                                {{"set", 1}, {"binding", 0}, {"storage", "records"}}});
  for (size_t i = 0; i < shape.textures.size(); ++i) result["bind"].push_back(texture_binding(shape.textures[i], i));
  if (shape.store_format.format != nullptr) {
    result["bind"].push_back({{"set", 1}, {"binding", kStoreBinding}, {"storage_image", "stores"}});
  }
  return result;
}

json index_data(const DrawShape& shape) {
  json list = json::array();
  std::vector<uint32_t> indices;
  for (const uint32_t vertex : shape.indices) {
    const uint32_t all_ones = shape.short_indices ? 0xffff : kRestart;
    indices.push_back(vertex == kRestart ? all_ones : vertex + shape.index_bias);
  }
  if (!shape.short_indices) return {{"u32", indices}};
  for (size_t i = 0; i < indices.size(); i += 2) {
    list.push_back(indices[i] | (i + 1 < indices.size() ? indices[i + 1] << 16 : 0));
  }
  return {{"u32", list}};
}

json pass(const DrawShape& shape, Data& data) {
  json colors = json::array();
  for (size_t i = 0; i < shape.targets.size(); ++i) {
    const Target& target = shape.targets[i];
    json color = {{"image", target_name(i)}, {"clear", target.is_float ? json{0, 1, 0, 1} : json{1, 2, 3, 1}}};
    if (shape.samples > 1) {
      color["resolve"] = color["image"];
      color["image"] = target_name(i) + ".samples";
    }
    colors.push_back(color);
  }
  json result = {{"color", colors}, {"layers", shape.layers}, {"draws", json::array({draw(shape, data)})}};
  if (shape.views > 1) result["view_mask"] = (1u << shape.views) - 1;
  if (shape.depth_format != nullptr) {
    result["depth"] = {{"image", "depth"},
                       {"clear", std::string(shape.depth_compare) == "greater_or_equal" ? 0.25 : 0.75},
                       {"stencil_clear", 100}};
  }
  if (shape.render_pass) result["rendering"] = "render_pass";
  return result;
}

json needs(const DrawShape& shape) {
  json list = {"fragmentStoresAndAtomics",       "vertexPipelineStoresAndAtomics", "shaderDrawParameters",
               "shaderDemoteToHelperInvocation", "shaderTerminateInvocation",      "independentBlend"};
  // For interpolation at other places, too.
  list.push_back("sampleRateShading");
  if (shape.topology == Topology::Points) list.push_back("largePoints");
  if (shape.clip_distances != 0) list.push_back("shaderClipDistance");
  if (shape.divisor == 0) list.push_back("vertexAttributeInstanceRateZeroDivisor");
  if (shape.divisor != 1) list.push_back("vertexAttributeInstanceRateDivisor");
  if (shape.provoking_last) list.push_back("provokingVertexLast");
  if (shape.is_of_lines()) list.push_back("bresenhamLines");
  if (shape.layers > 1) list.push_back("shaderOutputLayer");
  if (shape.views > 1) list.push_back("multiview");
  if (shape.viewports > 1) list.insert(list.end(), {"multiViewport", "shaderOutputViewportIndex"});
  return list;
}

json comparisons(const DrawShape& shape) {
  json list = json::array();
  for (size_t i = 0; i < shape.targets.size(); ++i) {
    const bool is_average = shape.samples > 1 && shape.targets[i].rounds;
    json one = {{"image", target_name(i)}};
    if (!is_average) one["tolerance"] = 0.0;
    list.push_back(one);
  }
  if (shape.depth_format != nullptr && shape.samples == 1) {
    list.push_back({{"image", "depth"}, {"tolerance", 0.0}});
    if (shape.stencil[0] != nullptr) list.push_back({{"image", "depth"}, {"aspect", "stencil"}});
  }
  if (shape.store_format.format != nullptr) list.push_back({{"image", "stores"}});
  for (const char* name : {"output", "atomics", "records"}) list.push_back({{"buffer", name}});
  return list;
}

}  // namespace

std::string scene_text(const DrawShape& shape) {
  Data data(shape);
  json scene;
  scene["note"] = "random draw " + std::to_string(shape.seed);
  scene["needs"] = needs(shape);
  if (shape.reads_primitive) scene["reference_needs"] = {"geometryShader"};
  scene["images"] = images(shape, data);
  scene["samplers"] = samplers(shape);
  json& buffers = scene["buffers"];
  buffers["input"] = data.words(kInputOffset / 4 + kInputWords);
  buffers["output"] = data.random_words(size_t{kSlotWords} * shape.slots());
  buffers["atomics"] = data.words(kAtomicWords);
  buffers["uniforms"] = data.words(kUniformBytes / 4);
  buffers["records"] = data.random_words(size_t{kRecordBytes} / 4 * shape.slots());
  buffers["texels"] = data.random_words(kTexelBufferBytes / 4);
  buffers["vertices"] = data.vertices(false);
  buffers["instances"] = data.vertices(true);
  if (shape.indexed) buffers["indices"] = index_data(shape);
  scene["pipelines"]["draw"] = pipeline(shape);
  scene["passes"] = json::array({pass(shape, data)});
  scene["compare"] = comparisons(shape);
  return scene.dump(1);
}

}  // namespace spalt::random_programs
