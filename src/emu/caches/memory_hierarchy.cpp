// SPDX-License-Identifier: MIT
#include "emu/caches/memory_hierarchy.h"

#include <algorithm>
#include <string_view>

#include "emu/wave/wave.h"

namespace spalt::emu {
namespace {

/// Some runs are slow to let anything happen, or loads, or stores; some never evict, some let waves rush on.
constexpr unsigned kPerformPercents[] = {1, 5, 30}, kEvictPercents[] = {0, 0, 1, 5}, kStallPercents[] = {0, 90, 98, 98},
                   kWillingPercents[] = {100, 100, 10};

template <size_t N>
unsigned pick(Random& random, const unsigned (&values)[N]) {
  return values[random.below(N)];
}

bool share_a_line(const std::vector<Line>& a, const std::vector<Line>& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](const Line& line) { return std::find(b.begin(), b.end(), line) != b.end(); });
}

}  // namespace

MemoryHierarchy::MemoryHierarchy(const Memory& memory, const isa::Target& target, const HierarchySettings& settings)
    : facts_(cache_facts(target)),
      settings_(settings),
      random_(settings.seed),
      line_map_(memory, facts_.line_bytes),
      unit_caches_(kUnits),
      array_caches_(kArrays),
      scalar_caches_(kProcessors) {
  perform_percent_ = pick(random_, kPerformPercents);
  evict_percent_ = pick(random_, kEvictPercents);
  stall_percent_ = pick(random_, kStallPercents);
  load_percent_ = pick(random_, kWillingPercents);
  store_percent_ = pick(random_, kWillingPercents);
}

MemoryHierarchy::Placement MemoryHierarchy::place_group(bool spread) {
  Placement placement;
  placement.unit_ = random_.below(kUnits);
  placement.spread_ = spread;
  return placement;
}

std::vector<Line> MemoryHierarchy::lines_of(const Transfer& t) const {
  std::vector<Line> lines;
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    if ((t.lanes >> lane & 1) == 0 || t.host[lane] == nullptr) continue;
    for (unsigned c = 0; c < t.components; ++c) {
      if (!t.moves(lane, c)) continue;
      if (!t.crosses(lane)) {
        line_map_.add_lines(t.component(lane, c), t.component_bytes, lines);
        continue;
      }
      for (unsigned i = 0; i < t.component_bytes; ++i) {
        line_map_.add_lines(t.crossing_byte(lane, c * t.component_bytes + i), 1, lines);
      }
    }
  }
  return lines;
}

/// Accesses of one compute unit to one line, since the unit takes them in order and they go the same way to the same
/// part of the L2; and results of one wave into one register.
bool MemoryHierarchy::must_stay_in_order(const Pending& first, const Pending& second) {
  if (first.unit != second.unit) return false;
  if (share_a_line(first.lines, second.lines)) return true;
  return first.wave == second.wave && first.dst < second.dst + second.dst_dwords &&
         second.dst < first.dst + first.dst_dwords;
}

void MemoryHierarchy::issue(Wave& wave, Transfer& transfer, const isa::Modifiers& mods) {
  if (transfer.performed || transfer.lanes == 0) return;
  Pending access;
  access.wave = &wave;
  access.sequence = transfer.sequence;
  access.unit = wave.compute_unit;
  access.load = transfer.kind == TransferKind::load;
  access.passes_unit = facts_.unit_passed.matches(mods);
  access.passes_array = facts_.array_passed.matches(mods);
  access.dst = transfer.dst;
  access.dst_dwords = transfer.has_dst ? transfer.dst_dwords : uint8_t{0};
  access.lines = lines_of(transfer);
  if (!access.load) {
    perform_earlier_loads(access);
    store_into_cache(access, transfer);
  } else if (access.passes_unit) {
    for (const Line& line : access.lines) unit_cache(access.unit).drop(line);
  } else if (hits(access)) {
    return load_now(access, transfer);
  }
  pending_.push_back(std::move(access));
}

/// Whether the load can happen at once.
bool MemoryHierarchy::hits(const Pending& load) {
  const auto waits = [&](const Pending& earlier) { return earlier.load && must_stay_in_order(earlier, load); };
  if (std::any_of(pending_.begin(), pending_.end(), waits)) return false;
  const auto in_cache = [&](const Line& line) { return unit_cache(load.unit).holds(line); };
  return std::all_of(load.lines.begin(), load.lines.end(), in_cache);
}

/// A store writes the lines that the cache of its compute unit holds. An atomic is for the L2 alone.
void MemoryHierarchy::store_into_cache(const Pending& store, const Transfer& transfer) {
  Cache& cache = unit_cache(store.unit);
  if (transfer.kind == TransferKind::atomic) {
    for (const Line& line : store.lines) cache.drop(line);
    return;
  }
  std::vector<Line> held;
  for (const Line& line : store.lines) {
    if (cache.holds(line)) held.push_back(line);
  }
  if (held.size() != store.lines.size()) {
    // A store to several lines, some of them held: dropping is as good.
    for (const Line& line : held) cache.drop(line);
    return;
  }
  cache.exchange(held);
  Transfer copy = transfer;
  perform(copy, store.wave->vgpr(0));
  cache.exchange(held);
}

