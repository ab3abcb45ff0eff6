// SPDX-License-Identifier: MIT
#include "amdgpu/exec/parked.h"

namespace spalt::exec {

ParkedSets::Set ParkedSets::seek(Set set, uint32_t target, uint32_t slot) const {
  while (set != kEmpty && front(set).before(target, slot)) set = rest(set);
  return set;
}

const mir::Operand* ParkedSets::find(Set set, uint32_t target, uint32_t slot) const {
  const Set at = seek(set, target, slot);
  return at != kEmpty && front(at).at(target, slot) ? &front(at).value : nullptr;
}

ParkedSets::Set ParkedSets::split(Set set, uint32_t target, uint32_t slot) {
  scratch_.clear();
  for (; set != kEmpty && front(set).before(target, slot); set = rest(set)) scratch_.push_back(front(set));
  return set;
}

ParkedSets::Set ParkedSets::with(Set set, std::span<const Parked> entries) {
  if (entries.empty()) return set;
  set = split(set, entries.front().target, entries.front().slot);
  for (const Parked& entry : entries) {
    for (; set != kEmpty && front(set).before(entry.target, entry.slot); set = rest(set)) {
      scratch_.push_back(front(set));
    }
    if (set != kEmpty && front(set).at(entry.target, entry.slot)) set = rest(set);
    scratch_.push_back(entry);
  }
  return prepend(scratch_, set);
}

ParkedSets::Set ParkedSets::without(Set set, uint32_t target) {
  set = split(set, target, 0);
  while (set != kEmpty && front(set).target == target) set = rest(set);
  return prepend(scratch_, set);
}

ParkedSets::Set ParkedSets::prepend(std::span<const Parked> entries, Set set) {
  for (size_t i = entries.size(); i-- > 0;) {
    nodes_.push_back({entries[i], set});
    set = static_cast<Set>(nodes_.size() - 1);
  }
  return set;
}

}  // namespace spalt::exec
