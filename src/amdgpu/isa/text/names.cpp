// SPDX-License-Identifier: MIT
// Words of the assembler text that stand for numbers. The printer and the parser read these tables.
#include "amdgpu/isa/text/names.h"

#include <iterator>

#include "amdgpu/isa/codec/layout_family.h"
#include "amdgpu/isa/register.h"

namespace spalt::isa {
namespace {

constexpr bool kAnyWidth = true;
// The first four are SGPRs where EncodingTraits::sgpr_count says so.
constexpr RegisterName kRegisters[] = {{kFlatScratchLo.number, "flat_scratch_lo", "flat_scratch", false},
                                       {kFlatScratchHi.number, "flat_scratch_hi", nullptr, false},
                                       {kXnackMaskLo.number, "xnack_mask_lo", "xnack_mask", false},
                                       {kXnackMaskHi.number, "xnack_mask_hi", nullptr, false},
                                       {kVcc.number, "vcc_lo", "vcc", false},
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

// The first is new in GFX10.3.
constexpr DependencyCounter kDependencyCounters[] = {{"hold_cnt", 7, 1}, {"sa_sdst", 0, 1}, {"va_vdst", 12, 4},
                                                     {"va_sdst", 9, 3},  {"va_ssrc", 8, 1}, {"va_vcc", 1, 1},
                                                     {"vm_vsrc", 2, 3}};

// GFX9 has no GET_DDID.
constexpr NamedValue kMessages10[] = {{1, "INTERRUPT"},       {kMessageGs, "GS"},         {kMessageGsDone, "GS_DONE"},
                                      {4, "SAVEWAVE"},        {5, "STALL_WAVE_GEN"},      {6, "HALT_WAVES"},
                                      {7, "ORDERED_PS_DONE"}, {8, "EARLY_PRIM_DEALLOC"},  {9, "GS_ALLOC_REQ"},
                                      {10, "GET_DOORBELL"},   {kMessageSystem, "SYSMSG"}, {11, "GET_DDID"}};
constexpr NamedValue kMessages11[] = {{1, "INTERRUPT"},          {2, "HS_TESSFACTOR"},   {3, "DEALLOC_VGPRS"},
                                      {5, "STALL_WAVE_GEN"},     {6, "HALT_WAVES"},      {9, "GS_ALLOC_REQ"},
                                      {128, "RTN_GET_DOORBELL"}, {129, "RTN_GET_DDID"},  {130, "RTN_GET_TMA"},
                                      {131, "RTN_GET_REALTIME"}, {132, "RTN_SAVE_WAVE"}, {133, "RTN_GET_TBA"},
                                      {134, "RTN_GET_TBA_TO_PC"}};
constexpr NamedValue kMessages12[] = {{1, "INTERRUPT"},     {2, "HS_TESSFACTOR"},       {3, "DEALLOC_VGPRS"},
                                      {9, "GS_ALLOC_REQ"},  {128, "RTN_GET_DOORBELL"},  {129, "RTN_GET_DDID"},
                                      {130, "RTN_GET_TMA"}, {131, "RTN_GET_REALTIME"},  {132, "RTN_SAVE_WAVE"},
                                      {133, "RTN_GET_TBA"}, {134, "RTN_GET_TBA_TO_PC"}, {135, "RTN_GET_SE_AID_ID"}};
constexpr NamedValue kGsOperations[] = {{0, "NOP"}, {1, "CUT"}, {2, "EMIT"}, {3, "EMIT_CUT"}};
constexpr NamedValue kSystemOperations[] = {{1, "ECC_ERR_INTERRUPT"}, {2, "REG_RD"}, {4, "TTRACE_PC"}};

constexpr NamedValue kHwRegisters9[] = {{1, "MODE"},      {2, "STATUS"},    {3, "TRAPSTS"}, {4, "HW_ID"},
                                        {5, "GPR_ALLOC"}, {6, "LDS_ALLOC"}, {7, "IB_STS"},  {15, "SH_MEM_BASES"},
                                        {16, "TBA_LO"},   {17, "TBA_HI"},   {18, "TMA_LO"}, {19, "TMA_HI"}};
// XNACK_MASK is GFX10.1's, SHADER_CYCLES GFX10.3's.
constexpr NamedValue kHwRegisters10_1[] = {
    {1, "MODE"},          {2, "STATUS"},      {3, "TRAPSTS"}, {5, "GPR_ALLOC"}, {6, "LDS_ALLOC"},   {7, "IB_STS"},
    {15, "SH_MEM_BASES"}, {16, "TBA_LO"},     {17, "TBA_HI"}, {18, "TMA_LO"},   {19, "TMA_HI"},     {20, "FLAT_SCR_LO"},
    {21, "FLAT_SCR_HI"},  {22, "XNACK_MASK"}, {23, "HW_ID1"}, {24, "HW_ID2"},   {25, "POPS_PACKER"}};
constexpr NamedValue kHwRegisters10_3[] = {
    {1, "MODE"},         {2, "STATUS"},        {3, "TRAPSTS"},      {5, "GPR_ALLOC"}, {6, "LDS_ALLOC"},
    {7, "IB_STS"},       {15, "SH_MEM_BASES"}, {16, "TBA_LO"},      {17, "TBA_HI"},   {18, "TMA_LO"},
    {19, "TMA_HI"},      {20, "FLAT_SCR_LO"},  {21, "FLAT_SCR_HI"}, {23, "HW_ID1"},   {24, "HW_ID2"},
    {25, "POPS_PACKER"}, {29, "SHADER_CYCLES"}};
constexpr NamedValue kHwRegisters11[] = {{1, "MODE"},
                                         {2, "STATUS"},
                                         {3, "TRAPSTS"},
                                         {5, "GPR_ALLOC"},
                                         {6, "LDS_ALLOC"},
                                         {7, "IB_STS"},
                                         {15, "SH_MEM_BASES"},
                                         {18, "PERF_SNAPSHOT_PC_LO"},
                                         {19, "PERF_SNAPSHOT_PC_HI"},
                                         {20, "FLAT_SCR_LO"},
                                         {21, "FLAT_SCR_HI"},
                                         {23, "HW_ID1"},
                                         {24, "HW_ID2"},
                                         {27, "PERF_SNAPSHOT_DATA"},
                                         {29, "SHADER_CYCLES"}};
constexpr NamedValue kHwRegisters12[] = {{1, "MODE"},
                                         {2, "STATUS"},
                                         {4, "STATE_PRIV"},
                                         {5, "GPR_ALLOC"},
                                         {6, "LDS_ALLOC"},
                                         {7, "IB_STS"},
                                         {10, "PERF_SNAPSHOT_DATA"},
                                         {11, "PERF_SNAPSHOT_PC_LO"},
                                         {12, "PERF_SNAPSHOT_PC_HI"},
                                         {15, "PERF_SNAPSHOT_DATA1"},
                                         {16, "PERF_SNAPSHOT_DATA2"},
                                         {17, "EXCP_FLAG_PRIV"},
                                         {18, "EXCP_FLAG_USER"},
                                         {19, "TRAP_CTRL"},
                                         {20, "SCRATCH_BASE_LO"},
                                         {21, "SCRATCH_BASE_HI"},
                                         {23, "HW_ID1"},
                                         {24, "HW_ID2"},
                                         {29, "SHADER_CYCLES_LO"},
                                         {30, "SHADER_CYCLES_HI"},
                                         {31, "DVGPR_ALLOC_LO"},
                                         {32, "DVGPR_ALLOC_HI"}};

constexpr NamedValue kDelays[] = {{1, "VALU_DEP_1"},    {2, "VALU_DEP_2"},        {3, "VALU_DEP_3"},
                                  {4, "VALU_DEP_4"},    {5, "TRANS32_DEP_1"},     {6, "TRANS32_DEP_2"},
                                  {7, "TRANS32_DEP_3"}, {8, "FMA_ACCUM_CYCLE_1"}, {9, "SALU_CYCLE_1"},
                                  {10, "SALU_CYCLE_2"}, {11, "SALU_CYCLE_3"}};
constexpr NamedValue kDelaySkips[] = {{1, "NEXT"}, {2, "SKIP_1"}, {3, "SKIP_2"}, {4, "SKIP_3"}, {5, "SKIP_4"}};
constexpr const char* kGprIndexes[] = {"SRC0", "SRC1", "SRC2", "DST"};

constexpr NamedValue kVersions[] = {{0, "GFX7"}, {4, "GFX10"}, {6, "GFX11"}, {9, "GFX12"}};
constexpr NamedValue kVersionFlags[] = {{1u << 13, "W64_BIT"}, {1u << 14, "W32_BIT"}, {1u << 15, "MDP_BIT"}};

constexpr ExportTarget kExportTargets9[] = {
    {"mrt", 0, 7, true}, {"mrtz", 8, 8, false}, {"null", 9, 9, false}, {"pos", 12, 15, true}, {"param", 32, 63, true}};
constexpr ExportTarget kExportTargets10[] = {{"mrt", 0, 7, true},   {"mrtz", 8, 8, false},   {"null", 9, 9, false},
                                             {"pos", 12, 16, true}, {"prim", 20, 20, false}, {"param", 32, 63, true}};
constexpr ExportTarget kExportTargets11[] = {{"mrt", 0, 7, true},
                                             {"mrtz", 8, 8, false},
                                             {"pos", 12, 16, true},
                                             {"prim", 20, 20, false},
                                             {"dual_src_blend", 21, 22, true}};

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
    case Opcode::s_delay_alu:
      return Simm16Syntax::delay;
    case Opcode::s_set_gpr_idx_mode:
      return Simm16Syntax::gpr_index;
    case Opcode::s_wait_event:
    case Opcode::s_singleuse_vdst:
    case Opcode::s_wait_loadcnt:
    case Opcode::s_wait_storecnt:
    case Opcode::s_wait_samplecnt:
    case Opcode::s_wait_bvhcnt:
    case Opcode::s_wait_expcnt:
    case Opcode::s_wait_dscnt:
    case Opcode::s_wait_kmcnt:
    case Opcode::s_wait_loadcnt_dscnt:
    case Opcode::s_wait_storecnt_dscnt:
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

std::span<const DependencyCounter> dependency_counters(Generation generation) {
  const std::span<const DependencyCounter> all = kDependencyCounters;
  return generation == Generation::gfx10_1 ? all.subspan(1) : all;
}

bool message_has_operation(Generation generation) {
  return family_of(generation) <= Family::gfx10;
}

std::span<const NamedValue> message_names(Generation generation) {
  switch (family_of(generation)) {
    case Family::gfx9:
      return std::span(kMessages10).first(std::size(kMessages10) - 1);
    case Family::gfx10:
      return kMessages10;
    case Family::gfx11:
      return kMessages11;
    case Family::gfx12:
      return kMessages12;
  }
  return {};
}

std::span<const NamedValue> gs_operation_names() {
  return kGsOperations;
}

std::span<const NamedValue> system_operation_names() {
  return kSystemOperations;
}

std::span<const NamedValue> hw_register_names(Generation generation) {
  static constexpr std::span<const NamedValue> kByGeneration[kGenerationCount] = {
      kHwRegisters9, kHwRegisters10_1, kHwRegisters10_3, kHwRegisters11, kHwRegisters11, kHwRegisters12};
  return kByGeneration[static_cast<unsigned>(generation)];
}

std::span<const NamedValue> delay_names() {
  return kDelays;
}

std::span<const NamedValue> delay_skip_names() {
  return kDelaySkips;
}

std::span<const char* const> gpr_index_names() {
  return kGprIndexes;
}

std::span<const NamedValue> version_names() {
  return kVersions;
}

std::span<const NamedValue> version_flag_names() {
  return kVersionFlags;
}

std::span<const ExportTarget> export_targets(Generation generation) {
  switch (family_of(generation)) {
    case Family::gfx9:
      return kExportTargets9;
    case Family::gfx10:
      return kExportTargets10;
    case Family::gfx11:
    case Family::gfx12:
      return kExportTargets11;
  }
  return {};
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
