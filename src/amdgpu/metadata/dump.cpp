// SPDX-License-Identifier: MIT
#include "amdgpu/metadata/dump.h"

#include <vector>

#include "amdgpu/metadata/register_text.h"
#include "amdgpu/metadata/user_data_codes.h"
#include "amdgpu/metadata/values.h"

namespace spalt::metadata {
namespace {

using object::Object;
using Type = msgpack::type::object_type;

/// A map or array whose members are being written.
struct Open {
  const Object* object;
  unsigned indent;
  bool user_data;  ///< the array of user-data codes
  bool registers;  ///< the map of raw registers
  uint32_t next = 0;

  uint32_t size() const { return object->type == Type::MAP ? object->via.map.size : object->via.array.size; }
};

/// Members one after another with a stack of our own: the depth is the document's.
class TextDump {
 public:
  explicit TextDump(const isa::Target& target) : target_(target) {}

  std::string run(const Object& root) {
    if (!is_container(root)) return value_text(root) + "\n";
    open_.push_back({&root, 0, false, false});
    while (!open_.empty()) {
      Open& top = open_.back();
      if (top.next == top.size()) {
        open_.pop_back();
        continue;
      }
      const uint32_t index = top.next++;
      if (top.object->type == Type::MAP) {
        member(Open(top), top.object->via.map.ptr[index]);
      } else {
        element(Open(top), top.object->via.array.ptr[index]);
      }
    }
    return std::move(out_);
  }

 private:
  void begin_line(unsigned indent) {
    if (!continues_) out_.append(indent, ' ');
    continues_ = false;
  }

  void member(const Open& place, const msgpack::object_kv& entry) {
    begin_line(place.indent);
    uint64_t reg = 0, value = 0;
    const bool raw = place.registers && object::number_of(&entry.key, reg) && object::number_of(&entry.val, value) &&
                     reg <= UINT32_MAX && value <= UINT32_MAX;
    if (raw) {
      const std::string meaning = register_text(static_cast<uint32_t>(reg), static_cast<uint32_t>(value), target_);
      out_ += hex(reg) + ": " + hex(value) + (meaning.empty() ? "\n" : "  # " + meaning + "\n");
      return;
    }
    out_ += (is_container(entry.key) ? std::string("?") : value_text(entry.key)) + ':';
    const std::string_view key = object::text_of(&entry.key);
    content(entry.val, place.indent + 2, key == ".user_data_reg_map", key == ".registers");
  }

  void element(const Open& place, const Object& value) {
    begin_line(place.indent);
    out_ += '-';
    if (is_container(value) && value.type == Type::MAP && value.via.map.size != 0) {
      out_ += ' ';
      continues_ = true;
      open_.push_back({&value, place.indent + 2, false, false});
      return;
    }
    uint64_t code = 0;
    if (place.user_data && object::number_of(&value, code) && code <= UINT32_MAX) {
      out_ += ' ' + std::to_string(code) + "  # " + user_data_name(static_cast<uint32_t>(code)) + "\n";
      return;
    }
    content(value, place.indent + 2, false, false);
  }

  void content(const Object& value, unsigned indent, bool user_data, bool registers) {
    if (!is_container(value)) {
      out_ += ' ' + value_text(value) + '\n';
      return;
    }
    const Open next{&value, indent, user_data, registers};
    if (next.size() == 0) {
      out_ += value.type == Type::MAP ? " {}\n" : " []\n";
      return;
    }
    out_ += '\n';
    open_.push_back(next);
  }

  const isa::Target& target_;
  std::string out_;
  std::vector<Open> open_;
  bool continues_ = false;  ///< the line has begun: the first member follows its dash
};

class JsonDump {
 public:
  void run(const Object& root, std::string& out) {
    value(root, out);
    while (!open_.empty()) {
      Open& top = open_.back();
      const bool map = top.object->type == Type::MAP;
      if (top.next == top.size()) {
        out += map ? '}' : ']';
        open_.pop_back();
        continue;
      }
      const uint32_t index = top.next++;
      if (index != 0) out += ", ";
      if (map) {
        const auto& entry = top.object->via.map.ptr[index];
        out += key_json(entry.key) + ": ";
        value(entry.val, out);
      } else {
        value(top.object->via.array.ptr[index], out);
      }
    }
  }

 private:
  void value(const Object& object, std::string& out) {
    if (!is_container(object)) {
      out += value_json(object);
      return;
    }
    out += object.type == Type::MAP ? '{' : '[';
    open_.push_back({&object, 0, false, false});
  }

  std::vector<Open> open_;
};

std::string registers_json(const Object& root, const isa::Target& target) {
  const Object* pipelines = object::find(&root, "amdpal.pipelines");
  if (!object::is_array(pipelines) || pipelines->via.array.size == 0) return "{}";
  const Object* registers = object::find(&pipelines->via.array.ptr[0], ".registers");
  if (!object::is_map(registers)) return "{}";
  std::string out = "{";
  for (uint32_t i = 0; i < registers->via.map.size; ++i) {
    const auto& entry = registers->via.map.ptr[i];
    uint32_t reg = 0, value = 0;
    if (!object::number32_of(&entry.key, reg) || !object::number32_of(&entry.val, value)) continue;
    out += (out.size() == 1 ? "\"" : ", \"") + hex(reg) + "\": {\"value\": " + std::to_string(value) + ", " +
           register_json(reg, value, target) + '}';
  }
  return out + '}';
}

}  // namespace

std::string dump_text(const Object& root, const isa::Target& target) {
  return TextDump(target).run(root);
}

std::string dump_json(const Object& root, const isa::Target& target, const Report& report) {
  std::string out = "{\"target\": " + json_string(target.name) +
                    ",\n \"valid\": " + (report.valid() ? "true" : "false") + ",\n \"metadata\": ";
  JsonDump().run(root, out);
  out += ",\n \"registers\": " + registers_json(root, target) + ",\n \"findings\": [";
  bool first = true;
  for (const Finding& finding : report.findings()) {
    out += first ? "\n" : ",\n";
    out += std::string("  {\"severity\": ") + (finding.severity == Severity::error ? "\"error\"" : "\"note\"") +
           ", \"rule\": " + json_string(finding.rule) + ", \"path\": " + json_string(finding.path) +
           ", \"message\": " + json_string(finding.message) + '}';
    first = false;
  }
  return out + "]}\n";
}

std::string findings_text(const Report& report) {
  std::string out;
  for (const Finding& finding : report.findings()) {
    out += finding.severity == Severity::error ? "error: " : "note: ";
    if (!finding.path.empty()) out += finding.path + ": ";
    out += finding.message + " [" + std::string(finding.rule) + "]\n";
  }
  if (report.full()) out += "more findings are left out\n";
  return out;
}

}  // namespace spalt::metadata
