// SPDX-License-Identifier: MIT
// Image operations: which address parts, texels and orders go with which, and the types of their operands.
#include "ir/verifier_context.h"

namespace spalt::ir {
namespace {

constexpr unsigned kKnownTraits = kArrayed | kMultisampled | kSparse | kHalfAddress | kHalfGradients | kHalfTexel;

/// Parts that an operation may have in its address.
constexpr uint8_t allowed_parts(Op op) {
  switch (op) {
    case Op::image_load:
    case Op::image_store:
    case Op::image_size:
      return kImageLod;
    case Op::image_sample:
      return kImageOffset | kImageBias | kImageCompare | kImageGradients | kImageLod | kImageMinLod | kImageBaseLevel;
    case Op::image_gather:
      return kImageOffset | kImageBias | kImageCompare | kImageLod;
    default:
      return 0;
  }
}

class InstImage {
 public:
  InstImage(VerifyContext& context, Value value)
      : c_(context), value_(value), inst_(context.inst(value)), access_(ImageAccess::unpack(inst_.imm)) {}

  bool run() {
    if (!shape() || !parts() || !common_access()) return false;
    at_ = image_operands(inst_.op, access_);
    if (inst_.operand_count != at_.count) {
      return fail("has " + std::to_string(inst_.operand_count) + " operands, expected " + std::to_string(at_.count));
    }
    return resources() && address() && texel();
  }

 private:
  bool fail(std::string what) { return c_.fail(value_, std::string(info(inst_.op).name) + " " + std::move(what)); }
  bool core() const { return c_.module.stage == Stage::core; }
  bool samples() const { return uses_sampler(inst_.op); }

  bool shape() {
    const ImageDim dim = access_.dim;
    if (dim > ImageDim::buffer || (access_.traits & ~kKnownTraits) != 0 || access_.storage != StorageClass::image ||
        access_.reserved != 0) {
      return fail("has an unknown kind of image");
    }
    if (access_.arrayed() && dim != ImageDim::d1 && dim != ImageDim::d2 && dim != ImageDim::cube) {
      return fail("has an array of images that form none");
    }
    if (access_.multisampled() && dim != ImageDim::d2) return fail("has samples in an image that is not 2d");
    const bool sampled = samples() && (access_.multisampled() || dim == ImageDim::buffer);
    const bool loaded = !samples() && !is_image_query(inst_.op) && (dim == ImageDim::cube || dim == ImageDim::face);
    if (sampled || loaded) return fail("cannot work on " + image_shape_name(access_) + " images");
    if (!halves()) return false;
    if (!core() && dim == ImageDim::cube) return fail("has a cube, which exists in the core stage only");
    return !is_image_query(inst_.op) || core() || fail("exists in the core stage only");
  }

  bool halves() {
    if ((access_.traits & (kHalfAddress | kHalfGradients | kHalfTexel)) == 0) return true;
    const bool moves = inst_.op == Op::image_load || inst_.op == Op::image_store || inst_.op == Op::image_sample;
    if (core()) return fail("has halves, which exist in the lowered stage only");
    if (is_image_query(inst_.op) || access_.dim == ImageDim::buffer) return fail("cannot have halves");
    if (access_.half_address() && access_.has(kImageBias)) return fail("has a bias beside halves");
    if (access_.half_gradients() && !access_.has(kImageGradients)) return fail("has no gradients that could be halves");
    if (access_.half_address() && access_.has(kImageGradients) && !access_.half_gradients()) {
      return fail("has coordinates of halves and other gradients");
    }
    return !access_.half_texel() || (moves && !access_.sparse()) || fail("has no texel of halves");
  }

  bool parts() {
    if ((access_.parts & ~allowed_parts(inst_.op)) != 0) return fail("has an address part that it cannot have");
    const unsigned levels = (access_.has(kImageBias) ? 1 : 0) + (access_.has(kImageGradients) ? 1 : 0) +
                            (access_.has(kImageLod) ? 1 : 0) + (access_.has(kImageBaseLevel) ? 1 : 0);
    if (access_.has(kImageBaseLevel) && core()) return fail("has base_level, which exists in the lowered stage only");
    if (levels > 1) return fail("has more than one of bias, gradients and lod");
    if (access_.has(kImageLod) && access_.has(kImageMinLod)) return fail("has both lod and min_lod");
    const bool flat = access_.multisampled() || access_.dim == ImageDim::buffer;
    if (access_.has(kImageLod) && flat) return fail("has a level in an image without levels");
    const bool cube = access_.dim == ImageDim::cube || access_.dim == ImageDim::face;
    return !(access_.has(kImageOffset) && cube) || fail("has an offset in a cube");
  }

  bool common_access() {
    if (access_.scope > Scope::device || access_.order > MemoryOrder::seq_cst)
      return fail("has an unknown scope or order");
    uint32_t known = 0;
    for (const BitName& entry : access_flag_names()) known |= entry.bit;
    if ((access_.flags & ~known) != 0) return fail("has unknown access flags");
    if ((access_.flags & kReadOnly) != 0 && info(inst_.op).has(kWrites))
      return fail("writes what it declares read-only");
    const MemoryOrder order = access_.order;
    const bool plain = samples() || is_image_query(inst_.op);
    if (plain && (order != MemoryOrder::none || access_.scope != Scope::invocation)) {
      return fail("cannot have a memory order or scope");
    }
    const bool atomic = inst_.op == Op::image_atomic, store = inst_.op == Op::image_store;
    if (atomic && order == MemoryOrder::none) return fail("needs a memory order, at least 'order relaxed'");
    if (!atomic && (order == (store ? MemoryOrder::acquire : MemoryOrder::release) || order == MemoryOrder::acq_rel)) {
      return fail("cannot have memory order " + std::string(order_name(order)));
    }
    return true;
  }

