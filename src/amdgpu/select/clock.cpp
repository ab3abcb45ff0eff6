// SPDX-License-Identifier: MIT
// Clocks: the scalar unit reads them, once for all lanes of a wave.
#include "amdgpu/isa/clock.h"

#include "amdgpu/isa/simm16.h"
#include "amdgpu/select/selector.h"

namespace spalt::select {

Operand Selector::hardware_register(uint8_t number) {
  const Operand result = temp(mir::kS1);
  emit(M::s_getreg_b32, {result}, {}).simm16 = static_cast<int32_t>(isa::kHwregId.at(number) | isa::kHwregWidth.at(31));
  return result;
}

/// The high register may advance between the two reads. Then the low one was 0 in between, a time as good as any other.
void Selector::select_clock_registers(Value value, const isa::Clock& clock) {
  const Operand before = hardware_register(clock.high_register);
  const Operand low = hardware_register(clock.low_register);
  const Operand high = hardware_register(clock.high_register);
  const Operand time = temp(mir::kS1);
  salu_compare(M::s_cmp_eq_u32, before, high);
  salu(M::s_cselect_b32, time, {low, Operand::immediate(0)});
  emit(M::p_vec, {define(value)}, {time, high});
}

void Selector::select_read_clock(Value value) {
  const isa::Clock& clock = inst(value).imm == 0 ? isa::wave_clock(target_) : isa::device_clock(target_);
  if (clock.opcode == isa::Opcode::invalid) return select_clock_registers(value, clock);
  if (clock.message != 0) {
    emit(mir::from_isa(clock.opcode), {define(value)}, {Operand::immediate(clock.message)});
  } else {
    emit(mir::from_isa(clock.opcode), {define(value)}, {});
  }
}

}  // namespace spalt::select
