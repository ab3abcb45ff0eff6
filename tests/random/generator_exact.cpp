// SPDX-License-Identifier: MIT
//
// Floats of graphics stages, and what these stages read. Every float is a multiple of a small power of two and small
// enough for 24 bits, so that no operation rounds, and whatever is computed from integers comes back to integers the
// same everywhere.
#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>
#include <bit>

#include "draw_shape.h"
#include "generator.h"

namespace spalt::random_programs {
namespace {

constexpr int kMostBits = 22;

}  // namespace

Id FunctionGenerator::float_constant(float value) {
  return module_.constant(module_.type_float(), std::bit_cast<uint32_t>(value));
}

// ---- leaves ----

Exact FunctionGenerator::to_exact(Value value, int bits, bool is_signed) {
  const Value zero = splat(kUint, 0), count = splat(kUint, static_cast<uint32_t>(bits));
  const Value word = cast(value, is_signed ? kInt : kUint);
  const Value part =
      is_signed ? make(spv::OpBitFieldSExtract, kInt, {word, zero, count}) : masked(word, (1u << bits) - 1);
  const spv::Op op = is_signed ? spv::OpConvertSToF : spv::OpConvertUToF;
  return {f_.value(op, module_.type_float(), {part.id}), bits, 0, part.uniform};
}

Exact FunctionGenerator::scaled(Exact value, int exponent) {
  const Id factor = float_constant(std::bit_cast<float>(static_cast<uint32_t>(127 + exponent) << 23));
  const Id id = f_.value(spv::OpFMul, module_.type_float(), {value.id, factor});
  return {id, value.high + exponent, value.low - exponent, value.uniform};
}

Value FunctionGenerator::to_int(Exact value) {
  const Exact whole = value.low > 0 ? scaled(value, value.low) : value;
  return {f_.value(spv::OpConvertFToS, s_.type(kInt), {whole.id}), kInt, value.uniform};
}

/// At another place in the pixel than the input's own; `everywhere`: the same place in all invocations.
Id FunctionGenerator::moved_input(Id pointer, bool everywhere) {
  const Id type = module_.type_float();
  const uint32_t samples = s_.shape->samples;
  if (samples > 1 && rng_.chance(50)) {
    const Value sample = everywhere ? splat(kInt, rng_.below(samples)) : cast(index(samples, false), kInt);
    return f_.glsl(GLSLstd450InterpolateAtSample, type, {pointer, sample.id});
  }
  const auto offset = [&] { return float_constant((static_cast<float>(rng_.below(16)) - 8.0f) / 16.0f); };
  Id place[2];
  for (Id& axis : place) axis = offset();
  if (!everywhere && rng_.chance(40)) {
    const Exact part = scaled(to_exact(leaf(kInt, false), 4, true), -4);
    place[rng_.below(2)] = part.id;
  }
  const Id where = f_.value(spv::OpCompositeConstruct, module_.type_vector(type, 2), {place[0], place[1]});
  return f_.glsl(GLSLstd450InterpolateAtOffset, type, {pointer, where});
}

Exact FunctionGenerator::exact_input(const FloatInput& input, bool one_component) {
  const Id type = module_.type_float();
  const auto finish = [&](Id id) {
    // The nearest integer.
    if (input.rounds) {
      const Id sum = f_.value(spv::OpFAdd, type, {id, float_constant(0.5f)});
      id = f_.glsl(GLSLstd450Floor, type, {sum});
    }
    return Exact{id, input.high, input.low, input.uniform};
  };
  const auto read = [&](Id pointer) {
    // Always or never: docs/isa-errata.md, "llvmpipe: draws".
    if (input.moves) {
      return Exact{moved_input(pointer, one_component), input.high + 1, std::max(input.low, 12), false};
    }
    return finish(f_.value(spv::OpLoad, type, {pointer}));
  };
  if (input.size == 1 && input.declared == 1) return read(input.id);
  if (input.declared != 0 && !input.moves && rng_.chance(50)) {
    const Id whole = f_.value(spv::OpLoad, module_.type_vector(type, input.declared), {input.id});
    return finish(f_.value(spv::OpCompositeExtract, type, {whole, input.first + rng_.below(input.size)}));
  }
  const bool is_constant = one_component || input.size == 1 || rng_.chance(70);
  const Value at = is_constant ? splat(kUint, input.first + rng_.below(input.size)) : index(input.size, input.uniform);
  const Id pointer =
      f_.value(spv::OpAccessChain, module_.type_pointer(spv::StorageClassInput, type), {input.id, at.id});
  return read(pointer);
}

Exact FunctionGenerator::exact_leaf(bool uniform) {
  std::vector<const FloatInput*> inputs;
  for (const FloatInput& input : s_.float_inputs) {
    if (input.open_in_helpers && !may_load_storage()) continue;
    if (input.uniform || !uniform) inputs.push_back(&input);
  }
  if (!inputs.empty() && rng_.chance(60)) return exact_input(*rng_.pick(inputs), false);
  if (has_texels(uniform) && rng_.chance(15)) {
    const Texels some = texels(uniform);
    if (some.input->texture->is_float) return texel_part(some, rng_.below(4));
    return to_exact(texel_value(some), static_cast<int>(rng_.between(1, 8)), true);
  }
  const int bits = static_cast<int>(rng_.between(1, 8));
  const bool is_signed = rng_.chance(50);
  const Exact value = to_exact(leaf(rng_.chance(50) ? kInt : kUint, uniform), bits, is_signed);
  return rng_.chance(30) ? scaled(value, -static_cast<int>(rng_.between(1, 4))) : value;
}

Value FunctionGenerator::flat_leaf() {
  const Variable& variable = rng_.pick(s_.flat_inputs);
  Words indices = {variable.id};
  bool uniform = true;
  Type type = variable.element;
  const auto add_index = [&](uint32_t length) {
    const Value at = index(length, rng_.chance(50));
    uniform &= at.uniform;
    indices.push_back(at.id);
  };
  if (variable.lengths[0] != 0) add_index(variable.lengths[0]);
  const bool one = type.size != 1 && rng_.chance(60);
  if (one) {
    add_index(type.size);
    type.size = 1;
  }
  Id pointer = variable.id;
  if (indices.size() > 1) pointer = f_.value(spv::OpAccessChain, s_.pointer(spv::StorageClassInput, type), indices);
  Value value{f_.value(spv::OpLoad, s_.type(type), {pointer}), type, uniform};
  if (type.size == 1) return value;
  const Type scalar{type.base, 1};
  return {f_.value(spv::OpCompositeExtract, s_.type(scalar), {value.id, rng_.below(type.size)}), scalar, uniform};
}

Value FunctionGenerator::stage_leaf(bool uniform) {
  const uint32_t kind = rng_.below(100);
  if (has_texels(uniform) && rng_.chance(20)) return texel_value(texels(uniform));
  if (!s_.textures.empty() && rng_.chance(4)) return image_query();
  if (kind < 35 && !s_.flat_inputs.empty()) {
    const Value value = flat_leaf();
    // Vertices have these to themselves.
    if (s_.stage == Stage::Vertex || !value.uniform) {
      if (!uniform) return {value.id, value.type, false};
    } else {
      return value;
    }
  }
  if (kind < 70) return to_int(exact(rng_.below(3), uniform));
  std::vector<const Builtin*> builtins;
  for (const Builtin& builtin : s_.builtins) {
    if (builtin.hides_helpers && !may_load_storage()) continue;
    if (builtin.uniform || !uniform) builtins.push_back(&builtin);
  }
  if (builtins.empty()) return uniform_load(uniform);
  const Builtin& builtin = *rng_.pick(builtins);
  Id pointer = builtin.id;
  if (builtin.is_array) {
    pointer = access(builtin.id, spv::StorageClassInput, builtin.type, {s_.uint_constant(0)});
  }
  return {f_.value(spv::OpLoad, s_.type(builtin.type), {pointer}), builtin.type, builtin.uniform};
}

// ---- operations ----

Exact FunctionGenerator::exact(unsigned depth, bool uniform) {
  if (depth == 0 || rng_.chance(15)) return exact_leaf(uniform);
  const Id type = module_.type_float();
  const Exact a = exact(depth - 1, uniform);
  const auto glsl1 = [&](GLSLstd450 op, int high, int low) {
    return Exact{f_.glsl(op, type, {a.id}), high, low, a.uniform};
  };
  switch (rng_.below(10)) {
    case 0:
      return {f_.value(spv::OpFNegate, type, {a.id}), a.high, a.low, a.uniform};
    case 1:
      return glsl1(GLSLstd450FAbs, a.high, a.low);
    case 2:
      if (a.high < 1 || a.high >= kMostBits) return a;
      return glsl1(rng_.chance(50) ? GLSLstd450Floor : GLSLstd450Ceil, a.high + 1, 0);
    case 3:
      if (a.high < 1) return a;
      return rng_.chance(50) ? glsl1(GLSLstd450Trunc, a.high, 0) : glsl1(GLSLstd450Fract, 1, std::max(a.low, 0));
    case 4: {
      const int exponent = static_cast<int>(rng_.between(0, 4)) - 2;
      return scaled(a, exponent);
    }
    default:
      break;
  }
  const Exact b = exact(depth - 1, uniform);
  const bool both = a.uniform && b.uniform;
  const int low = std::max(a.low, b.low), high = std::max(a.high, b.high);
  switch (rng_.below(6)) {
    case 0:
    case 1:
      if (high + 1 + low > kMostBits) return a;
      return {f_.value(rng_.chance(50) ? spv::OpFAdd : spv::OpFSub, type, {a.id, b.id}), high + 1, low, both};
    case 2:
      if (a.high + a.low + b.high + b.low > kMostBits) return a;
      return {f_.value(spv::OpFMul, type, {a.id, b.id}), a.high + b.high, a.low + b.low, both};
    case 3:
      return {f_.glsl(rng_.chance(50) ? GLSLstd450FMin : GLSLstd450FMax, type, {a.id, b.id}), high, low, both};
    case 4: {
      const Exact c = exact(depth - 1, uniform);
      const int sum_high = std::max(a.high + b.high, c.high) + 1, sum_low = std::max(a.low + b.low, c.low);
      if (a.high + a.low + b.high + b.low > kMostBits || sum_high + sum_low > kMostBits) return c;
      return {f_.glsl(GLSLstd450Fma, type, {a.id, b.id, c.id}), sum_high, sum_low, both && c.uniform};
    }
    default: {
      const Value chooser = compare(0, uniform);
      return {f_.value(spv::OpSelect, type, {chooser.id, a.id, b.id}), high, low, both && chooser.uniform};
    }
  }
}

Value FunctionGenerator::compare_exact(bool uniform) {
  constexpr spv::Op kOps[] = {spv::OpFOrdEqual,           spv::OpFOrdLessThan,   spv::OpFOrdGreaterThanEqual,
                              spv::OpFUnordNotEqual,      spv::OpFOrdLessThan,   spv::OpFOrdGreaterThan,
                              spv::OpFUnordLessThanEqual, spv::OpFUnordLessThan, spv::OpFOrdNotEqual};
  const Exact a = exact(1, uniform);
  Exact b{float_constant(static_cast<float>(rng_.below(16)) / 2 - 2), 3, 1, true};
  if (rng_.chance(50)) b = exact(1, uniform);
  return {f_.value(rng_.pick(kOps), s_.type(kBool), {a.id, b.id}), kBool, a.uniform && b.uniform};
}

// ---- fragments ----

void FunctionGenerator::derivative() {
  constexpr spv::Op kFine[] = {spv::OpDPdxFine, spv::OpDPdyFine, spv::OpFwidthFine};
  constexpr spv::Op kAny[] = {spv::OpDPdx,       spv::OpDPdy,       spv::OpFwidth,
                              spv::OpDPdxCoarse, spv::OpDPdyCoarse, spv::OpFwidthCoarse};
  if (s_.stage != Stage::Fragment || !uniform_ || !in_quads_) return assign();
  if (!s_.textures.empty() && rng_.chance(35)) return implicit_sample();
  std::vector<const FloatInput*> affine;
  for (const FloatInput& input : s_.float_inputs) {
    if (input.is_affine && !input.open_in_helpers) affine.push_back(&input);
  }
  // Which neighbours the others take the difference of is open, and does not matter where all differ alike.
  const bool is_affine = !affine.empty() && rng_.chance(40);
  const Exact value = is_affine ? exact_input(*rng_.pick(affine), true) : exact(rng_.between(1, 3), false);
  const spv::Op op = is_affine ? rng_.pick(kAny) : rng_.pick(kFine);
  const bool is_sum = op == spv::OpFwidth || op == spv::OpFwidthFine || op == spv::OpFwidthCoarse;
  const Exact difference{f_.value(op, module_.type_float(), {value.id}), value.high + (is_sum ? 2 : 1), value.low,
                         false};
  const Value result = to_int(difference);
  trace(result);
  pool_.push_back(result);
}

void FunctionGenerator::demote() {
  if (s_.stage != Stage::Fragment) return assign();
  const Value chooser = rng_.chance(70)
                            ? make(spv::OpIEqual, kBool, {masked(leaf(kUint, false), 7), splat(kUint, rng_.below(8))})
                            : condition(2, false);
  const Id then = module_.new_id(), merge = module_.new_id();
  f_.statement(spv::OpSelectionMerge, {merge, spv::SelectionControlMaskNone});
  f_.statement(spv::OpBranchConditional, {chooser.id, then, merge});
  f_.label(then);
  f_.statement(spv::OpDemoteToHelperInvocation, {});
  if (rng_.chance(30)) own_store();  // by nobody
  if (rng_.chance(30)) trace(splat(kUint, rng_.word()));
  f_.statement(spv::OpBranch, {merge});
  f_.label(merge);
}

bool FunctionGenerator::may_load_storage() const {
  // A function may be called where there are derivatives.
  return s_.stage != Stage::Fragment || !s_.shape->has_derivatives || (is_main_ && !in_quads_);
}

bool FunctionGenerator::may_kill() const {
  // The rest of a quad needs its neighbours as long as there are derivatives; a whole quad may go.
  // Nor may it leave the continue construct of a loop.
  const bool closed =
      std::any_of(frames_.begin(), frames_.end(), [](const Frame& frame) { return frame.kind == Frame::Kind::Closed; });
  return is_main_ && !closed && (uniform_ || !in_quads_);
}

}  // namespace spalt::random_programs
