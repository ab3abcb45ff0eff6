// SPDX-License-Identifier: MIT
// OpImageSample* and their sparse forms, OpImageQueryLod.
#include <spirv/unified1/spirv.hpp>

#include "spirv/image/sample_address.h"
#include "spirv/module/names.h"

namespace spalt::spirv {
namespace {

/// What the name of the instruction says.
struct SampleForm {
  bool implicit = false, compare = false, project = false, sparse = false;
};

SampleForm sample_form(uint32_t opcode) {
  switch (opcode) {
    case spv::OpImageSampleImplicitLod:
      return {.implicit = true};
    case spv::OpImageSampleExplicitLod:
      return {};
    case spv::OpImageSampleDrefImplicitLod:
      return {.implicit = true, .compare = true};
    case spv::OpImageSampleDrefExplicitLod:
      return {.compare = true};
    case spv::OpImageSampleProjImplicitLod:
      return {.implicit = true, .project = true};
    case spv::OpImageSampleProjExplicitLod:
      return {.project = true};
    case spv::OpImageSampleProjDrefImplicitLod:
      return {.implicit = true, .compare = true, .project = true};
    case spv::OpImageSampleProjDrefExplicitLod:
      return {.compare = true, .project = true};
    case spv::OpImageSparseSampleImplicitLod:
      return {.implicit = true, .sparse = true};
    case spv::OpImageSparseSampleDrefImplicitLod:
      return {.implicit = true, .compare = true, .sparse = true};
    case spv::OpImageSparseSampleDrefExplicitLod:
      return {.compare = true, .sparse = true};
    default:
      return {.sparse = true};  // OpImageSparseSampleExplicitLod
  }
}

/// The instruction has what its form wants of bias, level and gradients, and nothing else.
bool check_level(Reader& r, const SampleForm& form, const ImageExtras& extras) {
  const bool lod = extras.lod != 0, gradients = extras.gradient_x != 0;
  if (extras.const_offsets != 0 || extras.offsets != 0) return r.fail("four offsets are for gathers");
  if (extras.min_lod != 0 && lod) return r.fail("a least level beside the level");
  if (form.implicit) return !(lod || gradients) || r.fail("an explicit level of detail of an implicit one");
  if (extras.bias != 0) return r.fail("a bias of an explicit level of detail");
  return lod != gradients || r.fail("expected either the Lod or the Grad image operand");
}

bool read_gradients(Reader& r, const ImageExtras& extras, SampleAddress& address) {
  if (extras.gradient_x == 0) return true;
  const uint32_t axes = ir::image_axes(address.access.dim);
  for (const uint32_t id : {extras.gradient_x, extras.gradient_y}) {
    Leaves gradient;
    if (!r.vector_value(id, ir::Scalar::f32, axes, gradient)) return false;
    for (uint32_t i = 0; i < axes; ++i) address.gradients.push_back(r.leaf(gradient, i));
  }
  return true;
}

bool read_level(Reader& r, const ImageExtras& extras, SampleAddress& address) {
  if (extras.bias != 0 && !read_f32(r, extras.bias, address.bias)) return false;
  if (extras.lod != 0 && !read_f32(r, extras.lod, address.lod)) return false;
  if (extras.min_lod != 0 && !read_f32(r, extras.min_lod, address.min_lod)) return false;
  if (!read_gradients(r, extras, address)) return false;
  resolve_level(r, address);
  return true;
}

bool check_shape(Reader& r, const SampleForm& form, const ir::ImageAccess& access) {
  const bool flat = access.dim != ir::ImageDim::cube && !access.arrayed();
  if (form.project && !flat) return r.fail("a projection onto an array or a cube");
  return !(form.compare && access.dim == ir::ImageDim::d3) || r.fail("a depth comparison in a 3d image");
}

}  // namespace

bool translate_image_sample(Reader& r, const Instruction& in) {
  const SampleForm form = sample_form(in.opcode);
  const uint32_t words = form.compare ? 6 : 5;
  ImageExtras extras;
  SampleAddress address;
  TexelResult result;
  if (!r.has_words(in, words) || !read_image_extras(r, in, words, extras) || !check_level(r, form, extras))
    return false;
  if (!read_sampled_image(r, in[3], extras, address) || !check_shape(r, form, address.access)) return false;
  if (!texel_result(r, in, form.sparse, address.image.type, result)) return false;
  if (!read_sample_coordinates(r, in[4], address.access.arrayed(), form.project, address)) return false;
  if (form.compare && !read_compare(r, in[5], in[4], form.project, address)) return false;
  if (!read_offset(r, extras, address) || !read_level(r, extras, address)) return false;
  const uint32_t components = r.types[result.texel].leaves;
  if (form.compare && components != 1) return r.fail("expected a scalar as result of a comparison");
  if (address.image.undefined) return bind_undefined(r, in, result.type);
  address.access.mask = static_cast<uint8_t>((1u << components) - 1) & ir::kAllComponents;
  if (form.sparse) address.access.traits |= ir::kSparse;
  return bind_texel(r, in, result, insert_sample(r, ir::Op::image_sample, texel_type(r, result, components), address));
}

/// The level that a sample without operands would take. The layer does not matter, and the instruction has none.
bool translate_image_query_lod(Reader& r, const Instruction& in) {
  SampleAddress address;
  uint32_t type = 0;
  if (!r.has_words(in, 5) || !r.result_vector_type(in, ir::Scalar::f32, type)) return false;
  if (r.types[type].leaves != 2) return r.fail("expected a result of 2 components");
  if (!read_sampled_image(r, in[3], {}, address)) return false;
  if (!read_sample_coordinates(r, in[4], false, false, address)) return false;
  if (address.image.undefined) return bind_undefined(r, in, type);
  const Leaves out = r.new_leaves(type);
  const bool implicit = r.module.has_derivatives();
  if (address.access.arrayed()) address.coordinates.push_back(r.b.f32(0));
  const ir::Value levels =
      implicit ? insert_sample(r, ir::Op::image_query_lod, ir::kF32.vector(2), address) : ir::Value();
  for (uint32_t i = 0; i < 2; ++i) r.set_leaf(out, i, implicit ? r.b.extract(levels, i) : r.b.f32(0));
  return r.bind(in[2], out);
}

}  // namespace spalt::spirv
