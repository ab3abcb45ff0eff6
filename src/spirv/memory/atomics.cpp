// SPDX-License-Identifier: MIT
// Atomic operations on buffers, workgroup memory and texels, and barriers.
#include <algorithm>
#include <bit>
#include <spirv/unified1/spirv.hpp>

#include "spirv/image/image.h"
#include "spirv/memory/memory.h"
#include "spirv/ops/instructions.h"

namespace spalt::spirv {
namespace {

using ir::MemoryAccess;
using ir::MemoryOrder;
using ir::Op;
using ir::Scalar;
using ir::Value;

MemoryOrder order_of(uint32_t semantics) {
  if ((semantics & spv::MemorySemanticsSequentiallyConsistentMask) != 0) return MemoryOrder::seq_cst;
  if ((semantics & spv::MemorySemanticsAcquireReleaseMask) != 0) return MemoryOrder::acq_rel;
  const bool acquire = (semantics & spv::MemorySemanticsAcquireMask) != 0;
  const bool release = (semantics & spv::MemorySemanticsReleaseMask) != 0;
  if (acquire && release) return MemoryOrder::acq_rel;
  if (acquire) return MemoryOrder::acquire;
  return release ? MemoryOrder::release : MemoryOrder::relaxed;
}

uint32_t storage_bits(uint32_t semantics) {
  uint32_t bits = 0;
  if ((semantics & spv::MemorySemanticsUniformMemoryMask) != 0) bits |= ir::kBufferBit;
  if ((semantics & spv::MemorySemanticsWorkgroupMemoryMask) != 0) bits |= ir::kSharedBit;
  if ((semantics & spv::MemorySemanticsImageMemoryMask) != 0) bits |= ir::kImageBit;
  return bits;
}

uint8_t semantic_flags(uint32_t semantics) {
  uint8_t flags = 0;
  if ((semantics & spv::MemorySemanticsMakeAvailableMask) != 0) flags |= ir::kMakeAvailable;
  if ((semantics & spv::MemorySemanticsMakeVisibleMask) != 0) flags |= ir::kMakeVisible;
  if ((semantics & spv::MemorySemanticsVolatileMask) != 0) flags |= ir::kVolatile;
  return flags;
}

MemoryAccess barrier_access(ir::Scope scope, MemoryOrder order, uint32_t semantics) {
  MemoryAccess access;
  access.offset = storage_bits(semantics);
  access.scope = scope;
  access.order = order;
  access.flags = semantic_flags(semantics);
  access.align_log2 = 0;
  return access;
}

void emit_barrier(Reader& r, Op op, const MemoryAccess& access) {
  r.b.insert(op, ir::kVoid, {}, access.pack(), 0);
}

struct Atomic {
  const Pointer* pointer = nullptr;
  Pointer typed;          ///< that one, if it is an untyped one
  uint32_t type = kNone;  ///< of the memory
  MemoryAccess access;
  uint32_t semantics = 0;
};

/// Buffers and images take the same way to memory and are one kind; workgroup memory is the other.
bool orders_other_memory(const Atomic& atomic) {
  constexpr uint32_t kBufferBits = ir::kBufferBit | ir::kImageBit;
  const uint32_t own = atomic.pointer->root == PointerRoot::shared ? ir::kSharedBit : kBufferBits;
  return (storage_bits(atomic.semantics) & ~own) != 0;
}

/// The semantics of an operation. A compare-exchange has two: those of the failing case may acquire where the others
/// only release, so that both together say what must be ordered.
bool read_semantics(Reader& r, const Instruction& in, uint32_t first, uint32_t& semantics) {
  if (!r.constant_u32(in[first], semantics)) return false;
  if (in.opcode != spv::OpAtomicCompareExchange) return true;
  uint32_t when_unequal = 0;
  if (!r.has_words(in, first + 2) || !r.constant_u32(in[first + 1], when_unequal)) return false;
  semantics |= when_unequal;
  return true;
}

/// Pointer, scope and semantics, which stand at in[first] and after.
bool read_atomic(Reader& r, const Instruction& in, uint32_t first, Atomic& atomic) {
  if (!r.has_words(in, first + 3) || (atomic.pointer = r.pointer(in[first])) == nullptr) return false;
  if (atomic.pointer->type == r.untyped_memory) {
    uint32_t type = 0;
    Leaves data;
    if (in.opcode != spv::OpAtomicStore) {
      if (!r.result_type(in, type)) return false;
    } else {
      if (!r.has_words(in, 5) || !r.value(in[4], data) || (atomic.pointer = r.pointer(in[first])) == nullptr)
        return false;
      type = data.type;
    }
    atomic.pointer = &access_pointer(r, *atomic.pointer, type, atomic.typed);
  }
  const TypeInfo& type = r.types[atomic.pointer->type];
  const PointerRoot root = atomic.pointer->root;
  const bool is_buffer = root == PointerRoot::storage || root == PointerRoot::physical;
  if (!is_buffer && root != PointerRoot::shared && root != PointerRoot::texel) {
    return r.fail("expected a pointer into a storage buffer, workgroup memory or an image");
  }
  const bool is_word = type.is_scalar() && type.kind != TypeKind::boolean && type.dense_bytes == 4;
  constexpr ScalarSet kOthers = ScalarSet(Scalar::i64) | Scalar::f16 | Scalar::f64;
  if (!is_word && !(type.is_scalar() && kOthers.contains(type.scalar))) {
    return r.fail("expected a pointer to a 32-bit scalar, a 64-bit number or a 16-bit float");
  }
  atomic.type = atomic.pointer->type;
  ir::Scope scope{};
  if (!read_scope(r, in[first + 1], scope) || !read_semantics(r, in, first + 2, atomic.semantics)) return false;
  // Nobody outside the workgroup can read what is written there, or synchronize with it.
  if (root == PointerRoot::shared) scope = std::min(scope, ir::Scope::workgroup);
  atomic.access = make_access(*atomic.pointer, 0, {});
  // What is accessed atomically lies at a multiple of its size, wherever its buffer begins.
  const auto natural = static_cast<uint8_t>(std::countr_zero(ir::Type{type.scalar}.bytes()));
  atomic.access.align_log2 = std::max<uint8_t>(atomic.access.align_log2, natural);
  atomic.access.scope = scope;
  atomic.access.order = order_of(atomic.semantics);
  atomic.access.flags |= semantic_flags(atomic.semantics);
  if (atomic.access.order > MemoryOrder::relaxed && orders_other_memory(atomic)) atomic.access.flags |= ir::kOrdersAll;
  return true;
}

Op atomic_op(uint32_t opcode) {
  switch (opcode) {
    case spv::OpAtomicExchange:
      return Op::atomic_exchange;
    case spv::OpAtomicCompareExchange:
      return Op::atomic_compare_exchange;
    case spv::OpAtomicIIncrement:
    case spv::OpAtomicIAdd:
      return Op::atomic_add;
    case spv::OpAtomicIDecrement:
    case spv::OpAtomicISub:
      return Op::atomic_sub;
    case spv::OpAtomicSMin:
      return Op::atomic_smin;
    case spv::OpAtomicUMin:
      return Op::atomic_umin;
    case spv::OpAtomicSMax:
      return Op::atomic_smax;
    case spv::OpAtomicUMax:
      return Op::atomic_umax;
    case spv::OpAtomicAnd:
      return Op::atomic_and;
    case spv::OpAtomicOr:
      return Op::atomic_or;
    case spv::OpAtomicXor:
      return Op::atomic_xor;
    case spv::OpAtomicFAddEXT:
      return Op::atomic_fadd;
    case spv::OpAtomicFMinEXT:
      return Op::atomic_fmin;
    case spv::OpAtomicFMaxEXT:
      return Op::atomic_fmax;
    case spv::OpAtomicStore:
      return Op::store;
    default:
      return Op::load;
  }
}

/// The bits of a float are exchanged as an integer, and those of a double are loaded and stored as one: that is what is
/// atomic for words and pairs of them. Texels know what they are.
bool moves_float_bits(Reader& r, const Instruction& in, const Atomic& atomic) {
  if (atomic.pointer->root == PointerRoot::texel || ir::is_float_atomic(atomic_op(in.opcode))) return false;
  const Scalar scalar = r.types[atomic.type].scalar;
  return scalar == Scalar::f64 || (scalar == Scalar::f32 && in.opcode == spv::OpAtomicExchange);
}

ir::Type integer_of(Reader& r, const Atomic& atomic) {
  return r.types[atomic.type].scalar == Scalar::f64 ? ir::kI64 : ir::kI32;
}

void push_data(Reader& r, const Instruction& in, const Atomic& atomic, Value value, MemoryOperands& operands) {
  operands.push_back(moves_float_bits(r, in, atomic) ? r.b.bitcast(integer_of(r, atomic), value) : value);
}

/// The data operands, after scope and semantics.
bool read_data(Reader& r, const Instruction& in, const Atomic& atomic, MemoryOperands& operands) {
  Leaves data;
  switch (in.opcode) {
    case spv::OpAtomicLoad:
      return true;
    case spv::OpAtomicIIncrement:
    case spv::OpAtomicIDecrement:
      operands.push_back(r.b.integer(ir::Type{r.types[atomic.type].scalar}, 1));
      return true;
    case spv::OpAtomicStore:
      if (!r.has_words(in, 5) || !r.typed_value(in[4], atomic.type, data)) return false;
      push_data(r, in, atomic, r.leaf(data, 0), operands);
      return true;
    case spv::OpAtomicCompareExchange: {
      Leaves comparator;
      if (!r.has_words(in, 9) || !r.typed_value(in[7], atomic.type, data)) return false;
      if (!r.typed_value(in[8], atomic.type, comparator)) return false;
      operands.push_back(r.leaf(data, 0));
      operands.push_back(r.leaf(comparator, 0));
      return true;
    }
    default: {
      if (!r.has_words(in, 7) || !r.typed_value(in[6], atomic.type, data)) return false;
      push_data(r, in, atomic, r.leaf(data, 0), operands);
      return true;
    }
  }
}

bool check_atomic_type(Reader& r, const Instruction& in, const Atomic& atomic) {
  const bool moves_only =
      in.opcode == spv::OpAtomicLoad || in.opcode == spv::OpAtomicStore || in.opcode == spv::OpAtomicExchange;
  const Scalar scalar = r.types[atomic.type].scalar;
  const bool on_float = ir::is_float_atomic(atomic_op(in.opcode));
  if (on_float && !kAnyFloat.contains(scalar)) return r.fail("expected a float in memory");
  if (!moves_only && !on_float && scalar != Scalar::i32 && scalar != Scalar::i64) {
    return r.fail("expected an integer in memory");
  }
  if (in.opcode != spv::OpAtomicLoad && (atomic.pointer->access & ir::kReadOnly) != 0) {
    return r.fail("an atomic operation on memory that is read only");
  }
  const MemoryOrder order = atomic.access.order;
  if (in.opcode == spv::OpAtomicLoad && (order == MemoryOrder::release || order == MemoryOrder::acq_rel)) {
    return r.fail("a load cannot release");
  }
  if (in.opcode == spv::OpAtomicStore && (order == MemoryOrder::acquire || order == MemoryOrder::acq_rel)) {
    return r.fail("a store cannot acquire");
  }
  uint32_t type = 0;
  if (in.opcode == spv::OpAtomicStore) return true;
  if (!r.result_type(in, type)) return false;
  return type == atomic.type || r.fail("the result type is not the type in memory");
}

}  // namespace

bool translate_atomic(Reader& r, const Instruction& in) {
  const bool is_store = in.opcode == spv::OpAtomicStore;
  Atomic atomic;
  if (!read_atomic(r, in, is_store ? 1 : 3, atomic) || !check_atomic_type(r, in, atomic)) return false;
  MemoryOperands operands(r, *atomic.pointer);
  if (!read_data(r, in, atomic, operands)) return false;
  const ir::Type result_type = is_store ? ir::kVoid : ir::Type{r.types[atomic.type].scalar};
  const bool float_bits = !is_store && moves_float_bits(r, in, atomic);
  const ir::Type type = float_bits ? integer_of(r, atomic) : result_type;
  const Op op = atomic_op(in.opcode);
  const bool is_texel = atomic.pointer->root == PointerRoot::texel;
  const Value result = is_texel ? texel_atomic(r, op, type, r.texels[atomic.pointer->texel], operands, atomic.access)
                                : r.b.memory(op, type, operands, atomic.access);
  if (is_store) return true;
  const Leaves out = r.new_leaves(atomic.type);
  r.set_leaf(out, 0, float_bits ? r.b.bitcast(result_type, result) : result);
  return r.bind(in[2], out);
}

bool translate_barrier(Reader& r, const Instruction& in) {
  const bool control = in.opcode == spv::OpControlBarrier;
  const uint32_t first = control ? 2 : 1;
  ir::Scope execution = ir::Scope::invocation, memory{};
  uint32_t semantics = 0;
  if (!r.has_words(in, first + 2) || (control && !read_scope(r, in[1], execution))) return false;
  if (!read_scope(r, in[first], memory) || !r.constant_u32(in[first + 1], semantics)) return false;
  const MemoryOrder order = order_of(semantics);
  const bool orders_memory = order != MemoryOrder::relaxed && storage_bits(semantics) != 0;
  MemoryAccess access = barrier_access(memory, orders_memory ? order : MemoryOrder::none, semantics);
  if (!orders_memory) access.offset = 0;
  // The lanes of a subgroup run together: a barrier among them orders memory only.
  if (control && execution != ir::Scope::subgroup && execution != ir::Scope::invocation) {
    emit_barrier(r, Op::control_barrier, access);
  } else if (orders_memory) {
    emit_barrier(r, Op::memory_barrier, access);
  }
  return true;
}

}  // namespace spalt::spirv
