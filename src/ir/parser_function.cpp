// SPDX-License-Identifier: MIT
// Reads one function in a single pass over its text.
//
// Values and blocks may be named before they are defined (phis, branches, invalid input for the verifier's tests): the
// first mention reserves the id and the definition fills it in. Predecessor lists are built at the end, in layout
// order, and phi entries are put into that order; the printer writes them in the same order.
#include "ir/parser_function.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "base/bits.h"
#include "base/half.h"
#include "ir/names.h"
#include "ir/parser.h"

namespace spalt::ir {
namespace {

using text::Lexer;
using text::Token;
using text::TokenKind;

template <class Float>
bool parse_decimal(std::string_view text, Float& value) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size();
}

bool float_constant(Type wanted, std::string_view text, uint64_t& bits) {
  if (text.starts_with("0x")) {
    return text::parse_integer(text, bits) && (wanted == kF64 || bits >> wanted.scalar_bits() == 0);
  }
  if (wanted == kF32) {
    float value = 0;
    if (!parse_decimal(text, value)) return false;
    bits = std::bit_cast<uint32_t>(value);
    return true;
  }
  double value = 0;
  if (!parse_decimal(text, value)) return false;
  bits = wanted == kF16 ? double_to_half(value) : std::bit_cast<uint64_t>(value);
  return true;
}

bool integer_constant(Type wanted, std::string_view text, uint64_t& bits) {
  if (!text::parse_integer(text, bits)) return false;
  const unsigned width = wanted.scalar_bits();
  const int64_t lowest = -static_cast<int64_t>((uint64_t{1} << (width - 1)) - 1) - 1;
  if (text.starts_with('-')) {
    const int64_t value = static_cast<int64_t>(bits);
    return value <= 0 && value >= lowest;
  }
  return width == 64 || bits >> width == 0;
}

}  // namespace

bool parse_constant(Type type, std::string_view text, uint64_t& bits) {
  if (type == kBool) {
    bits = text == "true" ? 1 : 0;
    return text == "true" || text == "false";
  }
  if (type.is_vector() || type.scalar_bits() == 0) return false;
  const bool fits = type.is_float() ? float_constant(type, text, bits) : integer_constant(type, text, bits);
  bits = bits_of(bits, 0, type.scalar_bits());
  return fits;
}

namespace {

class FunctionParser {
 public:
  explicit FunctionParser(Lexer& lexer) : lexer_(lexer) {}
  Result<Function> run() {
    if (signature() && body() && connect()) return std::move(function_);
    return std::move(error_);
  }

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
    Token name;  ///< kind `end` when there is no result
    Op op = Op::undef;
    Type type;
    uint64_t imm = 0;
    uint8_t flags = 0;
    MemoryAccess access;
    SmallVector<Value, 16> operands;
    uint32_t line = 0;
  };

  bool fail(std::string message) {
    error_ = lexer_.error(std::move(message));
    return false;
  }
  bool fail_at(uint32_t line, std::string message) {
    error_ = Error{Status::invalid_input, "line " + std::to_string(line) + ": " + std::move(message), line, {}, 0};
    return false;
  }
  bool expect(std::string_view text) { return lexer_.accept(text) || fail("expected '" + std::string(text) + "'"); }
  bool at_line_end() const { return lexer_.at(TokenKind::newline) || lexer_.at(TokenKind::end); }
  /// Moves to the next item of a comma separated list; false at its end.
  bool next_item() {
    if (!first_item_) return lexer_.accept(",");
    first_item_ = false;
    return !at_line_end() && !lexer_.at("{");
  }
  bool expect_item(std::string_view what) { return next_item() || fail("expected " + std::string(what)); }

  bool signature();
  bool parameter();
  bool body();
  bool connect();
  bool order_phi(const Phi& phi, const IdMap<BlockId, uint32_t>& position);

  bool type(Type& type);
  BlockId mention_block(const Token& token);
  bool target(BlockId& block);
  Value mention_value(const Token& token);
  bool define(const Draft& draft);

  bool block_header(const Token& label);
  bool instruction(const Token& first);
  bool mnemonic(const Token& word, Draft& draft);
  bool operand(Draft& draft);
  bool constant(Type type, Value& value);
  bool operands(Draft& draft);
  bool phi_entries(Draft& draft);
  bool immediate(Draft& draft);
  bool access(Draft& draft);
  bool access_item(Draft& draft);
  bool targets(const Draft& draft);
  bool switch_targets();
  bool flags(Draft& draft);

