// SPDX-License-Identifier: MIT
// What one invocation reads of another: shuffles, rotations and moves within quads.
//
// All of them name a lane for each invocation, in arithmetic on its id; Op::shuffle and Op::quad_permute move words of
// 32 bits. A lane whose number is known to differ in its low bits only is marked as one of the same 32 (or of the same
// quad), which is cheaper. What a lane that does not run gives is undefined in SPIR-V, and anything here.
#include <bit>
#include <spirv/unified1/spirv.hpp>

#include "spirv/memory/memory.h"
#include "spirv/ops/instructions.h"
#include "spirv/ops/subgroup.h"

namespace spalt::spirv {

using ir::Builder;
using ir::Op;
using ir::Type;
using ir::Value;

MovedWords words_of(Reader& r, Value value) {
  Builder& b = r.b;
  const Type type = b.function().type(value);
  if (type.is_bool()) return {{b.select(value, b.i32(1), b.i32(0))}, 1};
  if (type.bits() == 64) {
    const Value halves = b.bitcast(ir::kI32.vector(2), value);
    return {{b.extract(halves, 0), b.extract(halves, 1)}, 2};
  }
  if (type.bits() == 32) return {{value}, 1};
  const Value bits = type.is_float() ? b.bitcast(ir::kI16, value) : value;
  return {{b.convert(Op::zext, ir::kI32, bits)}, 1};
}

Value from_words(Reader& r, const MovedWords& moved, Type type) {
  Builder& b = r.b;
  if (type.is_bool()) return b.binary(Op::ine, moved.words[0], b.i32(0));
  if (type.bits() == 64) {
    const Value bits = b.emit(Op::pack64, ir::kI64, {moved.words[0], moved.words[1]});
    return type.is_float() ? b.bitcast(type, bits) : bits;
  }
  if (type.bits() == 32) return moved.words[0];
  const Value bits = b.convert(Op::trunc, type.is_float() ? ir::kI16 : type, moved.words[0]);
  return type.is_float() ? b.bitcast(type, bits) : bits;
}

Value shuffled(Reader& r, Value value, Value lane, uint32_t group) {
  MovedWords moved = words_of(r, value);
  for (uint32_t i = 0; i < moved.count; ++i) {
    moved.words[i] = r.b.emit(Op::shuffle, r.b.function().type(moved.words[i]), {moved.words[i], lane}, group);
  }
  return from_words(r, moved, r.b.function().type(value));
}

Value permuted(Reader& r, Value value, uint64_t lanes) {
  MovedWords moved = words_of(r, value);
  for (uint32_t i = 0; i < moved.count; ++i) {
    moved.words[i] = r.b.emit(Op::quad_permute, r.b.function().type(moved.words[i]), {moved.words[i]}, lanes);
  }
  return from_words(r, moved, r.b.function().type(value));
}

namespace {

constexpr uint32_t kQuad = 4, kHalf = 32, kWhole = 64;

/// The immediate of quad_permute with which each lane reads the one whose number differs by `mask`.
constexpr uint64_t exchange(uint32_t mask) {
  return mask | (1 ^ mask) << 2 | (2 ^ mask) << 4 | (3 ^ mask) << 6;
}
/// The one with which all lanes read the same one.
constexpr uint64_t all_read(uint32_t lane) {
  return lane * 0x55;
}

/// A lane, and the size of the aligned group that it shares with its reader.
struct Source {
  Value lane;
  uint32_t group = kWhole;
};

/// OpGroupNonUniformRotateKHR: the lane `delta` further, around the end of the cluster.
bool rotated_lane(Reader& r, const Instruction& in, Value delta, Source& out) {
  Builder& b = r.b;
  const Value id = subgroup_id(r), moved = b.iadd(id, delta);
  if (in.count <= 6) {
    const Value size = built_in_value(r, ir::BuiltIn::subgroup_size, 0);
    out.lane = b.iand(moved, b.isub(size, b.i32(1)));
    return true;
  }
  uint32_t cluster = 0;
  if (!r.constant_u32(in[6], cluster)) return false;
  if (!std::has_single_bit(cluster)) return r.fail("expected a cluster size that is a power of two");
  const Value first = b.iand(id, b.i32(~(cluster - 1)));
  out = {b.ior(first, b.iand(moved, b.i32(cluster - 1))), cluster <= kHalf ? kHalf : kWhole};
  return true;
}

bool source_of(Reader& r, const Instruction& in, Value operand, Source& out) {
  Builder& b = r.b;
  switch (in.opcode) {
    case spv::OpGroupNonUniformShuffleXor: {
      const bool near = b.function().is_constant(operand) && b.function().inst(operand).imm < kHalf;
      out = {b.ixor(subgroup_id(r), operand), near ? kHalf : kWhole};
      return true;
    }
    case spv::OpGroupNonUniformShuffleUp:
      out.lane = b.isub(subgroup_id(r), operand);
      return true;
    case spv::OpGroupNonUniformShuffleDown:
      out.lane = b.iadd(subgroup_id(r), operand);
      return true;
    case spv::OpGroupNonUniformRotateKHR:
      return rotated_lane(r, in, operand, out);
    default:
      out.lane = operand;
      return true;
  }
}

}  // namespace

bool translate_shuffle(Reader& r, const Instruction& in) {
  uint32_t type = 0, first = 0;
  Leaves value;
  Value operand;
  Source source;
  if (!skip_scope(r, in, 2, first) || !r.result_vector_type(in, kAnyScalar, type)) return false;
  if (!r.typed_value(in[first], type, value) || !r.index_value(in[first + 1], operand)) return false;
  const bool in_quad = in.opcode == spv::OpGroupNonUniformShuffleXor && r.function().is_constant(operand) &&
                       r.function().inst(operand).imm < kQuad;
  if (!in_quad && !source_of(r, in, operand, source)) return false;
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < out.count; ++i) {
    const Value leaf = r.leaf(value, i);
    r.set_leaf(out, i,
               in_quad ? permuted(r, leaf, exchange(static_cast<uint32_t>(r.function().inst(operand).imm)))
                       : shuffled(r, leaf, source.lane, source.group));
  }
  return r.bind(in[2], out);
}

