// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "amdgpu/object/shader_object.h"
#include "emu/address_space.h"
#include "emu/program.h"
#include "emu/wave.h"

namespace spalt::emu {

/// Scratch bytes that each wave gets: a multiple of the hardware's 1 KiB unit.
uint64_t scratch_bytes_per_wave(const object::ShaderObject& shader);
unsigned waves_per_workgroup(const object::ShaderObject& shader);

/// Runs workgroups of one dispatch, one at a time; each worker thread has its own.
class Workgroup {
 public:
  /// `scratch_slot` is the first of waves_per_workgroup slots of the ring.
  Workgroup(const object::ShaderObject& shader, const Program& program, const AddressSpace& space,
            unsigned scratch_slot, uint64_t step_limit);

  /// Runs the workgroup to its end; false when a wave did something illegal, which error() then describes.
  bool run(std::array<uint32_t, 3> id);
  const std::string& error() const { return error_; }
  const Statistics& statistics() const { return statistics_; }

 private:
  void start_wave(unsigned index, std::array<uint32_t, 3> id);
  void set_user_sgprs(Wave& wave);
  void set_system_sgprs(Wave& wave, unsigned index, std::array<uint32_t, 3> id);
  void set_local_ids(Wave& wave, unsigned index);
  bool run_waves();
  bool run_wave(Wave& wave);
  bool release_barrier();
  void describe(const Wave& wave, const std::string& message);

  const object::ShaderObject& shader_;
  const Program& program_;
  const AddressSpace& space_;
  unsigned scratch_slot_;
  uint64_t step_limit_;
  GroupMemory group_;
  std::vector<std::unique_ptr<Wave>> waves_;
  std::array<uint32_t, 3> id_{};
  std::string error_;
  Statistics statistics_;
};

}  // namespace spalt::emu