  Lexer& lexer_;
  Function function_;
  Error error_;
  std::unordered_map<std::string_view, Name> names_;
  std::unordered_map<std::string_view, Label> labels_;
  std::vector<Phi> phis_;
  std::vector<BlockId> phi_labels_;
  BlockId current_;
  bool first_item_ = true;
};

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
  function_.layout().push_back(id);
  current_ = id;
  BlockId merge, continue_target;
  const bool loop = lexer_.accept("loop");
  const bool has_merge = lexer_.accept("merge");
  if (has_merge && !target(merge)) return false;
  if (loop && has_merge && !expect(",")) return false;
  if (loop && (!expect("continue") || !target(continue_target))) return false;
  function_.block(id).merge = merge;
  function_.block(id).continue_target = continue_target;
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
    Inst& inst = function_.inst(value);
    inst.op = draft.op;
    inst.type = draft.type;
    inst.imm = draft.imm;
    inst.flags = draft.flags;
  }
  if (draft.op == Op::phi) phis_.back().value = value;
  function_.append(current_, value);
  return true;
}

bool FunctionParser::instruction(const Token& first) {
  if (!current_.valid()) return fail("expected a block label before the first instruction");
  const Value last = function_.block(current_).last;
  if (last.valid() && is_terminator(function_.inst(last).op)) {
    return fail_at(first.line, "expected a block label after a terminator");
  }
  Draft draft;
  draft.line = first.line;
  Token word = first;
  if (first.kind == TokenKind::value) {
    draft.name = first;
    if (!expect(":") || !type(draft.type) || !expect("=")) return false;
    if (!lexer_.at(TokenKind::identifier)) return fail("expected an operation");
    word = lexer_.next();
  }
  first_item_ = true;
  if (!mnemonic(word, draft)) return false;
  if (draft.op == Op::resource && !immediate(draft)) return false;
  if (!(draft.op == Op::phi ? phi_entries(draft) : operands(draft))) return false;
  if (draft.op != Op::resource && !immediate(draft)) return false;
  if (has_access(draft.op) && !access(draft)) return false;
  if (is_terminator(draft.op) && !targets(draft)) return false;
  if (!flags(draft)) return false;
  return define(draft);
}

bool FunctionParser::mnemonic(const Token& word, Draft& draft) {
  const size_t dot = word.text.find('.');
  draft.op = find_op(word.text.substr(0, dot));
  const std::string quoted = "'" + std::string(word.text) + "'";
  if (draft.op == Op::count) return fail_at(word.line, "unknown operation " + quoted);
  if (draft.op == Op::constant || draft.op == Op::undef || draft.op == Op::param) {
    return fail_at(word.line, quoted + " is no instruction; constants and undef are written where they are used");
  }
  if (is_memory(draft.op)) {
    const std::optional<StorageClass> storage =
        dot == std::string_view::npos ? std::nullopt : find_storage(word.text.substr(dot + 1));
    if (!storage) return fail_at(word.line, "expected a storage class after the operation, as in load.storage");
    draft.access.storage = *storage;
  } else if (dot != std::string_view::npos) {
    return fail_at(word.line, "unknown operation " + quoted);
  }
  const bool has_result = draft.name.kind != TokenKind::end;
  const bool wants_result = info(draft.op).result != ResultRule::none;
  if (has_result && !wants_result) return fail_at(word.line, quoted + " has no result");
  if (!has_result && wants_result) return fail_at(word.line, quoted + " needs a result, as in %1: i32 = ...");
  return true;
}

bool FunctionParser::operands(Draft& draft) {
  unsigned count = info(draft.op).operand_count;
  if (is_memory(draft.op)) count = memory_operand_count(draft.op, draft.access.storage);
  if (count == OpInfo::kAnyOperands) {
    while (next_item()) {
      if (!operand(draft)) return false;
    }
    return true;
  }
  for (unsigned i = 0; i < count; ++i) {
    if (!next_item()) return fail("expected operand " + std::to_string(i) + " of " + std::to_string(count));
    if (!operand(draft)) return false;
  }
  return true;
}

bool FunctionParser::operand(Draft& draft) {
  if (lexer_.at(TokenKind::value)) {
    draft.operands.push_back(mention_value(lexer_.next()));
    return true;
  }
  const Type first = draft.operands.empty() ? kVoid : function_.type(draft.operands[0]);
  const OperandContext context{draft.op, draft.type, draft.access.storage, function_.return_type};
  Type wanted = implied_operand_type(context, draft.operands.size(), first);
  if (lexer_.at("true") || lexer_.at("false")) {
    draft.operands.push_back(function_.constant_bool(lexer_.next().text == "true"));
    return true;
  }
  if (lexer_.at(TokenKind::identifier) && find_type(lexer_.peek().text) && !type(wanted)) return false;
  Value value;
  if (!constant(wanted, value)) return false;
  draft.operands.push_back(value);
  return true;
}

