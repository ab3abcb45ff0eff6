// SPDX-License-Identifier: MIT
// Manual wait states of Vega. docs/emulator-hazards.md lists the rules by name.
#include <iterator>

#include "emu/hazards/steps.h"
#include "emu/hazards/tables.h"

namespace spalt::emu {
namespace {

using isa::Format;
using isa::Hazard;
using isa::Target;
using Op = isa::Opcode;
using namespace hazard;

constexpr const char* kVegaGuide = "Vega ISA guide, section 4.5 \"Manually Inserted Wait States\"";

bool is_lane_access(const Step& step, const Target& target) {
  return is<Op::v_readlane_b32, Op::v_writelane_b32>(step, target);
}
bool is_div_fmas(const Step& step, const Target& target) {
  return is<Op::v_div_fmas_f32, Op::v_div_fmas_f64>(step, target);
}
bool is_dpp(const Step& step, const Target&) {
  return step.inst.format == Format::dpp16 || step.inst.format == Format::dpp8;
}
bool is_setreg(const Step& step, const Target& target) {
  return is<Op::s_setreg_b32, Op::s_setreg_imm32_b32>(step, target);
}
bool is_getreg_or_setreg(const Step& step, const Target& target) {
  return is<Op::s_getreg_b32>(step, target) || is_setreg(step, target);
}

constexpr unsigned kModeRegister = 1, kTrapStatusRegister = 3, kVskipBit = 28;

unsigned hardware_register_number(const Step& step) {
  return static_cast<unsigned>(step.imm) & 63;
}
bool sets_vskip(const Step& step, const Target& target) {
  const unsigned first = static_cast<unsigned>(step.imm) >> 6 & 31,
                 size = (static_cast<unsigned>(step.imm) >> 11 & 31) + 1;
  return is_setreg(step, target) && hardware_register_number(step) == kModeRegister && first <= kVskipBit &&
         kVskipBit < first + size;
}
bool has_vskip(const Target& target) {
  return isa::opcode_number(Op::s_setvskip, Format::sopc, target.generation) >= 0;
}
bool is_setvskip(const Step& step, const Target& target) {
  return is<Op::s_setvskip>(step, target);
}
bool reads_mode(const Step& step, const Target& target) {
  return is<Op::s_getreg_b32>(step, target) && hardware_register_number(step) == kModeRegister;
}
bool sets_trap_status(const Step& step, const Target& target) {
  return is_setreg(step, target) && hardware_register_number(step) == kTrapStatusRegister;
}
bool returns_from_exception(const Step& step, const Target& target) {
  return is<Op::s_rfe_b64, Op::s_rfe_restore_b64>(step, target);
}
bool is_vector_of_any_kind(const Step& step, const Target& target) {
  return is_vector(step, target) || is_vector_memory(step, target) || is_lds(step, target) || is_export(step, target);
}
bool vector_writes_vcc(const Step& step, const Target& target) {
  return is_vector(step, target) && writes_scalar(step, isa::kVcc.number, 2);
}
bool vector_reads_vccz(const Step& step, const Target& target) {
  return is_vector(step, target) && reads_operand(step, isa::kVccz);
}
bool vector_reads_execz(const Step& step, const Target& target) {
  return is_vector(step, target) && reads_operand(step, isa::kExecz);
}
bool scalar_writes_m0(const Step& step, const Target& target) {
  return is_scalar(step, target) && writes_scalar(step, isa::kM0.number, 1);
}
bool is_message_or_gds(const Step& step, const Target& target) {
  return is<Op::s_sendmsg, Op::s_sendmsghalt, Op::s_ttracedata>(step, target) || step.inst.mods.gds ||
         (step.flags & isa::kGdsOnly) != 0;
}
/// m0 holds an LDS address or the parameters of a primitive.
bool is_m0_addressed(const Step& step, const Target& target) {
  return is<Op::ds_write_addtid_b32, Op::ds_read_addtid_b32>(step, target) || step.inst.mods.lds ||
         step.inst.format == Format::vintrp || reads_operand(step, isa::kLdsDirect);
}
bool is_scalar_move_relative(const Step& step, const Target& target) {
  return is<Op::s_movrels_b32, Op::s_movrels_b64, Op::s_movreld_b32, Op::s_movreld_b64>(step, target);
}
bool stores(const Step& step, const Target& target) {
  return is_vector_memory(step, target) && (step.flags & (isa::kMayStore | isa::kAtomic)) != 0;
}

constexpr const char* vega_cure(unsigned states) {
  constexpr const char* kText[] = {"", "1 wait state (s_nop 0) between",  "2 wait states (s_nop 1) between",
                                   "", "4 wait states (s_nop 3) between", "5 wait states (s_nop 4) between"};
  return kText[states];
}

constexpr HazardRule kVegaRules[] = {
    {.name = "VALUWriteSGPRVMEMRead",
     .what = "vector memory reads a scalar register that a vector instruction has just written",
     .cure = vega_cure(5),
     .source = kVegaGuide,
     .exists = exists<Hazard::valu_sgpr_to_vmem>,
     .first = is_vector,
     .first_registers = scalars_written,
     .second = is_vector_memory,
     .second_registers = scalars_read,
     .wait_states = 5},
    {.name = "VALUWriteSGPRLaneSelect",
     .what = "selects a lane with a scalar register that a vector instruction has just written",
     .cure = vega_cure(4),
     .source = kVegaGuide,
     .exists = exists<Hazard::valu_sgpr_to_lane_select>,
     .first = is_vector,
     .first_registers = scalars_written,
     .second = is_lane_access,
     .second_registers = lane_select,
     .wait_states = 4},
    {.name = "VALUWriteVCCDivFmas",
     .what = "reads the vcc that a vector instruction has just written",
     .cure = vega_cure(4),
     .source = kVegaGuide,
     .exists = exists<Hazard::valu_vcc_to_div_fmas>,
     .first = vector_writes_vcc,
     .second = is_div_fmas,
     .wait_states = 4},
    {.name = "VALUWriteVCCReadVCCZ",
     .what = "reads vccz although a vector instruction has just written vcc",
     .cure = vega_cure(5),
     .source = kVegaGuide,
     .exists = exists<Hazard::valu_mask_to_vccz_execz>,
     .first = vector_writes_vcc,
     .second = vector_reads_vccz,
     .wait_states = 5},
    {.name = "VALUWriteEXECReadEXECZ",
     .what = "reads execz although a vector instruction has just written exec",
     .cure = vega_cure(5),
     .source = kVegaGuide,
     .exists = exists<Hazard::valu_mask_to_vccz_execz>,
     .first = vector_writes_exec,
     .second = vector_reads_execz,
     .wait_states = 5},
    {.name = "VALUWriteEXECDPP",
     .what = "is a DPP instruction although a vector instruction has just written exec",
     .cure = vega_cure(5),
     .source = kVegaGuide,
     .exists = exists<Hazard::valu_exec_to_dpp>,
     .first = vector_writes_exec,
     .second = is_dpp,
     .wait_states = 5},
    {.name = "VALUWriteVGPRDPPRead",
     .what = "is a DPP instruction and reads a register that a vector instruction has just written",
     .cure = vega_cure(2),
     .source = kVegaGuide,
     .exists = exists<Hazard::vgpr_to_dpp>,
     .first = is_vector,
     .first_registers = vgprs_written,
     .second = is_dpp,
     .second_registers = vgprs_read,
     .wait_states = 2},
    {.name = "SetRegGetReg",
     .what = "accesses a hardware register that s_setreg has just written",
     .cure = vega_cure(2),
     .source = kVegaGuide,
     .exists = exists<Hazard::setreg_to_getreg>,
     .first = is_setreg,
     .first_registers = hardware_register,
     .second = is_getreg_or_setreg,
     .second_registers = hardware_register,
     .wait_states = 2},
    {.name = "SetRegVskipVector",
     .what = "is a vector instruction although s_setreg has just written MODE.vskip",
     .cure = vega_cure(2),
     .source = kVegaGuide,
     .exists = exists<Hazard::setreg_vskip_to_vector>,
     .first = sets_vskip,
     .second = is_vector_of_any_kind,
     .wait_states = 2},
    {.name = "SetVskipGetreg",
     .what = "reads the MODE register that s_setvskip has just written",
     .cure = vega_cure(2),
     .source = kVegaGuide,
     .exists = has_vskip,
     .first = is_setvskip,
     .second = reads_mode,
     .wait_states = 2},
    {.name = "SetRegTrapStatusRfe",
     .what = "returns from an exception although s_setreg has just written TRAPSTS",
     .cure = vega_cure(1),
     .source = kVegaGuide,
     .exists = exists<Hazard::setreg_trapsts_to_rfe>,
     .first = sets_trap_status,
     .second = returns_from_exception,
     .wait_states = 1},
    {.name = "SALUWriteM0Message",
     .what = "uses the m0 that a scalar instruction has just written for a message or GDS",
     .cure = vega_cure(1),
     .source = kVegaGuide,
     .exists = exists<Hazard::salu_m0_to_message>,
     .first = scalar_writes_m0,
     .second = is_message_or_gds,
     .wait_states = 1},
    {.name = "SALUWriteM0LDS",
     .what = "uses the m0 that a scalar instruction has just written to address LDS",
     .cure = vega_cure(1),
     .source = kVegaGuide,
     .exists = exists<Hazard::salu_m0_to_lds>,
     .first = scalar_writes_m0,
     .second = is_m0_addressed,
     .wait_states = 1},
    {.name = "SALUWriteM0MovRel",
     .what = "uses the m0 that a scalar instruction has just written to select a register",
     .cure = vega_cure(1),
     .source = kVegaGuide,
     .exists = exists<Hazard::salu_m0_to_movrel>,
     .first = scalar_writes_m0,
     .second = is_scalar_move_relative,
     .wait_states = 1},
    {.name = "VMEMStoreData",
     .what = "overwrites data of more than 64 bits that a memory instruction has yet to read",
     .cure = vega_cure(1),
     .source = kVegaGuide,
     .exists = exists<Hazard::wide_store_data>,
     .first = stores,
     .first_registers = wide_store_data,
     .second = is_vector,
     .second_registers = vgprs_written,
     .wait_states = 1},
};

}  // namespace

std::span<const HazardRule> vega_rules() {
  return kVegaRules;
}

}  // namespace spalt::emu
