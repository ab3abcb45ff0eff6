// SPDX-License-Identifier: MIT
#include "replay/document.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace spalt_tool::replay {
namespace {

constexpr uint64_t kOldestVersion = 5;
constexpr uint64_t kNewestVersion = 6;
/// A parsed value takes some 50 bytes: texts that would become gigabytes of values are refused before they are parsed.
constexpr size_t kMaxValues = size_t{1} << 18;
constexpr unsigned kMaxDepth = 64;

/// Whether the text has no more values and no deeper nesting than any recorded document.
bool has_sane_shape(std::span<const uint8_t> text) {
  size_t values = 0;
  unsigned depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const uint8_t c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
      continue;
    }
    in_string = c == '"';
    values += c == ',' || c == '[' || c == '{' ? 1 : 0;
    depth += c == '[' || c == '{' ? 1 : 0;
    if ((c == ']' || c == '}') && depth > 0) --depth;
    if (depth > kMaxDepth || values > kMaxValues) return false;
  }
  return true;
}

const nlohmann::json& empty_object() {
  static const nlohmann::json kEmpty = nlohmann::json::object();
  return kEmpty;
}

}  // namespace

Document::Document() : root_(std::make_unique<nlohmann::json>()) {}
Document::~Document() = default;
Document::Document(Document&& other) noexcept = default;
Document& Document::operator=(Document&& other) noexcept = default;

bool Document::parse(std::span<const uint8_t> payload, Problem& problem) {
  const auto end = std::find(payload.begin(), payload.end(), uint8_t{0});
  const auto text_size = static_cast<size_t>(end - payload.begin());
  const std::span<const uint8_t> text = payload.first(text_size);
  data_ = end == payload.end() ? std::span<const uint8_t>() : payload.subspan(text_size + 1);
  if (!has_sane_shape(text)) return fail(problem, Cause::damaged, "its description has too many values");
  *root_ = nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
  if (!root_->is_object()) return fail(problem, Cause::damaged, "its description is not a JSON object");
  Problem version_problem;
  const uint64_t version = Fields(*root_, "the description", version_problem).number("version");
  if (version_problem.cause == Cause::none && version >= kOldestVersion && version <= kNewestVersion) return true;
  return fail(problem, Cause::damaged, "its description is not of version 5 or 6");
}

const nlohmann::json* Document::find(const char* list, uint64_t hash, Problem& problem) const {
  const auto objects = root_->find(list);
  if (objects != root_->end() && objects->is_object()) {
    const auto object = objects->find(hash_name(hash));
    if (object != objects->end() && object->is_object()) return &*object;
  }
  fail(problem, Cause::damaged, std::string("its description has no member of its own hash in ") + list);
  return nullptr;
}

Fields::Fields(const nlohmann::json& object, std::string what, Problem& problem)
    : object_(object), what_(std::move(what)), problem_(problem) {
  if (!object_.is_object()) wrong(what_ + " is no JSON object");
}

void Fields::wrong(const std::string& message) {
  if (ok()) fail(problem_, Cause::damaged, message);
}

bool Fields::has(const char* name) const {
  return object_.is_object() && object_.contains(name);
}

const nlohmann::json* Fields::member(const char* name) {
  if (!ok()) return nullptr;
  const auto at = object_.find(name);
  if (at == object_.end()) {
    wrong(what_ + " lacks \"" + name + "\"");
    return nullptr;
  }
  return &*at;
}

uint64_t Fields::to_number(const nlohmann::json& value, const char* name, uint64_t limit) {
  // A signed number that is not negative is stored as an unsigned one.
  if (value.is_number_unsigned() && value.get<uint64_t>() <= limit) return value.get<uint64_t>();
  wrong("\"" + std::string(name) + "\" of " + what_ + " is no number in range");
  return 0;
}

uint64_t Fields::to_hash(const nlohmann::json& value, const char* name) {
  uint64_t hash = 0;
  if (value.is_string() && parse_hash(value.get_ref<const std::string&>(), hash)) return hash;
  wrong("\"" + std::string(name) + "\" of " + what_ + " is no hash");
  return 0;
}

uint64_t Fields::number(const char* name, uint64_t limit) {
  const nlohmann::json* value = member(name);
  return value == nullptr ? 0 : to_number(*value, name, limit);
}

uint64_t Fields::number_or(const char* name, uint64_t fallback, uint64_t limit) {
  return has(name) ? number(name, limit) : fallback;
}

double Fields::real(const char* name) {
  const nlohmann::json* value = member(name);
  if (value == nullptr) return 0;
  if (value->is_number()) return value->get<double>();
  wrong("\"" + std::string(name) + "\" of " + what_ + " is no number");
  return 0;
}

uint64_t Fields::hash(const char* name) {
  const nlohmann::json* value = member(name);
  return value == nullptr ? 0 : to_hash(*value, name);
}

std::string Fields::text(const char* name) {
  const nlohmann::json* value = member(name);
  if (value == nullptr) return {};
  if (value->is_string()) return value->get<std::string>();
  wrong("\"" + std::string(name) + "\" of " + what_ + " is no text");
  return {};
}

const nlohmann::json& Fields::object(const char* name) {
  const nlohmann::json* value = member(name);
  return value == nullptr ? empty_object() : *value;
}

size_t Fields::array_size(const char* name) {
  if (!ok() || !has(name)) return 0;
  const nlohmann::json& list = object_[name];
  if (!list.is_array()) wrong("\"" + std::string(name) + "\" of " + what_ + " is no list");
  return list.is_array() ? list.size() : 0;
}

const nlohmann::json& Fields::element(const char* name, size_t index) {
  return object_[name][index];
}

std::vector<uint64_t> Fields::hashes(const char* name) {
  std::vector<uint64_t> list;
  for_each(name, [&](const nlohmann::json& value) { list.push_back(to_hash(value, name)); });
  return list;
}

std::vector<uint32_t> Fields::numbers(const char* name) {
  std::vector<uint32_t> list;
  for_each(name, [&](const nlohmann::json& value) {
    list.push_back(static_cast<uint32_t>(to_number(value, name, UINT32_MAX)));
  });
  return list;
}

}  // namespace spalt_tool::replay
