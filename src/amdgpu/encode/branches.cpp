// SPDX-License-Identifier: MIT
#include "amdgpu/encode/branches.h"

#include <algorithm>
#include <span>

#include "amdgpu/isa/codec/codec.h"
#include "base/ice.h"

namespace spalt::encode {
namespace {

using isa::Opcode;

constexpr std::pair<Opcode, Opcode> kOpposites[] = {
    {Opcode::s_cbranch_scc0, Opcode::s_cbranch_scc1},
    {Opcode::s_cbranch_vccz, Opcode::s_cbranch_vccnz},
    {Opcode::s_cbranch_execz, Opcode::s_cbranch_execnz},
};

Opcode opposite(Opcode branch) {
  for (const auto& [a, b] : kOpposites) {
    if (branch == a) return b;
    if (branch == b) return a;
  }
  SPALT_ICE("a branch without an opposite");
}

/// s_getpc_b64, s_add_u32 with a literal, s_addc_u32 with an inline constant, s_setpc_b64.
constexpr uint32_t kJumpWords = 5, kJumpInstructions = 4;

/// The distance of a branch that must not be (Hazard::branch_offset_3f).
constexpr int64_t kBrokenDistance = 0x3f;

/// Rounds in which only what is out of reach becomes far. Each can push further branches out of reach; in a program
/// made for it, one at a time.
constexpr int kRounds = 16;

class Resolver {
 public:
  Resolver(Vector<uint32_t>& words, std::span<const Branch> branches, isa::Reg pair, const isa::Target& target,
           Arena& scratch)
      : words_(words),
        branches_(branches),
        pair_(pair),
        target_(target),
        far_(scratch, branches.size(), false),
        padded_(scratch, branches.size(), false),
        just_padded_(scratch, branches.size(), false),
        grown_before_(scratch, branches.size() + 1, 0),
        target_rank_(scratch) {
    target_rank_.reserve(branches.size());
    for (const Branch& branch : branches) target_rank_.push_back(rank(branch.target));
  }

  /// False if a target is out of reach and there is no pair.
  bool find_far(int64_t reach) {
    for (int round = 0;; ++round) {
      bool changed = false;
      for (size_t i = 0; i < branches_.size(); ++i) {
        if (far_[i] || (distance(i) <= reach && distance(i) >= -reach)) continue;
        changed = far_[i] = true;
      }
      if (changed && !pair_.valid()) return false;
      if (changed && round == kRounds) far_.assign(far_.size(), true);
      if (changed) update_growth();
      if (target_.has(isa::Hazard::branch_offset_3f) && pad()) changed = true;
      if (!changed) return true;
    }
  }

  void move(std::span<uint32_t> places) const {
    for (uint32_t& place : places) place = final_address(place, rank(place));
  }

  uint32_t write() {
    Vector<uint32_t> out(words_.arena());
    out.reserve(size_t{words_.size()} + grown_before_.back());
    uint32_t inserted = 0;
    size_t copied = 0;
    for (size_t i = 0; i < branches_.size(); ++i) {
      const Branch& branch = branches_[i];
      out.append({words_.data() + copied, branch.at - copied});
      copied = branch.at + 1;
      if (!far_[i]) {
        out.push_back((words_[branch.at] & 0xffff0000u) | (static_cast<uint32_t>(distance(i)) & 0xffffu));
        if (padded_[i]) {
          isa::Inst nop;
          nop.opcode = Opcode::s_nop;
          add(out, nop);
          ++inserted;
        }
        continue;
      }
      if (branch.opcode != Opcode::s_branch) {
        isa::Inst over;
        over.opcode = opposite(branch.opcode);
        over.simm16 = kJumpWords;
        add(out, over);
      }
      jump(out, final_address(branch.target, target_rank_[i]));
      inserted += kJumpInstructions - (branch.opcode == Opcode::s_branch ? 1 : 0);
    }
    out.append({words_.data() + copied, words_.size() - copied});
    words_ = std::move(out);
    return inserted;
  }

 private:
  /// Number of branches before a word.
  uint32_t rank(uint32_t word) const {
    const auto at = std::lower_bound(branches_.begin(), branches_.end(), word,
                                     [](const Branch& branch, uint32_t value) { return branch.at < value; });
    return static_cast<uint32_t>(at - branches_.begin());
  }

  uint32_t growth(size_t i) const {
    if (!far_[i]) return padded_[i] ? 1 : 0;
    return branches_[i].opcode == Opcode::s_branch ? kJumpWords - 1 : kJumpWords;
  }

  uint32_t final_address(uint32_t word, size_t branches_before) const { return word + grown_before_[branches_before]; }

