// SPDX-License-Identifier: MIT
// The part of the parser that reads one function. Internal to src/ir.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "base/text/lexer.h"
#include "ir/export.h"
#include "ir/function.h"
#include "ir/interface.h"

namespace spalt::ir {

/// Reads from the word `func` to the closing brace.
Result<Function> parse_function(text::Lexer& lexer);

/// Reads a number token that must fit `bits` bits unsigned. False without consuming anything if it does not.
bool accept_unsigned(text::Lexer& lexer, unsigned bits, uint64_t& value);

/// Reads one function in a single pass over its text.
///
/// Values and blocks may be named before they are defined (phis, branches, invalid input for the verifier's tests): the
/// first mention reserves the id and the definition fills it in. Predecessor lists are built at the end, in layout
/// order, and phi entries are put into that order; the printer writes them in the same order.
class FunctionParser {
 public:
  explicit FunctionParser(text::Lexer& lexer) : lexer_(lexer) {}
  Result<Function> run();

 private:
  struct Name {
    Value value;
    uint32_t line = 0;
    bool defined = false;
  };
  struct Label {
    BlockId block;
    uint32_t line = 0;
    bool defined = false;
  };
  struct Phi {
    Value value;
    uint32_t label_begin = 0;  ///< its predecessors in phi_labels_
    uint32_t line = 0;
  };
  /// One instruction while its line is read.
  struct Draft {
    text::Token name;  ///< kind `end` when there is no result
    Op op = Op::undef;
    Type type;
    uint64_t imm = 0;
    uint16_t flags = 0;
    uint32_t origin = 0;
    MemoryAccess access;
    ImageAccess image;
    SmallVector<Value, 16> operands;
    uint32_t line = 0;
  };

  bool fail(std::string message);
  bool fail_at(uint32_t line, std::string message);
  bool expect(std::string_view text) { return lexer_.accept(text) || fail("expected '" + std::string(text) + "'"); }
  bool at_line_end() const { return lexer_.at(text::TokenKind::newline) || lexer_.at(text::TokenKind::end); }
  bool next_item();  ///< moves to the next item of a comma separated list; false at its end
  bool expect_item(std::string_view what) { return next_item() || fail("expected " + std::string(what)); }

  // parser_function.cpp
  bool signature();
  bool parameter();
  bool body();
  bool connect();
  bool order_phi(const Phi& phi, const IdMap<BlockId, uint32_t>& position);

  bool type(Type& type);
  BlockId mention_block(const text::Token& token);
  bool target(BlockId& block);
  Value mention_value(const text::Token& token);
  bool define(const Draft& draft);

  bool block_header(const text::Token& label);

  // parser_instruction.cpp
  bool instruction(const text::Token& first);
  bool mnemonic(const text::Token& word, Draft& draft);
  bool operand(Draft& draft);
  bool constant(Type type, Value& value);
  bool operands(Draft& draft);
  bool phi_entries(Draft& draft);
  bool immediate(Draft& draft);
  bool scan_form(Draft& draft);
  bool access(Draft& draft);
  bool access_item(Draft& draft);
  /// A property that memory and image operations share. False with an error, or without one if it is none.
  bool common_item(const text::Token& word, MemoryAccess& access);
  bool targets(const Draft& draft);
  bool switch_targets();
  bool flags(Draft& draft);
  bool origin(Draft& draft);

  // parser_interface.cpp
  bool interface_access(Draft& draft);
  bool interface_item(InterfaceAccess& access, bool& done);
  bool export_access(Draft& draft);
  bool export_item(ExportAccess& access, bool& done);
  bool fetch_access(Draft& draft);

  // parser_image.cpp
  bool image_shape(const text::Token& word, std::string_view suffix, Draft& draft);
  bool image(Draft& draft);
  bool image_item(Draft& draft);

  text::Lexer& lexer_;
  Function function_;
  Error error_;
  std::unordered_map<std::string_view, Name> names_;
  std::unordered_map<std::string_view, Label> labels_;
  std::vector<Phi> phis_;
  std::vector<BlockId> phi_labels_;
  BlockId current_;
  bool first_item_ = true;
};

}  // namespace spalt::ir
