// SPDX-License-Identifier: MIT
// What `input` and `output` are about: a name, then words about it, then the operands.
#include "ir/names.h"
#include "ir/parser_function.h"

namespace spalt::ir {

using text::TokenKind;

/// One word after the name. `done` where the next item is none of them.
bool FunctionParser::interface_item(InterfaceAccess& access, bool& done) {
  const std::string_view word = lexer_.peek().text;
  const std::optional<Interpolation> interpolation = find_interpolation(word);
  const std::optional<SamplePlace> place = find_sample_place(word);
  uint64_t index = 0;
  if (lexer_.accept("index")) {
    if (!accept_unsigned(lexer_, 8, index)) return fail("expected the index of a source");
    access.index = static_cast<uint8_t>(index);
    return true;
  }
  if (interpolation) access.interpolation = *interpolation;
  if (place) access.place = *place;
  done = !interpolation && !place;
  if (!done) lexer_.next();
  return true;
}

bool FunctionParser::interface_access(Draft& draft) {
  InterfaceAccess access;
  if (!expect_item("the name of an input or output")) return false;
  if (!lexer_.at(TokenKind::identifier) || !find_interface(lexer_.peek().text, access)) {
    return fail("expected an input or output, as in location.2.x");
  }
  lexer_.next();
  bool done = false;
  // A comma comes before each further word and before the first operand, which next_item would look for once more.
  while (!done && lexer_.at(",")) {
    lexer_.next();
    if (!interface_item(access, done)) return false;
  }
  first_item_ = done;
  draft.imm = access.pack();
  return true;
}

}  // namespace spalt::ir
