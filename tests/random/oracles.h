// SPDX-License-Identifier: MIT
//
// The ways to execute a random program: the IR interpreter, the compiler with the emulator, a Vulkan driver.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "program.h"
#include "run/registers.h"
#include "vkrun/vulkan_runner.h"

namespace spalt::random_programs {

struct OracleOptions {
  bool vulkan = true;
  bool verify = true;     ///< all verifiers and the allocation checker
  bool passes = false;    ///< interpret after each IR pass, even when everything agrees
  bool validate = false;  ///< spirv-val on the words
  std::vector<std::string> targets = {"gfx1030"};
  std::vector<uint32_t> waves = {32, 64};  ///< those that a target has are used
  run::Registers limits;                   ///< of a wave; 0 is what the target has
  bool fast = false;                       ///< SPALT_OPTIMIZATION_FAST
};

constexpr const char* kDriverDiffers = "the driver agrees when it is treated with care: ";

/// Keeps the Vulkan device open from program to program.
class Oracles {
 public:
  explicit Oracles(const OracleOptions& options);

  /// Runs the program everywhere. Nothing when all agree, else what differs, and which IR pass is guilty if one is;
  /// begins with kDriverDiffers when the driver alone differs, and agrees when the program is written with care
  /// ("llvmpipe: values that leave a loop" in docs/isa-errata.md).
  std::optional<std::string> check(const Program& program);

 private:
  std::optional<std::string> judge(const Program& program, const vkrun::Manifest& manifest, uint32_t size,
                                   const vkrun::BufferContents& expected, bool excuse);

  OracleOptions options_;
  std::unique_ptr<vkrun::VulkanRunner> vulkan_;
};

}  // namespace spalt::random_programs
