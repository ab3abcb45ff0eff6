// SPDX-License-Identifier: MIT
// Memory operations, barriers and the shader interface.
#include "ir/verifier_context.h"

namespace spalt::ir {
namespace {

class InstMemory {
 public:
  InstMemory(VerifyContext& context, Value value)
      : c_(context), value_(value), inst_(context.inst(value)), access_(MemoryAccess::unpack(inst_.imm)) {}

  bool run() {
    if (is_memory(inst_.op)) return memory();
    switch (inst_.op) {
      case Op::memory_barrier:
      case Op::control_barrier:
        return barrier();
      case Op::resource:
      case Op::sampler:
        return resource();
      case Op::buffer_key:
        return buffer_key();
      case Op::buffer_of:
        return buffer_of();
      case Op::buffer_size:
        return buffer(0) && c_.expect_result(value_, kI32);
      case Op::arg:
        return arg();
      default:
        return true;
    }
  }

 private:
  bool fail(std::string what) { return c_.fail(value_, std::string(info(inst_.op).name) + " " + std::move(what)); }
  bool core() const { return c_.module.stage == Stage::core; }

  bool memory() {
    if (access_.storage > StorageClass::table) return fail("has an unknown storage class");
    const unsigned count = memory_operand_count(inst_.op, access_.storage);
    if (inst_.operand_count != count) {
      return fail("has " + std::to_string(inst_.operand_count) + " operands, expected " + std::to_string(count));
    }
    if (!address() || !common_access()) return false;
    if (access_.align_log2 > 31) return fail("has an impossible alignment");
    if (is_atomic(inst_.op)) return atomic();
    const bool is_store = inst_.op == Op::store;
    return plain(is_store, is_store ? c_.operand_type(value_, count - 1) : inst_.type);
  }

  bool address() {
    if (!has_base(access_.storage)) return c_.expect_operand(value_, 0, kI32);
    if (has_address(access_.storage)) {
      // A 32-bit address of constant memory is the low half of one in the window of the program.
      const bool is_half = access_.storage == StorageClass::constant && c_.operand_type(value_, 0) == kI32;
      if (!is_half && !c_.expect_operand(value_, 0, kI64)) return false;
      return c_.expect_operand(value_, 1, kI32);
    }
    return buffer(0) && c_.expect_operand(value_, 1, kI32) && binding_kind();
  }

  /// A buffer is a resource in the core stage and a descriptor of four dwords once lowered.
  bool buffer(unsigned index) { return c_.expect_operand(value_, index, core() ? kResource : kI32.vector(4)); }

  /// Where the resource is known, the storage class must be that of its binding.
  bool binding_kind() {
    const Inst& base = c_.inst(c_.function.operand(value_, 0));
    if (base.op != Op::resource || base.imm >= c_.module.bindings.size()) return true;
    const Binding& binding = c_.module.bindings[base.imm];
    const BindingKind wanted =
        access_.storage == StorageClass::storage ? BindingKind::storage_buffer : BindingKind::uniform_buffer;
    if (binding.kind != wanted) {
      return c_.fail_operand(value_, 0, "the binding is " + std::string(binding_kind_text(binding.kind)));
    }
    const bool writes = info(inst_.op).has(kWrites);
    return !(writes && binding.read_only) || c_.fail_operand(value_, 0, "the binding is read-only");
  }

  bool common_access() {
    if (access_.scope > Scope::device || access_.order > MemoryOrder::seq_cst)
      return fail("has an unknown scope or order");
    uint32_t known = 0;
    for (const BitName& entry : access_flag_names()) known |= entry.bit;
    return (access_.flags & ~known) == 0 || fail("has unknown access flags");
  }

  bool is_shared_by_invocations() const {
    return access_.storage == StorageClass::storage || access_.storage == StorageClass::global ||
           access_.storage == StorageClass::shared;
  }

  bool writable() const { return is_shared_by_invocations() || access_.storage == StorageClass::scratch; }

