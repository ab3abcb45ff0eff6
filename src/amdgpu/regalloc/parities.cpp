// SPDX-License-Identifier: MIT
#include "amdgpu/regalloc/parities.h"

#include <algorithm>

namespace spalt::regalloc {

using mir::BlockId;
using mir::DualCandidate;
using mir::InstId;
using mir::Operand;
using mir::VReg;

namespace {

/// How many instructions a partner may be away. What scheduling has set next to each other comes first anyway.
constexpr uint32_t kWindow = 4;

}  // namespace

Parities::Parities(const mir::Function& function, const Affinity& affinity, mir::RegFile file, Arena& arena)
    : function_(function), affinity_(affinity), links_(arena), parity_(arena), made_at_(arena), waiting_(arena) {
  if (file != mir::RegFile::vgpr || !function.has_dual_issue()) return;
  made_at_.assign(function.vregs.size(), 0);
  for (BlockId block : function.layout) visit_block(block);
}

// ---- pairs ----

void Parities::visit_block(BlockId block) {
  waiting_.clear();
  for (InstId inst : function_.blocks[block].insts) {
    ++position_;
    if (mir::has_dual_form(function_, inst)) visit_half(inst);
    for (const Operand& def : function_.defs(inst)) {
      if (def.is_vreg()) made_at_[def.vreg()] = position_;
    }
  }
}

void Parities::visit_half(InstId inst) {
  const DualCandidate candidate = mir::dual_candidate(function_, inst);
  // The result takes the register of its accumulator only where that ends.
  const bool keeps_addend = candidate.accumulator().valid() && !function_.uses(inst)[2].kill;
  if (candidate.can_pair() && !keeps_addend) join_partner(inst, candidate);
}

/// The first of the instructions that wait takes it, as sched::pair_vector will, or it waits itself.
void Parities::join_partner(InstId inst, const DualCandidate& candidate) {
  const auto is_far = [this](const Half& half) { return half.position + kWindow < position_; };
  waiting_.erase(waiting_.begin(), std::find_if_not(waiting_.begin(), waiting_.end(), is_far));
  for (auto half = waiting_.begin(); half != waiting_.end(); ++half) {
    if (!mir::may_pair(half->candidate, candidate, function_.target) || depends_since(inst, half->position)) continue;
    if (!relate(half->candidate, candidate)) continue;
    waiting_.erase(half, half + 1);
    return;
  }
  waiting_.push_back({candidate, position_});
}

/// Whether it reads what was made there or later, so that it cannot move up.
bool Parities::depends_since(InstId inst, uint32_t position) const {
  const auto uses = function_.uses(inst);
  return std::any_of(uses.begin(), uses.end(),
                     [&](const Operand& use) { return use.is_vreg() && made_at_[use.vreg()] >= position; });
}

/// Asks for what the pair needs, unless it cannot be had.
bool Parities::relate(const DualCandidate& a, const DualCandidate& b) {
  see(a);
  see(b);
  if (!can_relate(web(a.result), web(b.result), true)) return false;
  const VReg *x = a.sources, *y = b.sources;
  const bool straight = can_be_apart(x[0], y[0]) && can_be_apart(x[1], y[1]);
  const bool crossed = !straight && (a.commutes || b.commutes) && can_be_apart(x[0], y[1]) && can_be_apart(x[1], y[0]);
  if (!straight && !crossed) return false;
  keep_apart(a.result, b.result);
  keep_apart(x[0], y[crossed ? 1 : 0]);
  keep_apart(x[1], y[crossed ? 0 : 1]);
  for (const DualCandidate* half : {&a, &b}) {
    if (half->accumulator().valid()) relate(web(half->accumulator()), web(half->result), false);
  }
  return true;
}

bool Parities::can_be_apart(VReg a, VReg b) const {
  if (!a.valid() || !b.valid()) return true;
  return a == b ? function_.target.dual_sources_may_be_one : can_relate(web(a), web(b), true);
}

void Parities::keep_apart(VReg a, VReg b) {
  if (a.valid() && b.valid() && a != b) relate(web(a), web(b), true);
}

// ---- sets ----

void Parities::see(const DualCandidate& half) {
  if (links_.size() == 0) {
    links_.resize(function_.vregs.size());
    parity_.assign(function_.vregs.size(), kAny);
  }
  see(web(half.result));
  for (VReg source : half.sources) {
    if (source.valid()) see(web(source));
  }
}

/// What tuples and required registers ask for comes before what pairs do.
void Parities::see(VReg web) {
  while (!links_[web].seen) {
    links_[web].seen = true;
    const isa::Reg fixed = affinity_.fixed[web];
    if (fixed.valid() && fixed.is_vgpr()) decide(web, fixed.vgpr_index() % 2);
    const Affinity::Part part = affinity_.part[web];
    if (!part.tuple.valid()) return;
    relate(web, part.tuple, part.offset % 2 != 0);
    web = part.tuple;
  }
}

Parities::Found Parities::find(VReg web) const {
  bool flips = false;
  while (links_[web].parent.valid()) {
    Link& link = links_[web];
    if (const Link next = links_[link.parent]; next.parent.valid()) {
      link.parent = next.parent;
      link.flips ^= next.flips;
    }
    flips ^= link.flips;
    web = link.parent;
  }
  return {web, flips};
}

bool Parities::can_relate(VReg a, VReg b, bool differ) const {
  const Found x = find(a), y = find(b);
  const bool flips = (x.flips != y.flips) != differ;
  if (x.root == y.root) return !flips;
  const unsigned p = parity_[x.root], q = parity_[y.root];
  return p == kAny || q == kAny || (p != q) == flips;
}

void Parities::relate(VReg a, VReg b, bool differ) {
  const Found x = find(a), y = find(b);
  if (x.root == y.root || !can_relate(a, b, differ)) return;
  const bool flips = (x.flips != y.flips) != differ;
  links_[y.root].parent = x.root;
  links_[y.root].flips = flips;
  if (parity_[x.root] == kAny && parity_[y.root] != kAny) {
    parity_[x.root] = static_cast<uint8_t>(parity_[y.root] ^ (flips ? 1 : 0));
  }
}

unsigned Parities::wanted_of_web(VReg web) const {
  const Found found = find(web);
  const unsigned parity = parity_[found.root];
  return parity == kAny ? kAny : parity ^ (found.flips ? 1 : 0);
}

void Parities::decide(VReg web, unsigned parity) {
  const Found found = find(web);
  uint8_t& root = parity_[found.root];
  if (root == kAny) root = static_cast<uint8_t>(parity ^ (found.flips ? 1 : 0));
}

}  // namespace spalt::regalloc
