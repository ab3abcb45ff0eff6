// SPDX-License-Identifier: MIT
// Reductions and scans of a subgroup, and of clusters of it.
//
// Members of a scan are the invocations of a ballot, in order. Each looks for the member before it (its predecessor),
// in the same 32 lanes. After step k of the loop in `within_half` a member has combined the 2^k values that end with
// its own, and knows the member right before those: pointer doubling, so that five steps serve 32 lanes. Only members
// are ever read: which lanes run does not matter, and no lane that does not run takes part. The second 32 lanes then
// get what the first have together. The members may be a part of the invocations that run, each with a ballot of its
// own part (SPV_NV_shader_subgroup_partitioned): all of this is about the ballot of one invocation.
//
// Cost: a step moves the value and the number of a lane. The numbers do not depend on the value: components of a
// vector, and scans in one block, share them.
#include <bit>
#include <limits>
#include <spirv/unified1/spirv.hpp>

#include "spirv/ops/instructions.h"
#include "spirv/ops/subgroup.h"

namespace spalt::spirv {

using ir::Builder;
using ir::Op;
using ir::Type;
using ir::Value;

namespace {

constexpr uint32_t kHalf = 32, kMostSteps = 5;

struct Combination {
  Op op = Op::iadd;
  ScalarSet scalars = kAnyInteger;
};

Combination combination_of(uint32_t opcode) {
  switch (opcode) {
    case spv::OpGroupNonUniformFAdd:
    case spv::OpGroupFAdd:
    case spv::OpGroupFAddNonUniformAMD:
      return {Op::fadd, kAnyFloat};
    case spv::OpGroupNonUniformIMul:
      return {Op::imul, kAnyInteger};
    case spv::OpGroupNonUniformFMul:
      return {Op::fmul, kAnyFloat};
    case spv::OpGroupNonUniformSMin:
    case spv::OpGroupSMin:
    case spv::OpGroupSMinNonUniformAMD:
      return {Op::smin, kAnyInteger};
    case spv::OpGroupNonUniformUMin:
    case spv::OpGroupUMin:
    case spv::OpGroupUMinNonUniformAMD:
      return {Op::umin, kAnyInteger};
    case spv::OpGroupNonUniformFMin:
    case spv::OpGroupFMin:
    case spv::OpGroupFMinNonUniformAMD:
      return {Op::fmin, kAnyFloat};
    case spv::OpGroupNonUniformSMax:
    case spv::OpGroupSMax:
    case spv::OpGroupSMaxNonUniformAMD:
      return {Op::smax, kAnyInteger};
    case spv::OpGroupNonUniformUMax:
    case spv::OpGroupUMax:
    case spv::OpGroupUMaxNonUniformAMD:
      return {Op::umax, kAnyInteger};
    case spv::OpGroupNonUniformFMax:
    case spv::OpGroupFMax:
    case spv::OpGroupFMaxNonUniformAMD:
      return {Op::fmax, kAnyFloat};
    case spv::OpGroupNonUniformBitwiseAnd:
      return {Op::iand, kAnyInteger};
    case spv::OpGroupNonUniformBitwiseOr:
      return {Op::ior, kAnyInteger};
    case spv::OpGroupNonUniformBitwiseXor:
      return {Op::ixor, kAnyInteger};
    case spv::OpGroupNonUniformLogicalAnd:
      return {Op::iand, ir::Scalar::i1};
    case spv::OpGroupNonUniformLogicalOr:
      return {Op::ior, ir::Scalar::i1};
    case spv::OpGroupNonUniformLogicalXor:
      return {Op::ixor, ir::Scalar::i1};
    default:
      return {Op::iadd, kAnyInteger};
  }
}

/// What leaves any other operand as it is.
Value identity(Builder& b, Op op, Type type) {
  const uint64_t ones = type.bits() == 64 ? ~uint64_t{0} : (uint64_t{1} << type.bits()) - 1;
  const uint64_t sign = uint64_t{1} << (type.bits() - 1);
  switch (op) {
    case Op::imul:
      return b.integer(type, 1);
    case Op::iand:
    case Op::umin:
      return b.integer(type, ones);
    case Op::smin:
      return b.integer(type, sign - 1);
    case Op::smax:
      return b.integer(type, sign);
    case Op::fadd:
      return b.number(type, 0.0);
    case Op::fmul:
      return b.number(type, 1.0);
    case Op::fmin:
      return b.number(type, std::numeric_limits<double>::infinity());
    case Op::fmax:
      return b.number(type, -std::numeric_limits<double>::infinity());
    default:
      return b.integer(type, 0);
  }
}

class Scan {
 public:
  /// The ballot has the members: those that run, or the own part of them. `cluster` is a power of two; more than 32:
  /// all members.
  Scan(Reader& r, Op op, Value low, Value high, uint32_t cluster);

