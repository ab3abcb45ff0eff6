// SPDX-License-Identifier: MIT
// Votes and broadcasts of a subgroup, also those of SPV_KHR_subgroup_vote and SPV_KHR_shader_ballot.
// Those of the capability Groups are the same for a subgroup, all of whose invocations come to them.
#include "spirv/ops/subgroup.h"

#include <spirv/unified1/spirv.hpp>

#include "spirv/memory/memory.h"
#include "spirv/ops/instructions.h"
#include "spirv/recent.h"

namespace spalt::spirv {

using ir::Builder;
using ir::Op;
using ir::Value;

namespace {

bool has_scope(uint32_t opcode) {
  switch (opcode) {
    case spv::OpSubgroupAllKHR:
    case spv::OpSubgroupAnyKHR:
    case spv::OpSubgroupAllEqualKHR:
    case spv::OpSubgroupBallotKHR:
    case spv::OpSubgroupFirstInvocationKHR:
    case spv::OpSubgroupReadInvocationKHR:
      return false;
    default:
      return true;
  }
}

}  // namespace

bool skip_scope(Reader& r, const Instruction& in, uint32_t operands, uint32_t& first) {
  uint32_t scope = 0;
  first = has_scope(in.opcode) ? 4 : 3;
  if (!r.has_words(in, first + operands)) return false;
  if (first == 3) return true;
  if (!r.constant_u32(in[3], scope)) return false;
  return scope == spv::ScopeSubgroup || r.fail("expected scope Subgroup");
}

namespace {

Value any(Reader& r, Value condition) {
  return r.b.unary(Op::any_lane, condition);
}
Value all(Reader& r, Value condition) {
  return r.b.unary(Op::inot, any(r, r.b.unary(Op::inot, condition)));
}

/// The number of the first running invocation that is no helper: a ballot has none of these. Where there are helpers
/// only, that of any.
Value first_member(Reader& r) {
  Builder& b = r.b;
  const Value low = b.emit(Op::ballot, ir::kI32, {b.boolean(true)}, 0);
  const Value high = b.emit(Op::ballot, ir::kI32, {b.boolean(true)}, 1);
  const Value in_low = b.unary(Op::find_lsb, low), found_high = b.unary(Op::find_lsb, high);
  const Value in_high = b.binary(Op::iadd, found_high, b.i32(32));
  const Value low_is_empty = b.binary(Op::ieq, low, b.i32(0));
  return b.select(low_is_empty, in_high, in_low);
}

/// What the first invocation has. In a fragment shader that must not be a helper.
Value read_first(Reader& r, Value value) {
  if (r.options.stage != ir::ShaderStage::fragment) return r.b.unary(Op::read_first_lane, value);
  return r.b.binary(Op::read_lane, value, first_member(r));
}

Value equals_first(Reader& r, Value value) {
  Builder& b = r.b;
  const Value first = read_first(r, value);
  return b.binary(b.function().type(value).is_float() ? Op::foeq : Op::ieq, value, first);
}

/// Numbers are compared by value: +0 and -0 are equal, NaN equals nothing. Of booleans all or none must be true.
Value all_equal(Reader& r, const Leaves& value) {
  Builder& b = r.b;
  Value agrees = b.boolean(true), equal = agrees;  // this invocation with the first one; all of them
  for (uint32_t i = 0; i < value.count; ++i) {
    const Value leaf = r.leaf(value, i);
    if (!b.function().type(leaf).is_bool()) {
      agrees = b.iand(agrees, equals_first(r, leaf));
      continue;
    }
    const Value some = any(r, leaf), none = b.unary(Op::inot, some);
    equal = b.iand(equal, b.ior(none, all(r, leaf)));
  }
  return b.iand(equal, all(r, agrees));
}

bool translate_vote(Reader& r, const Instruction& in) {
  uint32_t type = 0, first = 0;
  Leaves value;
  if (!skip_scope(r, in, 1, first) || !r.result_vector_type(in, ir::Scalar::i1, type)) return false;
  if (r.types[type].leaves != 1) return r.fail("expected a scalar result type");
  const bool equal = in.opcode == spv::OpGroupNonUniformAllEqual || in.opcode == spv::OpSubgroupAllEqualKHR;
  if (!r.vector_value(in[first], equal ? kAnyScalar : ScalarSet(ir::Scalar::i1), equal ? 0 : 1, value)) return false;
  const bool is_any =
      in.opcode == spv::OpGroupNonUniformAny || in.opcode == spv::OpSubgroupAnyKHR || in.opcode == spv::OpGroupAny;
  const Leaves out = r.new_leaves(type);
  r.set_leaf(out, 0, equal ? all_equal(r, value) : is_any ? any(r, r.leaf(value, 0)) : all(r, r.leaf(value, 0)));
  return r.bind(in[2], out);
}

/// The value of one invocation, the first one that runs where none is named. A boolean goes as a number.
Value broadcast(Reader& r, Value value, Value invocation) {
  Builder& b = r.b;
  const ir::Type type = b.function().type(value);
  const Value moved = type.is_bool() ? b.select(value, b.i32(1), b.i32(0)) : value;
  const Value read = invocation.valid() ? b.binary(Op::read_lane, moved, invocation) : read_first(r, moved);
  return type.is_bool() ? b.binary(Op::ine, read, b.i32(0)) : read;
}

bool translate_broadcast(Reader& r, const Instruction& in) {
  const bool to_first =
      in.opcode == spv::OpGroupNonUniformBroadcastFirst || in.opcode == spv::OpSubgroupFirstInvocationKHR;
  uint32_t type = 0, first = 0;
  Leaves value;
  Value invocation;
  if (!skip_scope(r, in, to_first ? 1 : 2, first) || !r.result_vector_type(in, kAnyScalar, type)) return false;
  if (!r.typed_value(in[first], type, value)) return false;
  if (!to_first) {
    if (!r.index_value(in[first + 1], invocation)) return false;
    // The same for all that ask, which only the module knows.
    if (!r.function().is_constant(invocation)) invocation = r.b.unary(Op::read_first_lane, invocation);
  }
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < out.count; ++i) r.set_leaf(out, i, broadcast(r, r.leaf(value, i), invocation));
  return r.bind(in[2], out);
}

/// True in the running invocation with the lowest id.
bool translate_elect(Reader& r, const Instruction& in) {
  uint32_t type = 0, first = 0;
  if (!skip_scope(r, in, 0, first) || !r.result_vector_type(in, ir::Scalar::i1, type)) return false;
  if (r.types[type].leaves != 1) return r.fail("expected a scalar result type");
  const Value id = built_in_value(r, ir::BuiltIn::subgroup_invocation_id, 0);
  const Leaves out = r.new_leaves(type);
  r.set_leaf(out, 0, r.b.binary(Op::ieq, id, read_first(r, id)));
  return r.bind(in[2], out);
}

}  // namespace

