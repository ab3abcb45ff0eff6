// SPDX-License-Identifier: MIT
// Ids, literal strings and diagnostics: what every chapter of the reader needs.
#include <algorithm>
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
  // Guesses that spare most modules all growing, bounded for large ones. Passes make instructions, too.
  constexpr size_t kLargest = 4096;
  function().reserve(std::min(words.size() / 2, kLargest));
  leaves.reserve(std::min(words.size() / 4, kLargest));
  types.reserve(64);
  specialized.resize(options.specialization.size(), 0);
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

bool Reader::fail_defined(uint32_t id) {
  return fail(concat("id ", id, " is defined twice"));
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

namespace {

/// The numbers that the reader relies on; an id has one of each.
enum NumberKind : uint32_t { kSpecId, kArrayStride, kBuiltIn, kBinding, kDescriptorSet, kNumberKinds, kNoNumber };

NumberKind number_kind(uint32_t decoration) {
  switch (decoration) {
    case spv::DecorationSpecId:
      return kSpecId;
    case spv::DecorationArrayStride:
      return kArrayStride;
    case spv::DecorationBuiltIn:
      return kBuiltIn;
    case spv::DecorationBinding:
      return kBinding;
    case spv::DecorationDescriptorSet:
      return kDescriptorSet;
    default:
      return kNoNumber;
  }
}

uint16_t flag_of(uint32_t decoration) {
  switch (decoration) {
    case spv::DecorationNoContraction:
      return kIdNoContraction;
    case spv::DecorationFPFastMathMode:
      return kIdFastMath;
    case spv::DecorationRelaxedPrecision:
      return kIdRelaxedPrecision;
    case spv::DecorationNonUniform:
      return kIdNonUniform;
    case spv::DecorationCoherent:
      return kIdCoherent;
    case spv::DecorationVolatile:
      return kIdVolatile;
    case spv::DecorationNonWritable:
      return kIdNonWritable;
    case spv::DecorationAliased:
      return kIdAliased;
    default:
      return 0;
  }
}

}  // namespace

bool Reader::decorate(uint32_t id) {
  uint16_t& flags = ids[id].flags;
  uint32_t seen = 0;  // bits by NumberKind
  uint32_t values[kNumberKinds] = {};
  bool ok = true;
  decorations.for_each(id, [&](const Decoration& decoration, uint32_t member) {
    if (member != kNone) return;
    flags |= flag_of(decoration.kind);
    const NumberKind kind = number_kind(decoration.kind);
    if (kind == kNoNumber) return;
    if (!decoration.has_argument) {
      ok = fail(concat("id ", id, " is decorated ", decoration_name(decoration.kind), " without a number"));
    }
    if ((seen >> kind & 1) != 0 && values[kind] != decoration.argument) {
      ok = fail(concat("id ", id, " is decorated ", decoration_name(decoration.kind), " with both ",
                       decoration.argument, " and ", values[kind]));
    }
    seen |= 1u << kind;
    values[kind] = decoration.argument;
  });
  return ok;
}

bool Reader::string_at(const Instruction& in, uint32_t index, std::string_view& text) {
  return literal_string(in, index, text) || fail("a literal string has no end");
}

}  // namespace spalt::spirv
