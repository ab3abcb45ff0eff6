// SPDX-License-Identifier: MIT
// A state document is an object; each member of it, and of the objects in its lists, has Vulkan's default. What is not
// known is an error, since a misspelt name would be a default without a word.
#include "graphics_state.h"

#include <spalt/texel.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <spalt/spalt.hpp>
#include <stdexcept>
#include <string_view>

#include "files.h"

namespace spalt_tool {
namespace {

using Json = nlohmann::json;

/// By VkPrimitiveTopology.
constexpr std::string_view kTopologies[] = {"point_list",
                                            "line_list",
                                            "line_strip",
                                            "triangle_list",
                                            "triangle_strip",
                                            "triangle_fan",
                                            "line_list_with_adjacency",
                                            "line_strip_with_adjacency",
                                            "triangle_list_with_adjacency",
                                            "triangle_strip_with_adjacency",
                                            "patch_list"};
constexpr std::string_view kProvokingVertices[] = {"first", "last"};
/// By VkVertexInputRate.
constexpr std::string_view kRates[] = {"vertex", "instance"};
/// By the bits of VkColorComponentFlags.
constexpr std::string_view kChannels = "rgba";
constexpr uint32_t kTriangleList = 3, kAllChannels = 0xf;
/// Of VkFormat.
constexpr uint32_t kRgba8Unorm = 37, kRgba32Uint = 107, kRgba32Sint = 108, kRgba32Sfloat = 109;
constexpr uint32_t kFourComponentBytes = 16;
constexpr uint32_t kMaxLocations = std::min(SPALT_MAX_VERTEX_ATTRIBUTES, SPALT_MAX_VERTEX_BINDINGS);

struct Problem : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The members of one object, each asked for once.
class Members {
 public:
  Members(const Json& object, std::string path) : path_(std::move(path)) {
    if (!object.is_object()) throw Problem(path_ + ": expected an object");
    object_ = object;
  }

  void number(const char* name, uint32_t& value) {
    const Json* found = take(name);
    if (found == nullptr) return;
    if (!found->is_number_unsigned() || found->get<uint64_t>() > UINT32_MAX) bad(name, "a number from 0 on");
    value = found->get<uint32_t>();
  }
  void real(const char* name, float& value) {
    const Json* found = take(name);
    if (found == nullptr) return;
    if (!found->is_number()) bad(name, "a number");
    value = found->get<float>();
  }
  void flag(const char* name, uint32_t& value) {
    const Json* found = take(name);
    if (found == nullptr) return;
    if (!found->is_boolean()) bad(name, "true or false");
    value = found->get<bool>() ? 1 : 0;
  }
  template <size_t N>
  void choice(const char* name, const std::string_view (&names)[N], uint32_t& value) {
    const Json* found = take(name);
    if (found == nullptr) return;
    const auto text = found->is_string() ? found->get<std::string>() : std::string();
    const auto* const at = std::find(std::begin(names), std::end(names), text);
    if (at == std::end(names)) bad(name, ("one of " + joined(names)).c_str());
    value = static_cast<uint32_t>(at - std::begin(names));
  }
  /// A name without VK_FORMAT_, or a number.
  void format(const char* name, uint32_t& value) {
    const Json* found = take(name);
    if (found == nullptr) return;
    if (found->is_number_unsigned() && found->get<uint64_t>() <= UINT32_MAX) {
      value = found->get<uint32_t>();
      return;
    }
    const auto text = found->is_string() ? found->get<std::string>() : std::string();
    for (size_t i = 0; spalt_known_format(i) != 0; ++i) {
      spalt_format_info info{};
      info.struct_size = sizeof info;
      if (spalt_query_format(spalt_known_format(i), &info) != SPALT_SUCCESS || text != info.name) continue;
      value = spalt_known_format(i);
      return;
    }
    bad(name, "a format such as \"R8G8B8A8_UNORM\", or the number of a VkFormat");
  }
  void channels(const char* name, uint32_t& value) {
    const Json* found = take(name);
    if (found == nullptr) return;
    if (!found->is_string()) bad(name, "letters of \"rgba\"");
    value = 0;
    for (const char letter : found->get<std::string>()) {
      const size_t at = kChannels.find(letter);
      if (at == std::string_view::npos) bad(name, "letters of \"rgba\"");
      value |= 1u << at;
    }
  }
  /// Calls `read` with the members of each element.
  template <class Read>
  void list(const char* name, Read read) {
    const Json* found = take(name);
    if (found == nullptr) return;
    if (!found->is_array()) bad(name, "a list");
    for (size_t i = 0; i < found->size(); ++i) {
      Members element((*found)[i], path_ + "/" + name + "/" + std::to_string(i));
      read(element);
      element.finish();
    }
  }
  /// All members were asked for.
  void finish() const {
    for (const auto& [name, value] : object_.items()) {
      if (std::find(asked_.begin(), asked_.end(), name) == asked_.end()) {
        throw Problem(path_ + ": there is no member \"" + name + "\"");
      }
    }
  }

