// SPDX-License-Identifier: MIT
#include "amdgpu/metadata/register_text.h"

#include <cstdio>

#include "amdgpu/metadata/registers.h"
#include "amdgpu/metadata/user_data_codes.h"

namespace spalt::metadata {
namespace {

std::string user_data_register_name(Stage stage, unsigned index) {
  return "user data " + std::to_string(index) + " of " + std::string(kStageNames[static_cast<unsigned>(stage)]);
}

}  // namespace

std::string hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string register_text(uint32_t offset, uint32_t value, const isa::Target& target) {
  Stage stage{};
  unsigned index = 0;
  if (user_data_register(offset, target.generation, stage, index)) {
    return user_data_register_name(stage, index) + ": " + user_data_name(value);
  }
  const Register* reg = find_register(offset, target.generation);
  if (reg == nullptr) return {};
  std::string out(reg->name);
  char separator = ':';
  for (const RegisterField& field : reg->fields) {
    const uint32_t bits = field.of(value);
    if (!field.generations.has(target.generation) || bits == 0) continue;
    out += separator;
    out += ' ' + std::string(field.name) + ' ' + (bits < 10 ? std::to_string(bits) : hex(bits));
    separator = ',';
  }
  return out;
}

std::string register_json(uint32_t offset, uint32_t value, const isa::Target& target) {
  Stage stage{};
  unsigned index = 0;
  if (user_data_register(offset, target.generation, stage, index)) {
    return "\"name\": \"" + user_data_register_name(stage, index) + "\", \"content\": \"" + user_data_name(value) + '"';
  }
  const Register* reg = find_register(offset, target.generation);
  if (reg == nullptr) return "\"name\": null";
  std::string out = "\"name\": \"" + std::string(reg->name) + "\", \"fields\": {";
  bool first = true;
  for (const RegisterField& field : reg->fields) {
    if (!field.generations.has(target.generation)) continue;
    out += (first ? "\"" : ", \"") + std::string(field.name) + "\": " + std::to_string(field.of(value));
    first = false;
  }
  return out + '}';
}

}  // namespace spalt::metadata
