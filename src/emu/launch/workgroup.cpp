// SPDX-License-Identifier: MIT
#include "emu/launch/workgroup.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <thread>

#include "emu/caches/memory_hierarchy.h"
#include "emu/debug/observer.h"
#include "emu/launch/wave_initializer.h"

namespace spalt::emu {
namespace {

/// Instructions that one wave runs before the next one gets its turn.
constexpr uint64_t kQuantum = 5000;
/// Turns in which all waves sleep, after which the group counts as one that only waits for others.
constexpr unsigned kPatientTurns = 16;

// Registers that nothing was put into hold junk, as on hardware.
constexpr uint32_t kJunk = 0xbad0c0de;
constexpr uint8_t kJunkByte = 0xcd;

/// While a group only sleeps: lets other threads work. When all sleep, nobody does anything that could take long, and
/// the step limit is to be reached soon.
class Doze {
 public:
  explicit Doze(Progress& progress) : progress_(progress) { progress_.busy.fetch_add(1); }
  ~Doze() {
    wake();
    progress_.busy.fetch_sub(1);
  }
  Doze(const Doze&) = delete;
  Doze& operator=(const Doze&) = delete;

  void after_turn(bool slept) {
    if (!slept) return wake();
    if (++turns_ == kPatientTurns) progress_.busy.fetch_sub(1);
  }
  void let_others_work() const {
    constexpr std::chrono::microseconds kNap{50};
    if (turns_ >= kPatientTurns && progress_.busy.load() != 0) {
      std::this_thread::sleep_for(kNap);
    } else {
      std::this_thread::yield();
    }
  }

