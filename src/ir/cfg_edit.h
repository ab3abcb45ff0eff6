// SPDX-License-Identifier: MIT
#pragma once
#include "base/edge_slots.h"
#include "ir/function.h"

namespace spalt::ir {

/// Changes of the control-flow graph that keep edges, phis and the block list in step. None of them touches merge or
/// continue information, except where said.
///
/// When a block has several edges to the same successor (switch cases, or branch_if with equal targets), their phi
/// operands are equal. All functions here rely on that and keep it.

/// Position of the edge from `from` in `to.preds`; the first one of several. The edge must exist. Searches the list:
/// who asks for many edges takes edge_slots.
unsigned pred_index(const Function& function, BlockId to, BlockId from);

/// The same for all edges between blocks of the layout.
using EdgeSlots = spalt::EdgeSlots<BlockId>;
/// `arena` (the heap if null) has the tables.
EdgeSlots edge_slots(const Function& function, Arena* arena = nullptr);

/// Removes one edge `from` -> `from.succs[succ]`, in both blocks and in the phis of the target. The terminator of
/// `from` is the caller's business.
void remove_edge(Function& function, BlockId from, unsigned succ);

/// Removes all edges that leave `from`. O(targets log targets + predecessors of the targets).
void remove_successors(Function& function, BlockId from);

/// Lets the edge `from.succs[succ]` lead to `to` instead. The old target's phis lose an operand; the phis of `to` get
/// `operands`, one for each phi in order.
void redirect_edge(Function& function, BlockId from, unsigned succ, BlockId to, std::span<const Value> operands);

/// Replaces the terminator of `block` by a jump to its successor number `succ`; the other edges are removed.
void make_jump(Function& function, BlockId block, unsigned succ);

/// Creates a block with a jump on the edge `from` -> `from.succs[succ]`. The target keeps its predecessor position, so
/// phis stay as they are: `slot`, what edge_slots says for the edge. The new block is not in the layout yet.
BlockId split_edge(Function& function, BlockId from, unsigned succ, unsigned slot);

/// Appends a terminator to a block that has none yet; the edges are the caller's business.
Value append_jump(Function& function, BlockId block);
Value append_branch_if(Function& function, BlockId block, Value condition);

/// Removes the blocks that cannot be reached from the entry, from the graph and from the layout. Where one of them was
/// a merge block or continue target, the header forgets it (and is no loop header any more once it has no continue
/// target). Returns true if there were any. Requires the layout invariant: then one walk finds what can be reached,
/// since a block that only back edges lead to cannot. O(blocks + edges).
bool remove_unreachable_blocks(Function& function, Arena& scratch);

}  // namespace spalt::ir
