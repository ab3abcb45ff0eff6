// SPDX-License-Identifier: MIT
#include "amdgpu/lower/lower_fragment_inputs.h"

#include <string>

#include "amdgpu/lower/sample_locations.h"
#include "ir/ballot.h"
#include "ir/interface.h"
#include "ir/names.h"

namespace spalt::lower {

using abi::EntryRole;
using abi::Parameter;
using abi::ParameterKind;
using ir::BuiltIn;
using ir::InterfaceAccess;
using ir::Interpolation;
using ir::Op;
using ir::SamplePlace;
using ir::Semantic;
using ir::Value;

namespace {

constexpr Parameter kPointCoord{ParameterKind::point_coord, 0};
constexpr Parameter kPrimitiveId{ParameterKind::primitive_id, 0};
constexpr Parameter kViewportIndex{ParameterKind::viewport_index, 0};

/// quad_permute immediates that give all four lanes the value of one.
constexpr uint64_t all_lanes_read(unsigned lane) {
  return lane * 0x55u;
}

Parameter parameter_of(const InterfaceAccess& access) {
  if (access.semantic == Semantic::location) return {ParameterKind::location, access.number};
  const bool clip = access.semantic == Semantic::clip_distance;
  return {clip ? ParameterKind::clip_distances : ParameterKind::cull_distances,
          static_cast<uint8_t>(access.number / 4)};
}

bool is_interpolated(const InterfaceAccess& access) {
  return ir::is_interpolated(access.interpolation);
}

abi::PixelParameter pixel_parameter_of(const InterfaceAccess& access) {
  abi::PixelParameter parameter{parameter_of(access)};
  parameter.per_vertex = access.interpolation == Interpolation::per_vertex;
  parameter.flat = !is_interpolated(access);
  return parameter;
}

unsigned component_of(const InterfaceAccess& access) {
  return access.semantic == Semantic::location ? access.component : access.number % 4u;
}

/// The place that is really taken: with one sample all are the centre, and a shader that runs for each sample
/// interpolates there. What is interpolated elsewhere starts from the centre.
SamplePlace place_taken(SamplePlace place, const abi::GraphicsState& state, bool per_sample) {
  if (place == SamplePlace::at_offset) return place;
  if (state.samples == 1) return SamplePlace::center;
  if (place == SamplePlace::at_sample) return place;
  return per_sample ? SamplePlace::each : place;
}

/// The pair of I and J.
abi::PixelInput pair_of(Interpolation interpolation, SamplePlace place) {
  const bool linear = interpolation == Interpolation::linear;
  switch (place) {
    case SamplePlace::each:
      return linear ? abi::kLinearSample : abi::kPerspSample;
    case SamplePlace::centroid:
      return linear ? abi::kLinearCentroid : abi::kPerspCentroid;
    default:
      return linear ? abi::kLinearCenter : abi::kPerspCenter;
  }
}

EntryRole role_of_pair(abi::PixelInput pair) {
  switch (pair) {
    case abi::kPerspSample:
      return EntryRole::persp_sample_i;
    case abi::kPerspCentroid:
      return EntryRole::persp_centroid_i;
    case abi::kLinearSample:
      return EntryRole::linear_sample_i;
    case abi::kLinearCenter:
      return EntryRole::linear_center_i;
    case abi::kLinearCentroid:
      return EntryRole::linear_centroid_i;
    default:
      return EntryRole::persp_center_i;
  }
}

}  // namespace

bool runs_per_sample(const ir::Module& module, const abi::GraphicsState& state) {
  if (state.samples == 1) return false;
  if (module.fragment().per_sample) return true;
  const ir::Function& function = module.functions[0];
  if (state.min_sample_shading * static_cast<float>(state.samples) > 1) return true;
  for (ir::BlockId block : function.layout()) {
    for (Value value : ir::insts(function, block)) {
      const ir::Inst& inst = function.inst(value);
      if (inst.op == Op::input && InterfaceAccess::unpack(inst.imm).place == SamplePlace::each) return true;
      if (inst.op != Op::builtin) continue;
      const BuiltIn builtin = ir::builtin_of(inst.imm);
      if (builtin == BuiltIn::sample_id || builtin == BuiltIn::sample_position) return true;
    }
  }
  return false;
}

FragmentInputFinder::FragmentInputFinder(const ir::Module& module, const LowerConfig& config)
    : function_(module.functions[0]),
      state_(*config.graphics),
      per_sample_(runs_per_sample(module, *config.graphics)) {}

Result<void> FragmentInputFinder::add_parameter(const abi::PixelParameter& parameter) {
  for (const abi::PixelParameter& known : parameters_) {
    if (known == parameter) return {};
  }
  if (parameters_.size() == abi::kMaxParameters) {
    return Error{Status::unsupported, "a fragment shader has at most 32 inputs from the vertices"};
  }
  parameters_.push_back(parameter);
  return {};
}

Result<void> FragmentInputFinder::visit_builtin(const ir::Inst& inst) {
  const unsigned component = ir::builtin_component(inst.imm);
  switch (ir::builtin_of(inst.imm)) {
    case BuiltIn::frag_coord:
      need(static_cast<abi::PixelInput>(abi::kPosX + component));
      return {};
    case BuiltIn::front_facing:
      need(abi::kFrontFace);
      return {};
    case BuiltIn::point_coord:
      need(abi::kPerspCenter);
      return add_parameter({kPointCoord});
    case BuiltIn::sample_id:
      if (state_.samples != 1) need(abi::kAncillary);
      return {};
    case BuiltIn::sample_position:
      if (state_.samples != 1) need(component == 0 ? abi::kPosX : abi::kPosY);
      return {};
    case BuiltIn::sample_mask_in:
      need(abi::kSampleCoverage);
      if (per_sample_) need(abi::kAncillary);
      return {};
    case BuiltIn::layer:
      need(abi::kAncillary);
      return {};
    case BuiltIn::primitive_id:
      return add_parameter({kPrimitiveId, true});
    case BuiltIn::viewport_index:
      return add_parameter({kViewportIndex, true});
    case BuiltIn::view_index:
      view_index_ = true;
      return {};
    default:
      return {};
  }
}

Result<void> FragmentInputFinder::visit_input(const ir::Inst& inst) {
  const InterfaceAccess access = InterfaceAccess::unpack(inst.imm);
  if (access.place == SamplePlace::at_sample && state_.samples == 0) {
    return Error{Status::unsupported, "interpolation at a sample by its number needs the number of samples"};
  }
  if (is_interpolated(access)) need(pair_of(access.interpolation, place_taken(access.place, state_, per_sample_)));
  if (access.semantic == Semantic::barycentric) return {};
  return add_parameter(pixel_parameter_of(access));
}

Result<void> FragmentInputFinder::visit(Value value) {
  const ir::Inst& inst = function_.inst(value);
  if (inst.op == Op::builtin) return visit_builtin(inst);
  if (inst.op == Op::input) return visit_input(inst);
  return {};
}

void FragmentInputFinder::fill(abi::PixelFacts& facts) const {
  facts.parameters = parameters_;
  facts.per_sample = facts.position_at_sample = per_sample_;
}

unsigned FragmentInputRewriter::number_of(const abi::PixelParameter& parameter) const {
  unsigned number = 0;
  while (facts_.parameters[number] != parameter) ++number;
  return number;
}

Value FragmentInputRewriter::vgpr(std::string_view name, EntryRole role, ir::Type type) {
  return entry_.whole(ShortName(name), entry_.interface().field(role).reg, type);
}

Value FragmentInputRewriter::primitive_mask() {
  return entry_.whole("primitive_mask", entry_.interface().field(EntryRole::primitive_mask).reg, ir::kI32);
}

FragmentInputRewriter::Barycentrics FragmentInputRewriter::barycentrics(Interpolation interpolation,
                                                                        SamplePlace place) {
  static const char* const kNames[] = {"persp_sample",  "persp_center",  "persp_centroid", "persp_pull",
                                       "linear_sample", "linear_center", "linear_centroid"};
  const abi::PixelInput pair = pair_of(interpolation, place);
  const EntryRole role = role_of_pair(pair);
  const Value i = vgpr(std::string(kNames[pair]) + "_i", role, ir::kF32);
  const Value j = vgpr(std::string(kNames[pair]) + "_j", abi::role_of(role, 1), ir::kF32);
  return {i, j};
}

/// How much larger a value is in one lane of a quad than in another. Taken at entry, where the quads are whole.
Value FragmentInputRewriter::difference(Value value, unsigned high, unsigned low) {
  const Value a = entry_.at_entry(Op::quad_permute, ir::kF32, {value}, all_lanes_read(high));
  const Value b = entry_.at_entry(Op::quad_permute, ir::kF32, {value}, all_lanes_read(low));
  return entry_.at_entry(Op::fsub, ir::kF32, {a, b});
}

/// The barycentrics x and y pixels away from the centre.
FragmentInputRewriter::Barycentrics FragmentInputRewriter::moved(Interpolation interpolation, Value x, Value y) {
  const Barycentrics center = barycentrics(interpolation, SamplePlace::center);
  const auto at = [&](Value value) {
    const Value along_x = difference(value, 1, 0), along_y = difference(value, 2, 0);
    const Value with_x = insert_.f(Op::ffma, {x, along_x, value});
    return insert_.f(Op::ffma, {y, along_y, with_x});
  };
  const Value i = at(center.i), j = at(center.j);
  return {i, j, false};
}

/// From the centre, in pixels.
Value FragmentInputRewriter::sample_offset(Value sample, unsigned axis) {
  const std::span<const SampleLocation> locations = standard_sample_locations(state_.samples);
  Value offset = insert_.function().constant_f32(locations[0].offset(axis));
  for (uint32_t i = 1; i < locations.size(); ++i) {
    const Value is_it = insert_.compare(Op::ieq, sample, insert_.constant(i));
    const Value there = insert_.function().constant_f32(locations[i].offset(axis));
    offset = insert_.f(Op::select, {is_it, there, offset});
  }
  return offset;
}

Value FragmentInputRewriter::interpolated(const Parameter& parameter, unsigned component, const Barycentrics& at) {
  const uint64_t which = 4 * number_of({parameter}) + component;
  const Value mask = primitive_mask();
  if (!target_.parameters_in_lds) return insert_.op(Op::interpolate, ir::kF32, {mask, at.i, at.j}, which);
  const Value loaded = entry_.at_entry(Op::load_parameter, ir::kF32, {mask}, which);
  if (at.at_entry) return entry_.at_entry(Op::interpolate_quad, ir::kF32, {loaded, at.i, at.j});
  // Quads may not be whole here: every lane gets the three numbers while they are.
  const Value base = entry_.at_entry(Op::quad_permute, ir::kF32, {loaded}, all_lanes_read(0));
  const Value along_i = entry_.at_entry(Op::quad_permute, ir::kF32, {loaded}, all_lanes_read(1));
  const Value along_j = entry_.at_entry(Op::quad_permute, ir::kF32, {loaded}, all_lanes_read(2));
  const Value partly = insert_.f(Op::ffma, {at.i, along_i, base});
  return insert_.f(Op::ffma, {at.j, along_j, partly});
}

/// The value of one vertex: of the provoking one, which counts as the first, unless the parameter has those of all.
Value FragmentInputRewriter::flat(const abi::PixelParameter& parameter, unsigned component, unsigned vertex) {
  const uint64_t which = 4 * number_of(parameter) + component;
  const Value mask = primitive_mask();
  if (!target_.parameters_in_lds) return insert_.op(Op::parameter, ir::kF32, {mask}, which | uint64_t{vertex} << 8);
  const Value loaded = entry_.at_entry(Op::load_parameter, ir::kF32, {mask}, which);
  return entry_.at_entry(Op::quad_permute, ir::kF32, {loaded}, all_lanes_read(vertex));
}

/// The registers have the shares of the second and the third vertex; where in a point a fragment is, points have there.
Value FragmentInputRewriter::barycentric(unsigned component, const Barycentrics& at) {
  const Value one = insert_.function().constant_f32(1), zero = insert_.function().constant_f32(0);
  if (state_.has_points()) return component == 0 ? one : zero;
  const bool is_line = state_.has_lines();
  if (is_line && component == 2) return zero;
  const Value others = component == 0 || is_line ? insert_.f(Op::fadd, {at.i, at.j}) : Value();
  if (component == 0) return insert_.f(Op::fsub, {one, others});
  if (is_line) return others;
  return component == 1 ? at.i : at.j;
}

/// Parameters have 32 bits; halves travel as the same number.
Value FragmentInputRewriter::convert(Value value, ir::Type type) {
  if (type == ir::kF32) return value;
  if (type.is_float()) return insert_.op(Op::f_to_f, type, {value});
  const Value bits = insert_.op(Op::bitcast, ir::kI32, {value});
  return type == ir::kI32 ? bits : insert_.op(Op::trunc, type, {bits});
}

Value FragmentInputRewriter::input(const ir::Function& function, Value value, const ir::Inst& inst) {
  const InterfaceAccess access = InterfaceAccess::unpack(inst.imm);
  const ir::Type type = inst.type;
  if (!is_interpolated(access)) {
    return convert(flat(pixel_parameter_of(access), component_of(access), access.index), type);
  }
  const SamplePlace place = place_taken(access.place, state_, facts_.per_sample);
  Barycentrics at;
  if (place == SamplePlace::at_offset) {
    const Value x = insert_.current(function.operand(value, 0)), y = insert_.current(function.operand(value, 1));
    at = moved(access.interpolation, x, y);
  } else if (place == SamplePlace::at_sample) {
    const Value sample = insert_.current(function.operand(value, 0));
    const Value x = sample_offset(sample, 0), y = sample_offset(sample, 1);
    at = moved(access.interpolation, x, y);
  } else {
    at = barycentrics(access.interpolation, place);
  }
  if (access.semantic == Semantic::barycentric) return convert(barycentric(access.component, at), type);
  return convert(interpolated(parameter_of(access), component_of(access), at), type);
}

Value FragmentInputRewriter::frag_coord(unsigned component) {
  static const char* const kNames[] = {"position_x", "position_y", "position_z", "position_w"};
  const Value value = vgpr(kNames[component], abi::role_of(EntryRole::position_x, component), ir::kF32);
  return component == 3 ? insert_.f(Op::frcp, {value}) : value;
}

Value FragmentInputRewriter::sample_id() {
  if (state_.samples == 1) return insert_.constant(0);
  const Value ancillary = vgpr("ancillary", EntryRole::ancillary, ir::kI32);
  return insert_.i(Op::bfe_u, {ancillary, insert_.constant(abi::kAncillarySampleShift),
                               insert_.constant(abi::kAncillarySampleBits)});
}

/// The register has the coverage of the whole pixel.
Value FragmentInputRewriter::sample_mask_in() {
  const Value coverage = vgpr("sample_coverage", EntryRole::sample_coverage, ir::kI32);
  if (!facts_.per_sample) return coverage;
  const Value sample = sample_id();
  const Value own = insert_.i(Op::ishl, {insert_.constant(1), sample});
  return insert_.i(Op::iand, {coverage, own});
}

/// The register has all bits set in front, FRONT_FACE_ALL_BITS.
Value FragmentInputRewriter::front_facing() {
  const Value face = vgpr("front_face", EntryRole::front_face, ir::kI32);
  return insert_.compare(Op::ine, face, insert_.constant(0));
}

Value FragmentInputRewriter::layer() {
  const Value ancillary = vgpr("ancillary", EntryRole::ancillary, ir::kI32);
  return insert_.i(Op::bfe_u, {ancillary, insert_.constant(abi::kAncillaryLayerShift),
                               insert_.constant(target_.ancillary_layer_bits)});
}

Value FragmentInputRewriter::builtin(const ir::Inst& inst) {
  const unsigned component = ir::builtin_component(inst.imm);
  switch (ir::builtin_of(inst.imm)) {
    case BuiltIn::frag_coord:
      return frag_coord(component);
    case BuiltIn::front_facing:
      return front_facing();
    case BuiltIn::point_coord:
      return interpolated(kPointCoord, component, barycentrics(Interpolation::perspective, SamplePlace::center));
    case BuiltIn::sample_id:
      return sample_id();
    case BuiltIn::sample_position:
      if (state_.samples == 1) return insert_.function().constant_f32(0.5f);
      return insert_.f(Op::ffract, {frag_coord(component)});
    case BuiltIn::sample_mask_in:
      return sample_mask_in();
    case BuiltIn::layer:
      return layer();
    case BuiltIn::primitive_id:
      return convert(flat({kPrimitiveId, true}, 0, 0), ir::kI32);
    case BuiltIn::viewport_index:
      return convert(flat({kViewportIndex, true}, 0, 0), ir::kI32);
    case BuiltIn::view_index:
      return entry_.whole("view_index", entry_.interface().user_register(abi::kViewId), ir::kI32);
    case BuiltIn::subgroup_size:
      return insert_.constant(wave_size_);
    default:
      return Value();
  }
}

Value FragmentInputRewriter::rewrite(const ir::Function& function, Value value, const ir::Inst& inst) {
  if (inst.op == Op::ballot && (inst.imm & ir::kBallotDword) * 32 >= wave_size_) return insert_.constant(0);
  if (inst.op == Op::builtin) return builtin(inst);
  if (inst.op == Op::input) return input(function, value, inst);
  return Value();
}

}  // namespace spalt::lower
