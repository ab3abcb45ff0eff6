// SPDX-License-Identifier: MIT
//
// The text of a .pipe file (docs/replay.md, "Pipeline files of LLPC") as sections and assignments, before anything is
// known of what they mean. Nothing is copied: all refers to the text. Time is linear in its size.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "replay/problem.h"

namespace spalt_tool::replay::pipe {

struct Section {
  std::string_view name;
  uint32_t line = 0;      ///< of the name, from 1 on
  std::string_view body;  ///< the lines after it
};

/// A line that starts with "[Name]" starts a section; what stands before the first is a comment.
std::vector<Section> split_sections(std::string_view text);

/// "name" or "name[index]": a step of the path to a member.
struct Step {
  std::string_view name;
  uint32_t index = 0;
};

/// "a[1].b.c = value"; the value may be empty.
struct Assignment {
  std::vector<Step> path;
  std::string_view value;
  uint32_t line = 0;

  std::string name() const;  ///< the path as it was written
};

/// All assignments of a section, in their order; ";" starts a comment. Problems say "line N: ...".
bool read_assignments(const Section& section, std::vector<Assignment>& assignments, Problem& problem);

/// What values are. Numbers are decimal, hexadecimal after 0x, or octal after 0; they may be negative.
bool read_number(const Assignment& assignment, uint32_t& value, Problem& problem);
/// "true", "false" or a number.
bool read_flag(const Assignment& assignment, bool& value, Problem& problem);
/// Calls take(word) for each word of a list that commas or spaces separate, until it returns false.
template <class Take>
bool for_each_word(std::string_view list, Take take) {
  constexpr std::string_view kSeparators = ", \t";
  for (size_t at = list.find_first_not_of(kSeparators); at != list.npos;) {
    const size_t end = list.find_first_of(kSeparators, at);
    if (!take(list.substr(at, end - at))) return false;
    at = list.find_first_not_of(kSeparators, end);
  }
  return true;
}
/// All of `text` is one number.
bool parse_number(std::string_view text, int64_t& value);

/// For `return fail_at(...)`: an invalid file, with the line where it is.
bool fail_at(Problem& problem, uint32_t line, const std::string& message);

}  // namespace spalt_tool::replay::pipe