/// Loads of the compute unit must not see what it stores after them.
void MemoryHierarchy::perform_earlier_loads(const Pending& access) {
  for (size_t i = pending_.size(); i-- > 0;) {
    if (i < pending_.size() && pending_[i].load && must_stay_in_order(pending_[i], access)) perform_at(i);
  }
}

void MemoryHierarchy::complete(Wave& wave, Transfer& transfer) {
  if (transfer.performed) return;
  const auto is_it = [&](const Pending& p) { return p.wave == &wave && p.sequence == transfer.sequence; };
  const auto at = std::find_if(pending_.begin(), pending_.end(), is_it);
  if (at == pending_.end()) return perform(transfer, wave.vgpr(0));
  perform_at(static_cast<size_t>(at - pending_.begin()));
}

/// With everything that must happen before.
void MemoryHierarchy::perform_at(size_t index) {
  std::vector<size_t> chosen{index};
  for (size_t i = index; i-- > 0;) {
    const auto follows = [&](size_t later) { return must_stay_in_order(pending_[i], pending_[later]); };
    if (std::any_of(chosen.begin(), chosen.end(), follows)) chosen.push_back(i);
  }
  std::vector<Pending> accesses;
  for (const size_t i : chosen) {  // from the last one to the first
    accesses.push_back(std::move(pending_[i]));
    pending_.erase(pending_.begin() + static_cast<ptrdiff_t>(i));
  }
  for (auto access = accesses.rbegin(); access != accesses.rend(); ++access) {
    perform_now(*access, *access->wave->waits.in_flight(access->sequence));
  }
}

void MemoryHierarchy::perform_now(const Pending& access, Transfer& transfer) {
  if (access.load) return load_now(access, transfer);
  // On its way down the store leaves no old copy in the cache of the shader array.
  if (facts_.has_array_cache) {
    for (const Line& line : access.lines) array_cache(access.unit).drop(line);
  }
  perform(transfer, access.wave->vgpr(0));
}

void MemoryHierarchy::load_now(const Pending& load, Transfer& transfer) {
  Cache* cache = nullptr;
  if (!load.passes_unit) {
    cache = &unit_cache(load.unit);
    fetch(*cache, load.unit, load.passes_array, load.lines);
  } else if (facts_.has_array_cache && !load.passes_array) {
    cache = &array_cache(load.unit);
    for (const Line& line : load.lines) cache->fill(line);
  }
  if (cache != nullptr) cache->exchange(load.lines);
  perform(transfer, load.wave->vgpr(0));
  if (cache != nullptr) cache->exchange(load.lines);
}

/// Fills the missing lines of a first-level cache from what is below.
void MemoryHierarchy::fetch(Cache& cache, unsigned unit, bool passes_array, const std::vector<Line>& lines) {
  for (const Line& line : lines) {
    if (cache.holds(line)) continue;
    if (!facts_.has_array_cache || passes_array) {
      cache.fill(line);
      continue;
    }
    Cache& array = array_cache(unit);
    array.fill(line);
    array.exchange({&line, 1});
    cache.fill(line);
    array.exchange({&line, 1});
  }
}

/// Scalar stores and atomics, which only some generations have, go to memory at once.
ScalarResult MemoryHierarchy::perform_scalar(const Wave& wave, const ScalarTransfer& transfer) {
  if (transfer.has_value || transfer.valid_bytes == 0) return perform(transfer);
  std::vector<Line> lines;
  line_map_.add_lines(transfer.host, transfer.valid_bytes, lines);
  Cache& cache = scalar_cache(wave.compute_unit);
  if (transfer.kind != TransferKind::load) {
    for (const Line& line : lines) cache.drop(line);
    return perform(transfer);
  }
  fetch(cache, wave.compute_unit, false, lines);
  cache.exchange(lines);
  const ScalarResult result = perform(transfer);
  cache.exchange(lines);
  return result;
}

void MemoryHierarchy::invalidate(const Wave& wave, isa::Opcode opcode, const isa::Modifiers& mods) {
  const Invalidation caches = invalidation_of(opcode, mods);
  if (caches.unit) unit_cache(wave.compute_unit).clear();
  if (caches.array) array_cache(wave.compute_unit).clear();
  if (caches.scalar) scalar_cache(wave.compute_unit).clear();
}

bool MemoryHierarchy::stalls(const Wave& wave) {
  const std::string_view next = isa::info(wave.current_step().inst.opcode).name;
  const bool about_to_wait = next.starts_with("s_wait") || next.starts_with("s_endpgm") ||
                             (settings_.registers_wait && wave.waits.touches_pending(wave.current_step()));
  return about_to_wait && wave.waits.something_is_left() && random_.chance(stall_percent_);
}

void MemoryHierarchy::advance() {
  if (!pending_.empty() && decides_to_perform()) {
    const unsigned at = random_.below(static_cast<unsigned>(pending_.size()));
    if (random_.chance(pending_[at].load ? load_percent_ : store_percent_)) perform_at(at);
  }
  if (!random_.chance(evict_percent_)) return;
  const unsigned which = random_.below(kUnits + kArrays + kProcessors);
  Cache& cache = which < kUnits             ? unit_caches_[which]
                 : which < kUnits + kArrays ? array_caches_[which - kUnits]
                                            : scalar_caches_[which - kUnits - kArrays];
  cache.drop_any(random_);
}

}  // namespace spalt::emu
