// SPDX-License-Identifier: MIT
#include "amdgpu/encode/branch_islands.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>

#include "amdgpu/isa/codec.h"
#include "base/bits.h"
#include "base/ice.h"

namespace spalt::encode {
namespace {

/// A group of s_branch instructions before the original word `position`; the first one jumps over the others. All far
/// jumps to one target share a hop.
struct Island {
  uint32_t position;
  std::vector<size_t> hops;  ///< indices into jumps_
};

/// One jump: from an original branch or from an island, to an original word or to another hop.
struct Jump {
  uint32_t origin;            ///< original word of the branch; unused for hops
  uint32_t target;            ///< original word
  size_t through = SIZE_MAX;  ///< hop that this jump goes to instead of its target
  size_t island = SIZE_MAX;   ///< for hops: where it stands
  size_t slot = 0;
};

class Resolver {
 public:
  Resolver(std::vector<uint32_t>& words, const std::vector<uint32_t>& boundaries, const std::vector<Branch>& branches,
           uint32_t reach)
      : words_(words), boundaries_(boundaries), reach_(reach) {
    for (const Branch& branch : branches) jumps_.push_back({branch.at, branch.target});
  }

  /// Adds islands until every jump reaches. A round shortens jumps by what lies between their ends before it, half a
  /// reach at a time; what islands of the same round add in between mostly fits into the other half, so that rounds are
  /// few.
  void place_islands() {
    constexpr size_t kMostRounds = 64;
    for (size_t round = 0; round < kMostRounds; ++round) {
      index_islands();
      bool changed = false;
      const size_t count = jumps_.size();
      for (size_t i = 0; i < count; ++i) changed |= !reaches(i) && shorten(i);
      if (!changed) return;
    }
    SPALT_ICE("branch islands do not converge");
  }

  uint32_t write(uint32_t s_branch) {
    std::vector<uint32_t> out;
    uint32_t inserted = 0;
    size_t next = 0;
    for (uint32_t word = 0; word <= words_.size(); ++word) {
      for (; next < order_.size() && islands_[order_[next]].position == word; ++next) {
        const Island& island = islands_[order_[next]];
        out.push_back(s_branch | static_cast<uint32_t>(island.hops.size()));
        for (size_t hop : island.hops) out.push_back(s_branch | offset(hop));
        inserted += 1 + static_cast<uint32_t>(island.hops.size());
      }
      if (word < words_.size()) out.push_back(words_[word]);
    }
    for (size_t i = 0; i < jumps_.size(); ++i) {
      if (jumps_[i].island != SIZE_MAX) continue;
      uint32_t& branch = out[address(i)];
      branch = (branch & 0xffff0000u) | offset(i);
    }
    words_ = std::move(out);
    return inserted;
  }

 private:
  /// Final address of an original word: behind all islands at or before it. A branch to a word with an island enters
  /// behind it.
  uint32_t final_address(uint32_t word) const {
    const auto at = std::upper_bound(order_.begin(), order_.end(), word, [this](uint32_t value, size_t island) {
      return value < islands_[island].position;
    });
    return word + size_before_[static_cast<size_t>(at - order_.begin())];
  }

  uint32_t address(size_t jump) const {
    const Jump& j = jumps_[jump];
    if (j.island == SIZE_MAX) return final_address(j.origin);
    const size_t rank = rank_[j.island];
    return islands_[j.island].position + size_before_[rank] + 1 + static_cast<uint32_t>(j.slot);
  }

  uint32_t destination(size_t jump) const {
    const Jump& j = jumps_[jump];
    return j.through == SIZE_MAX ? final_address(j.target) : address(j.through);
  }

  int64_t distance(size_t jump) const {
    return static_cast<int64_t>(destination(jump)) - static_cast<int64_t>(address(jump)) - 1;
  }

  uint32_t offset(size_t jump) const { return static_cast<uint32_t>(distance(jump)) & 0xffffu; }

  void index_islands() {
    order_.resize(islands_.size());
    for (size_t i = 0; i < order_.size(); ++i) order_[i] = i;
    std::sort(order_.begin(), order_.end(),
              [this](size_t a, size_t b) { return islands_[a].position < islands_[b].position; });
    size_before_.assign(1, 0);
    rank_.resize(islands_.size());
    for (size_t i = 0; i < order_.size(); ++i) {
      rank_[order_[i]] = i;
      size_before_.push_back(size_before_.back() + 1 + static_cast<uint32_t>(islands_[order_[i]].hops.size()));
    }
  }

