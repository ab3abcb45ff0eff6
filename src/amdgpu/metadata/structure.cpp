// SPDX-License-Identifier: MIT
#include "amdgpu/metadata/structure.h"

#include <algorithm>
#include <bitset>
#include <cmath>
#include <vector>

#include "amdgpu/metadata/keys.h"
#include "amdgpu/metadata/registers.h"

namespace spalt::metadata {
namespace {

using object::Object;
using Type = msgpack::type::object_type;

std::string shown(std::string_view text) {
  constexpr size_t kMaxShown = 48;
  std::string out;
  for (char c : text.substr(0, kMaxShown)) out += c >= ' ' && c <= '~' ? c : '?';
  return '"' + out + (text.size() > kMaxShown ? "...\"" : "\"");
}

const char* type_name(const Object& object) {
  switch (object.type) {
    case Type::NIL:
      return "nil";
    case Type::BOOLEAN:
      return "a boolean";
    case Type::POSITIVE_INTEGER:
      return "an integer";
    case Type::NEGATIVE_INTEGER:
      return "a negative integer";
    case Type::FLOAT32:
    case Type::FLOAT64:
      return "a floating-point number";
    case Type::STR:
      return "a string";
    case Type::BIN:
      return "a blob";
    case Type::ARRAY:
      return "an array";
    case Type::MAP:
      return "a map";
    default:
      return "an extension";
  }
}

const char* kind_name(Kind kind) {
  switch (kind) {
    case Kind::flag:
      return "a boolean";
    case Kind::integer:
      return "a number that is not negative";
    case Kind::real:
      return "a number";
    case Kind::text:
    case Kind::name:
    case Kind::stage_names:
      return "a string";
    case Kind::bytes:
      return "a blob";
    case Kind::map:
    case Kind::named_maps:
    case Kind::registers:
      return "a map";
  }
  return "";
}

bool is_number(const Object& object) {
  switch (object.type) {
    case Type::BOOLEAN:
    case Type::POSITIVE_INTEGER:
    case Type::NEGATIVE_INTEGER:
    case Type::FLOAT32:
    case Type::FLOAT64:
      return true;
    default:
      return false;
  }
}

bool has_type(const Object& object, Kind kind) {
  uint64_t value = 0;
  switch (kind) {
    case Kind::flag:
    case Kind::integer:
      return whole_number(&object, value);
    case Kind::real:
      return is_number(object);
    case Kind::text:
    case Kind::name:
    case Kind::stage_names:
      return object.type == Type::STR;
    case Kind::bytes:
      return object.type == Type::BIN || object.type == Type::STR;
    case Kind::map:
    case Kind::named_maps:
    case Kind::registers:
      return object.type == Type::MAP;
  }
  return false;
}

/// The walk. Maps wait in a list, so that nothing recurses; the tables bound how deep it goes, and what they do not
/// know is not entered.
class Walk {
 public:
  Walk(const isa::Target& target, uint64_t major, Report& report) : target_(target), major_(major), report_(report) {}

  void run(const Object& root) {
    pending_.push_back({&root, root_keys(), ""});
    for (size_t i = 0; i < pending_.size() && !report_.full(); ++i) {
      const Pending next = std::move(pending_[i]);
      map(next);
    }
  }

 private:
  struct Pending {
    const Object* object;
    std::span<const Key> keys;
    std::string path;
  };

  static std::string join(const std::string& path, std::string_view key) {
    return path.empty() ? std::string(key) : path + "/" + std::string(key);
  }

  void map(const Pending& place) {
    std::bitset<128> seen;
    for (uint32_t i = 0; i < place.object->via.map.size && !report_.full(); ++i) {
      const auto& entry = place.object->via.map.ptr[i];
      const std::string_view name = object::text_of(&entry.key);
      const auto key = std::find_if(place.keys.begin(), place.keys.end(), [&](const Key& k) { return k.key == name; });
      if (entry.key.type != Type::STR || key == place.keys.end()) {
        report_.note("unknown_key", place.path,
                     entry.key.type == Type::STR ? "the key " + shown(name) + " is not known; loaders skip it"
                                                 : "a key is not a string; loaders skip it");
        continue;
      }
      const auto index = static_cast<size_t>(key - place.keys.begin());
      const std::string path = join(place.path, name);
      if (seen[index]) report_.error("duplicate_key", path, "the key stands twice in its map");
      seen[index] = true;
      if (!key->generations.has(target_.generation)) {
        report_.note("unread_key", path, "loaders for " + std::string(target_.name) + " do not read it");
      }
      values(entry.val, *key, path);
    }
    for (size_t i = 0; i < place.keys.size(); ++i) {
      const Key& key = place.keys[i];
      const bool wanted = key.required == Required::always || (key.required == Required::in_version_2 && major_ == 2);
      if (wanted && !seen[i]) report_.error("missing_key", join(place.path, key.key), "the key is required");
    }
  }

