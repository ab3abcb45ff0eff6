// SPDX-License-Identifier: MIT
//
// The environment variables of the driver, read once for each instance. docs/vulkan-driver.md is their reference.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace spalt::icd {

enum class OnFault : uint8_t { lost, abort, continue_ };

/// Some seconds of emulation, whatever the instructions are.
inline constexpr uint64_t kDefaultSteps = 20'000'000;

struct Settings {
  std::string target;                      // SPALT_ICD_TARGET; "all": a physical device for each; empty: default
  uint32_t wave_size = 0;                  // SPALT_ICD_WAVE: 32 or 64; 0: what the target prefers
  uint64_t heap_bytes = 0;                 // SPALT_ICD_HEAP, with suffix K, M or G
  uint32_t threads = 0;                    // SPALT_ICD_THREADS: host threads of a queue; 0: one for each processor
  uint64_t step_limit = kDefaultSteps;     // SPALT_ICD_STEPS: instructions after which a workgroup counts as endless
  bool poison = false;                     // SPALT_ICD_POISON: fresh memory holds junk
  bool non_coherent = false;               // SPALT_ICD_NON_COHERENT: the first memory type wants flushes
  bool strict_buffers = false;             // SPALT_ICD_STRICT_BUFFERS: pointers must stay in their buffer
  bool clock_counts_instructions = false;  // SPALT_ICD_CLOCK=instructions
  bool log = false;                        // SPALT_ICD_LOG: messages on stderr, too
  bool discrete = false;                   // SPALT_ICD_DEVICE_TYPE=discrete
  OnFault on_fault = OnFault::lost;        // SPALT_ICD_ON_FAULT=lost|abort|continue
  std::string dump_folder;                 // SPALT_ICD_DUMP
  std::string present_folder;              // SPALT_ICD_PRESENT
  bool graphics = true;                    // SPALT_ICD_GRAPHICS: 0: no queue family has graphics
  bool check_layouts = false;              // SPALT_ICD_LAYOUTS: messages about accesses in a wrong image layout
  bool printf = false;                     // SPALT_ICD_PRINTF, or VkValidationFeaturesEXT: shaders may print
  bool printf_on_stdout = false;           // the former: also where nobody has a messenger
  std::optional<uint64_t> overlap_seed;    // SPALT_ICD_OVERLAP: dispatches without a barrier between them overlap
  std::optional<uint64_t> cache_seed;      // SPALT_ICD_CACHES: caches are simulated, and live across dispatches

  /// A sentence for each variable that has none of its values; it counts as not set.
  std::vector<std::string> problems;

  static Settings from_environment();
};

}  // namespace spalt::icd
