// SPDX-License-Identifier: MIT
#include "passes/loop_closer.h"

#include <algorithm>

namespace spalt::passes {

using ir::BlockId;
using ir::Op;
using ir::Value;

bool LoopCloser::can_close(uint32_t loop) {
  loop_ = loop;
  for (const Value value : escapes_.of(loop)) {
    if (function_.type(value) != ir::kResource) continue;
    collect_uses(value);
    if (!escaping_.empty()) return false;
  }
  return true;
}

bool LoopCloser::close(uint32_t loop) {
  loop_ = loop;
  next_ = loops_[loop].last + 1;
  source_.resize(function_.block_capacity());
  bool changed = close_phis();
  for (const Value value : escapes_.of(loop)) {
    collect_uses(value);
    if (escaping_.empty()) continue;
    close_value(value);
    changed = true;
  }
  return changed;
}

/// Phis made for inner loops. Those that this loop gets are not among them.
bool LoopCloser::close_phis() {
  bool changed = false;
  uint32_t kept = 0;
  const uint32_t count = open_phis_.size();
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t phi = open_phis_[i];
    if (!loops_.contains(loop_, function_.inst(phis_[phi]).block)) {
      open_phis_[kept++] = phi;
      continue;
    }
    escaping_.clear();
    for (const Use& use : phi_uses_[phi]) {
      if (escapes(use) && function_.operand(use.user, use.operand) == phis_[phi]) escaping_.push_back(use);
    }
    if (escaping_.empty()) continue;
    close_value(phis_[phi]);
    changed = true;
  }
  open_phis_.erase(open_phis_.begin() + kept, open_phis_.begin() + count);
  return changed;
}

bool LoopCloser::is_open(uint32_t phi) const {
  const uint32_t inner = loops_.loop_of(function_.inst(phis_[phi]).block);
  return inner != analysis::kNoLoop && std::any_of(phi_uses_[phi].begin(), phi_uses_[phi].end(), [&](const Use& use) {
           return !loops_.contains(inner, place_of(use));
         });
}

/// Extends source_ up to a layout position.
void LoopCloser::find_versions(uint32_t last) {
  const auto& layout = function_.layout();
  for (; next_ <= last; ++next_) {
    const uint32_t position = next_;
    const BlockId block = layout[position];
    BlockId source;
    bool first = true;
    for (BlockId pred : function_.block(block).preds) {
      if (loops_.position(pred) >= position || !dominance_.reachable(pred)) continue;
      BlockId from;  // none: a way around the loop
      if (loops_.contains(loop_, pred)) {
        from = block;
      } else if (loops_.position(pred) > loops_[loop_].last) {
        from = source_[pred];
      }
      source = first || source == from ? from : block;
      first = false;
    }
    source_[block] = source;
  }
}

BlockId LoopCloser::place_of(const Use& use) const {
  const ir::Inst& user = function_.inst(use.user);
  return user.op == Op::phi ? function_.block(user.block).preds[use.operand] : user.block;
}

void LoopCloser::collect_uses(Value value) {
  escaping_.clear();
  const auto users = uses_.of(value);
  const auto operands = uses_.operands_of(value);
  for (size_t i = 0; i < users.size(); ++i) {
    const Use use{users[i], operands[i]};
    // Closing an inner loop may have put a phi there.
    if (function_.operand(use.user, use.operand) == value && escapes(use)) escaping_.push_back(use);
  }
}

void LoopCloser::close_value(Value value) {
  versions_.clear();
  filled_ = 0;
  const size_t first_phi = phis_.size();
  for (const Use& use : escaping_) {
    const BlockId place = place_of(use);
    if (!dominance_.reachable(place)) continue;
    const Value replacement = version(value, place);
    function_.set_operand(use.user, use.operand, replacement);
    for (size_t i = first_phi; i < phis_.size(); ++i) {
      if (phis_[i] == replacement) phi_uses_[i].push_back(use);
    }
  }
  for (; filled_ < versions_.size(); ++filled_) fill(value, Version(versions_[filled_]));
  for (auto phi = static_cast<uint32_t>(first_phi); phi < phis_.size(); ++phi) {
    if (is_open(phi)) open_phis_.push_back(phi);
  }
}

/// The phi that stands for the value at the end of `block`, which comes after the loop.
Value LoopCloser::version(Value value, BlockId block) {
  find_versions(loops_.position(block));
  const BlockId source = source_[block];
  for (const Version& known : versions_) {
    if (known.block == source) return known.phi;
  }
  const uint32_t count = function_.block(source).preds.size();
  SmallVector<Value, 16> operands;
  operands.resize(count, value);
  const Value phi = function_.create(Op::phi, function_.type(value), operands);
  function_.prepend_phi(source, phi);
  versions_.push_back({source, phi});
  phis_.push_back(phi);
  phi_uses_.emplace_back(phi_uses_.arena());
  return phi;
}

void LoopCloser::fill(Value value, const Version& target) {
  const uint32_t count = function_.block(target.block).preds.size();
  for (uint32_t i = 0; i < count; ++i) {
    const BlockId pred = function_.block(target.block).preds[i];
    if (loops_.contains(loop_, pred)) continue;  // reads the value itself
    const Value operand = dominance_.reachable(pred) ? version(value, pred) : function_.undef(function_.type(value));
    function_.set_operand(target.phi, i, operand);
    for (size_t p = phis_.size() - versions_.size(); p < phis_.size(); ++p) {
      if (phis_[p] == operand) phi_uses_[p].push_back({target.phi, i});
    }
  }
}

}  // namespace spalt::passes
