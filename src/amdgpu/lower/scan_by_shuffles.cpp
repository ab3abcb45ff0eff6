// SPDX-License-Identifier: MIT
//
// Members of a scan are the lanes of a ballot, in order. Each looks for the member before it (its predecessor), in the
// same 32 lanes. After step k of the loop in `within_half` a member has combined the 2^k values that end with its own,
// and knows the member right before those: pointer doubling, so that five steps serve 32 lanes. Only members are ever
// read: which lanes run does not matter, and no lane that does not run takes part. The second 32 lanes then get what
// the first have together. The members may be a part of the lanes that run, each with a ballot of its own part: all of
// this is about the ballot of one lane.
//
// Cost: a step moves the value and the number of a lane. The numbers do not depend on the value: components of a
// vector, and scans in one block, share them once equal code is merged.
#include "amdgpu/lower/scan_by_shuffles.h"

#include <bit>

#include "ir/module.h"

namespace spalt::lower {

using ir::Op;
using ir::ScanForm;
using ir::ScanKind;
using ir::Type;
using ir::Value;

namespace {

constexpr uint32_t kHalf = 32, kMostSteps = 5;

/// A value in words of 32 bits.
struct Words {
  Value words[2];
  uint32_t count = 1;
};

class Scan {
 public:
  Scan(Inserter& insert, ScanForm form, Type type, Members members, unsigned wave_size);

  Value reduce(Value value);
  Value inclusive(Value value);
  Value exclusive(Value value);
  Value in_cluster(Value value);

 private:
  /// Members of the own half that end before this one: whether there are any, and the last one; this one if not.
  struct Before {
    Value any, lane;
  };

  Value i32(uint32_t value) { return insert_.constant(value); }
  Value select(Value condition, Value if_true, Value if_false) {
    return insert_.op(Op::select, insert_.function().type(if_true), {condition, if_true, if_false});
  }
  Value is_none(Value mask) { return insert_.compare(Op::ieq, mask, i32(0)); }
  Value last_of(Value mask, Value first_lane) {
    return insert_.i(Op::iadd, {insert_.i(Op::find_msb_u, {mask}), first_lane});
  }
  Value combine(Value before, Value value) { return insert_.op(form_.combine, type_, {before, value}); }
  Words words_of(Value value);
  Value from_words(const Words& moved, Type type);
  Value shuffled(Value value, Value lane, uint32_t group);
  Value within_half(Value value);
  Value after_first_half(Value total, Value value);
  Value total_of_half(Value value, bool second);

