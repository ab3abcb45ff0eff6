// SPDX-License-Identifier: MIT
#include "ir/parser_function.h"

#include <algorithm>

#include "ir/names.h"

namespace spalt::ir {

using text::Lexer;
using text::Token;
using text::TokenKind;

Result<Function> FunctionParser::run() {
  if (signature() && body() && connect()) return std::move(function_);
  return std::move(error_);
}

bool FunctionParser::fail(std::string message) {
  error_ = lexer_.error(std::move(message));
  return false;
}

bool FunctionParser::fail_at(uint32_t line, std::string message) {
  error_ = Error{Status::invalid_input, "line " + std::to_string(line) + ": " + std::move(message), line, {}, 0};
  return false;
}

bool FunctionParser::next_item() {
  if (!first_item_) return lexer_.accept(",");
  first_item_ = false;
  return !at_line_end() && !lexer_.at("{") && !lexer_.at(TokenKind::global);
}

bool FunctionParser::type(Type& type) {
  const std::optional<Type> found = find_type(lexer_.peek().text);
  if (!lexer_.at(TokenKind::identifier) || !found) return fail("expected a type");
  lexer_.next();
  type = *found;
  return true;
}

bool FunctionParser::signature() {
  lexer_.next();  // func
  if (!lexer_.at(TokenKind::global)) return fail("expected '@' and the name of the function");
  function_.name = std::string(lexer_.next().text);
  if (!expect("(")) return false;
  while (!lexer_.at(")")) {
    if (!function_.params.empty() && !expect(",")) return false;
    if (!parameter()) return false;
  }
  lexer_.next();  // )
  if (lexer_.accept("->") && !type(function_.return_type)) return false;
  if (!expect("{")) return false;
  return lexer_.at(TokenKind::newline) || fail("expected the end of the line");
}

bool FunctionParser::parameter() {
  if (!lexer_.at(TokenKind::value)) return fail("expected a parameter");
  const Token name = lexer_.next();
  Type param_type;
  if (!expect(":") || !type(param_type)) return false;
  const Value value = function_.add_param(param_type);
  const bool added = names_.emplace(name.text, Name{value, name.line, true}).second;
  return added || fail_at(name.line, "parameter %" + std::string(name.text) + " is declared twice");
}

bool FunctionParser::body() {
  while (true) {
    lexer_.skip_newlines();
    if (lexer_.accept("}")) return true;
    if (!lexer_.at(TokenKind::identifier) && !lexer_.at(TokenKind::value)) {
      return fail("expected a block label, an instruction or '}'");
    }
    const Token first = lexer_.next();
    if (first.kind == TokenKind::identifier && lexer_.accept(":")) {
      if (!block_header(first)) return false;
    } else {
      if (!instruction(first)) return false;
    }
    if (!at_line_end()) return fail("expected the end of the line");
  }
}

BlockId FunctionParser::mention_block(const Token& token) {
  Label& label = labels_[token.text];
  if (!label.block.valid()) label = {function_.create_block(), token.line, false};
  return label.block;
}

bool FunctionParser::target(BlockId& block) {
  if (!lexer_.at(TokenKind::identifier)) return fail("expected a block label");
  block = mention_block(lexer_.next());
  return true;
}

bool FunctionParser::block_header(const Token& token) {
  const BlockId id = mention_block(token);
  Label& label = labels_[token.text];
  if (label.defined) return fail_at(token.line, "block " + std::string(token.text) + " is defined twice");
  label.defined = true;
  function_.edit_layout().push_back(id);
  current_ = id;
  BlockId merge, continue_target;
  const bool loop = lexer_.accept("loop");
  const bool has_merge = lexer_.accept("merge");
  if (has_merge && !target(merge)) return false;
  if (loop && has_merge && !expect(",")) return false;
  if (loop && (!expect("continue") || !target(continue_target))) return false;
  function_.edit_block(id).merge = merge;
  function_.edit_block(id).continue_target = continue_target;
  return true;
}

Value FunctionParser::mention_value(const Token& token) {
  Name& name = names_[token.text];
  if (!name.value.valid()) name = {function_.create(Op::undef, kVoid, {}), token.line, false};
  return name.value;
}

bool FunctionParser::define(const Draft& draft) {
  Value value;
  if (draft.name.kind == TokenKind::end) {
    value = function_.create(draft.op, draft.type, draft.operands, draft.imm, draft.flags);
  } else {
    value = mention_value(draft.name);
    Name& name = names_[draft.name.text];
    if (name.defined) return fail_at(draft.line, "value %" + std::string(draft.name.text) + " is defined twice");
    name.defined = true;
    function_.set_operands(value, draft.operands);
    function_.set_operation(value, draft.op, draft.type, draft.imm, draft.flags);
  }
  if (draft.op == Op::phi) phis_.back().value = value;
  function_.inst(value).origin = draft.origin;
  function_.append(current_, value);
  return true;
}

/// Checks that everything named is defined, then builds the predecessor lists and brings the phis into their order.
bool FunctionParser::connect() {
  // The tables have no useful order; the earliest mention is reported, so that messages do not depend on hashing.
  uint32_t line = 0xffffffffu;
  std::string missing;
  const auto note = [&](uint32_t at, char sigil, std::string_view name) {
    std::string text = (sigil == '%' ? "value %" : "block ") + std::string(name) + " is never defined";
    if (at > line || (at == line && text >= missing)) return;
    line = at;
    missing = std::move(text);
  };
  for (const auto& [name, entry] : labels_) {
    if (!entry.defined) note(entry.line, 'b', name);
  }
  for (const auto& [name, entry] : names_) {
    if (!entry.defined) note(entry.line, '%', name);
  }
  if (!missing.empty()) return fail_at(line, std::move(missing));
  if (function_.layout().empty()) return fail("expected at least one block in the function");

  IdMap<BlockId, uint32_t> position(function_.block_capacity(), 0);
  uint32_t next = 0;
  for (BlockId id : function_.layout()) position[id] = next++;
  for (BlockId id : function_.layout()) {
    for (BlockId succ : function_.block(id).succs) function_.edit_block(succ).preds.push_back(id);
  }
  for (const Phi& phi : phis_) {
    if (!order_phi(phi, position)) return false;
  }
  return true;
}

bool FunctionParser::order_phi(const Phi& phi, const IdMap<BlockId, uint32_t>& position) {
  const auto& preds = function_.block(function_.inst(phi.value).block).preds;
  const uint32_t count = function_.inst(phi.value).operand_count;
  if (count != preds.size()) {
    return fail_at(phi.line, "expected one phi entry per predecessor, " + std::to_string(preds.size()) + " in all");
  }
  struct Entry {
    uint32_t position;
    BlockId from;
    Value value;
  };
  std::vector<Entry> entries(count);
  for (uint32_t i = 0; i < count; ++i) {
    const BlockId from = phi_labels_[phi.label_begin + i];
    entries[i] = {position[from], from, function_.operand(phi.value, i)};
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.position < b.position; });
  for (uint32_t i = 0; i < count; ++i) {
    if (entries[i].from != preds[i]) return fail_at(phi.line, "a phi entry names a block that is no predecessor");
    function_.set_operand(phi.value, i, entries[i].value);
  }
  return true;
}

Result<Function> parse_function(Lexer& lexer) {
  return FunctionParser(lexer).run();
}

}  // namespace spalt::ir