  Value reduce(Value value);
  Value inclusive(Value value);
  Value exclusive(Value value);

 private:
  /// Members of the own half that end before this one: whether there are any, and the last one; this one if not.
  struct Before {
    Value any, lane;
  };

  bool is_whole() const { return cluster_ > kHalf; }
  Value is_none(Value mask) { return b_.binary(Op::ieq, mask, b_.i32(0)); }
  Value last_of(Value mask, Value first_lane) { return b_.iadd(b_.unary(Op::find_msb_u, mask), first_lane); }
  Value combine(Value before, Value value) { return b_.binary(op_, before, value); }
  Value within_half(Value value);
  Value after_first_half(Value total, Value value);
  Value total_of_half(Value value, bool second);

  Reader& r_;
  Builder& b_;
  const Op op_;
  const uint32_t cluster_;
  uint32_t steps_ = 0;
  Value low_, high_;  ///< the members
  Value in_second_;
  Value first_lane_;  ///< of the own half
  Value members_;     ///< of the own half and cluster
  Before before_[kMostSteps];
};

Scan::Scan(Reader& r, Op op, Value low, Value high, uint32_t cluster)
    : r_(r), b_(r.b), op_(op), cluster_(cluster), low_(low), high_(high) {
  const Value id = subgroup_id(r), bit = b_.iand(id, b_.i32(kHalf - 1));
  in_second_ = is_in_second(r, id);
  first_lane_ = b_.iand(id, b_.i32(~(kHalf - 1)));
  members_ = b_.select(in_second_, high_, low_);
  if (cluster < kHalf) {
    const Value own = b_.ishl(b_.i32((1u << cluster) - 1), b_.iand(bit, b_.i32(~(cluster - 1))));
    members_ = b_.iand(members_, own);
  }
  steps_ = is_whole() ? kMostSteps : static_cast<uint32_t>(std::countr_zero(cluster));
  const Value lower = b_.isub(b_.ishl(b_.i32(1), bit), b_.i32(1));
  const Value preceding = b_.iand(members_, lower);
  Before before;
  before.any = b_.binary(Op::ine, preceding, b_.i32(0));
  before.lane = b_.select(before.any, last_of(preceding, first_lane_), id);
  for (uint32_t i = 0; i < steps_; ++i) {
    before_[i] = before;
    if (i + 1 == steps_) break;
    // A member without one before it names itself: then there is nothing before this one's either.
    const Value next = shuffled(r, before.lane, before.lane, kHalf);
    before.any = b_.binary(Op::ine, next, before.lane);
    before.lane = b_.select(before.any, next, id);
  }
}

/// The inclusive scan of the own half or cluster.
Value Scan::within_half(Value value) {
  for (uint32_t i = 0; i < steps_; ++i) {
    const Value other = shuffled(r_, value, before_[i].lane, kHalf);
    value = b_.select(before_[i].any, combine(other, value), value);
  }
  return value;
}

/// What the last member of a half has; of the other half, where this one has no members.
Value Scan::total_of_half(Value value, bool second) {
  const Value last_low = last_of(low_, b_.i32(0)), last_high = last_of(high_, b_.i32(kHalf));
  const Value lane =
      second ? b_.select(is_none(high_), last_low, last_high) : b_.select(is_none(low_), last_high, last_low);
  return shuffled(r_, value, lane, 2 * kHalf);
}

/// Lanes of the second half come after `total`.
Value Scan::after_first_half(Value total, Value value) {
  const Value follows = b_.iand(in_second_, b_.unary(Op::inot, is_none(low_)));
  return b_.select(follows, combine(total, value), value);
}

Value Scan::reduce(Value value) {
  const Value scanned = within_half(value);
  if (!is_whole()) return cluster_ == 1 ? value : shuffled(r_, scanned, last_of(members_, first_lane_), kHalf);
  const Value first = total_of_half(scanned, false), second = total_of_half(scanned, true);
  const Value combined = combine(first, second);
  const Value both = b_.select(is_none(low_), second, combined);
  return b_.select(is_none(high_), first, both);
}

Value Scan::inclusive(Value value) {
  const Value scanned = within_half(value);
  return is_whole() ? after_first_half(total_of_half(scanned, false), scanned) : scanned;
}

Value Scan::exclusive(Value value) {
  const Value none = identity(b_, op_, b_.function().type(value)), scanned = within_half(value);
  const Value shifted = steps_ == 0 ? none : shuffled(r_, scanned, before_[0].lane, kHalf);
  const Value preceding = steps_ == 0 ? none : b_.select(before_[0].any, shifted, none);
  return is_whole() ? after_first_half(total_of_half(scanned, false), preceding) : preceding;
}

/// Who takes part in an operation, from the operand after the value.
struct Members {
  uint32_t cluster = 2 * kHalf;
  Value low, high;
};

void add_running(Reader& r, Members& members) {
  members.low = r.b.emit(Op::ballot, ir::kI32, {r.b.boolean(true)}, 0);
  members.high = r.b.emit(Op::ballot, ir::kI32, {r.b.boolean(true)}, 1);
}

/// Operations on parts of a subgroup name the own one by a ballot. Of its invocations those count that run.
bool read_part(Reader& r, uint32_t id, Members& members) {
  Leaves words;
  if (!r.vector_value(id, ir::Scalar::i32, 4, words)) return false;
  const Members part = {.low = r.leaf(words, 0), .high = second_word(r, r.leaf(words, 1))};
  add_running(r, members);
  members.low = r.b.binary(Op::iand, part.low, members.low);
  members.high = r.b.binary(Op::iand, part.high, members.high);
  return true;
}

bool read_members(Reader& r, const Instruction& in, uint32_t operation, uint32_t first, Members& members) {
  if (operation >= spv::GroupOperationPartitionedReduceNV) {
    return r.has_words(in, first + 3) && read_part(r, in[first + 2], members);
  }
  add_running(r, members);
  if (operation != spv::GroupOperationClusteredReduce) return true;
  if (!r.has_words(in, first + 3) || !r.constant_u32(in[first + 2], members.cluster)) return false;
  return std::has_single_bit(members.cluster) || r.fail("expected a cluster size that is a power of two");
}

}  // namespace

bool translate_scan(Reader& r, const Instruction& in) {
  uint32_t type = 0, first = 0;
  Leaves value;
  Members members;
  const Combination combination = combination_of(in.opcode);
  if (!skip_scope(r, in, 2, first) || !r.result_vector_type(in, combination.scalars, type)) return false;
  const uint32_t operation = in[first];
  const bool listed =
      operation <= spv::GroupOperationClusteredReduce || (operation >= spv::GroupOperationPartitionedReduceNV &&
                                                          operation <= spv::GroupOperationPartitionedExclusiveScanNV);
  if (!listed) return r.unsupported("this group operation");
  if (!r.typed_value(in[first + 1], type, value) || !read_members(r, in, operation, first, members)) return false;
  const bool inclusive =
      operation == spv::GroupOperationInclusiveScan || operation == spv::GroupOperationPartitionedInclusiveScanNV;
  const bool exclusive =
      operation == spv::GroupOperationExclusiveScan || operation == spv::GroupOperationPartitionedExclusiveScanNV;
  Scan scan(r, combination.op, members.low, members.high, members.cluster);
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < out.count; ++i) {
    const Value leaf = r.leaf(value, i);
    r.set_leaf(out, i, inclusive ? scan.inclusive(leaf) : exclusive ? scan.exclusive(leaf) : scan.reduce(leaf));
  }
  return r.bind(in[2], out);
}

}  // namespace spalt::spirv
