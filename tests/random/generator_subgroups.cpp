// SPDX-License-Identifier: MIT
//
// Operations between the lanes of a subgroup, where the whole workgroup is together.
//
// Each has a twin that does the same over workgroup memory (subgroup_twin.cpp), for Form::subgroup_size: that form
// draws the same random numbers, and what it writes more is not counted. Lanes that a last, smaller subgroup lacks give
// nothing anybody looks at.
#include <spirv/unified1/GLSL.std.450.h>

#include "generator.h"
#include "subgroup_ops.h"
#include "wide_layout.h"

namespace spalt::random_programs {
namespace {

constexpr uint32_t kSubgroup = spv::ScopeSubgroup;
/// What an operation costs in its longest form, in instructions.
constexpr uint32_t kCost = 150;

constexpr GroupOp kIntegerOps[] = {{spv::OpGroupNonUniformIAdd, spv::OpIAdd, 0, 0},
                                   {spv::OpGroupNonUniformIMul, spv::OpIMul, 0, 1},
                                   {spv::OpGroupNonUniformUMin, spv::OpNop, GLSLstd450UMin, ~uint64_t{0}},
                                   {spv::OpGroupNonUniformUMax, spv::OpNop, GLSLstd450UMax, 0},
                                   {spv::OpGroupNonUniformSMin, spv::OpNop, GLSLstd450SMin, kGreatest},
                                   {spv::OpGroupNonUniformSMax, spv::OpNop, GLSLstd450SMax, kLeast},
                                   {spv::OpGroupNonUniformBitwiseAnd, spv::OpBitwiseAnd, 0, ~uint64_t{0}},
                                   {spv::OpGroupNonUniformBitwiseOr, spv::OpBitwiseOr, 0, 0},
                                   {spv::OpGroupNonUniformBitwiseXor, spv::OpBitwiseXor, 0, 0}};
constexpr GroupOp kBoolOps[] = {{spv::OpGroupNonUniformLogicalAnd, spv::OpLogicalAnd, 0, 1},
                                {spv::OpGroupNonUniformLogicalOr, spv::OpLogicalOr, 0, 0},
                                {spv::OpGroupNonUniformLogicalXor, spv::OpLogicalNotEqual, 0, 0}};
constexpr GroupOp kFloatOps[] = {{spv::OpGroupNonUniformFAdd, spv::OpFAdd, 0, 0},
                                 {spv::OpGroupNonUniformFMin, spv::OpNop, GLSLstd450FMin, 0},
                                 {spv::OpGroupNonUniformFMax, spv::OpNop, GLSLstd450FMax, 0}};

/// Of the last subgroup, whatever their size.
uint32_t least_lanes(uint32_t invocations) {
  return (invocations - 1) % 32 + 1;
}

}  // namespace

Id FunctionGenerator::word_op(spv::Op op, Id a, Id b) {
  return f_.value(op, s_.type(kUint), {a, b});
}

void FunctionGenerator::find_lanes() {
  const size_t before = f_.instruction_count();
  const Id type = s_.type(kUint);
  if (s_.form.subgroup_size != 0) {
    size_ = s_.uint_constant(s_.form.subgroup_size);
    const Id own = f_.value(spv::OpLoad, type, {s_.local_index});
    lane_ = word_op(spv::OpBitwiseAnd, own, s_.uint_constant(s_.form.subgroup_size - 1));
    first_ = word_op(spv::OpISub, own, lane_);
  } else {
    size_ = f_.value(spv::OpLoad, type, {s_.subgroup_size});
    lane_ = f_.value(spv::OpLoad, type, {s_.subgroup_lane});
    const Id number = f_.value(spv::OpLoad, type, {s_.subgroup_id});
    first_ = word_op(spv::OpIMul, number, size_);
  }
  const Id rest = word_op(spv::OpISub, s_.uint_constant(s_.invocations), first_);
  lanes_ = f_.glsl(GLSLstd450UMin, type, {size_, rest});
  counted_ += f_.instruction_count() - before;
}

void FunctionGenerator::subgroup_statement() {
  for (uint32_t i = rng_.between(1, 4); i > 0; --i) group_operation();
}

void FunctionGenerator::group_operation() {
  cost_ += kCost * product_;
  switch (rng_.below(10)) {
    case 0:
      return group_vote();
    case 1:
    case 2:
      return group_ballot();
    case 3:
      return group_builtin();
    case 4:
    case 5:
    case 6:
      return group_move();
    default:
      return group_arithmetic();
  }
}

/// An integer or a float of any width; of one bit: a condition.
Number FunctionGenerator::group_operand() {
  constexpr uint32_t kIntegers[] = {1, 8, 16, 32, 32, 64};
  constexpr uint32_t kFloats[] = {16, 32, 64};
  if (rng_.chance(20)) return whole(rng_.pick(kFloats), 1, false);
  const uint32_t bits = rng_.pick(kIntegers);
  if (bits == 1) return {condition(2, false).id, 1, false, false};
  return bits == 32 ? Number{expression(kUint, 2, false).id, 32, false, false} : computed(bits, 1, false);
}

void FunctionGenerator::take_group(const Number& number) {
  if (number.bits != 1) return take(number);
  const Value value{number.id, kBool, false};
  trace(value);
  pool_.push_back(value);
}

/// The operation in the form that the program is written in. `real` gives its value, `twin` too; neither may draw.
template <typename Real, typename Twin>
Number FunctionGenerator::in_form(const Number& like, Real&& real, Twin&& twin) {
  const size_t before = f_.instruction_count();
  const Number result{s_.form.subgroup_size == 0 ? real() : twin(), like.bits, false, like.is_float};
  counted_ += f_.instruction_count() - before;
  return result;
}

void FunctionGenerator::group_arithmetic() {
  constexpr uint32_t kKinds[] = {spv::GroupOperationReduce, spv::GroupOperationInclusiveScan,
                                 spv::GroupOperationExclusiveScan, spv::GroupOperationClusteredReduce};
  const Number given = group_operand();
  const GroupOp op = given.bits == 1  ? rng_.pick(kBoolOps)
                     : given.is_float ? rng_.pick(kFloatOps)
                                      : rng_.pick(kIntegerOps);
  uint32_t kind = rng_.pick(kKinds);
  // The first of a scan without itself would have an infinity.
  if (given.is_float && op.plain == spv::OpNop && kind == spv::GroupOperationExclusiveScan) {
    kind = spv::GroupOperationInclusiveScan;
  }
  const uint32_t cluster = 1u << rng_.below(6);
  take_group(in_form(
      given,
      [&] {
        Words operands = {s_.uint_constant(kSubgroup), kind, given.id};
        if (kind == spv::GroupOperationClusteredReduce) operands.push_back(s_.uint_constant(cluster));
        return f_.value(op.group, number_type(given), operands);
      },
      [&] { return twin_arithmetic(given, op, kind, cluster); }));
}

void FunctionGenerator::group_vote() {
  const uint32_t kind = rng_.below(3);
  constexpr spv::Op kOps[] = {spv::OpGroupNonUniformAll, spv::OpGroupNonUniformAny, spv::OpGroupNonUniformAllEqual};
  // Half of the time what is likely to be the same in all lanes.
  Number given = group_operand();
  if (kind < 2 && given.bits != 1) given = {condition(2, rng_.chance(50)).id, 1, false, false};
  if (kind == 2 && given.bits == 32 && !given.is_float && rng_.chance(70)) {
    given.id = masked({given.id, kUint, false}, 0x80000000).id;
  }
  take_group(in_form(
      {0, 1, false, false},
      [&] {
        return f_.value(kOps[kind], s_.type(kBool), {s_.uint_constant(kSubgroup), given.id});
      },
      [&] { return twin_vote(given, kind == 0, kind == 2); }));
}

void FunctionGenerator::group_ballot() {
  const Type four{Base::Uint, 4};
  const Number word{0, 32, false, false}, truth{0, 1, false, false};
  const Value asked = rng_.chance(20) ? splat(kBool, 1) : condition(2, false);
  const Id scope = s_.uint_constant(kSubgroup);
  const Id ballot = in_form(
                        word,
                        [&] {
                          return f_.value(spv::OpGroupNonUniformBallot, s_.type(four), {scope, asked.id});
                        },
                        [&] { return twin_ballot(asked.id); })
                        .id;
  const uint32_t part = rng_.below(2);
  take_group({f_.value(spv::OpCompositeExtract, s_.type(kUint), {ballot, part}), 32, false, false});
  switch (rng_.below(5)) {
    case 0: {
      constexpr uint32_t kKinds[] = {spv::GroupOperationReduce, spv::GroupOperationInclusiveScan,
                                     spv::GroupOperationExclusiveScan};
      const uint32_t kind = rng_.pick(kKinds);
      return take_group(in_form(
          word,
          [&] {
            return f_.value(spv::OpGroupNonUniformBallotBitCount, s_.type(kUint), {scope, kind, ballot});
          },
          [&] { return twin_bit_count(ballot, kind); }));
    }
    case 1: {
      const bool last = rng_.chance(50);
      const spv::Op op = last ? spv::OpGroupNonUniformBallotFindMSB : spv::OpGroupNonUniformBallotFindLSB;
      const Number found = in_form(
          word,
          [&] {
            return f_.value(op, s_.type(kUint), {scope, ballot});
          },
          [&] { return twin_find(ballot, last); });
      // Of no bit it is undefined.
      const Number some = in_form(
          truth,
          [&] {
            return f_.value(spv::OpGroupNonUniformAny, s_.type(kBool), {scope, asked.id});
          },
          [&] {
            return twin_vote({asked.id, 1, false, false}, false, false);
          });
      return take_group(
          {f_.value(spv::OpSelect, s_.type(kUint), {some.id, found.id, s_.uint_constant(77)}), 32, false, false});
    }
    case 2:
      return take_group(in_form(
          truth,
          [&] {
            return f_.value(spv::OpGroupNonUniformInverseBallot, s_.type(kBool), {scope, ballot});
          },
          [&] { return twin_bit(ballot, lane_); }));
    case 3: {
      const Id lane = word_op(spv::OpUMod, expression(kUint, 1, false).id, lanes_);
      return take_group(in_form(
          truth,
          [&] {
            return f_.value(spv::OpGroupNonUniformBallotBitExtract, s_.type(kBool), {scope, ballot, lane});
          },
          [&] { return twin_bit(ballot, lane); }));
    }
    default:
      return;
  }
}

void FunctionGenerator::group_builtin() {
  const Number word{0, 32, false, false};
  const uint32_t kind = rng_.below(4);
  if (kind == 0) return take({lane_, 32, false, false});
  if (kind == 1) return take({rng_.chance(50) ? size_ : first_, 32, false, false});
  const Id scope = s_.uint_constant(kSubgroup);
  if (kind == 2) {
    return take_group(in_form(
        {0, 1, false, false}, [&] { return f_.value(spv::OpGroupNonUniformElect, s_.type(kBool), {scope}); },
        [&] {
          return f_.value(spv::OpIEqual, s_.type(kBool), {lane_, s_.uint_constant(0)});
        }));
  }
  const uint32_t which = rng_.below(kMasks), part = rng_.below(2);
  take_group(in_form(
      word,
      [&] {
        const Type four{Base::Uint, 4};
        const Id mask = f_.value(spv::OpLoad, s_.type(four), {s_.subgroup_masks[which]});
        return f_.value(spv::OpCompositeExtract, s_.type(kUint), {mask, part});
      },
      [&] { return twin_mask(which, part); }));
}

Id FunctionGenerator::masked_word(uint32_t mask, unsigned depth, bool uniform) {
  const Id bits = s_.uint_constant(mask);
  return word_op(spv::OpBitwiseAnd, expression(kUint, depth, uniform).id, bits);
}

void FunctionGenerator::group_move() {
  enum Kind : uint32_t { Broadcast, First, Shuffle, Xor, Up, Down, QuadBroadcast, QuadSwap, Rotate, kKinds };
  constexpr spv::Op kOps[] = {
      spv::OpGroupNonUniformBroadcast,     spv::OpGroupNonUniformBroadcastFirst, spv::OpGroupNonUniformShuffle,
      spv::OpGroupNonUniformShuffleXor,    spv::OpGroupNonUniformShuffleUp,      spv::OpGroupNonUniformShuffleDown,
      spv::OpGroupNonUniformQuadBroadcast, spv::OpGroupNonUniformQuadSwap,       spv::OpGroupNonUniformRotateKHR};
  const Number given = group_operand();
  const uint32_t kind = rng_.below(kKinds);
  const Id one = s_.uint_constant(1), minus_four = s_.uint_constant(~3u);
  Id operand = 0, target = 0;
  Words more;
  switch (kind) {
    case Broadcast:
      // One that is there.
      operand = rng_.chance(50) ? s_.uint_constant(rng_.below(least_lanes(s_.invocations)))
                                : word_op(spv::OpUMod, expression(kUint, 1, true).id, lanes_);
      target = operand;
      break;
    case First:
      target = s_.uint_constant(0);
      break;
    case Shuffle:
      operand = masked_word(rng_.chance(50) ? 31 : 63, 2, false);
      target = operand;
      break;
    case Xor:
    case Up:
    case Down: {
      const uint32_t mask = (2u << rng_.below(6)) - 1;
      operand = rng_.chance(60) ? s_.uint_constant(rng_.below(mask + 1)) : masked_word(mask, 1, true);
      target = word_op(kind == Xor ? spv::OpBitwiseXor : kind == Up ? spv::OpISub : spv::OpIAdd, lane_, operand);
      break;
    }
    case QuadBroadcast:
      operand = s_.uint_constant(rng_.below(4));
      target = word_op(spv::OpBitwiseOr, word_op(spv::OpBitwiseAnd, lane_, minus_four), operand);
      break;
    case QuadSwap: {
      const uint32_t direction = rng_.below(3);
      operand = s_.uint_constant(direction);
      target = word_op(spv::OpBitwiseXor, lane_, s_.uint_constant(direction + 1));
      break;
    }
    default: {
      operand = rng_.chance(60) ? s_.uint_constant(rng_.below(32)) : expression(kUint, 1, true).id;
      Id cluster = size_;
      if (rng_.chance(50)) {
        cluster = s_.uint_constant(1u << rng_.below(6));
        more = {cluster};
      }
      const Id mask = word_op(spv::OpISub, cluster, one);
      const Id moved = word_op(spv::OpBitwiseAnd, word_op(spv::OpIAdd, lane_, operand), mask);
      const Id group = word_op(spv::OpISub, lane_, word_op(spv::OpBitwiseAnd, lane_, mask));
      target = word_op(spv::OpIAdd, group, moved);
    }
  }
  const Number taken = in_form(
      given,
      [&] {
        Words operands = {s_.uint_constant(kSubgroup), given.id};
        if (operand != 0) operands.push_back(operand);
        operands.insert(operands.end(), more.begin(), more.end());
        return f_.value(kOps[kind], number_type(given), operands);
      },
      [&] { return twin_move(given, target); });
  // Nobody knows what lanes have that are not there.
  const Id is_there = f_.value(spv::OpULessThan, s_.type(kBool), {target, lanes_});
  take_group(
      {f_.value(spv::OpSelect, number_type(given), {is_there, taken.id, given.id}), given.bits, false, given.is_float});
}

void declare_subgroups(Shared& s) {
  ModuleBuilder& m = s.module;
  if (s.form.subgroup_size != 0) {
    s.given = m.variable(spv::StorageClassWorkgroup, m.type_array(m.type_int(false, 64), s.invocations));
    return;
  }
  const Id word = s.type(kUint), four = s.type({Base::Uint, 4});
  s.subgroup_size = m.builtin_variable(spv::BuiltInSubgroupSize, word);
  s.subgroup_lane = m.builtin_variable(spv::BuiltInSubgroupLocalInvocationId, word);
  s.subgroup_id = m.builtin_variable(spv::BuiltInSubgroupId, word);
  constexpr spv::BuiltIn kBuiltIns[kMasks] = {spv::BuiltInSubgroupEqMask, spv::BuiltInSubgroupGeMask,
                                              spv::BuiltInSubgroupGtMask, spv::BuiltInSubgroupLeMask,
                                              spv::BuiltInSubgroupLtMask};
  for (uint32_t i = 0; i < kMasks; ++i) s.subgroup_masks[i] = m.builtin_variable(kBuiltIns[i], four);
}

}  // namespace spalt::random_programs
