// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "amdgpu/isa/bit_field.h"
#include "amdgpu/isa/hazard.h"
#include "amdgpu/isa/opcode.h"

namespace spalt::isa {

/// Which caches lie between waves, and how instructions say which of them an access may use: a row of MemoryModel.
enum class MemorySystem : uint8_t {
  cu_l1,         ///< an L1 per compute unit (GFX9)
  gl0_gl1,       ///< GL0 per compute unit, GL1 per shader array; dlc belongs to loads (GFX10)
  gl0_gl1_mall,  ///< the same, dlc for the memory-side cache (GFX11)
  scoped         ///< the instruction names the scope (GFX12)
};

/// Fields of a buffer resource descriptor (section "Buffer Resource" of each ISA guide).
enum class BufferLayout : uint8_t {
  split_format,    ///< data and number format, no choice of the bounds check, stride of 18 bits with the lane added
                   ///< (GFX9)
  unified_format,  ///< format of 7 bits, bounds check by OOB_SELECT (GFX10)
  two_swizzles,    ///< format of 6 bits, swizzled elements of 4 or 16 bytes (GFX11)
  scaled_stride    ///< the same with a factor for the stride (GFX12)
};

/// EF_AMDGPU_MACH and EF_AMDGPU_GENERIC_VERSION in e_flags of an ELF header.
constexpr BitField kElfMach{0, 8}, kElfGenericVersion{24, 8};

/// Facts about one processor. Code outside amdgpu/isa asks these questions and never compares generations.
struct Target {
  const char* name;             ///< "gfx1030"
  Generation generation;        ///< column of the opcode tables; not for comparing
  uint8_t elf_mach;             ///< kElfMach
  uint8_t generic_version = 0;  ///< kElfGenericVersion; 0 for a single processor
  uint8_t major, minor, stepping;

  /// PAL metadata that loaders of the processor read: 2 up to GFX11, 3 from GFX10 on
  /// (docs/abi/pal.md#metadata-versions). The newer one is the default.
  uint8_t min_metadata_major = 2, max_metadata_major = 3;
  uint8_t features = 0;   ///< bit i for Feature i
  bool executes = false;  ///< the emulator runs its code
  bool compiles = false;  ///< the compiler makes code for it; all targets can be encoded, decoded and printed
  bool has_wave32;
  uint8_t sgpr_granule = 0;     ///< allocation granule in SGPRs, 0 where every wave gets all (GFX10+)
  uint16_t sgprs_per_simd = 0;  ///< physical SGPRs of a SIMD, where sgpr_granule is not 0
  /// vcc, flat_scratch and xnack_mask, allocated after a program's own (docs/abi/amdgpu.md#program-resources)
  uint8_t extra_sgprs = 0;
  uint16_t sgpr_count;          ///< addressable SGPRs without vcc (106 on GFX10)
  uint16_t vgpr_limit;          ///< addressable VGPRs (256)
  uint8_t vgpr_granule_wave32;  ///< allocation granule in registers
  uint8_t vgpr_granule_wave64;
  uint8_t vgpr_encoding_granule_wave32;  ///< unit of the VGPRS field in RSRC1, finer than the allocation
  uint8_t vgpr_encoding_granule_wave64;
  uint16_t vgprs_per_simd_wave32;  ///< physical registers per lane on a SIMD, for occupancy
  uint16_t vgprs_per_simd_wave64;
  uint8_t max_waves_per_simd;
  uint8_t simds_per_cu;
  uint32_t lds_bytes_per_workgroup;
  uint16_t lds_granule;  ///< bytes

