// SPDX-License-Identifier: MIT
//
// The shaders of a random draw: their interfaces, and the frames of their main functions.
#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>

#include "draw_interface.h"
#include "draw_shape.h"
#include "generator.h"

namespace spalt::random_programs {
namespace {

void draw_stage_weights(Shared& s) {
  draw_weights(s);
  const bool is_fragment = s.stage == Stage::Fragment;
  s.weights[static_cast<size_t>(Statement::Exchange)] =
      is_fragment && s.shape->has_derivatives ? s.rng.between(4, 20) : 0;
  s.weights[static_cast<size_t>(Statement::Demote)] = is_fragment && s.rng.chance(60) ? 4 : 0;
}

}  // namespace

// ---- values of a given range ----

Id FunctionGenerator::exact_vector(uint8_t size, int bits, int exponent, bool is_signed, bool uniform) {
  Words parts;
  for (uint8_t i = 0; i < size; ++i) {
    Exact part = to_exact(expression(kInt, 1, uniform), bits, is_signed);
    if (exponent != 0) part = scaled(part, exponent);
    parts.push_back(part.id);
  }
  if (size == 1) return parts[0];
  return f_.value(spv::OpCompositeConstruct, module_.type_vector(module_.type_float(), size), parts);
}

Value FunctionGenerator::narrow(Type scalar, uint32_t bits, bool is_signed) {
  const Value value = expression(scalar, 1, false);
  const Value zero = splat(kUint, 0), count = splat(kUint, bits);
  return make(is_signed ? spv::OpBitFieldSExtract : spv::OpBitFieldUExtract, scalar, {value, zero, count});
}

Id FunctionGenerator::narrow_vector(const Target& target) {
  Words parts;
  for (uint8_t i = 0; i < target.type.size; ++i) {
    parts.push_back(narrow({target.type.base, 1}, target.bits[i], target.is_signed).id);
  }
  if (target.type.size == 1) return parts[0];
  return f_.value(spv::OpCompositeConstruct, s_.type(target.type), parts);
}

// ---- vertices ----

void FunctionGenerator::write_vertex_outputs(bool constant) {
  size_t next = 0;
  for (const Varying& varying : s_.shape->varyings) {
    if (!varying.is_float) continue;
    const Id output = s_.outputs_at_end[next++];
    if (is_constant(*s_.shape, varying) != constant) continue;
    const bool flat = is_flat(*s_.shape, varying);
    const int bits = flat ? kFlatBits : kSmoothBits, exponent = flat ? -kFlatFraction : 0;
    f_.statement(spv::OpStore, {output, exact_vector(varying.type.size, bits, exponent, true, constant)});
  }
}

void FunctionGenerator::write_position() {
  const DrawShape& shape = *s_.shape;
  const Id float_type = module_.type_float(), uint_type = s_.type(kUint);
  const auto load_number = [&](size_t builtin, uint32_t first) {
    const Id loaded = f_.value(spv::OpLoad, s_.type(kInt), {s_.builtins[builtin].id});
    const Id word = f_.value(spv::OpBitcast, uint_type, {loaded});
    return f_.value(spv::OpISub, uint_type, {word, s_.uint_constant(first)});
  };
  const Id vertex = load_number(0, shape.base), instance = load_number(1, shape.first_instance);
  Id run = instance;
  if (s_.view_index != 0) {
    const Id view = f_.value(spv::OpBitcast, uint_type, {f_.value(spv::OpLoad, s_.type(kInt), {s_.view_index})});
    const Id first = f_.value(spv::OpIMul, uint_type, {instance, s_.uint_constant(shape.views)});
    run = f_.value(spv::OpIAdd, uint_type, {first, view});
  }
  const Id row = f_.value(spv::OpIMul, uint_type, {run, s_.uint_constant(shape.vertex_count())});
  const Id number = f_.value(spv::OpIAdd, uint_type, {row, vertex});
  f_.statement(spv::OpStore, {s_.number, number});
  f_.statement(spv::OpStore,
               {s_.slot, f_.value(spv::OpIAdd, uint_type, {number, s_.uint_constant(shape.fragment_slots())})});

  const Id place = f_.value(spv::OpLoad, module_.type_vector(float_type, 4), {s_.place});
  Id part[3];
  for (uint32_t i = 0; i < 3; ++i) part[i] = f_.value(spv::OpCompositeExtract, float_type, {place, i});
  const Id instance_float = f_.value(spv::OpConvertUToF, float_type, {instance});
  const auto shift_by = [&](Id value, float step) {
    const Id shift = f_.value(spv::OpFMul, float_type, {instance_float, float_constant(step)});
    return f_.value(spv::OpFAdd, float_type, {value, shift});
  };
  part[0] = shift_by(part[0], static_cast<float>(shape.instance_shift) / static_cast<float>(shape.width));
  part[2] = shift_by(part[2], 0.125f);
  const Id w = shape.varied_w ? f_.value(spv::OpCompositeExtract, float_type, {place, 3}) : float_constant(shape.w);
  Words parts;
  for (const Id one : part) parts.push_back(f_.value(spv::OpFMul, float_type, {one, w}));
  parts.push_back(w);
  const Id position = f_.value(spv::OpCompositeConstruct, module_.type_vector(float_type, 4), parts);
  f_.statement(spv::OpStore, {s_.position, position});
  write_views(instance);
  if (shape.topology == Topology::Points) {
    const float small = shape.even_points ? 2.0f : 1.0f, large = shape.even_points ? 4.0f : 3.0f;
    const Id chooser = condition(1, false).id;
    const Id size = f_.value(spv::OpSelect, float_type, {chooser, float_constant(large), float_constant(small)});
    f_.statement(spv::OpStore, {s_.point_size, size});
  }
  for (uint32_t i = 0; i < shape.clip_distances; ++i) {
    // All of a primitive is inside or outside, so that nothing is cut.
    const bool of_instance = rng_.chance(20);
    const Value odd{f_.value(spv::OpBitwiseAnd, uint_type, {instance, s_.uint_constant(1)}), kUint, false};
    const Id chooser = of_instance ? cast(odd, kBool).id : module_.constant_bool(rng_.chance(4));
    const Id distance = f_.value(spv::OpSelect, float_type, {chooser, float_constant(-1.0f), float_constant(1.0f)});
    const Id pointer = f_.value(spv::OpAccessChain, module_.type_pointer(spv::StorageClassOutput, float_type),
                                {s_.clip_distance, s_.uint_constant(i)});
    f_.statement(spv::OpStore, {pointer, distance});
  }
}

/// Layer and viewport of an instance.
void FunctionGenerator::write_views(Id instance) {
  const Id type = s_.type(kUint);
  const auto write = [&](Id variable, uint32_t first) {
    if (variable == 0) return;
    const Id sum = f_.value(spv::OpIAdd, type, {instance, s_.uint_constant(first)});
    const Id view = f_.value(spv::OpBitwiseAnd, type, {sum, s_.uint_constant(1)});
    f_.statement(spv::OpStore, {variable, f_.value(spv::OpBitcast, s_.type(kInt), {view})});
  };
  write(s_.layer, s_.shape->first_layer);
  write(s_.viewport, s_.shape->first_viewport);
}

/// Outputs that are also variables have a value from the start.
void FunctionGenerator::fill_output_variables() {
  for (const Variable& variable : s_.privates) {
    if (variable.storage != spv::StorageClassOutput) continue;
    Words parts;
    for (uint32_t i = 0; i < std::max(1u, variable.lengths[0]); ++i) parts.push_back(constant(variable.element).id);
    const Id value = variable.lengths[0] == 0 ? parts[0] : module_.constant_composite(s_.type(variable), parts);
    f_.statement(spv::OpStore, {variable.id, value});
  }
}

void FunctionGenerator::write_vertex_main() {
  fill_output_variables();
  write_position();
  write_vertex_outputs(true);  // here, since ends of the function differ
  add_locals();
  budget_ = static_cast<int>(rng_.between(4, 16)) * (rng_.chance(15) ? 3 : 1);
  if (block(0, rng_.between(2, 6))) write_return();
  f_.finish();
}

// ---- fragments ----

void FunctionGenerator::write_fragment_outputs() {
  const DrawShape& shape = *s_.shape;
  size_t next = 0;
  for (const Target& target : shape.targets) {
    if (!target.is_written || (!target.is_float && target.bits[0] == 32)) continue;
    Id value = 0;
    if (target.is_float) {
      Words parts;
      for (uint8_t i = 0; i < target.type.size; ++i) {
        const Exact part = to_exact(expression(kInt, 1, false), target.bits[i], target.is_signed);
        parts.push_back(f_.value(spv::OpFMul, module_.type_float(), {part.id, float_constant(target.scale)}));
      }
      value = parts[0];
      if (parts.size() > 1) {
        const Id type = module_.type_vector(module_.type_float(), target.type.size);
        value = f_.value(spv::OpCompositeConstruct, type, parts);
      }
    } else {
      value = narrow_vector(target);
    }
    f_.statement(spv::OpStore, {s_.outputs_at_end[next++], value});
  }
  if (shape.exports_depth) {
    const Exact depth = scaled(to_exact(expression(kUint, 1, false), 4, false), -4);
    f_.statement(spv::OpStore, {s_.outputs_at_end[next++], depth.id});
  }
  if (shape.exports_mask) {
    const Value mask = expression(kInt, 1, false);
    const Id pointer = access(s_.outputs_at_end[next], spv::StorageClassOutput, kInt, {s_.uint_constant(0)});
    f_.statement(spv::OpStore, {pointer, mask.id});
  }
}

void FunctionGenerator::demote_other_pixels(Id pixel) {
  const Id bool_type = s_.type(kBool);
  const Id chosen = module_.spec_constant(s_.type(kUint), kAllPixels, kPixelConstant);
  const Id is_one = f_.value(spv::OpINotEqual, bool_type, {chosen, s_.uint_constant(kAllPixels)});
  const Id differs = f_.value(spv::OpINotEqual, bool_type, {chosen, pixel});
  const Id is_other = f_.value(spv::OpLogicalAnd, bool_type, {is_one, differs});
  const Id then = module_.new_id(), merge = module_.new_id();
  f_.statement(spv::OpSelectionMerge, {merge, spv::SelectionControlMaskNone});
  f_.statement(spv::OpBranchConditional, {is_other, then, merge});
  f_.label(then);
  f_.statement(spv::OpDemoteToHelperInvocation, {});
  f_.statement(spv::OpBranch, {merge});
  f_.label(merge);
}

void FunctionGenerator::write_slot() {
  const DrawShape& shape = *s_.shape;
  const Id uint_type = s_.type(kUint), float_type = module_.type_float();
  const auto coordinate = [&](uint32_t axis) {
    const Id pointer = f_.value(spv::OpAccessChain, module_.type_pointer(spv::StorageClassInput, float_type),
                                {s_.place, s_.uint_constant(axis)});
    return f_.value(spv::OpConvertFToU, uint_type, {f_.value(spv::OpLoad, float_type, {pointer})});
  };
  const auto next = [&](Id slot, uint32_t count, Id digit) {
    const Id scaled_slot = f_.value(spv::OpIMul, uint_type, {slot, s_.uint_constant(count)});
    return f_.value(spv::OpIAdd, uint_type, {scaled_slot, digit});
  };
  const Id x = coordinate(0), y = coordinate(1);
  demote_other_pixels(next(y, shape.width, x));
  Id slot = f_.value(spv::OpLoad, uint_type, {s_.number});
  slot = next(slot, shape.height, y);
  slot = next(slot, shape.width, x);
  if (shape.sample_shading) {
    const Id sample = f_.value(spv::OpLoad, s_.type(kInt), {s_.builtins.back().id});
    slot = next(slot, shape.samples, f_.value(spv::OpBitcast, uint_type, {sample}));
  }
  f_.statement(spv::OpStore, {s_.slot, slot});
}

void FunctionGenerator::write_fragment_main() {
  fill_output_variables();
  write_slot();
  add_locals();
  // First where quads stay together, then where anything may happen.
  budget_ = static_cast<int>(rng_.between(2, 12));
  uniform_ = in_quads_ = true;
  returns_allowed_ = false;
  bool reachable = block(0, rng_.between(1, 5));
  uniform_ = in_quads_ = false;
  returns_allowed_ = true;
  budget_ = static_cast<int>(rng_.between(4, 16)) * (rng_.chance(15) ? 3 : 1);
  for (Value& value : pool_) value.uniform = false;
  if (reachable) reachable = block(0, rng_.between(2, 6));
  if (reachable) write_return();
  f_.finish();
}

void FunctionGenerator::write_outputs() {
  if (s_.stage == Stage::Vertex) {
    write_vertex_outputs(false);
  } else {
    write_fragment_outputs();
  }
}

// ---- draws ----

namespace {

Words generate_vertex(const DrawShape& shape, uint64_t seed) {
  Shared s(seed);
  s.stage = Stage::Vertex;
  s.shape = &shape;
  ModuleBuilder& m = s.module;
  draw_stage_weights(s);
  declare_buffers(s);
  declare_images(s);
  const Id float_type = m.type_float();
  s.place = m.variable(spv::StorageClassInput, m.type_vector(float_type, 4));
  decorate_place(m, s.place, 0, 0);
  s.position = m.builtin_variable(spv::BuiltInPosition, m.type_vector(float_type, 4), spv::StorageClassOutput);
  s.number = m.variable(spv::StorageClassOutput, s.type(kUint));
  decorate_place(m, s.number, 0, 0);
  if (shape.topology == Topology::Points) {
    s.point_size = m.builtin_variable(spv::BuiltInPointSize, float_type, spv::StorageClassOutput);
  }
  if (shape.clip_distances != 0) {
    const Id type = m.type_array(float_type, shape.clip_distances);
    s.clip_distance = m.builtin_variable(spv::BuiltInClipDistance, type, spv::StorageClassOutput);
  }
  declare_vertex(s);
  declare_privates(s);
  add_callees(s);
  FunctionGenerator main(s);
  main.write_vertex_main();
  EntryPoint entry;
  entry.model = spv::ExecutionModelVertex;
  entry.capabilities = {spv::CapabilityDrawParameters, spv::CapabilityImageQuery, spv::CapabilitySampledBuffer};
  if (shape.views > 1) entry.capabilities.push_back(spv::CapabilityMultiView);
  if (shape.clip_distances != 0) entry.capabilities.push_back(spv::CapabilityClipDistance);
  if (shape.layers > 1) entry.capabilities.push_back(spv::CapabilityShaderLayer);
  if (shape.viewports > 1) entry.capabilities.push_back(spv::CapabilityShaderViewportIndex);
  return m.finish(main.main_id(), entry);
}

Words generate_fragment(const DrawShape& shape, uint64_t seed) {
  Shared s(seed);
  s.stage = Stage::Fragment;
  s.shape = &shape;
  ModuleBuilder& m = s.module;
  draw_stage_weights(s);
  declare_buffers(s);
  declare_images(s);
  s.number = m.variable(spv::StorageClassInput, s.type(kUint));
  decorate_place(m, s.number, 0, 0);
  m.decorate(s.number, {spv::DecorationFlat});
  declare_fragment(s);
  declare_privates(s);
  add_callees(s);
  FunctionGenerator main(s);
  main.write_fragment_main();
  EntryPoint entry;
  entry.model = spv::ExecutionModelFragment;
  entry.capabilities = {
      spv::CapabilityDerivativeControl, spv::CapabilityDemoteToHelperInvocation, spv::CapabilityImageQuery,
      spv::CapabilitySampledBuffer,     spv::CapabilityInterpolationFunction,    spv::CapabilityInputAttachment};
  if (shape.reads_views && shape.views > 1) entry.capabilities.push_back(spv::CapabilityMultiView);
  if (shape.sample_shading) entry.capabilities.push_back(spv::CapabilitySampleRateShading);
  if (shape.reads_primitive) entry.capabilities.push_back(spv::CapabilityGeometry);
  if (shape.reads_clip_distances) entry.capabilities.push_back(spv::CapabilityClipDistance);
  if (shape.reads_views && shape.layers > 1) entry.capabilities.push_back(spv::CapabilityShaderLayer);
  if (shape.reads_views && shape.viewports > 1) entry.capabilities.push_back(spv::CapabilityShaderViewportIndex);
  entry.extensions = {"SPV_EXT_demote_to_helper_invocation", "SPV_KHR_terminate_invocation"};
  entry.modes = {{spv::ExecutionModeOriginUpperLeft}};
  if (shape.exports_depth) entry.modes.push_back({spv::ExecutionModeDepthReplacing});
  if (shape.early_tests) entry.modes.push_back({spv::ExecutionModeEarlyFragmentTests});
  return m.finish(main.main_id(), entry);
}

}  // namespace

DrawProgram generate_draw(uint64_t seed) {
  const DrawShape shape = draw_shape(seed);
  DrawProgram program;
  program.seed = seed;
  program.vertex = generate_vertex(shape, seed ^ 0x5eed0002);
  program.fragment = generate_fragment(shape, seed ^ 0x5eed0003);
  program.scene = scene_text(shape);
  return program;
}

}  // namespace spalt::random_programs
