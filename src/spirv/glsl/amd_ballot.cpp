// SPDX-License-Identifier: MIT
// SPV_AMD_shader_ballot: moves within quads and within 32 invocations, and what one invocation writes for another.
// An invocation that does not run gives 0.
#include <spirv/unified1/AMD_shader_ballot.h>

#include "spirv/glsl/glsl.h"
#include "spirv/ops/subgroup.h"

namespace spalt::spirv {
namespace {

using ir::Builder;
using ir::Op;
using ir::Value;

constexpr uint32_t kHalf = 32;

/// Whether the invocation `lane` runs.
Value runs(Reader& r, Value lane) {
  Builder& b = r.b;
  const Value low = b.emit(Op::ballot, ir::kI32, {b.boolean(true)}, 0);
  const Value high = b.emit(Op::ballot, ir::kI32, {b.boolean(true)}, 1);
  return b.binary(Op::ine, ballot_bit(r, low, high, lane), b.i32(0));
}

Value zero_like(Builder& b, Value value) {
  const ir::Type type = b.function().type(value);
  return type.is_bool() ? b.boolean(false) : type.is_float() ? b.number(type, 0.0) : b.integer(type, 0);
}

/// The components of a constant vector.
bool constant_words(Reader& r, uint32_t id, uint32_t count, uint32_t limit, uint32_t* words) {
  Leaves leaves;
  if (!r.vector_value(id, ir::Scalar::i32, count, leaves)) return false;
  for (uint32_t i = 0; i < count; ++i) {
    const Value leaf = r.leaf(leaves, i);
    const bool known = r.function().is_constant(leaf) && r.function().inst(leaf).imm < limit;
    if (!known) return r.fail("expected constants that name invocations");
    words[i] = static_cast<uint32_t>(r.function().inst(leaf).imm);
  }
  return true;
}

/// swizzleInvocationsAMD: each invocation of a quad names the one whose data it reads.
bool translate_swizzle(Reader& r, const Instruction& in) {
  Builder& b = r.b;
  uint32_t type = 0, offsets[4];
  Leaves data;
  if (!r.has_words(in, 7) || !r.result_vector_type(in, kAnyScalar, type)) return false;
  if (!r.typed_value(in[5], type, data) || !constant_words(r, in[6], 4, 4, offsets)) return false;
  const uint32_t lanes = offsets[0] | offsets[1] << 2 | offsets[2] << 4 | offsets[3] << 6;
  const Value id = subgroup_id(r), amount = b.ishl(b.iand(id, b.i32(3)), b.i32(1));
  const Value in_quad = b.iand(b.ushr(b.i32(lanes), amount), b.i32(3));
  const Value running = runs(r, b.ior(b.iand(id, b.i32(~3u)), in_quad));
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < out.count; ++i) {
    const Value read = permuted(r, r.leaf(data, i), lanes);
    r.set_leaf(out, i, b.select(running, read, zero_like(b, read)));
  }
  return r.bind(in[2], out);
}

/// swizzleInvocationsMaskedAMD: within 32 invocations, ((id & x) | y) ^ z.
bool translate_masked_swizzle(Reader& r, const Instruction& in) {
  Builder& b = r.b;
  uint32_t type = 0, masks[3];
  Leaves data;
  if (!r.has_words(in, 7) || !r.result_vector_type(in, kAnyScalar, type)) return false;
  if (!r.typed_value(in[5], type, data) || !constant_words(r, in[6], 3, kHalf, masks)) return false;
  const Value id = subgroup_id(r);
  const Value kept = b.iand(id, b.i32(masks[0] | ~(kHalf - 1)));
  const Value lane = b.ixor(b.ior(kept, b.i32(masks[1])), b.i32(masks[2]));
  const Value running = runs(r, lane);
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < out.count; ++i) {
    const Value read = shuffled(r, r.leaf(data, i), lane, kHalf);
    r.set_leaf(out, i, b.select(running, read, zero_like(b, read)));
  }
  return r.bind(in[2], out);
}

bool translate_write(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Leaves input, written;
  Value invocation;
  if (!r.has_words(in, 8) || !r.result_vector_type(in, kAnyScalar, type)) return false;
  if (!r.typed_value(in[5], type, input) || !r.typed_value(in[6], type, written)) return false;
  if (!r.index_value(in[7], invocation)) return false;
  const Value own = r.b.binary(Op::ieq, subgroup_id(r), invocation);
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < out.count; ++i) r.set_leaf(out, i, r.b.select(own, r.leaf(written, i), r.leaf(input, i)));
  return r.bind(in[2], out);
}

/// The bits of a mask that belong to invocations before this one.
bool translate_count_before(Reader& r, const Instruction& in) {
  Builder& b = r.b;
  uint32_t type = 0;
  Value mask;
  if (!r.has_words(in, 6) || !r.result_vector_type(in, ir::Scalar::i32, type)) return false;
  if (r.types[type].leaves != 1) return r.fail("expected a scalar result type");
  if (!r.scalar_value(in[5], ir::Scalar::i64, mask)) return false;
  const MovedWords words = words_of(r, mask);
  const Value low = b.emit(Op::bits_below, ir::kI32, {words.words[0], b.i32(0)}, 0);
  const Value count = b.emit(Op::bits_below, ir::kI32, {words.words[1], low}, 1);
  const Leaves out = r.new_leaves(type);
  r.set_leaf(out, 0, count);
  return r.bind(in[2], out);
}

}  // namespace

bool translate_amd_ballot(Reader& r, const Instruction& in) {
  switch (in[4]) {
    case AMD_shader_ballotSwizzleInvocationsAMD:
      return translate_swizzle(r, in);
    case AMD_shader_ballotSwizzleInvocationsMaskedAMD:
      return translate_masked_swizzle(r, in);
    case AMD_shader_ballotWriteInvocationAMD:
      return translate_write(r, in);
    case AMD_shader_ballotMbcntAMD:
      return translate_count_before(r, in);
    default:
      return r.fail("an instruction that the set does not have");
  }
}

}  // namespace spalt::spirv
