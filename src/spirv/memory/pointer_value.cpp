// SPDX-License-Identifier: MIT
// What physical and variable pointers have in common. A pointer of either kind is a value, which may be stored, chosen
// and compared. Of some, more is known than the value says: where they lead, the constant part of the offset, how a
// matrix lies in its block. Those have a Pointer as well (kIdChain), and accesses through them use it.
#include <bit>
#include <spirv/unified1/spirv.hpp>

#include "spirv/memory/memory.h"

namespace spalt::spirv {
namespace {

/// Pointers of both types may be compared: the same, or one of them is untyped.
bool are_comparable(const TypeInfo& a, const TypeInfo& b) {
  return a.id == b.id || ((a.untyped || b.untyped) && a.storage_class == b.storage_class && a.leaves == b.leaves);
}

/// The distance of elements in the arrays of the module that have such ones; kNone: there are several.
uint32_t declared_stride(const Reader& r, uint32_t element) {
  uint32_t stride = 0;
  for (uint32_t i = 0; i < r.types.size(); ++i) {
    const TypeInfo& type = r.types[i];
    const bool is_array = type.kind == TypeKind::array || type.kind == TypeKind::runtime_array;
    if (!is_array || type.element != element || type.stride == 0) continue;
    if (stride != 0 && stride != type.stride) return kNone;
    stride = type.stride;
  }
  return stride;
}

bool two_pointers(Reader& r, const Instruction& in, uint32_t& type, Leaves& a, Leaves& b) {
  if (!r.has_words(in, 5) || !r.result_type(in, type) || !r.value(in[3], a) || !r.value(in[4], b)) return false;
  const bool match = in.opcode == spv::OpPtrDiff ? a.type == b.type : are_comparable(r.types[a.type], r.types[b.type]);
  if (!match && !r.typed_value(in[4], a.type, b)) return false;
  return r.types[a.type].is_pointer_value() ||
         r.fail(concat("expected id ", in[3], " to be a pointer that is a value"));
}

}  // namespace

bool is_known_pointer(const Reader& r, uint32_t id) {
  if (id >= r.bound) return false;
  const IdInfo& info = r.ids[id];
  if (info.type == kNone || !r.types[info.type].is_pointer_value()) return false;
  return info.kind == IdKind::global || (info.kind == IdKind::value && (info.flags & kIdChain) != 0);
}

void bind_chain(Reader& r, uint32_t id, Pointer& pointer) {
  if (pointer.root == PointerRoot::physical) {
    make_address(r, pointer);
  } else {
    make_pointer_value(r, pointer);
  }
  r.ids[id].flags |= kIdChain;
}

bool element_stride(Reader& r, uint32_t pointer_type, uint32_t& stride) {
  const TypeInfo& type = r.types[pointer_type];
  const bool is_dense = type.storage_class == spv::StorageClassWorkgroup && !r.explicit_shared;
  stride = is_dense ? r.types[type.element].dense_bytes : type.stride;
  return stride != 0 || r.fail("the pointer type has no ArrayStride decoration");
}

bool known_matrix_layout(Reader& r, Pointer& pointer) {
  uint32_t matrix = pointer.type;
  while (r.types[matrix].kind == TypeKind::array || r.types[matrix].kind == TypeKind::runtime_array) {
    matrix = r.types[matrix].element;
  }
  if (r.types[matrix].kind != TypeKind::matrix || !pointer.is_explicit) return true;
  r.leaf_work += r.types.members().size();
  for (const Member& member : r.types.members()) {
    uint32_t type = member.type;
    while (r.types[type].kind == TypeKind::array || r.types[type].kind == TypeKind::runtime_array) {
      type = r.types[type].element;
    }
    if (type != matrix || member.matrix_stride == 0) continue;
    const bool other = member.matrix_stride != pointer.matrix_stride || member.row_major != pointer.row_major;
    if (pointer.matrix_stride != 0 && other) {
      return r.unsupported("a pointer to a matrix whose layout depends on where the pointer leads");
    }
    pointer.matrix_stride = member.matrix_stride;
    pointer.row_major = member.row_major;
  }
  return true;
}

/// OpPtrEqual and OpPtrNotEqual. A null pointer is all zeros.
bool translate_pointer_comparison(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Leaves a, b;
  if (!two_pointers(r, in, type, a, b)) return false;
  if (r.types[type].kind != TypeKind::boolean) return r.fail("expected a boolean result type");
  ir::Value equal = r.b.boolean(true);
  for (uint32_t i = 0; i < a.count; ++i) {
    equal = r.b.iand(equal, r.b.binary(ir::Op::ieq, r.leaf(a, i), r.leaf(b, i)));
  }
  const Leaves out = r.new_leaves(type);
  r.set_leaf(out, 0, in.opcode == spv::OpPtrEqual ? equal : r.b.unary(ir::Op::inot, equal));
  return r.bind(in[2], out);
}

/// OpPtrDiff, in elements, of untyped pointers in bytes. Both lead into one array, so that the distance in bytes is a
/// multiple.
bool translate_pointer_difference(Reader& r, const Instruction& in) {
  uint32_t type = 0, stride = 0;
  Leaves a, b;
  if (!two_pointers(r, in, type, a, b)) return false;
  if (r.types[type].kind != TypeKind::integer) return r.fail("expected an integer result type");
  const TypeInfo& pointer = r.types[a.type];
  const bool is_dense = pointer.storage_class == spv::StorageClassWorkgroup && !r.explicit_shared;
  stride = pointer.untyped ? 1 : is_dense || pointer.stride != 0 ? 0 : declared_stride(r, pointer.element);
  if (stride == kNone) return r.unsupported("a distance of pointers into arrays that differ in their strides");
  if (stride == 0 && !element_stride(r, a.type, stride)) return false;
  const uint32_t offset = a.count - 1;
  const ir::Value bytes = r.b.isub(r.leaf(a, offset), r.leaf(b, offset));
  const ir::Type width = r.function().type(bytes);
  const ir::Value elements = std::has_single_bit(stride)
                                 ? r.b.sshr(bytes, r.b.i32(static_cast<uint32_t>(std::countr_zero(stride))))
                                 : r.b.binary(ir::Op::sdiv, bytes, r.b.integer(width, stride));
  const Leaves out = r.new_leaves(type);
  r.set_leaf(out, 0, r.b.resize(ir::Type{r.types[type].scalar}, elements, true));
  return r.bind(in[2], out);
}

}  // namespace spalt::spirv
