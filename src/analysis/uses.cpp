// SPDX-License-Identifier: MIT
#include "analysis/uses.h"

namespace spalt::analysis {

using ir::Value;

/// Counted, then filled from the end of each value's part, which leaves begin_ where the parts start. So the walk that
/// fills goes backward.
Uses::Uses(const ir::Function& function, bool numbers, Arena* arena)
    : begin_(function.value_capacity() + 1, 0, arena), users_(arena), operands_(arena) {
  uint32_t total = 0;
  for (ir::BlockId block : function.layout()) {
    for (Value user = function.block(block).first; user.valid(); user = function.inst(user).next) {
      for (Value operand : function.operands(user)) ++begin_[operand.index];
      total += function.inst(user).operand_count;
    }
  }
  uint32_t end = 0;
  for (uint32_t& begin : begin_) begin = end += begin;
  users_.resize(total);
  if (numbers) operands_.resize(total);
  const auto& layout = function.layout();
  for (size_t i = layout.size(); i-- > 0;) {
    for (Value user = function.block(layout[i]).last; user.valid(); user = function.inst(user).prev) {
      const std::span<const Value> operands = function.operands(user);
      for (size_t j = operands.size(); j-- > 0;) {
        const uint32_t at = --begin_[operands[j].index];
        users_[at] = user;
        if (numbers) operands_[at] = static_cast<uint32_t>(j);
      }
    }
  }
}

}  // namespace spalt::analysis
