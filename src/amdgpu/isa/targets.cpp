// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <iterator>

#include "amdgpu/isa/target.h"

namespace spalt::isa {
namespace {

/// Bits of Target::features.
constexpr uint8_t kMadMix = 1u << static_cast<unsigned>(Feature::mad_mix);
constexpr uint8_t kFmaMix = 1u << static_cast<unsigned>(Feature::fma_mix);
constexpr uint8_t kRay = 1u << static_cast<unsigned>(Feature::ray);
constexpr uint8_t kDot = 1u << static_cast<unsigned>(Feature::dot);

/// docs/hazards.md and docs/emulator-hazards.md name the source of each.
constexpr HazardSet kGfx9Hazards = {
    Hazard::valu_sgpr_to_vmem,      Hazard::valu_vcc_to_div_fmas, Hazard::valu_sgpr_to_lane_select,
    Hazard::valu_exec_to_dpp,       Hazard::vgpr_to_dpp,          Hazard::valu_mask_to_vccz_execz,
    Hazard::setreg_to_getreg,       Hazard::setreg_to_setreg,     Hazard::salu_m0_to_message,
    Hazard::salu_m0_to_movrel,      Hazard::salu_m0_to_lds,       Hazard::wide_store_data,
    Hazard::setreg_vskip_to_vector, Hazard::setreg_trapsts_to_rfe};
constexpr HazardSet kGfx10_1Hazards = {Hazard::float_atomic_to_denorm_mode,
                                       Hazard::vmem_to_scalar_write,
                                       Hazard::smem_to_vector_write,
                                       Hazard::vcmpx_exec_war,
                                       Hazard::vcmpx_permlane,
                                       Hazard::lds_branch_vmem_war,
                                       Hazard::branch_offset_3f,
                                       Hazard::flat_segment_offset,
                                       Hazard::inst_prefetch,
                                       Hazard::nsa_clause,
                                       Hazard::writelane_to_nsa,
                                       Hazard::long_nsa};
constexpr HazardSet kGfx10_3Hazards = {Hazard::float_atomic_to_denorm_mode, Hazard::salu_exec_to_nsa};
constexpr HazardSet kGfx11Hazards = {
    Hazard::vcmpx_permlane,  Hazard::lds_direct,        Hazard::valu_trans_use, Hazard::valu_partial_forwarding,
    Hazard::valu_mask_write, Hazard::mad_intra_forward, Hazard::dealloc_vgprs};
constexpr HazardSet kGfx11_5Hazards = {Hazard::vcmpx_permlane,  Hazard::lds_direct,    Hazard::valu_partial_forwarding,
                                       Hazard::valu_mask_write, Hazard::dealloc_vgprs, Hazard::export_priority};
constexpr HazardSet kGfx12Hazards = {Hazard::vcmpx_permlane, Hazard::lds_direct, Hazard::lds_direct_waits,
                                     Hazard::valu_read_sgpr};

/// RDNA 2. The physical register file holds 1024 wave32 registers per SIMD; allocation is in units of 16, while the
/// VGPRS field of RSRC1 still counts units of 8 (LLVM AMDGPU usage guide, "Code Object V3 Kernel Descriptor").
constexpr Target gfx10_3(const char* name, uint8_t elf_mach, uint8_t stepping) {
  Target target{};
  target.name = name;
  target.generation = Generation::gfx10_3;
  target.elf_mach = elf_mach;
  target.major = 10;
  target.minor = 3;
  target.stepping = stepping;
  target.compiles = true;
  target.executes = true;
  target.features = kDot;
  target.has_wave32 = true;
  target.sgpr_count = 106;
  target.vgpr_limit = 256;
  target.vgpr_granule_wave32 = 16;
  target.vgpr_granule_wave64 = 8;
  target.vgpr_encoding_granule_wave32 = 8;
  target.vgpr_encoding_granule_wave64 = 4;
  target.vgprs_per_simd_wave32 = 1024;
  target.vgprs_per_simd_wave64 = 512;
  target.max_waves_per_simd = 16;
  target.simds_per_cu = 2;
  target.lds_bytes_per_workgroup = 65536;
  target.lds_granule = 512;
  target.constant_bus_limit = 2;
  target.vop3_literal = true;
  target.has_vscnt = true;
  target.vmcnt_max = 63;
  target.lgkmcnt_max = 63;
  target.expcnt_max = 7;
  target.vscnt_max = 63;
  target.has_sdwa = true;
  target.has_dpp8 = true;
  target.max_clause_length = 63;
  target.has_null_sgpr = true;
  target.has_mem_ordered = true;
  target.hazards = kGfx10_3Hazards;
  target.inst_prefetch_padding = true;
  target.mubuf_offset_max = 4095;
  target.global_offset_min = -2048;
  target.global_offset_max = 2047;
  target.scratch_offset_min = -2048;
  target.scratch_offset_max = 2047;
  target.smem_offset_min = -(1 << 20);
  target.smem_offset_max = (1 << 20) - 1;
  // dst_sel xyzw, format 32_FLOAT, RESOURCE_LEVEL, OOB_SELECT raw (RDNA 2 ISA guide, buffer resource descriptor).
  target.buffer_resource_word3 = 3u << 28 | 1u << 24 | 22u << 12 | 7u << 9 | 6u << 6 | 5u << 3 | 4u;
  return target;
}

/// RDNA 1: as RDNA 2 with other allocation units and waves per SIMD (RDNA 1 ISA guide; LLVM AMDGPU usage guide).
constexpr Target gfx10_1(const char* name, uint8_t elf_mach, uint8_t stepping, uint8_t features) {
  Target target = gfx10_3(name, elf_mach, stepping);
  target.generation = Generation::gfx10_1;
  target.features = features;
  target.minor = 1;
  target.vgpr_granule_wave32 = 8;
  target.vgpr_granule_wave64 = 4;
  target.max_waves_per_simd = 20;
  target.hazards = kGfx10_1Hazards;
  target.listed_image_addresses = 5;  // longer lists fail (LLVM, Mesa ACO)
  return target;
}

/// Vega: wave64 only, 102 SGPRs, one scalar value per vector instruction (Vega ISA guide).
constexpr Target gfx9(const char* name, uint8_t elf_mach, uint8_t stepping, uint8_t features) {
  Target target{};
  target.name = name;
  target.generation = Generation::gfx9;
  target.features = features;
  target.elf_mach = elf_mach;
  target.major = 9;
  target.stepping = stepping;
  target.max_metadata_major = 2;
  target.sgpr_count = 102;
  target.sgpr_granule = 16;
  target.sgprs_per_simd = 800;
  target.extra_sgprs = 6;
  target.vgpr_limit = 256;
  target.vgpr_granule_wave64 = 4;
  target.vgpr_encoding_granule_wave64 = 4;
  target.vgprs_per_simd_wave64 = 256;
  target.max_waves_per_simd = 10;
  target.simds_per_cu = 4;
  target.lds_bytes_per_workgroup = 65536;
  target.lds_granule = 512;
  target.constant_bus_limit = 1;
  target.vmcnt_max = 63;
  target.lgkmcnt_max = 15;
  target.typed_loads_align = false;
  target.expcnt_max = 7;
  target.has_sdwa = true;
  target.mubuf_offset_max = 4095;
  target.global_offset_min = -4096;
  target.global_offset_max = 4095;
  target.scratch_offset_min = -4096;
  target.scratch_offset_max = 4095;
  target.smem_offset_min = -(1 << 20);
  target.smem_offset_max = (1 << 20) - 1;
  // dst_sel xyzw, NUM_FORMAT float, DATA_FORMAT 32 (Vega ISA guide, buffer resource descriptor).
  target.buffer_resource_word3 = 4u << 15 | 7u << 12 | 7u << 9 | 6u << 6 | 5u << 3 | 4u;
  target.hazards = kGfx9Hazards;
  target.compiles = target.executes = true;
  target.clears_high_half = true;
  target.must_export = true;
  target.ar_alpha_in_w = true;
  target.flat_counts_in_order = false;
  target.flat_scratch_in_sgprs = true;
  target.has_wgp_mode = false;
  target.prefers_mad = true;
  target.limits_turns = true;
  target.memory_system = MemorySystem::cu_l1;
  target.buffer_layout = BufferLayout::split_format;
  target.permutes_whole_wave = true;
  target.has_image_dim = false;
  target.has_image_g16 = false;
  target.listed_image_addresses = 0;
  return target;
}

/// RDNA 3. Processors with the larger register file have 1536 wave32 registers per SIMD and allocate in units of 24.
constexpr Target gfx11(const char* name, uint8_t elf_mach, uint8_t stepping, bool large_register_file) {
  Target target = gfx10_3(name, elf_mach, stepping);
  target.generation = Generation::gfx11;
  target.features = kDot;
  target.major = 11;
  target.minor = 0;
  target.vgpr_granule_wave32 = large_register_file ? 24 : 16;
  target.vgpr_granule_wave64 = large_register_file ? 12 : 8;
  target.vgprs_per_simd_wave32 = large_register_file ? 1536 : 1024;
  target.vgprs_per_simd_wave64 = large_register_file ? 768 : 512;
  target.has_sdwa = false;
  target.buffer_layout = BufferLayout::two_swizzles;
  target.packed_work_item_ids = true;
  target.has_dual_issue = target.dual_sources_alternate = true;
  target.max_clause_length = 32;
  target.clauses_hold_stores = true;
  target.architected_flat_scratch = true;
  target.memory_system = MemorySystem::gl0_gl1_mall;
  target.hazards = kGfx11Hazards;
  target.parameters_in_lds = true;
  target.compresses_exports = target.has_null_export = false;
  target.swizzles_dual_source = true;
  target.clause_splits_access = true;
  target.global_offset_min = -4096;
  target.global_offset_max = 4095;
  target.scratch_offset_min = -4096;
  target.scratch_offset_max = 4095;
  // dst_sel xyzw, format 32_FLOAT, OOB_SELECT raw (RDNA 3 ISA guide, buffer resource descriptor).
  target.buffer_resource_word3 = 3u << 28 | 20u << 12 | 7u << 9 | 6u << 6 | 5u << 3 | 4u;
  return target;
}

/// Processors that lose user SGPRs of wave32 unless 16 are set (docs/abi/pal.md#scratch).
constexpr Target with_user_sgpr_bug(Target target) {
  target.min_user_sgprs_wave32 = 16;
  return target;
}

/// RDNA 3.5: scalar floating point; a DPP instruction may read an SGPR as source 1.
constexpr Target gfx11_5(const char* name, uint8_t elf_mach, uint8_t stepping, bool large_register_file) {
  Target target = gfx11(name, elf_mach, stepping, large_register_file);
  target.generation = Generation::gfx11_5;
  target.has_salu_float = true;
  target.hazards = kGfx11_5Hazards;
  target.minor = 5;
  return target;
}

/// RDNA 4: 24-bit offsets, split counters, work group ids in trap registers.
constexpr Target gfx12(const char* name, uint8_t elf_mach, uint8_t stepping) {
  Target target = gfx11(name, elf_mach, stepping, true);
  target.generation = Generation::gfx12;
  target.hazards = kGfx12Hazards;
  target.executes = true;
  target.major = 12;
  target.minor = 0;
  target.min_metadata_major = 3;
  target.work_group_ids_in_ttmp = true;
  target.has_salu_float = true;
  target.getpc_zero_extends = true;
  target.soffset_is_register = true;
  target.has_kmcnt = true;
  target.has_samplecnt = true;
  target.dual_moves_share_bank = target.dual_sources_may_be_one = true;
  target.dual_sources_alternate = false;
  target.kmcnt_max = 31;
  target.samplecnt_max = 63;
  target.loads_write_in_order = false;
  target.has_clamp_mode = false;
  target.memory_system = MemorySystem::scoped;
  target.buffer_layout = BufferLayout::scaled_stride;
  target.permutes_whole_wave = true;
  target.soffset_is_swizzled = true;
  target.format_store_repeats_x = true;
  target.mubuf_offset_max = (1 << 23) - 1;
  target.global_offset_min = target.scratch_offset_min = target.smem_offset_min = -(1 << 23);
  target.global_offset_max = target.scratch_offset_max = target.smem_offset_max = (1 << 23) - 1;
  target.has_image_unorm = false;
  target.prefers_sample_filler = true;
  target.ancillary_layer_bits = 14;
  return target;
}

/// EF_AMDGPU_MACH values: LLVM AMDGPU usage guide, "ELF Code Object", e_flags.
constexpr Target kProcessors[] = {
    gfx10_3("gfx1030", 0x36, 0),
    gfx10_3("gfx1031", 0x37, 1),
    gfx10_3("gfx1032", 0x38, 2),
    gfx10_3("gfx1033", 0x39, 3),
    gfx10_3("gfx1034", 0x3e, 4),
    gfx10_3("gfx1035", 0x3d, 5),
    gfx10_3("gfx1036", 0x45, 6),
    gfx9("gfx900", 0x2c, 0, kMadMix),
    gfx9("gfx902", 0x2d, 2, kMadMix),
    gfx9("gfx904", 0x2e, 4, kFmaMix),
    gfx9("gfx906", 0x2f, 6, kFmaMix | kDot),
    gfx9("gfx909", 0x31, 9, kMadMix),
    gfx9("gfx90c", 0x32, 12, kMadMix),
    gfx10_1("gfx1010", 0x33, 0, 0),
    gfx10_1("gfx1011", 0x34, 1, kDot),
    gfx10_1("gfx1012", 0x35, 2, kDot),
    gfx10_1("gfx1013", 0x42, 3, kRay),
    with_user_sgpr_bug(gfx11("gfx1100", 0x41, 0, true)),
    gfx11("gfx1101", 0x46, 1, true),
    with_user_sgpr_bug(gfx11("gfx1102", 0x47, 2, false)),
    gfx11("gfx1103", 0x44, 3, false),
    gfx11_5("gfx1150", 0x43, 0, false),
    gfx11_5("gfx1151", 0x4a, 1, true),
    gfx11_5("gfx1152", 0x55, 2, false),
    gfx11_5("gfx1153", 0x58, 3, false),
    gfx12("gfx1200", 0x48, 0),
    gfx12("gfx1201", 0x4e, 1),
};

/// What code may rely on that must run on both: what both have, and no more registers than the smaller file allows. A
/// file of 1536 registers in units of 24 holds whatever one of 1024 in units of 16 does.
constexpr Target common(Target a, const Target& b) {
  a.features &= b.features;
  a.executes = a.executes && b.executes;
  a.compiles = a.compiles && b.compiles;
  if (b.vgprs_per_simd_wave64 < a.vgprs_per_simd_wave64) {
    a.vgprs_per_simd_wave32 = b.vgprs_per_simd_wave32;
    a.vgprs_per_simd_wave64 = b.vgprs_per_simd_wave64;
    a.vgpr_granule_wave32 = b.vgpr_granule_wave32;
    a.vgpr_granule_wave64 = b.vgpr_granule_wave64;
  }
  a.has_salu_float = a.has_salu_float && b.has_salu_float;
  a.has_dual_issue = a.has_dual_issue && b.has_dual_issue;
  a.dual_moves_share_bank = a.dual_moves_share_bank && b.dual_moves_share_bank;
  a.dual_sources_may_be_one = a.dual_sources_may_be_one && b.dual_sources_may_be_one;
  a.dual_sources_alternate = a.dual_sources_alternate || b.dual_sources_alternate;
  a.max_clause_length = std::min(a.max_clause_length, b.max_clause_length);
  a.min_user_sgprs_wave32 = std::max(a.min_user_sgprs_wave32, b.min_user_sgprs_wave32);
  a.hazards |= b.hazards;
  return a;
}

/// Code for all processors of a family (LLVM AMDGPU usage guide, "Generic processors"), whose instructions are those of
/// the oldest one.
struct Family {
  const char* name;
  uint8_t elf_mach, generic_version;
  uint8_t major, first_minor, last_minor;
};
constexpr Family kFamilies[] = {
    {"gfx9-generic", 0x51, 1, 9, 0, 0},     {"gfx10-1-generic", 0x52, 1, 10, 1, 1},
    {"gfx10-3-generic", 0x53, 1, 10, 3, 3}, {"gfx11-generic", 0x54, 1, 11, 0, 5},
    {"gfx12-generic", 0x59, 1, 12, 0, 0},
};

constexpr Target generic(const Family& family) {
  Target target{};
  for (const Target& member : kProcessors) {
    if (member.major != family.major || member.minor < family.first_minor || member.minor > family.last_minor) continue;
    target = target.name == nullptr ? member : common(target, member);
  }
  target.name = family.name;
  target.elf_mach = family.elf_mach;
  target.generic_version = family.generic_version;
  return target;
}

constexpr auto kTargets = [] {
  std::array<Target, std::size(kProcessors) + std::size(kFamilies)> all{};
  size_t count = 0;
  for (const Target& target : kProcessors) all[count++] = target;
  for (const Family& family : kFamilies) all[count++] = generic(family);
  return all;
}();

constexpr auto kNames = [] {
  std::array<std::string_view, kTargets.size()> names;
  for (size_t i = 0; i < kTargets.size(); ++i) names[i] = kTargets[i].name;
  return names;
}();

}  // namespace

const Target* find_target(std::string_view name) {
  for (size_t i = 0; i < kNames.size(); ++i) {
    const std::string_view known = kNames[i];
    // Most names differ in their length or last letter.
    if (known.size() == name.size() && known.back() == name.back() && known == name) return &kTargets[i];
  }
  return nullptr;
}

const Target* find_target_of_elf(uint32_t elf_flags) {
  for (const Target& target : kTargets) {
    if (target.elf_mach == kElfMach.of(elf_flags) && kElfGenericVersion.of(elf_flags) <= target.generic_version) {
      return &target;
    }
  }
  return nullptr;
}

std::span<const Target> targets() {
  return kTargets;
}

}  // namespace spalt::isa
