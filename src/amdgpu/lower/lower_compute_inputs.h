// SPDX-License-Identifier: MIT
// Internal to src/amdgpu/lower: what a compute program knows of its place in the dispatch.
#pragma once
#include "amdgpu/abi/compute_interface.h"
#include "amdgpu/lower/entry_registers.h"
#include "amdgpu/lower/lower_module.h"

namespace spalt::lower {

/// Collects which registers the built-ins of a compute shader need.
class ComputeInputFinder {
 public:
  explicit ComputeInputFinder(const ir::Module& module) : function_(module.functions[0]), facts_(module.compute()) {}

  Result<void> visit(ir::Value value);
  const abi::ComputeNeeds& needs() const { return needs_; }

 private:
  void need_local_id(unsigned component);

  const ir::Function& function_;
  const ir::ComputeFacts& facts_;
  abi::ComputeNeeds needs_;
};

/// Replaces `builtin` by entry registers and arithmetic on them. The built-ins of ir::is_lowered_builtin
/// stay, which no register holds.
class ComputeInputRewriter {
 public:
  ComputeInputRewriter(const ir::Module& module, const LowerConfig& config, EntryRegisters& entry, Inserter& insert)
      : facts_(module.compute()), config_(config), entry_(entry), insert_(insert) {}

  /// What stands for the instruction from now on; none when it stays.
  ir::Value rewrite(const ir::Inst& inst);

 private:
  ir::Value workgroup_id(unsigned component);
  ir::Value local_id(unsigned component);
  ir::Value lane_id(unsigned component);
  ir::Value local_index();
  ir::Value index_of(ir::Value x, ir::Value y);
  ir::Value global_id(unsigned component);
  ir::Value num_workgroups(unsigned component);
  ir::Value subgroup_id();

  const ir::ComputeFacts& facts_;
  const LowerConfig& config_;
  EntryRegisters& entry_;
  Inserter& insert_;
};

}  // namespace spalt::lower
