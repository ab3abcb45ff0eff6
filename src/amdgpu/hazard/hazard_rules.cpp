// SPDX-License-Identifier: MIT
#include "amdgpu/hazard/hazard_rules.h"

#include <iterator>

namespace spalt::hazard {
namespace {

using isa::Hazard;

constexpr char kVegaGuide[] = "Vega ISA guide, table of manually inserted wait states";
constexpr char kVegaGuideAndLlvm[] = "Vega ISA guide, table of manually inserted wait states; LLVM hazard recognizer";
constexpr char kLlvmAndAco[] = "LLVM hazard recognizer; Mesa ACO";

constexpr HazardRule kRules[] = {
    {Hazard::valu_sgpr_to_vmem, "VALUWriteSGPRVMEMRead", kVegaGuideAndLlvm},
    {Hazard::valu_vcc_to_div_fmas, "VALUWriteVCCDivFmas", kVegaGuideAndLlvm},
    {Hazard::valu_sgpr_to_lane_select, "VALUWriteSGPRLaneSelect", kVegaGuideAndLlvm},
    {Hazard::valu_exec_to_dpp, "VALUWriteEXECDPP", kVegaGuideAndLlvm},
    {Hazard::vgpr_to_dpp, "VGPRWriteDPPRead", kVegaGuideAndLlvm},
    {Hazard::valu_mask_to_vccz_execz, "VALUWriteMaskVCCZRead", kVegaGuide},
    {Hazard::setreg_to_getreg, "SetregGetreg", kVegaGuideAndLlvm},
    {Hazard::setreg_to_setreg, "SetregSetreg", kVegaGuideAndLlvm},
    {Hazard::salu_m0_to_message, "SALUWriteM0Message", kVegaGuideAndLlvm},
    {Hazard::salu_m0_to_movrel, "SALUWriteM0Movrel", kVegaGuideAndLlvm},
    {Hazard::salu_m0_to_lds, "SALUWriteM0LDS", kVegaGuideAndLlvm},
    {Hazard::wide_store_data, "VMEMStoreMoreThan64Bits", kVegaGuideAndLlvm},
    {Hazard::float_atomic_to_denorm_mode, "FPAtomicToDenormMode", "LLVM hazard recognizer"},
    {Hazard::vmem_to_scalar_write, "VMEMtoScalarWrite", kLlvmAndAco},
    {Hazard::smem_to_vector_write, "SMEMtoVectorWrite", kLlvmAndAco},
    {Hazard::vcmpx_exec_war, "VcmpxExecWAR", kLlvmAndAco},
    {Hazard::vcmpx_permlane, "VcmpxPermlane", kLlvmAndAco},
    {Hazard::lds_branch_vmem_war, "LdsBranchVmemWAR", kLlvmAndAco},
    {Hazard::writelane_to_nsa, "WritelaneToNSA", "Mesa ACO"},
    {Hazard::long_nsa, "NSALength", kLlvmAndAco},
    {Hazard::salu_exec_to_nsa, "SALUWriteEXECToNSA", "Mesa ACO"},
    {Hazard::valu_trans_use, "VALUTransUse", kLlvmAndAco},
    {Hazard::valu_partial_forwarding, "VALUPartialForwarding", kLlvmAndAco},
    {Hazard::valu_mask_write, "VALUMaskWrite", kLlvmAndAco},
    {Hazard::valu_read_sgpr, "VALUReadSGPR", "LLVM, SGPR hazard waits of GFX12; Mesa ACO"},
    {Hazard::export_priority, "RequiredExportPriority", kLlvmAndAco},
    {Hazard::lds_direct, "LdsDirectVMEM", kLlvmAndAco},
    {Hazard::branch_offset_3f, "BranchOffset3f", kLlvmAndAco},
    {Hazard::nsa_clause, "NSAClause", kLlvmAndAco},
};

/// Hazards of instructions that the compiler never makes; the emulator knows them (docs/emulator-hazards.md).
constexpr Hazard kNotMade[] = {Hazard::setreg_vskip_to_vector, Hazard::setreg_trapsts_to_rfe, Hazard::lds_direct_waits,
                               Hazard::flat_segment_offset,    Hazard::inst_prefetch,         Hazard::mad_intra_forward,
                               Hazard::dealloc_vgprs};
static_assert(std::size(kRules) + std::size(kNotMade) == static_cast<size_t>(Hazard::count));

}  // namespace

std::span<const HazardRule> hazard_rules() {
  return kRules;
}

}  // namespace spalt::hazard
