// SPDX-License-Identifier: MIT
#include "amdgpu/lower/lower_samples.h"

#include "amdgpu/lower/cube.h"
#include "amdgpu/lower/inserter.h"

namespace spalt::lower {

using ir::Op;
using ir::Value;

namespace {

constexpr ir::OpSet kSamples = {Op::image_sample, Op::image_gather, Op::image_query_lod};

/// At most an image, a sampler, three parts, six gradients, four coordinates and a level.
using Operands = SmallVector<Value, 16>;

/// One sample and its new operands.
class SampleLowering {
 public:
  SampleLowering(Inserter& insert, Value sample)
      : insert_(insert),
        function_(insert.function()),
        sample_(sample),
        access_(function_.image_access(sample)),
        at_(ir::image_operands(function_.inst(sample).op, access_)) {}

  bool needs_work() const { return is_cube() || (access_.arrayed() && rounds()); }
  Value run();

 private:
  bool is_cube() const { return access_.dim == ir::ImageDim::cube; }
  /// The level does not depend on the layer, which is 0 there.
  bool rounds() const { return function_.inst(sample_).op != Op::image_query_lod; }
  Value operand(unsigned index) const { return insert_.current(function_.operand(sample_, index)); }
  Value coordinate(unsigned axis) const { return operand(at_.coordinates + axis); }
  Value gradient(unsigned direction, unsigned axis) const {
    return operand(at_.gradients + direction * ir::image_axes(access_.dim) + axis);
  }
  void add_gradients(Operands& out, const CubeFace& face);
  void add_coordinates(Operands& out, const CubeFace& face);
  Value layer();

  Inserter& insert_;
  const ir::Function& function_;
  const Value sample_;
  const ir::ImageAccess access_;
  const ir::ImageOperands at_;
};

/// Up to GFX10.3 a sampler that truncates coordinates truncates layers as well.
Value SampleLowering::layer() {
  const Value layer = coordinate(ir::image_axes(access_.dim));
  return rounds() ? insert_.f(Op::fround_even, {layer}) : layer;
}

void SampleLowering::add_gradients(Operands& out, const CubeFace& face) {
  if (!access_.has(ir::kImageGradients)) return;
  for (unsigned direction = 0; direction < 2; ++direction) {
    if (is_cube()) {
      const Value along[] = {gradient(direction, 0), gradient(direction, 1), gradient(direction, 2)};
      const FacePlace place = face_gradient(insert_, face, along);
      out.push_back(place.s);
      out.push_back(place.t);
      continue;
    }
    for (unsigned axis = 0; axis < ir::image_axes(access_.dim); ++axis) out.push_back(gradient(direction, axis));
  }
}

void SampleLowering::add_coordinates(Operands& out, const CubeFace& face) {
  if (is_cube()) {
    out.push_back(face.place.s);
    out.push_back(face.place.t);
    // The unit counts faces, eight for each cube.
    const Value cube = access_.arrayed() ? layer() : Value();
    const Value eight = insert_.function().constant_f32(8);
    out.push_back(cube.valid() ? insert_.f(Op::ffma, {cube, eight, face.id}) : face.id);
    return;
  }
  for (unsigned axis = 0; axis < ir::image_axes(access_.dim); ++axis) out.push_back(coordinate(axis));
  if (access_.arrayed()) out.push_back(layer());
}

Value SampleLowering::run() {
  const ir::Inst inst = function_.inst(sample_);
  insert_.before(sample_);
  CubeFace face;
  if (is_cube()) {
    const Value direction[] = {coordinate(0), coordinate(1), coordinate(2)};
    face = cube_face(insert_, direction);
  }
  const unsigned before_gradients = at_.gradients != ir::ImageOperands::kAbsent ? at_.gradients : at_.coordinates;
  Operands operands;
  for (unsigned i = 0; i < before_gradients; ++i) operands.push_back(operand(i));
  add_gradients(operands, face);
  add_coordinates(operands, face);
  for (unsigned i = at_.coordinates + at_.coordinate_count; i < at_.count; ++i) operands.push_back(operand(i));
  ir::ImageAccess access = access_;
  if (is_cube()) {
    access.dim = ir::ImageDim::face;
    access.traits &= static_cast<uint8_t>(~ir::kArrayed);  // the number of the face says it
  }
  return insert_.op(inst.op, inst.type, operands, access.pack());
}

}  // namespace

bool lower_samples(ir::Function& function, CompileContext& context) {
  if (!function.operations().meets(kSamples)) return false;
  const ArenaScope scope(context.scratch);
  Inserter insert(function, context.scratch);
  bool changed = false;
  for (ir::BlockId block : function.layout()) {
    for (Value value : ir::insts(function, block)) {
      if (!kSamples.has(function.inst(value).op)) continue;
      SampleLowering lowering(insert, value);
      if (!lowering.needs_work()) continue;
      insert.replace(value, lowering.run());
      changed = true;
    }
  }
  insert.finish();
  return changed;
}

}  // namespace spalt::lower