namespace {

/// The value of one invocation of the quad; which one may be known at run time only, and is the same for all four.
Value quad_broadcast(Reader& r, Value value, Value lane) {
  Builder& b = r.b;
  if (b.function().is_constant(lane)) {
    return permuted(r, value, all_read(static_cast<uint32_t>(b.function().inst(lane).imm) & (kQuad - 1)));
  }
  Value result = permuted(r, value, all_read(0));
  for (uint32_t i = 1; i < kQuad; ++i) {
    const Value other = permuted(r, value, all_read(i));
    result = b.select(b.binary(Op::ieq, lane, b.i32(i)), other, result);
  }
  return result;
}

}  // namespace

bool translate_quad(Reader& r, const Instruction& in) {
  const bool swap = in.opcode == spv::OpGroupNonUniformQuadSwap;
  uint32_t type = 0, first = 0, direction = 0;
  Leaves value;
  Value lane;
  if (!skip_scope(r, in, 2, first) || !r.result_vector_type(in, kAnyScalar, type)) return false;
  if (!r.typed_value(in[first], type, value)) return false;
  if (swap ? !r.constant_u32(in[first + 1], direction) : !r.index_value(in[first + 1], lane)) return false;
  if (direction > 2) return r.fail("expected a direction that is horizontal, vertical or diagonal");
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < out.count; ++i) {
    const Value leaf = r.leaf(value, i);
    r.set_leaf(out, i, swap ? permuted(r, leaf, exchange(direction + 1)) : quad_broadcast(r, leaf, lane));
  }
  return r.bind(in[2], out);
}

}  // namespace spalt::spirv
