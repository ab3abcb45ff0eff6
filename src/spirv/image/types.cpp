// SPDX-License-Identifier: MIT
// OpTypeImage, OpTypeSampler, OpTypeSampledImage, and what they mean to an image operation.
#include <spirv/unified1/spirv.hpp>

#include "spirv/image/image.h"
#include "spirv/module/preamble.h"

namespace spalt::spirv {
namespace {

bool is_known_dim(uint32_t dim) {
  switch (dim) {
    case spv::Dim1D:
    case spv::Dim2D:
    case spv::Dim3D:
    case spv::DimCube:
    case spv::DimBuffer:
    case spv::DimSubpassData:
      return true;
    default:
      return false;
  }
}

ir::ImageDim ir_dim(uint32_t dim) {
  switch (dim) {
    case spv::Dim1D:
      return ir::ImageDim::d1;
    case spv::Dim3D:
      return ir::ImageDim::d3;
    case spv::DimCube:
      return ir::ImageDim::cube;
    case spv::DimBuffer:
      return ir::ImageDim::buffer;
    default:
      return ir::ImageDim::d2;
  }
}

/// Texels of 32-bit components, and storage images of 64-bit integers, in images that a compute shader can have;
/// another type is an error where it is used.
bool is_supported(const Reader& r, const ImageInfo& image, uint32_t sampled_type) {
  const ir::Scalar scalar = r.types[sampled_type].scalar;
  const bool wide_format = image.format == spv::ImageFormatR64ui || image.format == spv::ImageFormatR64i;
  const bool word = (scalar == ir::Scalar::i32 || scalar == ir::Scalar::f32) && !wide_format;
  const bool wide =
      scalar == ir::Scalar::i64 && image.sampled == 2 && (wide_format || image.format == spv::ImageFormatUnknown);
  const bool texels = r.types[sampled_type].is_scalar() && (word || wide);
  const bool flat = image.dim == spv::Dim3D || image.dim == spv::DimBuffer;
  const bool has_samples = image.dim == spv::Dim2D || image.dim == spv::DimSubpassData;
  const bool forms = !(image.arrayed && flat) && !(image.multisampled && !has_samples) &&
                     !(image.dim == spv::DimSubpassData && image.sampled != 2);
  return texels && forms && is_known_dim(image.dim) && image.sampled <= 2 && image.format <= spv::ImageFormatR64i;
}

}  // namespace

bool read_image_type(Reader& r, const Instruction& in) {
  TypeInfo type;
  if (!r.has_words(in, 9) || !r.type_of(in[2], type.element)) return false;
  // Numbers beyond a byte are none that the specification has: saturate.
  const auto byte = [](uint32_t word) { return static_cast<uint8_t>(word < 0xff ? word : 0xff); };
  type.image = {byte(in[3]), in[5] != 0, in[6] != 0, byte(in[7]), byte(in[8])};
  if (!is_supported(r, type.image, type.element)) return add_opaque_type(r, in);
  type.kind = TypeKind::image;
  type.scalar = ir::Scalar::resource;
  type.leaves = 1;
  return add_type(r, in, type);
}

bool read_sampler_type(Reader& r, const Instruction& in) {
  TypeInfo type;
  type.kind = TypeKind::sampler;
  type.scalar = ir::Scalar::resource;
  type.leaves = 1;
  return r.has_words(in, 2) && add_type(r, in, type);
}

bool read_sampled_image_type(Reader& r, const Instruction& in) {
  TypeInfo type;
  if (!r.has_words(in, 3) || !r.type_of(in[2], type.element)) return false;
  const TypeInfo& image = r.types[type.element];
  if (image.kind == TypeKind::opaque) return add_opaque_type(r, in);
  if (image.kind != TypeKind::image) return r.fail("expected an image type");
  if (image.image.sampled == 2) return r.fail("expected a type of images that can be sampled");
  type.kind = TypeKind::sampled_image;
  type.scalar = ir::Scalar::resource;
  type.leaves = 2;
  return add_type(r, in, type);
}

bool is_input_attachment(const ImageInfo& image) {
  return image.dim == spv::DimSubpassData;
}

ir::ImageAccess image_shape(const ImageInfo& image, bool texels) {
  ir::ImageAccess access;
  access.dim = ir_dim(image.dim);
  // Input attachments have the layers of the framebuffer, which the shader need not know.
  bool arrayed = image.arrayed || is_input_attachment(image);
  if (texels && access.dim == ir::ImageDim::cube) {
    access.dim = ir::ImageDim::d2;
    arrayed = true;
  }
  access.traits = static_cast<uint8_t>((arrayed ? ir::kArrayed : 0) | (image.multisampled ? ir::kMultisampled : 0));
  return access;
}

uint32_t format_components(uint32_t format) {
  switch (format) {
    case spv::ImageFormatR32f:
    case spv::ImageFormatR16f:
    case spv::ImageFormatR16:
    case spv::ImageFormatR8:
    case spv::ImageFormatR16Snorm:
    case spv::ImageFormatR8Snorm:
    case spv::ImageFormatR32i:
    case spv::ImageFormatR16i:
    case spv::ImageFormatR8i:
    case spv::ImageFormatR32ui:
    case spv::ImageFormatR16ui:
    case spv::ImageFormatR8ui:
    case spv::ImageFormatR64ui:
    case spv::ImageFormatR64i:
      return 1;
    case spv::ImageFormatRg32f:
    case spv::ImageFormatRg16f:
    case spv::ImageFormatRg16:
    case spv::ImageFormatRg8:
    case spv::ImageFormatRg16Snorm:
    case spv::ImageFormatRg8Snorm:
    case spv::ImageFormatRg32i:
    case spv::ImageFormatRg16i:
    case spv::ImageFormatRg8i:
    case spv::ImageFormatRg32ui:
    case spv::ImageFormatRg16ui:
    case spv::ImageFormatRg8ui:
      return 2;
    case spv::ImageFormatR11fG11fB10f:
      return 3;
    default:
      return 4;
  }
}

}  // namespace spalt::spirv
