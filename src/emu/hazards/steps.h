// SPDX-License-Identifier: MIT
// Questions about a step that hazard rules ask, and the registers that they compare. All of them are asked when a
// program is loaded; those that return registers also where a rule waits for something.
#pragma once
#include "amdgpu/isa/waitcnt.h"
#include "emu/hazards/rules.h"

namespace spalt::emu::hazard {

bool is_any(const Step&, const isa::Target&);
bool is_vector(const Step& step, const isa::Target&);
bool is_scalar(const Step& step, const isa::Target&);
bool is_scalar_memory(const Step& step, const isa::Target&);
/// buffer, image, flat, global and scratch instructions that have registers
bool is_vector_memory(const Step& step, const isa::Target&);
bool is_lds(const Step& step, const isa::Target&);
bool is_export(const Step& step, const isa::Target&);
/// Instructions of the FLAT segment, not global and scratch ones.
bool is_flat(const Step& step);
/// An image instruction with a list of addresses of so many dwords, four registers each.
bool has_address_list(const Step& step, unsigned dwords);
bool is_relative_branch(const Step& step, const isa::Target&);
bool vector_writes_exec(const Step& step, const isa::Target& target);
template <isa::Hazard kHazard>
bool exists(const isa::Target& target) {
  return target.has(kHazard);
}
template <isa::Opcode... kOpcodes>
bool is(const Step& step, const isa::Target&) {
  return ((step.inst.opcode == kOpcodes) || ...);
}

/// Instructions that wait until all vector instructions before have written their results: exports and memory do so
/// themselves.
bool waits_for_vector_results(const Step& step, const isa::Target&);

// Fields of s_waitcnt_depctr (s_wait_alu), named as in its text.
bool waits_for_vm_vsrc(const Step& step);
/// Calls and returns: LLVM looks for no hazard past them (docs/isa-errata.md, "Hazards that the sources see
/// differently").
bool jumps_to_register(const Step& step);
bool waits_for_sa_sdst(const Step& step);
bool waits_for_va_vdst(const Step& step);

/// Counters that the instruction waits for to become 0.
struct ZeroCounts {
  bool vm = false, vs = false, lgkm = false;
};
ZeroCounts waits_for_zero(const Step& step, const isa::Target& target);

// ---- registers, by isa::Reg number ----
void vgprs_read(const Step& step, RegList& list);
void vgprs_written(const Step& step, RegList& list);
void vgprs_used(const Step& step, RegList& list);
/// Without exec.
void scalars_read(const Step& step, RegList& list);
/// With exec, which vector and memory instructions read without naming it.
void scalars_and_exec_read(const Step& step, RegList& list);
/// Those that stand in the instruction.
void scalars_named_as_result(const Step& step, RegList& list);
/// With vcc and exec where the instruction writes them without naming them.
void scalars_written(const Step& step, RegList& list);
/// The VGPRs of more than 64 bits of data that a memory instruction stores.
void wide_store_data(const Step& step, RegList& list);
/// The lane number of v_readlane and v_writelane.
void lane_select(const Step& step, RegList& list);
/// The lane mask of v_cndmask, carries and v_div_fmas; not exec.
void lane_mask_read(const Step& step, RegList& list);
/// The register of s_setreg and s_getreg.
void hardware_register(const Step& step, RegList& list);

bool writes_scalar(const Step& step, unsigned first, unsigned count);
bool reads_operand(const Step& step, isa::Reg reg);

}  // namespace spalt::emu::hazard
