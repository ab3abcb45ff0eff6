// SPDX-License-Identifier: MIT
#include <charconv>

#include "base/bits.h"
#include "ir/names.h"
#include "ir/parser.h"
#include "ir/parser_function.h"

namespace spalt::ir {

using text::Token;
using text::TokenKind;

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
  const bool describes = describes_first(draft.op);
  if (describes && !immediate(draft)) return false;
  if (!(draft.op == Op::phi ? phi_entries(draft) : is_image(draft.op) ? image(draft) : operands(draft))) return false;
  if (!describes && !immediate(draft)) return false;
  if (has_access(draft.op) && !access(draft)) return false;
  if (is_terminator(draft.op) && !targets(draft)) return false;
  if (!flags(draft) || !origin(draft)) return false;
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
    if (!storage || *storage == StorageClass::image) {
      return fail_at(word.line, "expected a storage class after the operation, as in load.storage");
    }
    draft.access.storage = *storage;
  } else if (is_image(draft.op)) {
    const std::string_view suffix = dot == std::string_view::npos ? std::string_view() : word.text.substr(dot + 1);
    if (!image_shape(word, suffix, draft)) return false;
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
  } else if (draft.op == Op::scan || draft.op == Op::scan_part) {
    return scan_form(draft);
  } else if (draft.op == Op::input || draft.op == Op::output) {
    return interface_access(draft);
  } else if (draft.op == Op::export_to) {
    return export_access(draft);
  } else if (draft.op == Op::fetch) {
    return fetch_access(draft);
  } else if (draft.op == Op::extract || draft.op == Op::resource || draft.op == Op::sampler ||
             draft.op == Op::buffer_key || draft.op == Op::arg || draft.op == Op::ballot ||
             draft.op == Op::bits_below || draft.op == Op::shuffle || draft.op == Op::quad_permute ||
             draft.op == Op::interpolate || draft.op == Op::parameter || draft.op == Op::load_parameter ||
             draft.op == Op::store_parameter || draft.op == Op::pack_export || draft.op == Op::read_clock) {
    if (!expect_item("an index")) return false;
    if (!accept_unsigned(lexer_, 32, draft.imm)) return fail("expected an index");
  }
  return true;
}

bool FunctionParser::scan_form(Draft& draft) {
  ScanForm form;
  if (!expect_item("an operation that combines")) return false;
  form.combine = find_op(lexer_.peek().text);
  if (form.combine == Op::count) return fail("expected an operation that combines, as in iadd");
  lexer_.next();
  if (!expect_item("a kind of scan")) return false;
  const std::optional<ScanKind> kind = find_scan_kind(lexer_.peek().text);
  if (!kind) return fail("expected reduce, inclusive, exclusive or cluster");
  lexer_.next();
  form.kind = *kind;
  uint64_t cluster = 0;
  if (form.kind == ScanKind::cluster && !accept_unsigned(lexer_, 8, cluster)) return fail("expected a cluster size");
  form.cluster = static_cast<uint8_t>(cluster);
  draft.imm = form.pack();
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
  } else if (const uint32_t mask = memory ? 0 : find_bit(storage_bit_names(), word.text); mask != 0) {
    access.offset |= mask;
  } else if (!common_item(word, access)) {
    return !error_.message.empty()
               ? false
               : fail_at(word.line, "unknown property '" + std::string(word.text) + "' of a memory access");
  }
  return true;
}

bool FunctionParser::common_item(const Token& word, MemoryAccess& access) {
  if (word.text == "scope") {
    const std::optional<Scope> scope = find_scope(lexer_.next().text);
    if (!scope) return fail_at(word.line, "expected a scope after 'scope'");
    access.scope = *scope;
    return true;
  }
  if (word.text == "order") {
    const std::optional<MemoryOrder> order = find_order(lexer_.next().text);
    if (!order) return fail_at(word.line, "expected a memory order after 'order'");
    access.order = *order;
    return true;
  }
  const uint32_t bit = find_bit(access_flag_names(), word.text);
  access.flags |= static_cast<uint8_t>(bit);
  return bit != 0;
}

bool FunctionParser::targets(const Draft& draft) {
  if (draft.op == Op::ret || draft.op == Op::unreachable) return true;
  const unsigned count = draft.op == Op::branch_if ? 2 : 1;
  for (unsigned i = 0; i < count; ++i) {
    BlockId block;
    if (!expect_item("a target") || !target(block)) return false;
    function_.edit_block(current_).succs.push_back(block);
  }
  return draft.op != Op::switch_on || switch_targets();
}

bool FunctionParser::switch_targets() {
  while (next_item()) {
    uint64_t number = 0;
    BlockId block;
    if (!accept_unsigned(lexer_, 64, number)) return fail("expected a case value");
    if (!expect(":") || !target(block)) return false;
    function_.edit_block(current_).cases.push_back(number);
    function_.edit_block(current_).succs.push_back(block);
  }
  return true;
}

bool FunctionParser::flags(Draft& draft) {
  if (!lexer_.accept("{")) return true;
  do {
    const uint32_t bit = find_bit(inst_flag_names(), lexer_.peek().text);
    if (bit == 0) return fail("expected a flag, as in {precise}");
    lexer_.next();
    draft.flags |= static_cast<uint16_t>(bit);
  } while (lexer_.accept(","));
  return expect("}");
}

bool FunctionParser::origin(Draft& draft) {
  if (!lexer_.at(TokenKind::global)) return true;
  const std::string_view digits = lexer_.next().text;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), draft.origin);
  if (code == std::errc() && end == digits.data() + digits.size()) return true;
  return fail("expected the number of a word after '@', as in @37");
}

}  // namespace spalt::ir
