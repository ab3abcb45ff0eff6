// SPDX-License-Identifier: MIT
#include "amdgpu/lower/lower_images.h"

#include <bit>

#include "amdgpu/abi/descriptor_fields.h"
#include "amdgpu/lower/inserter.h"

namespace spalt::lower {

using ir::ImageAccess;
using ir::ImageDim;
using ir::ImageOperands;
using ir::Op;
using ir::Value;

namespace {

constexpr ir::OpSet kImageOps = {Op::image_load,   Op::image_store,  Op::image_atomic,
                                 Op::image_sample, Op::image_gather, Op::image_query_lod};

using Operands = SmallVector<Value, 16>;

class ImageLowering {
 public:
  ImageLowering(ir::Function& function, CompileContext& context, const isa::Target& target)
      : function_(function),
        fields_(abi::image_fields(target)),
        insert_(function, context.scratch),
        used_(context.scratch) {}

  bool run();

 private:
  void find_used_components();
  void lower(Value value);
  void widen_1d(Value value);
  void drop_components(Value value);
  void set_access(Value value, const ImageAccess& access) { function_.inst(value).imm = access.pack(); }

  ir::Function& function_;
  const abi::ImageFields& fields_;
  Inserter insert_;
  Vector<uint32_t> used_;  ///< by value: components that extracts take; all bits where something else uses it
  bool changed_ = false;
};

bool ImageLowering::run() {
  find_used_components();
  for (ir::BlockId block : function_.layout()) {
    for (Value value : ir::insts(function_, block)) {
      if (kImageOps.has(function_.inst(value).op)) lower(value);
    }
  }
  insert_.finish();
  return changed_;
}

void ImageLowering::find_used_components() {
  used_.resize(function_.value_capacity(), 0);
  for (ir::BlockId block : function_.layout()) {
    for (Value value : ir::insts(function_, block)) {
      const ir::Inst& inst = function_.inst(value);
      const uint32_t mask = inst.op == Op::extract ? 1u << inst.imm : ~0u;
      for (Value operand : function_.operands(value)) used_[operand.index] |= mask;
    }
  }
}

void ImageLowering::lower(Value value) {
  const Op op = function_.inst(value).op;
  const ImageAccess access = function_.image_access(value);
  insert_.before(value);
  if (access.dim == ImageDim::d1 && !fields_.has_1d) widen_1d(value);
  if (op == Op::image_load || op == Op::image_sample) drop_components(value);
}

void ImageLowering::widen_1d(Value value) {
  const Op op = function_.inst(value).op;
  ImageAccess access = function_.image_access(value);
  const ImageOperands at = ir::image_operands(op, access);
  const std::span<const Value> old = function_.operands(value);
  const Value middle = ir::uses_sampler(op) ? function_.constant_f32(0.5F) : insert_.constant(0);
  Operands operands;
  for (unsigned i = 0; i < old.size(); ++i) {
    operands.push_back(function_.operand(value, i));
    const bool gradient = at.gradients != ImageOperands::kAbsent && i >= at.gradients && i < at.gradients + 2u;
    if (gradient) operands.push_back(function_.constant_f32(0));
    if (i == at.coordinates) operands.push_back(middle);
  }
  access.dim = ImageDim::d2;
  function_.set_operands(value, operands);
  set_access(value, access);
  changed_ = true;
}

/// The residency code of a sparse access stays, and one component at least.
void ImageLowering::drop_components(Value value) {
  ImageAccess access = function_.image_access(value);
  const unsigned components = access.components(), codes = access.sparse() ? 1 : 0;
  const uint32_t texel = (1u << components) - 1;
  uint32_t kept = used_[value.index] & texel;
  if (kept == 0) kept = 1;
  // Typed buffer instructions load from the first component on.
  if (access.dim == ImageDim::buffer) kept = (1u << std::bit_width(kept)) - 1;
  if (kept == texel || function_.type(value).components == 1) return;
  const ir::Type type = function_.type(value), scalar = type.element();
  uint8_t mask = 0;
  for (unsigned i = 0, position = 0; position < 4; ++position) {
    if ((access.mask >> position & 1) == 0) continue;
    if ((kept >> i++ & 1) != 0) mask |= static_cast<uint8_t>(1u << position);
  }
  access.mask = mask & 0xf;
  const unsigned count = static_cast<unsigned>(std::popcount(kept));
  const Operands operands(std::span<const Value>(function_.operands(value)));
  const ir::Inst old = function_.inst(value);
  const Value fewer = function_.create(old.op, scalar.vector(count + codes), operands, access.pack(), old.flags);
  function_.insert_before(value, fewer);
  Operands parts;
  for (unsigned i = 0, next = 0; i < components + codes; ++i) {
    const bool there = i >= components || (kept >> i & 1) != 0;
    if (!there) {
      parts.push_back(function_.undef(scalar));
    } else if (count + codes == 1) {
      parts.push_back(fewer);
    } else {
      parts.push_back(insert_.op(Op::extract, scalar, {fewer}, next));
    }
    if (there) ++next;
  }
  insert_.replace(value, insert_.op(Op::vec, type, parts));
  changed_ = true;
}

}  // namespace

bool lower_images(ir::Function& function, CompileContext& context, const isa::Target& target) {
  if (!function.operations().meets(kImageOps)) return false;
  const ArenaScope scope(context.scratch);
  return ImageLowering(function, context, target).run();
}

}  // namespace spalt::lower
