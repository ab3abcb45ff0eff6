// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "amdgpu/isa/target.h"
#include "amdgpu/object/stage_object.h"
#include "litmus_test.h"

namespace spalt::litmus {

/// What code is made for.
struct Configuration {
  const char* target;
  uint32_t wave_size;
  bool wgp_mode;
  std::string name() const;
};

/// Code and where it expects its two buffers.
struct Compiled {
  object::StageObject shader;
  struct Binding {
    bool used = false;
    uint32_t entry = 0, offset = 0;
  };
  std::array<Binding, 2> buffers;
};

/// Compiles the test with our compiler; throws std::runtime_error when that fails.
Compiled compile(const Program& program, const Variant& variant, const Configuration& configuration);

/// One run in the memory hierarchy mode.
struct RunResult {
  Outcome outcome{};
  std::string fault;  ///< what the emulator complained about, or an endless loop; the outcome then means nothing
};

/// `registers_wait`: emu::HierarchySettings.
RunResult run(const Compiled& compiled, const Program& program, const Variant& variant, uint64_t seed,
              bool registers_wait);

}  // namespace spalt::litmus
