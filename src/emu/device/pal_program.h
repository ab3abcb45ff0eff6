// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <string>

#include "amdgpu/object/stage_object.h"
#include "emu/launch/compute_state.h"
#include "emu/launch/launch.h"
#include "emu/memory/mapped_code.h"

namespace spalt::emu {

class TableAddresses;

/// A PAL compute code object in an address space: checked, mapped and decoded once. It does not change afterwards, and
/// any number of devices may run it at the same time.
class PalProgram {
 public:
  /// Maps the code read-only under `name`, at a multiple of 256, or anywhere in the default window when `address` is 0.
  static Result<std::shared_ptr<const PalProgram>> load(std::shared_ptr<AddressSpace> space, object::StageObject shader,
                                                        uint64_t address, std::string name);
  PalProgram(const PalProgram&) = delete;
  PalProgram& operator=(const PalProgram&) = delete;

  const object::StageObject& shader() const { return *shader_; }
  const isa::Target& target() const { return program_->target(); }
  const std::shared_ptr<const Program>& program() const { return program_; }
  uint64_t address() const { return code_.address(); }
  bool in_space(const AddressSpace* space) const { return code_.space() == space; }

  /// The parts of a launch and of its waves' first registers that are the same in every dispatch.
  Launch launch() const;
  const ComputeState& state() const { return state_; }
  /// What the user SGPRs hold: entries, and addresses of tables.
  std::vector<UserSgpr> user_sgprs(std::span<const uint32_t> entries, const TableAddresses& tables) const;

 private:
  PalProgram() = default;

  std::shared_ptr<const object::StageObject> shader_;
  MappedCode code_;
  std::shared_ptr<const Program> program_;
  ComputeState state_;
};

}  // namespace spalt::emu
