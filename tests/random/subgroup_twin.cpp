// SPDX-License-Identifier: MIT
//
// The twins of subgroup operations: each invocation writes its value to workgroup memory, and after a barrier a loop
// over the lanes of a subgroup computes what the operation would, by definition and without any regard to speed.
// Nothing in here is a subgroup operation, so that neither the reader's lowering of them nor what a driver takes for a
// subgroup has a part in the result.
//
// The loops have as many turns for all invocations: lanes that leave earlier are what llvmpipe is wrong about.
#include <spirv/unified1/GLSL.std.450.h>

#include "generator.h"
#include "subgroup_ops.h"

namespace spalt::random_programs {

Id FunctionGenerator::in_64_bits(const Number& value) {
  const Id type = module_.type_int(false, 64);
  if (value.bits == 1) {
    return f_.value(spv::OpSelect, type, {value.id, module_.constant64(type, 1), module_.constant64(type, 0)});
  }
  Id id = value.id;
  if (value.is_float) id = f_.value(spv::OpBitcast, number_type(value.bits), {id});
  return value.bits == 64 ? id : f_.value(spv::OpUConvert, type, {id});
}

Id FunctionGenerator::from_64_bits(Id id, const Number& like) {
  if (like.bits == 1) {
    return f_.value(spv::OpINotEqual, s_.type(kBool), {id, module_.constant64(module_.type_int(false, 64), 0)});
  }
  if (like.bits != 64) id = f_.value(spv::OpUConvert, number_type(like.bits), {id});
  return like.is_float ? f_.value(spv::OpBitcast, number_type(like), {id}) : id;
}

Id FunctionGenerator::given_place(Id invocation) {
  const Id pointer = module_.type_pointer(spv::StorageClassWorkgroup, module_.type_int(false, 64));
  return f_.value(spv::OpAccessChain, pointer, {s_.given, invocation});
}

void FunctionGenerator::give(const Number& value) {
  const Id own = word_op(spv::OpIAdd, first_, lane_);
  const Id bits = in_64_bits(value);
  const Id place = given_place(own);
  f_.statement(spv::OpStore, {place, bits});
  if (active_ != 0) {
    const Id flag = f_.value(spv::OpSelect, s_.type(kUint), {active_, s_.uint_constant(1), s_.uint_constant(0)});
    f_.statement(spv::OpStore, {access(s_.takes_part, spv::StorageClassWorkgroup, kUint, {own}), flag});
  }
  barrier();
}

/// For each component of a vector.
template <typename Step>
Id FunctionGenerator::per_component(const Number& value, Step&& step) {
  if (value.size == 1) return step(value);
  Words parts;
  for (uint32_t i = 0; i < value.size; ++i) {
    const Number part{0, value.bits, false, value.is_float};
    const Id id = f_.value(spv::OpCompositeExtract, number_type(part), {value.id, i});
    parts.push_back(step(Number{id, value.bits, false, value.is_float}));
  }
  return f_.value(spv::OpCompositeConstruct, number_type(value), parts);
}

/// What a lane gave; of one that is not there, what the last invocation gave.
Id FunctionGenerator::given(const Number& like, Id lane) {
  const Id invocation = word_op(spv::OpIAdd, first_, lane);
  const Id last = s_.uint_constant(s_.invocations - 1);
  const Id place = given_place(f_.glsl(GLSLstd450UMin, s_.type(kUint), {invocation, last}));
  const Id bits = f_.value(spv::OpLoad, module_.type_int(false, 64), {place});
  return from_64_bits(bits, like);
}

/// Goes through lanes `from` to `to`, the latter excluded, of those that are there: step(lane, value so far).
template <typename Step>
Id FunctionGenerator::fold(Id from, Id to, Id type, Id start, Step&& step) {
  const Id header = module_.new_id(), body = module_.new_id(), next = module_.new_id(), exit = module_.new_id();
  const Id before = f_.current_block(), word = s_.type(kUint), truth = s_.type(kBool);
  f_.statement(spv::OpBranch, {header});
  f_.label(header);
  const auto lane = f_.open_phi(word, s_.uint_constant(0), before);
  const auto so_far = f_.open_phi(type, start, before);
  const Id goes_on = f_.value(spv::OpULessThan, truth, {lane.id, size_});
  f_.statement(spv::OpLoopMerge, {exit, next, spv::LoopControlDontUnrollMask});
  f_.statement(spv::OpBranchConditional, {goes_on, body, exit});
  f_.label(body);
  const Id stepped = step(lane.id, so_far.id);
  const Id is_after = f_.value(spv::OpUGreaterThanEqual, truth, {lane.id, from});
  const Id is_before = f_.value(spv::OpULessThan, truth, {lane.id, to});
  const Id is_there = f_.value(spv::OpULessThan, truth, {lane.id, lanes_});
  const Id is_in = f_.value(spv::OpLogicalAnd, truth, {is_after, is_before});
  Id counts = f_.value(spv::OpLogicalAnd, truth, {is_in, is_there});
  if (active_ != 0) {
    const Id invocation = word_op(spv::OpIAdd, first_, lane.id);
    const Id at = f_.glsl(GLSLstd450UMin, word, {invocation, s_.uint_constant(s_.invocations - 1)});
    const Id flag = f_.value(spv::OpLoad, word, {access(s_.takes_part, spv::StorageClassWorkgroup, kUint, {at})});
    const Id runs = f_.value(spv::OpINotEqual, truth, {flag, s_.uint_constant(0)});
    counts = f_.value(spv::OpLogicalAnd, truth, {counts, runs});
  }
  const Id result = f_.value(spv::OpSelect, type, {counts, stepped, so_far.id});
  f_.statement(spv::OpBranch, {next});
  f_.label(next);
  f_.close_phi(lane, word_op(spv::OpIAdd, lane.id, s_.uint_constant(1)), next);
  f_.close_phi(so_far, result, next);
  f_.statement(spv::OpBranch, {header});
  f_.label(exit);
  return so_far.id;
}

/// `partition`: the lanes that take part together; 0 for all.
Id FunctionGenerator::twin_arithmetic(const Number& value, const GroupOp& op, uint32_t kind, uint32_t cluster,
                                      Id partition) {
  if (value.size != 1) {
    return per_component(value,
                         [&](const Number& part) { return twin_arithmetic(part, op, kind, cluster, partition); });
  }
  const Id type = number_type(value), none = s_.uint_constant(0);
  Id from = none, to = size_, start = value.id;
  if (kind == spv::GroupOperationInclusiveScan) to = word_op(spv::OpIAdd, lane_, s_.uint_constant(1));
  if (kind == spv::GroupOperationExclusiveScan) to = lane_;
  if (kind == spv::GroupOperationClusteredReduce) {
    from = word_op(spv::OpBitwiseAnd, lane_, s_.uint_constant(~(cluster - 1)));
    to = word_op(spv::OpIAdd, from, s_.uint_constant(cluster));
  }
  if (value.bits == 1) {
    start = module_.constant_bool(op.identity != 0);
  } else if (!value.is_float) {
    const uint64_t identity =
        op.identity == kLeast || op.identity == kGreatest ? op.identity >> (64 - value.bits) : op.identity;
    start = number_constant(value.bits, identity).id;
  } else if (op.plain != spv::OpNop) {
    start = module_.constant_null(type);
  }
  give(value);
  const Id result = fold(from, to, type, start, [&](Id lane, Id so_far) {
    const Id other = given(value, lane);
    const Id both =
        op.plain == spv::OpNop ? f_.glsl(op.glsl, type, {so_far, other}) : f_.value(op.plain, type, {so_far, other});
    return partition == 0 ? both : f_.value(spv::OpSelect, type, {twin_bit(partition, lane), both, so_far});
  });
  barrier();
  return result;
}

/// Whether all, or any, are true; or whether all are equal.
Id FunctionGenerator::twin_vote(const Number& value, bool all, bool equal) {
  const Id truth = s_.type(kBool);
  if (value.size != 1) {
    Id result = module_.constant_bool(true);
    for (uint32_t i = 0; i < value.size; ++i) {
      Number part{0, value.bits, false, value.is_float};
      part.id = f_.value(spv::OpCompositeExtract, number_type(part), {value.id, i});
      const Id same = twin_vote(part, all, equal);
      result = f_.value(spv::OpLogicalAnd, truth, {result, same});
    }
    return result;
  }
  give(value);
  // Of the lanes that run, the own one is as good as the first.
  const Id first = value.id;
  const Id start = module_.constant_bool(all || equal);
  const Id result = fold(s_.uint_constant(0), size_, truth, start, [&](Id lane, Id so_far) {
    Id other = given(value, lane);
    const spv::Op same = value.bits == 1 ? spv::OpLogicalEqual : value.is_float ? spv::OpFOrdEqual : spv::OpIEqual;
    if (equal) other = f_.value(same, truth, {other, first});
    return f_.value(all || equal ? spv::OpLogicalAnd : spv::OpLogicalOr, truth, {so_far, other});
  });
  barrier();
  return result;
}

/// The lanes that have the same value.
Id FunctionGenerator::twin_partition(const Number& value) {
  const Id wide = module_.type_int(false, 64), truth = s_.type(kBool);
  const Id none = module_.constant64(wide, 0), one = module_.constant64(wide, 1);
  give(value);
  const Id mask = fold(s_.uint_constant(0), size_, wide, none, [&](Id lane, Id so_far) {
    const Id other = given(value, lane);
    const spv::Op same = value.bits == 1 ? spv::OpLogicalEqual : value.is_float ? spv::OpFOrdEqual : spv::OpIEqual;
    const Id is_same = f_.value(same, truth, {other, value.id});
    const Id bit = f_.value(spv::OpShiftLeftLogical, wide, {one, lane});
    const Id bits = f_.value(spv::OpSelect, wide, {is_same, bit, none});
    return f_.value(spv::OpBitwiseOr, wide, {so_far, bits});
  });
  barrier();
  return words_of_mask(mask);
}

Id FunctionGenerator::words_of_mask(Id mask) {
  const Id word = s_.type(kUint), none = s_.uint_constant(0);
  const Id two = f_.value(spv::OpBitcast, s_.type({Base::Uint, 2}), {mask});
  const Id low = f_.value(spv::OpCompositeExtract, word, {two, 0});
  const Id high = f_.value(spv::OpCompositeExtract, word, {two, 1});
  return f_.value(spv::OpCompositeConstruct, s_.type({Base::Uint, 4}), {low, high, none, none});
}

Id FunctionGenerator::mask_of_words(Id four) {
  const Id word = s_.type(kUint);
  const Id low = f_.value(spv::OpCompositeExtract, word, {four, 0});
  const Id high = f_.value(spv::OpCompositeExtract, word, {four, 1});
  const Id two = f_.value(spv::OpCompositeConstruct, s_.type({Base::Uint, 2}), {low, high});
  return f_.value(spv::OpBitcast, module_.type_int(false, 64), {two});
}

Id FunctionGenerator::twin_ballot(Id asked) {
  const Id wide = module_.type_int(false, 64);
  const Number value{asked, 1, false, false};
  give(value);
  const Id none = module_.constant64(wide, 0), one = module_.constant64(wide, 1);
  const Id mask = fold(s_.uint_constant(0), size_, wide, none, [&](Id lane, Id so_far) {
    const Id other = given(value, lane);
    const Id bit = f_.value(spv::OpShiftLeftLogical, wide, {one, lane});
    const Id bits = f_.value(spv::OpSelect, wide, {other, bit, none});
    return f_.value(spv::OpBitwiseOr, wide, {so_far, bits});
  });
  barrier();
  return words_of_mask(mask);
}

/// The lanes below the own one, and perhaps that one.
Id FunctionGenerator::lanes_below(bool with_own) {
  const Id wide = module_.type_int(false, 64), one = module_.constant64(wide, 1);
  const Id bit = f_.value(spv::OpShiftLeftLogical, wide, {module_.constant64(wide, with_own ? 2 : 1), lane_});
  return f_.value(spv::OpISub, wide, {bit, one});
}

Id FunctionGenerator::twin_bit_count(Id ballot, uint32_t kind) {
  const Id wide = module_.type_int(false, 64), word = s_.type(kUint);
  Id mask = mask_of_words(ballot);
  if (kind != spv::GroupOperationReduce) {
    const Id below = lanes_below(kind == spv::GroupOperationInclusiveScan);
    mask = f_.value(spv::OpBitwiseAnd, wide, {mask, below});
  }
  const Id four = words_of_mask(mask);
  const Id low = f_.value(spv::OpCompositeExtract, word, {four, 0});
  const Id high = f_.value(spv::OpCompositeExtract, word, {four, 1});
  const Id low_count = f_.value(spv::OpBitCount, word, {low});
  const Id high_count = f_.value(spv::OpBitCount, word, {high});
  return word_op(spv::OpIAdd, low_count, high_count);
}

Id FunctionGenerator::twin_find(Id ballot, bool last) {
  const Id word = s_.type(kUint), none = s_.uint_constant(0);
  const Id near = f_.value(spv::OpCompositeExtract, word, {ballot, last ? 1u : 0u});
  const Id far = f_.value(spv::OpCompositeExtract, word, {ballot, last ? 0u : 1u});
  const uint32_t find = last ? GLSLstd450FindUMsb : GLSLstd450FindILsb;
  Id in_near = f_.glsl(find, word, {near}), in_far = f_.glsl(find, word, {far});
  Id& in_high = last ? in_near : in_far;
  in_high = word_op(spv::OpIAdd, in_high, s_.uint_constant(32));
  const Id has_near = f_.value(spv::OpINotEqual, s_.type(kBool), {near, none});
  return f_.value(spv::OpSelect, word, {has_near, in_near, in_far});
}

Id FunctionGenerator::twin_bit(Id ballot, Id lane) {
  const Id wide = module_.type_int(false, 64);
  const Id mask = mask_of_words(ballot);
  const Id shifted = f_.value(spv::OpShiftRightLogical, wide, {mask, lane});
  const Id bit = f_.value(spv::OpBitwiseAnd, wide, {shifted, module_.constant64(wide, 1)});
  return f_.value(spv::OpINotEqual, s_.type(kBool), {bit, module_.constant64(wide, 0)});
}

/// Eq, ge, gt, le, lt.
Id FunctionGenerator::twin_mask(uint32_t which, uint32_t part) {
  const Id wide = module_.type_int(false, 64);
  const Id all =
      module_.constant64(wide, s_.form.subgroup_size == 64 ? ~uint64_t{0} : (uint64_t{1} << s_.form.subgroup_size) - 1);
  const Id below = lanes_below(false), up_to = lanes_below(true);
  const Id masks[kMasks] = {f_.value(spv::OpBitwiseXor, wide, {below, up_to}),
                            f_.value(spv::OpBitwiseXor, wide, {all, below}),
                            f_.value(spv::OpBitwiseXor, wide, {all, up_to}), up_to, below};
  const Id four = words_of_mask(masks[which]);
  return f_.value(spv::OpCompositeExtract, s_.type(kUint), {four, part});
}

Id FunctionGenerator::twin_move(const Number& value, Id target) {
  if (value.size != 1) {
    return per_component(value, [&](const Number& part) { return twin_move(part, target); });
  }
  give(value);
  const Id result = given(value, target);
  barrier();
  return result;
}

}  // namespace spalt::random_programs
