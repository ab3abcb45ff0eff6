// SPDX-License-Identifier: MIT
#include <charconv>
#include <cstring>
#include <map>

#include "replay/pipe/read_members.h"

namespace spalt_tool::replay::pipe {
namespace {

/// What the words of a list of constants are.
struct DataForm {
  std::string_view name;
  uint32_t bytes;
  bool is_float;
};
constexpr DataForm kDataForms[] = {{"intData", 4, false},    {"uintData", 4, false}, {"int64Data", 8, false},
                                   {"uint64Data", 8, false}, {"floatData", 4, true}, {"doubleData", 8, true}};

template <class T>
void append(std::vector<uint8_t>& data, T value) {
  data.resize(data.size() + sizeof value);
  std::memcpy(data.data() + data.size() - sizeof value, &value, sizeof value);
}

bool append_word(std::string_view word, const DataForm& form, std::vector<uint8_t>& data) {
  if (form.is_float) {
    double number = 0;
    const auto parsed = std::from_chars(word.data(), word.data() + word.size(), number);
    if (parsed.ec != std::errc() || parsed.ptr != word.data() + word.size()) return false;
    if (form.bytes == 8) append(data, number);
    if (form.bytes == 4) append(data, static_cast<float>(number));
    return true;
  }
  int64_t number = 0;
  if (!parse_number(word, number)) return false;
  if (form.bytes == 8) append(data, number);
  if (form.bytes == 4) append(data, static_cast<uint32_t>(number));
  return true;
}

bool read_data(const Assignment& assignment, std::vector<uint8_t>& data, Problem& problem) {
  for (const DataForm& form : kDataForms) {
    if (assignment.path[1].name != form.name) continue;
    const bool read =
        for_each_word(assignment.value, [&](std::string_view word) { return append_word(word, form, data); });
    return read || fail_at(problem, assignment.line, assignment.name() + " must be a list of numbers");
  }
  return fail(problem, Cause::unsupported,
              "specialization constants as " + std::string(assignment.path[1].name) + " are not supported");
}

using Entries = std::map<uint32_t, SpecializationState::Entry>;

bool read_specialization(const Assignment& assignment, Entries& entries, SpecializationState& state, Problem& problem) {
  const std::vector<Step>& path = assignment.path;
  if (path.size() == 2) return read_data(assignment, state.data, problem);
  if (path.size() != 3 || path[1].name != "mapEntry") {
    return fail_at(problem, assignment.line, assignment.name() + ": specConst has no such member");
  }
  SpecializationState::Entry& entry = entries[path[1].index];
  if (path[2].name == "constantID") return read_number(assignment, entry.constant_id, problem);
  if (path[2].name == "offset") return read_number(assignment, entry.offset, problem);
  if (path[2].name == "size") return read_number(assignment, entry.size, problem);
  return fail_at(problem, assignment.line, assignment.name() + ": mapEntry has no such member");
}

/// A wave size that was chosen for the shader counts as one that it requires.
bool read_shader_option(const Assignment& assignment, StageState& stage, Problem& problem) {
  const std::vector<Step>& path = assignment.path;
  if (path.size() != 2 || (path[1].name != "waveSize" && path[1].name != "subgroupSize")) return true;
  uint32_t lanes = 0;
  if (!read_number(assignment, lanes, problem)) return false;
  if (lanes != 0 && (stage.required_subgroup_size == 0 || path[1].name == "waveSize")) {
    stage.required_subgroup_size = lanes;
  }
  return true;
}

}  // namespace

bool read_shader_info(const Section& section, StageState& stage, PipeState& state, Problem& problem) {
  std::vector<Assignment> assignments;
  if (!read_assignments(section, assignments, problem)) return false;
  Entries entries;
  MappingReader mapping;
  for (const Assignment& assignment : assignments) {
    const std::string_view name = assignment.path[0].name;
    if (name == "entryPoint") {
      stage.entry_point = assignment.value;
    } else if (name == "specConst") {
      if (!read_specialization(assignment, entries, stage.specialization, problem)) return false;
    } else if (name == "options") {
      if (!read_shader_option(assignment, stage, problem)) return false;
    } else if (!mapping.read(assignment, problem)) {
      return false;
    }
  }
  for (const auto& [index, entry] : entries) stage.specialization.entries.push_back(entry);
  mapping.finish(stage_bit(stage.stage), state);
  return true;
}

}  // namespace spalt_tool::replay::pipe
