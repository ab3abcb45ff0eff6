// SPDX-License-Identifier: MIT
// Words of the assembler text that stand for numbers. The printer and the parser read these tables.
#include "amdgpu/isa/text_names.h"

#include "amdgpu/isa/register.h"

namespace spalt::isa {
namespace {

constexpr bool kAnyWidth = true;
constexpr RegisterName kRegisters[] = {{kVcc.number, "vcc_lo", "vcc", false},
                                       {kVccHi.number, "vcc_hi", nullptr, false},
                                       {kM0.number, "m0", nullptr, false},
                                       {kNull.number, "null", nullptr, kAnyWidth},
                                       {kExec.number, "exec_lo", "exec", false},
                                       {kExecHi.number, "exec_hi", nullptr, false},
                                       {kSharedBase.number, "src_shared_base", nullptr, kAnyWidth},
                                       {kSharedLimit.number, "src_shared_limit", nullptr, kAnyWidth},
                                       {kPrivateBase.number, "src_private_base", nullptr, kAnyWidth},
                                       {kPrivateLimit.number, "src_private_limit", nullptr, kAnyWidth},
                                       {kPopsExitingWaveId.number, "src_pops_exiting_wave_id", nullptr, kAnyWidth},
                                       {kVccz.number, "src_vccz", nullptr, kAnyWidth},
                                       {kExecz.number, "src_execz", nullptr, kAnyWidth},
                                       {kScc.number, "src_scc", nullptr, kAnyWidth},
                                       {kLdsDirect.number, "src_lds_direct", nullptr, kAnyWidth}};

constexpr const char* kFloats[] = {"0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0"};

constexpr WaitCounterName kWaitCounters[] = {
    {"vmcnt", &WaitCounts::vm}, {"expcnt", &WaitCounts::exp}, {"lgkmcnt", &WaitCounts::lgkm}};

constexpr DependencyCounter kDependencyCounters[] = {{"hold_cnt", 7, 1}, {"sa_sdst", 0, 1}, {"va_vdst", 12, 4},
                                                     {"va_sdst", 9, 3},  {"va_ssrc", 8, 1}, {"va_vcc", 1, 1},
                                                     {"vm_vsrc", 2, 3}};

constexpr NamedValue kMessages[] = {{1, "INTERRUPT"},       {kMessageGs, "GS"},        {kMessageGsDone, "GS_DONE"},
                                    {4, "SAVEWAVE"},        {5, "STALL_WAVE_GEN"},     {6, "HALT_WAVES"},
                                    {7, "ORDERED_PS_DONE"}, {8, "EARLY_PRIM_DEALLOC"}, {9, "GS_ALLOC_REQ"},
                                    {10, "GET_DOORBELL"},   {11, "GET_DDID"},          {kMessageSystem, "SYSMSG"}};
constexpr NamedValue kGsOperations[] = {{0, "NOP"}, {1, "CUT"}, {2, "EMIT"}, {3, "EMIT_CUT"}};
constexpr NamedValue kSystemOperations[] = {{1, "ECC_ERR_INTERRUPT"}, {2, "REG_RD"}, {4, "TTRACE_PC"}};

constexpr NamedValue kHwRegisters[] = {{1, "MODE"},          {2, "STATUS"},  {3, "TRAPSTS"},       {5, "GPR_ALLOC"},
                                       {6, "LDS_ALLOC"},     {7, "IB_STS"},  {15, "SH_MEM_BASES"}, {16, "TBA_LO"},
                                       {17, "TBA_HI"},       {18, "TMA_LO"}, {19, "TMA_HI"},       {20, "FLAT_SCR_LO"},
                                       {21, "FLAT_SCR_HI"},  {23, "HW_ID1"}, {24, "HW_ID2"},       {25, "POPS_PACKER"},
                                       {29, "SHADER_CYCLES"}};

constexpr NamedValue kVersions[] = {{0, "GFX7"}, {4, "GFX10"}, {6, "GFX11"}, {9, "GFX12"}};
constexpr NamedValue kVersionFlags[] = {{1u << 13, "W64_BIT"}, {1u << 14, "W32_BIT"}, {1u << 15, "MDP_BIT"}};

constexpr ExportTarget kExportTargets[] = {{"mrt", 0, 7, true},   {"mrtz", 8, 8, false},   {"null", 9, 9, false},
                                           {"pos", 12, 16, true}, {"prim", 20, 20, false}, {"param", 32, 63, true}};

constexpr const char* kParameters[] = {"p10", "p20", "p0"};

}  // namespace

std::span<const RegisterName> register_names() {
  return kRegisters;
}

std::span<const char* const> inline_float_names() {
  return kFloats;
}

Simm16Syntax simm16_syntax(Opcode opcode) {
  switch (opcode) {
    case Opcode::s_waitcnt:
      return Simm16Syntax::waitcnt;
    case Opcode::s_waitcnt_depctr:
      return Simm16Syntax::depctr;
    case Opcode::s_sendmsg:
    case Opcode::s_sendmsghalt:
      return Simm16Syntax::message;
    case Opcode::s_getreg_b32:
    case Opcode::s_setreg_b32:
    case Opcode::s_setreg_imm32_b32:
      return Simm16Syntax::hw_register;
    case Opcode::s_version:
      return Simm16Syntax::version;
    case Opcode::s_endpgm:
      return Simm16Syntax::optional;
    case Opcode::s_inst_prefetch:
    case Opcode::s_clause:
    case Opcode::s_round_mode:
    case Opcode::s_ttracedata_imm:
      return Simm16Syntax::hex;
    default:
      break;
  }
  const OpcodeInfo& facts = info(opcode);
  for (unsigned i = 0; i < facts.src_count; ++i) {
    if (facts.src[i].role == OperandRole::label) return Simm16Syntax::label;
  }
  // SOPK instructions name a register beside the immediate, SOPP instructions do not.
  return facts.dst_count + facts.src_count > 1 ? Simm16Syntax::hex : Simm16Syntax::small;
}

std::span<const WaitCounterName> wait_counter_names() {
  return kWaitCounters;
}

std::span<const DependencyCounter> dependency_counters() {
  return kDependencyCounters;
}

std::span<const NamedValue> message_names() {
  return kMessages;
}

std::span<const NamedValue> gs_operation_names() {
  return kGsOperations;
}

std::span<const NamedValue> system_operation_names() {
  return kSystemOperations;
}

std::span<const NamedValue> hw_register_names() {
  return kHwRegisters;
}

std::span<const NamedValue> version_names() {
  return kVersions;
}

std::span<const NamedValue> version_flag_names() {
  return kVersionFlags;
}

std::span<const ExportTarget> export_targets() {
  return kExportTargets;
}

std::span<const char* const> parameter_names() {
  return kParameters;
}

const char* find_name(std::span<const NamedValue> names, unsigned value) {
  for (const NamedValue& entry : names) {
    if (entry.value == value) return entry.name;
  }
  return nullptr;
}

}  // namespace spalt::isa
