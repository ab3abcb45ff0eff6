// SPDX-License-Identifier: MIT
#include "passes/tree_layout.h"

#include <algorithm>
#include <tuple>

namespace spalt::passes {

using ir::BlockId;

TreeLayout::TreeLayout(const ir::Function& function, Arena& scratch)
    : positions_(scratch, function.block_capacity(), 0),
      constructs_(scratch),
      first_header_(scratch),
      placed_(scratch) {
  const ir::BlockList& layout = function.layout();
  for (uint32_t i = 0; i < layout.size(); ++i) positions_[layout[i]] = i;
  for (uint32_t i = 0; i < layout.size(); ++i) {
    const BlockId merge = function.block(layout[i]).merge;
    if (merge.valid()) constructs_.push_back({positions_[merge], i});
  }
  std::sort(constructs_.begin(), constructs_.end());
  first_header_.resize(layout.size());
  auto construct = constructs_.begin();
  for (uint32_t i = 0; i < layout.size(); ++i) {
    const bool ends_constructs = construct != constructs_.end() && construct->first == i;
    first_header_[i] = ends_constructs ? first_header_[construct->second] : i;
    while (construct != constructs_.end() && construct->first == i) ++construct;
  }
}

/// Constructs nest, so that no other one ends at a block inside this one and begins before it. At its own end others
/// may end that begin inside.
uint32_t TreeLayout::end_of_switch(const ir::Function& function, BlockId header) const {
  const uint32_t here = positions_[header];
  const BlockId merge = function.block(header).merge;
  if (!merge.valid()) return here + 1;
  const uint32_t end = positions_[merge];
  const auto inner = std::lower_bound(constructs_.begin(), constructs_.end(), std::pair(end, here + 1));
  return inner != constructs_.end() && inner->first == end ? first_header_[inner->second] : end;
}

/// Going back sees what a block leads to before it sees the block. A construct ends at its merge block, whatever else a
/// switch leads to; without one, the tree stays with its switch.
void TreeLayout::place(const ir::Function& function, BlockId header, std::span<const BlockId> tree) {
  const uint32_t here = positions_[header], capacity = static_cast<uint32_t>(positions_.size());
  const uint32_t end = end_of_switch(function, header);
  positions_.resize(function.block_capacity(), end);
  for (size_t i = tree.size(); i-- > 0;) {
    uint32_t& position = positions_[tree[i]];
    for (const BlockId next : function.block(tree[i]).succs) {
      const bool in_tree = next.index >= capacity;
      if (positions_[next] <= here || positions_[next] >= position) continue;
      position = in_tree ? positions_[next] : first_header_[positions_[next]];
    }
  }
  for (const BlockId block : tree) placed_.push_back({block, positions_[block], placed_.size()});
}

ir::BlockList TreeLayout::finish(const ir::Function& function) {
  std::sort(placed_.begin(), placed_.end(), [](const Placed& a, const Placed& b) {
    return std::tie(a.position, a.order) < std::tie(b.position, b.order);
  });
  ir::BlockList layout(placed_.arena());
  auto next = placed_.begin();
  for (uint32_t i = 0; i < function.layout().size(); ++i) {
    for (; next != placed_.end() && next->position == i; ++next) layout.push_back(next->block);
    layout.push_back(function.layout()[i]);
  }
  // A switch in the last block, which has no merge block.
  for (; next != placed_.end(); ++next) layout.push_back(next->block);
  return layout;
}

}  // namespace spalt::passes
