// SPDX-License-Identifier: MIT
// A state document is an object; each member of it, and of the objects in its lists, has Vulkan's default. What is not
// known is an error, since a misspelt name would be a default without a word.
#include "graphics_state.h"

#include <spalt/texel.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
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
    spalt_graphics_state& state = out_.state_;
    state.struct_size = sizeof state;
    state.topology = kTriangleList;
    state.samples = 1;
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

 private:
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
    Members root(parse(path), path);
    StateReader(*this).read(root);
  } catch (const Problem& problem) {
    error = problem.what();
    return false;
  }
  known_ = true;
  return true;
}

}  // namespace spalt_tool
