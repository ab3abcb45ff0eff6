// SPDX-License-Identifier: MIT
#include "analysis/escapes.h"

namespace spalt::analysis {

using ir::BlockId;
using ir::Value;

namespace {

/// A value leaves a loop.
struct Escape {
  uint32_t loop;
  Value value;
};

class Finder {
 public:
  Finder(const ir::Function& function, const Loops& loops, const Uses& uses, Vector<Escape>& found)
      : function_(function), loops_(loops), uses_(uses), found_(found) {}

  void run() {
    for (const BlockId block : function_.layout()) {
      const uint32_t loop = loops_.loop_of(block);
      if (loop == kNoLoop) continue;
      for (const Value value : ir::insts(function_, block)) follow(value, loop);
    }
  }

 private:
  void follow(Value value, uint32_t inner) {
    uint32_t end = inner;
    for (const Value user : uses_.of(value)) {
      while (end != kNoLoop && !loops_.contains(end, function_.inst(user).block)) end = loops_[end].parent;
    }
    for (uint32_t loop = inner; loop != end; loop = loops_[loop].parent) found_.push_back({loop, value});
  }

  const ir::Function& function_;
  const Loops& loops_;
  const Uses& uses_;
  Vector<Escape>& found_;
};

}  // namespace

Escapes::Escapes(const ir::Function& function, const Loops& loops, const Uses& uses, Arena* arena)
    : begin_(loops.size() + size_t{1}, 0, arena), values_(arena) {
  Vector<Escape> found(arena);
  Finder(function, loops, uses, found).run();
  for (const Escape& escape : found) ++begin_[escape.loop + 1];
  for (uint32_t i = 0; i < loops.size(); ++i) begin_[i + 1] += begin_[i];
  values_.resize(found.size());
  Vector<uint32_t> next(begin_);
  for (const Escape& escape : found) values_[next[escape.loop]++] = escape.value;
}

}  // namespace spalt::analysis
