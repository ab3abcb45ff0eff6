// SPDX-License-Identifier: MIT
#pragma once
#include <array>

#include "amdgpu/isa/opcode.h"
#include "emu/wave/step.h"

namespace spalt::emu {

/// The handler of every opcode that can be executed; nullptr for the others.
class HandlerTable {
 public:
  HandlerTable();
  Handler operator[](isa::Opcode opcode) const { return handlers_[static_cast<size_t>(opcode)]; }
  void set(isa::Opcode opcode, Handler handler) { handlers_[static_cast<size_t>(opcode)] = handler; }

 private:
  std::array<Handler, static_cast<size_t>(isa::Opcode::count)> handlers_{};
};

const HandlerTable& handlers();

// One function per instruction group, each in the file of that name.
void add_sop1(HandlerTable& table);
void add_sop2(HandlerTable& table);
void add_sopk(HandlerTable& table);
void add_sopc(HandlerTable& table);
void add_sopp(HandlerTable& table);
void add_salu_float(HandlerTable& table);
void add_barrier(HandlerTable& table);
void add_smem(HandlerTable& table);
void add_valu_int(HandlerTable& table);
void add_valu_int3(HandlerTable& table);
void add_valu_int16(HandlerTable& table);
void add_valu_carry(HandlerTable& table);
void add_valu_f32(HandlerTable& table);
void add_valu_f16(HandlerTable& table);
void add_valu_f64(HandlerTable& table);
void add_valu_convert(HandlerTable& table);
void add_valu_special(HandlerTable& table);
void add_valu_minimum(HandlerTable& table);
void add_valu_fp8(HandlerTable& table);
void add_gpr_index(HandlerTable& table);
void add_valu_minmax(HandlerTable& table);
void add_valu_mad(HandlerTable& table);
void add_valu_trig(HandlerTable& table);
void add_valu_div(HandlerTable& table);
void add_valu_compare(HandlerTable& table);
void add_valu_lane(HandlerTable& table);
void add_valu_packed(HandlerTable& table);
void add_valu_dot(HandlerTable& table);
void add_ds(HandlerTable& table);
void add_ds_lane(HandlerTable& table);
void add_mubuf(HandlerTable& table);
void add_typed_buffer(HandlerTable& table);
void add_flat(HandlerTable& table);
void add_image_load_store(HandlerTable& table);
void add_image_atomics(HandlerTable& table);
void add_image_queries(HandlerTable& table);
void add_image_sample(HandlerTable& table);
void add_export(HandlerTable& table);
void add_interpolation(HandlerTable& table);

/// Wraps step.inner: permutes source 0 and restricts the lanes written (VOP with DPP16 or DPP8).
void execute_dpp(Wave& wave, const Step& step);
constexpr const char* kAccessesGds = "accesses GDS, which no dispatch has";
/// Why an opcode without a handler is not executed.
const char* why_not_executed(isa::Opcode opcode, const isa::OpcodeInfo& info);
/// Faults with step.reason.
void execute_unsupported(Wave& wave, const Step& step);

}  // namespace spalt::emu
