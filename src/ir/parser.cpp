// SPDX-License-Identifier: MIT
#include "ir/parser.h"

#include "base/text/lexer.h"
#include "ir/names.h"
#include "ir/parser_function.h"

namespace spalt::ir {
namespace {

using text::Lexer;
using text::TokenKind;

/// The lines before the first function. Every method returns an empty error message on success.
class HeaderParser {
 public:
  HeaderParser(Lexer& lexer, Module& module) : lexer_(lexer), module_(module) {}

  /// Reads one line; the word that starts it is the current token.
  Result<void> line() {
    const text::Token word = lexer_.peek();
    if (word.kind != TokenKind::identifier) return lexer_.error("expected a module field or a function");
    const std::string_view name = word.text;
    if (name == "binding") return binding();
    if (name == "arg") return arg();
    if (name == "handed") return handed();
    if (name == "stage") return stage();
    if (name == "shader") return shader();
    if (name == "workgroup_size") return workgroup_size();
    if (name == "derivative_group") return derivative_group();
    if (name == "all_lanes") return all_lanes();
    if (name == "early_tests" || name == "post_depth_coverage" || name == "per_sample" || name == "whole_quads" ||
        name == "depth_bound") {
      return fragment_fact();
    }
    if (name == "shared_bytes") return number_field(32, module_.shared_bytes);
    if (name == "zeroed_shared") return zeroed_shared();
    if (name == "scratch_bytes") return number_field(32, module_.scratch_bytes);
    if (name == "scratch_variable") return scratch_variable();
    if (name == "table") return table();
    if (name == "push_constant_bytes") return number_field(32, module_.push_constant_bytes);
    if (name == "float_mode") return number_field(8, module_.float_mode);
    if (name == "must_flush_f16") return fact(module_.must_flush_f16);
    if (name == "must_flush_f32") return fact(module_.must_flush_f32);
    if (name == "must_flush_f64") return fact(module_.must_flush_f64);
    if (name == "fast_math_f16") return fast_math(module_.fast_math_f16);
    if (name == "fast_math_f32") return fast_math(module_.fast_math_f32);
    if (name == "fast_math_f64") return fast_math(module_.fast_math_f64);
    return lexer_.error("expected a module field or a function");
  }

 private:
  Result<void> fact(bool& target) {
    lexer_.next();
    target = true;
    return {};
  }
  /// The freedoms in braces, which may be none.
  Result<void> fast_math(uint16_t& target) {
    lexer_.next();
    target = 0;
    if (!lexer_.accept("{")) return lexer_.error("expected '{'");
    if (lexer_.accept("}")) return {};
    do {
      const uint32_t bit = find_bit(inst_flag_names(), lexer_.peek().text) & kAllFastMath;
      if (bit == 0) return lexer_.error("expected a freedom of float operations, as in {no_nan}");
      lexer_.next();
      target = static_cast<uint16_t>(target | bit);
    } while (lexer_.accept(","));
    if (!lexer_.accept("}")) return lexer_.error("expected '}'");
    return {};
  }
  template <class T>
  Result<void> number(unsigned bits, T& target) {
    uint64_t value = 0;
    if (!accept_unsigned(lexer_, bits, value)) {
      return lexer_.error("expected a number of at most " + std::to_string(bits) + " bits");
    }
    target = static_cast<T>(value);
    return {};
  }
  template <class T>
  Result<void> number_field(unsigned bits, T& target) {
    lexer_.next();
    return number(bits, target);
  }

  Result<void> stage() {
    lexer_.next();
    const std::optional<Stage> stage = find_stage(lexer_.peek().text);
    if (!stage) return lexer_.error("expected 'core' or 'lowered'");
    lexer_.next();
    module_.stage = *stage;
    return {};
  }

