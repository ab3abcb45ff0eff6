// SPDX-License-Identifier: MIT
#include "pipeline_list.h"

#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

#include "files.h"
#include "shader_input/shader_input.h"

namespace spalt_tool {
namespace {

using Json = nlohmann::json;

bool fail(std::string& error, const std::string& message) {
  error = message;
  return false;
}

/// What stands in the object as text; empty where there is none.
std::string text_member(const Json& object, const char* name) {
  const auto at = object.find(name);
  return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

bool read_constants(const Json& constants, ListedPipeline& pipeline, std::string& error) {
  if (!constants.is_object()) return fail(error, "specialization: expected an object");
  for (const auto& [key, value] : constants.items()) {
    uint32_t id = 0;
    const auto parsed = std::from_chars(key.data(), key.data() + key.size(), id);
    if (parsed.ec != std::errc() || parsed.ptr != key.data() + key.size() || !value.is_array()) {
      return fail(error, "specialization: expected lists of words by constant id");
    }
    const auto offset = static_cast<uint32_t>(pipeline.specialization_data.size() * sizeof(uint32_t));
    pipeline.specialization.push_back({id, offset, value.size() * sizeof(uint32_t)});
    for (const Json& word : value) {
      if (!word.is_number_unsigned()) return fail(error, "specialization: expected words as numbers from 0 on");
      pipeline.specialization_data.push_back(word.get<uint32_t>());
    }
  }
  return true;
}

bool read_shader(const Json& object, const char* stage, const std::filesystem::path& folder,
                 std::vector<uint32_t>& words, std::string& error) {
  const std::string file = text_member(object, stage);
  return file.empty() || shader_input::load((folder / file).string(), {}, words, error);
}

bool read_pipeline(const Json& object, const std::filesystem::path& folder, ListedPipeline& pipeline,
                   std::string& error) {
  if (!object.is_object()) return fail(error, "expected an object");
  for (const auto& [name, value] : object.items()) {
    constexpr std::string_view kMembers[] = {"name", "vertex", "fragment", "specialization", "state"};
    if (std::find(std::begin(kMembers), std::end(kMembers), name) == std::end(kMembers)) {
      return fail(error, "there is no member \"" + name + "\"");
    }
  }
  pipeline.name = text_member(object, "name");
  if (pipeline.name.empty()) return fail(error, "expected a name");
  if (!read_shader(object, "vertex", folder, pipeline.vertex, error)) return false;
  if (!read_shader(object, "fragment", folder, pipeline.fragment, error)) return false;
  if (pipeline.vertex.empty()) return fail(error, "expected a vertex shader");
  if (const auto at = object.find("specialization"); at != object.end() && !read_constants(*at, pipeline, error)) {
    return false;
  }
  if (const auto at = object.find("state"); at != object.end()) return pipeline.state.read(*at, "state", error);
  return pipeline.state.derive(pipeline.vertex, pipeline.fragment, error);
}

}  // namespace

std::deque<ListedPipeline> read_pipeline_list(const std::string& path, std::string& problems) {
  std::deque<ListedPipeline> list;
  std::vector<uint8_t> bytes;
  if (!read_file(path, bytes, problems)) return list;
  const Json document = Json::parse(bytes.begin(), bytes.end(), nullptr, false);
  if (!document.is_array()) {
    problems = path + ": expected a JSON list of pipelines";
    return list;
  }
  for (size_t i = 0; i < document.size(); ++i) {
    std::string error;
    if (read_pipeline(document[i], std::filesystem::path(path).parent_path(), list.emplace_back(), error)) continue;
    const std::string& name = list.back().name;
    const std::string place = path + "/" + (name.empty() ? std::to_string(i) : name);
    problems += (problems.empty() ? "" : "\n") + place + ": " + error;
    list.pop_back();
  }
  return list;
}

}  // namespace spalt_tool
