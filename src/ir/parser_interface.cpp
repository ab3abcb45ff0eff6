// SPDX-License-Identifier: MIT
// What `input`, `output` and `export_to` are about: a name, then words about it, then the operands; `fetch`, where the
// words come last.
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

/// One word after the target. `done` where the next item is none of them.
bool FunctionParser::export_item(ExportAccess& access, bool& done) {
  if (lexer_.accept("mask")) {
    access.mask = 0;
    if (lexer_.accept("none")) return true;
    access.mask = find_texel_mask(lexer_.peek().text);
    if (access.mask == 0) return fail("expected channels, as in xyz");
    lexer_.next();
    return true;
  }
  if (lexer_.accept("compressed")) {
    access.compressed = true;
  } else if (lexer_.accept("done")) {
    access.done = true;
  } else if (lexer_.accept("valid_mask")) {
    access.valid_mask = true;
  } else {
    done = true;
  }
  return true;
}

bool FunctionParser::export_access(Draft& draft) {
  ExportAccess access;
  if (!expect_item("the target of an export")) return false;
  if (!lexer_.at(TokenKind::identifier) || !find_export_target(lexer_.peek().text, access.target)) {
    return fail("expected the target of an export, as in position.0");
  }
  lexer_.next();
  bool done = false;
  while (!done && lexer_.at(",")) {
    lexer_.next();
    if (!export_item(access, done)) return false;
  }
  first_item_ = done;
  draft.imm = access.pack();
  return true;
}

bool FunctionParser::fetch_access(Draft& draft) {
  FetchAccess access;
  while (next_item()) {
    uint64_t number = 0;
    const bool format = lexer_.accept("format");
    if (!format && !lexer_.accept("offset")) return fail("expected 'format' or 'offset'");
    if (!accept_unsigned(lexer_, format ? 8 : 32, number)) return fail("expected a number");
    if (format) access.format = static_cast<uint8_t>(number);
    if (!format) access.offset = static_cast<uint32_t>(number);
  }
  draft.imm = access.pack();
  return true;
}

}  // namespace spalt::ir
