// SPDX-License-Identifier: MIT
// Loads and stores. Neighbouring scalars of one type are accessed together, up to four at a time.
#include "spirv/memory/memory.h"

#include <algorithm>
#include <bit>
#include <spirv/unified1/spirv.hpp>

#include "spirv/image/image.h"

namespace spalt::spirv {
namespace {

// One access.
constexpr uint32_t kMaxRun = 4;
constexpr uint32_t kMaxRunBytes = 16;

ir::StorageClass storage_of(PointerRoot root) {
  switch (root) {
    case PointerRoot::shared:
      return ir::StorageClass::shared;
    case PointerRoot::push:
      return ir::StorageClass::push;
    case PointerRoot::uniform:
      return ir::StorageClass::uniform;
    case PointerRoot::storage:
      return ir::StorageClass::storage;
    case PointerRoot::physical:
      return ir::StorageClass::global;
    default:
      return ir::StorageClass::scratch;
  }
}

/// Booleans have no bits in SPIR-V; in shared and scratch memory they are 0 or 1.
ir::Type memory_type(ir::Type type) {
  return type.is_bool() ? ir::kI32 : type;
}

bool list_matrix(Reader& r, const TypeInfo& type, const LayoutPart& part) {
  if (part.matrix_stride == 0) return r.fail("the matrix has no MatrixStride decoration");
  const uint32_t rows = type.leaves / type.count;
  const uint32_t bytes = leaf_bytes(type.scalar);
  const uint32_t column = part.row_major ? bytes : part.matrix_stride;
  const uint32_t row = part.row_major ? part.matrix_stride : bytes;
  for (uint32_t c = 0; c < type.count; ++c) {
    for (uint32_t i = 0; i < rows; ++i) r.offsets.push_back(part.offset + c * column + i * row);
  }
  return true;
}

bool list_children(Reader& r, const TypeInfo& type, Vector<LayoutPart>& stack) {
  LayoutPart& part = stack.back();
  if (part.next == type.count) {
    stack.pop_back();
    return true;
  }
  LayoutPart child = part;
  child.next = 0;
  if (type.kind == TypeKind::array) {
    if (type.stride == 0) return r.fail("the array has no ArrayStride decoration that its elements can have");
    child.type = type.element;
    child.offset += part.next++ * type.stride;
  } else {
    const Member& member = r.types.member(type, part.next++);
    if (member.offset == kNone) return r.fail("a struct member has no Offset decoration");
    child.type = member.type;
    child.offset += member.offset;
    child.matrix_stride = member.matrix_stride;
    child.row_major = member.row_major;
  }
  stack.push_back(child);
  return true;
}

/// Byte offsets of all leaves of an explicitly laid out object, into Reader::offsets.
bool list_explicit(Reader& r, const Pointer& pointer) {
  Vector<LayoutPart>& stack = r.layout_parts;
  stack.clear();
  stack.push_back({pointer.type, 0, 0, pointer.matrix_stride, pointer.row_major});
  while (!stack.empty()) {
    const LayoutPart part = stack.back();
    const TypeInfo& type = r.types[part.type];
    ++r.leaf_work;
    if (type.empty) {
      stack.pop_back();
      continue;
    }
    if (type.kind == TypeKind::array || type.kind == TypeKind::structure) {
      if (!list_children(r, type, stack)) return false;
      continue;
    }
    stack.pop_back();
    if (type.scalar == ir::Scalar::i1 && pointer.root != PointerRoot::shared) {
      return r.fail("a boolean has no place in a buffer");
    }
    if (type.kind == TypeKind::matrix) {
      if (!list_matrix(r, type, part)) return false;
    } else {
      const uint32_t bytes = leaf_bytes(type.scalar);
      for (uint32_t i = 0; i < type.leaves; ++i) r.offsets.push_back(part.offset + bytes * i);
    }
  }
  return true;
}

bool list_offsets(Reader& r, const Pointer& pointer) {
  const TypeInfo& type = r.types[pointer.type];
  r.offsets.clear();
  if (pointer.is_explicit && !type.is_scalar_or_vector()) return list_explicit(r, pointer);
  if (pointer.is_explicit && type.scalar == ir::Scalar::i1 && pointer.root != PointerRoot::shared) {
    return r.fail("a boolean has no place in a buffer");
  }
  if (type.kind == TypeKind::vector && pointer.component_stride != 0) {
    for (uint32_t i = 0; i < type.leaves; ++i) r.offsets.push_back(i * pointer.component_stride);
  } else {
    dense_offsets(r, pointer.type);
  }
  return true;
}

/// How many leaves from `first` on are neighbours of one type.
uint32_t run_length(const Reader& r, uint32_t type, uint32_t first, uint32_t count) {
  if (count - first == 1) return 1;
  const ir::Type scalar = memory_type(r.types.leaf_type(type, first));
  const uint32_t bytes = scalar.bytes(), longest = std::min({kMaxRun, kMaxRunBytes / bytes, count - first});
  uint32_t length = 1;
  while (length < longest && r.offsets[first + length] == r.offsets[first] + bytes * length &&
         memory_type(r.types.leaf_type(type, first + length)) == scalar) {
    ++length;
  }
  return length;
}

bool is_input(const Reader& r, const Pointer& pointer) {
  if (pointer.root == PointerRoot::input) return true;
  const bool local = pointer.root == PointerRoot::local || pointer.root == PointerRoot::scratch;
  return local && r.variables[pointer.variable].storage_class == spv::StorageClassInput;
}

/// The pointee can be taken apart, and a descriptor array has been indexed.
bool is_accessible(Reader& r, const Pointer& pointer) {
  const TypeInfo& type = r.types[pointer.type];
  if (!type.is_value() || pointer.whole_resource) return r.fail("expected a pointer to something that can be loaded");
  if (type.leaves <= r.options.limits.composite_scalars) return true;
  return r.fail(Status::limit_exceeded,
                concat("a value of more than ", r.options.limits.composite_scalars, " scalars"));
}

}  // namespace

bool read_scope(Reader& r, uint32_t id, ir::Scope& scope) {
  uint32_t value = 0;
  if (!r.constant_u32(id, value)) return false;
  switch (value) {
    case spv::ScopeCrossDevice:
      // More than `device` on GFX12, where it takes accesses of their own and a write-back.
      return r.fail("scope CrossDevice is not part of Vulkan");
    case spv::ScopeDevice:
      scope = ir::Scope::device;
      return true;
    case spv::ScopeWorkgroup:
      scope = ir::Scope::workgroup;
      return true;
    case spv::ScopeSubgroup:
      scope = ir::Scope::subgroup;
      return true;
    case spv::ScopeInvocation:
      scope = ir::Scope::invocation;
      return true;
    case spv::ScopeQueueFamilyKHR:
      scope = ir::Scope::queue_family;
      return true;
    default:
      return r.fail(concat("scope ", value, " is not known"));
  }
}

bool read_memory_operands(Reader& r, const Instruction& in, uint32_t& index, AccessExtra& extra) {
  if (index >= in.count) return true;
  const uint32_t mask = in[index++];
  if ((mask & spv::MemoryAccessVolatileMask) != 0) extra.flags |= ir::kVolatile;
  if ((mask & spv::MemoryAccessNontemporalMask) != 0) extra.flags |= ir::kNonTemporal;
  if ((mask & spv::MemoryAccessAlignedMask) != 0) {
    if (index >= in.count || in[index] == 0) return r.fail("expected an alignment after the memory operands");
    extra.align_log2 = static_cast<uint8_t>(std::countr_zero(in[index++]));
  }
  const auto add_scope = [&](uint8_t flag) {
    ir::Scope scope{};
    if (index >= in.count) return r.fail("expected a scope after the memory operands");
    if (!read_scope(r, in[index++], scope)) return false;
    extra.flags |= flag;
    extra.scope = std::max(extra.scope, scope);
    return true;
  };
  if ((mask & spv::MemoryAccessMakePointerAvailableMask) != 0 && !add_scope(ir::kMakeAvailable)) return false;
  if ((mask & spv::MemoryAccessMakePointerVisibleMask) != 0 && !add_scope(ir::kMakeVisible)) return false;
  return true;
}

bool read_copy_operands(Reader& r, const Instruction& in, uint32_t index, AccessExtra& target, AccessExtra& source) {
  if (!read_memory_operands(r, in, index, target)) return false;
  source = target;
  if (!read_memory_operands(r, in, index, source)) return false;
  target.flags &= static_cast<uint8_t>(~ir::kMakeVisible);
  source.flags &= static_cast<uint8_t>(~ir::kMakeAvailable);
  return true;
}

bool is_writable(Reader& r, const Pointer& pointer) {
  const bool ok = pointer.root != PointerRoot::uniform && pointer.root != PointerRoot::push && !is_input(r, pointer) &&
                  pointer.root != PointerRoot::handle && pointer.root != PointerRoot::texel &&
                  (pointer.access & ir::kReadOnly) == 0;
  return ok || r.fail("a store to memory that is read only");
}

ir::MemoryAccess make_access(const Pointer& pointer, uint32_t bytes, const AccessExtra& extra) {
  ir::MemoryAccess access;
  access.offset = pointer.offset + bytes;
  access.storage = storage_of(pointer.root);
  access.align_log2 = pointer.align_log2;
  // Of an address nothing is known but what the access says about the whole.
  const bool is_physical = pointer.root == PointerRoot::physical;
  const uint32_t moved_by = is_physical ? bytes : access.offset;
  if (is_physical) access.align_log2 = extra.align_log2;
  if (moved_by != 0) {
    access.align_log2 = std::min<uint8_t>(access.align_log2, static_cast<uint8_t>(std::countr_zero(moved_by)));
  }
  access.flags = pointer.access | extra.flags;
  access.scope = extra.scope;
  if ((access.flags & ir::kCoherent) != 0) access.scope = ir::Scope::device;
  return access;
}

MemoryOperands::MemoryOperands(Reader& r, const Pointer& pointer) {
  if (pointer.root == PointerRoot::texel) return;
  if (pointer.resource.valid()) push_back(pointer.resource);
  push_back(pointer.dynamic.valid() ? pointer.dynamic : r.b.i32(0));
}

void dense_offsets(Reader& r, uint32_t type) {
  const uint32_t count = r.types[type].leaves;
  r.offsets.clear();
  for (uint32_t i = 0; i < count; ++i) r.offsets.push_back(r.types.leaf_offset(type, i));
}

void load_leaves(Reader& r, const Pointer& pointer, const Leaves& out, const AccessExtra& extra) {
  ir::Builder& b = r.b;
  const MemoryOperands address(r, pointer);
  for (uint32_t i = 0; i < out.count;) {
    const uint32_t length = run_length(r, pointer.type, i, out.count);
    const ir::Type type = memory_type(r.types.leaf_type(pointer.type, i));
    const ir::Value loaded =
        b.memory(ir::Op::load, type.vector(length), address, make_access(pointer, r.offsets[i], extra));
    for (uint32_t j = 0; j < length; ++j, ++i) {
      ir::Value scalar = length == 1 ? loaded : b.extract(loaded, j);
      if (r.types.leaf_type(pointer.type, i).is_bool()) scalar = b.binary(ir::Op::ine, scalar, b.i32(0));
      r.set_leaf(out, i, scalar);
    }
  }
}

void store_leaves(Reader& r, const Pointer& pointer, const Leaves& value, const AccessExtra& extra) {
  ir::Builder& b = r.b;
  for (uint32_t i = 0; i < value.count;) {
    const uint32_t length = run_length(r, pointer.type, i, value.count);
    const ir::MemoryAccess access = make_access(pointer, r.offsets[i], extra);
    ir::Value data[kMaxRun];
    for (uint32_t j = 0; j < length; ++j, ++i) {
      data[j] = r.leaf(value, i);
      if (b.function().type(data[j]).is_bool()) data[j] = b.select(data[j], b.i32(1), b.i32(0));
    }
    MemoryOperands operands(r, pointer);
    operands.push_back(b.vec({data, length}));
    b.memory(ir::Op::store, ir::kVoid, operands, access);
  }
}

bool load(Reader& r, const Pointer& pointer, const Leaves& out, const AccessExtra& extra) {
  if (!is_accessible(r, pointer)) return false;
  if (out.count == 0) return true;
  if (pointer.root == PointerRoot::local || pointer.root == PointerRoot::input) return load_local(r, pointer, out);
  if (pointer.root == PointerRoot::handle) return load_handle(r, pointer, out);
  if (pointer.root == PointerRoot::texel) return r.fail("expected a pointer to something that can be loaded");
  if (!list_offsets(r, pointer)) return false;
  load_leaves(r, pointer, out, extra);
  return true;
}

bool store(Reader& r, const Pointer& pointer, const Leaves& value, const AccessExtra& extra) {
  if (!is_accessible(r, pointer) || !is_writable(r, pointer)) return false;
  if (value.count == 0) return true;
  if (pointer.root == PointerRoot::local) return store_local(r, pointer, value);
  if (pointer.root == PointerRoot::scratch && r.variables[pointer.variable].constant_table) return true;
  if (!list_offsets(r, pointer)) return false;
  store_leaves(r, pointer, value, extra);
  return true;
}

bool translate_load(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  AccessExtra extra;
  uint32_t index = 4;
  if (!r.has_words(in, 4) || !r.result_value_type(in, type)) return false;
  const Pointer* found = r.pointer(in[3]);
  if (found == nullptr) return false;
  Pointer typed;
  const Pointer& pointer = access_pointer(r, *found, type, typed);
  if (pointer.type != type) return r.fail("the result type is not the type that is pointed to");
  if (!read_memory_operands(r, in, index, extra)) return false;
  const Leaves out = r.new_leaves(type);
  return load(r, pointer, out, extra) && r.bind(in[2], out);
}

bool translate_store(Reader& r, const Instruction& in) {
  Leaves value;
  AccessExtra extra;
  uint32_t index = 3;
  if (!r.has_words(in, 3)) return false;
  // A pointer may be the value: what it makes of a variable must not move the other one.
  if ((r.has_variable_pointers || r.has_untyped_pointers) && !r.value(in[2], value)) return false;
  const Pointer* found = r.pointer(in[1]);
  if (found == nullptr) return false;
  Pointer typed;
  const Pointer& pointer = access_pointer(r, *found, value.type, typed);
  if (!r.typed_value(in[2], pointer.type, value)) return false;
  return read_memory_operands(r, in, index, extra) && store(r, pointer, value, extra);
}

bool translate_copy_memory(Reader& r, const Instruction& in) {
  AccessExtra target_extra, source_extra;
  if (!r.has_words(in, 3)) return false;
  const Pointer* found = r.pointer(in[1]);
  if (found == nullptr) return false;
  const Pointer first = *found;  // finding the other one may move it
  found = r.pointer(in[2]);
  if (found == nullptr) return false;
  Pointer typed_source, typed_target;
  const Pointer& source = access_pointer(r, *found, first.type, typed_source);
  const Pointer& target = access_pointer(r, first, source.type, typed_target);
  if (target.type != source.type) return r.fail("expected two pointers to the same type");
  if (!read_copy_operands(r, in, 3, target_extra, source_extra) || !is_accessible(r, source)) return false;
  const Leaves value = r.new_leaves(source.type);
  return load(r, source, value, source_extra) && store(r, target, value, target_extra);
}

}  // namespace spalt::spirv
