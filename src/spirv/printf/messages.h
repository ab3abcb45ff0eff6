// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace spalt::spirv {

/// One instruction of NonSemantic.DebugPrintf, and where its line information says that it is.
struct PrintfMessage {
  std::string format;
  std::string file;   ///< may be empty
  uint32_t line = 0;  ///< 0: not known
};

struct PrintfString {
  uint32_t id = 0;
  std::string text;
};

struct PrintfMessages {
  std::vector<PrintfMessage> messages;  ///< in the order of the module
  std::vector<PrintfString> strings;    ///< every OpString, by id
};

/// Linear in the words, which are untrusted, and in strings that are named.
Result<PrintfMessages> read_printf_messages(std::span<const uint32_t> words);

/// The message with the arguments of a record (printf.h), which are untrusted, too: what is missing prints as it stands
/// in the format. Knows the conversions of C but n, p and s for numbers; l and u after it (%lu, %ul) for 64 bits; v2 to
/// v4 before them for vectors, whose components are printed with ", " between them.
std::string format_printf(const PrintfMessages& messages, const PrintfMessage& message,
                          std::span<const uint32_t> arguments);

}  // namespace spalt::spirv
