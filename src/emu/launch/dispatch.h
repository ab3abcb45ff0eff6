// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "amdgpu/object/shader_object.h"
#include "base/result.h"
#include "emu/caches/memory_hierarchy.h"
#include "emu/launch/grid.h"

namespace spalt::emu {

/// A buffer and the place of its descriptor: `offset` bytes into the table whose address is user-data entry `entry`.
struct BufferBinding {
  uint32_t entry = 0;
  uint32_t offset = 0;
  uint8_t* data = nullptr;  ///< aligned to 8 bytes
  uint64_t size = 0;        ///< 0: a null descriptor
  std::string name;         ///< for diagnostics
};

struct DispatchInfo {
  std::vector<BufferBinding> buffers;
  std::vector<uint32_t> user_data;  ///< plain entries, push constants in place; table addresses are filled in here
  std::array<uint32_t, 3> grid{1, 1, 1};
  unsigned threads = 1;               ///< host threads; results do not depend on it for programs without races
  uint64_t step_limit = 100'000'000;  ///< instructions per wave before it counts as endless
  Observer* observer = nullptr;       ///< looks at every instruction; the dispatch then uses one host thread
  HierarchySettings hierarchy;        ///< likewise
};

/// Runs a compute grid as a PAL driver would: code and tables in one 4 GiB window, user data in SGPRs and spill table,
/// global table with the scratch descriptor, system SGPRs and local ids (PAL pipeline ABI, sections 3, 5 and 6).
Result<DispatchOutcome> run_dispatch(const object::ShaderObject& shader, const DispatchInfo& info);

}  // namespace spalt::emu
