// SPDX-License-Identifier: MIT
// Access chains: every pointer resolves, while reading, to a variable, a constant offset and a dynamic rest.
#include <algorithm>
#include <bit>
#include <spirv/unified1/spirv.hpp>

#include "spirv/image/image.h"
#include "spirv/memory/memory.h"
#include "spirv/module/names.h"
#include "spirv/recent.h"

namespace spalt::spirv {
namespace {

/// One index of 32 bits, constant or not.
struct Index {
  bool is_constant = false;
  uint32_t constant = 0;
  ir::Value value;
};

bool read_index(Reader& r, uint32_t id, Index& out) {
  if (!r.in_bound(id)) return false;
  out.is_constant = r.find_constant_u32(id, out.constant);
  if (out.is_constant) return true;
  if (!r.index_value(id, out.value)) return false;
  out.is_constant = r.function().is_constant(out.value);
  if (out.is_constant) out.constant = static_cast<uint32_t>(r.function().inst(out.value).imm);
  return true;
}

/// Constant indices of function, private and workgroup variables are cut to the last element: what is out of bounds
/// is undefined, and may only stand in code that never runs. Buffers check their bounds at run time.
bool is_buffer(PointerRoot root) {
  return root == PointerRoot::uniform || root == PointerRoot::storage || root == PointerRoot::push;
}

bool step_struct(Reader& r, Pointer& pointer, const TypeInfo& type, const Index& index) {
  if (!index.is_constant) return r.fail("expected a constant index into a struct");
  if (index.constant >= type.count) return r.fail(concat("member ", index.constant, " does not exist"));
  const Member& member = r.types.member(type, index.constant);
  if (pointer.is_explicit) {
    if (member.offset == kNone) return r.fail(concat("member ", index.constant, " has no Offset decoration"));
    if (pointer.root == PointerRoot::physical) {
      move_address(r, pointer, member.offset);
    } else {
      pointer.offset += member.offset;
    }
    pointer.matrix_stride = member.matrix_stride;
    pointer.row_major = member.row_major;
    // Untyped pointers reach the member as something else.
    const bool is_known = pointer.root == PointerRoot::storage && pointer.variable != kNone && !r.has_untyped_pointers;
    if (member.non_writable && is_known && !r.variables[pointer.variable].may_be_shared()) {
      pointer.access |= ir::kReadOnly;
    }
  } else {
    const bool counts_leaves = pointer.root == PointerRoot::local || pointer.root == PointerRoot::input;
    pointer.offset += counts_leaves ? member.leaf : member.dense_offset;
  }
  if (member.coherent) pointer.access |= ir::kCoherent;
  if (member.is_volatile) pointer.access |= ir::kVolatile;
  pointer.type = member.type;
  return true;
}

bool step_resource(Reader& r, Pointer& pointer, const TypeInfo& type, const Index& index, bool non_uniform) {
  ir::Builder& b = r.b;
  if (pointer.element_dynamic.valid()) pointer.element_dynamic = b.imul(pointer.element_dynamic, b.i32(type.count));
  pointer.element = pointer.element * type.count + index.constant;
  if (!index.is_constant) {
    pointer.element_dynamic =
        pointer.element_dynamic.valid() ? b.iadd(pointer.element_dynamic, index.value) : index.value;
  }
  pointer.type = type.element;
  const TypeKind kind = r.types[pointer.type].kind;
  if (kind == TypeKind::array || kind == TypeKind::runtime_array) return true;
  choose_resource(r, pointer, non_uniform);
  return true;
}

/// Moves a local pointer into the scratch part of its variable.
bool enter_scratch(Reader& r, Pointer& pointer, uint32_t leaves) {
  const Variable& variable = r.variables[pointer.variable];
  uint32_t bytes = 0;
  if (pointer.select_count != 0 || !whole_in_scratch(r, variable, pointer.offset, leaves, bytes)) return false;
  pointer.root = PointerRoot::scratch;
  pointer.offset = bytes;
  pointer.align_log2 = 4;
  return true;
}

void add_dynamic(Reader& r, Pointer& pointer, ir::Value index, uint32_t stride) {
  ir::Builder& b = r.b;
  ir::Value bytes;
  if (std::has_single_bit(stride)) {
    bytes = b.ishl(index, b.i32(static_cast<uint32_t>(std::countr_zero(stride))));
  } else {
    bytes = b.imul(index, b.i32(stride));
  }
  pointer.dynamic = pointer.dynamic.valid() ? b.iadd(pointer.dynamic, bytes) : bytes;
  pointer.align_log2 = std::min<uint8_t>(pointer.align_log2, static_cast<uint8_t>(std::countr_zero(stride)));
}

/// Arrays, matrices and vectors of variables whose offset counts leaves.
bool step_leaves(Reader& r, Pointer& pointer, const TypeInfo& type, const Index& index) {
  const uint32_t stride = r.types[type.element].leaves;
  pointer.type = type.element;
  if (index.is_constant) {
    pointer.offset += std::min(index.constant, type.count - 1) * stride;
    return true;
  }
  if (type.count == 1 || stride == 0) return true;
  if (pointer.root == PointerRoot::local && type.kind == TypeKind::array && enter_scratch(r, pointer, type.leaves)) {
    add_dynamic(r, pointer, index.value, r.types[type.element].dense_bytes);
    return true;
  }
  if (pointer.select_count == Pointer::kMaxSelects) return r.unsupported("such a deep chain of dynamic indices");
  pointer.selects[pointer.select_count++] = {index.value, type.count, stride};
  return true;
}

/// The distance of elements in bytes, or fails when a decoration is missing.
bool byte_stride(Reader& r, Pointer& pointer, const TypeInfo& type, uint32_t& stride) {
  const uint32_t dense = r.types[type.element].dense_bytes;
  switch (type.kind) {
    case TypeKind::vector:
      stride = pointer.component_stride != 0 ? pointer.component_stride : dense;
      return true;
    case TypeKind::matrix:
      pointer.component_stride = 0;
      stride = dense;
      if (!pointer.is_explicit) return true;
      if (pointer.matrix_stride == 0) return r.fail("the matrix has no MatrixStride decoration");
      stride = pointer.row_major ? leaf_bytes(type.scalar) : pointer.matrix_stride;
      if (pointer.row_major) pointer.component_stride = pointer.matrix_stride;
      return true;
    default:
      stride = pointer.is_explicit ? type.stride : dense;
      return stride != 0 || r.fail("the array has no ArrayStride decoration that its elements can have");
  }
}

bool step_bytes(Reader& r, Pointer& pointer, const TypeInfo& type, const Index& index) {
  uint32_t stride = 0;
  if (!byte_stride(r, pointer, type, stride)) return false;
  pointer.type = type.element;
  if (!index.is_constant) {
    add_dynamic(r, pointer, index.value, stride);
    return true;
  }
  const uint32_t element = is_buffer(pointer.root) ? index.constant : std::min(index.constant, type.count - 1);
  pointer.offset += element * stride;
  return true;
}

}  // namespace

const Pointer* Reader::pointer(uint32_t id) {
  if (!in_bound(id)) return nullptr;
  const IdInfo& info = ids[id];
  if (info.kind == IdKind::global) {
    return info.binding != kNone || bind_global(*this, id) ? &pointers[info.binding] : nullptr;
  }
  if (info.type != kNone && types[info.type].is_physical()) return physical_pointer(*this, id);
  if (info.type != kNone && types[info.type].is_variable_pointer()) return variable_pointer(*this, id);
  if (info.kind != IdKind::value || info.type == kNone || types[info.type].kind != TypeKind::pointer) {
    fail(concat("id ", id, " is not a pointer"));
    return nullptr;
  }
  const bool dominates_use = !frames.empty() && info.owner == frames.back().function &&
                             (info.index == block ? info.word < current.offset
                                                  : blocks[info.index].order != kNone && dominates(info.index, block));
  if (!dominates_use || info.binding == kNone) {
    fail(concat("pointer ", id, " is not defined on every path to its use"));
    return nullptr;
  }
  const Pointer& found = pointers[info.binding];
  // Vulkan asks for the decoration on the pointer of the access, which may be a later one than what took the index.
  mark_non_uniform(*this, id, found.resource);
  mark_non_uniform(*this, id, found.sampler);
  return &found;
}

bool step_pointer(Reader& r, Pointer& pointer, uint32_t index_id, bool non_uniform) {
  const TypeInfo& type = r.types[pointer.type];
  if (type.kind < TypeKind::vector || type.kind > TypeKind::structure) {
    return r.fail(concat("index ", index_id, " goes into something that has no elements"));
  }
  if (pointer.root == PointerRoot::physical && type.kind != TypeKind::structure) {
    uint32_t stride = 0;
    if (!byte_stride(r, pointer, type, stride)) return false;
    pointer.type = type.element;
    return step_address(r, pointer, index_id, stride);
  }
  Index index;
  if (!read_index(r, index_id, index)) return false;
  if (pointer.whole_resource) return step_resource(r, pointer, type, index, non_uniform);
  if (type.kind == TypeKind::structure) return step_struct(r, pointer, type, index);
  const bool counts_leaves = pointer.root == PointerRoot::local || pointer.root == PointerRoot::input;
  if (!counts_leaves) return step_bytes(r, pointer, type, index);
  if (type.kind == TypeKind::runtime_array) return r.fail("a runtime array in a variable that is not a buffer");
  return step_leaves(r, pointer, type, index);
}

namespace {

/// The first index of OpPtrAccessChain: the pointer is to an element of an array, as its type says.
bool step_element(Reader& r, uint32_t type, uint32_t index_id, Pointer& pointer) {
  uint32_t stride = 0;
  if (!r.types[type].is_pointer_value()) return r.unsupported("arithmetic on a pointer of this storage class");
  if (!element_stride(r, type, stride)) return false;
  const bool is_physical = pointer.root == PointerRoot::physical;
  return is_physical ? step_address(r, pointer, index_id, stride) : step_variable(r, pointer, index_id, stride);
}

/// The indices of an access chain from in[first] on.
bool step_indices(Reader& r, const Instruction& in, uint32_t first, Pointer& pointer) {
  bool non_uniform = (r.ids[in[2]].flags & kIdNonUniform) != 0;
  for (uint32_t i = first; i < in.count; ++i) {
    if (!r.in_bound(in[i])) return false;
    non_uniform = non_uniform || (r.ids[in[i]].flags & kIdNonUniform) != 0;
    if (!step_pointer(r, pointer, in[i], non_uniform)) return false;
  }
  return true;
}

/// Makes the pointer, whatever it points to, one to the type that an untyped access chain names. Nothing is left of how
/// a matrix lies. Arrays of blocks stay what they are: their elements are descriptors.
bool reinterpret(Reader& r, Pointer& pointer, uint32_t type) {
  if (pointer.whole_resource) {
    return pointer.type == type || r.fail("expected the type of the array of blocks as the base type");
  }
  pointer.type = type;
  pointer.matrix_stride = pointer.component_stride = 0;
  pointer.row_major = false;
  return true;
}

}  // namespace

bool translate_access_chain(Reader& r, const Instruction& in) {
  const bool has_element = in.opcode == spv::OpPtrAccessChain || in.opcode == spv::OpInBoundsPtrAccessChain;
  const uint32_t first = has_element ? 5 : 4;
  uint32_t type = 0;
  if (!r.has_words(in, first) || !r.result_type(in, type)) return false;
  const Pointer* base = r.pointer(in[3]);
  if (base == nullptr) return false;
  r.bind(in[2], *base);
  Pointer& pointer = r.pointers.back();  // the steps bind no other one
  if (has_element && !step_element(r, r.ids[in[3]].type, in[4], pointer)) return false;
  if (!step_indices(r, in, first, pointer)) return false;
  if (r.types[type].kind != TypeKind::pointer || r.types[type].element != pointer.type) {
    return r.fail("the result type is not a pointer to what the indices lead to");
  }
  if (r.types[type].storage_class != r.types[r.ids[in[3]].type].storage_class) {
    return r.fail("the result type has another storage class than the pointer");
  }
  if (r.types[type].is_pointer_value()) bind_chain(r, in[2], pointer);
  return true;
}

bool translate_untyped_access_chain(Reader& r, const Instruction& in) {
  const bool has_element = in.opcode == kOpUntypedPtrAccessChain || in.opcode == kOpUntypedInBoundsPtrAccessChain;
  const uint32_t first = has_element ? 6 : 5;
  uint32_t type = 0, pointee = 0;
  if (!r.has_words(in, first) || !r.result_type(in, type) || !r.type_of(in[3], pointee)) return false;
  const Pointer* base = r.pointer(in[4]);
  if (base == nullptr) return false;
  const uint32_t base_type = r.ids[in[4]].type;
  if (!r.types[type].untyped) return r.fail("expected an untyped pointer as result type");
  if (r.types[type].storage_class != r.types[base_type].storage_class) {
    return r.fail("the result type has another storage class than the pointer");
  }
  r.bind(in[2], *base);
  Pointer& pointer = r.pointers.back();  // the steps bind no other one
  if (has_element && !step_element(r, base_type, in[5], pointer)) return false;
  if (!reinterpret(r, pointer, pointee) || !step_indices(r, in, first, pointer)) return false;
  if (!pointer.whole_resource) pointer.type = r.untyped_memory;
  if (r.types[type].is_pointer_value()) bind_chain(r, in[2], pointer);
  return true;
}

const Pointer& access_pointer(const Reader& r, const Pointer& pointer, uint32_t type, Pointer& typed) {
  if (pointer.type != r.untyped_memory) return pointer;
  typed = pointer;
  typed.type = type;
  // What is accessed lies as it may lie in a block. Buffers begin at dwords.
  const auto natural = static_cast<uint8_t>(std::countr_zero(uint32_t{r.types[type].dense_align}));
  typed.align_log2 = std::max(typed.align_log2, std::min<uint8_t>(natural, 2));
  return typed;
}

bool translate_array_length(Reader& r, const Instruction& in) {
  const bool untyped = in.opcode == kOpUntypedArrayLength;
  uint32_t type = 0, pointee = 0;
  if (!r.has_words(in, untyped ? 6 : 5) || !r.result_vector_type(in, ir::Scalar::i32, type)) return false;
  if (untyped && !r.type_of(in[3], pointee)) return false;
  const Pointer* found = r.pointer(in[untyped ? 4 : 3]);
  if (found == nullptr) return false;
  const Pointer& pointer = *found;
  if (!untyped) pointee = pointer.type;
  const uint32_t last = in[untyped ? 5 : 4];
  if (pointer.root == PointerRoot::physical) return r.fail("nothing says how long memory at an address is");
  const TypeInfo& block = r.types[pointee];
  if (block.kind != TypeKind::structure || block.count == 0 || last != block.count - 1 || r.types[type].leaves != 1) {
    return r.fail("expected a struct and the number of its last member");
  }
  const Member& member = r.types.member(block, last);
  const TypeInfo& array = r.types[member.type];
  if (pointer.root != PointerRoot::storage || !pointer.resource.valid() || array.kind != TypeKind::runtime_array) {
    return r.fail("expected a runtime array in a storage buffer");
  }
  if (array.stride == 0 || member.offset == kNone) return r.fail("the array has no ArrayStride or Offset decoration");
  ir::Builder& b = r.b;
  const ir::Value size = b.emit(ir::Op::buffer_size, ir::kI32, {pointer.resource});
  ir::Value begin = b.i32(pointer.offset + member.offset);
  if (pointer.dynamic.valid()) begin = b.iadd(pointer.dynamic, begin);
  // A buffer may be smaller than the members before the array.
  const ir::Value rest = b.isub(b.binary(ir::Op::umax, size, begin), begin);
  const ir::Value length = b.binary(ir::Op::udiv, rest, b.i32(array.stride));
  const Leaves out = r.new_leaves(type);
  r.set_leaf(out, 0, length);
  return r.bind(in[2], out);
}

}  // namespace spalt::spirv
