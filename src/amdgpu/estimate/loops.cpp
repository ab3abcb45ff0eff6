// SPDX-License-Identifier: MIT
//
// Loops are found as by Havlak ("Nesting of reducible and irreducible loops", 1997): headers are the targets of
// retreating edges of a depth-first walk, taken from the inside out; what a walk against the edges from a header's
// latches finds is its body, and is from then on one node, its header. Each block becomes part of another one at most
// once, so the cost is almost linear. Ways into the middle of a loop are ignored.
#include "amdgpu/estimate/loops.h"

#include <algorithm>

namespace spalt::estimate {
namespace {

class LoopFinder {
 public:
  explicit LoopFinder(const Code& code) : code_(code) {}

  Loops run() {
    result_.loop_of.assign(code_.blocks.size(), kNoLoop);
    order_blocks();
    find_predecessors();
    find_loops();
    limit_depth();
    return std::move(result_);
  }

 private:
  void order_blocks() {
    result_.number.assign(code_.blocks.size(), kNoBlock);
    struct Visit {
      uint32_t block;
      unsigned next_way;
    };
    std::vector<bool> seen(code_.blocks.size(), false);
    std::vector<Visit> stack{{0, 0}};
    seen[0] = true;
    while (!stack.empty()) {
      Visit& visit = stack.back();
      const Block& block = code_.blocks[visit.block];
      // The way into the next block last: it comes first in the order.
      const uint32_t way = visit.next_way == 0 ? block.target : block.next;
      if (visit.next_way++ == 2) {
        result_.order.push_back(visit.block);
        stack.pop_back();
      } else if (way != kNoBlock && !seen[way]) {
        seen[way] = true;
        stack.push_back({way, 0});
      }
    }
    std::reverse(result_.order.begin(), result_.order.end());
    for (uint32_t i = 0; i < result_.order.size(); ++i) result_.number[result_.order[i]] = i;
  }

  void find_predecessors() {
    result_.first_predecessor.assign(code_.blocks.size() + 1, 0);
    for (uint32_t b : result_.order) {
      code_.blocks[b].for_each_successor([&](uint32_t s) { ++result_.first_predecessor[s + 1]; });
    }
    for (size_t b = 0; b < code_.blocks.size(); ++b) result_.first_predecessor[b + 1] += result_.first_predecessor[b];
    result_.predecessors.resize(result_.first_predecessor.back());
    std::vector<uint32_t> next(result_.first_predecessor.begin(), result_.first_predecessor.end() - 1);
    for (uint32_t b : result_.order) {
      code_.blocks[b].for_each_successor([&](uint32_t s) { result_.predecessors[next[s]++] = b; });
    }
  }

  /// The header of the outermost loop found so far that the block is in, or the block itself.
  uint32_t representative(uint32_t block) {
    uint32_t root = block;
    while (joined_[root] != root) root = joined_[root];
    while (joined_[block] != root) {
      const uint32_t next = joined_[block];
      joined_[block] = root;
      block = next;
    }
    return root;
  }

  void find_loops() {
    joined_.resize(code_.blocks.size());
    for (uint32_t b = 0; b < joined_.size(); ++b) joined_[b] = b;
    std::vector<uint32_t> loop_at(code_.blocks.size(), kNoLoop);
    std::vector<uint32_t> body, in_body(code_.blocks.size(), kNoBlock);
    for (size_t i = result_.order.size(); i-- > 0;) {
      const uint32_t header = result_.order[i];
      body.clear();
      bool is_header = false;
      const auto add = [&](uint32_t block) {
        const uint32_t node = representative(block);
        if (node == header || in_body[node] == header || result_.number[node] < i) return;
        in_body[node] = header;
        body.push_back(node);
      };
      result_.for_each_predecessor(header, [&](uint32_t p) {
        if (!result_.is_back_edge(p, header)) return;
        is_header = true;
        add(p);
      });
      if (!is_header) continue;
      const auto loop = static_cast<uint32_t>(result_.loops.size());
      result_.loops.push_back({header, kNoLoop, 1});
      for (size_t n = 0; n < body.size(); ++n) {
        result_.for_each_predecessor(body[n], [&](uint32_t p) {
          if (!result_.is_back_edge(p, body[n])) add(p);
        });
      }
      for (uint32_t node : body) {
        joined_[node] = header;
        if (loop_at[node] != kNoLoop) {
          result_.loops[loop_at[node]].parent = loop;
        } else {
          result_.loop_of[node] = loop;
        }
      }
      loop_at[header] = result_.loop_of[header] = loop;
    }
  }

  void limit_depth() {
    for (size_t l = result_.loops.size(); l-- > 0;) {  // outer ones first
      Loop& loop = result_.loops[l];
      if (loop.parent != kNoLoop) loop.depth = result_.loops[loop.parent].depth + 1;
    }
    std::vector<uint32_t> counted(result_.loops.size());
    for (size_t l = result_.loops.size(); l-- > 0;) {
      const Loop& loop = result_.loops[l];
      counted[l] = loop.depth <= kMaxLoopDepth ? static_cast<uint32_t>(l) : counted[loop.parent];
    }
    for (uint32_t& loop : result_.loop_of) {
      if (loop != kNoLoop) loop = counted[loop];
    }
  }

  const Code& code_;
  Loops result_;
  std::vector<uint32_t> joined_;
};

}  // namespace

Loops find_loops(const Code& code) {
  return LoopFinder(code).run();
}

}  // namespace spalt::estimate
