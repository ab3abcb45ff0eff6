// SPDX-License-Identifier: MIT
#include "emu/workgroup.h"

#include <algorithm>
#include <thread>

#include "base/bits.h"

namespace spalt::emu {
namespace {

// COMPUTE_TMPRING_SIZE.WAVESIZE counts 256 dwords.
constexpr uint64_t kScratchUnit = 1024;

/// Instructions that one wave runs before the next one gets its turn.
constexpr uint64_t kQuantum = 5000;

// Registers that nothing was put into hold junk, as on hardware.
constexpr uint32_t kJunk = 0xbad0c0de;
constexpr uint8_t kJunkByte = 0xcd;

unsigned threads_of(const object::ShaderObject& shader) {
  return shader.threadgroup_dims[0] * shader.threadgroup_dims[1] * shader.threadgroup_dims[2];
}

}  // namespace

uint64_t scratch_bytes_per_wave(const object::ShaderObject& shader) {
  return align_up(uint64_t{shader.scratch_bytes_per_lane} * shader.wave_size, kScratchUnit);
}

unsigned waves_per_workgroup(const object::ShaderObject& shader) {
  return (threads_of(shader) + shader.wave_size - 1) / shader.wave_size;
}

Workgroup::Workgroup(const object::ShaderObject& shader, const Program& program, const AddressSpace& space,
                     unsigned scratch_slot, uint64_t step_limit)
    : shader_(shader), program_(program), space_(space), scratch_slot_(scratch_slot), step_limit_(step_limit) {
  group_.memory = &space.memory();
  group_.lds.resize(shader.lds_bytes);
  group_.scratch_ring_base = space.scratch_ring();
  group_.scratch_ring_size = space.scratch_ring() == 0 ? 0 : ~uint64_t{0} - space.scratch_ring();
  if (const Allocation* hint = nullptr; space.scratch_ring() != 0) {
    group_.scratch_ring_size = space.memory().find(space.scratch_ring(), 1, hint)->size;
  }
  // The hardware writes at least the x id.
  const unsigned vgprs = std::max(shader.vgpr_count, shader.tidig_comp_cnt + 1);
  for (unsigned i = 0; i < waves_per_workgroup(shader); ++i) {
    waves_.push_back(std::make_unique<Wave>(program, group_, shader.wave_size, vgprs));
  }
}

bool Workgroup::run(std::array<uint32_t, 3> id) {
  id_ = id;
  std::fill(group_.lds.begin(), group_.lds.end(), kJunkByte);
  for (unsigned i = 0; i < waves_.size(); ++i) start_wave(i, id);
  return run_waves();
}

void Workgroup::start_wave(unsigned index, std::array<uint32_t, 3> id) {
  Wave& wave = *waves_[index];
  wave.reset(kJunk);
  wave.start_at(program_.step_at(shader_.entry_offset));
  wave.mode.bits = shader_.float_mode | (shader_.dx10_clamp ? 1u << 8 : 0u) | (shader_.ieee_mode ? 1u << 9 : 0u);
  wave.wave_id_in_group = index;
  wave.scratch_size = scratch_bytes_per_wave(shader_);
  wave.scratch_base = space_.scratch_ring() + (scratch_slot_ + index) * wave.scratch_size;
  set_user_sgprs(wave);
  set_system_sgprs(wave, index, id);
  set_local_ids(wave, index);
}

void Workgroup::set_user_sgprs(Wave& wave) {
  bool high_half_next = false;
  for (unsigned i = 0; i < shader_.user_sgprs && i < object::kUserDataRegisters; ++i) {
    const uint32_t source = shader_.user_data_reg_map[i];
    if (high_half_next) {
      wave.write_s32(i, static_cast<uint32_t>(space_.grid_dimensions() >> 32));
      high_half_next = false;
      continue;
    }
    switch (source) {
      case abi::kGlobalTable:
        wave.write_s32(i, static_cast<uint32_t>(space_.global_table()));
        break;
      case abi::kSpillTable:
        wave.write_s32(i, static_cast<uint32_t>(space_.spill_table()));
        break;
      case abi::kWorkgroup:
        wave.write_s32(i, static_cast<uint32_t>(space_.grid_dimensions()));
        high_half_next = true;
        break;
      default:
        if (source < object::kUserDataEntryLimit) wave.write_s32(i, space_.entry(source));
    }
  }
}

void Workgroup::set_system_sgprs(Wave& wave, unsigned index, std::array<uint32_t, 3> id) {
  unsigned next = shader_.user_sgprs;
  if (shader_.tgid_x_en) wave.write_s32(next++, id[0]);
  if (shader_.tgid_y_en) wave.write_s32(next++, id[1]);
  if (shader_.tgid_z_en) wave.write_s32(next++, id[2]);
  if (shader_.tg_size_en) {
    const auto waves = static_cast<uint32_t>(waves_.size());
    wave.write_s32(next++, waves | index << 20 | (index == 0 ? 1u << 31 : 0u));
  }
  if (shader_.scratch_en) {
    wave.write_s32(next, static_cast<uint32_t>(wave.scratch_base - space_.scratch_ring()));
  }
}

void Workgroup::set_local_ids(Wave& wave, unsigned index) {
  const auto& dims = shader_.threadgroup_dims;
  uint64_t exec = 0;
  for (unsigned lane = 0; lane < shader_.wave_size; ++lane) {
    const unsigned flat = index * shader_.wave_size + lane;
    if (flat >= threads_of(shader_)) break;
    exec |= uint64_t{1} << lane;
    const uint32_t ids[3] = {flat % dims[0], flat / dims[0] % dims[1], flat / dims[0] / dims[1]};
    for (unsigned c = 0; c <= shader_.tidig_comp_cnt && c < 3; ++c) wave.vgpr(c)[lane] = ids[c];
  }
  wave.set_exec(exec);
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
      if (!run_wave(wave)) return false;
    }
    if (!any_left) break;
    if (!release_barrier()) std::this_thread::yield();
  }
  for (const std::unique_ptr<Wave>& wave : waves_) {
    for (size_t i = 0; i < kStepClassCount; ++i) statistics_.executed[i] += wave->statistics.executed[i];
    statistics_.lane_operations += wave->statistics.lane_operations;
  }
  return true;
}

bool Workgroup::run_wave(Wave& wave) {
  wave.set_state(WaveState::running);
  wave.run(kQuantum);
  if (wave.state() == WaveState::faulted) {
    describe(wave, wave.fault_message());
    return false;
  }
  // A wave that waits for others must have its stores seen at last.
  if (wave.state() == WaveState::running || wave.state() == WaveState::yielded) wave.waits.perform_stores(wave);
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

/// A barrier counts the waves that have not ended (amdgpu_abi.md, section 13).
bool Workgroup::release_barrier() {
  for (const std::unique_ptr<Wave>& wave : waves_) {
    if (wave->state() != WaveState::at_barrier && wave->state() != WaveState::ended) return false;
  }
  bool released = false;
  for (const std::unique_ptr<Wave>& wave : waves_) {
    if (wave->state() != WaveState::at_barrier) continue;
    wave->set_state(WaveState::running);
    released = true;
  }
  return released;
}

void Workgroup::describe(const Wave& wave, const std::string& message) {
  error_ = "workgroup (" + std::to_string(id_[0]) + ", " + std::to_string(id_[1]) + ", " + std::to_string(id_[2]) +
           ") wave " + std::to_string(wave.wave_id_in_group) + ": " + message;
}

}  // namespace spalt::emu
