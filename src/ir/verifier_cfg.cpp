// SPDX-License-Identifier: MIT
// The layout invariant of ir/function.h.
//
// A construct is the range of layout positions from its header up to, not including, its merge block. A loop whose
// merge block was unreachable and is gone reaches up to its last back edge instead. Checked are: edges lead forward
// except back edges to the header of an enclosing loop; ranges nest; a range is entered through its header only.
// Leaving a range for any later block is fine: break, continue, return and switch fall-through all look like that.
#include <algorithm>
#include <vector>

#include "ir/verifier_context.h"

namespace spalt::ir {
namespace {

class ControlFlow {
 public:
  explicit ControlFlow(VerifyContext& context) : c_(context), f_(context.function) {}

  bool run() {
    if (!f_.block(f_.entry()).preds.empty()) return c_.fail(f_.entry(), "the entry block has predecessors");
    for (BlockId id : f_.layout()) {
      if (!header(id)) return false;
    }
    return nesting() && entries();
  }

 private:
  uint32_t at(BlockId id) const { return c_.position[id]; }

  /// Bounds of the construct and direction of the edges that arrive at one block.
  bool header(BlockId id) {
    const Block& block = f_.block(id);
    const uint32_t begin = at(id);
    uint32_t end = begin;
    if (block.merge.valid()) {
      end = at(block.merge);
      if (end <= begin) return c_.fail(id, "the merge block does not come after its header");
    }
    for (BlockId pred : block.preds) {
      if (at(pred) < begin) continue;
      if (!block.is_loop_header()) {
        return c_.fail(f_.terminator(pred), "an edge leads backward to a block that is no loop header");
      }
      if (block.merge.valid() && at(pred) >= end) {
        return c_.fail(f_.terminator(pred), "a back edge comes from the merge block of its loop or from after it");
      }
      if (!block.merge.valid()) end = std::max(end, at(pred) + 1);
    }
    if (block.is_loop_header()) {
      if (at(block.continue_target) < begin || (block.merge.valid() && at(block.continue_target) >= end)) {
        return c_.fail(id, "the continue target lies outside its loop");
      }
    }
    if (end > begin) ranges_.push_back({begin, end});
    return true;
  }

  /// Ranges are sorted by begin, since they were collected in layout order; each begin is unique.
  bool nesting() {
    enclosing_.assign(f_.layout().size(), kNone);
    std::vector<uint32_t> open;
    uint32_t next = 0;
    for (uint32_t position = 0; position < f_.layout().size(); ++position) {
      while (!open.empty() && ranges_[open.back()].end <= position) open.pop_back();
      if (next < ranges_.size() && ranges_[next].begin == position) {
        if (!open.empty() && ranges_[next].end > ranges_[open.back()].end) {
          return c_.fail(f_.layout()[position], "the construct reaches beyond the one around it");
        }
        ranges_[next].parent = open.empty() ? kNone : open.back();
        open.push_back(next++);
      }
      enclosing_[position] = open.empty() ? kNone : open.back();
    }
    return true;
  }

  /// An edge from outside a range must lead to its header. The ranges around the target are checked from the inside
  /// out, up to the first that also holds the source; the walk is as long as the number of headers at the target, and
  /// only the innermost range can begin at it.
  bool entries() {
    for (BlockId id : f_.layout()) {
      for (BlockId succ : f_.block(id).succs) {
        uint32_t range = enclosing_[at(succ)];
        if (range != kNone && ranges_[range].begin == at(succ)) range = ranges_[range].parent;
        if (range == kNone) continue;
        const Range& r = ranges_[range];
        if (at(id) < r.begin || at(id) >= r.end) {
          return c_.fail(f_.terminator(id), "an edge enters a construct but not through its header");
        }
      }
    }
    return true;
  }

  static constexpr uint32_t kNone = 0xffffffffu;
  struct Range {
    uint32_t begin, end;
    uint32_t parent = kNone;
  };

  VerifyContext& c_;
  const Function& f_;
  std::vector<Range> ranges_;
  std::vector<uint32_t> enclosing_;  ///< innermost range at each layout position
};

}  // namespace

bool verify_cfg(VerifyContext& context) {
  return ControlFlow(context).run();
}

}  // namespace spalt::ir
