// SPDX-License-Identifier: MIT
// GLSL.std.450 InterpolateAt*: an input at another place than its own.
#include <spirv/unified1/GLSL.std.450.h>

#include <spirv/unified1/spirv.hpp>

#include "spirv/io/io.h"
#include "spirv/memory/memory.h"

namespace spalt::spirv {

using ir::InterfaceAccess;
using ir::SamplePlace;
using ir::Value;

namespace {

/// The pointer leads to scalars of an input, of which indices at run time may choose some.
bool check_interpolant(Reader& r, const Pointer& pointer) {
  const bool input = pointer.variable != kNone && is_stage_variable(r.variables[pointer.variable]) &&
                     r.variables[pointer.variable].storage_class == spv::StorageClassInput &&
                     (pointer.root == PointerRoot::local || pointer.root == PointerRoot::scratch);
  return input || r.fail("expected a pointer to an input");
}

struct Place {
  SamplePlace place = SamplePlace::centroid;
  SmallVector<Value, 2> operands;
};

/// The values of the leaves of an input there.
struct Interpolated final : LeafSource {
  Interpolated(Reader& reader, const Variable& input, const Place& where)
      : r(reader), first(input.first_interface_leaf), type(input.type), place(where) {}
  Value read(uint32_t leaf) const override {
    InterfaceAccess access = r.interface_leaves[first + leaf].access;
    const bool varies = ir::is_interpolated(access.interpolation);
    if (varies) access.place = place.place;
    const std::span<const Value> operands = varies ? std::span<const Value>(place.operands) : std::span<const Value>();
    return input_word(r, access, r.types.leaf_type(type, leaf), operands);
  }
  Reader& r;
  const uint32_t first, type;
  const Place& place;
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
  if (!expect_fragment(r) || !r.has_words(in, 6) || !r.result_vector_type(in, kShortFloat, type) ||
      !read_place(r, in, place))
    return false;
  const Pointer* found = r.pointer(in[5]);
  if (found == nullptr || !check_interpolant(r, *found)) return false;
  if (found->type != type) return r.fail("the result type is not the type that is pointed to");
  const Pointer pointer = *found;
  const Leaves out = r.new_leaves(type);
  const Interpolated interpolated{r, r.variables[pointer.variable], place};
  const bool loaded = pointer.root == PointerRoot::scratch ? load_copied(r, pointer, out, interpolated)
                                                           : load_selected(r, pointer, out, interpolated);
  return loaded && r.bind(in[2], out);
}

}  // namespace spalt::spirv
