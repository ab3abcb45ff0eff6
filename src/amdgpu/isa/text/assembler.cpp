// SPDX-License-Identifier: MIT
// Lines of assembler text into code. Every line is encoded when it is read, since only the immediate of a branch can
// depend on what follows; those are filled in at the end.
#include "amdgpu/isa/text/assembler.h"

#include <algorithm>
#include <string>
#include <vector>

#include "amdgpu/isa/codec/codec.h"
#include "amdgpu/isa/text/parse_inst.h"

namespace spalt::isa {
namespace {

Error to_error(std::string_view text, const ParseFailure& failure) {
  const TextPosition at = text_position(text, failure.position);
  Error error;
  error.status = Status::invalid_input;
  error.source_line = at.line;
  error.offset = at.column;
  error.message = "'";
  // What is quoted comes from the input and may hold anything.
  for (char c : failure.subject) error.message += c >= ' ' && c <= '~' ? c : '?';
  error.message += "' ";
  error.message += failure.reason;
  return error;
}

struct Label {
  std::string_view name;
  uint32_t position = 0;
  size_t word = 0;  ///< index into the code
};

/// A branch whose distance is still open. The distance counts dwords from the instruction after the branch.
struct Fixup {
  std::string_view label;
  uint32_t position = 0;
  size_t word = 0;
};

class Assembler {
 public:
  Assembler(std::string_view text, const Target& target, unsigned wave_size)
      : text_(text), target_(target), wave_size_(wave_size), lexer_(text) {}

  ParseFailure run();
  AssembledCode result();

 private:
  ParseFailure assemble_line();
  ParseFailure assemble_instruction();
  ParseFailure assemble_directive();
  ParseFailure assemble_long();
  ParseFailure resolve_branches();
  bool at_name() const { return lexer_.at(AsmTokenKind::word) || lexer_.at(AsmTokenKind::string); }
  bool at_label() const;

