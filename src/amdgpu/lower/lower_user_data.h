// SPDX-License-Identifier: MIT
// Internal to src/amdgpu/lower: what the driver passes to a program of any stage, which is descriptor sets, push
// constants and the spill table.
#pragma once
#include <optional>

#include "amdgpu/abi/user_data.h"
#include "amdgpu/lower/entry_registers.h"
#include "amdgpu/lower/lower_module.h"
#include "analysis/divergence.h"
#include "base/result.h"

namespace spalt::lower {

/// Collects which user data the program reads. Fails when the layout lacks a binding that the program uses.
class UserDataFinder {
 public:
  UserDataFinder(const ir::Module& module, const LowerConfig& config)
      : module_(module), function_(module.functions[0]), layout_(*config.layout) {
    needs_.tables_in_pairs = config.address_high.has_value();
  }

  Result<void> visit(ir::Value value);
  /// When all are visited.
  abi::UserDataNeeds needs();
  /// Whether a descriptor is chosen by a value that is no constant, and that a lane does not give to all.
  bool may_have_divergent_indices() const { return may_be_divergent_; }

 private:
  Result<void> visit_resource(ir::Value value);
  Result<void> visit_buffer_of(ir::Value value);
  Result<void> visit_binding(const ir::Binding& binding, ir::Value index);
  void visit_pair(ir::Value value);
  void visit_push(ir::Value value);

  const ir::Module& module_;
  const ir::Function& function_;
  const abi::UserDataLayout& layout_;
  abi::UserDataNeeds needs_;
  bool may_be_divergent_ = false;
};

/// Replaces `resource` and `sampler` by descriptors: loaded from their sets, made of the address of inline data, or
/// found in user data; `buffer_of` by the descriptor that its key chooses, and keys by numbers; `buffer_size` and
/// queries about images by fields of the descriptor; loads from push constants by entry registers or loads from the
/// spill table; loads at known places of inline data by loads from the table of the set.
class UserDataRewriter {
 public:
  /// `divergence` is asked for indices that may be divergent only, and may be null without such.
  UserDataRewriter(const ir::Module& module, const LowerConfig& config, const analysis::Divergence* divergence,
                   EntryRegisters& entry, Inserter& insert)
      : module_(module),
        function_(module.functions[0]),
        layout_(*config.layout),
        target_(*config.target),
        address_high_(config.address_high),
        divergence_(divergence),
        entry_(entry),
        insert_(insert) {}

  /// What stands for the value from now on; none when it is nothing of the above.
  ir::Value rewrite(ir::Value value, const ir::Inst& inst);

 private:
  ir::Value rewrite_push(ir::Value value, const ir::Inst& inst);
  ir::Value push_dword(uint32_t dword, ir::Type type);
  ir::Value push_part(uint32_t offset, ir::Type type);
  ir::Value rewrite_query(ir::Value value, const ir::Inst& inst);
  ir::Value rewrite_short_push(const ir::Inst& inst, const ir::MemoryAccess& access, ir::Value index);
  ir::Value rewrite_uniform(ir::Value value, const ir::Inst& inst);
  ir::Value rewrite_resource(ir::Value value, const ir::Inst& inst);
  ir::Value rewrite_buffer_of(ir::Value value);
  ir::Value uniform_index(ir::Value value);
  ir::Value table_descriptor(ir::Value value, const abi::BindingLocation& location);
  ir::Value inline_descriptor(const abi::BindingLocation& location);
  ir::Value immutable_sampler(const uint32_t* given);
  ir::Value user_data_descriptor(ir::Value value, const abi::BindingLocation& location);

  const ir::Module& module_;
  const ir::Function& function_;
  const abi::UserDataLayout& layout_;
  const isa::Target& target_;
  const std::optional<uint32_t> address_high_;
  const analysis::Divergence* divergence_;
  EntryRegisters& entry_;
  Inserter& insert_;
};

}  // namespace spalt::lower
