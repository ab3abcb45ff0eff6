// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "icd/layout/pipeline_layout.h"
#include "spalt/device.hpp"

namespace spalt::icd {

/// Compiled code in device memory, shared by the pipelines that have the same and by recorded commands: it outlives the
/// pipeline as long as a command list refers to it.
class Program {
 public:
  Program(Device& device, std::vector<std::byte> elf, const std::string& name);
  ~Program();
  const spalt_api::Program& loaded() const { return program_; }
  const std::vector<std::byte>& elf() const { return elf_; }

 private:
  Device* device_;
  uint64_t address_ = 0;
  std::vector<std::byte> elf_;
  spalt_api::Program program_;
};
using ProgramRef = std::shared_ptr<const Program>;

class ComputePipeline : public Object {
 public:
  using Handle = VkPipeline;
  ProgramRef program;
  PipelineLayoutRef layout;
};

}  // namespace spalt::icd
