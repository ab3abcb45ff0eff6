// SPDX-License-Identifier: MIT
// OpImageTexelPointer, and atomic operations through one.
#include <spirv/unified1/spirv.hpp>

#include "spirv/image/image.h"
#include "spirv/module/names.h"

namespace spalt::spirv {
namespace {

ir::AtomicKind atomic_kind(ir::Op op) {
  switch (op) {
    case ir::Op::atomic_exchange:
      return ir::AtomicKind::exchange;
    case ir::Op::atomic_compare_exchange:
      return ir::AtomicKind::compare_exchange;
    case ir::Op::atomic_sub:
      return ir::AtomicKind::sub;
    case ir::Op::atomic_smin:
      return ir::AtomicKind::smin;
    case ir::Op::atomic_smax:
      return ir::AtomicKind::smax;
    case ir::Op::atomic_umin:
      return ir::AtomicKind::umin;
    case ir::Op::atomic_umax:
      return ir::AtomicKind::umax;
    case ir::Op::atomic_and:
      return ir::AtomicKind::bit_and;
    case ir::Op::atomic_or:
      return ir::AtomicKind::bit_or;
    case ir::Op::atomic_xor:
      return ir::AtomicKind::bit_xor;
    case ir::Op::atomic_fadd:
      return ir::AtomicKind::fadd;
    case ir::Op::atomic_fmin:
      return ir::AtomicKind::fmin;
    case ir::Op::atomic_fmax:
      return ir::AtomicKind::fmax;
    default:
      return ir::AtomicKind::add;
  }
}

/// What the pointer leads to: a variable of images, or, before front ends have tidied up, a local one that holds an
/// image.
bool find_image(Reader& r, uint32_t id, ImageHandle& image) {
  const Pointer* found = r.pointer(id);
  if (found == nullptr) return false;
  const Pointer pointer = *found;
  const TypeInfo& type = r.types[pointer.type];
  if (type.kind != TypeKind::image || type.image.sampled != 2 || is_input_attachment(type.image)) {
    return r.fail("expected a pointer to a storage image");
  }
  const Leaves value = r.new_leaves(pointer.type);
  image.type = pointer.type;
  return load(r, pointer, value, {}) && resolve_handle(r, id, r.leaf(value, 0), image);
}

bool find_texel_type(Reader& r, const Instruction& in, const TypeInfo& image, uint32_t& type) {
  if (!r.type_of(in[1], type)) return false;
  const TypeInfo& pointer = r.types[type];
  if (pointer.kind != TypeKind::pointer || pointer.storage_class != spv::StorageClassImage) {
    return r.fail("expected the result to be a pointer of storage class Image");
  }
  type = pointer.element;
  const bool fits = r.types[type].is_scalar() && r.types[type].scalar == r.types[image.element].scalar;
  return fits || r.fail("expected a pointer to the image's sampled type");
}

/// The sample is an operand of every texel pointer, and 0 where there are none.
bool add_sample(Reader& r, uint32_t id, bool multisampled, ImageValues& values) {
  if (!integer_operand(r, id, values)) return false;
  if (multisampled) return true;
  if (!r.function().is_constant(values.back(), 0)) return r.fail("expected sample 0 of an image without samples");
  values.pop_back();
  return true;
}

}  // namespace

bool translate_texel_pointer(Reader& r, const Instruction& in) {
  TexelPlace place;
  Pointer pointer;
  ImageValues values;
  if (!r.has_words(in, 6) || !find_image(r, in[3], place.image)) return false;
  const TypeInfo& type = r.types[place.image.type];
  if (!find_texel_type(r, in, type, pointer.type)) return false;
  const ir::ImageAccess access = image_shape(type.image, true);
  const uint32_t axes = ir::image_axes(access.dim);
  if (!texel_coordinates(r, in[4], axes + (access.arrayed() ? 1 : 0), axes, {}, values)) return false;
  if (!add_sample(r, in[5], access.multisampled(), values)) return false;
  place.coordinate_count = values.size();
  for (uint32_t i = 0; i < values.size(); ++i) place.coordinates[i] = values[i];
  pointer.root = PointerRoot::texel;
  pointer.access = place.image.access;
  pointer.texel = r.texels.size();
  r.texels.push_back(place);
  return r.bind(in[2], pointer);
}

ir::Value texel_atomic(Reader& r, ir::Op op, ir::Type type, const TexelPlace& place, std::span<const ir::Value> data,
                       const ir::MemoryAccess& access) {
  ir::ImageAccess image = image_shape(r.types[place.image.type].image, true);
  if (place.image.undefined) return type.is_none() ? ir::Value() : r.ssa.undef(type);
  image.flags = access.flags;
  image.scope = access.scope;
  image.order = access.order;
  ImageValues values;
  values.push_back(place.image.image);
  for (uint32_t i = 0; i < place.coordinate_count; ++i) values.push_back(place.coordinates[i]);
  const bool wide = r.types[r.types[place.image.type].element].scalar == ir::Scalar::i64;
  if (op == ir::Op::load) {
    image.mask = wide ? 3 : 1;
    const ir::Type loaded = wide ? ir::kI32.vector(2) : type;
    return r.b.bitcast(type, r.b.insert(ir::Op::image_load, loaded, values, image.pack(), 0));
  }
  if (op == ir::Op::store) {
    image.mask = wide ? 3 : 1;
    values.push_back(wide ? r.b.bitcast(ir::kI32.vector(2), data[0]) : data[0]);
    return r.b.insert(ir::Op::image_store, type, values, image.pack(), 0);
  }
  image.atomic = atomic_kind(op);
  const ir::Type moved = ir::is_float_atomic(op) ? type : wide ? ir::kI64 : ir::kI32;
  for (const ir::Value value : data) values.push_back(r.b.bitcast(moved, value));
  return r.b.bitcast(type, r.b.insert(ir::Op::image_atomic, moved, values, image.pack(), 0));
}

}  // namespace spalt::spirv