  bool resources() {
    const bool texel_buffer = access_.dim == ImageDim::buffer;
    if (!core()) {
      if (!c_.expect_operand(value_, 0, kI32.vector(texel_buffer ? 4 : 8))) return false;
      return !samples() || c_.expect_operand(value_, 1, kI32.vector(4));
    }
    if (!c_.expect_operand(value_, 0, kResource)) return false;
    const Inst& image = c_.inst(c_.function.operand(value_, 0));
    if (image.op == Op::sampler) return c_.fail_operand(value_, 0, "a sampler is no image");
    if (image.op == Op::resource && image.imm < c_.module.bindings.size()) {
      const BindingKind kind = c_.module.bindings[image.imm].kind;
      const bool fits = texel_buffer ? kind == BindingKind::texel_buffer
                                     : kind == BindingKind::image || kind == BindingKind::combined;
      if (!fits) return c_.fail_operand(value_, 0, "the binding is " + std::string(binding_kind_text(kind)));
      const bool writes = info(inst_.op).has(kWrites);
      if (writes && c_.module.bindings[image.imm].read_only) {
        return c_.fail_operand(value_, 0, "the binding is read-only");
      }
    }
    if (!samples()) return true;
    if (!c_.expect_operand(value_, 1, kResource)) return false;
    const Op sampler = c_.inst(c_.function.operand(value_, 1)).op;
    return sampler != Op::resource || c_.fail_operand(value_, 1, "operand 1 of a sample is a sampler");
  }

  /// Coordinates are texels, integers, but for samples, where all but the offset are floats.
  bool address() {
    for (unsigned i = at_.address; i < at_.address + at_.address_count(); ++i) {
      const bool is_float = samples() && i != at_.offset && !is_pair(i);
      if (!c_.expect_operand(value_, i, is_float ? kF32 : kI32)) return false;
    }
    return true;
  }

  /// Two halves in a word.
  bool is_pair(unsigned operand) const {
    if (operand >= at_.coordinates) return access_.half_address();
    return access_.half_gradients() && operand >= at_.gradients;
  }

  bool texel() {
    switch (inst_.op) {
      case Op::image_load:
      case Op::image_sample:
        return mask() && components(inst_.type, access_.components());
      case Op::image_gather:
        if (access_.components() != 1) return fail("gathers one component");
        return components(inst_.type, 4);
      case Op::image_store:
        if (access_.sparse()) return fail("has no result that could be sparse");
        return mask() && components(c_.operand_type(value_, at_.data), access_.components());
      case Op::image_atomic:
        return atomic();
      case Op::image_query_lod:
        return bare() && c_.expect_result(value_, kF32.vector(2));
      case Op::image_size:
        return bare() && c_.expect_result(value_, kI32.vector(image_size_components(access_)));
      default:
        return bare() && c_.expect_result(value_, kI32);
    }
  }

  bool mask() {
    if (access_.mask == 0) return fail("has no components");
    return !access_.has(kImageCompare) || access_.mask == 1 || fail("compares, which gives one component");
  }

  bool bare() {
    if (access_.mask != 0 || access_.sparse()) return fail("has no texel");
    return true;
  }

  /// Residency codes are integers, and a vector has components of one type.
  bool components(Type type, unsigned count) {
    if (access_.half_texel()) {
      const unsigned words = (count + 1) / 2;
      return type == kI32.vector(words) ||
             fail("moves " + type_name(type) + ", expected " + std::to_string(words) + " components of i32");
    }
    const bool known = type.scalar == Scalar::i32 || (type.scalar == Scalar::f32 && !access_.sparse());
    const unsigned expected = count + (access_.sparse() ? 1 : 0);
    if (known && type.components == expected) return true;
    return fail("moves " + type_name(type) + ", expected " + std::to_string(expected) +
                (access_.sparse() ? " components of i32" : " components of i32 or f32"));
  }

  bool atomic() {
    if (!bare()) return false;
    const bool on_floats = access_.atomic >= AtomicKind::fadd;
    if (static_cast<unsigned>(access_.atomic) >= kAtomicKinds) return fail("has an unknown kind");
    const bool integer = inst_.type == kI32 || inst_.type == kI64;
    if (on_floats ? inst_.type != kF32 : !integer) {
      return fail(std::string(atomic_kind_name(access_.atomic)) + " cannot work on " + type_name(inst_.type));
    }
    for (unsigned i = 0; i < at_.data_count; ++i) {
      if (!c_.expect_operand(value_, at_.data + i, inst_.type)) return false;
    }
    return true;
  }

  VerifyContext& c_;
  Value value_;
  const Inst& inst_;
  const ImageAccess access_;
  ImageOperands at_;
};

}  // namespace

bool verify_images(VerifyContext& context) {
  for (BlockId id : context.function.layout()) {
    for (Value value : insts(context.function, id)) {
      if (is_image(context.inst(value).op) && !InstImage(context, value).run()) return false;
    }
  }
  return true;
}

}  // namespace spalt::ir
