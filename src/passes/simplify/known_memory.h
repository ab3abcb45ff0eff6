// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "analysis/alias.h"
#include "analysis/dominance.h"
#include "analysis/loops.h"
#include "base/arena.h"
#include "base/vector.h"
#include "ir/module.h"

namespace spalt::passes {

/// What memory holds at the current point of a walk in layout order: places with the values that were loaded from there
/// or stored there, as far as nothing else can have changed them since.
///
/// An entry is one access; of a vector some components may have been overwritten. What a block knows holds in all
/// blocks that it dominates, less what is written between them in layout order: every way from one to the other goes
/// through blocks that lie between. In a loop that is also what comes after the block, so that entering a loop forgets
/// what any of its blocks writes. Entries are limited in number, so that each access costs a bounded search.
class KnownMemory {
 public:
  /// A scalar: component `index` of a value, or the value. Of a component that is wider than what is asked for, the
  /// bits from `first_bit` on.
  struct Part {
    ir::Value data;
    uint32_t index = 0;
    uint32_t first_bit = 0;
    bool operator==(const Part&) const = default;
  };

  KnownMemory(const ir::Function& function, std::span<const ir::Binding> bindings, const analysis::Dominance& dominance,
              const analysis::Loops& loops, Arena& scratch);

  void enter(ir::BlockId block);
  /// A load or a store of all of `place`.
  void remember(const analysis::MemoryPlace& place, ir::Value data);
  /// What the operation writes, or makes visible, is unknown from now on.
  void forget_writes_of(ir::Value operation);
  /// The same for a store or an atomic operation that writes this place.
  void forget_written(const analysis::MemoryPlace& place);
  /// What component `index` of `type` at this place is; false if it is unknown. The part may have another type, as wide
  /// or wider.
  bool find(const analysis::MemoryPlace& place, ir::Type type, unsigned index, Part& part) const;
  /// The value that is all of the place, whatever its type; none if no access was to the same bytes.
  ir::Value find_whole(const analysis::MemoryPlace& place) const;

 private:
  struct Entry {
    analysis::MemoryPlace place;
    ir::Value data;
    ir::BlockId block;
    uint32_t valid = 0;  ///< components that still hold
  };

  void forget(const analysis::MemoryPlace& place);
  bool forget_components(Entry& entry, const analysis::MemoryPlace& place);
  void forget_image(ir::Value image);
  void forget_shared();
  void enter_loop();
  void list_writes(uint32_t first, uint32_t last);
  ir::Type type(const Entry& entry) const { return function_.type(entry.data); }

  const ir::Function& function_;
  const std::span<const ir::Binding> bindings_;
  const analysis::Dominance& dominance_;
  const analysis::Loops& loops_;
  Vector<Entry> entries_;
  uint32_t next_ = 0;  ///< the entry to give up when all are taken
  ir::BlockId block_;

  struct Write {
    uint32_t position = 0;  ///< of its block in the layout
    ir::Value operation;
  };
  Vector<Write> writes_;  ///< of loops so far, in layout order
  uint32_t listed_ = 0;   ///< up to this position, for those that asked
};

}  // namespace spalt::passes
