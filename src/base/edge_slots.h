// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/ice.h"
#include "base/vector.h"

namespace spalt {

/// For each edge of a graph, named by its source and the place of its target among the successors: the place of its
/// source among the predecessors of the target, which is where phis there have the operand of this edge. Parallel edges
/// are matched in order.
///
/// Takes time and memory in proportion to blocks and edges, whatever their degrees; searching the predecessors of a
/// block for each of its edges would be quadratic where many edges meet. Stays right while edges are replaced in place
/// at both ends, as splitting them does, for those that were not replaced.
template <class BlockId>
class EdgeSlots {
 public:
  /// `arena` (the heap if null) has the tables. `preds_of` and `succs_of` give the ends of the edges of a block as
  /// spans of BlockId. Each edge is in both lists; all ends are in `layout`, and all ids below `capacity`.
  template <class PredsOf, class SuccsOf>
  EdgeSlots(size_t capacity, std::span<const BlockId> layout, PredsOf preds_of, SuccsOf succs_of,
            Arena* arena = nullptr)
      : first_(capacity + 1, 0, arena), slots_(arena) {
    for (BlockId from : layout) first_[from.index + 1] = static_cast<uint32_t>(succs_of(from).size());
    for (size_t i = 1; i <= capacity; ++i) first_[i] += first_[i - 1];
    slots_.resize(first_[capacity]);
    const Vector<Arrival> arrivals = collect(capacity, layout, preds_of);
    Vector<uint32_t> waiting(capacity, kNone, arena), next(slots_.size(), kNone, arena);
    for (BlockId from : layout) {
      const uint32_t begin = first_[from.index], end = first_[from.index + 1];
      for (uint32_t e = end; e-- > begin;) {
        next[e] = waiting[arrivals[e].to.index];
        waiting[arrivals[e].to.index] = e;
      }
      uint32_t edge = begin;
      for (BlockId to : succs_of(from)) {
        uint32_t& first = waiting[to.index];
        SPALT_ASSERT(first != kNone);
        slots_[edge++] = arrivals[first].slot;
        first = next[first];
      }
    }
  }

  uint32_t operator()(BlockId from, size_t succ) const { return slots_[first_[from.index] + succ]; }

 private:
  static constexpr uint32_t kNone = 0xffffffffu;
  struct Arrival {
    BlockId to;
    uint32_t slot = 0;
  };

  /// The edges as their targets list them, sorted by source.
  template <class PredsOf>
  Vector<Arrival> collect(size_t capacity, std::span<const BlockId> layout, PredsOf preds_of) const {
    Vector<Arrival> arrivals(slots_.size(), Arrival(), slots_.arena());
    Vector<uint32_t> at(std::span<const uint32_t>(first_.data(), capacity), slots_.arena());
    for (BlockId to : layout) {
      uint32_t slot = 0;
      for (BlockId from : preds_of(to)) {
        SPALT_ASSERT(at[from.index] < first_[from.index + 1]);
        arrivals[at[from.index]++] = {to, slot++};
      }
    }
    return arrivals;
  }

  Vector<uint32_t> first_;  ///< by block: its first edge
  Vector<uint32_t> slots_;
};

}  // namespace spalt
