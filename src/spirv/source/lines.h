// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "spirv/module/words.h"

namespace spalt::spirv {

/// Knows the line of the source that a module names for the instruction at hand: by OpLine, or by DebugLine of
/// NonSemantic.Shader.DebugInfo.100, whose file and number are operands by id. Meets the instructions of a module in
/// order, which are untrusted; views of their words are kept.
class LineReader {
 public:
  static constexpr std::string_view kDebugSet = "NonSemantic.Shader.DebugInfo.100";
  static constexpr uint32_t kDebugSource = 35, kDebugSourceContinued = 102, kDebugLine = 103, kDebugNoLine = 104;

  void visit(const Instruction& in);

  /// 0: not known.
  uint32_t line() const { return line_; }
  /// The OpString with the file's name, 0 where there is none. Means something where the line is known.
  uint32_t file() const { return file_; }
  /// Empty where the id is no OpString.
  std::string_view string(uint32_t id) const;
  /// Every OpString, by id.
  const std::unordered_map<uint32_t, std::string_view>& strings() const { return strings_; }
  /// Whether it is an instruction of kDebugSet, with this number.
  bool is_debug(const Instruction& in, uint32_t number) const;

 private:
  void debug_line(const Instruction& in);

  std::unordered_map<uint32_t, std::string_view> strings_;
  std::unordered_map<uint32_t, uint32_t> constants_, sources_;
  uint32_t debug_set_ = 0;
  uint32_t file_ = 0, line_ = 0;
};

}  // namespace spalt::spirv
