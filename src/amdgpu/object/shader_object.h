// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "amdgpu/abi/compute_interface.h"
#include "base/result.h"

namespace spalt::object {

/// Values of ShaderObject::user_data_reg_map below this are plain user-data entries; the others are named in
/// amdgpu/abi/compute_interface.h.
constexpr uint32_t kUserDataEntryLimit = 160;
constexpr unsigned kUserDataRegisters = 32;

/// One hardware stage: its code and what a loader must know to run it. Only the compute stage exists so far; graphics
/// stages add facts here and a stage selector, a pipeline ELF joins several of these.
struct ShaderObject {
  std::string target_name;  ///< "gfx1030"
  std::vector<uint8_t> code;
  uint32_t entry_offset = 0;  ///< of the entry point within `code`
  std::string entry_symbol = "_amdgpu_cs_main";

  // Resources.
  uint32_t wave_size = 64;
  uint32_t vgpr_count = 0;  ///< registers used: highest index + 1
  uint32_t sgpr_count = 0;  ///< likewise, without vcc
  uint32_t vgpr_limit = 256;
  uint32_t sgpr_limit = 104;
  uint32_t lds_bytes = 0;
  uint32_t scratch_bytes_per_lane = 0;
  uint32_t shared_vgpr_count = 0;
  std::array<uint32_t, 3> threadgroup_dims{1, 1, 1};

  // User data.
  uint32_t user_sgprs = 0;
  std::array<uint32_t, kUserDataRegisters> user_data_reg_map = unmapped();
  uint32_t spill_threshold = abi::kNoSpillThreshold;  ///< first entry that lives in the spill table
  uint32_t user_data_limit = 1;                       ///< highest entry read + 1, at least 1

  // Modes.
  uint32_t float_mode = 0xc0;  ///< FLOAT_MODE byte: f32 flushed, f16 and f64 denormals kept, round to nearest even
  bool dx10_clamp = true;
  bool ieee_mode = false;
  bool fp16_overflow = false;
  bool wgp_mode = false;
  bool mem_ordered = true;
  bool forward_progress = false;
  bool wg_round_robin = false;  ///< GFX12
  bool debug_mode = false;
  bool trap_present = false;
  bool scratch_en = false;
  uint32_t excp_en = 0;  ///< 9 bits: [6:0] float and integer exceptions, [8:7] memory exceptions

  // System registers.
  bool tgid_x_en = true, tgid_y_en = true, tgid_z_en = true;
  bool tg_size_en = false;
  uint32_t tidig_comp_cnt = 0;  ///< local ids loaded: 0 x, 1 xy, 2 xyz

  // Hints and names.
  bool uses_uavs = false, writes_uavs = false, uses_rovs = false, uses_append_consume = false;
  std::string api = "Vulkan";
  std::array<uint64_t, 2> pipeline_hash{1, 1};    ///< stable, unique; loaders expect non-zero
  std::array<uint64_t, 2> api_shader_hash{1, 1};  ///< loaders expect non-zero
  std::string disassembly;                        ///< kept in .AMDGPU.disasm when not empty

  static constexpr std::array<uint32_t, kUserDataRegisters> unmapped() {
    std::array<uint32_t, kUserDataRegisters> map{};
    map.fill(abi::kNotMapped);
    return map;
  }
};

/// How the metadata describes registers.
enum class MetadataVersion : uint8_t {
  v2_6,  ///< `.registers`: raw register values by number
  v3_0,  ///< named fields
  v3_6   ///< the same, the entry point by its symbol alone
};

/// The PAL code object of `shader`: the same bytes for the same input on every machine.
Result<std::vector<uint8_t>> write_elf(const ShaderObject& shader, MetadataVersion version);

/// Reads a PAL code object of either version. The bytes are not trusted.
Result<ShaderObject> read_elf(std::span<const uint8_t> bytes);

}  // namespace spalt::object
