// SPDX-License-Identifier: MIT
// GLSL.std.450 InterpolateAt*: an input at another place than its own.
#include <spirv/unified1/GLSL.std.450.h>

#include <spirv/unified1/spirv.hpp>

#include "spirv/io/io.h"

namespace spalt::spirv {

using ir::InterfaceAccess;
using ir::SamplePlace;
using ir::Value;

namespace {

/// The pointer leads to scalars of an input that are known now.
bool check_interpolant(Reader& r, const Pointer& pointer) {
  const bool input = pointer.variable != kNone && is_stage_variable(r.variables[pointer.variable]) &&
                     r.variables[pointer.variable].storage_class == spv::StorageClassInput;
  if (!input) return r.fail("expected a pointer to an input");
  const bool known = pointer.root == PointerRoot::local && pointer.select_count == 0;
  return known || r.unsupported("interpolating an element that is known at run time only");
}

struct Place {
  SamplePlace place = SamplePlace::centroid;
  SmallVector<Value, 2> operands;
};

bool read_place(Reader& r, const Instruction& in, Place& out) {
  if (in[4] == GLSLstd450InterpolateAtCentroid) return true;
  if (!r.has_words(in, 7)) return false;
  if (in[4] == GLSLstd450InterpolateAtSample) {
    Value sample;
    if (!r.scalar_value(in[6], ir::Scalar::i32, sample)) return false;
    out = {SamplePlace::at_sample, {}};
    out.operands.push_back(sample);
    return true;
  }
  Leaves offset;
  if (!r.vector_value(in[6], ir::Scalar::f32, 2, offset)) return false;
  out = {SamplePlace::at_offset, {}};
  for (uint32_t i = 0; i < 2; ++i) out.operands.push_back(r.leaf(offset, i));
  return true;
}

}  // namespace

bool translate_interpolate(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Place place;
  if (!expect_fragment(r) || !r.has_words(in, 6) || !r.result_vector_type(in, kAnyFloat, type) ||
      !read_place(r, in, place))
    return false;
  const Pointer* found = r.pointer(in[5]);
  if (found == nullptr || !check_interpolant(r, *found)) return false;
  if (found->type != type) return r.fail("the result type is not the type that is pointed to");
  const uint32_t first = r.variables[found->variable].first_interface_leaf + found->offset;
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < out.count; ++i) {
    InterfaceAccess access = r.interface_leaves[first + i].access;
    const bool flat = access.interpolation == ir::Interpolation::flat;
    if (!flat) access.place = place.place;
    const std::span<const Value> operands = flat ? std::span<const Value>() : std::span<const Value>(place.operands);
    r.set_leaf(out, i, r.b.insert(ir::Op::input, r.types.leaf_type(type, i), operands, access.pack(), 0));
  }
  return r.bind(in[2], out);
}

}  // namespace spalt::spirv
