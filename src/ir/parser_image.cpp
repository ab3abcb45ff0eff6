// SPDX-License-Identifier: MIT
// Image operations: as many operands as the line has, then properties.
#include "ir/names.h"
#include "ir/parser_function.h"

namespace spalt::ir {

using text::Token;
using text::TokenKind;

namespace {

bool starts_operand(const text::Lexer& lexer) {
  if (lexer.at(TokenKind::value) || lexer.at(TokenKind::number)) return true;
  return lexer.at("undef") || lexer.at("true") || lexer.at("false") || find_type(lexer.peek().text).has_value();
}

}  // namespace

bool FunctionParser::image_shape(const Token& word, std::string_view suffix, Draft& draft) {
  draft.image.mask = default_texel_mask(draft.op);
  return find_image_shape(suffix, draft.image) ||
         fail_at(word.line, "expected the kind of image after the operation, as in image_load.2d_array");
}

bool FunctionParser::image(Draft& draft) {
  bool more = next_item();
  for (; more && starts_operand(lexer_); more = next_item()) {
    if (!operand(draft)) return false;
  }
  for (; more; more = next_item()) {
    if (!lexer_.at(TokenKind::identifier)) return fail("expected a property of the image operation");
    if (!image_item(draft)) return false;
  }
  draft.imm = draft.image.pack();
  return true;
}

bool FunctionParser::image_item(Draft& draft) {
  ImageAccess& image = draft.image;
  const Token word = lexer_.next();
  if (word.text == "mask") {
    image.mask = find_texel_mask(lexer_.peek().text) & 0xf;
    if (image.mask == 0) return fail("expected components of a texel, as in mask xy");
    lexer_.next();
    return true;
  }
  MemoryAccess common = MemoryAccess::unpack(image.pack());
  if (const uint32_t trait = find_bit(image_trait_names(), word.text); trait != 0) {
    image.traits |= static_cast<uint8_t>(trait);
  } else if (const uint32_t part = find_bit(image_part_names(), word.text); part != 0) {
    image.parts |= static_cast<uint8_t>(part);
  } else if (const std::optional<AtomicKind> kind = find_atomic_kind(word.text); kind && draft.op == Op::image_atomic) {
    image.atomic = *kind;
  } else if (common_item(word, common)) {
    image = ImageAccess::unpack(common.pack());
  } else {
    return !error_.message.empty()
               ? false
               : fail_at(word.line, "unknown property '" + std::string(word.text) + "' of an image operation");
  }
  return true;
}

}  // namespace spalt::ir
