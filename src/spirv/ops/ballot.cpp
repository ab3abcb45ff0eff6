// SPDX-License-Identifier: MIT
// Ballots of a subgroup, and the built-in masks that go with them.
//
// A ballot has four words, of which subgroups of at most 64 invocations need two. Everything that a ballot is asked
// for is arithmetic on those words and on the invocation's id; subgroup_size is known when the module is lowered, so
// that what is about the second word goes where there is none.
#include "ir/ballot.h"

#include <spirv/unified1/spirv.hpp>

#include "spirv/memory/memory.h"
#include "spirv/ops/instructions.h"
#include "spirv/ops/subgroup.h"
#include "spirv/recent.h"

namespace spalt::spirv {
namespace {

using ir::Builder;
using ir::Op;
using ir::Value;

constexpr uint32_t kBallotWords = 4;

/// Subgroups have more than 32 invocations.
Value is_wide(Reader& r) {
  const Value size = built_in_value(r, ir::BuiltIn::subgroup_size, 0);
  return r.b.binary(Op::ult, r.b.i32(32), size);
}

bool make_ballot(Reader& r, const Instruction& in) {
  uint32_t type = 0, first = 0;
  Value condition;
  if (!skip_scope(r, in, 1, first) || !r.result_vector_type(in, ir::Scalar::i32, type)) return false;
  if (r.types[type].leaves != kBallotWords) return r.fail("expected a result of four components");
  if (!r.scalar_value(in[first], ir::Scalar::i1, condition)) return false;
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < kBallotWords; ++i) {
    r.set_leaf(out, i, i < 2 ? r.b.emit(Op::ballot, ir::kI32, {condition}, i) : r.b.i32(0));
  }
  return r.bind(in[2], out);
}

/// Whether the condition holds in some running invocation of the quad, helpers included.
Value any_of_quad(Reader& r, Value condition) {
  Builder& b = r.b;
  const Value low = b.emit(Op::ballot, ir::kI32, {condition}, ir::kBallotOfHelpers | 0);
  const Value high = b.emit(Op::ballot, ir::kI32, {condition}, ir::kBallotOfHelpers | 1);
  const Value id = subgroup_id(r), in_second = is_in_second(r, id), second = second_word(r, high);
  const Value word = b.select(in_second, second, low);
  const Value first_bit = b.iand(id, b.i32(28));
  const Value bits = b.iand(b.binary(Op::ushr, word, first_bit), b.i32(15));
  return b.binary(Op::ine, bits, b.i32(0));
}

/// The two words of a ballot that count.
struct Ballot {
  Value low, high;
};

bool read_ballot(Reader& r, uint32_t id, Ballot& out) {
  Leaves words;
  if (!r.vector_value(id, ir::Scalar::i32, kBallotWords, words)) return false;
  out = {r.leaf(words, 0), second_word(r, r.leaf(words, 1))};
  return true;
}

Value bit_of(Reader& r, const Ballot& ballot, Value invocation) {
  return ballot_bit(r, ballot.low, ballot.high, invocation);
}

/// OpGroupNonUniformInverseBallot and OpGroupNonUniformBallotBitExtract
bool translate_ballot_bit(Reader& r, const Instruction& in) {
  const bool own = in.opcode == spv::OpGroupNonUniformInverseBallot;
  uint32_t type = 0, first = 0;
  Ballot ballot;
  Value invocation;
  if (!skip_scope(r, in, own ? 1 : 2, first) || !r.result_vector_type(in, ir::Scalar::i1, type)) return false;
  if (r.types[type].leaves != 1) return r.fail("expected a scalar result type");
  if (!read_ballot(r, in[first], ballot)) return false;
  if (own) {
    invocation = subgroup_id(r);
  } else if (!r.index_value(in[first + 1], invocation)) {
    return false;
  }
  const Leaves out = r.new_leaves(type);
  r.set_leaf(out, 0, r.b.binary(Op::ine, bit_of(r, ballot, invocation), r.b.i32(0)));
  return r.bind(in[2], out);
}

Value count_bits(Reader& r, const Ballot& ballot, uint32_t operation) {
  Builder& b = r.b;
  if (operation == spv::GroupOperationReduce) {
    const Value low = b.unary(Op::bit_count, ballot.low), high = b.unary(Op::bit_count, ballot.high);
    return b.iadd(low, high);
  }
  const Value low = b.emit(Op::bits_below, ir::kI32, {ballot.low, b.i32(0)}, 0);
  const Value below = b.emit(Op::bits_below, ir::kI32, {ballot.high, low}, 1);
  if (operation == spv::GroupOperationExclusiveScan) return below;
  return b.iadd(below, bit_of(r, ballot, subgroup_id(r)));
}

bool translate_ballot_count(Reader& r, const Instruction& in) {
  uint32_t type = 0, first = 0;
  Ballot ballot;
  if (!skip_scope(r, in, 2, first) || !r.result_vector_type(in, ir::Scalar::i32, type)) return false;
  if (r.types[type].leaves != 1) return r.fail("expected a scalar result type");
  if (in[first] > spv::GroupOperationExclusiveScan) return r.fail("expected Reduce, InclusiveScan or ExclusiveScan");
  if (!read_ballot(r, in[first + 1], ballot)) return false;
  const Leaves out = r.new_leaves(type);
  r.set_leaf(out, 0, count_bits(r, ballot, in[first]));
  return r.bind(in[2], out);
}

/// OpGroupNonUniformBallotFindLSB and OpGroupNonUniformBallotFindMSB; any result where no bit is set.
bool translate_ballot_find(Reader& r, const Instruction& in) {
  uint32_t type = 0, first = 0;
  Ballot ballot;
  if (!skip_scope(r, in, 1, first) || !r.result_vector_type(in, ir::Scalar::i32, type)) return false;
  if (r.types[type].leaves != 1) return r.fail("expected a scalar result type");
  if (!read_ballot(r, in[first], ballot)) return false;
  Builder& b = r.b;
  const bool lowest = in.opcode == spv::OpGroupNonUniformBallotFindLSB;
  const Op find = lowest ? Op::find_lsb : Op::find_msb_u;
  // Where a word has no such bit, its index is -1, also with the bit of 32 set: the greatest number for an unsigned
  // minimum, the least one for a signed maximum.
  const Value low = b.unary(find, ballot.low), high = b.ior(b.unary(find, ballot.high), b.i32(32));
  const Value of_both = b.binary(lowest ? Op::umin : Op::smax, low, high);
  const Leaves out = r.new_leaves(type);
  r.set_leaf(out, 0, b.select(is_wide(r), of_both, low));
  return r.bind(in[2], out);
}

/// Words of the mask of all invocations, and of those before this one.
Value mask_of_all(Reader& r, bool second) {
  Builder& b = r.b;
  const Value ones = b.i32(0xffffffffu);
  if (second) return b.select(is_wide(r), ones, b.i32(0));
  const Value size = built_in_value(r, ir::BuiltIn::subgroup_size, 0);
  const Value few = b.isub(b.ishl(b.i32(1), b.iand(size, b.i32(31))), b.i32(1));
  return b.select(b.binary(Op::ult, size, b.i32(32)), few, ones);
}

Value mask_of_own(Reader& r, bool second) {
  Builder& b = r.b;
  const Value id = subgroup_id(r), in_second = is_in_second(r, id);
  const Value bit = b.ishl(b.i32(1), b.iand(id, b.i32(31)));
  return second ? b.select(in_second, bit, b.i32(0)) : b.select(in_second, b.i32(0), bit);
}

Value mask_of_lower(Reader& r, bool second) {
  Builder& b = r.b;
  const Value id = subgroup_id(r), in_second = is_in_second(r, id);
  const Value bits = b.isub(b.ishl(b.i32(1), b.iand(id, b.i32(31))), b.i32(1));
  return second ? b.select(in_second, bits, b.i32(0)) : b.select(in_second, b.i32(0xffffffffu), bits);
}

}  // namespace

