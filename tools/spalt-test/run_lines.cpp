// SPDX-License-Identifier: MIT
#include "run_lines.h"

#include "base/text/lexer.h"
#include "command.h"
#include "interp/interpreter.h"
#include "ir/names.h"
#include "ir/parser.h"
#include "ir/printer.h"

namespace spalt::golden {
namespace {

using text::Lexer;
using text::TokenKind;

/// Golden tests are small: an endless loop should fail at once.
constexpr interp::Limits kLimits{.steps = 10'000'000};

struct TypedValue {
  ir::Type type;
  uint64_t bits = 0;
};

struct BufferData {
  uint32_t set = 0, binding = 0, element = 0;
  std::vector<uint8_t> bytes;
};

Result<uint64_t> number(Lexer& lexer) {
  uint64_t value = 0;
  if (!lexer.at(TokenKind::number) || !text::parse_integer(lexer.peek().text, value)) {
    return lexer.error("expected a number");
  }
  lexer.next();
  return value;
}

/// "i32 1, 2, f32 0.5": a type holds until the next one.
Result<std::vector<TypedValue>> typed_values(Lexer& lexer) {
  std::vector<TypedValue> values;
  ir::Type type;
  do {
    if (const std::optional<ir::Type> found = ir::find_type(lexer.peek().text)) {
      type = *found;
      lexer.next();
    }
    TypedValue value{type, 0};
    if (!ir::parse_constant(type, lexer.peek().text, value.bits)) return lexer.error("expected a type and constants");
    lexer.next();
    values.push_back(value);
  } while (lexer.accept(","));
  return values;
}

std::vector<uint8_t> to_bytes(const std::vector<TypedValue>& values) {
  std::vector<uint8_t> bytes;
  for (const TypedValue& value : values) {
    for (unsigned i = 0; i < value.type.bytes(); ++i) bytes.push_back(static_cast<uint8_t>(value.bits >> (8 * i)));
  }
  return bytes;
}

/// One pass over the annotations of a file.
class Runner {
 public:
  explicit Runner(const ir::Module& module) : module_(module) {}

  Result<void> run(const TestFile& file) {
    for (const std::string& line : split_lines(file.input)) {
      if (Result<void> r = set_up(line); !r) return r;
    }
    for (const std::string& line : file.annotations("run")) {
      Lexer lexer(line);
      Result<void> r = lexer.accept("dispatch") ? dispatch(lexer) : call(lexer, line);
      if (!r) return test_error("run: " + line + ": " + r.error().message);
    }
    for (const std::string& line : split_lines(file.input)) {
      if (!line.starts_with("; result ")) continue;
      if (Result<void> r = result(line); !r) return test_error(line + ": " + r.error().message);
    }
    return {};
  }

 private:
  Result<void> set_up(const std::string& line) {
    Lexer lexer(std::string_view(line).substr(line.starts_with(";") ? 1 : 0));
    if (line.starts_with("; buffer ")) {
      lexer.next();
      Result<BufferData> buffer = place(lexer);
      if (!buffer) return buffer.error();
      if (Result<void> r = content(lexer, buffer->bytes); !r) return r;
      buffers_.push_back(std::move(*buffer));
    } else if (line.starts_with("; push:")) {
      lexer.next();
      lexer.next();
      return content(lexer, push_);
    }
    return {};
  }

  /// "0, 1[2]:"
  Result<BufferData> place(Lexer& lexer) {
    BufferData data;
    const Result<uint64_t> set = number(lexer);
    if (!set || !lexer.accept(",")) return lexer.error("expected SET, BINDING:");
    const Result<uint64_t> binding = number(lexer);
    if (!binding) return lexer.error("expected SET, BINDING:");
    data.set = static_cast<uint32_t>(*set);
    data.binding = static_cast<uint32_t>(*binding);
    if (lexer.accept("[")) {
      const Result<uint64_t> element = number(lexer);
      if (!element || !lexer.accept("]")) return lexer.error("expected [ELEMENT]");
      data.element = static_cast<uint32_t>(*element);
    }
    if (!lexer.accept(":")) return lexer.error("expected ':'");
    return data;
  }

  Result<void> content(Lexer& lexer, std::vector<uint8_t>& bytes) {
    if (lexer.accept("zeros")) {
      const Result<uint64_t> count = number(lexer);
      if (!count || *count > (1u << 24)) return lexer.error("expected a number of bytes");
      bytes.assign(*count, 0);
      return {};
    }
    const Result<std::vector<TypedValue>> values = typed_values(lexer);
    if (!values) return values.error();
    bytes = to_bytes(*values);
    return {};
  }