  Result<void> shader() {
    lexer_.next();
    const std::optional<ShaderStage> stage = find_shader_stage(lexer_.peek().text);
    if (!stage) return lexer_.error("expected 'compute', 'vertex' or 'fragment'");
    lexer_.next();
    switch (*stage) {
      case ShaderStage::compute:
        module_.shader = ComputeFacts();
        break;
      case ShaderStage::vertex:
        module_.shader = VertexFacts();
        break;
      case ShaderStage::fragment:
        module_.shader = FragmentFacts();
        break;
    }
    return {};
  }

  Result<void> workgroup_size() {
    if (module_.shader_stage() != ShaderStage::compute) return lexer_.error("only compute shaders have workgroups");
    lexer_.next();
    for (unsigned i = 0; i < 3; ++i) {
      if (i > 0 && !lexer_.accept(",")) return lexer_.error("expected ',' and three sizes");
      if (Result<void> r = number(32, module_.compute().workgroup_size[i]); !r) return r;
    }
    return {};
  }

  Result<void> derivative_group() {
    if (module_.shader_stage() != ShaderStage::compute) return lexer_.error("only compute shaders have workgroups");
    lexer_.next();
    const bool linear = lexer_.accept("linear");
    if (!linear && !lexer_.accept("quads")) return lexer_.error("expected 'linear' or 'quads'");
    module_.compute().derivatives = linear ? DerivativeGroup::linear : DerivativeGroup::quads;
    return {};
  }

  Result<void> all_lanes() {
    lexer_.next();
    VertexFacts* facts = std::get_if<VertexFacts>(&module_.shader);
    if (facts == nullptr) return lexer_.error("only vertex shaders have this");
    facts->all_lanes = true;
    return {};
  }

  Result<void> fragment_fact() {
    if (module_.shader_stage() != ShaderStage::fragment) return lexer_.error("only fragment shaders have this");
    FragmentFacts& facts = module_.fragment();
    if (lexer_.accept("early_tests")) {
      facts.early_tests = true;
    } else if (lexer_.accept("post_depth_coverage")) {
      facts.post_depth_coverage = true;
    } else if (lexer_.accept("per_sample")) {
      facts.per_sample = true;
    } else if (lexer_.accept("whole_quads")) {
      facts.whole_quads = true;
    } else {
      lexer_.next();
      const std::optional<DepthBound> bound = find_depth_bound(lexer_.peek().text);
      if (!bound) return lexer_.error("expected 'any', 'greater', 'less' or 'unchanged'");
      lexer_.next();
      facts.depth_bound = *bound;
    }
    return {};
  }

  Result<void> binding() {
    lexer_.next();
    Binding binding;
    if (Result<void> r = number(32, binding.set); !r) return r;
    if (!lexer_.accept(",")) return lexer_.error("expected ',' and the binding number");
    if (Result<void> r = number(32, binding.binding); !r) return r;
    if (!lexer_.accept(",")) return lexer_.error("expected ',' and the kind of the binding");
    const std::optional<BindingKind> kind = find_binding_kind(lexer_.peek().text);
    if (!kind) return lexer_.error("expected the kind of the binding, as in storage");
    lexer_.next();
    binding.kind = *kind;
    while (lexer_.accept(",")) {
      if (lexer_.accept("read_only")) {
        binding.read_only = true;
      } else if (lexer_.accept("aliased")) {
        binding.aliased = true;
      } else if (lexer_.accept("addressed")) {
        binding.addressed = true;
      } else if (lexer_.accept("runtime_count")) {
        binding.count = 0;
      } else if (lexer_.accept("count")) {
        if (Result<void> r = number(32, binding.count); !r) return r;
      } else {
        return lexer_.error("expected 'read_only', 'aliased', 'addressed', 'runtime_count' or 'count'");
      }
    }
    module_.bindings.push_back(binding);
    return {};
  }

  Result<void> zeroed_shared() {
    lexer_.next();
    SharedRange range;
    if (Result<void> r = number(32, range.begin); !r) return r;
    if (!lexer_.accept(",")) return lexer_.error("expected ',' and the size in bytes");
    if (Result<void> r = number(32, range.bytes); !r) return r;
    module_.zeroed_shared.push_back(range);
    return {};
  }