  bool reaches(size_t jump) const {
    const int64_t far = distance(jump);
    return far >= -static_cast<int64_t>(reach_) && far <= static_cast<int64_t>(reach_);
  }

  /// Leads the jump through hops that are half a reach apart, at least through one; false where there is no room for
  /// one. Every hop lies strictly between the places that it connects, so hops never lead in a circle.
  bool shorten(size_t jump) {
    bool changed = false;
    while (!changed || std::abs(gap(jump)) > reach_) {
      const uint32_t at = stop(jump);
      if (at == kNowhere) return changed;
      changed = true;
      const auto [known, added] = hop_at_.try_emplace({at, jumps_[jump].target}, jumps_.size());
      const size_t hop = known->second;
      if (added) {
        const size_t island = island_at(at);
        jumps_.push_back({0, jumps_[jump].target, jumps_[jump].through, island, islands_[island].hops.size()});
        islands_[island].hops.push_back(hop);
      }
      jumps_[jump].through = hop;
      if (!added) return true;
      jump = hop;
    }
    return true;
  }

  /// Where the next hop of a jump stands: at round positions, so that many jumps take the same. Islands can be all that
  /// is in the way; then it stands halfway.
  uint32_t stop(size_t jump) const {
    const int64_t length = std::abs(gap(jump));
    const int64_t step = std::min<int64_t>(reach_ / 2, length / 2);
    if (step == 0) return kNowhere;
    const int64_t from = here(jump), direction = gap(jump) < 0 ? -1 : 1;
    const auto grid = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>((step + 1) / 2)));
    const int64_t wanted = (from + direction * step) / grid * grid;
    auto at = std::lower_bound(boundaries_.begin(), boundaries_.end(), static_cast<uint32_t>(wanted));
    const auto between = [&](uint32_t word) {
      return direction > 0 ? word > from && word < goal(jump) : word < from && word > goal(jump);
    };
    if (at != boundaries_.end() && between(*at)) return *at;
    at = std::lower_bound(boundaries_.begin(), boundaries_.end(), static_cast<uint32_t>(from + direction * step));
    if (at != boundaries_.end() && between(*at)) return *at;
    if (at != boundaries_.begin() && between(*--at)) return *at;
    return kNowhere;
  }

  /// Original words near which the jump stands and to which it goes now, and the way between.
  uint32_t here(size_t jump) const {
    const Jump& j = jumps_[jump];
    return j.island == SIZE_MAX ? j.origin : islands_[j.island].position;
  }
  uint32_t goal(size_t jump) const {
    const Jump& j = jumps_[jump];
    return j.through == SIZE_MAX ? j.target : islands_[jumps_[j.through].island].position;
  }
  int64_t gap(size_t jump) const { return static_cast<int64_t>(goal(jump)) - here(jump); }

  size_t island_at(uint32_t position) {
    const auto [known, added] = island_at_.try_emplace(position, islands_.size());
    if (added) islands_.push_back({position, {}});  // takes part in addresses from the next round on
    return known->second;
  }

  static constexpr uint32_t kNowhere = 0xffffffffu;

  std::vector<uint32_t>& words_;
  const std::vector<uint32_t>& boundaries_;
  const uint32_t reach_;
  std::vector<Jump> jumps_;
  std::vector<Island> islands_;
  std::map<uint32_t, size_t> island_at_;                    ///< by position
  std::map<std::pair<uint32_t, uint32_t>, size_t> hop_at_;  ///< by position of the island and target
  std::vector<size_t> order_, rank_;
  std::vector<uint32_t> size_before_;
};

}  // namespace

uint32_t resolve_branches(std::vector<uint32_t>& words, const std::vector<uint32_t>& boundaries,
                          const std::vector<Branch>& branches, const isa::Target& target, uint32_t reach) {
  isa::Inst jump;
  jump.opcode = isa::Opcode::s_branch;
  const auto encoded = isa::encode(jump, target);
  SPALT_ASSERT(encoded.ok());
  Resolver resolver(words, boundaries, branches, reach);
  resolver.place_islands();
  return resolver.write(encoded->words[0] & 0xffff0000u);
}

}  // namespace spalt::encode
