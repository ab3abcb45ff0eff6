// SPDX-License-Identifier: MIT
// Memory at 64-bit addresses. An address that is the same for all lanes stays in SGPRs, beside a 32-bit offset for each
// lane; any other one is the sum of address and offset in VGPRs. Constant parts go to the instruction as far as it has
// room for them.
#include "amdgpu/select/selector.h"

namespace spalt::select {

using ir::MemoryAccess;

namespace {

constexpr AccessOpcodes kLoads = {M::global_load_ubyte,   M::global_load_ushort,  M::global_load_dword,
                                  M::global_load_dwordx2, M::global_load_dwordx3, M::global_load_dwordx4};
constexpr AccessOpcodes kStores = {M::global_store_byte,    M::global_store_short,   M::global_store_dword,
                                   M::global_store_dwordx2, M::global_store_dwordx3, M::global_store_dwordx4};

}  // namespace

/// Address plus offset, both for each lane.
Operand Selector::lane_address(Value base, const Operand& offset) {
  const Operand low = temp(mir::kV1), high = temp(mir::kV1), carry = temp(out_.lane_mask_class());
  const Operand unused =
      target_.has_null_sgpr ? Operand::physical(isa::kNull, out_.wave_size / 32) : temp(out_.lane_mask_class());
  const Operand low_defs[] = {low, carry}, high_defs[] = {high, unused};
  Operand low_in[] = {dword(base, 0), offset};
  limit_scalar_sources(M::v_add_co_u32, low_in, target_.vop3_literal);
  emit(M::v_add_co_u32, low_defs, low_in);
  const Operand high_in[] = {Operand::immediate(0), dword(base, 1), carry};
  emit(M::v_add_co_ci_u32, high_defs, high_in);
  const Operand sum = temp(mir::vgpr_class(2));
  emit(M::p_vec, {sum}, {low, high});
  return sum;
}

GlobalAddress Selector::global_address(Value value) {
  const Value base = root(input(value, 0)), offset = root(input(value, 1));
  uint32_t constant_part = function_.access(value).offset;
  const bool known = is_constant(offset) || inst(offset).op == Op::undef;
  if (is_constant(offset)) constant_part += constant(offset);
  GlobalAddress address;
  address.offset = constant_part & static_cast<uint32_t>(target_.global_offset_max);  // a power of two minus one
  const uint32_t rest = constant_part - address.offset;
  const bool uniform = place(base) != Place::vector;
  Operand moved;  // what is to be added to the address
  if (known && (rest != 0 || uniform)) moved = Operand::immediate(rest);
  if (!known && rest == 0) moved = uniform ? vector(offset) : source(offset);
  if (!known && rest != 0) {
    moved = temp(mir::kV1);
    valu(M::v_add_nc_u32, moved, {source(offset), Operand::immediate(rest)});
  }
  if (uniform) {
    address.saddr = scalar_reg(base);
    address.vaddr = moved.is_imm() ? copy_to_vgpr(moved) : moved;
  } else {
    address.vaddr = moved.kind == Operand::Kind::none ? vector(base) : lane_address(base, moved);
  }
  return address;
}

isa::Modifiers Selector::global_modifiers(const GlobalAddress& address) {
  isa::Modifiers mods;
  mods.offset = static_cast<int32_t>(address.offset);
  return mods;
}

void Selector::select_global_load(Value value) {
  const MemoryAccess access = function_.access(value);
  const GlobalAddress address = global_address(value);
  mir::Inst& load = emit(kLoads.of(function_.type(value)), {define(value)}, {address.vaddr, address.saddr});
  isa::Modifiers mods = global_modifiers(address);
  memory_model_.set_load_bits(mods, access_kind(access));
  out_.set_modifiers(load, mods);
  load.memory = (access.flags & ir::kReadOnly) != 0 ? mir::kReadsConstant : mir::kReadsBuffer;
  mark_ordered(access, load);
  complete_volatile(access, mir::kWaitVmLoad);
}

void Selector::select_global_store(Value value) {
  const MemoryAccess access = function_.access(value);
  const Operand stored = vector(input(value, 2));
  const GlobalAddress address = global_address(value);
  mir::Inst& store = emit(kStores.of(stored_type(value)), {}, {address.vaddr, stored, address.saddr});
  isa::Modifiers mods = global_modifiers(address);
  memory_model_.set_store_bits(mods, access_kind(access));
  out_.set_modifiers(store, mods);
  store.memory = mir::kWritesBuffer;
  mark_ordered(access, store);
  complete_volatile(access, mir::kWaitVmStore);
}

/// Compare-and-swap takes (new value, comparator); the old value has a register of its own.
void Selector::select_global_atomic(Value value, M opcode) {
  const MemoryAccess access = function_.access(value);
  const bool returns = locations_[value.index].wanted();
  const Operand data = atomic_data(value);
  const GlobalAddress address = global_address(value);
  const Operand old = returns ? define(value) : Operand();
  const std::span<const Operand> defs(&old, returns ? 1 : 0);
  const Operand uses[] = {address.vaddr, data, address.saddr};
  mir::Inst& atomic = emit(opcode, defs, uses);
  isa::Modifiers mods = global_modifiers(address);
  memory_model_.set_atomic_bits(mods, access_kind(access), returns);
  out_.set_modifiers(atomic, mods);
  atomic.memory = mir::kReadsBuffer | mir::kWritesBuffer;
  mark_ordered(access, atomic);
}

}  // namespace spalt::select
