// SPDX-License-Identifier: MIT
// OpType*: builds the type table, with the layout that decorations give to structs, arrays and matrices.
#include <algorithm>
#include <spirv/unified1/spirv.hpp>

#include "spirv/image/image.h"
#include "spirv/module/names.h"
#include "spirv/module/preamble.h"
#include "spirv/recent.h"

namespace spalt::spirv {
namespace {

uint32_t saturate(uint64_t leaves) {
  return static_cast<uint32_t>(std::min<uint64_t>(leaves, kNone));
}

bool add_void(Reader& r, const Instruction& in) {
  TypeInfo type;
  return r.has_words(in, 2) && add_type(r, in, type);
}

bool add_scalar(Reader& r, const Instruction& in, TypeKind kind, ir::Scalar scalar) {
  TypeInfo type;
  type.kind = kind;
  type.scalar = scalar;
  type.leaves = 1;
  return add_type(r, in, type);
}

ir::Scalar integer_of(const Widths& widths, uint32_t bits) {
  switch (bits) {
    case 8:
      return widths.int8 ? ir::Scalar::i8 : ir::Scalar::none;
    case 16:
      return widths.int16 ? ir::Scalar::i16 : ir::Scalar::none;
    case 32:
      return ir::Scalar::i32;
    case 64:
      return widths.int64 ? ir::Scalar::i64 : ir::Scalar::none;
    default:
      return ir::Scalar::none;
  }
}

ir::Scalar float_of(const Widths& widths, uint32_t bits) {
  switch (bits) {
    case 16:
      return widths.float16 ? ir::Scalar::f16 : ir::Scalar::none;
    case 32:
      return ir::Scalar::f32;
    case 64:
      return widths.float64 ? ir::Scalar::f64 : ir::Scalar::none;
    default:
      return ir::Scalar::none;
  }
}

bool read_small_float(Reader& r, const Instruction& in, const Widths& widths) {
  TypeInfo type;
  type.kind = TypeKind::floating;
  type.leaves = 1;
  type.scalar = integer_of(widths, in[2]);
  if (in[2] == 16 && in[3] == kEncodingBFloat16) type.encoding = FloatEncoding::bfloat16;
  if (in[2] == 8 && in[3] == kEncodingFloat8E4M3) type.encoding = FloatEncoding::e4m3;
  if (in[2] == 8 && in[3] == kEncodingFloat8E5M2) type.encoding = FloatEncoding::e5m2;
  if (type.encoding == FloatEncoding::ieee || type.scalar == ir::Scalar::none) return add_opaque_type(r, in);
  r.has_small_floats = true;
  return add_type(r, in, type);
}

bool read_numeric(Reader& r, const Instruction& in) {
  const bool integer = in.opcode == spv::OpTypeInt;
  if (!r.has_words(in, integer ? 4 : 3)) return false;
  Widths widths = r.options.widths;
  // A capability that implies Int8. What is left of such values when dot products are packed is refused later.
  widths.int8 |= r.has_bytes;
  const ir::Scalar scalar = integer ? integer_of(widths, in[2]) : float_of(widths, in[2]);
  // A fourth word names another encoding than that of IEEE 754.
  if (!integer && in.count > 3) return read_small_float(r, in, widths);
  if (scalar == ir::Scalar::none) return add_opaque_type(r, in);
  return add_scalar(r, in, integer ? TypeKind::integer : TypeKind::floating, scalar);
}

bool element_type(Reader& r, const Instruction& in, TypeInfo& type) {
  if (!r.type_of(in[2], type.element)) return false;
  const TypeInfo& element = r.types[type.element];
  if (element.kind == TypeKind::void_type || element.kind == TypeKind::function) {
    return r.fail(concat("type ", in[2], " cannot be an element"));
  }
  type.scalar = element.scalar;
  type.depth = static_cast<uint8_t>(element.depth + 1);
  if (element.depth < r.options.limits.type_depth && element.depth < 255) return true;
  return r.fail(Status::limit_exceeded, concat("types nested more than ", r.options.limits.type_depth, " deep"));
}

bool read_vector(Reader& r, const Instruction& in) {
  TypeInfo type;
  type.kind = in.opcode == spv::OpTypeVector ? TypeKind::vector : TypeKind::matrix;
  if (!r.has_words(in, 4) || !element_type(r, in, type)) return false;
  type.count = in[3];
  if (type.count < 2 || type.count > 4) {
    return type.count <= 16 ? r.unsupported("a vector of this length") : r.fail("expected 2, 3 or 4 components");
  }
  const TypeInfo& element = r.types[type.element];
  if (element.kind == TypeKind::opaque) return add_opaque_type(r, in);
  type.encoding = element.encoding;
  if (type.kind == TypeKind::vector && !element.is_scalar()) return r.fail("expected a scalar component type");
  if (type.kind == TypeKind::matrix && (element.kind != TypeKind::vector || !kAnyFloat.contains(element.scalar))) {
    return r.fail("expected columns that are float vectors");
  }
  type.leaves = element.leaves * type.count;
  return add_type(r, in, type);
}

bool read_array(Reader& r, const Instruction& in) {
  TypeInfo type;
  type.kind = in.opcode == spv::OpTypeArray ? TypeKind::array : TypeKind::runtime_array;
  if (!r.has_words(in, type.kind == TypeKind::array ? 4 : 3) || !element_type(r, in, type)) return false;
  const uint32_t stride = r.decorations.argument(in[1], spv::DecorationArrayStride);
  // Types that no block has may say anything; what no access can use is as good as no stride. Untyped pointers go along
  // such arrays to get somewhere else.
  const bool is_usable = stride % r.types[type.element].dense_align == 0 || r.has_untyped_pointers;
  if (stride != kNone && is_usable) type.stride = stride;
  if (type.kind == TypeKind::array) {
    if (!r.constant_u32(in[3], type.count)) return false;
    if (type.count == 0) return r.fail("an array without elements");
    const TypeInfo& element = r.types[type.element];
    if (!element.is_handle()) type.leaves = saturate(uint64_t{element.leaves} * type.count);
    type.empty = element.empty;
  }
  return add_type(r, in, type);
}

/// A layout number of a member, which has one only: `field` still holds `unset` or must hold the same.
bool set_once(Reader& r, uint32_t& field, uint32_t unset, const Decoration& decoration) {
  if (!decoration.has_argument) return r.fail(decoration_name(decoration.kind) + " without a number");
  if (field != unset && field != decoration.argument) {
    return r.fail(concat("member ", decoration.member, " is decorated ", decoration_name(decoration.kind),
                         " with both ", decoration.argument, " and ", field));
  }
  field = decoration.argument;
  return true;
}

bool set_major(Reader& r, Member& member, const Decoration& decoration) {
  const bool row_major = decoration.kind == spv::DecorationRowMajor;
  if (member.has_major && member.row_major != row_major) {
    return r.fail("a member is decorated both RowMajor and ColMajor");
  }
  member.has_major = true;
  member.row_major = row_major;
  return true;
}

/// Puts what a decoration says about a member into its record.
bool decorate_member(Reader& r, Member& member, const Decoration& decoration) {
  const uint32_t unit = r.types[member.type].dense_align;
  switch (decoration.kind) {
    case spv::DecorationOffset:
      if (!set_once(r, member.offset, kNone, decoration)) return false;
      // As for strides: what no access can use is as good as no offset.
      if (member.offset % unit != 0) member.offset = kNone;
      return true;
    case spv::DecorationMatrixStride:
      return set_once(r, member.matrix_stride, 0, decoration) &&
             (member.matrix_stride % unit == 0 ||
              r.fail(concat("expected a MatrixStride that is a multiple of ", unit)));
    case spv::DecorationRowMajor:
    case spv::DecorationColMajor:
      return set_major(r, member, decoration);
    case spv::DecorationNonWritable:
      member.non_writable = true;
      return true;
    case spv::DecorationCoherent:
      member.coherent = true;
      return true;
    case spv::DecorationVolatile:
      member.is_volatile = true;
      return true;
    case spv::DecorationBuiltIn:
      return set_once(r, member.built_in, kNone, decoration);
    default:
      return true;
  }
}

bool read_members(Reader& r, const Instruction& in, TypeInfo& type) {
  uint64_t leaves = 0;
  bool all_values = true;
  for (uint32_t i = 0; i < type.count; ++i) {
    Member member;
    if (!r.type_of(in[2 + i], member.type)) return false;
    const TypeInfo& info = r.types[member.type];
    if (info.kind == TypeKind::void_type || info.kind == TypeKind::function) return r.fail("a member without a value");
    if (info.depth >= r.options.limits.type_depth || info.depth == 255) {
      return r.fail(Status::limit_exceeded, concat("types nested more than ", r.options.limits.type_depth, " deep"));
    }
    type.depth = std::max<uint8_t>(type.depth, static_cast<uint8_t>(info.depth + 1));
    type.scalar = i == 0 || type.scalar == info.scalar ? info.scalar : ir::Scalar::none;
    all_values = all_values && info.is_value() && !info.is_handle();
    member.leaf = saturate(leaves);
    leaves += info.leaves;
    r.types.members().push_back(member);
  }
  type.leaves = all_values ? saturate(leaves) : 0;
  type.empty = all_values && leaves == 0;
  return true;
}

/// Bytes from the first to the last scalar of a member. Only the innermost type of nested arrays branches, and structs
/// have been measured before.
uint64_t member_bytes(const Reader& r, const Member& member) {
  uint64_t bytes = 0;
  const TypeInfo* type = &r.types[member.type];
  while (type->kind == TypeKind::array && bytes < kNone) {
    bytes += uint64_t{type->count - 1} * type->stride;
    type = &r.types[type->element];
  }
  if (type->kind == TypeKind::structure) return bytes + type->bytes;
  if (type->kind != TypeKind::matrix) return bytes + type->dense_bytes;
  const uint32_t rows = type->leaves / type->count;
  const uint32_t lines = member.row_major ? rows : type->count;
  const uint32_t length = member.row_major ? type->count : rows;
  return bytes + uint64_t{lines - 1} * member.matrix_stride + length * leaf_bytes(type->scalar);
}

uint32_t struct_bytes(const Reader& r, const TypeInfo& type) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < type.count; ++i) {
    const Member& member = r.types.member(type, i);
    if (member.offset != kNone) bytes = std::max(bytes, member.offset + member_bytes(r, member));
  }
  return saturate(bytes);
}

