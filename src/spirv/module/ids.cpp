// SPDX-License-Identifier: MIT
// Ids, literal strings and diagnostics: what every chapter of the reader needs.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <spirv/unified1/spirv.hpp>

#include "spirv/module/names.h"
#include "spirv/reader_state.h"

namespace spalt::spirv {

Reader::Reader(std::span<const uint32_t> module_words, const ReadOptions& read_options, CompileContext& memory)
    : context(memory),
      words(module_words),
      options(read_options),
      module(&memory.arena),
      b(module.add_function()),
      ssa(b, memory.scratch) {
  // A guess that spares small modules most growing, bounded for others.
  const size_t guess = std::min<size_t>(words.size() / 4, 4096);
  function().reserve(guess);
  leaves.reserve(guess);
  types.reserve(64);
}

bool Reader::fail(std::string message) {
  return fail(Status::invalid_input, std::move(message));
}

bool Reader::unsupported(const std::string& what) {
  return fail(Status::unsupported, what + " is not supported");
}

bool Reader::fail(Status status, std::string message) {
  if (failed) return false;
  failed = true;
  error.status = status;
  error.message = current.count != 0 ? concat(opcode_name(current.opcode), ": ", message) : std::move(message);
  error.offset = current.offset;
  if (line_file == 0) return false;
  // The file name is an OpString; it was checked when it was defined.
  const Instruction name{words.data() + ids[line_file].word, 0, words[ids[line_file].word] >> 16, 0};
  std::string_view file;
  if (!string_at(name, 2, file)) return false;
  error.source_file = file;
  error.source_line = line;
  return false;
}

bool Reader::fail_at(uint32_t word, std::string message) {
  current = instruction_at(word);
  return fail(std::move(message));
}

bool Reader::fail_bound(uint32_t id) {
  return fail(concat("id ", id, " is out of bounds"));
}

bool Reader::fail_type(uint32_t id) {
  return in_bound(id) && fail(concat("id ", id, " is not a type"));
}

bool Reader::fail_words(const Instruction& in, uint32_t minimum) {
  return fail(concat("expected at least ", minimum - 1, " operands, found ", in.count - 1));
}

bool Reader::fail_limits() {
  if (function().value_capacity() > options.limits.instructions) {
    return fail(Status::limit_exceeded, concat("more than ", options.limits.instructions, " IR instructions"));
  }
  return fail(Status::limit_exceeded, "the module needs too much work, mostly for large composites or variables");
}

bool fail_decode(Reader& r, uint32_t word) {
  r.current = {};
  r.current.offset = word;
  return r.fail(concat("instruction of ", r.words[word] >> 16, " words where ", r.words.size() - word, " are left"));
}

bool Reader::define(uint32_t id, IdKind kind, uint32_t type, uint32_t index) {
  if (!in_bound(id)) return false;
  IdInfo& info = ids[id];
  if (info.kind != IdKind::none) return fail(concat("id ", id, " is defined twice"));
  info.kind = kind;
  info.type = type;
  info.index = index;
  info.word = current.offset;
  return decorations.empty(id) || decorate(id);
}

bool Reader::decorate(uint32_t id) {
  uint8_t& flags = ids[id].flags;
  // Numbers that the reader relies on, as far as they were seen; an id has one of each.
  struct Number {
    uint32_t kind;
    bool seen = false;
    uint32_t value = 0;
  };
  std::array<Number, 5> numbers{{{spv::DecorationSpecId},
                                 {spv::DecorationArrayStride},
                                 {spv::DecorationBuiltIn},
                                 {spv::DecorationBinding},
                                 {spv::DecorationDescriptorSet}}};
  bool ok = true;
  decorations.for_each(id, [&](const Decoration& decoration, uint32_t member) {
    if (member != kNone) return;
    if (decoration.kind == spv::DecorationNoContraction) flags |= kIdNoContraction;
    if (decoration.kind == spv::DecorationRelaxedPrecision) flags |= kIdRelaxedPrecision;
    if (decoration.kind == spv::DecorationNonUniform) flags |= kIdNonUniform;
    for (Number& number : numbers) {
      if (decoration.kind != number.kind) continue;
      if (!decoration.has_argument)
        ok = fail(concat("id ", id, " is decorated ", decoration_name(number.kind), " without a number"));
      if (number.seen && number.value != decoration.argument) {
        ok = fail(concat("id ", id, " is decorated ", decoration_name(number.kind), " with both ", decoration.argument,
                         " and ", number.value));
      }
      number.seen = true;
      number.value = decoration.argument;
    }
  });
  return ok;
}

bool Reader::string_at(const Instruction& in, uint32_t index, std::string_view& text) {
  // The first character is in the lowest bits of the first word.
  static_assert(std::endian::native == std::endian::little);
  if (index < in.count) {
    const char* begin = reinterpret_cast<const char*>(in.words + index);
    if (const void* end = std::memchr(begin, 0, size_t{in.count - index} * sizeof(uint32_t))) {
      text = {begin, static_cast<const char*>(end)};
      return true;
    }
  }
  return fail("a literal string has no end");
}

}  // namespace spalt::spirv
