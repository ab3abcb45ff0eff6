// SPDX-License-Identifier: MIT
// OpImageQuerySize, OpImageQuerySizeLod, OpImageQueryLevels, OpImageQuerySamples.
#include <spirv/unified1/spirv.hpp>

#include "spirv/image/image.h"
#include "spirv/module/names.h"

namespace spalt::spirv {
namespace {

ir::Op query_op(uint32_t opcode) {
  switch (opcode) {
    case spv::OpImageQueryLevels:
      return ir::Op::image_levels;
    case spv::OpImageQuerySamples:
      return ir::Op::image_samples;
    default:
      return ir::Op::image_size;
  }
}

bool check_query(Reader& r, const Instruction& in, const ir::ImageAccess& access) {
  const bool levels = !access.multisampled() && access.dim != ir::ImageDim::buffer;
  switch (in.opcode) {
    case spv::OpImageQuerySizeLod:
    case spv::OpImageQueryLevels:
      return levels || r.fail("expected an image that can have levels");
    case spv::OpImageQuerySamples:
      return access.multisampled() || r.fail("expected a multisampled image");
    default:
      return true;
  }
}

}  // namespace

bool translate_image_query(Reader& r, const Instruction& in) {
  const bool has_level = in.opcode == spv::OpImageQuerySizeLod;
  ImageHandle image;
  uint32_t type = 0;
  if (!r.has_words(in, has_level ? 5 : 4) || !r.result_vector_type(in, ir::Scalar::i32, type)) return false;
  if (!image_handle(r, in[3], false, image)) return false;
  if (is_input_attachment(r.types[image.type].image)) return r.fail("a query of an input attachment");
  ir::ImageAccess access = image_shape(r.types[image.type].image, false);
  if (!check_query(r, in, access)) return false;
  const ir::Op op = query_op(in.opcode);
  const uint32_t components = op == ir::Op::image_size ? ir::image_size_components(access) : 1;
  if (r.types[type].leaves != components) return r.fail(concat("expected a result of ", components, " components"));
  ImageValues values;
  values.push_back(image.image);
  if (has_level) {
    if (!level_operand(r, in[4], values, access)) return false;
  }
  if (image.undefined) return bind_undefined(r, in, type);
  const ir::Value answer = r.b.insert(op, ir::kI32.vector(components), values, access.pack(), 0);
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < components; ++i) r.set_leaf(out, i, components == 1 ? answer : r.b.extract(answer, i));
  return r.bind(in[2], out);
}

}  // namespace spalt::spirv
