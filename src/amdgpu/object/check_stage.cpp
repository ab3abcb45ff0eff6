// SPDX-License-Identifier: MIT
// What linking and loading rely on. Stage objects of this process hold it by construction; stored ones may say
// anything.
#include <algorithm>

#include "amdgpu/abi/graphics_state.h"
#include "amdgpu/isa/target.h"
#include "amdgpu/object/elf_format.h"
#include "amdgpu/object/register_fields.h"
#include "amdgpu/object/stage_object.h"

namespace spalt::object {
namespace {

Error bad(std::string message) {
  return {Status::invalid_argument, std::move(message)};
}

Result<void> check_code(const StageObject& stage) {
  // A prolog may have nothing to do.
  const bool may_be_empty = stage.part == abi::Part::prolog && stage.entry_offset == 0;
  if ((stage.code.empty() && !may_be_empty) || stage.code.size() % 4 != 0) {
    return bad("the code is not a non-empty sequence of dwords");
  }
  if ((stage.entry_offset >= stage.code.size() && !may_be_empty) || stage.entry_offset % kEntryAlignment != 0) {
    return bad("the entry point is not 256-byte aligned inside the code");
  }
  if (stage.tables.size() % 4 != 0) return bad("the constant tables are no sequence of dwords");
  for (const Relocation& relocation : stage.relocations) {
    if (relocation.offset % 4 != 0 || relocation.offset >= stage.code.size()) {
      return bad("a relocation is not a dword inside the code");
    }
  }
  if (stage.entry_symbol.empty() || stage.entry_symbol.find('\0') != std::string::npos) {
    return bad("the entry point has no name");
  }
  return {};
}

/// Where loaders look for what they know (PAL pipeline ABI, 3.2).
Result<void> check_user_data(const StageObject& stage) {
  const auto& map = stage.user_data_reg_map;
  for (unsigned i = 0; i < map.size(); ++i) {
    if (map[i] == abi::kGlobalTable && i != 0) return bad("the global table is not in the first user SGPR");
    if (map[i] == abi::kBaseInstance && (i == 0 || map[i - 1] != abi::kBaseVertex)) {
      return bad("the base instance is not in the user SGPR after the base vertex");
    }
  }
  for (uint32_t content : kOncePerPipeline) {
    if (std::count(map.begin(), map.end(), content) > 1) {
      return bad("there are two user SGPRs for what the driver writes to one");
    }
  }
  return {};
}

/// Something must be interpolated, or the hardware does not start the wave.
constexpr unsigned kInterpolants = (1u << (abi::kLineStipple + 1)) - 1;
constexpr unsigned kPerspective = (1u << (abi::kPerspPull + 1)) - 1;

constexpr unsigned kMaxDistances = 8;
constexpr uint32_t kMaxSubgroup = 256;

Result<void> check_vertex_registers(const StageObject& stage) {
  if (stage.vertex_vgpr_comp_cnt > 3 || stage.primitive_vgpr_comp_cnt > 3) {
    return bad("the vertex stage has system VGPRs that do not exist");
  }
  for (uint32_t size : {stage.subgroup_vertices, stage.subgroup_primitives}) {
    if (size == 0 || size > kMaxSubgroup) return bad("the subgroups of the vertex stage have an impossible size");
  }
  return {};
}

Result<void> check_vertex(const StageObject& stage, const abi::VertexOutputs& outputs) {
  if (outputs.parameters.size() > abi::kMaxParameters) return bad("the vertex stage has too many parameters");
  if (outputs.clip_distances + outputs.cull_distances > kMaxDistances) {
    return bad("the vertex stage has too many clip and cull distances");
  }
  return check_vertex_registers(stage);
}

Result<void> check_pixel(const abi::PixelFacts& facts, bool starts_waves) {
  if (facts.parameters.size() > abi::kMaxParameters) return bad("the pixel stage has too many parameters");
  if (starts_waves && (facts.inputs & kInterpolants) == 0)
    return bad("the pixel stage loads no interpolant, the hardware needs one");
  if ((facts.inputs >> abi::kPosW & 1) != 0 && (facts.inputs & kPerspective) == 0) {
    return bad("the pixel stage loads w without a perspective interpolant");
  }
  if (facts.conservative_depth > 2) return bad("the pixel stage has an unknown kind of conservative depth");
  for (uint8_t mask : facts.color_masks) {
    if (mask > 0xf) return bad("the pixel stage writes colour channels that do not exist");
  }
  return {};
}

Result<void> check_prolog(const StageObject& stage) {
  const bool of_vertices =
      stage.hardware_stage == abi::HardwareStage::vs || stage.hardware_stage == abi::HardwareStage::gs;
  if (!of_vertices || !std::holds_alternative<std::monostate>(stage.facts)) {
    return bad("a prolog is of a vertex stage, and has no facts of its own");
  }
  return check_vertex_registers(stage);
}

Result<void> check_vertex_seam(const StageObject& stage, const abi::VertexSeam& seam) {
  int last = -1;
  for (const abi::AttributeRead& read : seam.reads) {
    const bool fits = read.location > last && read.location < abi::kMaxVertexAttributes && read.components != 0 &&
                      read.components <= 0xf;
    if (!fits) return bad("the seam reads attributes that do not exist");
    last = read.location;
  }
  if (seam.kept_sgprs > stage.sgpr_limit) return bad("the seam keeps SGPRs that do not exist");
  return {};
}

Result<void> check_pixel_seam(const abi::PixelSeam& seam) {
  for (const abi::PixelResult& result : seam.results) {
    if (result.location >= abi::kMaxColorTargets || result.component > 3) return bad("the seam has impossible results");
  }
  return seam.results.size() > abi::kMaxPixelResults ? bad("the seam has impossible results") : Result<void>();
}

/// A part of a stage has the seam of the stage, a whole one has none.
Result<void> check_part(const StageObject& stage) {
  if (stage.part == abi::Part::whole) {
    if (std::holds_alternative<std::monostate>(stage.seam)) return {};
  } else if (const auto* vertex = std::get_if<abi::VertexSeam>(&stage.seam)) {
    const bool fits = stage.hardware_stage == abi::HardwareStage::vs || stage.hardware_stage == abi::HardwareStage::gs;
    if (fits && stage.part != abi::Part::epilog) return check_vertex_seam(stage, *vertex);
  } else if (const auto* pixel = std::get_if<abi::PixelSeam>(&stage.seam)) {
    const bool fits = stage.hardware_stage == abi::HardwareStage::ps;
    if (fits && stage.part != abi::Part::prolog) return check_pixel_seam(*pixel);
  }
  return bad("the seam of the stage does not fit it");
}

}  // namespace

Result<void> check_facts(const StageObject& stage) {
  if (stage.part == abi::Part::prolog) return check_prolog(stage);
  switch (stage.hardware_stage) {
    case abi::HardwareStage::cs:
      if (std::holds_alternative<std::monostate>(stage.facts)) return {};
      break;
    case abi::HardwareStage::vs:
    case abi::HardwareStage::gs:
      if (const auto* outputs = std::get_if<abi::VertexOutputs>(&stage.facts)) return check_vertex(stage, *outputs);
      break;
    case abi::HardwareStage::ps:
      if (const auto* facts = std::get_if<abi::PixelFacts>(&stage.facts)) {
        return check_pixel(*facts, stage.part != abi::Part::epilog);
      }
      break;
  }
  return bad("the facts of the stage are those of another hardware stage");
}

Result<void> check_stage(const StageObject& stage) {
  const isa::Target* target = isa::find_target(stage.target_name);
  if (target == nullptr) return bad("unknown target \"" + stage.target_name + "\"");
  if (find_stage_registers(stage.hardware_stage, *target) == nullptr) {
    return bad(std::string(target->name) + " has no such hardware stage");
  }
  if (Result<void> code = check_code(stage); !code) return code;
  if (stage.wave_size != 32 && stage.wave_size != 64) return bad("the wave size is neither 32 nor 64");
  if (Result<void> facts = check_facts(stage); !facts) return facts;
  if (Result<void> part = check_part(stage); !part) return part;
  return check_user_data(stage);
}

}  // namespace spalt::object
