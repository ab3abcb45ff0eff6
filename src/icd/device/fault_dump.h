// SPDX-License-Identifier: MIT
//
// A dispatch that failed, as files that show the failure again: SPALT_ICD_DUMP. `spalt dispatch` reads them
// (docs/vulkan-driver.md has the format).
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "icd/memory/device_space.h"
#include "spalt/spalt.h"

namespace spalt::icd {

/// The contents of all memory that a device has mapped.
class MemoryImage {
 public:
  /// More than this takes too long to copy before each dispatch.
  static constexpr uint64_t kSnapshotLimit = uint64_t{256} << 20;

  struct Part {
    uint64_t address = 0, size = 0;
    std::string name;
    bool read_only = false;
    std::vector<std::byte> bytes;  // what follows is zero
  };

  explicit MemoryImage(DeviceSpace& space);
  const std::vector<Part>& parts() const { return parts_; }

 private:
  std::vector<Part> parts_;
};

/// Of all blocks together.
uint64_t mapped_bytes(DeviceSpace& space);

struct DispatchDump {
  const char* target;
  std::span<const std::byte> elf;
  std::span<const uint32_t> spirv;  // empty: the pipeline came from a cache
  spalt_user_data_layout layout;
  uint64_t program_address;
  uint64_t table_address;  // of the emulated device
  std::span<const uint32_t> user_data;
  std::array<uint32_t, 3> first_workgroup, workgroups;
  uint64_t step_limit;
  uint64_t border_colors = 0;
  std::optional<uint64_t> hierarchy_seed;
  bool interleaved;   // other work ran side by side, which the files do not have
  const char* fault;  // one sentence
};

/// Writes a new folder into `folder` and returns a half sentence that says where, or why not. `before` is the memory as
/// it was when the dispatch began; nullptr: that of `space` now is written.
std::string write_dump(const std::string& folder, const DispatchDump& dump, const MemoryImage* before,
                       DeviceSpace& space);

}  // namespace spalt::icd
