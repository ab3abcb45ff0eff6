// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
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

/// Code and where it expects what.
struct Compiled {
  object::StageObject shader;
  /// A binding: its place among the user data, and its descriptor where the memory of the variables is what it shows.
  struct Bound {
    uint32_t binding = 0;
    uint32_t entry = 0, offset = 0;
    std::vector<uint32_t> descriptor;
  };
  std::vector<Bound> bindings;
  uint32_t push_constant_entry = 0;
};

/// Compiles the test with our compiler, `verify` with its verifiers; throws std::runtime_error when that fails.
Compiled compile(const Program& program, const Variant& variant, const Configuration& configuration,
                 bool verify = true);

/// One run in the memory hierarchy mode.
struct RunResult {
  Outcome outcome{};
  std::string fault;  ///< what the emulator complained about, or an endless loop; the outcome then means nothing
};

/// A device that has the program loaded, and its memory.
class Machine {
 public:
  Machine(const Compiled& compiled, const Program& program, const Variant& variant);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  /// `registers_wait`: emu::HierarchySettings.
  RunResult run(uint64_t seed, bool registers_wait);

 private:
  struct State;
  void map(const Compiled& compiled);

  const Program& program_;
  const Variant& variant_;
  std::unique_ptr<State> state_;
};

}  // namespace spalt::litmus
