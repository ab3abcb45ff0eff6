// SPDX-License-Identifier: MIT
// Definitions dominate uses. The layout is a reverse postorder for this purpose (verify_cfg comes first), so immediate
// dominators settle in one walk: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm", 2001. A back edge leads
// to the header that dominates its source, so it never changes the result.
#include <vector>

#include "ir/verifier_context.h"

namespace spalt::ir {
namespace {

class Ssa {
 public:
  explicit Ssa(VerifyContext& context)
      : c_(context), f_(context.function), idom_(f_.layout().size(), kNone), order_(f_.value_capacity(), 0) {}

  bool run() {
    dominators();
    number_tree();
    uint32_t next = 0;
    for (BlockId id : f_.layout()) {
      for (Value value : insts(f_, id)) order_[value] = next++;
    }
    for (BlockId id : f_.layout()) {
      if (idom_[at(id)] == kNone) continue;  // never runs
      for (Value value : insts(f_, id)) {
        if (!(c_.inst(value).op == Op::phi ? phi(id, value) : uses(id, value))) return false;
      }
    }
    return true;
  }

 private:
  static constexpr uint32_t kNone = 0xffffffffu;
  uint32_t at(BlockId id) const { return c_.position[id]; }

  /// idom_ by layout position; the entry is its own.
  void dominators() {
    idom_[0] = 0;
    for (uint32_t position = 1; position < idom_.size(); ++position) {
      const auto& preds = f_.block(f_.layout()[position]).preds;
      uint32_t dominator = kNone;
      // From the last one backward: neighbours share most of their path, which keeps the walks of intersect short.
      for (uint32_t i = preds.size(); i-- > 0;) {
        const uint32_t pred = at(preds[i]);
        if (pred >= position || idom_[pred] == kNone) continue;
        dominator = dominator == kNone ? pred : intersect(pred, dominator);
      }
      idom_[position] = dominator;
    }
  }

  uint32_t intersect(uint32_t a, uint32_t b) const {
    while (a != b) {
      if (a > b) {
        a = idom_[a];
      } else {
        b = idom_[b];
      }
    }
    return a;
  }

  /// Preorder intervals, so that dominance is two comparisons. Children come after their parent in the layout: subtree
  /// sizes add up in one backward walk and starts are handed out in one forward walk.
  void number_tree() {
    const uint32_t count = static_cast<uint32_t>(idom_.size());
    size_.assign(count, 1);
    for (uint32_t i = count; i-- > 1;) {
      if (idom_[i] != kNone) size_[idom_[i]] += size_[i];
    }
    start_.assign(count, 0);
    std::vector<uint32_t> next_child(count, 1);
    for (uint32_t i = 1; i < count; ++i) {
      if (idom_[i] == kNone) continue;
      const uint32_t parent = idom_[i];
      start_[i] = start_[parent] + next_child[parent];
      next_child[parent] += size_[i];
    }
  }

  bool dominates(uint32_t a, uint32_t b) const {
    return idom_[a] != kNone && start_[a] <= start_[b] && start_[b] < start_[a] + size_[a];
  }

  bool uses(BlockId id, Value user) {
    for (uint32_t i = 0; i < c_.inst(user).operand_count; ++i) {
      const Value value = f_.operand(user, i);
      const BlockId home = c_.inst(value).block;
      if (!home.valid()) continue;
      const bool available = home == id ? order_[value] < order_[user] : dominates(at(home), at(id));
      if (!available) return c_.fail_operand(user, i, "the definition of the operand does not dominate this use");
    }
    return true;
  }

  bool phi(BlockId id, Value user) {
    const auto& preds = f_.block(id).preds;
    for (uint32_t i = 0; i < preds.size(); ++i) {
      const BlockId home = c_.inst(f_.operand(user, i)).block;
      if (!home.valid() || idom_[at(preds[i])] == kNone) continue;
      if (!dominates(at(home), at(preds[i]))) {
        return c_.fail_operand(user, i, "the definition of the phi entry does not dominate its predecessor");
      }
    }
    return true;
  }

  VerifyContext& c_;
  const Function& f_;
  std::vector<uint32_t> idom_, start_, size_;
  IdMap<Value, uint32_t> order_;  ///< position among all instructions
};

}  // namespace

bool verify_ssa(VerifyContext& context) {
  return Ssa(context).run();
}

}  // namespace spalt::ir
