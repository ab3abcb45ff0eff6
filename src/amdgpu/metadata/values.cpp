// SPDX-License-Identifier: MIT
#include "amdgpu/metadata/values.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace spalt::metadata {
namespace {

using object::Object;
using Type = msgpack::type::object_type;

constexpr size_t kMaxBlobShown = 64;

std::string float_text(double value) {
  if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

std::string blob_text(const char* bytes, size_t size) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (size_t i = 0; i < std::min(size, kMaxBlobShown); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  if (size > kMaxBlobShown) out += "... (" + std::to_string(size) + " bytes)";
  return out;
}

bool is_plain(std::string_view text) {
  const auto plain = [](char c) { return c > ' ' && c <= '~' && c != '"' && c != '#' && c != ':' && c != '\\'; };
  return !text.empty() && text[0] != '-' && std::all_of(text.begin(), text.end(), plain);
}

}  // namespace

bool is_container(const Object& object) {
  return object.type == Type::MAP || object.type == Type::ARRAY;
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c >= ' ' && c <= '~') {
      out += c;
    } else {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
      out += escape;
    }
  }
  return out + '"';
}

std::string value_text(const Object& object) {
  switch (object.type) {
    case Type::NIL:
      return "nil";
    case Type::BOOLEAN:
      return object.via.boolean ? "true" : "false";
    case Type::POSITIVE_INTEGER:
      return std::to_string(object.via.u64);
    case Type::NEGATIVE_INTEGER:
      return std::to_string(object.via.i64);
    case Type::FLOAT32:
    case Type::FLOAT64:
      return float_text(object.via.f64);
    case Type::STR: {
      const std::string_view text = object::text_of(&object);
      return is_plain(text) ? std::string(text) : json_string(text);
    }
    case Type::BIN:
      return "blob " + blob_text(object.via.bin.ptr, object.via.bin.size);
    case Type::EXT:
      return "extension " + blob_text(object.via.ext.data(), object.via.ext.size);
    default:
      return "?";
  }
}

std::string value_json(const Object& object) {
  switch (object.type) {
    case Type::NIL:
      return "null";
    case Type::STR:
      return json_string(object::text_of(&object));
    case Type::FLOAT32:
    case Type::FLOAT64:
      return std::isfinite(object.via.f64) ? float_text(object.via.f64) : json_string(float_text(object.via.f64));
    case Type::BIN:
    case Type::EXT:
      return json_string(value_text(object));
    default:
      return value_text(object);
  }
}

std::string key_json(const Object& key) {
  if (key.type == Type::STR) return json_string(object::text_of(&key));
  return json_string(is_container(key) ? std::string("?") : value_text(key));
}

}  // namespace spalt::metadata
