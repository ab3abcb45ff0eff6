// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "base/random.h"
#include "emu/caches/cache.h"
#include "emu/caches/cache_facts.h"
#include "emu/caches/line_image.h"
#include "emu/memory/lane_access.h"
#include "emu/scalar/scalar_access.h"

namespace spalt::emu {

class Wave;

/// Asks for the memory hierarchy mode (docs/emulator.md).
struct HierarchySettings {
  bool enabled = false;
  uint64_t seed = 0;  ///< placement of the waves, their order and all delays follow from it
  /// Touching a register that a load will still write waits for the load and is no fault. For experiments that take
  /// waits out of a program and want to know what else they order.
  bool registers_wait = false;
  /// Caches keep what they hold, and stores may stay under way, from run to run.
  bool keep = false;
};

/// The caches of a device and the vector memory accesses of its waves on their way through them. A compute unit takes
/// accesses in the order of issue: what hits its cache happens at once. The rest happens at a random time before the
/// wave has waited for it, in any order, but for accesses of one compute unit to one line. Caches hold lines until they
/// are invalidated or a random one is evicted, whatever others store meanwhile. Memory itself is the L2.
///
/// Runs are what happens between begin() and end(): waves of one dispatch or of several, on one host thread. What stays
/// from run to run: lines in caches, and stores of waves that have ended, which own their data. Both know the mapping
/// they are of, and are forgotten when a run begins without it, so memory that is no longer mapped is never touched.
class MemoryHierarchy {
 public:
  explicit MemoryHierarchy(const isa::Target& target);

  /// A run on this memory. Follows from the seed and the number of earlier runs.
  void begin(const Memory& memory, const HierarchySettings& settings);
  /// Forgets accesses of waves that will not go on.
  void end();

  /// Between runs, with the mappings that there are now: forgets what is of others.
  void look_at(const Memory& memory);
  /// Every store that is under way arrives.
  void complete_stores();
  void empty_vector_caches();
  void empty_scalar_caches();

  /// Whether another processor has the same caches.
  bool fits(const isa::Target& target) const { return &cache_facts(target) == &facts_; }

  /// Where a workgroup runs: on a random compute unit or, `spread`, its waves on either one of a work-group processor.
  class Placement {
   public:
    unsigned unit_of_next_wave(Random& random) const {
      return spread_ ? unit_ / kUnitsPerProcessor * kUnitsPerProcessor + random.below(kUnitsPerProcessor) : unit_;
    }

   private:
    friend MemoryHierarchy;
    unsigned unit_ = 0;
    bool spread_ = false;
  };
  Placement place_group(bool spread);

  /// A transfer of vector memory that was just issued; `mods` are those of its instruction.
  void issue(Wave& wave, Transfer& transfer, const isa::Modifiers& mods);
  /// Makes the transfer happen, if it has not.
  void complete(Wave& wave, Transfer& transfer);
  /// The wave ends. Some of its stores stay under way where runs keep them.
  void leave_stores(Wave& wave);
  ScalarResult perform_scalar(const Wave& wave, const ScalarTransfer& transfer);
  void invalidate(const Wave& wave, isa::Opcode opcode, const isa::Modifiers& mods);

  /// Time passes: something may happen.
  void advance();
  /// Whether a wave that is about to wait for its accesses is not to run now, so that others do meanwhile.
  bool stalls(const Wave& wave);
  /// Whether something is to happen that may happen.
  bool decides_to_perform() { return random_.chance(perform_percent_); }
  bool registers_wait() const { return settings_.registers_wait; }
  Random& random() { return random_; }

 private:
  // A device small enough that waves often meet and large enough that they often do not.
  static constexpr unsigned kUnitsPerProcessor = 2, kProcessorsPerArray = 2, kArrays = 2;
  static constexpr unsigned kProcessors = kProcessorsPerArray * kArrays, kUnits = kUnitsPerProcessor * kProcessors;
  /// Stores of ended waves under way. There could be any number: a bound for time and memory.
  static constexpr size_t kMaxLeft = 64;

  /// An access that has not happened yet.
  struct Pending {
    Wave* wave = nullptr;           ///< nullptr: it has ended,
    std::unique_ptr<Transfer> own;  ///< and this is its store
    uint32_t sequence = 0;          ///< Transfer::sequence
    unsigned unit = 0;
    bool load = false;
    bool passes_unit = false, passes_array = false;
    uint16_t dst = 0;
    uint8_t dst_dwords = 0;
    std::vector<Line> lines;
  };

  Cache& unit_cache(unsigned unit) { return unit_caches_[unit]; }
  Cache& array_cache(unsigned unit) { return array_caches_[unit / (kUnitsPerProcessor * kProcessorsPerArray)]; }
  Cache& scalar_cache(unsigned unit) { return scalar_caches_[unit / kUnitsPerProcessor]; }

  static bool must_stay_in_order(const Pending& first, const Pending& second);
  static bool may_outlive_wave(const Pending& access, const Transfer& transfer);
  void perform_oldest_left();
  void forget_range(uint64_t first, uint64_t bytes);
  std::vector<Line> lines_of(const Transfer& transfer) const;
  bool hits(const Pending& load);
  const uint8_t* fetch(Cache& cache, unsigned unit, bool passes_array, const Line& line);
  void store_into_cache(Pending& store, Transfer& transfer);
  void perform_earlier_loads(const Pending& access);
  void perform_at(size_t index);
  void perform_now(Pending& access);
  void load_now(Pending& load, Transfer& transfer);

  const CacheFacts& facts_;
  HierarchySettings settings_;
  uint64_t runs_ = 0;
  Random random_{0};
  LineMap line_map_;
  LineImage image_;
  std::vector<Cache> unit_caches_, array_caches_, scalar_caches_;
  std::vector<Pending> pending_;  ///< in order of issue
  unsigned perform_percent_ = 0, evict_percent_ = 0, stall_percent_ = 0;
  unsigned load_percent_ = 0, store_percent_ = 0;  ///< how willing loads and others are when their time has come
  unsigned leave_percent_ = 0;                     ///< of the stores that are under way when their wave ends
};

}  // namespace spalt::emu
