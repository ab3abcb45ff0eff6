// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <initializer_list>

namespace spalt::isa {

/// What a processor gets wrong when certain instructions follow each other, and does not check itself. The condition,
/// the cure and the source of each are in docs/hazards.md and
/// docs/emulator-hazards.md.
enum class Hazard : uint8_t {
  // Wait states that nobody inserts but us (GFX9, the last one GFX10).
  valu_sgpr_to_vmem,
  valu_vcc_to_div_fmas,
  valu_sgpr_to_lane_select,
  valu_exec_to_dpp,
  vgpr_to_dpp,
  valu_mask_to_vccz_execz,
  setreg_to_getreg,
  setreg_to_setreg,
  salu_m0_to_message,
  salu_m0_to_movrel,
  salu_m0_to_lds,
  wide_store_data,
  setreg_vskip_to_vector,
  setreg_trapsts_to_rfe,
  float_atomic_to_denorm_mode,
  // Registers and exec that are written while an older instruction still reads them (GFX10.1).
  vmem_to_scalar_write,
  smem_to_vector_write,
  vcmpx_exec_war,
  vcmpx_permlane,
  lds_branch_vmem_war,
  // Image instructions with a list of addresses (GFX10.1, the last one GFX10.3).
  writelane_to_nsa,
  long_nsa,
  salu_exec_to_nsa,
  // Results that later instructions read too early (GFX11, the last one GFX12).
  valu_trans_use,
  valu_partial_forwarding,
  valu_mask_write,
  valu_read_sgpr,
  // LDS-direct loads into registers in use (GFX11); they can wait for memory instructions themselves (GFX12).
  lds_direct,
  lds_direct_waits,
  // Single instructions.
  branch_offset_3f,
  flat_segment_offset,
  inst_prefetch,
  nsa_clause,
  mad_intra_forward,
  dealloc_vgprs,
  // Waves that export must have a priority that they lower after it (GFX11.5).
  export_priority,
  count
};

/// The hazards of one processor.
class HazardSet {
 public:
  constexpr HazardSet() = default;
  constexpr HazardSet(std::initializer_list<Hazard> hazards) {
    for (Hazard hazard : hazards) bits_ |= bit(hazard);
  }
  constexpr bool contains(Hazard hazard) const { return (bits_ & bit(hazard)) != 0; }
  constexpr HazardSet& operator|=(HazardSet other) {
    bits_ |= other.bits_;
    return *this;
  }
  constexpr bool any(HazardSet of) const { return (bits_ & of.bits_) != 0; }

 private:
  static constexpr uint64_t bit(Hazard hazard) { return uint64_t{1} << static_cast<unsigned>(hazard); }
  uint64_t bits_ = 0;
};
static_assert(static_cast<unsigned>(Hazard::count) <= 64);

}  // namespace spalt::isa
