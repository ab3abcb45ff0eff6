// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "amdgpu/isa/opcode.h"
#include "amdgpu/isa/target.h"
#include "proof.h"

namespace spalt::semantics {

using isa::Generation;

/// A processor of the generation that the emulator executes and that has all of these opcodes, or nullptr.
const isa::Target* executing_target(Generation generation, const std::vector<Opcode>& opcodes);
const char* generation_name(Generation generation);

/// Which opcodes have passed a proof on which generation, held against those that the emulator executes.
class Coverage {
 public:
  void add(Generation generation, Opcode opcode) { proven_[generation].insert(opcode); }
  /// Opcodes with a handler, on generations that are executed, that are neither proven nor exempt: one line per
  /// generation and group. Empty when there are none.
  std::vector<std::string> unproven() const;
  /// How many opcodes of each group exist, are proven, are exempt and are not executed, with the names of the latter
  /// two.
  std::string table() const;

 private:
  std::map<Generation, std::set<Opcode>> proven_;
};

}  // namespace spalt::semantics