  bool plain(bool is_store, Type data) {
    if (data.bytes() == 0 || data.is_bool()) return fail("cannot move " + type_name(data) + " to or from memory");
    if (is_store && !writable()) return fail("cannot write " + std::string(storage_name(access_.storage)) + " memory");
    if (is_store && (access_.flags & kReadOnly) != 0) return fail("writes what it declares read-only");
    const MemoryOrder order = access_.order;
    if (order == (is_store ? MemoryOrder::acquire : MemoryOrder::release) || order == MemoryOrder::acq_rel) {
      return fail("cannot have memory order " + std::string(order_name(order)));
    }
    return true;
  }

  bool atomic() {
    if (!is_shared_by_invocations()) {
      return fail("cannot work on " + std::string(storage_name(access_.storage)) + " memory");
    }
    if (is_float_atomic(inst_.op)) {
      if (inst_.type != kF16 && inst_.type != kF32 && inst_.type != kF64)
        return fail("works on f16, f32 and f64, not on " + type_name(inst_.type));
    } else if (inst_.type != kI32 && inst_.type != kI64 && (inst_.op != Op::atomic_exchange || inst_.type != kF16)) {
      return fail("works on i32 and i64, not on " + type_name(inst_.type));
    }
    if (access_.order == MemoryOrder::none) return fail("needs a memory order, at least 'order relaxed'");
    if (uint64_t{1} << access_.align_log2 < inst_.type.bytes()) return fail("needs natural alignment");
    for (unsigned i = memory_operand_count(Op::load, access_.storage); i < inst_.operand_count; ++i) {
      if (!c_.expect_operand(value_, i, inst_.type)) return false;
    }
    return true;
  }

  bool barrier() {
    uint32_t known = 0;
    for (const BitName& entry : storage_bit_names()) known |= entry.bit;
    if ((access_.offset & ~known) != 0) return fail("has unknown storage bits");
    return common_access();
  }

  bool resource() {
    if (inst_.imm >= c_.module.bindings.size()) return fail("names a binding that the module does not have");
    const BindingKind kind = c_.module.bindings[inst_.imm].kind;
    const bool has_sampler = kind == BindingKind::sampler || kind == BindingKind::combined;
    if (inst_.op == Op::sampler && !has_sampler) return fail("names a binding without samplers");
    if (inst_.op == Op::resource && kind == BindingKind::sampler) return fail("names a binding of samplers");
    return c_.expect_operand(value_, 0, kI32) && c_.expect_result(value_, kResource);
  }

  bool is_storage_buffer(uint64_t binding) const {
    return binding < c_.module.bindings.size() && c_.module.bindings[binding].kind == BindingKind::storage_buffer;
  }

  bool buffer_key() {
    if (!is_storage_buffer(inst_.imm)) return fail("names no binding of storage buffers");
    if (inst_.imm > kMaxKeyBinding) return fail("names a binding beyond those that a key has room for");
    return c_.expect_operand(value_, 0, kI32) && c_.expect_result(value_, kI32);
  }

  bool buffer_of() {
    if (inst_.operand_count == 0) return fail("has no key");
    uint64_t least = 0;
    for (unsigned i = 0; i < inst_.operand_count; ++i) {
      if (!c_.expect_operand(value_, i, kI32)) return false;
      const Inst& binding = c_.inst(c_.function.operand(value_, i));
      if (i == 0) continue;
      if (binding.op != Op::constant || !is_storage_buffer(binding.imm) || binding.imm < least) {
        return c_.fail_operand(value_, i, "expected bindings of storage buffers, each once and in order");
      }
      least = binding.imm + 1;
    }
    return c_.expect_result(value_, kResource);
  }

  bool arg() {
    if (inst_.imm >= c_.module.args.size()) return fail("names an entry register that the module does not have");
    const unsigned bits = c_.module.args[inst_.imm].dwords * 32u;
    if (inst_.type.bits() == bits && !inst_.type.is_bool()) return true;
    return fail("of " + std::to_string(bits) + " bits cannot be " + type_name(inst_.type));
  }

  VerifyContext& c_;
  Value value_;
  const Inst& inst_;
  const MemoryAccess access_;
};

}  // namespace

bool verify_memory(VerifyContext& context) {
  for (BlockId id : context.function.layout()) {
    for (Value value : insts(context.function, id)) {
      if (!InstMemory(context, value).run()) return false;
    }
  }
  return true;
}

}  // namespace spalt::ir
