// SPDX-License-Identifier: MIT
//
// Operations between the lanes of a subgroup: where the whole workgroup is together, and in regions where some of the
// lanes run (generator_divergence.cpp).
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
  if (rng_.chance(40)) return divergent_region();
  for (uint32_t i = rng_.between(1, 4); i > 0; --i) group_operation();
}

void FunctionGenerator::group_operation() {
  cost_ += kCost * product_;
  switch (rng_.below(11)) {
    case 10:
      return group_partition();
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

Number FunctionGenerator::group_scalar(uint32_t bits, bool is_float) {
  Number number{0, bits, false, is_float};
  number.id = evaluated(number_type(number), [&] {
    if (is_float) return whole(bits, 1, false).id;
    if (bits == 1) return condition(2, false).id;
    if (bits != 32) return computed(bits, 1, false).id;
    const Value value = expression(kUint, 2, false);
    // What another operation of the region gave.
    if (!in_region_ || !rng_.chance(40)) return value.id;
    const Id word = f_.value(spv::OpLoad, s_.type(kUint), {rng_.pick(region_words_).id});
    return word_op(spv::OpBitwiseXor, value.id, word);
  });
  return number;
}

/// An integer or a float of any width, or a vector of them; of one bit: a condition.
Number FunctionGenerator::group_operand() {
  constexpr uint32_t kIntegers[] = {1, 8, 16, 32, 32, 64};
  constexpr uint32_t kFloats[] = {16, 32, 64};
  const bool is_float = rng_.chance(20);
  const uint32_t bits = is_float ? rng_.pick(kFloats) : rng_.pick(kIntegers);
  if (!rng_.chance(20)) return group_scalar(bits, is_float);
  Number vector{0, bits, false, is_float, static_cast<uint8_t>(rng_.between(2, 4))};
  Words parts;
  for (uint32_t i = 0; i < vector.size; ++i) parts.push_back(group_scalar(bits, is_float).id);
  vector.id = f_.value(spv::OpCompositeConstruct, number_type(vector), parts);
  return vector;
}

void FunctionGenerator::take_group(Number number) {
  if (number.size != 1) {
    const uint32_t part = rng_.below(number.size);
    number.size = 1;
    number.id = f_.value(spv::OpCompositeExtract, number_type(number), {number.id, part});
  }
  if (!in_region_) {
    if (number.bits != 1) return take(number);
    const Value value{number.id, kBool, false};
    trace(value);
    return pool_.push_back(value);
  }
  const Id place = rng_.pick(region_words_).id;
  for_active([&] {
    const Value word = number.bits != 1 ? number_to_word(number) : Value{number.id, kBool, false};
    trace(word);
    f_.statement(spv::OpStore, {place, cast(word, kUint).id});
  });
}

Id FunctionGenerator::operand_word(uint32_t mask, unsigned depth, bool uniform) {
  return evaluated(s_.type(kUint), [&] { return masked_word(mask, depth, uniform); });
}

Id FunctionGenerator::operand_condition(unsigned depth, bool uniform) {
  return evaluated(s_.type(kBool), [&] { return condition(depth, uniform).id; });
}

/// As a ballot.
Id FunctionGenerator::running_lanes() {
  const Id all = module_.constant_bool(true);
  return in_form(
             {0, 32, false, false},
             [&] {
               const Id four = s_.type({Base::Uint, 4});
               return f_.value(spv::OpGroupNonUniformBallot, four, {s_.uint_constant(kSubgroup), all});
             },
             [&] { return twin_ballot(all); })
      .id;
}

/// The operation in the form that the program is written in. `real` gives its value, `twin` too; neither may draw.
template <typename Real, typename Twin>
Number FunctionGenerator::in_form(const Number& like, Real&& real, Twin&& twin) {
  // One may have others in it.
  const size_t before = f_.instruction_count(), counted = counted_;
  const Number result{s_.form.subgroup_size == 0 ? real() : twin(), like.bits, false, like.is_float, like.size};
  counted_ = counted + f_.instruction_count() - before;
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

/// Of those that have the same value of two bits, or the same truth.
void FunctionGenerator::group_partition() {
  constexpr uint32_t kKinds[] = {spv::GroupOperationPartitionedReduceNV, spv::GroupOperationPartitionedInclusiveScanNV,
                                 spv::GroupOperationPartitionedExclusiveScanNV};
  constexpr uint32_t kPlain[] = {spv::GroupOperationReduce, spv::GroupOperationInclusiveScan,
                                 spv::GroupOperationExclusiveScan};
  Number key{0, 32, false, false};
  if (rng_.chance(30)) {
    key = {operand_condition(2, false), 1, false, false};
  } else {
    key.id = operand_word(3, 1, false);
    constexpr uint32_t kWidths[] = {8, 16, 32, 64};
    key.bits = rng_.pick(kWidths);
    if (key.bits != 32) key.id = f_.value(spv::OpUConvert, number_type(key), {key.id});
  }
  const Id partition = in_form(
                           {0, 32, false, false},
                           [&] {
                             return f_.value(spv::OpGroupNonUniformPartitionNV, s_.type({Base::Uint, 4}), {key.id});
                           },
                           [&] { return twin_partition(key); })
                           .id;
  if (rng_.chance(40)) {
    const uint32_t part = rng_.below(2);
    take_group({f_.value(spv::OpCompositeExtract, s_.type(kUint), {partition, part}), 32, false, false});
  }
  const Number given = group_operand();
  const GroupOp op = given.bits == 1  ? rng_.pick(kBoolOps)
                     : given.is_float ? rng_.pick(kFloatOps)
                                      : rng_.pick(kIntegerOps);
  uint32_t kind = rng_.below(3);
  if (given.is_float && op.plain == spv::OpNop && kind == 2) kind = 1;
  take_group(in_form(
      given,
      [&] {
        return f_.value(op.group, number_type(given), {s_.uint_constant(kSubgroup), kKinds[kind], given.id, partition});
      },
      [&] { return twin_arithmetic(given, op, kPlain[kind], 1, partition); }));
}

void FunctionGenerator::group_vote() {
  const uint32_t kind = rng_.below(3);
  constexpr spv::Op kOps[] = {spv::OpGroupNonUniformAll, spv::OpGroupNonUniformAny, spv::OpGroupNonUniformAllEqual};
  // Half of the time what is likely to be the same in all lanes.
  Number given = group_operand();
  if (kind < 2 && (given.bits != 1 || given.size != 1)) {
    given = {operand_condition(2, rng_.chance(50)), 1, false, false};
  }
  if (kind == 2 && given.bits == 32 && given.size == 1 && !given.is_float && rng_.chance(70)) {
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
  const Id asked = rng_.chance(20) ? module_.constant_bool(true) : operand_condition(2, false);
  const Id scope = s_.uint_constant(kSubgroup);
  const Id ballot = in_form(
                        word,
                        [&] {
                          return f_.value(spv::OpGroupNonUniformBallot, s_.type(four), {scope, asked});
                        },
                        [&] { return twin_ballot(asked); })
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
            return f_.value(spv::OpGroupNonUniformAny, s_.type(kBool), {scope, asked});
          },
          [&] {
            return twin_vote({asked, 1, false, false}, false, false);
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
      const Id lane = word_op(spv::OpUMod, operand_word(~0u, 1, false), lanes_);
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
  if (kind == 0) return take_group({lane_, 32, false, false});
  if (kind == 1) return take_group({rng_.chance(50) ? size_ : first_, 32, false, false});
  const Id scope = s_.uint_constant(kSubgroup);
  if (kind == 2) {
    return take_group(in_form(
        {0, 1, false, false}, [&] { return f_.value(spv::OpGroupNonUniformElect, s_.type(kBool), {scope}); },
        [&] {
          const Id first = active_ == 0 ? s_.uint_constant(0) : twin_find(running_lanes(), false);
          return f_.value(spv::OpIEqual, s_.type(kBool), {lane_, first});
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
  const Id running = in_region_ ? running_lanes() : 0;
  const Id one = s_.uint_constant(1), minus_four = s_.uint_constant(~3u);
  Id operand = 0, target = 0;
  Words more;
  switch (kind) {
    case Broadcast:
      // One that is there.
      if (in_region_) {
        operand = twin_find(running, rng_.chance(50));
        target = operand;
        break;
      }
      operand = rng_.chance(50) ? s_.uint_constant(rng_.below(least_lanes(s_.invocations)))
                                : word_op(spv::OpUMod, operand_word(~0u, 1, true), lanes_);
      target = operand;
      break;
    case First:
      target = in_region_ ? twin_find(running, false) : s_.uint_constant(0);
      break;
    case Shuffle:
      operand = operand_word(rng_.chance(50) ? 31 : 63, 2, false);
      target = operand;
      break;
    case Xor:
    case Up:
    case Down: {
      const uint32_t mask = (2u << rng_.below(6)) - 1;
      operand = rng_.chance(60) ? s_.uint_constant(rng_.below(mask + 1)) : operand_word(mask, 1, true);
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
      operand = rng_.chance(60) ? s_.uint_constant(rng_.below(32)) : operand_word(~0u, 1, true);
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
  Id is_there = f_.value(spv::OpULessThan, s_.type(kBool), {target, lanes_});
  if (in_region_) {
    const Id lane = word_op(spv::OpBitwiseAnd, target, s_.uint_constant(63));
    is_there = f_.value(spv::OpLogicalAnd, s_.type(kBool), {is_there, twin_bit(running, lane)});
  }
  Number result = given;
  result.id = f_.value(spv::OpSelect, number_type(given), {is_there, taken.id, given.id});
  take_group(result);
}

void declare_subgroups(Shared& s) {
  ModuleBuilder& m = s.module;
  if (s.form.subgroup_size != 0) {
    s.given = m.variable(spv::StorageClassWorkgroup, m.type_array(m.type_int(false, 64), s.invocations));
    s.takes_part = m.variable(spv::StorageClassWorkgroup, m.type_array(s.type(kUint), s.invocations));
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
