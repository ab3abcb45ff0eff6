// SPDX-License-Identifier: MIT
#include "emu/launch/workgroup.h"

#include <algorithm>
#include <thread>

#include "base/bits.h"
#include "base/small_vector.h"
#include "emu/caches/memory_hierarchy.h"
#include "emu/debug/observer.h"

namespace spalt::emu {
namespace {

// COMPUTE_TMPRING_SIZE.WAVESIZE counts 256 dwords.
constexpr uint64_t kScratchUnit = 1024;

/// Instructions that one wave runs before the next one gets its turn.
constexpr uint64_t kQuantum = 5000;
/// The same, at most, where waves take turns at random.
constexpr unsigned kMaxPiece = 4;

// Registers that nothing was put into hold junk, as on hardware.
constexpr uint32_t kJunk = 0xbad0c0de;
constexpr uint8_t kJunkByte = 0xcd;

// Where GFX12 puts workgroup ids: ttmp9, and the halves of ttmp7 (amdgpu_abi.md, section 6.1).
constexpr unsigned kTtmp7 = 108 + 7, kTtmp9 = 108 + 9;

}  // namespace

uint64_t scratch_bytes_per_wave(uint64_t bytes_per_lane, unsigned wave_size) {
  return align_up(bytes_per_lane * wave_size, kScratchUnit);
}

Workgroup::Workgroup(const Launch& launch, unsigned scratch_slot, uint64_t step_limit)
    : launch_(launch), scratch_slot_(scratch_slot), step_limit_(step_limit) {
  group_.memory = launch.memory;
  group_.observer = launch.observer;
  group_.hierarchy = launch.hierarchy;
  group_.lds.resize(launch.lds_bytes);
  group_.scratch_ring_base = launch.scratch_ring;
  group_.scratch_ring_size = launch.scratch_ring_bytes;
  group_.visited.assign(launch.program->step_count(), 0);
  for (unsigned i = 0; i < launch.waves_per_group(); ++i) {
    waves_.push_back(std::make_unique<Wave>(*launch.program, group_, launch.wave_size, launch.vgpr_count));
  }
}

bool Workgroup::run(std::array<uint32_t, 3> id) {
  start(id);
  return run_waves();
}

void Workgroup::start(std::array<uint32_t, 3> id) {
  id_ = group_.id = id;
  for (size_t c = 0; c < 3; ++c) {
    const uint64_t first = uint64_t{id[c]} * launch_.group_size[c];
    size_[c] = static_cast<uint32_t>(std::min<uint64_t>(launch_.group_size[c], launch_.grid_items[c] - first));
  }
  std::fill(group_.lds.begin(), group_.lds.end(), kJunkByte);
  for (unsigned i = 0; i < waves_.size(); ++i) start_wave(i);
  if (launch_.hierarchy != nullptr) {
    const MemoryHierarchy::Placement placement = launch_.hierarchy->place_group(launch_.wgp_mode);
    for (const std::unique_ptr<Wave>& wave : waves_) {
      wave->compute_unit = placement.unit_of_next_wave(launch_.hierarchy->random());
    }
  }
  group_.barrier = Barrier();
  for (const std::unique_ptr<Wave>& wave : waves_) group_.barrier.members += wave->state() != WaveState::ended ? 1 : 0;
}

void Workgroup::start_wave(unsigned index) {
  Wave& wave = *waves_[index];
  wave.reset(kJunk);
  wave.start_at(launch_.entry_step);
  wave.mode.bits = launch_.mode_bits;
  wave.wave_id_in_group = index;
  wave.scratch_size = launch_.scratch_bytes_per_wave;
  wave.scratch_base = launch_.scratch_ring + (scratch_slot_ + index) * wave.scratch_size;
  if (launch_.flat_scratch_is_set) wave.flat_scratch = wave.scratch_base;
  for (const UserSgpr& sgpr : launch_.user_sgprs) wave.write_s32(sgpr.reg, sgpr.value);
  set_system_sgprs(wave, index);
  set_local_ids(wave, index);
  if (launch_.observer != nullptr) launch_.observer->start(wave);
}

void Workgroup::set_system_sgprs(Wave& wave, unsigned index) {
  unsigned next = launch_.user_sgpr_count;
  set_group_ids(wave, next);
  if (launch_.group_info_enabled) {
    const auto waves = static_cast<uint32_t>(waves_.size());
    wave.write_s32(next++, waves | index << 20 | (index == 0 ? 1u << 31 : 0u));
  }
  if (launch_.scratch_offset_enabled) {
    wave.write_s32(next, static_cast<uint32_t>(wave.scratch_base - launch_.scratch_ring));
  }
}

void Workgroup::set_group_ids(Wave& wave, unsigned& next_sgpr) {
  if (launch_.group_ids_in_ttmp) {
    wave.write_s32(kTtmp9, id_[0]);
    wave.write_s32(kTtmp7, (id_[1] & 0xffffu) | id_[2] << 16);
    return;
  }
  for (size_t c = 0; c < 3; ++c) {
    if (launch_.group_id_enabled[c]) wave.write_s32(next_sgpr++, id_[c]);
  }
}

void Workgroup::set_local_ids(Wave& wave, unsigned index) {
  uint64_t exec = 0;
  for (unsigned lane = 0; lane < launch_.wave_size; ++lane) {
    const unsigned flat = index * launch_.wave_size + lane;
    if (flat >= size_[0] * size_[1] * size_[2]) break;
    exec |= uint64_t{1} << lane;
    const uint32_t ids[3] = {flat % size_[0], flat / size_[0] % size_[1], flat / size_[0] / size_[1]};
    uint32_t packed = 0;
    for (unsigned c = 0; c < launch_.local_id_components; ++c) {
      packed |= ids[c] << (10 * c);
      if (!launch_.local_ids_packed) wave.vgpr(c)[lane] = ids[c];
    }
    if (launch_.local_ids_packed) wave.vgpr(0)[lane] = packed;
  }
  wave.set_exec(exec);
  // A partial workgroup has fewer waves.
  if (exec == 0) wave.set_state(WaveState::ended);
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
    if (!complete_barrier()) std::this_thread::yield();
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
  if (launch_.hierarchy->decides_to_perform()) {
    Wave& wave = *any_of(alive);
    wave.waits.perform_next_lds(wave);
  }
  if (!ready.empty()) {
    Wave& wave = *any_of(ready);
    for (unsigned left = 1 + random.below(kMaxPiece); left > 0; --left) {
      if (launch_.hierarchy->stalls(wave)) break;
      if (!run_wave(wave, 1)) return false;
      if (wave.state() != WaveState::running) break;
    }
  }
  complete_barrier();
  return true;
}

void Workgroup::add_statistics() {
  for (const std::unique_ptr<Wave>& wave : waves_) {
    for (size_t i = 0; i < kStepClassCount; ++i) statistics_.executed[i] += wave->statistics.executed[i];
    statistics_.lane_operations += wave->statistics.lane_operations;
  }
}

bool Workgroup::run_wave(Wave& wave, uint64_t steps) {
  wave.set_state(WaveState::running);
  wave.run(steps);
  if (wave.state() == WaveState::faulted) {
    describe(wave, wave.fault_message());
    return false;
  }
  // A wave that waits for others must have its stores seen at last.
  const bool waits = wave.state() == WaveState::running || wave.state() == WaveState::yielded;
  if (waits && launch_.hierarchy == nullptr) wave.waits.perform_stores(wave);
  if (wave.instructions > step_limit_ && wave.state() != WaveState::ended) {
    const auto waiting = std::count_if(waves_.begin(), waves_.end(),
                                       [](const auto& other) { return other->state() == WaveState::at_barrier; });
    wave.set_state(WaveState::running);
    wave.fault("endless loop: executed more than " + std::to_string(step_limit_) + " instructions" +
               (waiting > 0 ? " while " + std::to_string(waiting) + " waves wait at a barrier that cannot complete"
                            : std::string()));
    describe(wave, wave.fault_message());
    return false;
  }
  return true;
}

/// A barrier counts the waves that have not ended (amdgpu_abi.md, section 13). Returns whether one goes on from there.
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

void Workgroup::describe(const Wave& wave, const std::string& message) {
  error_ = "workgroup (" + std::to_string(id_[0]) + ", " + std::to_string(id_[1]) + ", " + std::to_string(id_[2]) +
           ") wave " + std::to_string(wave.wave_id_in_group) + ": " + message;
}

}  // namespace spalt::emu
