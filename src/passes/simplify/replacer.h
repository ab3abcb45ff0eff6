// SPDX-License-Identifier: MIT
#pragma once
#include "ir/function.h"

namespace spalt::passes {

/// Remembers which value stands for which, so that a pass can replace values without use lists: the uses it meets are
/// resolved as it goes, all others by one sweep at the end.
class Replacer {
 public:
  explicit Replacer(Arena& arena) : map_(arena) {}

  bool empty() const { return map_.empty(); }

  /// Everything that reads `value` shall read `with`. `value` must not stand for `with` already.
  void replace(ir::Value value, ir::Value with) {
    if (map_.size() <= value.index) map_.resize(value.index + 1);
    map_[value.index] = resolve(with);
  }

  ir::Value resolve(ir::Value value) {
    ir::Value root = value;
    while (root.index < map_.size() && map_[root.index].valid()) root = map_[root.index];
    while (value != root) {
      const ir::Value next = map_[value.index];
      map_[value.index] = root;
      value = next;
    }
    return root;
  }

  void resolve_operands(ir::Function& function, ir::Value user) {
    for (ir::Value& operand : function.operands(user)) operand = resolve(operand);
  }

  /// The sweep. O(operands) if anything was replaced.
  void apply(ir::Function& function) {
    if (empty()) return;
    for (ir::BlockId block : function.layout()) {
      for (ir::Value user : ir::insts(function, block)) resolve_operands(function, user);
    }
  }

 private:
  Vector<ir::Value> map_;
};

}  // namespace spalt::passes
