// SPDX-License-Identifier: MIT
// Physical pointers are addresses: values of 64 bits that are loaded, stored, chosen and joined like integers. An
// access chain is such a value too, but accesses through it also know what the address alone does not say: the constant
// part of the offset, and how a matrix lies in its block. What nobody reads of both is left to dead code elimination.
#include <bit>
#include <limits>
#include <spirv/unified1/spirv.hpp>

#include "base/bits.h"
#include "spirv/memory/memory.h"

namespace spalt::spirv {
namespace {

/// Constant parts of offsets stay far from the end of 32 bits, so that what accesses add does not wrap.
constexpr int64_t kMaxOffset = std::numeric_limits<int32_t>::max();

/// index * stride, of an index with a sign.
ir::Value scaled(ir::Builder& b, ir::Value index, uint32_t stride) {
  const ir::Value wide = b.resize(ir::kI64, index, true);
  if (!std::has_single_bit(stride)) return b.imul(wide, b.integer(ir::kI64, stride));
  return b.ishl(wide, b.i32(static_cast<uint32_t>(std::countr_zero(stride))));
}

}  // namespace

const Pointer* physical_pointer(Reader& r, uint32_t id) {
  Leaves address;
  if (!r.value(id, address)) return nullptr;
  const IdInfo& info = r.ids[id];
  if ((info.flags & kIdChain) != 0) return &r.pointers[info.binding];
  Pointer pointer;
  pointer.type = r.types[address.type].element;
  if (pointer.type == kNone) {
    r.fail(concat("the pointer type of id ", id, " is declared forward and nowhere else"));
    return nullptr;
  }
  pointer.root = PointerRoot::physical;
  pointer.is_explicit = true;
  pointer.resource = r.leaf(address, 0);
  if (!known_matrix_layout(r, pointer)) return nullptr;
  r.pointers.push_back(pointer);
  return &r.pointers.back();
}

void move_address(Reader& r, Pointer& pointer, int64_t bytes) {
  const int64_t offset = static_cast<int64_t>(static_cast<uint64_t>(bytes) + pointer.offset);
  if (offset >= 0 && offset <= kMaxOffset) {
    pointer.offset = static_cast<uint32_t>(offset);
    return;
  }
  pointer.resource = r.b.iadd(pointer.resource, r.b.integer(ir::kI64, static_cast<uint64_t>(offset)));
  pointer.offset = 0;
}

bool step_address(Reader& r, Pointer& pointer, uint32_t index_id, uint32_t stride) {
  ir::Value index;
  if (!r.scalar_value(index_id, kAnyInteger, index)) return false;
  const ir::Inst& inst = r.function().inst(index);
  if (r.function().is_constant(index)) {
    const auto elements = static_cast<uint64_t>(sign_extend(inst.imm, inst.type.scalar_bits()));
    move_address(r, pointer, static_cast<int64_t>(elements * stride));
  } else {
    pointer.resource = r.b.iadd(pointer.resource, scaled(r.b, index, stride));
  }
  return true;
}

void make_address(Reader& r, Pointer& pointer) {
  ir::Value address = pointer.resource;
  if (pointer.offset != 0) address = r.b.iadd(address, r.b.integer(ir::kI64, pointer.offset));
  pointer.address = r.leaves.size();
  r.leaves.push_back(address);
}

/// OpConvertPtrToU and OpConvertUToPtr: other widths than that of addresses are cut or extended with zeros.
bool translate_convert_pointer(Reader& r, const Instruction& in) {
  const bool to_pointer = in.opcode == spv::OpConvertUToPtr;
  uint32_t type = 0;
  Leaves from;
  if (!r.has_words(in, 4) || !r.result_value_type(in, type) || !r.value(in[3], from)) return false;
  const TypeInfo& pointer = r.types[to_pointer ? type : from.type];
  const TypeInfo& integer = r.types[to_pointer ? from.type : type];
  if (!pointer.is_physical() || integer.kind != TypeKind::integer) {
    return r.fail("expected a pointer of storage class PhysicalStorageBuffer on one side and an integer on the other");
  }
  const Leaves out = r.new_leaves(type);
  r.set_leaf(out, 0, r.b.resize(ir::Type{r.types[type].scalar}, r.leaf(from, 0), false));
  return r.bind(in[2], out);
}

}  // namespace spalt::spirv
