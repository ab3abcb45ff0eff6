// SPDX-License-Identifier: MIT
#include <iterator>

#include "amdgpu/isa/target.h"

namespace spalt::isa {
namespace {

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
  target.has_s_clause = true;
  target.has_null_sgpr = true;
  target.float_atomic_denorm_mode_hazard = true;
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

/// EF_AMDGPU_MACH values: LLVM AMDGPU usage guide, "ELF Code Object", e_flags.
constexpr Target kTargets[] = {
    gfx10_3("gfx1030", 0x36, 0), gfx10_3("gfx1031", 0x37, 1), gfx10_3("gfx1032", 0x38, 2), gfx10_3("gfx1033", 0x39, 3),
    gfx10_3("gfx1034", 0x3e, 4), gfx10_3("gfx1035", 0x3d, 5), gfx10_3("gfx1036", 0x45, 6),
};

}  // namespace

const Target* find_target(std::string_view name) {
  for (const Target& target : kTargets) {
    if (target.name == name) return &target;
  }
  return nullptr;
}

std::span<const Target> targets() {
  return kTargets;
}

}  // namespace spalt::isa
