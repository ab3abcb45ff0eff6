// SPDX-License-Identifier: MIT
#include "emu/hazards/steps.h"

#include "base/bits.h"

namespace spalt::emu::hazard {
namespace {

using isa::Format;
using Op = isa::Opcode;

constexpr unsigned kFirstVgpr = 256, kSpecialOperands = 128;

bool has(const Step& step, uint32_t flag) {
  return (step.flags & flag) != 0;
}

template <class Accept>
void collect(const Step& step, RegList& list, Accept accept) {
  for (unsigned i = 0; i < step.use_count; ++i) {
    const RegUse& use = step.uses[i];
    if (accept(use)) list.add(use.first, use.count);
  }
}

bool is_vgpr(const RegUse& use) {
  return use.first >= kFirstVgpr;
}

void add_exec(RegList& list) {
  list.add(isa::kExec.number, 2);
}

/// Whether a buffer instruction has a register as its scalar offset, the only single scalar that it names.
bool has_scalar_offset(const Step& step) {
  if (step.inst.format != Format::mubuf && step.inst.format != Format::mtbuf) return false;
  for (const isa::Operand& operand : step.inst.src) {
    if (operand.is_reg() && operand.dwords == 1 && operand.reg.number < kSpecialOperands) return true;
  }
  return false;
}

bool is_image(Format format) {
  return format == Format::mimg || format == Format::vimage || format == Format::vsample;
}

/// A field of s_waitcnt_depctr (LLVM, AMDGPU::DepCtr). 0 waits for everything that it counts.
bool waits_for_field(const Step& step, unsigned first_bit, unsigned bits) {
  return step.inst.opcode == Op::s_waitcnt_depctr && bits_of(static_cast<uint32_t>(step.imm), first_bit, bits) == 0;
}

}  // namespace

bool is_any(const Step&, const isa::Target&) {
  return true;
}
bool is_vector(const Step& step, const isa::Target&) {
  return has(step, isa::kValu) && step.inst.format != Format::ldsdir;
}
bool is_scalar(const Step& step, const isa::Target&) {
  switch (step.inst.format) {
    case Format::sop1:
    case Format::sop2:
    case Format::sopk:
    case Format::sopc:
    case Format::sopp:
      return true;
    default:
      return false;
  }
}
bool is_scalar_memory(const Step& step, const isa::Target&) {
  return has(step, isa::kSmem);
}
bool is_vector_memory(const Step& step, const isa::Target&) {
  return has(step, isa::kVmem) && step.use_count != 0;
}
bool is_lds(const Step& step, const isa::Target&) {
  return has(step, isa::kLds);
}
bool is_export(const Step& step, const isa::Target&) {
  return step.inst.format == Format::exp;
}

bool is_flat(const Step& step) {
  return step.inst.format == Format::flat;
}
bool has_address_list(const Step& step, unsigned dwords) {
  constexpr unsigned kPerDword = 4;
  return is_image(step.inst.format) && step.inst.nsa.count > kPerDword * (dwords - 1);
}
bool is_relative_branch(const Step& step, const isa::Target&) {
  return has(step, isa::kBranch) && step.inst.format == Format::sopp;
}
bool vector_writes_exec(const Step& step, const isa::Target& target) {
  return is_vector(step, target) && writes_scalar(step, isa::kExec.number, 2);
}

bool waits_for_vector_results(const Step& step, const isa::Target& target) {
  return has(step, isa::kVmem | isa::kLds) || is_export(step, target) || waits_for_va_vdst(step);
}

bool waits_for_vm_vsrc(const Step& step) {
  return waits_for_field(step, 2, 3);
}
bool jumps_to_register(const Step& step) {
  return step.inst.opcode == isa::Opcode::s_setpc_b64 || step.inst.opcode == isa::Opcode::s_swappc_b64;
}
bool waits_for_sa_sdst(const Step& step) {
  return waits_for_field(step, 0, 1);
}
bool waits_for_va_vdst(const Step& step) {
  return waits_for_field(step, 12, 4);
}

ZeroCounts waits_for_zero(const Step& step, const isa::Target& target) {
  const bool zero = step.imm == 0 && step.inst.src[0].is_reg() && step.inst.src[0].reg == isa::kNull;
  switch (step.inst.opcode) {
    case Op::s_waitcnt: {
      const isa::WaitCounts counts = isa::decode_waitcnt(target, static_cast<uint16_t>(step.imm));
      return {counts.vm == 0, counts.vm == 0 && !target.has_vscnt, counts.lgkm == 0};
    }
    case Op::s_waitcnt_vmcnt:
      return {zero, false, false};
    case Op::s_waitcnt_vscnt:
      return {false, zero, false};
    case Op::s_waitcnt_lgkmcnt:
      return {false, false, zero};
    case Op::s_wait_idle:
      return {true, true, true};
    default:
      return {};
  }
}

void vgprs_read(const Step& step, RegList& list) {
  collect(step, list, [](const RegUse& use) { return is_vgpr(use) && !use.write; });
}
void vgprs_written(const Step& step, RegList& list) {
  collect(step, list, [](const RegUse& use) { return is_vgpr(use) && use.write; });
}
void vgprs_used(const Step& step, RegList& list) {
  collect(step, list, is_vgpr);
}
void scalars_read(const Step& step, RegList& list) {
  collect(step, list, [](const RegUse& use) { return use.first < isa::kExec.number && !use.write; });
}
void scalars_and_exec_read(const Step& step, RegList& list) {
  collect(step, list, [](const RegUse& use) { return !is_vgpr(use) && !use.write; });
  add_exec(list);
}
void scalars_named_as_result(const Step& step, RegList& list) {
  collect(step, list, [](const RegUse& use) { return !is_vgpr(use) && use.write; });
}
void scalars_written(const Step& step, RegList& list) {
  scalars_named_as_result(step, list);
  if (has(step, isa::kWritesVcc)) list.add(isa::kVcc.number, 2);
  if (has(step, isa::kWritesExec)) add_exec(list);
  if (has(step, isa::kWritesM0)) list.add(isa::kM0.number, 1);
}

void wide_store_data(const Step& step, RegList& list) {
  // Addresses have at most two registers outside of image instructions, which have no such hazard.
  if (is_image(step.inst.format) || has_scalar_offset(step)) return;
  collect(step, list, [](const RegUse& use) { return is_vgpr(use) && !use.write && use.count > 2; });
}

void lane_select(const Step& step, RegList& list) {
  const Source& select = step.src[1];
  if (select.kind == SourceKind::scalar) list.add(select.index, 1);
}

void lane_mask_read(const Step& step, RegList& list) {
  const isa::OpcodeInfo& info = isa::info(step.inst.opcode);
  for (unsigned i = 0; i < info.src_count; ++i) {
    if (info.src[i].role != isa::OperandRole::lane_mask) continue;
    const isa::Operand& mask = step.inst.src[i];
    if (mask.is_reg() && mask.reg < isa::kExec) list.add(mask.reg.number, mask.dwords);
  }
  if (has(step, isa::kReadsVcc)) list.add(isa::kVcc.number, 2);
}

void hardware_register(const Step& step, RegList& list) {
  list.add(kHardwareRegister + static_cast<unsigned>(bits_of(static_cast<uint32_t>(step.imm), 0, 6)), 1);
}

bool writes_scalar(const Step& step, unsigned first, unsigned count) {
  RegList list;
  scalars_written(step, list);
  const RegRange wanted{static_cast<uint16_t>(first), static_cast<uint16_t>(count)};
  for (const RegRange& range : list) {
    if (range.overlaps(wanted)) return true;
  }
  return false;
}

bool reads_operand(const Step& step, isa::Reg reg) {
  for (const isa::Operand& operand : step.inst.src) {
    if (operand.is_reg() && operand.reg == reg) return true;
  }
  return false;
}

}  // namespace spalt::emu::hazard
