// SPDX-License-Identifier: MIT
// The part of the parser that reads one function. Internal to src/ir.
#pragma once
#include "base/result.h"
#include "base/text/lexer.h"
#include "ir/function.h"

namespace spalt::ir {

/// Reads from the word `func` to the closing brace.
Result<Function> parse_function(text::Lexer& lexer);

/// Reads a number token that must fit `bits` bits unsigned. False without consuming anything if it does not.
bool accept_unsigned(text::Lexer& lexer, unsigned bits, uint64_t& value);

}  // namespace spalt::ir
