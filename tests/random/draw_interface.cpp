// SPDX-License-Identifier: MIT
#include "draw_interface.h"

namespace spalt::random_programs {

bool is_flat(const DrawShape& shape, const Varying& varying) {
  return varying.interpolation == Interpolation::Flat || shape.topology == Topology::Points;
}

bool is_perspective(const DrawShape& shape, const Varying& varying) {
  return shape.varied_w && !is_flat(shape, varying) && varying.interpolation != Interpolation::NoPerspective;
}

bool is_constant(const DrawShape& shape, const Varying& varying) {
  if (is_flat(shape, varying)) return false;
  if (!shape.exact_planes || is_perspective(shape, varying)) return true;
  if (shape.samples == 1 || varying.interpolation == Interpolation::Sample) return false;
  // With an invocation for each sample, inputs that are not decorated Sample may be those of any place in the pixel.
  return varying.interpolation == Interpolation::Centroid || shape.sample_shading;
}

namespace {

Id varying_type(Shared& s, const Varying& varying) {
  Id type = s.type(varying.type);
  if (varying.is_float) {
    type = s.module.type_float();
    if (varying.type.size > 1) type = s.module.type_vector(type, varying.type.size);
  }
  return varying.length == 0 ? type : s.module.type_array(type, varying.length);
}

void declare_coordinates(Shared& s) {
  const DrawShape& shape = *s.shape;
  s.place = s.module.builtin_variable(spv::BuiltInFragCoord, s.module.type_vector(s.module.type_float(), 4));
  s.float_inputs.push_back({s.place, 2, 4, 5, shape.sample_shading ? 4 : 1, false, true});
  // With several samples, z may be that of any place in the pixel.
  FloatInput depth{s.place, 1, 4, 1, 3, true, true, 2};
  if (shape.varied_depth) {
    depth.high = 4;
    depth.low = 13;
    depth.uniform = false;
    // Off the line, docs/isa-errata.md, "llvmpipe: draws".
    depth.open_in_helpers = shape.is_of_lines();
  }
  if (!shape.varied_depth || shape.samples == 1) s.float_inputs.push_back(depth);
  // AMD has w there, and where it differs between vertices its reciprocal is rounded.
  if (!shape.varied_w) s.float_inputs.push_back({s.place, 1, 4, 2, 2, true, true, 3});
}

}  // namespace

void decorate_place(ModuleBuilder& m, Id id, uint32_t location, uint32_t component) {
  m.decorate(id, {spv::DecorationLocation, location});
  if (component != 0) m.decorate(id, {spv::DecorationComponent, component});
}

void declare_vertex(Shared& s) {
  ModuleBuilder& m = s.module;
  const Id float_type = m.type_float();
  for (const Attribute& attribute : s.shape->attributes) {
    Id type = s.type(attribute.type);
    if (attribute.is_float)
      type = attribute.type.size == 1 ? float_type : m.type_vector(float_type, attribute.type.size);
    const Id id = m.variable(spv::StorageClassInput, type);
    decorate_place(m, id, attribute.location, attribute.component);
    if (attribute.is_float) {
      s.float_inputs.push_back(
          {id, attribute.type.size, attribute.type.size, attribute.high, attribute.low, false, false});
    } else {
      s.flat_inputs.push_back({id, spv::StorageClassInput, attribute.type, {0, 0}});
    }
  }
  const Id int_type = s.type(kInt);
  s.builtins = {{m.builtin_variable(spv::BuiltInVertexIndex, int_type), kInt, false},
                {m.builtin_variable(spv::BuiltInInstanceIndex, int_type), kInt, false},
                {m.builtin_variable(spv::BuiltInBaseVertex, int_type), kInt, true},
                {m.builtin_variable(spv::BuiltInBaseInstance, int_type), kInt, true},
                {m.builtin_variable(spv::BuiltInDrawIndex, int_type), kInt, true}};
  const auto view = [&](bool exists, spv::BuiltIn kind) {
    return exists ? m.builtin_variable(kind, int_type, spv::StorageClassOutput) : 0;
  };
  s.layer = view(s.shape->layers > 1, spv::BuiltInLayer);
  if (s.shape->views > 1) {
    s.view_index = m.builtin_variable(spv::BuiltInViewIndex, int_type);
    s.builtins.push_back({s.view_index, kInt, true});
  }
  s.viewport = view(s.shape->viewports > 1, spv::BuiltInViewportIndex);
  for (const Varying& varying : s.shape->varyings) {
    const Id id = m.variable(spv::StorageClassOutput, varying_type(s, varying));
    decorate_place(m, id, varying.location, varying.component);
    if (varying.is_float) {
      s.outputs_at_end.push_back(id);
    } else {
      s.privates.push_back({id, spv::StorageClassOutput, varying.type, {varying.length, 0}});
    }
  }
}

void declare_fragment(Shared& s) {
  ModuleBuilder& m = s.module;
  const DrawShape& shape = *s.shape;
  for (const Varying& varying : shape.varyings) {
    if (!varying.is_read) continue;
    const Id id = m.variable(spv::StorageClassInput, varying_type(s, varying));
    decorate_place(m, id, varying.location, varying.component);
    constexpr spv::Decoration kDecorations[] = {spv::DecorationFlat, spv::DecorationMax, spv::DecorationNoPerspective,
                                                spv::DecorationCentroid, spv::DecorationSample};
    const spv::Decoration decoration = kDecorations[static_cast<size_t>(varying.interpolation)];
    if (decoration != spv::DecorationMax) m.decorate(id, {static_cast<uint32_t>(decoration)});
    if (!varying.is_float) {
      s.flat_inputs.push_back({id, spv::StorageClassInput, varying.type, {varying.length, 0}});
      continue;
    }
    FloatInput input{id, varying.type.size, varying.type.size, kFlatBits - kFlatFraction, kFlatFraction, true, true};
    if (!is_flat(shape, varying)) {
      // Weights are multiples of 1/256 of those of pixels' middles or samples, and below 10 beside the triangle.
      input.high = kSmoothBits + 4;
      input.low = shape.sample_shading ? 12 : 9;
      input.uniform = false;
      input.rounds = is_perspective(shape, varying);
      // There 1/w may be 0; beside a line: docs/isa-errata.md, "llvmpipe: draws".
      input.open_in_helpers = input.rounds || (shape.is_of_lines() && !is_constant(shape, varying));
      // Exact at every multiple of 1/16 of a pixel.
      const bool may_move = varying.length == 0 && !shape.is_of_lines() && !is_constant(shape, varying);
      input.moves = may_move && s.rng.chance(25);
    }
    s.float_inputs.push_back(input);
  }
  const Id float_type = m.type_float();
  declare_coordinates(s);
  // llvmpipe moves it by half a pixel where there are several samples: docs/isa-errata.md, "llvmpipe: draws".
  if (shape.topology == Topology::Points && shape.even_points && shape.samples == 1) {
    const Id point = m.builtin_variable(spv::BuiltInPointCoord, m.type_vector(float_type, 2));
    s.float_inputs.push_back({point, 2, 2, 2, 3, false, true});
  }
  s.builtins = {{m.builtin_variable(spv::BuiltInFrontFacing, s.type(kBool)), kBool, true}};
  if (shape.sample_shading) {
    const Id sample = m.builtin_variable(spv::BuiltInSampleId, s.type(kInt));
    m.decorate(sample, {spv::DecorationFlat});
    s.builtins.push_back({sample, kInt, true});
  }
  if (shape.reads_primitive) {
    const Id primitive = m.builtin_variable(spv::BuiltInPrimitiveId, s.type(kInt));
    m.decorate(primitive, {spv::DecorationFlat});
    s.builtins.insert(s.builtins.begin(), {primitive, kInt, true});
  }
  const auto view = [&](bool exists, spv::BuiltIn kind) {
    if (!exists || !shape.reads_views) return;
    const Id id = m.builtin_variable(kind, s.type(kInt));
    m.decorate(id, {spv::DecorationFlat});
    s.builtins.insert(s.builtins.begin(), {id, kInt, true});
  };
  view(shape.layers > 1, spv::BuiltInLayer);
  view(shape.viewports > 1, spv::BuiltInViewportIndex);
  view(shape.views > 1, spv::BuiltInViewIndex);
  if (shape.reads_helper) {
    const Id helper = m.builtin_variable(spv::BuiltInHelperInvocation, s.type(kBool));
    s.builtins.insert(s.builtins.begin(), {helper, kBool, false, false, true});
  }
  if (shape.reads_mask) {
    const Id mask = m.builtin_variable(spv::BuiltInSampleMask, m.type_array(s.type(kInt), 1));
    m.decorate(mask, {spv::DecorationFlat});
    s.builtins.insert(s.builtins.begin(), {mask, kInt, false, true, true});
  }
  if (shape.reads_clip_distances) {
    const Id type = m.type_array(float_type, shape.clip_distances);
    const Id distances = m.builtin_variable(spv::BuiltInClipDistance, type);
    FloatInput input{distances, static_cast<uint8_t>(shape.clip_distances), 0, 1, 0, true, true};
    input.rounds = input.open_in_helpers = shape.varied_w;
    s.float_inputs.push_back(input);
  }
  for (size_t i = 0; i < shape.targets.size(); ++i) {
    const Target& target = shape.targets[i];
    if (!target.is_written) continue;
    Id type = s.type(target.type);
    if (target.is_float) type = target.type.size == 1 ? float_type : m.type_vector(float_type, target.type.size);
    const Id id = m.variable(spv::StorageClassOutput, type);
    decorate_place(m, id, static_cast<uint32_t>(i), 0);
    if (!target.is_float && target.bits[0] == 32) {
      s.privates.push_back({id, spv::StorageClassOutput, target.type, {0, 0}});
    } else {
      s.outputs_at_end.push_back(id);
    }
  }
  if (shape.exports_depth) {
    s.outputs_at_end.push_back(m.builtin_variable(spv::BuiltInFragDepth, float_type, spv::StorageClassOutput));
  }
  if (shape.exports_mask) {
    const Id type = m.type_array(s.type(kInt), 1);
    s.outputs_at_end.push_back(m.builtin_variable(spv::BuiltInSampleMask, type, spv::StorageClassOutput));
  }
}

}  // namespace spalt::random_programs
