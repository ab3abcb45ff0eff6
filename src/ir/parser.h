// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

#include "base/result.h"
#include "ir/module.h"

namespace spalt::ir {

/// Reads the text form (docs/ir.md). Checks the grammar and what is needed to build the data structure; everything else
/// is for verify(). Takes time and memory proportional to the text. Error::offset is the line.
Result<Module> parse(std::string_view text);

/// Reads one scalar constant as it is written in the text: "7", "-1", "0x2a", "1.5", "true". False if it is none or
/// does not fit the type.
bool parse_constant(Type type, std::string_view text, uint64_t& bits);

}  // namespace spalt::ir