bool read_struct(Reader& r, const Instruction& in) {
  if (!r.has_words(in, 2)) return false;
  TypeInfo type;
  type.kind = TypeKind::structure;
  type.first = static_cast<uint32_t>(r.types.members().size());
  type.count = in.count - 2;
  if (!read_members(r, in, type) || !r.in_bound(in[1])) return false;
  bool ok = true;
  r.decorations.for_each(in[1], [&](const Decoration& decoration, uint32_t member) {
    if (member != kNone) {
      ok = ok && (member < type.count || r.fail(concat("member ", member, " is decorated but does not exist")));
      ok = ok && decorate_member(r, r.types.members()[type.first + member], decoration);
    }
    type.block = type.block || (member == kNone && decoration.kind == spv::DecorationBlock);
    type.buffer_block = type.buffer_block || (member == kNone && decoration.kind == spv::DecorationBufferBlock);
  });
  type.bytes = struct_bytes(r, type);
  return ok && add_type(r, in, type);
}

TypeInfo pointer_type(const Reader& r, uint32_t storage_class) {
  TypeInfo type;
  type.kind = TypeKind::pointer;
  type.storage_class = storage_class;
  if (storage_class == spv::StorageClassPhysicalStorageBuffer) {
    type.scalar = ir::Scalar::i64;
    type.leaves = 1;
  }
  const bool may_vary = storage_class == spv::StorageClassStorageBuffer || storage_class == spv::StorageClassWorkgroup;
  if (may_vary && r.has_variable_pointers) {
    type.scalar = ir::Scalar::i32;
    type.leaves = 2;
  }
  return type;
}

