// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>

#include "amdgpu/mir/function.h"

namespace spalt::exec {

/// Something that travels to the block at position `target` while the wave is elsewhere, as of some point of the linear
/// walk: the mask of the lanes that wait there (slot 0), or the value that the block's SGPR phi number slot - 1 takes
/// for them. Where that phi joins lane masks, the value has the bits of these lanes and those of `nothing` for others.
/// Absent means `nothing`.
struct Parked {
  uint32_t target, slot;
  mir::Operand value;
  mir::Operand nothing;  ///< what the value is when no lane has brought one
  bool is_waiting() const { return slot == 0; }
  bool at(uint32_t other_target, uint32_t other_slot) const { return target == other_target && slot == other_slot; }
  bool before(uint32_t other_target, uint32_t other_slot) const {
    return target != other_target ? target < other_target : slot < other_slot;
  }
  bool is_default() const { return value.same_value(nothing); }
};

/// Sets of parked things, one for the end of each block: lists sorted by target and slot that share their tails. In a
/// deep nest of branches all sets are long but differ in their first entries only, those for the nearest blocks; that
/// is where changes happen. So a change costs the entries before its place, and joining costs what differs.
class ParkedSets {
 public:
  explicit ParkedSets(Arena& scratch) : nodes_(scratch), scratch_(scratch) {}

  /// A set never changes: operations return another one.
  using Set = uint32_t;
  static constexpr Set kEmpty = 0xffffffffu;

  const Parked& front(Set set) const { return nodes_[set].entry; }
  Set rest(Set set) const { return nodes_[set].next; }
  /// The part of the set from the first entry that is not before (target, slot).
  Set seek(Set set, uint32_t target, uint32_t slot) const;
  /// The value of an entry; null where there is none. Valid until the next change.
  const mir::Operand* find(Set set, uint32_t target, uint32_t slot) const;
  /// With the entries of one target added or replaced; sorted by slot.
  Set with(Set set, std::span<const Parked> entries);
  /// Without all entries for `target`.
  Set without(Set set, uint32_t target);
  /// `entries`, all before those of `set`, put before it.
  Set prepend(std::span<const Parked> entries, Set set);

 private:
  struct Node {
    Parked entry;
    Set next;
  };
  /// Copies the entries before (target, slot) to scratch_; returns the rest.
  Set split(Set set, uint32_t target, uint32_t slot);

  Vector<Node> nodes_;
  Vector<Parked> scratch_;
};

}  // namespace spalt::exec
