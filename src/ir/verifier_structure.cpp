// SPDX-License-Identifier: MIT
// Ids, lists, terminators, edges and the shape of phis. Nothing here trusts any index before it is checked.
#include <algorithm>
#include <vector>

#include "ir/verifier_context.h"

namespace spalt::ir {
namespace {

class Structure {
 public:
  explicit Structure(VerifyContext& context) : c_(context), f_(context.function) {}

  bool run() {
    if (!layout() || !params()) return false;
    for (BlockId id : f_.layout()) {
      if (!list(id)) return false;
    }
    c_.printable = true;
    for (BlockId id : f_.layout()) {
      if (!block(id)) return false;
    }
    return edges() && phis();
  }

 private:
  bool layout() {
    if (f_.layout().empty()) return c_.fail(Place{}, "the function has no blocks");
    uint32_t next = 0;
    for (BlockId id : f_.layout()) {
      if (!c_.position.contains(id)) return c_.fail(Place{}, "the layout holds a block that does not exist");
      if (c_.position[id] != VerifyContext::kNoPosition) return c_.fail(id, "the block is twice in the layout");
      c_.position[id] = next++;
    }
    return true;
  }

  bool params() {
    for (uint32_t i = 0; i < f_.params.size(); ++i) {
      const Value param = f_.params[i];
      const bool valid = known(param) && c_.inst(param).op == Op::param && c_.inst(param).imm == i;
      if (!valid) return c_.fail(param, "parameter " + std::to_string(i) + " is not a param with that index");
      if (c_.inst(param).type.is_none()) return c_.fail(param, "a parameter has no type");
    }
    return true;
  }

  bool known(Value value) const { return value.index < f_.value_capacity(); }

  /// The doubly linked list of one block. A list that runs into a cycle meets an instruction whose `prev` disagrees.
  bool list(BlockId id) {
    Value previous;
    for (Value value = f_.block(id).first; value.valid(); value = c_.inst(value).next) {
      if (!known(value)) return c_.fail(id, "the instruction list of the block leads to no instruction");
      const Inst& inst = c_.inst(value);
      if (inst.prev != previous || inst.block != id) {
        return c_.fail(id, "the instruction list of the block is broken");
      }
      previous = value;
    }
    if (f_.block(id).last != previous) return c_.fail(id, "the block does not know its last instruction");
    return true;
  }

  bool block(BlockId id) {
    const Block& block = f_.block(id);
    if (!block.last.valid() || !is_terminator(c_.inst(block.last).op)) {
      return c_.fail(id, "the block does not end with a terminator");
    }
    bool phis_allowed = true;
    for (Value value : insts(f_, id)) {
      const Inst& inst = c_.inst(value);
      if (inst.op < Op::count && !is_free_value(inst.op)) {
        if (!f_.operations().has(inst.op))
          return c_.fail(value, "the function does not know that it has such an operation");
        if (!f_.has_results_of(inst.type.scalar))
          return c_.fail(value, "the function does not know that it has such a result");
        if (inst.op == Op::phi && !phis_allowed) return c_.fail(value, "a phi follows another instruction");
        phis_allowed = inst.op == Op::phi;
        if (is_terminator(inst.op) && value != block.last) return c_.fail(value, "a terminator is not the last one");
      } else {
        return c_.fail(id, "the block holds something that belongs in no block");
      }
      if (!operands(value)) return false;
    }
    return targets(id);
  }

  bool operands(Value user) {
    for (uint32_t i = 0; i < c_.inst(user).operand_count; ++i) {
      const Value value = f_.operand(user, i);
      if (!known(value)) return c_.fail(user, "operand " + std::to_string(i) + " is not a value of this function");
      const Inst& inst = c_.inst(value);
      if (inst.type.is_none()) return c_.fail_operand(user, i, "the operand is an instruction without result");
      const bool free = inst.op == Op::constant || inst.op == Op::undef;
      const bool param = inst.op == Op::param && inst.imm < f_.params.size() && f_.params[inst.imm] == value;
      if (free || param) {
        if (inst.block.valid()) return c_.fail_operand(user, i, "the operand is in a block but belongs in none");
      } else if (!c_.in_layout(inst.block)) {
        return c_.fail_operand(user, i, "the operand was removed from the function");
      }
    }
    return true;
  }

