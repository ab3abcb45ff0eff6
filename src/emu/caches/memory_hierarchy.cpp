// SPDX-License-Identifier: MIT
#include "emu/caches/memory_hierarchy.h"

#include <algorithm>

#include "emu/wave/wave.h"

namespace spalt::emu {
namespace {

/// Some runs are slow to let anything happen, or loads, or stores; some never evict, some let waves rush on.
constexpr unsigned kPerformPercents[] = {1, 5, 30}, kEvictPercents[] = {0, 0, 1, 5}, kStallPercents[] = {0, 90, 98, 98},
                   kWillingPercents[] = {100, 100, 10}, kLeavePercents[] = {0, 50, 100};

template <size_t N>
unsigned pick(Random& random, const unsigned (&values)[N]) {
  return values[random.below(N)];
}

bool share_a_line(const std::vector<Line>& a, const std::vector<Line>& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](const Line& line) { return std::find(b.begin(), b.end(), line) != b.end(); });
}

}  // namespace

MemoryHierarchy::MemoryHierarchy(const isa::Target& target)
    : facts_(cache_facts(target)), unit_caches_(kUnits), array_caches_(kArrays), scalar_caches_(kProcessors) {}

void MemoryHierarchy::begin(const Memory& memory, const HierarchySettings& settings) {
  look_at(memory);
  settings_ = settings;
  // The first run of a seed is the same as one that keeps nothing.
  random_ = Random(runs_ == 0 ? settings.seed : settings.seed ^ Random(runs_).next());
  ++runs_;
  perform_percent_ = pick(random_, kPerformPercents);
  evict_percent_ = pick(random_, kEvictPercents);
  stall_percent_ = pick(random_, kStallPercents);
  load_percent_ = pick(random_, kWillingPercents);
  store_percent_ = pick(random_, kWillingPercents);
  leave_percent_ = settings.keep ? pick(random_, kLeavePercents) : 0;
}

void MemoryHierarchy::end() {
  const auto is_of_a_wave = [](const Pending& access) { return access.own == nullptr; };
  pending_.erase(std::remove_if(pending_.begin(), pending_.end(), is_of_a_wave), pending_.end());
}

void MemoryHierarchy::look_at(const Memory& memory) {
  LineMap now(memory, facts_.line_bytes);
  line_map_.for_each_gone(now, [this](uint64_t first, uint64_t bytes) { forget_range(first, bytes); });
  line_map_ = std::move(now);
}

void MemoryHierarchy::forget_range(uint64_t first, uint64_t bytes) {
  for (std::vector<Cache>* caches : {&unit_caches_, &array_caches_, &scalar_caches_}) {
    for (Cache& cache : *caches) cache.drop_range(first, bytes);
  }
  const auto touches = [=](const Pending& access) {
    return std::any_of(access.lines.begin(), access.lines.end(),
                       [=](const Line& line) { return line.address - first < bytes; });
  };
  pending_.erase(std::remove_if(pending_.begin(), pending_.end(), touches), pending_.end());
}

void MemoryHierarchy::complete_stores() {
  while (!pending_.empty()) perform_at(0);
}

void MemoryHierarchy::empty_vector_caches() {
  for (Cache& cache : unit_caches_) cache.clear();
  for (Cache& cache : array_caches_) cache.clear();
}

void MemoryHierarchy::empty_scalar_caches() {
  for (Cache& cache : scalar_caches_) cache.clear();
  for (Cache& cache : array_caches_) cache.clear();
}

MemoryHierarchy::Placement MemoryHierarchy::place_group(bool spread) {
  Placement placement;
  placement.unit_ = random_.below(kUnits);
  placement.spread_ = spread;
  return placement;
}

std::vector<Line> MemoryHierarchy::lines_of(const Transfer& t) const {
  std::vector<Line> lines;
  t.texels.for_each_texel([&](const Tap& tap) { line_map_.add_lines(tap.place, t.texels.texel_bytes, lines); });
  if (t.texels.kind != TexelRead::Kind::none) return lines;
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
  const auto in_cache = [&](const Line& line) { return line.cached && unit_cache(load.unit).holds(line); };
  return std::all_of(load.lines.begin(), load.lines.end(), in_cache);
}

/// A store writes the lines that the cache of its compute unit holds. An atomic is for the L2 alone.
void MemoryHierarchy::store_into_cache(Pending& store, Transfer& transfer) {
  if (store.lines.empty()) return;
  Cache& cache = unit_cache(store.unit);
  if (transfer.kind == TransferKind::atomic) {
    for (const Line& line : store.lines) cache.drop(line);
    return;
  }
  const auto held = [&](const Line& line) { return cache.holds(line); };
  if (!std::all_of(store.lines.begin(), store.lines.end(), held)) {
    // Where some of its lines are held, dropping these is as good.
    for (const Line& line : store.lines) cache.drop(line);
    return;
  }
  image_.lay_out(store.lines, transfer);
  for (const Line& line : store.lines) std::copy_n(cache.find(line), line.bytes, image_.at(line));
  image_.perform(transfer, store.wave->vgpr(0));
  transfer.performed = false;
  for (const Line& line : store.lines) std::copy_n(image_.at(line), line.bytes, cache.find(line));
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
  for (auto access = accesses.rbegin(); access != accesses.rend(); ++access) perform_now(*access);
}