  void values(const Object& object, const Key& key, const std::string& path) {
    if (key.elements == 0) return value(object, key, path);
    if (object.type != Type::ARRAY) {
      return report_.error("wrong_type", path, std::string("it is ") + type_name(object) + ", but must be an array");
    }
    if (object.via.array.size > key.elements) {
      return report_.error("too_long", path,
                           "the array has " + std::to_string(object.via.array.size) + " elements, but at most " +
                               std::to_string(key.elements) + " are allowed");
    }
    for (uint32_t i = 0; i < object.via.array.size; ++i) {
      value(object.via.array.ptr[i], key, path + "[" + std::to_string(i) + "]");
    }
  }

  void value(const Object& object, const Key& key, const std::string& path) {
    if (!has_type(object, key.kind)) {
      return report_.error("wrong_type", path,
                           std::string("it is ") + type_name(object) + ", but must be " + kind_name(key.kind));
    }
    switch (key.kind) {
      case Kind::flag:
      case Kind::integer:
        return number(object, key, path);
      case Kind::text:
        return text(object, key, path);
      case Kind::name:
        return one_of(object, key.names, path);
      case Kind::stage_names:
        return one_of(object, kStageNames, path);
      case Kind::map:
        pending_.push_back({&object, key.members(), path});
        return;
      case Kind::named_maps:
        return named_maps(object, key, path);
      case Kind::registers:
        return registers(object, path);
      case Kind::real:
      case Kind::bytes:
        return;
    }
  }

  void number(const Object& object, const Key& key, const std::string& path) {
    uint64_t number = 0;
    whole_number(&object, number);
    if (number <= key.max) return;
    report_.error(
        "out_of_range", path,
        "the value is " + std::to_string(number) + ", but at most " + std::to_string(key.max) + " is allowed");
  }

  void text(const Object& object, const Key& key, const std::string& path) {
    const size_t size = object::text_of(&object).size();
    if (size <= key.max) return;
    report_.error(
        "too_long", path,
        "the string has " + std::to_string(size) + " bytes, but at most " + std::to_string(key.max) + " are allowed");
  }

  void one_of(const Object& object, std::span<const std::string_view> names, const std::string& path) {
    const std::string_view name = object::text_of(&object);
    if (std::find(names.begin(), names.end(), name) != names.end()) return;
    std::string list;
    for (std::string_view known : names) list += (list.empty() ? "" : ", ") + std::string(known);
    report_.error("unknown_name", path, "the value " + shown(name) + " is none of " + list);
  }

  void named_maps(const Object& object, const Key& key, const std::string& path) {
    std::vector<std::string_view> names;
    for (uint32_t i = 0; i < object.via.map.size && !report_.full(); ++i) {
      const auto& entry = object.via.map.ptr[i];
      const std::string_view name = object::text_of(&entry.key);
      if (entry.key.type != Type::STR || entry.val.type != Type::MAP) {
        report_.error("wrong_type", path, "an entry is not a string with a map");
        continue;
      }
      names.push_back(name);
      pending_.push_back({&entry.val, key.members(), join(path, shown(name))});
    }
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end()) report_.error("duplicate_key", path, "the key " + shown(*twice) + " stands twice");
  }

  void registers(const Object& object, const std::string& path) {
    std::vector<uint64_t> numbers;
    for (uint32_t i = 0; i < object.via.map.size && !report_.full(); ++i) {
      const auto& entry = object.via.map.ptr[i];
      uint64_t number = 0, value = 0;
      if (!whole_number(&entry.key, number) || number > UINT32_MAX) {
        report_.error("wrong_type", path, "a key is not a register number");
        continue;
      }
      numbers.push_back(number);
      if (whole_number(&entry.val, value) && value <= UINT32_MAX) continue;
      report_.error("wrong_type", join(path, std::to_string(number)), "the value is not a 32-bit number");
    }
    std::sort(numbers.begin(), numbers.end());
    const auto twice = std::adjacent_find(numbers.begin(), numbers.end());
    if (twice != numbers.end()) {
      report_.error("duplicate_key", join(path, std::to_string(*twice)), "the register stands twice in the map");
    }
  }

  const isa::Target& target_;
  const uint64_t major_;
  Report& report_;
  std::vector<Pending> pending_;
};

}  // namespace

bool whole_number(const Object* object, uint64_t& value) {
  if (object::number_of(object, value)) return true;
  if (object == nullptr || (object->type != Type::FLOAT32 && object->type != Type::FLOAT64)) return false;
  const double number = object->via.f64;
  if (!(number >= 0 && number < 0x1p64) || std::floor(number) != number) return false;
  value = static_cast<uint64_t>(number);
  return true;
}

uint64_t major_version(const Object& root) {
  const Object* version = object::find(&root, "amdpal.version");
  uint64_t major = 0;
  if (object::is_array(version) && version->via.array.size != 0) whole_number(&version->via.array.ptr[0], major);
  return major;
}

void check_structure(const Object& root, const isa::Target& target, Report& report) {
  if (root.type != Type::MAP) return report.error("wrong_type", "", "the document is not a map");
  Walk(target, major_version(root), report).run(root);
}

}  // namespace spalt::metadata
