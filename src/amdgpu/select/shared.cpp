// SPDX-License-Identifier: MIT
// Workgroup memory (LDS).
#include "amdgpu/select/selector.h"
#include "base/ice.h"

namespace spalt::select {
namespace {

constexpr uint32_t kOffsetLimit = 0xffff;

M sized(unsigned dwords, M b32, M b64, M b96, M b128) {
  switch (dwords) {
    case 1:
      return b32;
    case 2:
      return b64;
    case 3:
      return b96;
    case 4:
      return b128;
    default:
      SPALT_ICE("a workgroup memory access is wider than lowering leaves it");
  }
}

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
  const M opcode = sized(dwords(value), M::ds_read_b32, M::ds_read_b64, M::ds_read_b96, M::ds_read_b128);
  mir::Inst& load = emit(opcode, {define(value)}, {address});
  out_.set_offset(load, static_cast<int32_t>(immediate));
  load.memory = mir::kReadsShared;
  mark_ordered(function_.access(value), load);
}

void Selector::select_shared_store(Value value) {
  const Value data = input(value, 1);
  const Operand stored = vector(data);
  uint32_t immediate = 0;
  const Operand address = shared_address(input(value, 0), function_.access(value).offset, immediate);
  const M opcode = sized(dwords(data), M::ds_write_b32, M::ds_write_b64, M::ds_write_b96, M::ds_write_b128);
  mir::Inst& store = emit(opcode, {}, {address, stored});
  out_.set_offset(store, static_cast<int32_t>(immediate));
  store.memory = mir::kWritesShared;
  mark_ordered(function_.access(value), store);
}

}  // namespace spalt::select
