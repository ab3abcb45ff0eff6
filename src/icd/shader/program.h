// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "icd/shader/compiled_shader.h"
#include "icd/shader/used_bindings.h"
#include "spalt/device.hpp"

namespace spalt::icd {

/// A place for a program in the window of tables.
class ProgramAddress {
 public:
  ProgramAddress(DeviceSpace& space, uint64_t size) : space_(&space), value_(space.reserve(Range::tables, size)) {}
  ~ProgramAddress() { space_->unreserve(Range::tables, value_); }
  ProgramAddress(const ProgramAddress&) = delete;
  ProgramAddress& operator=(const ProgramAddress&) = delete;
  uint64_t value() const { return value_; }

 private:
  DeviceSpace* space_;
  uint64_t value_;
};

/// Compiled code in device memory. Recorded commands refer to it, too, so that it outlives its pipeline as long as they
/// need it; the device must outlive it.
class Program {
 public:
  /// `words` is the module, where it is known; it is kept when faults are dumped. `name` is for messages. Throws
  /// VulkanError when the ELF is none that this device loads, which a damaged one from a cache may be.
  Program(Device& device, CompiledShaderRef shader, std::span<const uint32_t> words, const std::string& name);

  const spalt_api::Program& loaded() const { return program_; }
  const CompiledShader& shader() const { return *shader_; }
  const std::vector<std::byte>& elf() const { return shader_->elf; }
  std::span<const uint32_t> spirv() const { return spirv_; }
  /// None where nobody wants to know (SPALT_ICD_LAYOUTS), or the module is not known.
  const std::vector<UsedBinding>& used_bindings() const { return used_bindings_; }

 private:
  CompiledShaderRef shader_;
  std::vector<uint32_t> spirv_;
  std::vector<UsedBinding> used_bindings_;
  ProgramAddress address_;
  spalt_api::Program program_;  // unmapped before the address is given back
};
using ProgramRef = std::shared_ptr<const Program>;

}  // namespace spalt::icd
