// SPDX-License-Identifier: MIT
#include "emu/launch/workgroup.h"

#include <algorithm>
#include <bit>
#include <thread>

#include "base/small_vector.h"
#include "emu/caches/memory_hierarchy.h"
#include "emu/debug/observer.h"
#include "emu/launch/wave_initializer.h"

namespace spalt::emu {
namespace {

/// Instructions that one wave runs before the next one gets its turn.
constexpr uint64_t kQuantum = 5000;
/// The same, at most, where waves take turns at random.
constexpr unsigned kMaxPiece = 4;

// Registers that nothing was put into hold junk, as on hardware.
constexpr uint32_t kJunk = 0xbad0c0de;
constexpr uint8_t kJunkByte = 0xcd;

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

void Workgroup::begin(const Launch& launch, unsigned scratch_slot) {
  launch_ = &launch;
  scratch_slot_ = scratch_slot;
  group_.memory = launch.memory;
  group_.observer = launch.observer;
  group_.hierarchy = launch.hierarchy;
  group_.scratch_ring_base = launch.scratch_ring;
  group_.scratch_ring_size = launch.scratch_ring_bytes;
  group_.visited.assign(program_->step_count(), 0);
  fault_ = Fault();
  statistics_ = Statistics();
}

bool Workgroup::run(uint64_t group) {
  start(group);
  return run_waves();
}

void Workgroup::start(uint64_t group) {
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
  wave.scratch_base = launch_->scratch_ring + (scratch_slot_ + index) * wave.scratch_size;
  if (!launch_->initializer->initialize(wave, group, index)) wave.set_state(WaveState::ended);
  wave.statistics.invocations = static_cast<unsigned>(std::popcount(wave.exec()));
  if (launch_->observer != nullptr) launch_->observer->start(wave);
}

bool Workgroup::run_waves() {
  // Every other turn goes backwards: whoever hands data over without waiting for it meets a reader that comes first.
  for (unsigned turn = 0;; ++turn) {
    bool any_left = false;
    for (size_t i = 0; i < waves_.size(); ++i) {
      Wave& wave = *waves_[turn % 2 == 0 ? i : waves_.size() - 1 - i];
      if (wave.state() == WaveState::ended) continue;
      any_left = true;
      if (wave.state() == WaveState::at_barrier) continue;
      if (!run_wave(wave, kQuantum)) return false;
    }
    if (!any_left) break;
    if (!complete_barrier() && !launch_->alone) std::this_thread::yield();
  }
  add_statistics();
  return true;
}

bool Workgroup::advance(Random& random) {
  using Waves = SmallVector<Wave*, 16>;
  Waves alive, ready;
  for (const std::unique_ptr<Wave>& wave : waves_) {
    if (wave->state() == WaveState::ended) continue;
    alive.push_back(wave.get());
    if (wave->state() != WaveState::at_barrier) ready.push_back(wave.get());
  }
  if (alive.empty()) {
    add_statistics();
    return false;
  }
  const auto any_of = [&](const Waves& waves) { return waves[random.below(static_cast<unsigned>(waves.size()))]; };
  if (launch_->hierarchy->decides_to_perform()) {
    Wave& wave = *any_of(alive);
    wave.waits.perform_next_lds(wave);
  }
  if (!ready.empty()) {
    Wave& wave = *any_of(ready);
    for (unsigned left = 1 + random.below(kMaxPiece); left > 0; --left) {
      if (launch_->hierarchy->stalls(wave)) break;
      if (!run_wave(wave, 1)) return false;
      if (wave.state() != WaveState::running) break;
    }
  }
  complete_barrier();
  return true;
}

void Workgroup::add_statistics() {
  for (const std::unique_ptr<Wave>& wave : waves_) statistics_ += wave->statistics;
}

bool Workgroup::cancelled() {
  if (launch_->cancel == nullptr || !launch_->cancel->load(std::memory_order_relaxed)) return false;
  fault_.kind = FaultKind::cancelled;
  fault_.workgroup = group_.id;
  fault_.violation = "was cancelled";
  return true;
}

bool Workgroup::run_wave(Wave& wave, uint64_t steps) {
  if (cancelled()) return false;
  wave.set_state(WaveState::running);
  wave.run(steps);
  if (wave.state() == WaveState::faulted) {
    fault_ = wave.fault_record();
    return false;
  }
  // A wave that waits for others must have its stores seen at last.
  const bool waits = wave.state() == WaveState::running || wave.state() == WaveState::yielded;
  if (waits && launch_->hierarchy == nullptr) wave.waits.perform_stores(wave);
  if (wave.instructions > launch_->step_limit && wave.state() != WaveState::ended) {
    const auto waiting = std::count_if(waves_.begin(), waves_.end(),
                                       [](const auto& other) { return other->state() == WaveState::at_barrier; });
    wave.set_state(WaveState::running);
    wave.fault(waiting > 0 ? FaultKind::barrier : FaultKind::never_ends,
               "endless loop: executed more than " + std::to_string(launch_->step_limit) + " instructions" +
                   (waiting > 0 ? " while " + std::to_string(waiting) + " waves wait at a barrier that cannot complete"
                                : std::string()));
    fault_ = wave.fault_record();
    return false;
  }
  return true;
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
  return released;
}

}  // namespace spalt::emu