 private:
  void wake() {
    if (turns_ >= kPatientTurns) progress_.busy.fetch_add(1);
    turns_ = 0;
  }
  Progress& progress_;
  unsigned turns_ = 0;
};

}  // namespace

Workgroup::Workgroup(const Launch& launch) : program_(launch.program) {
  group_.lds.resize(launch.lds_bytes);
  for (unsigned i = 0; i < launch.waves_per_group; ++i) {
    waves_.push_back(std::make_unique<Wave>(*program_, group_, launch.wave_size, launch.vgpr_count));
  }
}

bool Workgroup::fits(const Launch& launch) const {
  return program_ == launch.program && waves_.size() == launch.waves_per_group &&
         waves_.front()->size() == launch.wave_size && waves_.front()->vgpr_count() == launch.vgpr_count &&
         group_.lds.size() == launch.lds_bytes;
}

void Workgroup::begin(const Launch& launch, uint64_t scratch_offset) {
  launch_ = &launch;
  progress_ = nullptr;
  scratch_offset_ = scratch_offset;
  spent_ = 0;
  group_.memory = launch.memory;
  group_.observer = launch.observer;
  group_.hierarchy = launch.hierarchy;
  group_.border_colors = launch.border_colors;
  group_.stage = launch.stage;
  group_.draw = launch.draw;
  group_.scratch_ring_base = launch.scratch_ring;
  group_.scratch_ring_size = launch.scratch_ring_bytes;
  group_.visited.assign(program_->step_count(), 0);
  fault_ = Fault();
  statistics_ = Statistics();
}

bool Workgroup::run(uint64_t group, Progress& progress) {
  start(group);
  progress_ = &progress;
  return run_waves();
}

void Workgroup::start(uint64_t group) {
  group_number_ = group;
  spent_at_start_ = spent_at_barrier_ = spent_;
  group_.id = launch_->initializer->group_id(group);
  std::fill(group_.lds.begin(), group_.lds.end(), kJunkByte);
  for (unsigned i = 0; i < waves_.size(); ++i) start_wave(group, i);
  if (launch_->hierarchy != nullptr) {
    const MemoryHierarchy::Placement placement = launch_->hierarchy->place_group(launch_->wgp_mode);
    for (const std::unique_ptr<Wave>& wave : waves_) {
      wave->compute_unit = placement.unit_of_next_wave(launch_->hierarchy->random());
    }
  }
  group_.barrier = Barrier();
  for (const std::unique_ptr<Wave>& wave : waves_) group_.barrier.members += wave->state() != WaveState::ended ? 1 : 0;
}

void Workgroup::start_wave(uint64_t group, unsigned index) {
  Wave& wave = *waves_[index];
  wave.reset(kJunk);
  wave.wave_id_in_group = index;
  wave.scratch_size = launch_->scratch_bytes_per_wave;
  wave.scratch_base = launch_->scratch_ring + scratch_offset_ + index * wave.scratch_size;
  if (!launch_->initializer->initialize(wave, group, index)) wave.set_state(WaveState::ended);
  wave.statistics.invocations = static_cast<unsigned>(std::popcount(wave.exec()));
  if (launch_->observer != nullptr) launch_->observer->start(wave);
}

bool Workgroup::run_waves() {
  Doze doze(*progress_);
  const auto ended = [](const std::unique_ptr<Wave>& wave) { return wave->state() == WaveState::ended; };
  // Every other turn goes backwards: whoever hands data over without waiting for it meets a reader that comes first.
  for (bool backwards = false;; backwards = !backwards) {
    bool slept = true;
    if (!run_turn(backwards, slept)) return false;
    if (std::all_of(waves_.begin(), waves_.end(), ended)) break;
    const bool released = complete_barrier();
    if (launch_->alone) continue;
    doze.after_turn(slept && !released);
    if (!released) doze.let_others_work();
  }
  add_statistics();
  return true;
}

/// `slept` becomes false when a wave did something else.
bool Workgroup::run_turn(bool backwards, bool& slept) {
  for (size_t i = 0; i < waves_.size(); ++i) {
    Wave& wave = *waves_[backwards ? waves_.size() - 1 - i : i];
    if (wave.state() == WaveState::ended || wave.state() == WaveState::at_barrier) continue;
    if (!run_wave(wave, kQuantum)) return false;
    slept = slept && wave.state() == WaveState::yielded;
  }
  return true;
}

/// Of the waves that are something, of which there are more than `n`.
template <class Is>
Wave& Workgroup::nth_wave(unsigned n, Is is) {
  size_t at = 0;
  for (;; ++at) {
    if (is(*waves_[at]) && n-- == 0) return *waves_[at];
  }
}

bool Workgroup::advance(Random& random, unsigned max_piece) {
  const auto is_alive = [](const Wave& wave) { return wave.state() != WaveState::ended; };
  const auto is_ready = [=](const Wave& wave) { return is_alive(wave) && wave.state() != WaveState::at_barrier; };
  unsigned alive = 0, ready = 0;
  for (const std::unique_ptr<Wave>& wave : waves_) {
    alive += is_alive(*wave) ? 1 : 0;
    ready += is_ready(*wave) ? 1 : 0;
  }
  if (alive == 0) {
    add_statistics();
    return false;
  }
  if (launch_->hierarchy != nullptr && launch_->hierarchy->decides_to_perform()) {
    Wave& wave = nth_wave(random.below(alive), is_alive);
    wave.waits.perform_next_lds(wave);
  }
  if (ready != 0) {
    Wave& wave = nth_wave(random.below(ready), is_ready);
    const unsigned steps = 1 + random.below(max_piece);
    if (!(launch_->hierarchy != nullptr ? run_hesitantly(wave, steps) : run_wave(wave, steps))) return false;
  }
  complete_barrier();
  return true;
}

bool Workgroup::run_hesitantly(Wave& wave, unsigned steps) {
  for (unsigned left = steps; left > 0; --left) {
    if (launch_->hierarchy->stalls(wave)) break;
    if (!run_wave(wave, 1)) return false;
    if (wave.state() != WaveState::running) break;
  }
  return true;
}

void Workgroup::add_statistics() {
  for (const std::unique_ptr<Wave>& wave : waves_) statistics_ += wave->statistics;
}

bool Workgroup::cancelled() {
  if (launch_->cancel == nullptr || !launch_->cancel->load(std::memory_order_relaxed)) return false;
  fault_ = cancelled_fault();
  fault_.workgroup = group_.id;
  return true;
}

bool Workgroup::run_wave(Wave& wave, uint64_t steps) {
  if (cancelled() || is_unwanted()) return false;
  wave.set_state(WaveState::running);
  spent_ += wave.run(steps);
  if (wave.state() == WaveState::faulted) {
    fault_ = wave.fault_record();
    return false;
  }
  if (wave.state() == WaveState::yielded) {
    ++wave.sleeps;
    spent_ += Launch::kSleepSteps;
  }
  // A wave that waits for others must have its stores seen at last.
  const bool waits = wave.state() == WaveState::running || wave.state() == WaveState::yielded;
  if (waits && launch_->hierarchy == nullptr) wave.waits.perform_stores(wave);
  return wave.state() == WaveState::ended || within_limits(wave);
}

bool Workgroup::within_limits(Wave& wave) {
  if (wave.instructions + wave.sleeps * Launch::kSleepSteps > launch_->step_limit) {
    fault_endless(wave, launch_->step_limit, "");
    return false;
  }
  if (spent_ - spent_at_start_ <= launch_->group_step_limit) return true;
  give_up(launch_->group_step_limit, " in all waves of the workgroup");
  return false;
}

void Workgroup::give_up(uint64_t limit, const char* who) {
  const auto most = [](const std::unique_ptr<Wave>& a, const std::unique_ptr<Wave>& b) {
    const auto rank = [](const Wave& wave) { return wave.state() == WaveState::ended ? 0 : 1 + wave.instructions; };
    return rank(*a) < rank(*b);
  };
  fault_endless(**std::max_element(waves_.begin(), waves_.end(), most), limit, who);
}

/// What runs for long while others wait at a barrier keeps it from completing; a loop with a barrier in it does not.
void Workgroup::fault_endless(Wave& wave, uint64_t limit, const char* who) {
  const auto waiting = std::count_if(waves_.begin(), waves_.end(),
                                     [](const auto& other) { return other->state() == WaveState::at_barrier; });
  const bool at_barrier = waiting > 0 && spent_ - spent_at_barrier_ > limit / 2;
  std::string text = "endless loop: executed more than " + std::to_string(limit) + " instructions" + who;
  if (wave.sleeps != 0) text += ", an s_sleep counting " + std::to_string(Launch::kSleepSteps);
  if (at_barrier) text += " while " + std::to_string(waiting) + " waves wait at a barrier that cannot complete";
  wave.set_state(WaveState::running);
  wave.fault(at_barrier ? FaultKind::barrier : FaultKind::never_ends, std::move(text));
  fault_ = wave.fault_record();
}

/// A barrier counts the waves that have not ended (docs/abi/amdgpu.md#barriers). Returns whether one goes on from
/// there.
bool Workgroup::complete_barrier() {
  for (const std::unique_ptr<Wave>& wave : waves_) {
    if (!wave->barrier_signaled && wave->state() != WaveState::ended) return false;
  }
  bool released = false;
  for (const std::unique_ptr<Wave>& wave : waves_) {
    wave->barrier_signaled = false;
    if (wave->state() == WaveState::at_barrier) {
      wave->set_state(WaveState::running);
      released = true;
    } else {
      wave->barrier_complete = true;
    }
  }
  group_.barrier.signaled = 0;
  if (released) spent_at_barrier_ = spent_;
  return released;
}

}  // namespace spalt::emu
