// SPDX-License-Identifier: MIT
#pragma once
#include "base/id_map.h"
#include "ir/function.h"

namespace spalt::analysis {

constexpr uint32_t kNoPosition = 0xffffffffu;

/// Index of every block in `function.layout()`; kNoPosition for blocks that are not in it.
inline IdMap<ir::BlockId, uint32_t> layout_positions(const ir::Function& function, Arena* arena = nullptr) {
  IdMap<ir::BlockId, uint32_t> positions(arena, function.block_capacity(), kNoPosition);
  uint32_t next = 0;
  for (ir::BlockId block : function.layout()) positions[block] = next++;
  return positions;
}

}  // namespace spalt::analysis
