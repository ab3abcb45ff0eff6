// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "replay/database.h"
#include "replay/parallel.h"

namespace spalt_tool::replay {

/// Bytes of descriptions that are kept of one kind of objects: more than any application has, and a bound for archives
/// whose few bytes become many.
constexpr uint64_t kMaxKeptBytes = uint64_t{1} << 30;

/// The objects of one kind that others refer to, each read once however many refer to it: the time that an archive
/// takes stays linear in its size.
template <class State>
class ObjectTable {
 public:
  struct Entry {
    State state;
    Problem problem;  ///< why there is no state
  };

  /// `hashes` in any order, with repetitions; 0 is left out. Works on `jobs` threads.
  void load(const Database& database, Tag tag, std::vector<uint64_t> hashes,
            bool (*parse)(const Document&, uint64_t, State&, Problem&), unsigned jobs) {
    hashes_ = std::move(hashes);
    std::sort(hashes_.begin(), hashes_.end());
    hashes_.erase(std::unique(hashes_.begin(), hashes_.end()), hashes_.end());
    if (!hashes_.empty() && hashes_[0] == 0) hashes_.erase(hashes_.begin());
    entries_.clear();
    entries_.resize(hashes_.size());
    uint64_t kept_bytes = 0;
    for (size_t i = 0; i < hashes_.size(); ++i) {
      kept_bytes += database.size_of(tag, hashes_[i]);
      if (kept_bytes > kMaxKeptBytes)
        fail(entries_[i].problem, Cause::limit, "the archives have too many descriptions");
    }
    run_parallel(hashes_.size(), jobs, [&](unsigned, size_t index) {
      Entry& entry = entries_[index];
      if (entry.problem.cause != Cause::none) return;
      load_state(database, tag, hashes_[index], parse, entry.state, entry.problem);
    });
  }
  const std::vector<uint64_t>& hashes() const { return hashes_; }
  const std::vector<Entry>& entries() const { return entries_; }
  /// Where one that was loaded is in hashes() and entries().
  size_t index_of(uint64_t hash) const {
    return static_cast<size_t>(std::lower_bound(hashes_.begin(), hashes_.end(), hash) - hashes_.begin());
  }
  const Entry& find(uint64_t hash) const { return entries_[index_of(hash)]; }

 private:
  std::vector<uint64_t> hashes_;
  std::vector<Entry> entries_;
};

}  // namespace spalt_tool::replay
