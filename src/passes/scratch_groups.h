// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "base/vector.h"
#include "ir/module.h"

namespace spalt::passes {

/// Variables in scratch memory that overlap: no access to other ones reaches them.
struct ScratchGroup {
  uint64_t begin = 0, end = 0;
  bool stays = false;  ///< a pass leaves it in scratch memory
};

bool is_scratch_access(const ir::Function& function, ir::Value value);

/// The scratch memory of a module, for passes that turn variables into something better; one group if nothing is known
/// about variables.
class ScratchGroups {
 public:
  ScratchGroups(const ir::Module& module, Arena& scratch);
  /// The group around `offset`, or null.
  ScratchGroup* find(uint64_t offset);
  const ScratchGroup* find(uint64_t offset) const { return const_cast<ScratchGroups*>(this)->find(offset); }
  std::span<ScratchGroup> all() { return groups_; }
  size_t index_of(const ScratchGroup& group) const { return static_cast<size_t>(&group - groups_.data()); }
  void keep_all();
  /// Some group is left that does not stay.
  bool any() const;
  /// Whether the group that an access is to does not stay.
  bool takes(const ir::Function& function, ir::Value access) const;
  /// Drops the variables that do not stay; Module::scratch_bytes shrinks to what is left.
  void remove_taken(ir::Module& module) const;

 private:
  Vector<ScratchGroup> groups_;  ///< sorted, disjoint
};

}  // namespace spalt::passes