bool FunctionParser::constant(Type wanted, Value& value) {
  if (!lexer_.at("undef") && !lexer_.at(TokenKind::number)) return fail("expected a value or a constant");
  if (wanted.is_none()) return fail("expected a type before the constant, as in i32 7");
  if (lexer_.accept("undef")) {
    value = function_.undef(wanted);
    return true;
  }
  if (wanted.is_vector() || wanted == kBool || wanted.scalar == Scalar::resource) {
    return fail("expected a value of type " + type_name(wanted));
  }
  uint64_t bits = 0;
  if (!parse_constant(wanted, lexer_.peek().text, bits))
    return fail("expected a constant that fits " + type_name(wanted));
  lexer_.next();
  value = function_.constant(wanted, bits);
  return true;
}

bool FunctionParser::phi_entries(Draft& draft) {
  phis_.push_back({Value(), static_cast<uint32_t>(phi_labels_.size()), draft.line});
  while (next_item()) {
    BlockId from;
    if (!expect("[") || !target(from) || !operand(draft) || !expect("]")) return false;
    phi_labels_.push_back(from);
  }
  return true;
}

bool FunctionParser::immediate(Draft& draft) {
  if (draft.op == Op::builtin) {
    if (!expect_item("a built-in")) return false;
    const std::optional<uint64_t> imm = find_builtin(lexer_.peek().text);
    if (!imm || !lexer_.at(TokenKind::identifier)) return fail("expected a built-in, as in global_invocation_id.x");
    lexer_.next();
    draft.imm = *imm;
  } else if (draft.op == Op::extract || draft.op == Op::resource || draft.op == Op::arg) {
    if (!expect_item("an index")) return false;
    if (!accept_unsigned(lexer_, 32, draft.imm)) return fail("expected an index");
  }
  return true;
}

bool FunctionParser::access(Draft& draft) {
  while (next_item()) {
    if (!lexer_.at(TokenKind::identifier)) return fail("expected a property of the memory access");
    if (!access_item(draft)) return false;
  }
  draft.imm = draft.access.pack();
  return true;
}

bool FunctionParser::access_item(Draft& draft) {
  MemoryAccess& access = draft.access;
  const Token word = lexer_.next();
  const bool memory = is_memory(draft.op);
  uint64_t number = 0;
  if (memory && word.text == "offset") {
    if (!accept_unsigned(lexer_, 32, number)) return fail("expected a byte offset");
    access.offset = static_cast<uint32_t>(number);
  } else if (memory && word.text == "align") {
    const bool valid = accept_unsigned(lexer_, 64, number) && std::has_single_bit(number);
    if (!valid) return fail("expected an alignment that is a power of two");
    access.align_log2 = static_cast<uint8_t>(std::countr_zero(number));
  } else if (word.text == "scope") {
    const std::optional<Scope> scope = find_scope(lexer_.next().text);
    if (!scope) return fail_at(word.line, "expected a scope after 'scope'");
    access.scope = *scope;
  } else if (word.text == "order") {
    const std::optional<MemoryOrder> order = find_order(lexer_.next().text);
    if (!order) return fail_at(word.line, "expected a memory order after 'order'");
    access.order = *order;
  } else if (const uint32_t bit = find_bit(access_flag_names(), word.text); bit != 0) {
    access.flags |= static_cast<uint8_t>(bit);
  } else if (const uint32_t mask = memory ? 0 : find_bit(storage_bit_names(), word.text); mask != 0) {
    access.offset |= mask;
  } else {
    return fail_at(word.line, "unknown property '" + std::string(word.text) + "' of a memory access");
  }
  return true;
}

bool FunctionParser::targets(const Draft& draft) {
  if (draft.op == Op::ret || draft.op == Op::unreachable) return true;
  const unsigned count = draft.op == Op::branch_if ? 2 : 1;
  for (unsigned i = 0; i < count; ++i) {
    BlockId block;
    if (!expect_item("a target") || !target(block)) return false;
    function_.block(current_).succs.push_back(block);
  }
  return draft.op != Op::switch_on || switch_targets();
}

bool FunctionParser::switch_targets() {
  while (next_item()) {
    uint64_t number = 0;
    BlockId block;
    if (!accept_unsigned(lexer_, 64, number)) return fail("expected a case value");
    if (!expect(":") || !target(block)) return false;
    function_.block(current_).cases.push_back(number);
    function_.block(current_).succs.push_back(block);
  }
  return true;
}

bool FunctionParser::flags(Draft& draft) {
  if (!lexer_.accept("{")) return true;
  do {
    const uint32_t bit = find_bit(inst_flag_names(), lexer_.peek().text);
    if (bit == 0) return fail("expected a flag, as in {no_contraction}");
    lexer_.next();
    draft.flags |= static_cast<uint8_t>(bit);
  } while (lexer_.accept(","));
  return expect("}");
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
    for (BlockId succ : function_.block(id).succs) function_.block(succ).preds.push_back(id);
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

}  // namespace

Result<Function> parse_function(Lexer& lexer) {
  return FunctionParser(lexer).run();
}

}  // namespace spalt::ir
