// SPDX-License-Identifier: MIT
#include <spirv/unified1/spirv.hpp>

#include "spirv/image/image.h"
#include "spirv/module/names.h"

namespace spalt::spirv {

bool texel_result(Reader& r, const Instruction& in, bool sparse, uint32_t image_type, TexelResult& out) {
  if (!r.result_value_type(in, out.type)) return false;
  out.texel = out.type;
  out.sparse = sparse;
  const TypeInfo& info = r.types[out.type];
  if (sparse) {
    const bool pair = info.kind == TypeKind::structure && info.count == 2 &&
                      r.types[r.types.member(info, 0).type].scalar == ir::Scalar::i32 &&
                      r.types[r.types.member(info, 0).type].is_scalar();
    if (!pair) return r.fail("expected the result to be a struct of a residency code and a texel");
    out.texel = r.types.member(info, 1).type;
  }
  const TypeInfo& texel = r.types[out.texel];
  if (texel.is_scalar_or_vector() && texel.scalar == r.types[r.types[image_type].element].scalar) return true;
  return r.fail("expected texels with components of the image's sampled type");
}

ir::Type texel_type(const Reader& r, const TexelResult& result, uint32_t components) {
  if (result.sparse || r.types[result.texel].scalar == ir::Scalar::i64) {
    return ir::kI32.vector(components + (result.sparse ? 1 : 0));
  }
  return ir::Type{r.types[result.texel].scalar}.vector(components);
}

uint32_t wide_texel_mask(const Reader& r, const TexelResult& result) {
  return r.types[result.texel].leaves == 4 ? 0xf : 0x3;
}

namespace {

/// A texel of 64 bits is its two words (wide_texel_mask). It has no further components, which read as 0. The last one
/// is what the image gives, 1 where there is a texel and 0 through a null descriptor.
void set_wide_texel(Reader& r, const Leaves& out, uint32_t next, uint32_t components, ir::Value value) {
  ir::Value words = value;
  if (r.function().type(value).components > 2) {
    const ir::Value low = r.b.extract(value, 0), high = r.b.extract(value, 1);
    const ir::Value parts[] = {low, high};
    words = r.b.vec(parts);
  }
  r.set_leaf(out, next, r.b.bitcast(ir::kI64, words));
  for (uint32_t i = 1; i < components; ++i) r.set_leaf(out, next + i, r.b.integer(ir::kI64, 0));
  if (components == 4) {
    const ir::Value last = r.b.extract(value, 3);
    r.set_leaf(out, next + 3, r.b.convert(ir::Op::zext, ir::kI64, last));
  }
}

}  // namespace

bool bind_texel(Reader& r, const Instruction& in, const TexelResult& result, ir::Value value) {
  const Leaves out = r.new_leaves(result.type);
  const uint32_t components = r.types[result.texel].leaves;
  const ir::Type scalar{r.types[result.texel].scalar};
  const bool is_vector = r.function().type(value).is_vector();
  uint32_t next = 0;
  // The code comes first in the struct and last in registers.
  if (result.sparse) r.set_leaf(out, next++, r.b.extract(value, r.function().type(value).components - 1));
  if (scalar == ir::kI64) {
    set_wide_texel(r, out, next, components, value);
    return r.bind(in[2], out);
  }
  for (uint32_t i = 0; i < components; ++i) {
    const ir::Value component = is_vector ? r.b.extract(value, i) : value;
    r.set_leaf(out, next++, result.sparse ? r.b.bitcast(scalar, component) : component);
  }
  return r.bind(in[2], out);
}

bool bind_undefined(Reader& r, const Instruction& in, uint32_t type) {
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < out.count; ++i) r.set_leaf(out, i, r.ssa.undef(r.types.leaf_type(type, i)));
  return r.bind(in[2], out);
}

bool translate_texels_resident(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  ir::Value code;
  if (!r.has_words(in, 4) || !r.result_vector_type(in, ir::Scalar::i1, type)) return false;
  if (r.types[type].leaves != 1 || !r.scalar_value(in[3], ir::Scalar::i32, code)) {
    return r.failed ? false : r.fail("expected a boolean result");
  }
  const Leaves out = r.new_leaves(type);
  r.set_leaf(out, 0, r.b.binary(ir::Op::ieq, code, r.b.i32(0)));
  return r.bind(in[2], out);
}

}  // namespace spalt::spirv
