// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "interp/lane_mask.h"
#include "ir/module.h"

namespace spalt::interp {

/// The memory that one descriptor of a binding describes. Must stay alive and in place while run() works on it.
struct Buffer {
  uint32_t set = 0;
  uint32_t binding = 0;
  uint32_t element = 0;  ///< of an array of descriptors
  std::span<uint8_t> bytes;
};

/// Memory that is reached by address, a buffer or not.
struct Memory {
  uint64_t address = 0;  ///< a multiple of 16
  std::span<uint8_t> bytes;
};

/// Hears which lanes run together. Called while run() works; must not call it for the same buffers.
class Observer {
 public:
  virtual ~Observer() = default;
  /// These lanes of a subgroup begin to execute a block.
  virtual void enter(const std::array<uint32_t, 3>& group, uint32_t subgroup, ir::BlockId block,
                     const LaneMask& lanes) = 0;
};

struct Dispatch {
  std::array<uint32_t, 3> groups{1, 1, 1};
  std::span<const uint8_t> push_constants;
  std::vector<Buffer> buffers;
  std::vector<Memory> memory;
  uint32_t subgroup_size = 64;  ///< 1 to 128
  /// What lies outside of a buffer reads as zero and keeps nothing, component by component; so does all of a buffer
  /// that is not there. Otherwise such accesses are errors.
  bool robust = false;
  Observer* observer = nullptr;
};

/// Reaching one of them is an Error with Status::limit_exceeded.
struct Limits {
  uint64_t steps = 1'000'000'000;      ///< instructions executed, all invocations together
  uint64_t memory_bytes = 1ull << 30;  ///< values, scratch and shared memory of a workgroup; values and scratch of one
                                       ///< subgroup only if subgroups cannot wait for each other
  uint32_t group_invocations = 65'536;
};

/// Executes the entry point for every invocation of the dispatch. Modules of the core stage only.
///
/// `subgroup_size` neighbouring invocations, by local index, are a subgroup and run in lockstep: its lanes execute each
/// instruction together, in order where the order matters; lanes that part rejoin at merge blocks, continue targets and
/// loop headers as SPV_KHR_maximal_reconvergence demands. So lanes of a subgroup cannot wait for each other in a loop.
///
/// Subgroups of a workgroup run one after another, each until all its lanes have ended or wait at a control_barrier, or
/// it has used up its slice of steps, so that subgroups may wait for each other through memory. Workgroups run in order
/// of their id, x fastest. Pure operations mean what ir/evaluate.h says; undef and fresh scratch memory are zero,
/// fresh workgroup memory is not where it is not zeroed;
/// read_first_lane gives the value of the lowest lane that runs with the one that asks.
///
/// The module is verified first. An Error names the instruction and the invocation: access outside a buffer, an address
/// that breaks its alignment, one where there is no memory, a missing descriptor, invocations that wait at different
/// barriers, `unreachable`. An offset operand and the constant offset are added without wrapping.
Result<void> run(const ir::Module& module, const Dispatch& dispatch, const Limits& limits = {});

/// Calls one function in a single invocation without buffers, at any stage. Arguments and result are scalars as bit
/// patterns; the result is 0 if there is none. Entry registers, descriptors and constant memory are unsupported.
Result<uint64_t> call(const ir::Module& module, const ir::Function& function, std::span<const uint64_t> arguments,
                      const Limits& limits = {});

}  // namespace spalt::interp