  std::string_view text_;
  const Target& target_;
  unsigned wave_size_;
  AsmLexer lexer_;
  std::vector<uint32_t> code_;
  std::vector<Label> labels_;
  std::vector<Fixup> fixups_;
  std::vector<std::string_view> globals_;
};

ParseFailure Assembler::run() {
  while (!lexer_.at(AsmTokenKind::end)) {
    if (lexer_.at(AsmTokenKind::newline)) {
      lexer_.next();
      continue;
    }
    if (code_.size() > kMaxAssembledBytes / 4) return unexpected(lexer_.peek(), "is more than the code can hold");
    if (ParseFailure failure = assemble_line()) return failure;
  }
  return resolve_branches();
}

/// A name with a colon after it. Only then is the first word of a line no mnemonic.
bool Assembler::at_label() const {
  if (!at_name()) return false;
  AsmLexer ahead = lexer_;
  ahead.next();
  return ahead.at(':');
}

ParseFailure Assembler::assemble_line() {
  while (at_label()) {
    const AsmToken name = lexer_.next();
    const bool printable = std::all_of(name.text.begin(), name.text.end(), [](char c) { return c >= ' ' && c != 127; });
    if (name.text.empty() || !printable) return unexpected(name, "is no name for a label");
    lexer_.next();
    labels_.push_back({name.text, name.position, code_.size()});
  }
  if (lexer_.at_line_end()) return {};
  const bool directive = lexer_.at(AsmTokenKind::word) && lexer_.peek().text[0] == '.';
  if (ParseFailure failure = directive ? assemble_directive() : assemble_instruction()) return failure;
  return lexer_.at_line_end() ? ParseFailure{} : unexpected(lexer_.peek(), "is too much on this line");
}

ParseFailure Assembler::assemble_instruction() {
  ParsedInst parsed;
  if (ParseFailure failure = parse_inst(lexer_, text_, target_, wave_size_, parsed)) return failure;
  if (!parsed.label.empty()) fixups_.push_back({parsed.label, parsed.label_position, code_.size()});
  const EncodedInst& encoded = parsed.encoded;
  code_.insert(code_.end(), encoded.words, encoded.words + encoded.count);
  return {};
}

ParseFailure Assembler::assemble_directive() {
  const AsmToken name = lexer_.next();
  if (name.text == ".long") return assemble_long();
  if (name.text == ".text") return {};
  if (name.text == ".globl" || name.text == ".global") {
    if (!at_name()) return unexpected(lexer_.peek(), "is no symbol");
    globals_.push_back(lexer_.next().text);
    return {};
  }
  return unexpected(name, "is no directive that is supported");
}

ParseFailure Assembler::assemble_long() {
  do {
    const AsmToken token = lexer_.peek();
    int64_t value = 0;
    if (ParseFailure failure = parse_signed(lexer_, value)) return failure;
    if (value < -(int64_t{1} << 31) || value >= int64_t{1} << 32) return unexpected(token, "does not fit 32 bits");
    code_.push_back(static_cast<uint32_t>(value));
  } while (lexer_.accept(','));
  return {};
}

ParseFailure Assembler::resolve_branches() {
  const auto before = [](const Label& a, const Label& b) { return a.name < b.name; };
  std::stable_sort(labels_.begin(), labels_.end(), before);
  const auto twice = std::adjacent_find(labels_.begin(), labels_.end(),
                                        [](const Label& a, const Label& b) { return a.name == b.name; });
  if (twice != labels_.end()) return {twice[1].position, twice[1].name.substr(0, 40), "is a label already"};
  for (const Fixup& fixup : fixups_) {
    const std::string_view shown = fixup.label.substr(0, 40);
    const auto found = std::lower_bound(labels_.begin(), labels_.end(), Label{fixup.label}, before);
    if (found == labels_.end() || found->name != fixup.label) return {fixup.position, shown, "is no label"};
    const auto distance = static_cast<int64_t>(found->word) - static_cast<int64_t>(fixup.word) - 1;
    if (distance < -32768 || distance > 32767) return {fixup.position, shown, "is too far away for a branch"};
    code_[fixup.word] |= static_cast<uint32_t>(distance) & 0xffff;
  }
  return {};
}

AssembledCode Assembler::result() {
  std::sort(globals_.begin(), globals_.end());
  AssembledCode result;
  result.words = std::move(code_);
  for (const Label& label : labels_) {
    const bool is_global = std::binary_search(globals_.begin(), globals_.end(), label.name);
    result.labels.push_back({std::string(label.name), static_cast<uint32_t>(label.word * 4), is_global});
  }
  return result;
}

constexpr size_t kMaxTextBytes = size_t{1} << 31;

Error too_long() {
  return {Status::limit_exceeded, "the text is longer than 2 GiB"};
}

}  // namespace

Result<Inst> from_text(std::string_view text, const Target& target, unsigned wave_size) {
  if (text.size() > kMaxTextBytes) return too_long();
  AsmLexer lexer(text);
  ParsedInst parsed;
  if (const ParseFailure failure = parse_inst(lexer, text, target, wave_size, parsed)) return to_error(text, failure);
  while (lexer.at(AsmTokenKind::newline)) lexer.next();
  if (!lexer.at(AsmTokenKind::end)) return to_error(text, unexpected(lexer.peek(), "is more than one instruction"));
  if (!parsed.label.empty()) {
    return to_error(text, {parsed.label_position, parsed.label, "is a label, which only a whole text can have"});
  }
  return parsed.inst;
}

Result<AssembledCode> assemble(std::string_view text, const Target& target, unsigned wave_size) {
  if (text.size() > kMaxTextBytes) return too_long();
  Assembler assembler(text, target, wave_size);
  if (const ParseFailure failure = assembler.run()) return to_error(text, failure);
  return assembler.result();
}

std::string located_message(const Error& error) {
  if (error.source_line == 0) return error.message;
  return std::to_string(error.source_line) + ":" + std::to_string(error.offset) + ": " + error.message;
}

}  // namespace spalt::isa
