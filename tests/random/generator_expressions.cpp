// SPDX-License-Identifier: MIT
//
// Expressions. Each function writes instructions at the current place and gives their value. `uniform` asks for one
// made of workgroup-uniform parts only. Where two operands draw random numbers, they are separate statements: C++ does
// not fix the order of arguments, and a seed must mean the same program with every compiler.
#include <spirv/unified1/GLSL.std.450.h>

#include "generator.h"

namespace spalt::random_programs {
namespace {

constexpr uint32_t kWords[] = {0,          1,          2,          3,          7,          8,          15,
                               31,         32,         33,         63,         64,         100,        255,
                               256,        0xffff,     0x10000,    0xffffffff, 0xfffffffe, 0xfffffff0, 0x80000000,
                               0x7fffffff, 0x80000001, 0x55555555, 0xdeadbeef};

Type with_size(Type type, uint8_t size) {
  return {type.base, size};
}

}  // namespace

Id Shared::type(Type t) {
  const Id scalar = t.base == Base::Bool ? module.type_bool() : module.type_int(t.base == Base::Int);
  return t.size == 1 ? scalar : module.type_vector(scalar, t.size);
}

Id Shared::type(const Variable& variable) {
  Id id = type(variable.element);
  if (variable.lengths[1] != 0) id = module.type_array(id, variable.lengths[1]);
  if (variable.lengths[0] != 0) id = module.type_array(id, variable.lengths[0]);
  return id;
}

Type FunctionGenerator::random_type(bool with_vectors) {
  const Base base = rng_.chance(50) ? Base::Int : Base::Uint;
  const bool is_vector = with_vectors && rng_.chance(15);
  return {base, static_cast<uint8_t>(is_vector ? rng_.between(2, 4) : 1)};
}

Value FunctionGenerator::make(spv::Op op, Type type, std::initializer_list<Value> operands) {
  Words ids;
  bool uniform = true;
  for (const Value& operand : operands) {
    ids.push_back(operand.id);
    uniform &= operand.uniform;
  }
  return {f_.value(op, s_.type(type), ids), type, uniform};
}

// ---- leaves ----

uint32_t FunctionGenerator::interesting_word() {
  if (rng_.chance(70)) return rng_.pick(kWords);
  return rng_.chance(50) ? rng_.below(1024) : rng_.word();
}

Value FunctionGenerator::splat(Type type, uint32_t word) {
  const Type scalar = with_size(type, 1);
  const Id part = type.base == Base::Bool ? module_.constant_bool(word != 0) : module_.constant(s_.type(scalar), word);
  if (type.size == 1) return {part, type, true};
  const Words parts(type.size, part);
  return {module_.constant_composite(s_.type(type), parts), type, true};
}

Value FunctionGenerator::constant(Type type) {
  const Type scalar = with_size(type, 1);
  Words parts;
  for (unsigned i = 0; i < type.size; ++i) {
    parts.push_back(splat(scalar, type.base == Base::Bool ? rng_.below(2) : interesting_word()).id);
  }
  if (type.size == 1) return {parts[0], type, true};
  return {module_.constant_composite(s_.type(type), parts), type, true};
}

std::optional<Value> FunctionGenerator::pooled(Type type, bool uniform) {
  // From a random place backwards: recent values are the likely ones to be wrong.
  if (pool_.empty()) return std::nullopt;
  const auto size = static_cast<uint32_t>(pool_.size());
  uint32_t at = rng_.chance(50) ? size - rng_.below(std::min(size, 8u)) : size - rng_.below(size);
  while (at-- > 0) {
    const Value& value = pool_[at];
    if (value.type == type && (value.uniform || !uniform)) return value;
  }
  return std::nullopt;
}

Value FunctionGenerator::cast(Value value, Type type) {
  if (value.type == type) return value;
  if (value.type.base == Base::Bool) {
    const Value one = splat(type, rng_.chance(80) ? 1 : interesting_word());
    return make(spv::OpSelect, type, {value, one, splat(type, 0)});
  }
  if (type.base == Base::Bool) return make(spv::OpINotEqual, type, {value, splat(value.type, 0)});
  return make(spv::OpBitcast, type, {value});
}

Id FunctionGenerator::access(Id base, spv::StorageClass storage, Type type, std::initializer_list<Id> indices) {
  Words operands = {base};
  operands.insert(operands.end(), indices);
  return f_.value(spv::OpAccessChain, s_.pointer(storage, type), operands);
}

Value FunctionGenerator::masked(Value value, uint32_t mask) {
  return make(spv::OpBitwiseAnd, value.type, {value, splat(value.type, mask)});
}

Value FunctionGenerator::index(uint32_t length, bool uniform) {
  const Type type = rng_.chance(50) ? kInt : kUint;
  if (rng_.chance(25)) return splat(type, rng_.below(length));
  if ((length & (length - 1)) == 0) return masked(leaf(type, uniform), length - 1);
  return make(spv::OpUMod, kUint, {leaf(kUint, uniform), splat(kUint, length)});
}

Value FunctionGenerator::builtin_leaf(bool uniform) {
  if (s_.stage != Stage::Compute) return stage_leaf(uniform);
  struct Choice {
    Id variable;
    bool vector, uniform;
    spv::StorageClass storage;
  };
  const Choice choices[] = {{s_.workgroup_id, true, true, spv::StorageClassInput},
                            {s_.num_workgroups, true, true, spv::StorageClassInput},
                            {s_.local_index, false, false, s_.builtins_in},
                            {s_.local_id, true, false, s_.builtins_in},
                            {s_.global_id, true, false, s_.builtins_in}};
  const Choice& choice = choices[rng_.below(uniform ? 2 : 5)];
  if (!choice.vector) return {f_.value(spv::OpLoad, s_.type(kUint), {choice.variable}), kUint, false};
  const Id part = module_.constant(s_.type(kUint), rng_.chance(70) ? 0 : rng_.below(3));
  const Id pointer = access(choice.variable, choice.storage, kUint, {part});
  return {f_.value(spv::OpLoad, s_.type(kUint), {pointer}), kUint, choice.uniform};
}

Value FunctionGenerator::uniform_load(bool uniform) {
  const auto zero = s_.uint_constant(0), one = s_.uint_constant(1), two = s_.uint_constant(2);
  const uint32_t kind = rng_.below(5);
  Value at = splat(kUint, 0);
  Type type = kInt;
  Id pointer = 0;
  if (kind <= 1) {
    at = index(kPushWords, uniform);
    type = kUint;
    const Id base = kind == 0 ? s_.push : s_.uniforms;
    const auto storage = kind == 0 ? spv::StorageClassPushConstant : spv::StorageClassUniform;
    pointer = access(base, storage, type, {zero, at.id});
  } else if (kind == 2) {
    at = index(4, uniform);
    pointer = access(s_.uniforms, spv::StorageClassUniform, type, {one, at.id});
  } else if (kind == 3) {
    at = index(4, uniform);
    pointer = access(s_.uniforms, spv::StorageClassUniform, type, {two, at.id, zero});
  } else {
    at = index(4, uniform);
    type = Type{Base::Uint, 3};
    pointer = access(s_.uniforms, spv::StorageClassUniform, type, {two, at.id, one});
  }
  const Value loaded{f_.value(spv::OpLoad, s_.type(type), {pointer}), type, at.uniform};
  if (type.size == 1) return loaded;
  const Id part = f_.value(spv::OpCompositeExtract, s_.type(kUint), {loaded.id, rng_.below(3)});
  return {part, kUint, at.uniform};
}

Value FunctionGenerator::input_load() {
  if (!may_load_storage()) return builtin_leaf(false);
  if (rng_.chance(5)) return {f_.value(spv::OpArrayLength, s_.type(kUint), {s_.input, 1}), kUint, false};
  const Value at =
      rng_.chance(50) ? masked(cast(builtin_leaf(false), kUint), kInputWords - 1) : index(kInputWords, false);
  const Id pointer = access(s_.input, spv::StorageClassStorageBuffer, kUint, {s_.uint_constant(1), at.id});
  return {f_.value(spv::OpLoad, s_.type(kUint), {pointer}), kUint, at.uniform};
}

Value FunctionGenerator::own_load() {
  // What another run of the same vertex has stored already would be seen.
  if (s_.stage == Stage::Vertex || !may_load_storage()) return builtin_leaf(false);
  if (s_.store_image != 0 && rng_.chance(30)) return image_load();
  const Id slot = f_.value(spv::OpLoad, s_.type(kUint), {s_.slot});
  const auto storage = spv::StorageClassStorageBuffer;
  const Id zero = s_.uint_constant(0);
  if (rng_.chance(50)) {
    const Id first = f_.value(spv::OpIMul, s_.type(kUint), {slot, s_.uint_constant(kSlotWords)});
    const Id at = f_.value(spv::OpIAdd, s_.type(kUint), {first, cast(index(8, false), kUint).id});
    const Id pointer = access(s_.output, storage, kUint, {zero, at});
    return {f_.value(spv::OpLoad, s_.type(kUint), {pointer}), kUint, false};
  }
  const uint32_t member = rng_.below(3);
  const Id member_id = s_.uint_constant(member);
  const Id pointer =
      member == 1 ? access(s_.records, storage, kInt, {zero, slot, member_id})
                  : access(s_.records, storage, kInt, {zero, slot, member_id, index(member == 0 ? 3 : 4, false).id});
  return {f_.value(spv::OpLoad, s_.type(kInt), {pointer}), kInt, false};
}

Value FunctionGenerator::load_leaf(bool uniform) {
  const uint32_t kind = rng_.below(uniform ? 3 : 10);
  if (kind == 0) return builtin_leaf(uniform);
  if (kind <= 2) return uniform_load(uniform);
  if (kind <= 6) return input_load();
  if (kind == 7 && shared_readable_) {
    const Id pointer = access(s_.workgroup_array, spv::StorageClassWorkgroup, kUint, {index(s_.invocations, false).id});
    return {f_.value(spv::OpLoad, s_.type(kUint), {pointer}), kUint, false};
  }
  return kind == 8 ? own_load() : builtin_leaf(false);
}

std::pair<Id, Type> FunctionGenerator::element(const Variable& variable) {
  Words indices;
  for (const uint32_t length : variable.lengths) {
    if (length != 0) indices.push_back(index(length, false).id);
  }
  Type type = variable.element;
  if (type.size != 1 && rng_.chance(60)) {
    indices.push_back(index(type.size, false).id);
    type = with_size(type, 1);
  }
  if (indices.empty()) return {variable.id, type};
  indices.insert(indices.begin(), variable.id);
  return {f_.value(spv::OpAccessChain, s_.pointer(variable.storage, type), indices), type};
}

Value FunctionGenerator::variable_leaf(Type type) {
  const auto [pointer, loaded] = element(rng_.pick(variables_));
  Value value{f_.value(spv::OpLoad, s_.type(loaded), {pointer}), loaded, false};
  if (loaded.size == type.size) return cast(value, type);
  if (loaded.size > 1) {
    const Type scalar = with_size(loaded, 1);
    value = {f_.value(spv::OpCompositeExtract, s_.type(scalar), {value.id, rng_.below(loaded.size)}), scalar, false};
  }
  value = cast(value, with_size(type, 1));
  if (type.size == 1) return value;
  const Words parts(type.size, value.id);
  return {f_.value(spv::OpCompositeConstruct, s_.type(type), parts), type, false};
}

Value FunctionGenerator::leaf(Type type, bool uniform) {
  const uint32_t kind = rng_.below(100);
  if (kind < 50) {
    if (const auto value = pooled(type, uniform)) return *value;
  }
  if (kind < 62) return constant(type);
  if (kind < 80 && !uniform && !variables_.empty()) return variable_leaf(type);
  if (type.size == 1) return cast(load_leaf(uniform), type);
  Words parts;
  bool all_uniform = true;
  for (unsigned i = 0; i < type.size; ++i) {
    const Value part = leaf(with_size(type, 1), uniform);
    parts.push_back(part.id);
    all_uniform &= part.uniform;
  }
  return {f_.value(spv::OpCompositeConstruct, s_.type(type), parts), type, all_uniform};
}

// ---- integer operations ----

Value FunctionGenerator::binary(Type type, unsigned depth, bool uniform) {
  constexpr spv::Op kOps[] = {spv::OpIAdd,       spv::OpISub,      spv::OpIMul,      spv::OpIAdd,
                              spv::OpBitwiseAnd, spv::OpBitwiseOr, spv::OpBitwiseXor};
  // SPIR-V does not ask for equal signedness here.
  const Type other = rng_.chance(80) ? type : Type{type.base == Base::Int ? Base::Uint : Base::Int, type.size};
  const spv::Op op = rng_.pick(kOps);
  const Value lhs = expression(type, depth, uniform);
  const Value rhs = rng_.chance(15) ? lhs : expression(other, depth, uniform);
  return make(op, type, {lhs, rhs});
}

Value FunctionGenerator::shift(Type type, unsigned depth, bool uniform) {
  constexpr spv::Op kOps[] = {spv::OpShiftLeftLogical, spv::OpShiftRightLogical, spv::OpShiftRightArithmetic};
  const spv::Op op = rng_.pick(kOps);
  const Value value = expression(type, depth, uniform);
  const Value amount = rng_.chance(40) ? splat(type, rng_.below(32)) : masked(expression(type, depth, uniform), 31);
  return make(op, type, {value, amount});
}

Value FunctionGenerator::divide(Type type, unsigned depth, bool uniform) {
  const Value lhs = expression(type, depth, uniform);
  Value rhs = expression(type, depth, uniform);
  if (rng_.chance(40)) rhs = splat(type, rng_.chance(30) ? 1u << rng_.below(31) : rng_.between(1, 1000));
  if (type.base == Base::Uint) {
    rhs = make(spv::OpBitwiseOr, type, {rhs, splat(type, 1)});
    return make(rng_.chance(50) ? spv::OpUDiv : spv::OpUMod, type, {lhs, rhs});
  }
  if (rng_.chance(40)) {
    // The remainder of negative operands is undefined in Vulkan.
    rhs = make(spv::OpBitwiseOr, type, {masked(rhs, 0x7fffffff), splat(type, 1)});
    return make(rng_.chance(50) ? spv::OpSRem : spv::OpSMod, type, {masked(lhs, 0x7fffffff), rhs});
  }
  // Never -2^31 / -1: the dividend is halved.
  rhs = make(spv::OpBitwiseOr, type, {rhs, splat(type, 1)});
  return make(spv::OpSDiv, type, {make(spv::OpShiftRightArithmetic, type, {lhs, splat(type, 1)}), rhs});
}

Value FunctionGenerator::unary(Type type, unsigned depth, bool uniform) {
  constexpr spv::Op kOps[] = {spv::OpSNegate, spv::OpNot, spv::OpBitReverse, spv::OpBitCount, spv::OpCopyObject};
  const spv::Op op = rng_.pick(kOps);
  return make(op, type, {expression(type, depth, uniform)});
}

Value FunctionGenerator::extended(Type type, unsigned depth, bool uniform) {
  const bool is_signed = type.base == Base::Int;
  const Value a = expression(type, depth, uniform);
  const Id id = s_.type(type);
  const auto call1 = [&](GLSLstd450 op) { return Value{f_.glsl(op, id, {a.id}), type, a.uniform}; };
  switch (rng_.below(is_signed ? 7 : 5)) {
    case 0:
      return call1(GLSLstd450FindILsb);
    case 1:
      return call1(is_signed ? GLSLstd450FindSMsb : GLSLstd450FindUMsb);
    case 5:
      return call1(GLSLstd450SAbs);
    case 6:
      return call1(GLSLstd450SSign);
    default:
      break;
  }
  const Value b = expression(type, depth, uniform);
  const GLSLstd450 low = is_signed ? GLSLstd450SMin : GLSLstd450UMin;
  const GLSLstd450 high = is_signed ? GLSLstd450SMax : GLSLstd450UMax;
  const Id smaller = f_.glsl(low, id, {a.id, b.id}), greater = f_.glsl(high, id, {a.id, b.id});
  const bool both = a.uniform && b.uniform;
  if (rng_.chance(60)) return {rng_.chance(50) ? smaller : greater, type, both};
  const Value c = expression(type, depth, uniform);
  const GLSLstd450 clamp = is_signed ? GLSLstd450SClamp : GLSLstd450UClamp;
  return {f_.glsl(clamp, id, {c.id, smaller, greater}), type, both && c.uniform};
}

Value FunctionGenerator::bit_field(Type type, unsigned depth, bool uniform) {
  const Value base = expression(type, depth, uniform);
  Value offset, count;
  if (rng_.chance(50)) {
    const uint32_t at = rng_.below(32);
    offset = splat(kUint, at);
    count = splat(kUint, rng_.below(33 - at));
  } else {
    const uint32_t mask = rng_.chance(70) ? 15 : 31;
    offset = masked(leaf(kUint, uniform), mask);
    const Value most = make(spv::OpISub, kUint, {splat(kUint, 32), offset});
    const Value wanted = masked(leaf(kUint, uniform), 31);
    count = {f_.glsl(GLSLstd450UMin, s_.type(kUint), {wanted.id, most.id}), kUint, most.uniform && wanted.uniform};
  }
  if (rng_.chance(40)) {
    const Value bits = expression(type, depth, uniform);
    return make(spv::OpBitFieldInsert, type, {base, bits, offset, count});
  }
  const bool is_signed = rng_.chance(50);
  return make(is_signed ? spv::OpBitFieldSExtract : spv::OpBitFieldUExtract, type, {base, offset, count});
}

Value FunctionGenerator::wide(Type type, unsigned depth, bool uniform) {
  const uint32_t kind = rng_.below(4);
  const Type operand = kind == 3 ? Type{Base::Int, type.size} : Type{Base::Uint, type.size};
  constexpr spv::Op kOps[] = {spv::OpIAddCarry, spv::OpISubBorrow, spv::OpUMulExtended, spv::OpSMulExtended};
  const Value a = expression(operand, depth, uniform), b = expression(operand, depth, uniform);
  const Id pair = f_.value(kOps[kind], module_.type_pair(s_.type(operand)), {a.id, b.id});
  const Id part = f_.value(spv::OpCompositeExtract, s_.type(operand), {pair, rng_.below(2)});
  return cast({part, operand, a.uniform && b.uniform}, type);
}

// ---- booleans and selection ----

Value FunctionGenerator::compare(unsigned depth, bool uniform) {
  constexpr spv::Op kOps[] = {spv::OpIEqual,         spv::OpINotEqual,         spv::OpSLessThan, spv::OpSGreaterThan,
                              spv::OpSLessThanEqual, spv::OpSGreaterThanEqual, spv::OpULessThan, spv::OpUGreaterThan,
                              spv::OpULessThanEqual, spv::OpUGreaterThanEqual};
  if (s_.stage != Stage::Compute && rng_.chance(12)) return compare_exact(uniform);
  const Type type = random_type(false);
  Value lhs = expression(type, depth, uniform);
  Value rhs = rng_.chance(40) ? constant(type) : expression(type, depth, uniform);
  if (rng_.chance(50)) {
    // Small numbers, so that both outcomes are likely.
    const uint32_t mask = (2u << rng_.below(4)) - 1;
    lhs = masked(lhs, mask);
    rhs = splat(type, rng_.below(mask + 1));
  }
  return make(rng_.pick(kOps), kBool, {lhs, rhs});
}

Value FunctionGenerator::reduce(unsigned depth, bool uniform) {
  const Type type{rng_.chance(50) ? Base::Int : Base::Uint, static_cast<uint8_t>(rng_.between(2, 4))};
  const Type bools{Base::Bool, type.size};
  constexpr spv::Op kOps[] = {spv::OpIEqual, spv::OpINotEqual, spv::OpSLessThan, spv::OpUGreaterThanEqual};
  const Value lhs = expression(type, depth, uniform), rhs = expression(type, depth, uniform);
  const Value each = make(rng_.pick(kOps), bools, {lhs, rhs});
  return make(rng_.chance(50) ? spv::OpAny : spv::OpAll, kBool, {each});
}

Value FunctionGenerator::condition(unsigned depth, bool uniform) {
  const unsigned less = depth == 0 ? 0 : depth - 1;
  const uint32_t kind = rng_.below(100);
  if (kind < 60) return compare(less, uniform);
  if (kind < 68) return reduce(less, uniform);
  if (kind < 72) return leaf(kBool, uniform);
  if (kind < 74) return constant(kBool);
  if (depth == 0) return compare(0, uniform);
  if (kind < 80) return make(spv::OpLogicalNot, kBool, {condition(less, uniform)});
  constexpr spv::Op kOps[] = {spv::OpLogicalAnd,      spv::OpLogicalOr,  spv::OpLogicalEqual,
                              spv::OpLogicalNotEqual, spv::OpLogicalAnd, spv::OpLogicalOr};
  const Value lhs = condition(less, uniform), rhs = condition(less, uniform);
  return make(rng_.pick(kOps), kBool, {lhs, rhs});
}

Value FunctionGenerator::select(Type type, unsigned depth, bool uniform) {
  const Value on_true = expression(type, depth, uniform), on_false = expression(type, depth, uniform);
  const Value chooser = condition(depth, uniform);
  return make(spv::OpSelect, type, {chooser, on_true, on_false});
}

// ---- vectors ----

Value FunctionGenerator::shuffle(Type type, unsigned depth, bool uniform) {
  const Type a{type.base, static_cast<uint8_t>(rng_.between(2, 4))},
      b{type.base, static_cast<uint8_t>(rng_.between(2, 4))};
  const Value first = expression(a, depth, uniform), second = expression(b, depth, uniform);
  Words operands = {first.id, second.id};
  for (unsigned i = 0; i < type.size; ++i) operands.push_back(rng_.below(a.size + b.size));
  return {f_.value(spv::OpVectorShuffle, s_.type(type), operands), type, first.uniform && second.uniform};
}

Value FunctionGenerator::insert(Type type, unsigned depth, bool uniform) {
  const Value base = expression(type, depth, uniform);
  const Value part = expression(with_size(type, 1), depth, uniform);
  if (rng_.chance(50)) {
    const Id id = f_.value(spv::OpCompositeInsert, s_.type(type), {part.id, base.id, rng_.below(type.size)});
    return {id, type, base.uniform && part.uniform};
  }
  return make(spv::OpVectorInsertDynamic, type, {base, part, index(type.size, uniform)});
}

Value FunctionGenerator::component(Type type, unsigned depth, bool uniform) {
  const Type from{type.base, static_cast<uint8_t>(rng_.between(2, 4))};
  const Value base = expression(from, depth, uniform);
  if (rng_.chance(60)) {
    return {f_.value(spv::OpCompositeExtract, s_.type(type), {base.id, rng_.below(from.size)}), type, base.uniform};
  }
  return make(spv::OpVectorExtractDynamic, type, {base, index(from.size, uniform)});
}

Value FunctionGenerator::vector(Type type, unsigned depth, bool uniform) {
  switch (rng_.below(3)) {
    case 0:
      return shuffle(type, depth, uniform);
    case 1:
      return insert(type, depth, uniform);
    default:
      return leaf(type, uniform);
  }
}

// ---- all together ----

Value FunctionGenerator::expression(Type type, unsigned depth, bool uniform) {
  if (type.base == Base::Bool) return condition(depth, uniform);
  if (depth == 0 || rng_.chance(20)) return leaf(type, uniform);
  const unsigned less = depth - 1;
  if (type.size != 1 && rng_.chance(50)) return vector(type, less, uniform);
  if (s_.parts.widths && type.size == 1 && rng_.chance(30)) return other_width(type, less, uniform);
  constexpr uint32_t kWeights[] = {40, 10, 8, 12, 8, 8, 4, 10, 5};
  switch (rng_.weighted(kWeights)) {
    case 1:
      return shift(type, less, uniform);
    case 2:
      return divide(type, less, uniform);
    case 3:
      return unary(type, less, uniform);
    case 4:
      return extended(type, less, uniform);
    case 5:
      return bit_field(type, less, uniform);
    case 6:
      return wide(type, less, uniform);
    case 7:
      return type.size == 1 ? select(type, less, uniform) : binary(type, less, uniform);
    case 8:
      return type.size == 1 ? component(type, less, uniform) : binary(type, less, uniform);
    default:
      return binary(type, less, uniform);
  }
}

}  // namespace spalt::random_programs
