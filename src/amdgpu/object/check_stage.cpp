// SPDX-License-Identifier: MIT
// What linking and loading rely on. Stage objects of this process hold it by construction; stored ones may say
// anything.
#include "amdgpu/isa/target.h"
#include "amdgpu/object/elf_format.h"
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

}  // namespace

Result<void> check_stage(const StageObject& stage) {
  const isa::Target* target = isa::find_target(stage.target_name);
  if (target == nullptr) return bad("unknown target \"" + stage.target_name + "\"");
  if (stage.hardware_stage != abi::HardwareStage::cs) return bad("unknown hardware stage");
  if (Result<void> code = check_code(stage); !code) return code;
  if (stage.wave_size != 32 && stage.wave_size != 64) return bad("the wave size is neither 32 nor 64");
  return {};
}

}  // namespace spalt::object