bool read_pointer(Reader& r, const Instruction& in) {
  TypeInfo type;
  uint32_t element = 0;
  if (!r.has_words(in, 4) || !r.in_bound(in[1]) || !r.type_of(in[3], element)) return false;
  const bool is_known = r.ids[in[1]].kind == IdKind::type;  // a forward pointer, or a mistake
  type = is_known ? r.types[r.ids[in[1]].index] : pointer_type(r, in[2]);
  if (is_known && !(type.is_physical() && type.element == kNone && type.storage_class == in[2])) {
    return r.fail(concat("id ", in[1], " is defined twice"));
  }
  type.element = element;
  const uint32_t stride = r.decorations.argument(in[1], spv::DecorationArrayStride);
  if (type.is_pointer_value() && stride != kNone) type.stride = stride;
  if (!is_known) return add_type(r, in, type);
  r.types[r.ids[in[1]].index] = type;
  return true;
}

bool read_untyped_pointer(Reader& r, const Instruction& in) {
  if (!r.has_words(in, 3) || !r.in_bound(in[1])) return false;
  switch (in[2]) {
    case spv::StorageClassUniform:
    case spv::StorageClassStorageBuffer:
    case spv::StorageClassPushConstant:
    case spv::StorageClassWorkgroup:
    case spv::StorageClassPhysicalStorageBuffer:
      break;
    default:
      return r.unsupported(concat("an untyped pointer of storage class ", storage_class_name(in[2])));
  }
  r.has_untyped_pointers = true;  // whatever the capabilities say
  if (r.untyped_memory == kNone) r.untyped_memory = r.types.add({});
  TypeInfo type = pointer_type(r, in[2]);
  type.element = r.untyped_memory;
  type.untyped = true;
  const uint32_t stride = r.decorations.argument(in[1], spv::DecorationArrayStride);
  if (type.is_pointer_value() && stride != kNone) type.stride = stride;
  return add_type(r, in, type);
}

