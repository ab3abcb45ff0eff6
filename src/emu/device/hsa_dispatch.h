// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "amdgpu/object/hsa_object.h"
#include "base/result.h"
#include "emu/device/dispatch.h"

namespace spalt::emu {

class Observer;

/// The value of one explicit kernel argument.
struct HsaArgument {
  enum class Kind : uint8_t {
    value,   ///< `bytes`, as large as the argument's slot
    buffer,  ///< the address of `data`; null when size is 0
    local,   ///< `size` bytes of LDS
    object   ///< the address of a copy of `bytes`: an image or a sampler
  };
  Kind kind = Kind::value;
  std::vector<uint8_t> bytes;
  uint8_t* data = nullptr;  ///< aligned to 8 bytes
  uint64_t size = 0;
  std::string name;  ///< for diagnostics
};

/// Memory at an address that the caller chooses, such as the texels that the descriptor of an image leads to.
struct HsaMapping {
  uint64_t address = 0;
  uint8_t* data = nullptr;  ///< aligned to 8 bytes
  uint64_t size = 0;
  std::string name;  ///< for diagnostics
};

struct HsaDispatchInfo {
  std::string kernel;
  std::vector<HsaArgument> arguments;  ///< the explicit ones, in order
  std::vector<HsaMapping> mappings;
  std::array<uint32_t, 3> grid_items{1, 1, 1};     ///< work-items, need not be a multiple of the group size
  std::array<uint32_t, 3> group_size{1, 1, 1};     ///< work-items
  std::array<uint64_t, 3> global_offset{0, 0, 0};  ///< what OpenCL adds to global ids
  unsigned threads = 1;  ///< host threads; results do not depend on it for programs without races
  uint64_t step_limit = Launch::kDefaultStepLimit;  ///< instructions per wave before it counts as endless
  Observer* observer = nullptr;                     ///< looks at every instruction; there is a single host thread then
  HierarchySettings hierarchy;                      ///< likewise
};

/// Runs a kernel of a linked amdhsa code object as a packet processor would: kernarg segment with the hidden arguments
/// of code object version 5, dispatch packet, user and system SGPRs, work-item ids and scratch as the kernel descriptor
/// says (docs/abi/amdgpu.md).
Result<DispatchOutcome> run_hsa_dispatch(const object::HsaObject& object, const HsaDispatchInfo& info);

}  // namespace spalt::emu
