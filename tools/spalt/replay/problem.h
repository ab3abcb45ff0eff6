// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>

namespace spalt_tool::replay {

/// Why a pipeline has no code. `unsupported` is a gap of the compiler; all others are failures.
enum class Cause : uint8_t {
  none,
  unsupported,  ///< valid, but needs something that the compiler or this tool does not support yet
  damaged,      ///< a record of the archive cannot be read
  missing,      ///< the archives lack an object that the pipeline refers to
  invalid,      ///< the recorded state or the SPIR-V is not valid
  limit,        ///< valid, but beyond a limit of the compiler
  time,         ///< took longer than the time limit
  memory,       ///< out of memory
  interrupted,  ///< the run was ended before it was done
  bug           ///< an internal error of the compiler
};
constexpr unsigned kCauseCount = 10;

/// "unsupported", "damaged", ...: the names in result files.
const char* cause_name(Cause cause);
/// `none` when nothing has that name.
Cause find_cause(const std::string& name);

/// What is wrong, in one sentence.
struct Problem {
  Cause cause = Cause::none;
  std::string message;
};

/// For `return fail(...)`: fills `problem` and returns false.
bool fail(Problem& problem, Cause cause, std::string message);

/// The 16 hexadecimal digits that name an object.
std::string hash_name(uint64_t hash);
/// False unless all of `text` is a hexadecimal number of 1 to 16 digits.
bool parse_hash(const std::string& text, uint64_t& hash);

}  // namespace spalt_tool::replay