  bool targets(BlockId id) {
    const Block& block = f_.block(id);
    for (BlockId succ : block.succs) {
      if (!c_.in_layout(succ)) return c_.fail(block.last, "a target is not in the layout");
    }
    for (BlockId other : {block.merge, block.continue_target}) {
      if (other.valid() && !c_.in_layout(other)) {
        return c_.fail(id, "the merge block or continue target is not in the layout");
      }
    }
    const size_t count = block.succs.size();
    const Op op = c_.inst(block.last).op;
    const size_t cases = op == Op::switch_on ? block.cases.size() : 0;
    if (block.cases.size() != cases) return c_.fail(id, "the block has case values but no switch_on");
    size_t wanted = 0;
    if (op == Op::branch) wanted = 1;
    if (op == Op::branch_if) wanted = 2;
    if (op == Op::switch_on) wanted = cases + 1;
    if (count == wanted) return true;
    return c_.fail(block.last,
                   "the terminator has " + std::to_string(count) + " targets, expected " + std::to_string(wanted));
  }

  /// Predecessor lists hold exactly the edges that successor lists say, in any order.
  bool edges() {
    struct Edge {
      uint32_t to, from;
      auto operator<=>(const Edge&) const = default;
    };
    std::vector<Edge> out, in;
    for (BlockId id : f_.layout()) {
      for (BlockId succ : f_.block(id).succs) out.push_back({succ.index, id.index});
      for (BlockId pred : f_.block(id).preds) in.push_back({id.index, pred.index});
    }
    std::sort(out.begin(), out.end());
    std::sort(in.begin(), in.end());
    const auto [missing, extra] = std::mismatch(out.begin(), out.end(), in.begin(), in.end());
    if (missing == out.end() && extra == in.end()) return true;
    const bool is_missing = missing != out.end() && (extra == in.end() || *missing < *extra);
    if (is_missing) return c_.fail(BlockId(missing->to), "a predecessor is missing in the list of the block");
    return c_.fail(BlockId(extra->to), "the block lists a predecessor that does not branch to it");
  }

  bool phis() {
    IdMap<BlockId, Value> entry(f_.block_capacity());  // the operand last seen for a predecessor
    IdMap<BlockId, Value> owner(f_.block_capacity());  // and the phi it was seen in
    for (BlockId id : f_.layout()) {
      const auto& preds = f_.block(id).preds;
      for (Value value : insts(f_, id)) {
        if (c_.inst(value).op != Op::phi) break;
        if (c_.inst(value).operand_count != preds.size()) {
          return c_.fail(value, "the phi has " + std::to_string(c_.inst(value).operand_count) +
                                    " entries but its block has " + std::to_string(preds.size()) + " predecessors");
        }
        for (uint32_t i = 0; i < preds.size(); ++i) {
          const Value operand = f_.operand(value, i);
          const bool repeated = owner[preds[i]] == value && entry[preds[i]] != operand;
          const bool both_undef = repeated && is_undef(operand) && is_undef(entry[preds[i]]);
          if (repeated && !both_undef) {
            return c_.fail_operand(value, i, "the phi has different entries for the same predecessor");
          }
          owner[preds[i]] = value;
          entry[preds[i]] = operand;
        }
      }
    }
    return true;
  }

  bool is_undef(Value value) const { return c_.inst(value).op == Op::undef; }

  VerifyContext& c_;
  const Function& f_;
};

}  // namespace

bool verify_structure(VerifyContext& context) {
  return Structure(context).run();
}

}  // namespace spalt::ir