 private:
  const Json* take(const char* name) {
    asked_.emplace_back(name);
    const auto at = object_.find(name);
    return at == object_.end() ? nullptr : &*at;
  }
  [[noreturn]] void bad(const char* name, const char* expected) const {
    throw Problem(path_ + "/" + name + ": expected " + expected);
  }
  template <size_t N>
  static std::string joined(const std::string_view (&names)[N]) {
    std::string text;
    for (const std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
    return text;
  }

  std::string path_;
  Json object_;
  std::vector<std::string> asked_;
};

Json parse(const std::string& path) {
  std::vector<uint8_t> bytes;
  std::string error;
  if (!read_file(path, bytes, error)) throw Problem(error);
  Json root = Json::parse(bytes.begin(), bytes.end(), nullptr, false);
  if (root.is_discarded()) throw Problem(path + ": is no JSON");
  return root;
}

}  // namespace

class StateReader {
 public:
  explicit StateReader(GraphicsState& out) : out_(out) {}

  void read(Members& root) {
    begin();
    spalt_graphics_state& state = out_.state_;
    root.list("vertex_bindings", [&](Members& object) { read_binding(object); });
    root.list("vertex_attributes", [&](Members& object) { read_attribute(object); });
    root.list("color_targets", [&](Members& object) { read_target(object); });
    root.choice("topology", kTopologies, state.topology);
    root.choice("provoking_vertex", kProvokingVertices, state.provoking_last);
    root.flag("rasterizer_discard", state.rasterizer_discard);
    root.number("samples", state.samples);
    root.real("min_sample_shading", state.min_sample_shading);
    root.flag("alpha_to_coverage", state.alpha_to_coverage);
    root.flag("alpha_to_one", state.alpha_to_one);
    root.flag("dual_source_blend", state.dual_source_blend);
    root.finish();
    point();
  }

  void derive(std::span<const uint32_t> vertex, std::span<const uint32_t> fragment) {
    begin();
    if (!vertex.empty()) add_inputs(reflect(vertex, SPALT_STAGE_VERTEX).info());
    if (!fragment.empty()) add_outputs(reflect(fragment, SPALT_STAGE_FRAGMENT).info());
    point();
  }

 private:
  void begin() {
    out_.bindings_.clear();
    out_.attributes_.clear();
    out_.targets_.clear();
    out_.state_ = {};
    out_.state_.struct_size = sizeof out_.state_;
    out_.state_.topology = kTriangleList;
    out_.state_.samples = 1;
  }

  static spalt_api::Reflection reflect(std::span<const uint32_t> words, uint32_t stage) {
    spalt_reflect_info info{};
    info.struct_size = sizeof info;
    info.words = words.data();
    info.word_count = words.size();
    info.stage = stage;
    info.has_stage = 1;
    spalt_api::Reflection reflection(info);
    if (!reflection.ok()) throw Problem(reflection.message());
    return reflection;
  }

  /// Variable `i`, whose struct may be larger than that of this header.
  static const spalt_reflected_variable& variable(const spalt_reflected_variable* list, size_t size, size_t i) {
    return *reinterpret_cast<const spalt_reflected_variable*>(reinterpret_cast<const char*>(list) + i * size);
  }

  static uint32_t four_components(uint32_t scalar_type) {
    if (scalar_type == SPALT_SCALAR_SIGNED) return kRgba32Sint;
    return scalar_type == SPALT_SCALAR_UNSIGNED ? kRgba32Uint : kRgba32Sfloat;
  }