  Result<void> scratch_variable() {
    lexer_.next();
    ScratchVariable variable;
    if (Result<void> r = number(32, variable.offset); !r) return r;
    if (!lexer_.accept(",")) return lexer_.error("expected ',' and the size in bytes");
    if (Result<void> r = number(32, variable.bytes); !r) return r;
    module_.scratch_variables.push_back(variable);
    return {};
  }

  Result<void> table() {
    lexer_.next();
    do {
      uint32_t word = 0;
      if (Result<void> r = number(32, word); !r) return r;
      for (unsigned byte = 0; byte < 4; ++byte) module_.tables.push_back(static_cast<uint8_t>(word >> (8 * byte)));
    } while (lexer_.accept(","));
    return {};
  }

  /// What an `arg` and a `handed` have in common.
  template <class Register>
  Result<void> named_register(Register& which) {
    lexer_.next();
    if (!lexer_.at(TokenKind::string)) return lexer_.error("expected a name in quotes");
    if (lexer_.peek().text.size() > ShortName::kMaxSize)
      return lexer_.error("expected a name of at most 31 characters");
    which.name = lexer_.next().text;
    if (!lexer_.accept(",")) return lexer_.error("expected ',' and 'sgpr' or 'vgpr'");
    which.file = lexer_.at("vgpr") ? EntryArg::File::vgpr : EntryArg::File::sgpr;
    if (!lexer_.accept("sgpr") && !lexer_.accept("vgpr")) return lexer_.error("expected 'sgpr' or 'vgpr'");
    return number(16, which.reg);
  }

  Result<void> handed() {
    HandedRegister handed;
    if (Result<void> r = named_register(handed); !r) return r;
    module_.handed.push_back(handed);
    return {};
  }

  Result<void> arg() {
    EntryArg arg;
    if (Result<void> r = named_register(arg); !r) return r;
    while (lexer_.accept(",")) {
      if (lexer_.accept("dwords")) {
        if (Result<void> r = number(8, arg.dwords); !r) return r;
      } else if (lexer_.accept("max")) {
        if (Result<void> r = number(32, arg.max); !r) return r;
      } else {
        return lexer_.error("expected 'dwords' or 'max'");
      }
    }
    module_.args.push_back(arg);
    return {};
  }

  Lexer& lexer_;
  Module& module_;
};

}  // namespace

bool accept_unsigned(Lexer& lexer, unsigned bits, uint64_t& value) {
  const text::Token& token = lexer.peek();
  if (token.kind != TokenKind::number || token.text.starts_with('-')) return false;
  if (!text::parse_integer(token.text, value)) return false;
  if (bits < 64 && value >> bits != 0) return false;
  lexer.next();
  return true;
}

Result<Module> parse(std::string_view text) {
  Lexer lexer(text);
  Module module;
  HeaderParser header(lexer, module);
  lexer.skip_newlines();
  while (!lexer.at(TokenKind::end)) {
    if (lexer.at("func")) {
      Result<Function> function = parse_function(lexer);
      if (!function) return function.error();
      module.functions.push_back(std::move(*function));
    } else if (lexer.at("vertex_work")) {
      lexer.next();
      if (!lexer.at("func")) return lexer.error("expected 'func' after 'vertex_work'");
      Result<Function> work = parse_function(lexer);
      if (!work) return work.error();
      module.vertex_work = std::move(*work);
    } else {
      if (!module.functions.empty()) return lexer.error("expected 'func'; module fields come before the functions");
      if (Result<void> r = header.line(); !r) return r.error();
    }
    if (!lexer.at(TokenKind::newline) && !lexer.at(TokenKind::end)) return lexer.error("expected the end of the line");
    lexer.skip_newlines();
  }
  if (module.functions.empty()) return lexer.error("expected at least one function");
  return module;
}

}  // namespace spalt::ir
