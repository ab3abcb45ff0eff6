// SPDX-License-Identifier: MIT
// OpImageGather, OpImageDrefGather and their sparse forms: one component of the four texels that a linear filter would
// read, of the base level.
#include <spirv/unified1/spirv.hpp>

#include "spirv/image/sample_address.h"
#include "spirv/module/names.h"

namespace spalt::spirv {
namespace {

constexpr uint32_t kTexels = 4;
/// The place of texel (i0, j0) in the result of a gather; each of several offsets is about this one.
constexpr uint32_t kFirstTexel = 3;

bool is_compare(uint32_t opcode) {
  return opcode == spv::OpImageDrefGather || opcode == spv::OpImageSparseDrefGather;
}

bool is_sparse(uint32_t opcode) {
  return opcode == spv::OpImageSparseGather || opcode == spv::OpImageSparseDrefGather;
}

/// in[5]: the reference of a comparison, else the component.
bool read_subject(Reader& r, const Instruction& in, SampleAddress& address) {
  uint32_t component = 0;
  if (is_compare(in.opcode)) {
    if (!read_compare(r, in[5], in[4], false, address)) return false;
  } else if (!r.constant_u32(in[5], component)) {
    return false;
  }
  if (component >= kTexels) return r.fail("a texel has components 0 to 3");
  address.access.mask = static_cast<uint8_t>(1u << component) & ir::kAllComponents;
  return true;
}

bool check_gather(Reader& r, const ImageExtras& extras, ir::ImageDim dim) {
  if (extras.bias != 0 || extras.lod != 0) return r.unsupported("a gather from another level than the base level");
  if (extras.gradient_x != 0 || extras.min_lod != 0) return r.fail("an image operand that gathers do not have");
  return dim == ir::ImageDim::d2 || dim == ir::ImageDim::cube || r.fail("a gather from an image that is not 2d");
}

/// Four offsets, packed: an array of as many vectors.
bool read_offsets(Reader& r, uint32_t id, const SampleAddress& address, ir::Value (&offsets)[kTexels]) {
  Leaves given;
  if (address.access.dim == ir::ImageDim::cube) return r.fail("an offset in a cube");
  if (!r.value(id, given)) return false;
  const TypeInfo& array = r.types[given.type];
  const bool fits = array.kind == TypeKind::array && array.count == kTexels && given.count == 2 * kTexels &&
                    r.types[array.element].kind == TypeKind::vector && r.types[array.element].scalar == ir::Scalar::i32;
  if (!fits) return r.fail("expected an array of four vectors of two integers");
  for (uint32_t i = 0; i < kTexels; ++i) {
    const ir::Value texel[] = {r.leaf(given, 2 * i), r.leaf(given, 2 * i + 1)};
    offsets[i] = pack_offset(r, texel);
  }
  return true;
}

/// Four gathers of one texel each. Residency is that of all texels: zero means that one is there.
ir::Value gather_apart(Reader& r, ir::Type type, SampleAddress address, std::span<const ir::Value> offsets) {
  SmallVector<ir::Value, kTexels + 1> parts;
  ir::Value code;
  for (const ir::Value offset : offsets) {
    address.offset = offset;
    const ir::Value gathered = insert_sample(r, ir::Op::image_gather, type, address);
    parts.push_back(r.b.extract(gathered, kFirstTexel));
    if (!address.access.sparse()) continue;
    const ir::Value one = r.b.extract(gathered, kTexels);
    code = code.valid() ? r.b.ior(code, one) : one;
  }
  if (code.valid()) parts.push_back(code);
  return r.b.vec(parts);
}

}  // namespace

bool translate_image_gather(Reader& r, const Instruction& in) {
  ImageExtras extras;
  SampleAddress address;
  TexelResult result;
  if (!r.has_words(in, 6) || !read_image_extras(r, in, 6, extras)) return false;
  if (!read_sampled_image(r, in[3], extras, address) || !check_gather(r, extras, address.access.dim)) return false;
  if (!texel_result(r, in, is_sparse(in.opcode), address.image.type, result)) return false;
  if (r.types[result.texel].leaves != kTexels) return r.fail("expected a result of 4 components");
  if (!read_sample_coordinates(r, in[4], address.access.arrayed(), false, address)) return false;
  if (!read_subject(r, in, address)) return false;
  if (result.sparse) address.access.traits |= ir::kSparse;
  const ir::Type type = texel_type(r, result, kTexels);
  const uint32_t offsets_id = extras.const_offsets != 0 ? extras.const_offsets : extras.offsets;
  ir::Value offsets[kTexels];
  if (offsets_id == 0) {
    if (!read_offset(r, extras, address)) return false;
  } else {
    if (extras.const_offset != 0 || extras.offset != 0) return r.fail("two offsets for one gather");
    if (!read_offsets(r, offsets_id, address, offsets)) return false;
  }
  if (address.image.undefined) return bind_undefined(r, in, result.type);
  const ir::Value texels =
      offsets_id == 0 ? insert_sample(r, ir::Op::image_gather, type, address) : gather_apart(r, type, address, offsets);
  return bind_texel(r, in, result, texels);
}

}  // namespace spalt::spirv
