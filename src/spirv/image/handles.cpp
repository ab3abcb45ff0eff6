// SPDX-License-Identifier: MIT
// Variables of images and samplers, and values that name them.
#include <spirv/unified1/spirv.hpp>

#include "spirv/image/image.h"
#include "spirv/io/io.h"
#include "spirv/module/names.h"

namespace spalt::spirv {
namespace {

uint32_t handle_type(const Reader& r, uint32_t type) {
  while (r.types[type].kind == TypeKind::array || r.types[type].kind == TypeKind::runtime_array) {
    type = r.types[type].element;
  }
  return type;
}

/// Up to SPIR-V 1.5, uniform texel buffers may be pairs with a sampler that they do not have.
ir::BindingKind binding_kind(const Reader& r, const TypeInfo& type) {
  if (type.kind == TypeKind::sampler) return ir::BindingKind::sampler;
  const bool pair = type.kind == TypeKind::sampled_image;
  const ImageInfo& image = pair ? r.types[type.element].image : type.image;
  if (image.dim == spv::DimBuffer) return ir::BindingKind::texel_buffer;
  return pair ? ir::BindingKind::combined : ir::BindingKind::image;
}

}  // namespace

bool handle_pointer(Reader& r, Variable& variable, Pointer& pointer) {
  const TypeInfo& type = r.types[handle_type(r, variable.type)];
  if (type.kind == TypeKind::opaque) return r.unsupported_type(type);
  if (type.kind == TypeKind::image && is_input_attachment(type.image) && !expect_fragment(r)) return false;
  if (!type.is_handle()) return r.fail(concat("expected variable ", variable.id, " to be an image or a sampler"));
  // Images that nobody stores to are taken to stay the same, like uniform buffers.
  const bool stored = type.kind == TypeKind::image && type.image.sampled == 2 && !is_input_attachment(type.image);
  const bool non_writable = (r.ids[variable.id].flags & kIdNonWritable) != 0;
  variable.aliased = variable.aliased || (r.ids[variable.id].flags & kIdAliased) != 0;
  // A texel buffer is a buffer. What an image has no pointer leads to, unless it is said to be aliased.
  variable.addressed = r.has_addresses && binding_kind(r, type) == ir::BindingKind::texel_buffer &&
                       !r.decorations.has(variable.id, spv::DecorationRestrict);
  pointer.root = PointerRoot::handle;
  if (!stored || (non_writable && !variable.may_be_shared())) pointer.access |= ir::kReadOnly;
  return add_binding(r, variable, binding_kind(r, type), !stored || non_writable, pointer);
}

bool load_handle(Reader& r, const Pointer& pointer, const Leaves& out) {
  uint32_t next = 0;
  if (pointer.resource.valid()) r.set_leaf(out, next++, pointer.resource);
  if (next < out.count) r.set_leaf(out, next, pointer.sampler.valid() ? pointer.sampler : r.ssa.undef(ir::kResource));
  return true;
}

void mark_non_uniform(Reader& r, uint32_t id, ir::Value value) {
  if ((r.ids[id].flags & kIdNonUniform) == 0 || !value.valid()) return;
  const ir::Op op = r.function().inst(value).op;
  const bool chosen = op == ir::Op::resource || op == ir::Op::sampler;
  if (!chosen || r.function().is_constant(r.function().operand(value, 0))) return;
  r.function().inst(value).flags |= ir::kNonUniform;
}

bool resolve_handle(Reader& r, uint32_t id, ir::Value value, ImageHandle& out) {
  out.image = value;
  for (const ir::Value handle : {out.image, out.sampler}) {
    if (!handle.valid()) continue;
    const ir::Op op = r.function().inst(handle).op;
    const ir::Op wanted = handle == out.image ? ir::Op::resource : ir::Op::sampler;
    if (op == ir::Op::undef) out.undefined = true;
    if (op != ir::Op::undef && op != wanted) return r.unsupported("an image or sampler that is chosen at run time");
    mark_non_uniform(r, id, handle);
  }
  if (!out.undefined) out.access = r.binding_access[r.function().inst(out.image).imm];
  return true;
}

bool image_handle(Reader& r, uint32_t id, bool sampled_image, ImageHandle& out) {
  Leaves value;
  if (!r.value(id, value)) return false;
  const TypeInfo& type = r.types[value.type];
  if (type.kind != (sampled_image ? TypeKind::sampled_image : TypeKind::image)) {
    return r.fail(concat("expected id ", id, sampled_image ? " to be a sampled image" : " to be an image"));
  }
  out.type = sampled_image ? type.element : value.type;
  if (sampled_image) out.sampler = r.leaf(value, 1);
  return resolve_handle(r, id, r.leaf(value, 0), out);
}

bool translate_image_of(Reader& r, const Instruction& in) {
  Leaves both;
  uint32_t type = 0;
  if (!r.has_words(in, 4) || !r.result_value_type(in, type) || !r.value(in[3], both)) return false;
  const TypeInfo& info = r.types[both.type];
  if (info.kind != TypeKind::sampled_image || info.element != type) {
    return r.fail("expected a sampled image and the type of its image");
  }
  mark_non_uniform(r, in[3], r.leaf(both, 0));
  const Leaves out = r.new_leaves(type);
  r.set_leaf(out, 0, r.leaf(both, 0));
  return r.bind(in[2], out);
}

/// Whether an image is compared with references is up to its use: a combination may say something else about it than
/// the image alone (SPIR-V, OpSampledImage: all but Depth must match).
bool same_but_depth(const Reader& r, uint32_t a, uint32_t b) {
  if (a == b) return true;
  const TypeInfo &left = r.types[a], &right = r.types[b];
  return left.kind == TypeKind::image && right.kind == TypeKind::image && left.element == right.element &&
         left.image == right.image;
}

bool translate_sampled_image(Reader& r, const Instruction& in) {
  Leaves image, sampler;
  uint32_t type = 0;
  if (!r.has_words(in, 5) || !r.result_value_type(in, type)) return false;
  if (!r.value(in[3], image) || !r.value(in[4], sampler)) return false;
  const TypeInfo& info = r.types[type];
  if (info.kind != TypeKind::sampled_image || !same_but_depth(r, info.element, image.type)) {
    return r.fail("expected an image and the type of its combination with a sampler");
  }
  if (r.types[sampler.type].kind != TypeKind::sampler) return r.fail("expected a sampler");
  mark_non_uniform(r, in[3], r.leaf(image, 0));
  mark_non_uniform(r, in[4], r.leaf(sampler, 0));
  const Leaves out = r.new_leaves(type);
  r.set_leaf(out, 0, r.leaf(image, 0));
  r.set_leaf(out, 1, r.leaf(sampler, 0));
  return r.bind(in[2], out);
}

}  // namespace spalt::spirv
