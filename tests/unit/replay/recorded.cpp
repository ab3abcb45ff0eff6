// SPDX-License-Identifier: MIT
#include "recorded.h"

#include <cstdio>
#include <stdexcept>
#include <utility>

namespace spalt_tool::replay {
namespace {

std::string word(uint32_t value) {
  std::string bytes;
  for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<char>(value >> (8 * i)));
  return bytes;
}

}  // namespace

std::string record(Tag tag, uint64_t hash, const std::string& payload) {
  char name[41];
  std::snprintf(name, sizeof name, "%024x%016llx", static_cast<unsigned>(tag), static_cast<unsigned long long>(hash));
  const std::string size = word(static_cast<uint32_t>(payload.size()));
  return name + size + word(1) + word(0) + size + payload;
}

std::string object_record(Tag tag, const std::string& list, uint64_t hash, const std::string& object,
                          const std::string& data) {
  std::string payload = R"({"version": 6, ")" + list + R"(": {")" + hash_name(hash) + "\": " + object + "}}";
  if (!data.empty()) payload += '\0' + data;
  return record(tag, hash, payload);
}

std::string module_record(uint64_t hash, const std::vector<uint32_t>& words) {
  std::string data;
  for (uint32_t value : words) {
    for (; value >= 0x80; value >>= 7) data.push_back(static_cast<char>(0x80 | (value & 0x7f)));
    data.push_back(static_cast<char>(value));
  }
  const std::string object = R"({"flags": 0, "varintOffset": 0, "varintSize": )" + std::to_string(data.size()) +
                             R"(, "codeSize": )" + std::to_string(4 * words.size()) + "}";
  return object_record(Tag::shader_module, "shaderModules", hash, object, data);
}

std::string pipeline_record(uint64_t hash, uint64_t layout, uint64_t module, const std::string& stage_members) {
  const std::string object = R"({"flags": 0, "layout": ")" + hash_name(layout) +
                             R"(", "stage": {"flags": 0, "stage": 32,
    "name": "main", "module": ")" +
                             hash_name(module) + "\"" + stage_members + "}}";
  return object_record(Tag::compute_pipeline, "computePipelines", hash, object);
}

std::vector<uint8_t> archive_bytes(const std::string& records) {
  const std::string bytes = std::string(
                                "\x81"
                                "FOSSILIZEDB") +
                            std::string(3, '\0') + '\6' + records;
  return {bytes.begin(), bytes.end()};
}

Archive open_archive(const std::string& records) {
  Archive archive;
  std::string error;
  if (!archive.open(in_memory(archive_bytes(records)), error)) throw std::runtime_error(error);
  return archive;
}

Database database_of(const std::string& records) {
  Database database;
  database.add("memory", open_archive(records));
  return database;
}

}  // namespace spalt_tool::replay