  Result<void> dispatch(Lexer& lexer) {
    interp::Dispatch dispatch;
    for (unsigned i = 0; i < 3; ++i) {
      if (i > 0 && !lexer.accept(",")) return lexer.error("expected dispatch X, Y, Z");
      const Result<uint64_t> size = number(lexer);
      if (!size) return size.error();
      dispatch.groups[i] = static_cast<uint32_t>(*size);
    }
    if (lexer.accept(",")) {
      if (!lexer.accept("subgroup")) return lexer.error("expected subgroup SIZE");
      const Result<uint64_t> size = number(lexer);
      if (!size) return size.error();
      dispatch.subgroup_size = static_cast<uint32_t>(*size);
    }
    dispatch.push_constants = push_;
    for (BufferData& data : buffers_) {
      dispatch.buffers.push_back({data.set, data.binding, data.element, data.bytes});
    }
    return interp::run(module_, dispatch, kLimits);
  }

  const ir::Function* find_function(std::string_view name) const {
    for (const ir::Function& function : module_.functions) {
      if (function.name == name) return &function;
    }
    return nullptr;
  }

  /// "@name(1, true) == 2"; without "==" for functions that return nothing.
  Result<void> call(Lexer& lexer, const std::string& line) {
    if (!lexer.at(TokenKind::global)) return test_error("expected '@name(...)' or 'dispatch'");
    const ir::Function* function = find_function(lexer.next().text);
    if (function == nullptr) return test_error("no such function");
    if (!lexer.accept("(")) return lexer.error("expected '('");
    std::vector<uint64_t> arguments;
    for (ir::Value param : function->params) {
      uint64_t bits = 0;
      if (!arguments.empty() && !lexer.accept(",")) return lexer.error("expected ','");
      if (!ir::parse_constant(function->type(param), lexer.peek().text, bits)) {
        return lexer.error("expected a constant of type " + ir::type_name(function->type(param)));
      }
      lexer.next();
      arguments.push_back(bits);
    }
    if (!lexer.accept(")")) return lexer.error("expected ')'");
    const Result<uint64_t> found = interp::call(module_, *function, arguments, kLimits);
    if (!found) return found.error();
    if (function->return_type.is_none()) return {};
    uint64_t expected = 0;
    const size_t equals = line.find("==");
    const std::string_view text = equals == std::string::npos ? "" : trim(std::string_view(line).substr(equals + 2));
    if (!ir::parse_constant(function->return_type, text, expected)) {
      return test_error("expected '== CONSTANT' of type " + ir::type_name(function->return_type));
    }
    if (*found == expected) return {};
    return test_error("found " + ir::print_constant(function->return_type, *found));
  }

  Result<void> result(const std::string& line) {
    Lexer lexer(std::string_view(line).substr(1));
    lexer.next();
    const Result<BufferData> where = place(lexer);
    if (!where) return where.error();
    const Result<std::vector<TypedValue>> expected = typed_values(lexer);
    if (!expected) return expected.error();
    for (const BufferData& buffer : buffers_) {
      const bool same =
          buffer.set == where->set && buffer.binding == where->binding && buffer.element == where->element;
      if (same) return compare(*expected, buffer.bytes);
    }
    return test_error("there is no such buffer");
  }

  Result<void> compare(const std::vector<TypedValue>& expected, const std::vector<uint8_t>& bytes) {
    size_t offset = 0;
    for (size_t i = 0; i < expected.size(); ++i) {
      const unsigned size = expected[i].type.bytes();
      if (offset + size > bytes.size()) return test_error("the buffer is too small");
      uint64_t found = 0;
      for (unsigned k = 0; k < size; ++k) found |= static_cast<uint64_t>(bytes[offset + k]) << (8 * k);
      if (found != expected[i].bits) {
        return test_error("value " + std::to_string(i) + " is " + ir::print_constant(expected[i].type, found) +
                          ", expected " + ir::print_constant(expected[i].type, expected[i].bits));
      }
      offset += size;
    }
    return {};
  }

  const ir::Module& module_;
  std::vector<BufferData> buffers_;
  std::vector<uint8_t> push_;
};

}  // namespace

bool has_runs(const TestFile& file) {
  return !file.annotations("run").empty();
}

Result<void> check_runs(const TestFile& file, const ir::Module& module) {
  return Runner(module).run(file);
}

}  // namespace spalt::golden