void MemoryHierarchy::perform_now(Pending& access) {
  if (access.load) return load_now(access, *access.wave->waits.in_flight(access.sequence));
  // On its way down the store leaves no old copy in the cache of the shader array.
  if (facts_.has_array_cache) {
    for (const Line& line : access.lines) array_cache(access.unit).drop(line);
  }
  if (access.own != nullptr) return perform(*access.own, nullptr);
  perform(*access.wave->waits.in_flight(access.sequence), access.wave->vgpr(0));
}

void MemoryHierarchy::load_now(Pending& load, Transfer& transfer) {
  const bool array_only = load.passes_unit && facts_.has_array_cache && !load.passes_array;
  if (load.passes_unit && !array_only) return perform(transfer, load.wave->vgpr(0));
  const auto uncached = [](const Line& line) { return !line.cached; };
  load.lines.erase(std::remove_if(load.lines.begin(), load.lines.end(), uncached), load.lines.end());
  image_.lay_out(load.lines, transfer);
  for (const Line& line : load.lines) {
    const uint8_t* from = array_only ? array_cache(load.unit).fill(line, line.memory)
                                     : fetch(unit_cache(load.unit), load.unit, load.passes_array, line);
    std::copy_n(from, line.bytes, image_.at(line));
  }
  image_.perform(transfer, load.wave->vgpr(0));
}

/// The line in a first-level cache, filled from what is below where it is missing.
const uint8_t* MemoryHierarchy::fetch(Cache& cache, unsigned unit, bool passes_array, const Line& line) {
  if (const uint8_t* there = cache.find(line); there != nullptr) return there;
  const bool through_array = facts_.has_array_cache && !passes_array;
  return cache.fill(line, through_array ? array_cache(unit).fill(line, line.memory) : line.memory);
}

/// What a later wave may find in the place of its registers, its LDS and its scratch memory must have happened.
bool MemoryHierarchy::may_outlive_wave(const Pending& access, const Transfer& transfer) {
  if (access.load || transfer.has_dst || transfer.flat || access.lines.empty()) return false;
  return std::all_of(access.lines.begin(), access.lines.end(), [](const Line& line) { return line.lasting; });
}

void MemoryHierarchy::leave_stores(Wave& wave) {
  if (leave_percent_ == 0) return;
  size_t left = 0;
  for (Pending& access : pending_) {
    if (access.own != nullptr) ++left;
    if (access.wave != &wave || !random_.chance(leave_percent_)) continue;
    Transfer& transfer = *wave.waits.in_flight(access.sequence);
    if (!may_outlive_wave(access, transfer)) continue;
    access.own = std::make_unique<Transfer>(transfer);
    access.own->dst = 0;  // it writes no register
    access.wave = nullptr;
    transfer.performed = true;
    ++left;
  }
  for (; left > kMaxLeft; --left) perform_oldest_left();
}

void MemoryHierarchy::perform_oldest_left() {
  const auto is_left = [](const Pending& access) { return access.own != nullptr; };
  const auto at = std::find_if(pending_.begin(), pending_.end(), is_left);
  if (at != pending_.end()) perform_at(static_cast<size_t>(at - pending_.begin()));
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
  // The tables of the driver are of one task and have no lines.
  if (lines.empty() || !lines.front().cached) return perform(transfer);
  std::array<uint8_t, sizeof(ScalarResult)> bytes{};
  for (const Line& line : lines) {
    const uint8_t* copy = fetch(cache, wave.compute_unit, false, line);
    const auto skipped = std::max<ptrdiff_t>(transfer.host - line.memory, 0);
    const auto begin = std::max<ptrdiff_t>(line.memory - transfer.host, 0);
    const auto count = std::min<ptrdiff_t>(line.bytes - skipped, transfer.valid_bytes - begin);
    std::copy_n(copy + skipped, count, bytes.data() + begin);
  }
  ScalarTransfer from_cache = transfer;
  from_cache.host = bytes.data();
  return perform(from_cache);
}

void MemoryHierarchy::invalidate(const Wave& wave, isa::Opcode opcode, const isa::Modifiers& mods) {
  const Invalidation caches = invalidation_of(opcode, mods);
  if (caches.unit) unit_cache(wave.compute_unit).clear();
  if (caches.array) array_cache(wave.compute_unit).clear();
  if (caches.scalar) scalar_cache(wave.compute_unit).clear();
}

bool MemoryHierarchy::stalls(const Wave& wave) {
  const Step& next = wave.current_step();
  const bool about_to_wait = next.waits || (settings_.registers_wait && wave.waits.touches_pending(next));
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
