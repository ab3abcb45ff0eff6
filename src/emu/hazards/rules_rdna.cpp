// SPDX-License-Identifier: MIT
// Hazards of GFX10, GFX11 and GFX12. docs/emulator-hazards.md lists the rules by name; docs/isa-errata.md, "Hazards",
// tells how they were found and where the sources disagree.
#include "emu/hazards/steps.h"
#include "emu/hazards/tables.h"

namespace spalt::emu {
namespace {

using isa::Format;
using isa::Hazard;
using isa::Target;
using Op = isa::Opcode;
using namespace hazard;

constexpr const char* kRecognizer = "LLVM 19, GCNHazardRecognizer; ACO agrees";

// ---- GFX10 ----

bool is_float_atomic(const Step& step, const Target& target) {
  if (!is_vector_memory(step, target) || (step.flags & isa::kAtomic) == 0) return false;
  const isa::OpcodeInfo& info = isa::info(step.inst.opcode);
  const isa::OperandType type = info.dst_count != 0 ? info.dst[0].type : isa::OperandType::none;
  return type == isa::OperandType::f16 || type == isa::OperandType::f32 || type == isa::OperandType::f64 ||
         type == isa::OperandType::f16x2;
}
bool is_vector_or_wait(const Step& step, const Target& target) {
  return is_vector(step, target) || is<Op::s_waitcnt, Op::s_waitcnt_vmcnt, Op::s_waitcnt_vscnt, Op::s_waitcnt_lgkmcnt,
                                       Op::s_waitcnt_expcnt, Op::s_wait_idle>(step, target);
}

/// Two dwords or more after the instruction's own.
bool has_long_list(const Step& step, const Target&) {
  return has_address_list(step, 2);
}
bool has_list(const Step& step, const Target&) {
  return has_address_list(step, 1);
}
bool is_writelane(const Step& step, const Target& target) {
  return is<Op::v_writelane_b32>(step, target);
}
bool scalar_writes_exec(const Step& step, const Target& target) {
  return is_scalar(step, target) && writes_scalar(step, isa::kExec.number, 2);
}

bool loads_from_memory(const Step& step, const Target& target) {
  return is_vector_memory(step, target) && step.has_dst;
}
bool stores_to_memory(const Step& step, const Target& target) {
  return is_vector_memory(step, target) && !step.has_dst;
}
bool is_lds_or_flat(const Step& step, const Target& target) {
  return is_lds(step, target) || is_flat(step);
}
bool scalar_or_its_memory(const Step& step, const Target& target) {
  return is_scalar(step, target) || is_scalar_memory(step, target);
}
bool vector_or_vm_vsrc(const Step& step, const Target& target) {
  return is_vector(step, target) || waits_for_vm_vsrc(step);
}
bool loads_have_read(const Step& step, const Target& target) {
  return vector_or_vm_vsrc(step, target) || waits_for_zero(step, target).vm;
}
bool stores_have_read(const Step& step, const Target& target) {
  return vector_or_vm_vsrc(step, target) || waits_for_zero(step, target).vs;
}
bool lds_has_read(const Step& step, const Target& target) {
  return vector_or_vm_vsrc(step, target) || waits_for_zero(step, target).lgkm;
}
/// A scalar instruction either does not depend on the load or comes after a wait for it.
bool scalar_memory_has_read(const Step& step, const Target& target) {
  if (is<Op::s_setvskip, Op::s_version, Op::s_waitcnt_vscnt, Op::s_waitcnt_vmcnt, Op::s_waitcnt_expcnt,
         Op::s_waitcnt_lgkmcnt>(step, target) ||
      step.inst.format == Format::sopp) {
    return waits_for_zero(step, target).lgkm;
  }
  return is_scalar(step, target);
}
bool reads_exec_outside_vector(const Step& step, const Target& target) {
  if (is_vector(step, target)) return false;
  return is_vector_memory(step, target) || is_lds(step, target) || is_export(step, target) ||
         (step.flags & isa::kReadsExec) != 0 || reads_operand(step, isa::kExec) || reads_operand(step, isa::kExecHi) ||
         reads_operand(step, isa::kExecz);
}
bool vector_writes_scalar_or_sa_sdst(const Step& step, const Target& target) {
  RegList list;
  if (is_vector(step, target)) scalars_written(step, list);
  return !list.empty() || waits_for_sa_sdst(step);
}
/// Not what goes through flat instructions; but cache control, which LLVM and ACO count (docs/isa-errata.md).
bool is_segment_memory(const Step& step, const Target&) {
  return (step.flags & isa::kVmem) != 0 && !is_flat(step);
}
bool waits_for_stores(const Step& step, const Target& target) {
  return is<Op::s_waitcnt_vscnt, Op::s_wait_idle>(step, target) && waits_for_zero(step, target).vs;
}
bool lds_branch_ends(const Step& step, const Target& target) {
  return is_segment_memory(step, target) || is_lds(step, target) || waits_for_stores(step, target);
}
bool segment_memory_or_wait(const Step& step, const Target& target) {
  return is_segment_memory(step, target) || waits_for_stores(step, target);
}
bool lds_or_wait(const Step& step, const Target& target) {
  return is_lds(step, target) || waits_for_stores(step, target);
}

// ---- GFX10.1 and GFX11 on ----

bool is_permlane(const Step& step, const Target& target) {
  return is<Op::v_permlane16_b32, Op::v_permlanex16_b32, Op::v_permlane64_b32, Op::v_permlane16_var_b32,
            Op::v_permlanex16_var_b32>(step, target);
}
bool is_vector_but_nop(const Step& step, const Target& target) {
  return is_vector(step, target) && !is<Op::v_nop>(step, target);
}
bool is_transcendental(const Step& step, const Target& target) {
  return is_vector(step, target) && (step.flags & isa::kTranscendental) != 0;
}
bool is_lds_direct(const Step& step, const Target&) {
  return step.inst.format == Format::ldsdir;
}
uint8_t tolerated_by_lds_direct(const Step& step) {
  return step.inst.mods.wait_va_vdst;
}
bool lds_direct_without_wait(const Step& step, const Target& target) {
  // Before GFX12 the field does not exist and is 0, and the instruction never waits by itself.
  const bool waits = target.has(Hazard::lds_direct_waits) && !step.inst.mods.wait_vm_vsrc;
  return is_lds_direct(step, target) && !waits;
}
bool is_memory_with_vgprs(const Step& step, const Target& target) {
  return is_vector_memory(step, target) || is_lds(step, target);
}
bool memory_has_used_vgprs(const Step& step, const Target& target) {
  const ZeroCounts zero = waits_for_zero(step, target);
  return is_vector(step, target) || is_export(step, target) || waits_for_vm_vsrc(step) ||
         (is<Op::s_waitcnt>(step, target) && zero.vm && zero.lgkm && step.imm == 0) ||
         (target.has(Hazard::lds_direct_waits) && is_lds_direct(step, target) && !step.inst.mods.wait_vm_vsrc);
}
bool reads_lane_mask(const Step& step, const Target& target) {
  RegList list;
  if (is_vector(step, target)) lane_mask_read(step, list);
  return !list.empty();
}
bool vector_reads_scalar_or_sa_sdst(const Step& step, const Target& target) {
  if (!is_vector(step, target)) return waits_for_sa_sdst(step);
  for (const isa::Operand& operand : step.inst.src) {
    if (operand.kind == isa::OperandKind::literal) return true;
    if (operand.is_reg() && operand.reg < isa::kExec) return true;
  }
  return (step.flags & isa::kReadsVcc) != 0;
}
bool scalar_or_vector(const Step& step, const Target& target) {
  return is_scalar(step, target) || is_vector(step, target);
}
bool sa_sdst(const Step& step, const Target&) {
  return waits_for_sa_sdst(step);
}

constexpr HazardRule kRdnaRules[] = {
    {.name = "FloatAtomicToDenormMode",
     .what = "sets the denormal mode of a float atomic that may not have seen the old one",
     .cure = "3 wait states, a vector instruction or a wait for a counter between",
     .source = "LLVM 19, GCNHazardRecognizer",
     .exists = exists<Hazard::float_atomic_to_denorm_mode>,
     .first = is_float_atomic,
     .second = is<Op::s_denorm_mode>,
     .resolved_by = is_vector_or_wait,
     .wait_states = 3},

    {.name = "VMEMtoScalarWrite",
     .what = "writes a scalar register that a vector load may have yet to read",
     .cure = "s_waitcnt_depctr 0xffe3, a vector instruction or vmcnt(0) between",
     .source = kRecognizer,
     .exists = exists<Hazard::vmem_to_scalar_write>,
     .first = loads_from_memory,
     .first_registers = scalars_and_exec_read,
     .second = scalar_or_its_memory,
     .second_registers = scalars_named_as_result,
     .resolved_by = loads_have_read},
    {.name = "VMEMtoScalarWrite",
     .what = "writes a scalar register that a vector store may have yet to read",
     .cure = "s_waitcnt_depctr 0xffe3, a vector instruction or vscnt(0) between",
     .source = kRecognizer,
     .exists = exists<Hazard::vmem_to_scalar_write>,
     .first = stores_to_memory,
     .first_registers = scalars_and_exec_read,
     .second = scalar_or_its_memory,
     .second_registers = scalars_named_as_result,
     .resolved_by = stores_have_read},
    {.name = "VMEMtoScalarWrite",
     .what = "writes a scalar register that an LDS or flat instruction may have yet to read",
     .cure = "s_waitcnt_depctr 0xffe3, a vector instruction or lgkmcnt(0) between",
     .source = kRecognizer,
     .exists = exists<Hazard::vmem_to_scalar_write>,
     .first = is_lds_or_flat,
     .first_registers = scalars_and_exec_read,
     .second = scalar_or_its_memory,
     .second_registers = scalars_named_as_result,
     .resolved_by = lds_has_read},
    {.name = "SMEMtoVectorWrite",
     .what = "is a vector instruction and writes a scalar register that scalar memory may have yet to read",
     .cure = "a scalar instruction (s_mov_b32 null, 0) or lgkmcnt(0) between",
     .source = kRecognizer,
     .exists = exists<Hazard::smem_to_vector_write>,
     .first = is_scalar_memory,
     .first_registers = scalars_read,
     .second = is_vector,
     .second_registers = scalars_written,
     .resolved_by = scalar_memory_has_read},
    {.name = "VcmpxExecWAR",
     .what = "is a vector instruction and writes the exec that another kind of instruction may have yet to read",
     .cure = "s_waitcnt_depctr 0xfffe or a vector instruction that writes a scalar register between",
     .source = kRecognizer,
     .exists = exists<Hazard::vcmpx_exec_war>,
     .first = reads_exec_outside_vector,
     .second = vector_writes_exec,
     .resolved_by = vector_writes_scalar_or_sa_sdst},
    {.name = "LdsBranchVmemWAR",
     .what = "LDS instruction and branch before vector memory",
     .cure = "s_waitcnt_vscnt null, 0 between",
     .source = kRecognizer,
     .exists = exists<Hazard::lds_branch_vmem_war>,
     .first = is_lds,
     .second = is_relative_branch,
     .resolved_by = segment_memory_or_wait,
     .leads_on = true},
    {.name = "LdsBranchVmemWAR",
     .what = "accesses vector memory, with only a branch since an LDS instruction",
     .cure = "s_waitcnt_vscnt null, 0 between",
     .source = kRecognizer,
     .exists = exists<Hazard::lds_branch_vmem_war>,
     .second = is_segment_memory,
     .resolved_by = lds_branch_ends},
    {.name = "LdsBranchVmemWAR",
     .what = "vector memory and branch before an LDS instruction",
     .cure = "s_waitcnt_vscnt null, 0 between",
     .source = kRecognizer,
     .exists = exists<Hazard::lds_branch_vmem_war>,
     .first = is_segment_memory,
     .second = is_relative_branch,
     .resolved_by = lds_or_wait,
     .leads_on = true},
    {.name = "LdsBranchVmemWAR",
     .what = "accesses LDS, with only a branch since vector memory",
     .cure = "s_waitcnt_vscnt null, 0 between",
     .source = kRecognizer,
     .exists = exists<Hazard::lds_branch_vmem_war>,
     .second = is_lds,
     .resolved_by = lds_branch_ends},

    {.name = "WritelaneToNSA",
     .what = "is an image instruction with a list of addresses right after v_writelane",
     .cure = "another instruction (s_nop 0) between",
     .source = "ACO, waNsaCannotFollowWritelane",
     .exists = exists<Hazard::writelane_to_nsa>,
     .first = is_writelane,
     .second = has_list,
     .wait_states = 1},
    {.name = "SALUWriteEXECToNSA",
     .what = "is an image instruction with a long list of addresses right after a scalar write of exec",
     .cure = "another instruction (s_nop 0) between",
     .source = "ACO",
     .exists = exists<Hazard::salu_exec_to_nsa>,
     .first = scalar_writes_exec,
     .second = has_long_list,
     .wait_states = 1},

    {.name = "VcmpxPermlane",
     .what = "permutes lanes right after a vector instruction that writes exec",
     .cure = "a vector instruction other than v_nop (v_mov_b32 v0, v0) between",
     .source = kRecognizer,
     .exists = exists<Hazard::vcmpx_permlane>,
     .first = vector_writes_exec,
     .second = is_permlane,
     .resolved_by = is_vector_but_nop},
    {.name = "LdsDirectVALU",
     .what = "loads from LDS into a register that vector instructions may still use",
     .cure = "a smaller wait_vdst, or s_waitcnt_depctr 0xfff before it",
     .source = kRecognizer,
     .exists = exists<Hazard::lds_direct>,
     .first = is_vector,
     .first_registers = vgprs_used,
     .second = is_lds_direct,
     .second_registers = vgprs_written,
     .resolved_by = waits_for_vector_results,
     .wait_states = 15,
     .passing = Passing::vector,
     .tolerates = tolerated_by_lds_direct},
    {.name = "LdsDirectVMEM",
     .what = "loads from LDS into a register that memory instructions may still use",
     .cure = "s_waitcnt_depctr 0xffe3, or a vector instruction between (GFX12: wait_vsrc 0)",
     .source = kRecognizer,
     .exists = exists<Hazard::lds_direct>,
     .first = is_memory_with_vgprs,
     .first_registers = vgprs_used,
     .second = lds_direct_without_wait,
     .second_registers = vgprs_written,
     .resolved_by = memory_has_used_vgprs},
    {.name = "VALUTransUse",
     .what = "uses the result of a transcendental instruction too early",
     .cure = "s_waitcnt_depctr 0xfff, 6 vector or 2 transcendental instructions between",
     .source = kRecognizer,
     .exists = exists<Hazard::valu_trans_use>,
     .first = is_transcendental,
     .first_registers = vgprs_written,
     .second = is_vector,
     .second_registers = vgprs_read,
     .resolved_by = waits_for_vector_results,
     .wait_states = 6,
     .passing = Passing::vector,
     .transcendentals = 2},
    {.name = "VALUMaskWrite",
     .what = "writes a lane mask that a vector instruction may have yet to read",
     .cure = "s_waitcnt_depctr 0xfffe after it",
     .source = kRecognizer,
     .exists = exists<Hazard::valu_mask_write>,
     .first = reads_lane_mask,
     .first_registers = lane_mask_read,
     .second = is_scalar,
     .second_registers = scalars_named_as_result,
     .resolved_by = vector_reads_scalar_or_sa_sdst,
     .leads_on = true,
     .wave64 = true},
    {.name = "VALUMaskWrite",
     .what =
         "reads a scalar register that was written while a vector instruction may have been reading it as lane mask",
     .cure = "s_waitcnt_depctr 0xfffe after the write",
     .source = kRecognizer,
     .exists = exists<Hazard::valu_mask_write>,
     .second = scalar_or_vector,
     .second_registers = scalars_read,
     .resolved_by = sa_sdst,
     .wave64 = true},
};

}  // namespace

std::span<const HazardRule> rdna_rules() {
  return kRdnaRules;
}

}  // namespace spalt::emu