  uint8_t constant_bus_limit;  ///< scalar values a VALU instruction may read (1 on GFX9, 2 on GFX10+)
  bool vop3_literal;           ///< VOP3 takes a 32-bit literal (GFX10+)
  bool has_vscnt;              ///< stores count in vscnt (GFX10+)
  bool has_kmcnt = false;      ///< scalar memory and LDS have counters of their own, not lgkmcnt (GFX12)
  bool has_samplecnt = false;  ///< samples have a counter of their own (GFX12)
  /// Flat accesses complete in order with other vector memory and with LDS (LLVM, GCNSubtarget; GFX10+).
  bool flat_counts_in_order = true;
  /// A later vector load may overwrite the result of an earlier one in flight. Not so on GFX12, where LLVM waits
  /// between the two (SIInsertWaitcnts, docs/isa-errata.md "Wait counters").
  bool loads_write_in_order = true;
  /// Largest values of the wait counters. lgkmcnt is dscnt where has_kmcnt, vmcnt loadcnt, vscnt storecnt.
  uint8_t vmcnt_max, lgkmcnt_max, expcnt_max, vscnt_max;
  uint8_t kmcnt_max = 0;
  uint8_t samplecnt_max = 0;
  bool has_sdwa, has_dpp8;
  uint8_t max_clause_length = 0;      ///< instructions of an s_clause, 0 without clauses (GFX9)
  bool clauses_hold_stores = false;   ///< and not loads alone (GFX11+)
  bool clause_splits_access = false;  ///< loads, stores and atomics are clauses of different kinds (GFX11+)
  bool has_null_sgpr;
  bool prefers_mad = false;           ///< v_mad_f32 has short forms and v_fma_f32 has none (GFX9)
  bool limits_turns = false;          ///< v_sin and v_cos take up to 256 turns and give 0 and 1 beyond (GFX9)
  uint8_t min_user_sgprs_wave32 = 0;  ///< a bug wants that many user SGPRs in wave32 (gfx1100, gfx1102)
  bool getpc_zero_extends = false;    ///< s_getpc_b64 leaves the sign bits of the address 0 (GFX12)
  bool soffset_is_register = false;   ///< the scalar offset of buffer instructions is no constant (GFX12)
  bool has_dual_issue = false;        ///< VOPD in wave32 (GFX11+)
  bool has_salu_float = false;        ///< float arithmetic of the scalar unit (GFX11.5+)
  bool has_mem_ordered = false;       ///< MEM_ORDERED in RSRC1 (GFX10+)
  bool has_clamp_mode = true;         ///< DX10_CLAMP and IEEE_MODE in RSRC1 and MODE (up to GFX11)
  bool has_wgp_mode = true;           ///< two compute units may share a workgroup (GFX10+)
  MemorySystem memory_system = MemorySystem::gl0_gl1;
  bool packed_work_item_ids;             ///< v0 holds x, y, z in 10 bits each (GFX11+)
  bool work_group_ids_in_ttmp;           ///< GFX12
  bool architected_flat_scratch;         ///< hardware sets flat scratch (GFX11+)
  bool dual_moves_share_bank = false;    ///< two v_dual_mov_b32 may read one register bank (GFX12)
  bool dual_sources_may_be_one = false;  ///< both halves of a VOPD may read one register as the same source (GFX12)
  /// A VOPD whose halves have both an even or both an odd register as source 0, or as source 1, may read one of them
  /// before it is written (GFX11).
  bool dual_sources_alternate = false;
  bool inst_prefetch_padding;  ///< s_code_end padding after the last instruction (GFX10+)
  int32_t mubuf_offset_max;    ///< unsigned immediate offset (4095)
  int32_t global_offset_min, global_offset_max;
  int32_t scratch_offset_min, scratch_offset_max;
  int32_t smem_offset_min, smem_offset_max;
  bool clears_high_half = false;       ///< 16-bit VOP1 and VOP2 results clear the other half of the register (GFX9)
  bool flat_scratch_in_sgprs = false;  ///< flat scratch is s[102:103], not a hardware register (GFX9)
  BufferLayout buffer_layout = BufferLayout::unified_format;
  bool permutes_whole_wave = false;     ///< ds_permute and ds_bpermute cross all lanes, not groups of 32 (GFX9, GFX12)
  bool soffset_is_swizzled = false;     ///< the scalar offset of a swizzled buffer is part of what is swizzled (GFX12)
  bool format_store_repeats_x = false;  ///< typed stores put x into channels that they have no data for, not 0 (GFX12)
  /// A typed buffer load whose address is no multiple of the bytes that it brings may fault (Mesa; GFX10+).
  bool typed_loads_align = true;
  bool has_image_dim = true;    ///< image instructions name the dimension, not only whether it is an array (GFX10+)
  bool has_image_g16 = true;    ///< samples take gradients of 16 bits (GFX10+)
  bool has_image_unorm = true;  ///< and whether coordinates count texels (up to GFX11.5)
  /// Dwords of address that an image instruction may take as a list of registers; longer addresses are one tuple. GFX9
  /// has no lists.
  uint8_t listed_image_addresses = 13;
  // Pixel waves.
  bool parameters_in_lds = false;  ///< lds_param_load reads parameters, not v_interp with m0 (GFX11+)
  bool compresses_exports = true;  ///< an export may pack 16-bit components, two to a source (up to GFX10)
  bool has_null_export = true;     ///< export target 9 (up to GFX10)
  bool must_export = false;        ///< a wave that exports nothing else needs a null export (GFX9)
  bool swizzles_dual_source =
      false;                   ///< the two sources of a blend have targets of their own, sorted by lanes (GFX11+)
  bool ar_alpha_in_w = false;  ///< alpha of an export of red and alpha is the fourth component (GFX9)
  bool prefers_sample_filler = false;  ///< line stipple is slow, I and J at the sample are not (GFX12)
  uint8_t ancillary_layer_bits = 13;   ///< of the layer, from bit 16 on
  HazardSet hazards;                   ///< what software must keep apart
  uint32_t buffer_resource_word3;      ///< raw-buffer V# word 3: dst_sel xyzw, 32-bit format, bounds check by bytes

