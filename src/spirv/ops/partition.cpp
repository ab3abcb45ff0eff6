// SPDX-License-Identifier: MIT
// OpGroupNonUniformPartitionNV: the invocations that run and have the same value as this one.
//
// Bit by bit: a ballot of one bit of the value says who has it set, and those who do not agree with this invocation
// leave its part. No loop, so that all lanes stay together, at the price of six instructions for each bit and 32 lanes.
// Numbers are compared by their bits.
#include <spirv/unified1/spirv.hpp>

#include "spirv/ops/instructions.h"
#include "spirv/ops/subgroup.h"

namespace spalt::spirv {
namespace {

using ir::Builder;
using ir::Op;
using ir::Type;
using ir::Value;

constexpr uint32_t kBallotWords = 4, kCountedWords = 2;

/// Keeps the invocations in `parts` that agree about `bit` of `word`.
void keep_equal(Reader& r, Value word, uint32_t bit, Value (&parts)[kCountedWords]) {
  Builder& b = r.b;
  const Value masked = b.iand(word, b.i32(1u << bit));
  const Value is_set = b.binary(Op::ine, masked, b.i32(0));
  // All ones where this one's bit is clear: then the others' must be, too.
  const Value flip = b.select(is_set, b.i32(0), b.i32(~0u));
  for (uint32_t i = 0; i < kCountedWords; ++i) {
    const Value ballot = b.emit(Op::ballot, ir::kI32, {is_set}, i);
    parts[i] = b.iand(parts[i], b.ixor(ballot, flip));
  }
}

void keep_equal(Reader& r, Value value, Value (&parts)[kCountedWords]) {
  const Type type = r.b.function().type(value);
  const uint32_t bits = type.is_bool() ? 1 : type.bits() < 32 ? type.bits() : 32;
  const MovedWords moved = words_of(r, value);
  for (uint32_t i = 0; i < moved.count; ++i) {
    const Value word = r.b.bitcast(ir::kI32, moved.words[i]);
    for (uint32_t bit = 0; bit < bits; ++bit) keep_equal(r, word, bit, parts);
  }
}

}  // namespace

bool translate_partition(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Leaves value;
  if (!r.has_words(in, 4) || !r.result_vector_type(in, ir::Scalar::i32, type)) return false;
  if (r.types[type].leaves != kBallotWords) return r.fail("expected a result of four components");
  if (!r.vector_value(in[3], kAnyScalar, 0, value)) return false;
  Value parts[kCountedWords];
  for (uint32_t i = 0; i < kCountedWords; ++i) parts[i] = r.b.emit(Op::ballot, ir::kI32, {r.b.boolean(true)}, i);
  for (uint32_t i = 0; i < value.count; ++i) keep_equal(r, r.leaf(value, i), parts);
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < kBallotWords; ++i) {
    const Value word = i == 0 ? parts[0] : i == 1 ? second_word(r, parts[1]) : r.b.i32(0);
    r.set_leaf(out, i, word);
  }
  return r.bind(in[2], out);
}

}  // namespace spalt::spirv
