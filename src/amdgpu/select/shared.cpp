// SPDX-License-Identifier: MIT
// Workgroup memory (LDS).
#include "amdgpu/select/selector.h"

namespace spalt::select {
namespace {

constexpr uint32_t kOffsetLimit = 0xffff;

constexpr AccessOpcodes kLoads = {M::ds_read_u8,  M::ds_read_u16, M::ds_read_b32,
                                  M::ds_read_b64, M::ds_read_b96, M::ds_read_b128};
constexpr AccessOpcodes kStores = {M::ds_write_b8,  M::ds_write_b16, M::ds_write_b32,
                                   M::ds_write_b64, M::ds_write_b96, M::ds_write_b128};

}  // namespace

/// LDS addresses are per lane; the constant part fits the 16-bit offset, because LDS has 64 KiB.
Operand Selector::shared_address(Value offset, uint32_t constant_part, uint32_t& offset_out) {
  offset = root(offset);
  while (inst(offset).op == Op::iadd && (inst(offset).flags & ir::kNoUnsignedWrap) != 0 &&
         is_constant(input(offset, 1))) {
    constant_part += constant(input(offset, 1));
    offset = input(offset, 0);
  }
  if (is_constant(offset)) {
    const uint32_t total = constant_part + constant(offset);
    offset_out = total <= kOffsetLimit ? total : 0;
    return copy_to_vgpr(Operand::immediate(total - offset_out));
  }
  if (constant_part <= kOffsetLimit) {
    offset_out = constant_part;
    return vector(offset);
  }
  offset_out = 0;
  const Operand sum = temp(mir::kV1);
  valu(M::v_add_nc_u32, sum, {Operand::immediate(constant_part), vector(offset)});
  return sum;
}

void Selector::select_shared_load(Value value) {
  uint32_t immediate = 0;
  const Operand address = shared_address(input(value, 0), function_.access(value).offset, immediate);
  mir::Inst& load = emit(kLoads.of(function_.type(value)), {define(value)}, {address});
  out_.set_offset(load, static_cast<int32_t>(immediate));
  load.memory = mir::kReadsShared;
  mark_ordered(function_.access(value), load);
}

void Selector::select_shared_store(Value value) {
  const Value data = input(value, 1);
  const Operand stored = vector(data);
  uint32_t immediate = 0;
  const Operand address = shared_address(input(value, 0), function_.access(value).offset, immediate);
  mir::Inst& store = emit(kStores.of(stored_type(value)), {}, {address, stored});
  out_.set_offset(store, static_cast<int32_t>(immediate));
  store.memory = mir::kWritesShared;
  mark_ordered(function_.access(value), store);
}

}  // namespace spalt::select
