// SPDX-License-Identifier: MIT
// Buffers, constant memory and scratch.
#include <algorithm>
#include <bit>

#include "amdgpu/select/selector.h"
#include "analysis/alias.h"
#include "base/ice.h"

namespace spalt::select {

using ir::MemoryAccess;
using ir::StorageClass;
using mir::kS1;

namespace {

M scalar_load_opcode(unsigned dwords, bool buffer) {
  switch (dwords) {
    case 1:
      return buffer ? M::s_buffer_load_dword : M::s_load_dword;
    case 2:
      return buffer ? M::s_buffer_load_dwordx2 : M::s_load_dwordx2;
    case 4:
      return buffer ? M::s_buffer_load_dwordx4 : M::s_load_dwordx4;
    case 8:
      return buffer ? M::s_buffer_load_dwordx8 : M::s_load_dwordx8;
    default:
      return buffer ? M::s_buffer_load_dwordx16 : M::s_load_dwordx16;
  }
}

constexpr AccessOpcodes kConstantLoads = {M::global_load_ubyte,   M::global_load_ushort,  M::global_load_dword,
                                          M::global_load_dwordx2, M::global_load_dwordx3, M::global_load_dwordx4};
constexpr AccessOpcodes kBufferLoads = {M::buffer_load_ubyte,   M::buffer_load_ushort,  M::buffer_load_dword,
                                        M::buffer_load_dwordx2, M::buffer_load_dwordx3, M::buffer_load_dwordx4};
constexpr AccessOpcodes kBufferStores = {M::buffer_store_byte,    M::buffer_store_short,   M::buffer_store_dword,
                                         M::buffer_store_dwordx2, M::buffer_store_dwordx3, M::buffer_store_dwordx4};
// Wider ones are split.
constexpr AccessOpcodes kScratchLoads = {M::scratch_load_ubyte, M::scratch_load_ushort, M::scratch_load_dword};
constexpr AccessOpcodes kScratchStores = {M::scratch_store_byte, M::scratch_store_short, M::scratch_store_dword};

/// How far an atomic access reaches is its scope's business; volatile only keeps it from being left out.
bool is_plain_volatile(const MemoryAccess& access) {
  return (access.flags & ir::kVolatile) != 0 && access.order == ir::MemoryOrder::none;
}

/// Reads memory at an address, without a descriptor.
bool is_addressed(const MemoryAccess& access) {
  return ir::has_address(access.storage) || access.storage == StorageClass::table;
}

}  // namespace

M AccessOpcodes::of(ir::Type data) const {
  const M by_dwords[] = {x1, x2, x3, x4};
  const unsigned bits = data.bits();
  const M opcode = bits == 8                       ? byte
                   : bits == 16                    ? half
                   : bits % 32 == 0 && bits <= 128 ? by_dwords[bits / 32 - 1]
                                                   : M::invalid;
  if (opcode == M::invalid) SPALT_ICE("a memory access is wider than lowering leaves it");
  return opcode;
}

/// What makes an access more than a private matter of its invocation.
AccessKind Selector::access_kind(const MemoryAccess& access) const {
  const bool shared = (access.flags & (ir::kCoherent | ir::kMakeVisible | ir::kMakeAvailable)) != 0 ||
                      access.order != ir::MemoryOrder::none;
  AccessKind kind;
  if (shared) kind.reach = reach(access.scope);
  kind.is_volatile = is_plain_volatile(access);
  kind.non_temporal = (access.flags & ir::kNonTemporal) != 0;
  return kind;
}

isa::Modifiers Selector::buffer_modifiers(const BufferAddress& address) {
  isa::Modifiers mods;
  mods.offset = static_cast<int32_t>(address.offset);
  mods.offen = address.vaddr.is_vreg();
  return mods;
}

/// Nothing in memory moves across an access with an order, or a volatile one.
void Selector::mark_ordered(const MemoryAccess& access, mir::Inst& inst) {
  const bool ordered = access.order > ir::MemoryOrder::relaxed || (access.flags & ir::kVolatile) != 0;
  if (ordered) inst.memory |= mir::kOrdersMemory;
}

/// A volatile access has happened before anything that follows.
void Selector::complete_volatile(const MemoryAccess& access, mir::WaitBit counter) {
  if (!is_plain_volatile(access)) return;
  mir::Inst& wait = emit(M::p_wait, {}, {});
  wait.simm16 = counter;
  wait.memory = mir::kOrdersMemory;
}

// Addresses ----------------------------------------------------------------------------------------------------------

/// Splits base + constant over the vector and the immediate part of a buffer address. The scalar part stays unused: the
/// bounds check leaves it out, and so does the swizzle of scratch (LLVM, AMDGPU raw buffer intrinsics). Sums in the IR
/// wrap at 32 bits and sums in the address unit may not, so an addition is only taken apart where SPIR-V says that it
/// does not wrap.
BufferAddress Selector::buffer_address(Value offset, uint32_t constant_part, uint32_t largest) {
  offset = root(offset);
  while (inst(offset).op == Op::iadd && (inst(offset).flags & ir::kNoUnsignedWrap) != 0 &&
         is_constant(input(offset, 1))) {
    constant_part += constant(input(offset, 1));
    offset = input(offset, 0);
  }
  const bool known = is_constant(offset) || inst(offset).op == Op::undef;
  if (is_constant(offset)) constant_part += constant(offset);
  BufferAddress address;
  address.offset = constant_part & largest;  // a power of two minus one
  const uint32_t rest = constant_part - address.offset;
  if (known) {
    if (rest != 0) address.vaddr = copy_to_vgpr(Operand::immediate(rest));
  } else if (rest == 0) {
    address.vaddr = vector(offset);
  } else {
    address.vaddr = temp(mir::kV1);
    valu(M::v_add_nc_u32, address.vaddr, {source(offset), Operand::immediate(rest)});
  }
  return address;
}

uint32_t Selector::largest_buffer_offset() const {
  return static_cast<uint32_t>(target_.mubuf_offset_max);
}

/// The scalar offset of a buffer instruction that has none.
Operand Selector::no_scalar_offset() const {
  return target_.soffset_is_register ? Operand() : Operand::immediate(0);
}

/// A buffer descriptor in SGPRs. Lowering made its index uniform; where only the module's promise says so, the moves to
/// SGPRs take the first lane's.
Operand Selector::descriptor(Value value) {
  return scalar_reg(value);
}

/// The 64-bit address of constant memory. A 32-bit one is the low half of an address in the window of the program
/// (docs/abi/pal.md#root-layout).
Operand Selector::address_pair(Value base) {
  base = root(base);
  if (dwords(base) == 2) return scalar_reg(base);
  const uint32_t at = location_of(base);
  if (place(base) != Place::scalar) {
    const Operand pair = temp(mir::kS2);
    const Operand low = scalar_reg(base);
    emit(M::p_vec, {pair}, {low, address_high()});
    return pair;
  }
  reg(base);
  if (!locations_[at].pair.valid()) locations_[at].pair = out_.create_vreg(mir::kS2);
  address_high();
  return out_.use(locations_[at].pair);
}

/// The address of the constant tables, which the prolog makes.
Operand Selector::table_address() {
  if (!table_address_.valid()) table_address_ = out_.create_vreg(mir::kS2);
  pc_high();
  return out_.use(table_address_);
}

/// What the offset of a load of read-only memory counts from.
Operand Selector::constant_base(Value load) {
  return function_.access(load).storage == StorageClass::table ? table_address() : address_pair(input(load, 0));
}

Operand Selector::pc_high() {
  if (!pc_high_.valid()) pc_high_ = out_.create_vreg(kS1);
  return out_.use(pc_high_);
}

/// What completes 32-bit pointers.
Operand Selector::address_high() {
  return config_.address_high ? Operand::immediate(*config_.address_high) : pc_high();
}

// Loads --------------------------------------------------------------------------------------------------------------

void Selector::select_load(Value value) {
  if (facts_.is_scalar_load(value)) return select_scalar_load(value);
  switch (function_.access(value).storage) {
    case StorageClass::uniform:
    case StorageClass::storage:
      return select_buffer_load(value);
    case StorageClass::global:
      return select_global_load(value);
    case StorageClass::constant:
    case StorageClass::table:
      return select_constant_load(value);
    case StorageClass::shared:
      return select_shared_load(value);
    case StorageClass::scratch:
      return select_scratch_load(value);
    case StorageClass::push:
      SPALT_ICE("push constants should have been lowered");
    case StorageClass::image:
      SPALT_ICE("a load of an image");
  }
}

/// Scalar loads come in powers of two. Three dwords of a buffer are loaded as four, since its descriptor limits the
/// access; at a bare address nothing says that the fourth exists.
void Selector::select_scalar_load(Value value) {
  const MemoryAccess access = function_.access(value);
  const bool buffer = !is_addressed(access);
  const Operand base = buffer ? descriptor(input(value, 0)) : constant_base(value);
  const Value offset = input(value, analysis::offset_index(access));
  uint32_t constant_part = access.offset + (is_constant(offset) ? constant(offset) : 0);
  const unsigned size = dwords(value);
  Operand soffset;
  if (!is_constant(offset) && inst(offset).op != Op::undef) soffset = scalar_reg(offset);
  const uint32_t last = constant_part + size * 4;
  if (constant_part > static_cast<uint32_t>(target_.smem_offset_max) ||
      last > static_cast<uint32_t>(target_.smem_offset_max)) {
    const Operand sum = temp(kS1);
    if (soffset.kind == Operand::Kind::none) {
      emit(M::s_mov_b32, {sum}, {Operand::immediate(constant_part)});
    } else {
      salu(M::s_add_u32, sum, {soffset, Operand::immediate(constant_part)});
    }
    soffset = sum;
    constant_part = 0;
  }
  SmallVector<Operand, 16> parts;
  for (unsigned at = 0; at < size;) {
    const unsigned rest = size - at;
    unsigned count = std::min(16u, std::bit_floor(rest));
    if (buffer && rest == 3) count = 4;
    const bool whole = at == 0 && count == size;
    const Operand loaded = whole ? define(value) : temp(mir::sgpr_class(count));
    mir::Inst& load = emit(scalar_load_opcode(count, buffer), {loaded}, {base, soffset});
    out_.set_offset(load, static_cast<int32_t>(constant_part + at * 4));
    load.memory = mir::kReadsConstant;
    if (count > rest) {
      const Operand unused = temp(mir::sgpr_class(count - rest));
      const Operand kept = at == 0 ? define(value) : temp(mir::sgpr_class(rest));
      emit(M::p_split, {kept, unused}, {loaded});
      if (at != 0) parts.push_back(kept);
    } else if (!whole) {
      parts.push_back(loaded);
    }
    at += count;
  }
  const Operand tuple = define(value);
  if (!parts.empty()) emit(M::p_vec, std::span<const Operand>(&tuple, 1), parts.span());
}

/// Constant memory or the constant tables at a per-lane offset.
void Selector::select_constant_load(Value value) {
  const MemoryAccess access = function_.access(value);
  const Operand base = constant_base(value);
  Operand offset = vector(input(value, analysis::offset_index(access)));
  int32_t immediate = static_cast<int32_t>(access.offset);
  if (access.offset > static_cast<uint32_t>(target_.global_offset_max)) {
    const Operand sum = temp(mir::kV1);
    valu(M::v_add_nc_u32, sum, {Operand::immediate(access.offset), offset});
    offset = sum;
    immediate = 0;
  }
  mir::Inst& load = emit(kConstantLoads.of(function_.type(value)), {define(value)}, {offset, base});
  out_.set_offset(load, immediate);
  load.memory = mir::kReadsConstant;
}

void Selector::select_buffer_load(Value value) {
  const MemoryAccess access = function_.access(value);
  const Operand resource = descriptor(input(value, 0));
  const BufferAddress address = buffer_address(input(value, 1), access.offset, largest_buffer_offset());
  const M opcode = kBufferLoads.of(function_.type(value));
  mir::Inst& load = emit(opcode, {define(value)}, {address.vaddr, resource, no_scalar_offset()});
  isa::Modifiers mods = buffer_modifiers(address);
  memory_model_.set_load_bits(mods, access_kind(access));
  out_.set_modifiers(load, mods);
  const bool constant_memory = access.storage == StorageClass::uniform || (access.flags & ir::kReadOnly) != 0;
  load.memory = constant_memory ? mir::kReadsConstant : mir::kReadsBuffer;
  mark_ordered(access, load);
  complete_volatile(access, mir::kWaitVmLoad);
}

// Stores -------------------------------------------------------------------------------------------------------------

void Selector::select_store(Value value) {
  switch (function_.access(value).storage) {
    case StorageClass::storage:
      return select_buffer_store(value);
    case StorageClass::global:
      return select_global_store(value);
    case StorageClass::shared:
      return select_shared_store(value);
    case StorageClass::scratch:
      return select_scratch_store(value);
    default:
      SPALT_ICE("a store to memory that is read only");
  }
}

void Selector::select_buffer_store(Value value) {
  const MemoryAccess access = function_.access(value);
  const Value data = input(value, 2);
  const Operand stored = vector(data);
  const Operand resource = descriptor(input(value, 0));
  const BufferAddress address = buffer_address(input(value, 1), access.offset, largest_buffer_offset());
  const M opcode = kBufferStores.of(stored_type(value));
  mir::Inst& store = emit(opcode, {}, {stored, address.vaddr, resource, no_scalar_offset()});
  isa::Modifiers mods = buffer_modifiers(address);
  memory_model_.set_store_bits(mods, access_kind(access));
  out_.set_modifiers(store, mods);
  store.memory = mir::kWritesBuffer;
  mark_ordered(access, store);
  complete_volatile(access, mir::kWaitVmStore);
}

// Scratch ------------------------------------------------------------------------------------------------------------

Operand Selector::scratch_descriptor() {
  return Operand::physical(out_.scratch_descriptor, 4);
}

/// Scratch of one lane, through the descriptor or, where the hardware knows the wave's part, by scratch instructions.
void Selector::scratch_access(ir::Type type, std::span<const Operand> result, std::span<const Operand> data,
                              Value offset, uint32_t constant_part) {
  const bool store = result.empty(), flat = target_.architected_flat_scratch;
  const int32_t largest = flat ? target_.scratch_offset_max : target_.mubuf_offset_max;
  const BufferAddress address = buffer_address(offset, constant_part, static_cast<uint32_t>(largest));
  SmallVector<Operand, 4> uses(data);
  uses.push_back(address.vaddr);
  if (flat) {
    if (store) std::swap(uses[0], uses[1]);
    uses.push_back(Operand());
  } else {
    uses.push_back(scratch_descriptor());
    uses.push_back(Operand::immediate(0));
  }
  const AccessOpcodes& opcodes =
      flat ? (store ? kScratchStores : kScratchLoads) : (store ? kBufferStores : kBufferLoads);
  mir::Inst& access = emit(opcodes.of(type), result, uses.span());
  isa::Modifiers mods = buffer_modifiers(address);
  if (flat) mods.offen = false;
  out_.set_modifiers(access, mods);
  access.memory = store ? mir::kWritesScratch : mir::kReadsScratch;
}

void Selector::select_scratch_load(Value value) {
  const Operand loaded = define(value);
  scratch_access(function_.type(value), {&loaded, 1}, {}, input(value, 0), function_.access(value).offset);
}

void Selector::select_scratch_store(Value value) {
  const Operand stored = vector(input(value, 1));
  scratch_access(stored_type(value), {}, {&stored, 1}, input(value, 0), function_.access(value).offset);
}

}  // namespace spalt::select
