// SPDX-License-Identifier: MIT
#include "passes/scratch_groups.h"

#include <algorithm>

#include "analysis/alias.h"

namespace spalt::passes {

bool is_scratch_access(const ir::Function& function, ir::Value value) {
  return ir::is_memory(function.inst(value).op) && function.access(value).storage == ir::StorageClass::scratch;
}

ScratchGroups::ScratchGroups(const ir::Module& module, Arena& scratch) : groups_(scratch) {
  Vector<ir::ScratchVariable> variables(module.scratch_variables, &scratch);
  if (variables.empty()) variables.push_back({0, module.scratch_bytes});
  std::sort(variables.begin(), variables.end(),
            [](const ir::ScratchVariable& a, const ir::ScratchVariable& b) { return a.offset < b.offset; });
  for (const ir::ScratchVariable& variable : variables) {
    const uint64_t end = uint64_t{variable.offset} + variable.bytes;
    if (!groups_.empty() && variable.offset < groups_.back().end) {
      groups_.back().end = std::max(groups_.back().end, end);
    } else {
      groups_.push_back({variable.offset, end});
    }
  }
}

ScratchGroup* ScratchGroups::find(uint64_t offset) {
  const auto next = std::upper_bound(groups_.begin(), groups_.end(), offset,
                                     [](uint64_t value, const ScratchGroup& group) { return value < group.begin; });
  if (next == groups_.begin()) return nullptr;
  ScratchGroup& group = *std::prev(next);
  return offset < group.end ? &group : nullptr;
}

void ScratchGroups::keep_all() {
  for (ScratchGroup& group : groups_) group.stays = true;
}

bool ScratchGroups::any() const {
  return std::any_of(groups_.begin(), groups_.end(),
                     [](const ScratchGroup& group) { return !group.stays && group.end != 0; });
}

bool ScratchGroups::takes(const ir::Function& function, ir::Value access) const {
  const ScratchGroup* group = find(analysis::memory_place(function, access).first);
  return group != nullptr && !group->stays;
}

void ScratchGroups::remove_taken(ir::Module& module) const {
  erase_if(module.scratch_variables, [&](const ir::ScratchVariable& variable) {
    const ScratchGroup* group = find(variable.offset);
    return group == nullptr || !group->stays;
  });
  uint64_t end = 0;
  for (const ScratchGroup& group : groups_) {
    if (group.stays) end = group.end;
  }
  module.scratch_bytes = static_cast<uint32_t>(end);
}

}  // namespace spalt::passes
