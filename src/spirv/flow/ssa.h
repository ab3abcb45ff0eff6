// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>

#include "base/vector.h"
#include "ir/builder.h"

namespace spalt::spirv {

/// Builds SSA form of variables while blocks are created in layout order, after Braun et al., "Simple and Efficient
/// Construction of Static Single Assignment Form" (CC 2013). A slot is one scalar of one variable.
///
/// Differences from the paper: nothing recurses (phi operands are filled from a worklist); a join needs no phi
/// when nothing between its dominator and itself stored to the slot, which is known because blocks come in layout
/// order; a phi found to be trivial is forwarded to its value, and finish() rewrites the operands that still name it.
class Ssa {
 public:
  /// The tables are in `scratch`.
  Ssa(ir::Builder& builder, Arena& scratch) : function_(builder.function()), scratch_(scratch) {}

  uint32_t add_slot(ir::Type type);
  uint32_t slot_count() const { return static_cast<uint32_t>(slots_.size()); }

  /// `block` is what the builder appends to from now on. Every forward edge to it exists already. `dominator` is any
  /// block that dominates it, or none. A block that still awaits its back edge is not sealed.
  void begin_block(ir::BlockId block, ir::BlockId dominator, bool sealed);
  /// All edges to the block exist: completes the phis that were made before.
  void seal(ir::BlockId block);

  void write(uint32_t slot, ir::Value value);
  ir::Value read(uint32_t slot);

  /// A phi in the order of the block's edges; the caller gives all operands, or leaves the last one for
  /// complete_phi while the back edge is missing.
  ir::Value create_phi(ir::BlockId block, ir::Type type, std::span<const ir::Value> operands);
  /// What the value has turned out to be.
  ir::Value resolve(ir::Value value) const;
  ir::Value undef(ir::Type type);

  /// Removes phis that became trivial and rewrites all operands. Every block is sealed.
  void finish();

  /// Steps taken so far, for the reader's work limit.
  uint64_t work() const { return work_; }

 private:
  static constexpr uint32_t kNoEntry = 0xffffffffu;
  struct Slot {
    ir::Type type;
    ir::Value value;                  ///< in the current block, if stamp says so
    uint32_t stamp = 0;               ///< sequence number of the block that `value` is valid in
    uint32_t last_write = 0;          ///< sequence number of the last block that stored to it
    uint32_t older_write = kNoEntry;  ///< the last of the other blocks that stored to it, in older_writes_
  };
  /// A block that stored to a slot, in a list from the last to the first. `jump` leads to an earlier one, so that
  /// finding a sequence number takes logarithmic time (Myers, "An applicative random-access stack", 1983).
  struct OlderWrite {
    uint32_t sequence = 0;
    uint32_t previous = kNoEntry;
    uint32_t jump = 0;  ///< the first one: itself
    uint32_t length = 0;
  };
  struct BlockState {
    uint32_t sequence = 0;  ///< from 1 in layout order; 0: not begun
    ir::BlockId dominator;
    bool sealed = true;
    uint32_t last_pred = 0;          ///< sequence number after its last predecessor: after its loop for a loop header
    uint32_t incomplete = kNoEntry;  ///< first of its phis that await the back edge
  };
  /// A phi without operands.
  struct Incomplete {
    ir::BlockId block;
    uint32_t slot;
    ir::Value phi;
    uint32_t next = kNoEntry;  ///< of the same block
  };
  struct Definition {
    uint64_t key = 0;  ///< block << 32 | slot, plus 1
    ir::Value value;
  };

  void flush();
  void define(ir::BlockId block, uint32_t slot, ir::Value value);
  ir::Value find(ir::BlockId block, uint32_t slot) const;
  void grow_table();
  uint32_t add_older_write(uint32_t sequence, uint32_t previous);
  /// Sequence number of the last block before `before` that stored to the slot, 0 if there is none.
  uint32_t last_write_before(const Slot& slot, uint32_t before) const;
  ir::Value lookup(ir::BlockId block, uint32_t slot);
  ir::Value make_phi(ir::BlockId block, uint32_t slot);
  void fill_pending(uint32_t slot);
  void fill_phi(ir::BlockId block, uint32_t slot, ir::Value phi);
  bool forward_if_trivial(ir::Value phi);
  void simplify_phis();
  void rewrite_operands();

  ir::Function& function_;
  Arena& scratch_;
  Vector<Slot> slots_{scratch_};
  Vector<OlderWrite> older_writes_{scratch_};
  Vector<BlockState> blocks_{scratch_};
  Vector<uint32_t> touched_{scratch_};       ///< slots whose value in the current block is not in the table yet
  Vector<Incomplete> incomplete_{scratch_};  ///< lists by block
  Vector<Incomplete> pending_{scratch_};     ///< a stack
  Vector<Definition> table_{scratch_};
  size_t table_used_ = 0;
  Vector<ir::Value> phis_{scratch_};
  Vector<ir::Value> operands_{scratch_};
  ir::Value undefs_[16];
  ir::BlockId current_;
  uint32_t sequence_ = 0;
  uint64_t work_ = 0;
  bool forwarded_any_ = false;
};

}  // namespace spalt::spirv
