// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "amdgpu/abi/stage_interface.h"
#include "base/result.h"
#include "base/vector.h"

namespace spalt::object {

/// Values of StageObject::user_data_reg_map below this are plain user-data entries; the others are named in
/// amdgpu/abi/stage_interface.h.
constexpr uint32_t kUserDataEntryLimit = abi::kUserDataEntries;
using abi::kUserDataRegisters;

/// User data that may be in one register of a pipeline only, because the driver writes it once (PAL pipeline ABI, 3.2).
constexpr uint32_t kOncePerPipeline[] = {abi::kVertexBufferTable, abi::kBaseVertex, abi::kDrawIndex};

/// Where the constant tables of a stage begin in the section: a multiple of this many bytes.
constexpr uint32_t kTableAlignment = 16;

/// What a relocation leads to.
enum class RelocationKind : uint8_t {
  entry,  ///< the entry point of a stage
  tables  ///< the constant tables of a stage
};

/// A place in the code that is known only when the stages of a pipeline lie side by side. The dword at `offset` becomes
/// the distance in bytes from itself to what `kind` names of `stage`, plus `addend`.
struct Relocation {
  uint32_t offset = 0;  ///< bytes from the start of the code
  abi::HardwareStage stage = abi::HardwareStage::cs;
  int32_t addend = 0;
  RelocationKind kind = RelocationKind::entry;
  bool operator==(const Relocation&) const = default;
};

/// The symbol of a stage's entry point, which loaders look for.
constexpr std::string_view entry_symbol_of(abi::HardwareStage stage) {
  constexpr std::string_view kSymbols[abi::kHardwareStages] = {"_amdgpu_cs_main", "_amdgpu_vs_main", "_amdgpu_gs_main",
                                                               "_amdgpu_ps_main"};
  return kSymbols[static_cast<unsigned>(stage)];
}

/// What the primitives of a pipeline consist of.
enum class PrimitiveShape : uint8_t { points, lines, triangles };

/// What compiling one stage, or a part of one, makes: its code and all that a loader must know to run it. It depends on
/// no other stage; linking (link.h) joins stage objects to the ELF of a pipeline, and stage_bytes.h stores them.
///
/// Code and relocations are in an arena or, without one, in the heap. The texts are short, apart from a disassembly,
/// and short texts take no memory of their own.
struct StageObject {
  explicit StageObject(Arena* arena = nullptr) : code(arena), tables(arena), relocations(arena) {}

  abi::HardwareStage hardware_stage = abi::HardwareStage::cs;
  std::string target_name;  ///< "gfx1030"
  Vector<uint8_t> code;
  Vector<uint8_t> tables;          ///< constant data that the code reads; linking puts it after all code
  Vector<Relocation> relocations;  ///< sorted by offset
  uint32_t entry_offset = 0;       ///< of the entry point within `code`
  std::string entry_symbol{entry_symbol_of(abi::HardwareStage::cs)};

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
  std::array<uint32_t, kUserDataRegisters> user_data_reg_map = abi::StageInterface::nothing_mapped();
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

  // Graphics stages. Inputs and outputs, of the kind that the hardware stage has: none of a compute stage,
  // abi::VertexOutputs of vs and gs, abi::PixelFacts of ps.
  std::variant<std::monostate, abi::VertexOutputs, abi::PixelFacts> facts;
  /// The last system VGPR that the hardware loads, counted from the one with the vertex number: VS_VGPR_COMP_CNT, or
  /// ES_VGPR_COMP_CNT of a primitive shader.
  uint32_t vertex_vgpr_comp_cnt = 0;
  uint32_t primitive_vgpr_comp_cnt = 0;                         ///< GS_VGPR_COMP_CNT of a primitive shader
  uint32_t subgroup_vertices = 128, subgroup_primitives = 128;  ///< of a primitive shader, at most
  PrimitiveShape primitive_shape = PrimitiveShape::triangles;   ///< of vertex stages
  bool rasterizer_discard = false;                              ///< of vertex stages
  bool alpha_to_coverage = false;                               ///< of the pixel stage

  /// What of its stage the object has. A prolog has no facts of its own; an epilog those about outputs. Linking takes a
  /// body together with a piece that has the same seam.
  abi::Part part = abi::Part::whole;
  abi::Seam seam;

  // System registers of compute stages.
  bool tgid_x_en = true, tgid_y_en = true, tgid_z_en = true;
  bool tg_size_en = false;
  uint32_t tidig_comp_cnt = 0;  ///< local ids loaded: 0 x, 1 xy, 2 xyz

  // Hints and names.
  bool uses_uavs = false, writes_uavs = false, uses_rovs = false, uses_append_consume = false;
  std::string api = "Vulkan";
  std::array<uint64_t, 2> pipeline_hash{1, 1};    ///< of the pipeline; stable, unique; loaders expect non-zero
  std::array<uint64_t, 2> api_shader_hash{1, 1};  ///< loaders expect non-zero
  std::string disassembly;                        ///< kept in .AMDGPU.disasm when not empty

  // For people.
  uint32_t instruction_count = 0;
  uint32_t spilled_sgprs = 0, spilled_vgprs = 0;  ///< values

  bool operator==(const StageObject&) const = default;
};

/// What is wrong with a stage object that came from outside, if anything: whoever takes one apart may rely on the rest.
Result<void> check_stage(const StageObject& stage);
/// The part of it that registers tell: what kind of facts, and numbers within what registers have bits for.
Result<void> check_facts(const StageObject& stage);

/// Reads a PAL code object of either version: the only stage of a compute pipeline. The bytes are not trusted.
/// pipeline_object.h reads pipelines of more stages.
Result<StageObject> read_elf(std::span<const uint8_t> bytes);

}  // namespace spalt::object
