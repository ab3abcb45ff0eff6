// SPDX-License-Identifier: MIT
#include "amdgpu/mir/parser.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <vector>

#include "amdgpu/mir/modifier_names.h"
#include "amdgpu/mir/register_names.h"
#include "base/text/lexer.h"

namespace spalt::mir {
namespace {

using text::TokenKind;

constexpr uint32_t kMaxTupleDwords = 32;
constexpr int64_t kLastRegister = isa::Reg::kVgprEnd - 1;

/// A decimal number that fills `digits`, or nothing.
std::optional<uint32_t> decimal(std::string_view digits) {
  uint32_t value = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || code != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

std::optional<uint32_t> numbered(std::string_view word, char prefix) {
  if (word.empty() || word[0] != prefix) return std::nullopt;
  return decimal(word.substr(1));
}

struct RegisterTuple {
  isa::Reg reg;
  unsigned dwords = 1;
};

class Parser {
 public:
  explicit Parser(std::string_view text)
      : lexer_(text),
        id_limit_(std::max<uint32_t>(65536, static_cast<uint32_t>(std::min<size_t>(text.size(), 1u << 24)))) {}

  Result<Function> run() {
    lexer_.skip_newlines();
    if (!header()) return *error_;
    lexer_.skip_newlines();
    while (!lexer_.at(TokenKind::end)) {
      if (!line()) return *error_;
      if (!lexer_.at(TokenKind::end) && !lexer_.at(TokenKind::newline)) {
        fail("expected the end of the line");
        return *error_;
      }
      lexer_.skip_newlines();
    }
    if (!check_blocks()) return *error_;
    return std::move(*function_);
  }

 private:
  bool fail(std::string message) {
    if (!error_) error_ = lexer_.error(std::move(message));
    return false;
  }
  bool expect(std::string_view punctuation) {
    if (lexer_.accept(punctuation)) return true;
    return fail("expected '" + std::string(punctuation) + "'");
  }
  bool integer(int64_t low, int64_t high, int64_t& value) {
    uint64_t bits = 0;
    if (!lexer_.at(TokenKind::number) || !text::parse_integer(lexer_.peek().text, bits)) {
      return fail("expected a whole number");
    }
    value = static_cast<int64_t>(bits);
    if (value < low || value > high) {
      return fail("expected a number from " + std::to_string(low) + " to " + std::to_string(high));
    }
    lexer_.next();
    return true;
  }

  /// Names of generic targets have hyphens, which elsewhere belong to tokens of their own.
  std::string_view target_name() {
    std::string_view name = lexer_.peek().text;
    lexer_.next();
    while (!lexer_.peek().text.empty() && lexer_.peek().text.data() == name.data() + name.size()) {
      name = {name.data(), name.size() + lexer_.peek().text.size()};
      lexer_.next();
    }
    return name;
  }

  bool header() {
    if (!expect("machine")) return false;
    const isa::Target* target = lexer_.at(TokenKind::identifier) ? isa::find_target(target_name()) : nullptr;
    if (target == nullptr) return fail("expected the name of a target");
    unsigned wave_size = 0;
    if (lexer_.accept("wave32")) {
      wave_size = 32;
    } else if (lexer_.accept("wave64")) {
      wave_size = 64;
    } else {
      return fail("expected wave32 or wave64");
    }
    function_.emplace(*target, wave_size);
    for (unsigned i = 0; i < 4; ++i) {
      if (!lexer_.accept(kStageNames[i])) continue;
      function_->stage = static_cast<Stage>(i);
      return true;
    }
    return fail("expected selected, masked, allocated or final");
  }

  bool line() {
    if (lexer_.accept("facts")) return facts();
    if (lexer_.accept("scratch")) return reserved(function_->scratch_descriptor);
    if (lexer_.accept("jump")) return reserved(function_->jump_pair);
    if (lexer_.accept("follows_code")) return function_->follows_code = true;
    if (lexer_.accept("hint")) return hint();
    if (lexer_.at(TokenKind::identifier) && numbered(lexer_.peek().text, 'b')) return block_header();
    if (!current_.valid()) return fail("expected a block such as 'b0:'");
    return instruction();
  }

  bool facts() {
    ProgramFacts& facts = function_->facts;
    while (lexer_.at(TokenKind::identifier)) {
      const std::string_view key = lexer_.next().text;
      int64_t value = 0;
      if (!expect("=") || !integer(0, 0xffffffff, value)) return false;
      if (key == "sgpr_count") {
        facts.sgpr_count = static_cast<uint16_t>(value);
      } else if (key == "vgpr_count") {
        facts.vgpr_count = static_cast<uint16_t>(value);
      } else if (key == "uses_vcc") {
        facts.uses_vcc = value != 0;
      } else if (key == "spilled_sgprs") {
        facts.spilled_sgprs = static_cast<uint32_t>(value);
      } else if (key == "spilled_vgprs") {
        facts.spilled_vgprs = static_cast<uint32_t>(value);
      } else if (key == "scratch_bytes") {
        facts.scratch_bytes = static_cast<uint32_t>(value);
      } else if (key == "lds_bytes") {
        facts.lds_bytes = static_cast<uint32_t>(value);
      } else {
        return fail("unknown fact '" + std::string(key) + "'");
      }
    }
    return true;
  }

  bool reserved(isa::Reg& first) {
    RegisterTuple registers;
    if (!reg(registers)) return false;
    first = registers.reg;
    return true;
  }

  bool hint() {
    Operand operand;
    RegisterTuple preferred;
    if (!vreg(operand) || !reg(preferred)) return false;
    function_->vregs[operand.vreg()].hint = preferred.reg;
    return true;
  }

  // ---- blocks ----

  bool block_id(BlockId& id) {
    const auto number =
        lexer_.at(TokenKind::identifier) ? numbered(lexer_.peek().text, 'b') : std::optional<uint32_t>();
    if (!number) return fail("expected a block");
    if (*number >= id_limit_) return fail("block number too large");
    lexer_.next();
    id = BlockId(*number);
    while (function_->blocks.size() <= *number) function_->create_block();
    in_layout_.resize(function_->blocks.size(), false);
    return true;
  }

  bool block_header() {
    if (!block_id(current_) || !expect(":")) return false;
    if (in_layout_[current_.index]) return fail("block b" + std::to_string(current_.index) + " appears twice");
    in_layout_[current_.index] = true;
    function_->layout.push_back(current_);
    while (lexer_.at(TokenKind::identifier)) {
      const std::string_view word = lexer_.next().text;
      const BlockId id = current_;
      if (word == "loop_header") {
        function_->blocks[id].loop_header = true;
      } else if (word == "depth") {
        int64_t depth = 0;
        if (!expect("=") || !integer(0, 65535, depth)) return false;
        function_->blocks[id].loop_depth = static_cast<uint16_t>(depth);
      } else if (word == "logical" || word == "linear") {
        SmallVector<BlockId, 2> preds, succs;
        if (!expect("(") || !block_list(preds) || !expect("->") || !block_list(succs) || !expect(")")) return false;
        Block& block = function_->blocks[id];
        (word == "logical" ? block.logical_preds : block.linear_preds) = preds;
        (word == "logical" ? block.logical_succs : block.linear_succs) = succs;
      } else {
        return fail("expected loop_header, depth, logical or linear");
      }
    }
    return true;
  }

  bool block_list(SmallVector<BlockId, 2>& list) {
    if (!lexer_.at(TokenKind::identifier)) return true;
    do {
      BlockId id;
      if (!block_id(id)) return false;
      list.push_back(id);
    } while (lexer_.accept(","));
    return true;
  }

  bool check_blocks() {
    if (function_->layout.empty()) return fail("expected at least one block");
    for (uint32_t i = 0; i < in_layout_.size(); ++i) {
      if (in_layout_[i]) continue;
      for (BlockId id : function_->layout) {
        if (mentions(id, BlockId(i))) return fail("block b" + std::to_string(i) + " is used and not defined");
      }
    }
    return true;
  }

  bool mentions(BlockId where, BlockId what) const {
    const Block& block = function_->blocks[where];
    for (const auto* list : {&block.logical_preds, &block.logical_succs, &block.linear_preds, &block.linear_succs}) {
      if (std::find(list->begin(), list->end(), what) != list->end()) return true;
    }
    for (InstId inst : block.insts) {
      for (const Operand& use : function_->uses(inst)) {
        if (use.kind == Operand::Kind::block && use.block() == what) return true;
      }
    }
    return false;
  }

  // ---- registers and operands ----

  static bool looks_like_register(std::string_view word) {
    for (char file : {'s', 'v', 'x'}) {
      if (numbered(word, file) || (word.size() == 1 && word[0] == file)) return true;
    }
    return std::any_of(std::begin(kNamedRegisters), std::end(kNamedRegisters),
                       [word](const NamedRegister& named) { return named.name == word; });
  }

  bool reg(RegisterTuple& result) {
    if (!lexer_.at(TokenKind::identifier) && !lexer_.at(TokenKind::global)) return fail("expected a register");
    const std::string_view word = lexer_.peek().text;
    for (const NamedRegister& named : kNamedRegisters) {
      if (named.name != word) continue;
      lexer_.next();
      result = {named.reg, named.dwords};
      return true;
    }
    const char file = word.empty() ? '\0' : word[0];
    if (file != 's' && file != 'v' && file != 'x') return fail("expected a register");
    int64_t first = 0, last = 0;
    if (const auto index = numbered(word, file)) {
      first = last = *index;
      lexer_.next();
    } else if (word.size() == 1) {
      lexer_.next();
      if (!expect("[") || !integer(0, kLastRegister, first) || !expect(":") || !integer(0, kLastRegister, last) ||
          !expect("]"))
        return false;
    } else {
      return fail("expected a register");
    }
    if (last < first || last - first >= kMaxTupleDwords || last > kLastRegister ||
        (file == 'v' && isa::Reg::kVgprBegin + last > kLastRegister)) {
      return fail("expected a register tuple");
    }
    result.reg = isa::Reg{static_cast<uint16_t>(first + (file == 'v' ? isa::Reg::kVgprBegin : 0))};
    result.dwords = static_cast<unsigned>(last - first + 1);
    return true;
  }

  bool reg_class(RegClass& cls) {
    if (!lexer_.at(TokenKind::identifier)) return fail("expected a register class");
    std::string_view word = lexer_.peek().text;
    const bool linear_vgpr = word.starts_with("lv");
    if (linear_vgpr) word.remove_prefix(1);
    const bool vgpr = word.starts_with('v');
    const auto dwords = numbered(word, vgpr ? 'v' : 's');
    if (!dwords || *dwords == 0 || *dwords > kMaxTupleDwords)
      return fail("expected a register class such as s1, v4, lv1");
    cls = vgpr ? vgpr_class(*dwords) : sgpr_class(*dwords);
    if (linear_vgpr) cls.linear = true;
    lexer_.next();
    return true;
  }

  bool vreg(Operand& operand) {
    if (!lexer_.at(TokenKind::value)) return fail("expected a virtual register");
    const auto number = decimal(lexer_.peek().text);
    if (!number || *number >= id_limit_) return fail("expected the number of a virtual register");
    lexer_.next();
    RegClass cls;
    if (!expect(":") || !reg_class(cls)) return false;
    while (function_->vregs.size() <= *number) function_->create_vreg(kS1);
    known_.resize(function_->vregs.size(), false);
    const VReg id(*number);
    if (known_[*number] && function_->vregs[id].cls != cls) {
      return fail("%" + std::to_string(*number) + " has another class before");
    }
    known_[*number] = true;
    function_->vregs[id].cls = cls;
    operand = Operand::of(id, cls);
    if (!lexer_.at(TokenKind::global)) return true;
    RegisterTuple assigned;
    if (!reg(assigned)) return false;
    if (assigned.dwords != cls.dwords) return fail("register tuple of another size");
    operand.reg = assigned.reg;
    return true;
  }

  bool operand(Operand& result) {
    const bool tied = lexer_.accept("tied");
    if (!untied_operand(result)) return false;
    result.tied = tied;
    return true;
  }

  bool untied_operand(Operand& result) {
    if (lexer_.at(TokenKind::value)) return vreg(result);
    if (lexer_.at(TokenKind::number)) {
      int64_t value = 0;
      if (!integer(std::numeric_limits<int32_t>::min(), 0xffffffff, value)) return false;
      result = Operand::immediate(static_cast<uint32_t>(value));
      return true;
    }
    if (!lexer_.at(TokenKind::identifier)) return fail("expected an operand");
    if (lexer_.accept("none")) {
      result = Operand();
      return true;
    }
    if (lexer_.accept("table")) {
      result = Operand::table_distance();
      return true;
    }
    if (lexer_.accept("undef")) {
      int64_t dwords = 1;
      if (lexer_.accept(":") && !integer(1, kMaxTupleDwords, dwords)) return false;
      result = Operand::undefined(static_cast<unsigned>(dwords));
      return true;
    }
    if (numbered(lexer_.peek().text, 'b')) {
      BlockId id;
      if (!block_id(id)) return false;
      result = Operand::target(id);
      return true;
    }
    RegisterTuple tuple;
    if (!reg(tuple)) return false;
    result = Operand::physical(tuple.reg, tuple.dwords);
    return true;
  }

  // ---- instructions ----

  bool starts_operand() const {
    if (lexer_.at(TokenKind::value) || lexer_.at(TokenKind::number)) return true;
    if (!lexer_.at(TokenKind::identifier)) return false;
    const std::string_view word = lexer_.peek().text;
    return word == "tied" || word == "undef" || word == "table" || word == "none" || numbered(word, 'b') ||
           looks_like_register(word);
  }

  bool instruction() {
    defs_.clear();
    uses_.clear();
    if (starts_operand()) {
      do {
        Operand def;
        if (!operand(def)) return false;
        defs_.push_back(def);
      } while (lexer_.accept(","));
      if (!expect("=")) return false;
    }
    if (!lexer_.at(TokenKind::identifier)) return fail("expected an opcode");
    const Opcode opcode = find_opcode(lexer_.peek().text);
    if (opcode == Opcode::invalid) return fail("unknown opcode");
    lexer_.next();
    Opcode combined = Opcode::invalid;
    if (combines(opcode)) {
      combined = find_opcode(lexer_.peek().text);
      if (combined == Opcode::invalid) return fail("expected the opcode that combines");
      lexer_.next();
    }
    if (starts_operand()) {
      do {
        Operand use;
        if (!operand(use)) return false;
        uses_.push_back(use);
      } while (lexer_.accept(","));
    }
    if (defs_.size() > 65535 || uses_.size() > 65535) return fail("too many operands");
    const InstId id = function_->append(current_, opcode, defs_, uses_);
    if (combined != Opcode::invalid) function_->insts[id].simm16 = static_cast<int32_t>(combined);
    return attributes(function_->insts[id]);
  }

  bool attributes(Inst& inst) {
    isa::Modifiers mods;
    while (lexer_.at(TokenKind::identifier)) {
      const std::string_view key = lexer_.next().text;
      if (key == "mem") {
        if (!memory(inst)) return false;
      } else if (key == "simm") {
        int64_t value = 0;
        if (!expect("=") || !integer(std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max(), value)) {
          return false;
        }
        inst.simm16 = static_cast<int32_t>(value);
      } else if (key == "origin") {
        int64_t value = 0;
        if (!expect("=") || !integer(0, std::numeric_limits<uint32_t>::max(), value)) return false;
        inst.origin = static_cast<uint32_t>(value);
      } else if (key == "dual") {
        inst.dual = true;
      } else if (!modifier(mods, key)) {
        return false;
      }
    }
    function_->set_modifiers(inst, mods);
    return true;
  }

  bool modifier(isa::Modifiers& mods, std::string_view key) {
    bool found = false, good = true;
    for_each_modifier(mods, [&](std::string_view field_name, auto& field) {
      if (field_name != key) return;
      found = true;
      using Field = std::remove_reference_t<decltype(field)>;
      if constexpr (std::is_same_v<Field, bool>) {
        field = true;
      } else {
        int64_t value = 0;
        good = expect("=") && integer(std::numeric_limits<Field>::min(), std::numeric_limits<Field>::max(), value);
        if (good) field = static_cast<Field>(value);
      }
    });
    if (!found) return fail("unknown modifier '" + std::string(key) + "'");
    return good;
  }

  bool memory(Inst& inst) {
    if (!expect("(")) return false;
    do {
      bool found = false;
      for (unsigned i = 0; i < std::size(kMemoryNames) && !found; ++i) {
        if (!lexer_.accept(kMemoryNames[i])) continue;
        inst.memory = static_cast<uint16_t>(inst.memory | 1u << i);
        found = true;
      }
      if (!found) return fail("expected a kind of memory access");
    } while (lexer_.accept(","));
    return expect(")");
  }

  text::Lexer lexer_;
  const uint32_t id_limit_;
  std::optional<Function> function_;
  std::optional<Error> error_;
  BlockId current_;
  std::vector<bool> in_layout_, known_;
  std::vector<Operand> defs_, uses_;
};

}  // namespace

Result<Function> parse(std::string_view text) {
  return Parser(text).run();
}

}  // namespace spalt::mir
