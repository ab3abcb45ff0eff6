// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <set>
#include <string>

#include "amdgpu/isa/opcode.h"
#include "amdgpu/isa/target.h"

namespace spalt::opencl {

/// Which opcodes passing kernels have executed, per generation.
class Coverage {
 public:
  void add(const isa::Target& target, isa::Opcode opcode) { executed_[target.generation].insert(opcode); }
  /// For each generation: how many of its scalar, vector and memory opcodes were executed and the names of those that
  /// were not. Images, exports and interpolation, which need graphics, are left out.
  std::string report() const;

 private:
  std::map<isa::Generation, std::set<isa::Opcode>> executed_;
};

}  // namespace spalt::opencl