  void add_inputs(const spalt_reflection_info& info) {
    for (size_t i = 0; i < info.input_count; ++i) {
      const spalt_reflected_variable& input = variable(info.inputs, info.input_size, i);
      if (input.location == UINT32_MAX) continue;
      // A vector for each column of each element; other components of a location that is there belong to it.
      for (uint32_t k = 0; k < input.columns * input.count && input.location + k < kMaxLocations; ++k) {
        const uint32_t location = input.location + k;
        const auto same = [location](const spalt_vertex_attribute& a) { return a.location == location; };
        if (std::any_of(out_.attributes_.begin(), out_.attributes_.end(), same)) continue;
        out_.bindings_.push_back({location, kFourComponentBytes, 0, 1});
        out_.attributes_.push_back({location, location, four_components(input.type), 0});
      }
    }
  }

  void add_outputs(const spalt_reflection_info& info) {
    for (size_t i = 0; i < info.output_count; ++i) {
      const spalt_reflected_variable& output = variable(info.outputs, info.output_size, i);
      if (output.location == UINT32_MAX) continue;
      for (uint32_t k = 0; k < output.count && output.location + k < SPALT_MAX_COLOR_TARGETS; ++k) {
        const uint32_t location = output.location + k;
        if (out_.targets_.size() <= location) out_.targets_.resize(location + 1, {0, kAllChannels, 0, 0});
        out_.targets_[location].format = output.type == SPALT_SCALAR_FLOAT ? kRgba8Unorm : four_components(output.type);
      }
    }
  }

  void read_binding(Members& object) {
    spalt_vertex_binding binding{static_cast<uint32_t>(out_.bindings_.size()), 0, 0, 1};
    object.number("binding", binding.binding);
    object.number("stride", binding.stride);
    object.choice("rate", kRates, binding.per_instance);
    object.number("divisor", binding.divisor);
    out_.bindings_.push_back(binding);
  }
  void read_attribute(Members& object) {
    spalt_vertex_attribute attribute{static_cast<uint32_t>(out_.attributes_.size()), 0, 0, 0};
    object.number("location", attribute.location);
    object.number("binding", attribute.binding);
    object.format("format", attribute.format);
    object.number("offset", attribute.offset);
    out_.attributes_.push_back(attribute);
  }
  void read_target(Members& object) {
    spalt_color_target target{0, kAllChannels, 0, 0};
    object.format("format", target.format);
    object.channels("write_mask", target.write_mask);
    object.flag("blend", target.blend);
    object.flag("blend_reads_alpha", target.blend_reads_alpha);
    out_.targets_.push_back(target);
  }
  /// The lists do not grow any more.
  void point() {
    spalt_graphics_state& state = out_.state_;
    state.vertex_bindings = out_.bindings_.data();
    state.vertex_binding_count = out_.bindings_.size();
    state.vertex_binding_size = sizeof(spalt_vertex_binding);
    state.vertex_attributes = out_.attributes_.data();
    state.vertex_attribute_count = out_.attributes_.size();
    state.vertex_attribute_size = sizeof(spalt_vertex_attribute);
    state.color_targets = out_.targets_.data();
    state.color_target_count = out_.targets_.size();
    state.color_target_size = sizeof(spalt_color_target);
  }

  GraphicsState& out_;
};

bool GraphicsState::read(const std::string& path, std::string& error) {
  if (path.empty()) return true;
  try {
    return read(parse(path), path, error);
  } catch (const Problem& problem) {
    error = problem.what();
    return false;
  }
}

bool GraphicsState::read(const nlohmann::json& document, const std::string& place, std::string& error) {
  try {
    Members root(document, place);
    StateReader(*this).read(root);
  } catch (const Problem& problem) {
    error = problem.what();
    return false;
  }
  known_ = true;
  return true;
}

bool GraphicsState::derive(std::span<const uint32_t> vertex, std::span<const uint32_t> fragment, std::string& error) {
  try {
    StateReader(*this).derive(vertex, fragment);
  } catch (const Problem& problem) {
    error = problem.what();
    return false;
  }
  known_ = true;
  return true;
}

}  // namespace spalt_tool