/// What a pointer points to may hold the pointer.
bool read_forward_pointer(Reader& r, const Instruction& in) {
  if (!r.has_words(in, 3)) return false;
  TypeInfo type = pointer_type(r, in[2]);
  if (!type.is_physical()) return r.unsupported("a forward pointer of this storage class");
  return add_type(r, in, type);
}

bool read_function_type(Reader& r, const Instruction& in) {
  TypeInfo type;
  type.kind = TypeKind::function;
  if (!r.has_words(in, 3) || !r.type_of(in[2], type.element)) return false;
  type.first = static_cast<uint32_t>(r.types.parameters().size());
  type.count = in.count - 3;
  for (uint32_t i = 0; i < type.count; ++i) {
    uint32_t parameter = 0;
    if (!r.type_of(in[3 + i], parameter)) return false;
    r.types.parameters().push_back(parameter);
  }
  return add_type(r, in, type);
}

}  // namespace

bool add_type(Reader& r, const Instruction& in, TypeInfo& type) {
  type.id = in[1];
  const uint32_t index = r.types.size();
  if (!r.define(in[1], IdKind::type, index, index)) return false;
  r.types.add(type);
  return true;
}

bool add_opaque_type(Reader& r, const Instruction& in) {
  TypeInfo type;
  type.kind = TypeKind::opaque;
  type.stride = in.opcode;
  return r.has_words(in, 2) && add_type(r, in, type);
}

bool read_type(Reader& r, const Instruction& in) {
  switch (in.opcode) {
    case spv::OpTypeVoid:
      return add_void(r, in);
    case spv::OpTypeBool:
      return r.has_words(in, 2) && add_scalar(r, in, TypeKind::boolean, ir::Scalar::i1);
    case spv::OpTypeInt:
    case spv::OpTypeFloat:
      return read_numeric(r, in);
    case spv::OpTypeVector:
    case spv::OpTypeMatrix:
      return read_vector(r, in);
    case spv::OpTypeArray:
    case spv::OpTypeRuntimeArray:
      return read_array(r, in);
    case spv::OpTypeStruct:
      return read_struct(r, in);
    case spv::OpTypePointer:
      return read_pointer(r, in);
    case kOpTypeUntypedPointer:
      return read_untyped_pointer(r, in);
    case spv::OpTypeFunction:
      return read_function_type(r, in);
    case spv::OpTypeForwardPointer:
      return read_forward_pointer(r, in);
    case spv::OpTypeImage:
      return read_image_type(r, in);
    case spv::OpTypeSampler:
      return read_sampler_type(r, in);
    case spv::OpTypeSampledImage:
      return read_sampled_image_type(r, in);
    default:
      return r.unsupported("this type");
  }
}

}  // namespace spalt::spirv