Value subgroup_id(Reader& r) {
  return built_in_value(r, ir::BuiltIn::subgroup_invocation_id, 0);
}

Value is_in_second(Reader& r, Value invocation) {
  const Value wide = is_wide(r);
  const Value past_first = r.b.binary(Op::ule, r.b.i32(32), invocation);
  return r.b.iand(wide, past_first);
}

Value second_word(Reader& r, Value word) {
  return r.b.select(is_wide(r), word, r.b.i32(0));
}

Value ballot_bit(Reader& r, Value low, Value high, Value invocation) {
  Builder& b = r.b;
  const Value word = b.select(is_in_second(r, invocation), high, low);
  const Value place = b.iand(invocation, b.i32(31));
  return b.iand(b.ushr(word, place), b.i32(1));
}

bool is_subgroup_mask(uint32_t built_in) {
  switch (built_in) {
    case spv::BuiltInSubgroupEqMask:
    case spv::BuiltInSubgroupGeMask:
    case spv::BuiltInSubgroupGtMask:
    case spv::BuiltInSubgroupLeMask:
    case spv::BuiltInSubgroupLtMask:
      return true;
    default:
      return false;
  }
}

Value subgroup_mask_value(Reader& r, uint32_t built_in, unsigned component) {
  Builder& b = r.b;
  if (component > 1) return b.i32(0);
  const bool second = component == 1;
  const Value own = mask_of_own(r, second);
  if (built_in == spv::BuiltInSubgroupEqMask) return own;
  const Value lower = mask_of_lower(r, second);
  const bool with_own = built_in == spv::BuiltInSubgroupLeMask || built_in == spv::BuiltInSubgroupGtMask;
  const Value before = with_own ? b.ior(lower, own) : lower;
  if (built_in == spv::BuiltInSubgroupLtMask || built_in == spv::BuiltInSubgroupLeMask) return before;
  const Value invocations = mask_of_all(r, second);
  return b.iand(invocations, b.unary(Op::inot, before));
}

/// These name no scope.
bool translate_quad_vote(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Value condition;
  if (!r.has_words(in, 4) || !r.result_vector_type(in, ir::Scalar::i1, type)) return false;
  if (r.types[type].leaves != 1) return r.fail("expected a scalar result type");
  if (!r.scalar_value(in[3], ir::Scalar::i1, condition)) return false;
  const bool all = in.opcode == kOpQuadAll;
  const Value any = any_of_quad(r, all ? r.b.unary(Op::inot, condition) : condition);
  const Leaves out = r.new_leaves(type);
  r.set_leaf(out, 0, all ? r.b.unary(Op::inot, any) : any);
  return r.bind(in[2], out);
}

bool translate_ballot(Reader& r, const Instruction& in) {
  switch (in.opcode) {
    case spv::OpGroupNonUniformInverseBallot:
    case spv::OpGroupNonUniformBallotBitExtract:
      return translate_ballot_bit(r, in);
    case spv::OpGroupNonUniformBallotBitCount:
      return translate_ballot_count(r, in);
    case spv::OpGroupNonUniformBallotFindLSB:
    case spv::OpGroupNonUniformBallotFindMSB:
      return translate_ballot_find(r, in);
    default:
      return make_ballot(r, in);
  }
}

}  // namespace spalt::spirv