  Inserter& insert_;
  const ScanForm form_;
  const Type type_;
  const bool has_second_;  ///< half
  uint32_t steps_ = kMostSteps;
  Value low_, high_;  ///< the members
  Value in_second_;
  Value first_lane_;  ///< of the own half
  Value members_;     ///< of the own half and cluster
  Before before_[kMostSteps];
};

Scan::Scan(Inserter& insert, ScanForm form, Type type, Members members, unsigned wave_size)
    : insert_(insert),
      form_(form),
      type_(type),
      has_second_(wave_size > kHalf),
      low_(members.low),
      high_(members.high) {
  const Value id = insert.op(Op::builtin, ir::kI32, {}, ir::builtin_imm(ir::BuiltIn::subgroup_invocation_id));
  const Value bit = insert.i(Op::iand, {id, i32(kHalf - 1)});
  in_second_ = has_second_ ? insert.compare(Op::ule, i32(kHalf), id) : insert.function().constant_bool(false);
  first_lane_ = insert.i(Op::iand, {id, i32(~(kHalf - 1))});
  members_ = has_second_ ? select(in_second_, high_, low_) : low_;
  if (form.kind == ScanKind::cluster) {
    steps_ = static_cast<uint32_t>(std::countr_zero(form.cluster));
    if (form.cluster < kHalf) {
      const Value first = insert.i(Op::iand, {bit, i32(~(form.cluster - 1u))});
      const Value own = insert.i(Op::ishl, {i32((1u << form.cluster) - 1), first});
      members_ = insert.i(Op::iand, {members_, own});
    }
  }
  const Value here = insert.i(Op::ishl, {i32(1), bit});
  const Value lower = insert.i(Op::isub, {here, i32(1)});
  const Value preceding = insert.i(Op::iand, {members_, lower});
  Before before;
  before.any = insert.compare(Op::ine, preceding, i32(0));
  before.lane = select(before.any, last_of(preceding, first_lane_), id);
  for (uint32_t i = 0; i < steps_; ++i) {
    before_[i] = before;
    if (i + 1 == steps_) break;
    // A member without one before it names itself: then there is nothing before this one's either.
    const Value next = shuffled(before.lane, before.lane, kHalf);
    before.any = insert.compare(Op::ine, next, before.lane);
    before.lane = select(before.any, next, id);
  }
}

Words Scan::words_of(Value value) {
  const Type type = insert_.function().type(value);
  if (type.bits() == 32) return {{value}};
  if (type.bits() == 64) {
    const Value halves = insert_.op(Op::bitcast, ir::kI32.vector(2), {value});
    const Value low = insert_.op(Op::extract, ir::kI32, {halves}, 0);
    return {{low, insert_.op(Op::extract, ir::kI32, {halves}, 1)}, 2};
  }
  const Value bits = type.is_float() ? insert_.op(Op::bitcast, ir::kI16, {value}) : value;
  return {{insert_.op(Op::zext, ir::kI32, {bits})}};
}

Value Scan::from_words(const Words& moved, Type type) {
  if (type.bits() == 32) return moved.words[0];
  if (type.bits() == 64) {
    const Value bits = insert_.op(Op::pack64, ir::kI64, {moved.words[0], moved.words[1]});
    return type.is_float() ? insert_.op(Op::bitcast, type, {bits}) : bits;
  }
  const Value bits = insert_.op(Op::trunc, type.is_float() ? ir::kI16 : type, {moved.words[0]});
  return type.is_float() ? insert_.op(Op::bitcast, type, {bits}) : bits;
}

Value Scan::shuffled(Value value, Value lane, uint32_t group) {
  Words moved = words_of(value);
  for (uint32_t i = 0; i < moved.count; ++i) {
    Value& word = moved.words[i];
    word = insert_.op(Op::shuffle, insert_.function().type(word), {word, lane}, group);
  }
  return from_words(moved, insert_.function().type(value));
}

/// The inclusive scan of the own half or cluster.
Value Scan::within_half(Value value) {
  for (uint32_t i = 0; i < steps_; ++i) {
    const Value other = shuffled(value, before_[i].lane, kHalf);
    value = select(before_[i].any, combine(other, value), value);
  }
  return value;
}

/// What the last member of a half has; of the other half, where this one has no members.
Value Scan::total_of_half(Value value, bool second) {
  const Value last_low = last_of(low_, i32(0)), last_high = last_of(high_, i32(kHalf));
  const Value lane = second ? select(is_none(high_), last_low, last_high) : select(is_none(low_), last_high, last_low);
  return shuffled(value, lane, 2 * kHalf);
}

/// Lanes of the second half come after `total`.
Value Scan::after_first_half(Value total, Value value) {
  const Value some = insert_.op(Op::inot, ir::kBool, {is_none(low_)});
  const Value follows = insert_.op(Op::iand, ir::kBool, {in_second_, some});
  return select(follows, combine(total, value), value);
}

Value Scan::reduce(Value value) {
  const Value scanned = within_half(value);
  if (!has_second_) return shuffled(scanned, last_of(low_, i32(0)), kHalf);
  const Value first = total_of_half(scanned, false), second = total_of_half(scanned, true);
  const Value combined = combine(first, second);
  const Value both = select(is_none(low_), second, combined);
  return select(is_none(high_), first, both);
}

Value Scan::inclusive(Value value) {
  const Value scanned = within_half(value);
  return has_second_ ? after_first_half(total_of_half(scanned, false), scanned) : scanned;
}

Value Scan::exclusive(Value value) {
  const Value none = insert_.function().constant(type_, ir::scan_identity(form_.combine, type_));
  const Value scanned = within_half(value);
  const Value shifted = shuffled(scanned, before_[0].lane, kHalf);
  const Value preceding = select(before_[0].any, shifted, none);
  return has_second_ ? after_first_half(total_of_half(scanned, false), preceding) : preceding;
}

Value Scan::in_cluster(Value value) {
  if (steps_ == 0) return value;
  const Value scanned = within_half(value);
  return shuffled(scanned, last_of(members_, first_lane_), kHalf);
}

}  // namespace

Value scan_by_shuffles(Inserter& insert, ScanForm form, Value value, Members members, unsigned wave_size) {
  Scan scan(insert, form, insert.function().type(value), members, wave_size);
  switch (form.kind) {
    case ScanKind::inclusive:
      return scan.inclusive(value);
    case ScanKind::exclusive:
      return scan.exclusive(value);
    case ScanKind::cluster:
      return scan.in_cluster(value);
    default:
      return scan.reduce(value);
  }
}

}  // namespace spalt::lower