bool translate_subgroup(Reader& r, const Instruction& in) {
  switch (in.opcode) {
    case spv::OpGroupNonUniformElect:
      return translate_elect(r, in);
    case spv::OpGroupBroadcast:
    case spv::OpGroupNonUniformBroadcast:
    case spv::OpGroupNonUniformBroadcastFirst:
    case spv::OpSubgroupFirstInvocationKHR:
    case spv::OpSubgroupReadInvocationKHR:
      return translate_broadcast(r, in);
    case spv::OpGroupNonUniformBallot:
    case spv::OpSubgroupBallotKHR:
    case spv::OpGroupNonUniformInverseBallot:
    case spv::OpGroupNonUniformBallotBitExtract:
    case spv::OpGroupNonUniformBallotBitCount:
    case spv::OpGroupNonUniformBallotFindLSB:
    case spv::OpGroupNonUniformBallotFindMSB:
      return translate_ballot(r, in);
    case kOpQuadAll:
    case kOpQuadAny:
      return translate_quad_vote(r, in);
    case spv::OpGroupNonUniformShuffle:
    case spv::OpGroupNonUniformShuffleXor:
    case spv::OpGroupNonUniformShuffleUp:
    case spv::OpGroupNonUniformShuffleDown:
    case spv::OpGroupNonUniformRotateKHR:
      return translate_shuffle(r, in);
    case spv::OpGroupNonUniformQuadBroadcast:
    case spv::OpGroupNonUniformQuadSwap:
      return translate_quad(r, in);
    case spv::OpGroupNonUniformPartitionNV:
      return translate_partition(r, in);
    case spv::OpGroupAll:
    case spv::OpGroupAny:
    case spv::OpGroupNonUniformAll:
    case spv::OpGroupNonUniformAny:
    case spv::OpGroupNonUniformAllEqual:
    case spv::OpSubgroupAllKHR:
    case spv::OpSubgroupAnyKHR:
    case spv::OpSubgroupAllEqualKHR:
      return translate_vote(r, in);
    default:
      return translate_scan(r, in);
  }
}

}  // namespace spalt::spirv
