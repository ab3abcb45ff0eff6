// SPDX-License-Identifier: MIT
#include "analysis/uses.h"

namespace spalt::analysis {

using ir::Value;

Uses::Uses(const ir::Function& function) : begin_(function.value_capacity() + 1, 0) {
  const auto each_use = [&](auto&& visit) {
    for (ir::BlockId block : function.layout()) {
      for (Value user : ir::insts(function, block)) {
        uint32_t index = 0;
        for (Value operand : function.operands(user)) visit(operand, user, index++);
      }
    }
  };
  each_use([&](Value operand, Value, uint32_t) { ++begin_[operand.index + 1]; });
  for (size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  users_.resize(begin_.back());
  operands_.resize(begin_.back());
  std::vector<uint32_t> next(begin_.begin(), begin_.end() - 1);
  each_use([&](Value operand, Value user, uint32_t index) {
    const uint32_t at = next[operand.index]++;
    users_[at] = user;
    operands_[at] = index;
  });
}

}  // namespace spalt::analysis
