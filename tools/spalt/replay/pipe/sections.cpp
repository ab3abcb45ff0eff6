// SPDX-License-Identifier: MIT
#include "replay/pipe/sections.h"

#include <algorithm>
#include <charconv>

namespace spalt_tool::replay::pipe {
namespace {

constexpr std::string_view kSpaces = " \t\r\n";
/// Far above what any member has.
constexpr size_t kMaxSteps = 16;

std::string_view trim(std::string_view text) {
  const size_t first = text.find_first_not_of(kSpaces);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

/// Takes the next line off `rest`, without its end.
std::string_view next_line(std::string_view& rest) {
  const size_t end = rest.find('\n');
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
  return line;
}

/// "name[3]"; false when it is neither that nor a name.
bool parse_step(std::string_view text, Step& step) {
  text = trim(text);
  const size_t bracket = text.find('[');
  step.name = trim(text.substr(0, bracket));
  if (step.name.empty()) return false;
  if (bracket == text.npos) return true;
  if (text.back() != ']') return false;
  const std::string_view index = trim(text.substr(bracket + 1, text.size() - bracket - 2));
  const char* end = index.data() + index.size();
  const auto parsed = std::from_chars(index.data(), end, step.index);
  return !index.empty() && parsed.ec == std::errc() && parsed.ptr == end;
}

bool parse_path(std::string_view key, std::vector<Step>& path) {
  for (size_t at = 0; at <= key.size();) {
    const size_t dot = std::min(key.find('.', at), key.size());
    if (path.size() == kMaxSteps || !parse_step(key.substr(at, dot - at), path.emplace_back())) return false;
    at = dot + 1;
  }
  return true;
}

}  // namespace

std::vector<Section> split_sections(std::string_view text) {
  std::vector<Section> sections;
  std::string_view rest = text;
  for (uint32_t number = 1; !rest.empty(); ++number) {
    const std::string_view line = next_line(rest);
    const size_t bracket = line.starts_with('[') ? line.find(']') : line.npos;
    if (bracket != line.npos) {
      // LLPC's own reader takes what follows a comma for no part of the name.
      const std::string_view name = line.substr(1, bracket - 1);
      sections.push_back({trim(name.substr(0, name.find(','))), number, rest.substr(0, 0)});
    } else if (!sections.empty()) {
      std::string_view& body = sections.back().body;
      body = {body.data(), static_cast<size_t>(rest.data() - body.data())};
    }
  }
  return sections;
}

std::string Assignment::name() const {
  const std::string_view first = path.front().name, last = path.back().name;
  std::string_view whole(first.data(), static_cast<size_t>(last.data() + last.size() - first.data()));
  return std::string(whole);
}

bool read_assignments(const Section& section, std::vector<Assignment>& assignments, Problem& problem) {
  std::string_view rest = section.body;
  for (uint32_t number = section.line + 1; !rest.empty(); ++number) {
    std::string_view line = next_line(rest);
    line = trim(line.substr(0, line.find(';')));
    if (line.empty()) continue;
    const size_t equals = line.find('=');
    Assignment& assignment = assignments.emplace_back();
    assignment.line = number;
    if (equals == line.npos) return fail_at(problem, number, "expected \"member = value\"");
    assignment.value = trim(line.substr(equals + 1));
    if (!parse_path(trim(line.substr(0, equals)), assignment.path)) {
      return fail_at(problem, number, "expected the name of a member, such as a[1].b");
    }
  }
  return true;
}

bool parse_number(std::string_view text, int64_t& value) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  if (hexadecimal) text.remove_prefix(2);
  const int base = hexadecimal ? 16 : text.size() > 1 && text.starts_with('0') ? 8 : 10;
  uint64_t magnitude = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, magnitude, base);
  value = static_cast<int64_t>(negative ? 0 - magnitude : magnitude);
  return !text.empty() && parsed.ec == std::errc() && parsed.ptr == end;
}

bool read_number(const Assignment& assignment, uint32_t& value, Problem& problem) {
  int64_t number = 0;
  if (!parse_number(assignment.value, number) || number < INT32_MIN || number > UINT32_MAX) {
    return fail_at(problem, assignment.line, assignment.name() + " must be a number of 32 bits");
  }
  value = static_cast<uint32_t>(number);
  return true;
}

bool read_flag(const Assignment& assignment, bool& value, Problem& problem) {
  int64_t number = 0;
  const bool named = assignment.value == "true" || assignment.value == "false";
  if (!named && !parse_number(assignment.value, number)) {
    return fail_at(problem, assignment.line, assignment.name() + " must be true, false or a number");
  }
  value = named ? assignment.value == "true" : number != 0;
  return true;
}

bool fail_at(Problem& problem, uint32_t line, const std::string& message) {
  return fail(problem, Cause::invalid, "line " + std::to_string(line) + ": " + message);
}

}  // namespace spalt_tool::replay::pipe
