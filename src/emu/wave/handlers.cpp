// SPDX-License-Identifier: MIT
#include "emu/wave/handlers.h"

#include "emu/wave/wave.h"

namespace spalt::emu {

HandlerTable::HandlerTable() {
  add_sop1(*this);
  add_sop2(*this);
  add_sopk(*this);
  add_sopc(*this);
  add_sopp(*this);
  add_salu_float(*this);
  add_barrier(*this);
  add_smem(*this);
  add_valu_int(*this);
  add_valu_int3(*this);
  add_valu_int16(*this);
  add_valu_carry(*this);
  add_valu_f32(*this);
  add_valu_f16(*this);
  add_valu_f64(*this);
  add_valu_convert(*this);
  add_valu_special(*this);
  add_valu_minimum(*this);
  add_valu_fp8(*this);
  add_gpr_index(*this);
  add_valu_minmax(*this);
  add_valu_mad(*this);
  add_valu_trig(*this);
  add_valu_div(*this);
  add_valu_compare(*this);
  add_valu_lane(*this);
  add_valu_packed(*this);
  add_valu_dot(*this);
  add_ds(*this);
  add_ds_lane(*this);
  add_mubuf(*this);
  add_typed_buffer(*this);
  add_flat(*this);
  add_image_load_store(*this);
  add_image_atomics(*this);
  add_image_queries(*this);
  add_image_sample(*this);
  add_export(*this);
  add_interpolation(*this);
}

const HandlerTable& handlers() {
  static const HandlerTable table;
  return table;
}

const char* why_not_executed(isa::Opcode opcode, const isa::OpcodeInfo& info) {
  if (info.has(isa::kGdsOnly)) return kAccessesGds;
  switch (opcode) {
    // LLVM 19 assembles them for gfx12; RDNA 4 ISA guide, section 5.6, and LLVM 21 know none there.
    case isa::Opcode::s_barrier_init:
    case isa::Opcode::s_barrier_join:
    case isa::Opcode::s_barrier_leave:
    case isa::Opcode::s_wakeup_barrier:
      return "is reserved: the processor has no named barriers";
    default:
      return "is not executed by the emulator";
  }
}

void execute_unsupported(Wave& wave, const Step& step) {
  wave.fault(FaultKind::invalid_instruction, step.reason);
}

}  // namespace spalt::emu