  void update_growth() {
    for (size_t i = 0; i < branches_.size(); ++i) grown_before_[i + 1] = grown_before_[i] + growth(i);
  }

  /// Puts an s_nop after each branch of the broken distance, which moves its target. From back to front, as only
  /// branches that a forward branch skips can change its distance, and there are at most 63 of them. True if there was
  /// any.
  bool pad() {
    bool found = false;
    just_padded_.assign(branches_.size(), false);
    for (size_t i = branches_.size(); i-- > 0;) {
      if (far_[i] || padded_[i] || distance(i) < 0 || distance(i) > kBrokenDistance) continue;
      int64_t skipped = distance(i);
      for (size_t j = i + 1; j < target_rank_[i]; ++j) skipped += just_padded_[j] ? 1 : 0;
      if (skipped == kBrokenDistance) padded_[i] = just_padded_[i] = found = true;
    }
    if (found) update_growth();
    return found;
  }

  /// As a short branch counts.
  int64_t distance(size_t i) const {
    return int64_t{final_address(branches_[i].target, target_rank_[i])} - final_address(branches_[i].at, i) - 1;
  }

  /// The addition counts from the instruction after s_getpc_b64.
  void jump(Vector<uint32_t>& out, uint32_t destination) {
    const isa::Operand low = isa::Operand::of(pair_, 1), high = isa::Operand::of(pair_.offset(1), 1);
    const isa::Operand both = isa::Operand::of(pair_, 2);
    isa::Inst getpc, add_low, add_high, setpc;
    getpc.opcode = Opcode::s_getpc_b64;
    getpc.dst[0] = both;
    add(out, getpc);
    const int64_t bytes = (int64_t{destination} - static_cast<int64_t>(out.size())) * 4;
    add_low.opcode = Opcode::s_add_u32;
    add_low.dst[0] = add_low.src[0] = low;
    add_low.src[1] = isa::Operand::of_literal(static_cast<uint32_t>(bytes));
    add(out, add_low);
    add_high.opcode = Opcode::s_addc_u32;
    add_high.dst[0] = add_high.src[0] = high;
    add_high.src[1] = isa::Operand::of_imm(bytes < 0 ? 0xffffffffu : 0);
    add(out, add_high);
    setpc.opcode = Opcode::s_setpc_b64;
    setpc.src[0] = both;
    add(out, setpc);
  }

  void add(Vector<uint32_t>& out, const isa::Inst& inst) const {
    const auto encoded = isa::encode(inst, target_);
    if (!encoded) SPALT_ICE("cannot encode a far jump: " + encoded.error().message);
    out.append({encoded->words, encoded->count});
  }

  Vector<uint32_t>& words_;
  std::span<const Branch> branches_;
  isa::Reg pair_;
  const isa::Target& target_;
  Vector<bool> far_;               ///< by branch, as all of these
  Vector<bool> padded_;            ///< an s_nop follows
  Vector<bool> just_padded_;       ///< in this walk of pad()
  Vector<uint32_t> grown_before_;  ///< words that the far ones before it take more
  Vector<uint32_t> target_rank_;   ///< how many stand before its target
};

/// The usual case: all targets are in reach, and nothing is inserted. False if it is not; then nothing is changed.
bool patch_in_place(Vector<uint32_t>& words, std::span<const Branch> branches, const isa::Target& target,
                    int64_t reach) {
  const bool breaks_distance = target.has(isa::Hazard::branch_offset_3f);
  const auto distance = [](const Branch& branch) { return int64_t{branch.target} - int64_t{branch.at} - 1; };
  for (const Branch& branch : branches) {
    const int64_t dwords = distance(branch);
    if (dwords > reach || dwords < -reach || (breaks_distance && dwords == kBrokenDistance)) return false;
  }
  for (const Branch& branch : branches) {
    words[branch.at] = (words[branch.at] & 0xffff0000u) | (static_cast<uint32_t>(distance(branch)) & 0xffffu);
  }
  return true;
}

}  // namespace

std::optional<uint32_t> resolve_branches(Vector<uint32_t>& words, std::span<const Branch> branches, isa::Reg pair,
                                         const isa::Target& target, Arena& scratch, std::span<uint32_t> places,
                                         uint32_t reach) {
  if (patch_in_place(words, branches, target, reach)) return 0;
  const ArenaScope scope(scratch);
  Resolver resolver(words, branches, pair, target, scratch);
  if (!resolver.find_far(reach)) return std::nullopt;
  resolver.move(places);
  return resolver.write();
}

}  // namespace spalt::encode
