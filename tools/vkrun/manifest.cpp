// SPDX-License-Identifier: MIT
#include "manifest.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "data_init.h"
#include "image_manifest.h"

namespace spalt::vkrun {
namespace {

using nlohmann::json;

ElementType parse_type(const std::string& name) {
  if (name == "u32") return ElementType::U32;
  if (name == "i32") return ElementType::I32;
  if (name == "f32") return ElementType::F32;
  if (name == "f64") return ElementType::F64;
  throw Error("unknown element type '" + name + "'");
}

void parse_tolerance(const json& object, Check& check) {
  check.rel = object.value("rel", 0.0);
  check.abs = object.value("abs", 0.0);
  const bool floats = check.type == ElementType::F32 || check.type == ElementType::F64;
  if (!floats && (check.rel != 0.0 || check.abs != 0.0)) {
    throw Error("only floats may have a tolerance");
  }
  if (check.rel < 0.0 || check.abs < 0.0) throw Error("a tolerance is negative");
}

Check parse_check(const json& object, size_t buffer_bytes) {
  expect_members(object, "a check", {"type", "offset", "bytes", "rel", "abs"});
  Check check;
  check.type = parse_type(object.at("type").get<std::string>());
  check.offset = object.value("offset", size_t{0});
  if (check.offset > buffer_bytes) throw Error("a check lies outside its buffer");
  check.size = object.value("bytes", buffer_bytes - check.offset);
  if (check.size > buffer_bytes - check.offset || check.size == 0) throw Error("a check lies outside its buffer");
  const size_t unit = check.type == ElementType::F64 ? 8 : 4;
  if (check.offset % unit != 0 || check.size % unit != 0) throw Error("a check must cover whole elements");
  parse_tolerance(object, check);
  return check;
}

Expectation parse_expectation(const json& object, size_t buffer_bytes) {
  expect_members(object, "an expectation", {"offset", "u32", "i32", "f32", "rel", "abs"});
  Expectation result;
  for (const char* type : {"u32", "i32", "f32"}) {
    if (!object.contains(type)) continue;
    if (!result.bytes.empty()) throw Error("an expectation must have values of one type");
    result.check.type = parse_type(type);
    append_initial_bytes(json{{result.check.type == ElementType::F32 ? "f32" : "u32", object.at(type)}}, result.bytes);
  }
  result.check.offset = object.value("offset", size_t{0});
  result.check.size = result.bytes.size();
  if (result.bytes.empty()) throw Error("an expectation has no values");
  if (result.check.offset > buffer_bytes || result.bytes.size() > buffer_bytes - result.check.offset) {
    throw Error("an expectation lies outside its buffer");
  }
  parse_tolerance(object, result.check);
  return result;
}

BufferKind parse_kind(const std::string& name) {
  if (name == "storage") return BufferKind::Storage;
  if (name == "uniform") return BufferKind::Uniform;
  if (name == "inline") return BufferKind::Inline;
  if (name == "uniform_texel") return BufferKind::UniformTexel;
  if (name == "storage_texel") return BufferKind::StorageTexel;
  throw Error("unknown buffer kind '" + name + "'");
}

bool is_texel_buffer(BufferKind kind) {
  return kind == BufferKind::UniformTexel || kind == BufferKind::StorageTexel;
}

/// Calls `action` on `value`, or on each of its elements when it is a list.
template <typename Action>
void for_each_item(const json& value, Action action) {
  if (!value.is_array()) return action(value);
  for (const json& item : value) action(item);
}

std::vector<AddressSlot> parse_addresses(const json& list, size_t bytes) {
  std::vector<AddressSlot> slots;
  for (const json& item : list) {
    expect_members(item, "an address", {"at", "buffer", "plus"});
    const AddressSlot slot{item.at("at").get<size_t>(), item.at("buffer").get<size_t>(), item.value("plus", size_t{0})};
    if (bytes < 8 || slot.at > bytes - 8) throw Error("an address lies outside of what it is put in");
    slots.push_back(slot);
  }
  return slots;
}

BufferDesc parse_buffer(const json& object) {
  expect_members(
      object, "a buffer",
      {"set", "binding", "element", "kind", "null", "root", "format", "init", "addresses", "check", "expect", "note"});
  BufferDesc buffer;
  buffer.set = object.value("set", 0u);
  buffer.binding = object.at("binding").get<uint32_t>();
  buffer.element = object.value("element", 0u);
  buffer.kind = parse_kind(object.value("kind", std::string("storage")));
  buffer.null = object.value("null", false);
  buffer.is_root = object.value("root", false);
  if (buffer.kind == BufferKind::Inline && (buffer.null || buffer.is_root || buffer.element != 0)) {
    throw Error("an inline block is one block, and has no descriptor");
  }
  if (is_texel_buffer(buffer.kind)) {
    if (buffer.null || buffer.is_root) throw Error("a texel buffer is neither null nor in user data");
    buffer.format = format_named(object.at("format").get<std::string>());
  } else if (object.contains("format")) {
    throw Error("only a texel buffer has a format");
  }
  if (buffer.null) {
    if (object.contains("init") || object.contains("check") || object.contains("expect")) {
      throw Error("a null descriptor has no contents");
    }
    return buffer;
  }
  append_initial_bytes(object.at("init"), buffer.initial);
  if (buffer.initial.empty() || buffer.initial.size() % 4 != 0) {
    throw Error("a buffer must hold a positive number of whole words");
  }
  const size_t bytes = buffer.initial.size();
  buffer.addresses = parse_addresses(object.value("addresses", json::array()), bytes);
  if (buffer.kind == BufferKind::Inline && !buffer.addresses.empty()) throw Error("an inline block has no addresses");
  if (object.contains("check")) {
    for_each_item(object.at("check"), [&](const json& item) { buffer.checks.push_back(parse_check(item, bytes)); });
  }
  if (object.contains("expect")) {
    for_each_item(object.at("expect"),
                  [&](const json& item) { buffer.expectations.push_back(parse_expectation(item, bytes)); });
  }
  return buffer;
}

Dispatch parse_dispatch(const json& object, const std::string& default_shader, const SpecConstants& default_spec) {
  expect_members(object, "a dispatch", {"shader", "groups", "push", "addresses", "spec"});
  Dispatch dispatch;
  dispatch.shader = object.value("shader", default_shader);
  if (dispatch.shader.empty()) throw Error("a dispatch names no shader");
  const json groups = object.value("groups", json::array({1, 1, 1}));
  if (!groups.is_array() || groups.size() != 3) throw Error("groups must be a list of three numbers");
  for (size_t i = 0; i < 3; ++i) dispatch.groups[i] = groups[i].get<uint32_t>();
  for (const json& value : object.value("push", json::array())) dispatch.push.push_back(word_from_json(value));
  dispatch.addresses = parse_addresses(object.value("addresses", json::array()), dispatch.push.size() * 4);
  dispatch.spec = object.contains("spec") ? parse_spec(object.at("spec")) : default_spec;
  return dispatch;
}

/// Every descriptor has a place of its own.
void validate_places(const Manifest& manifest) {
  std::set<std::tuple<uint32_t, uint32_t, uint32_t>> seen;
  const auto add = [&](const auto& descriptor) {
    if (!seen.insert({descriptor.set, descriptor.binding, descriptor.element}).second) {
      throw Error("two descriptors have the same set, binding and element");
    }
  };
  for (const BufferDesc& buffer : manifest.buffers) add(buffer);
  for (const ImageDesc& image : manifest.images) {
    for (const ImageBinding& binding : image.bindings) add(binding);
  }
  for (const SamplerDesc& sampler : manifest.samplers) {
    if (sampler.is_bound) add(sampler);
  }
}

void validate_addresses(const Manifest& manifest) {
  const auto check = [&](const std::vector<AddressSlot>& slots) {
    for (const AddressSlot& slot : slots) {
      if (slot.buffer >= manifest.buffers.size()) throw Error("an address of a buffer that is not there");
      const BufferDesc& buffer = manifest.buffers[slot.buffer];
      if (buffer.null || buffer.kind == BufferKind::Inline || buffer.is_root) throw Error("that buffer has no address");
    }
  };
  for (const BufferDesc& buffer : manifest.buffers) check(buffer.addresses);
  for (const Dispatch& dispatch : manifest.dispatches) check(dispatch.addresses);
}

void validate(const Manifest& manifest) {
  if (manifest.dispatches.empty()) throw Error("a manifest needs at least one dispatch");
  validate_places(manifest);
  validate_addresses(manifest);
  bool judged = false;
  for (const BufferDesc& buffer : manifest.buffers) {
    if (buffer.null && !manifest.robust) throw Error("only a robust manifest has null descriptors");
    judged = judged || !buffer.checks.empty();
  }
  for (const ImageDesc& image : manifest.images) judged = judged || !image.checks.empty();
  if (!judged) throw Error("nothing is checked, so the program could not fail");
}

Manifest parse_manifest(const json& root) {
  expect_members(root, "a manifest",
                 {"note", "shader", "spec", "dispatches", "buffers", "images", "samplers", "reference", "driver_bug",
                  "layer_bug", "min_subgroup_size", "robust"});
  Manifest manifest;
  manifest.note = root.value("note", std::string());
  manifest.reference = root.value("reference", std::string());
  manifest.driver_bug = root.value("driver_bug", std::string());
  manifest.layer_bug = root.value("layer_bug", std::string());
  manifest.robust = root.value("robust", false);
  manifest.min_subgroup_size = root.value("min_subgroup_size", 1u);
  if (!manifest.driver_bug.empty() && manifest.reference.empty()) throw Error("a driver bug needs a C++ reference");
  const std::string shader = root.value("shader", std::string());
  const SpecConstants spec = root.contains("spec") ? parse_spec(root.at("spec")) : SpecConstants{};
  for (const json& item : root.at("dispatches")) manifest.dispatches.push_back(parse_dispatch(item, shader, spec));
  for (const json& item : root.value("buffers", json::array())) manifest.buffers.push_back(parse_buffer(item));
  for (const json& item : root.value("images", json::array())) parse_image(item, manifest);
  for (const json& item : root.value("samplers", json::array())) parse_sampler(item, manifest);
  validate(manifest);
  return manifest;
}

}  // namespace

SpecConstants parse_spec(const json& object) {
  SpecConstants spec;
  for (const auto& [id, value] : object.items()) {
    std::vector<uint32_t>& words = spec[static_cast<uint32_t>(std::stoul(id))];
    for_each_item(value, [&words](const json& word) { words.push_back(word_from_json(word)); });
    if (words.size() > 2) throw Error("a specialization constant has one word or two");
  }
  return spec;
}

Manifest load_manifest(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw Error("cannot open " + path);
  try {
    Manifest manifest = parse_manifest(json::parse(file));
    const std::filesystem::path fs_path(path);
    manifest.name = fs_path.stem().string();
    manifest.folder = fs_path.has_parent_path() ? fs_path.parent_path().string() : ".";
    return manifest;
  } catch (const std::exception& error) {
    throw Error(path + ": " + error.what());
  }
}

bool Manifest::has_images() const {
  return !images.empty() || !samplers.empty() ||
         std::any_of(buffers.begin(), buffers.end(), [](const BufferDesc& buffer) { return buffer.format != nullptr; });
}

bool Manifest::has_addresses() const {
  const auto has_some = [](const auto& owner) { return !owner.addresses.empty(); };
  return std::any_of(buffers.begin(), buffers.end(), has_some) ||
         std::any_of(dispatches.begin(), dispatches.end(), has_some);
}

BufferContents initial_contents(const Manifest& manifest) {
  BufferContents contents;
  for (const BufferDesc& buffer : manifest.buffers) contents.push_back(buffer.initial);
  for (const ImageDesc& image : manifest.images) contents.push_back(image.initial);
  return contents;
}

}  // namespace spalt::vkrun
