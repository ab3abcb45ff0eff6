// SPDX-License-Identifier: MIT
// What linking and loading rely on. Stage objects of this process hold it by construction; stored ones may say
// anything.
#include <algorithm>

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
  if (stage.code.empty() || stage.code.size() % 4 != 0) {
    return bad("the code is not a non-empty sequence of dwords");
  }
  if (stage.entry_offset >= stage.code.size() || stage.entry_offset % kEntryAlignment != 0) {
    return bad("the entry point is not 256-byte aligned inside the code");
  }
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

Result<void> check_vertex(const StageObject& stage, const abi::VertexOutputs& outputs) {
  if (outputs.parameters.size() > abi::kMaxParameters) return bad("the vertex stage has too many parameters");
  if (outputs.clip_distances + outputs.cull_distances > kMaxDistances) {
    return bad("the vertex stage has too many clip and cull distances");
  }
  if (stage.vertex_vgpr_comp_cnt > 3 || stage.primitive_vgpr_comp_cnt > 3) {
    return bad("the vertex stage has system VGPRs that do not exist");
  }
  for (uint32_t size : {stage.subgroup_vertices, stage.subgroup_primitives}) {
    if (size == 0 || size > kMaxSubgroup) return bad("the subgroups of the vertex stage have an impossible size");
  }
  return {};
}

Result<void> check_pixel(const abi::PixelFacts& facts) {
  if (facts.parameters.size() > abi::kMaxParameters) return bad("the pixel stage has too many parameters");
  if ((facts.inputs & kInterpolants) == 0) return bad("the pixel stage loads no interpolant, the hardware needs one");
  if ((facts.inputs >> abi::kPosW & 1) != 0 && (facts.inputs & kPerspective) == 0) {
    return bad("the pixel stage loads w without a perspective interpolant");
  }
  if (facts.conservative_depth > 2) return bad("the pixel stage has an unknown kind of conservative depth");
  for (uint8_t mask : facts.color_masks) {
    if (mask > 0xf) return bad("the pixel stage writes colour channels that do not exist");
  }
  return {};
}

}  // namespace

Result<void> check_facts(const StageObject& stage) {
  switch (stage.hardware_stage) {
    case abi::HardwareStage::cs:
      if (std::holds_alternative<std::monostate>(stage.facts)) return {};
      break;
    case abi::HardwareStage::vs:
    case abi::HardwareStage::gs:
      if (const auto* outputs = std::get_if<abi::VertexOutputs>(&stage.facts)) return check_vertex(stage, *outputs);
      break;
    case abi::HardwareStage::ps:
      if (const auto* facts = std::get_if<abi::PixelFacts>(&stage.facts)) return check_pixel(*facts);
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
  return check_user_data(stage);
}

}  // namespace spalt::object