  /// e_flags of a PAL object for this target. The bits between say nothing: code of ours neither needs xnack or sramecc
  /// nor promises to work with xnack on (docs/decisions.md).
  constexpr uint32_t elf_flags() const { return kElfMach.at(elf_mach) | kElfGenericVersion.at(generic_version); }
  bool has(Feature feature) const {
    return feature == Feature::none || (features >> static_cast<unsigned>(feature) & 1);
  }
  bool has(Hazard hazard) const { return hazards.contains(hazard); }
  unsigned vgpr_granule(unsigned wave_size) const {
    return wave_size == 32 ? vgpr_granule_wave32 : vgpr_granule_wave64;
  }
  unsigned vgpr_encoding_granule(unsigned wave_size) const {
    return wave_size == 32 ? vgpr_encoding_granule_wave32 : vgpr_encoding_granule_wave64;
  }
  unsigned vgprs_per_simd(unsigned wave_size) const {
    return wave_size == 32 ? vgprs_per_simd_wave32 : vgprs_per_simd_wave64;
  }
  /// VGPRs that each wave of a SIMD may have when as many run as it takes.
  unsigned vgprs_of_most_waves(unsigned wave_size) const {
    const unsigned granule = vgpr_granule(wave_size);
    return vgprs_per_simd(wave_size) / max_waves_per_simd / granule * granule;
  }
  /// VGPRs that each wave of a workgroup may have. All of its waves run at the same time on the SIMDs of one compute
  /// unit, or of both of a work-group processor.
  unsigned vgprs_in_workgroup(unsigned wave_size, unsigned invocations, bool wgp_mode) const {
    const unsigned waves = (invocations + wave_size - 1) / wave_size;
    const unsigned simds = simds_per_cu * (wgp_mode ? 2u : 1u);
    const unsigned waves_per_simd = waves <= simds ? 1 : (waves + simds - 1) / simds;
    const unsigned share = vgprs_per_simd(wave_size) / waves_per_simd;
    const unsigned granules = share / vgpr_granule(wave_size);
    return granules * vgpr_granule(wave_size) < vgpr_limit ? granules * vgpr_granule(wave_size) : vgpr_limit;
  }
};

/// The target of that name, or nullptr.
const Target* find_target(std::string_view name);
/// The target that the flags of an ELF name: its processor number, and a generic version that is known. nullptr
/// otherwise.
const Target* find_target_of_elf(uint32_t elf_flags);
/// Every supported target, in a fixed order: processors, then the generic targets.
std::span<const Target> targets();

}  // namespace spalt::isa
