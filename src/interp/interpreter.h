// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "ir/module.h"

namespace spalt::interp {

/// Memory behind one descriptor of a binding. Must stay alive and in place while run() works on it.
struct Buffer {
  uint32_t set = 0;
  uint32_t binding = 0;
  uint32_t element = 0;  ///< of an array of descriptors
  std::span<uint8_t> bytes;
};

struct Dispatch {
  std::array<uint32_t, 3> groups{1, 1, 1};
  std::span<const uint8_t> push_constants;
  std::vector<Buffer> buffers;
  uint32_t subgroup_size = 64;  ///< only what the built-ins say; invocations run one by one
};

/// Reaching one of them is an Error with Status::limit_exceeded.
struct Limits {
  uint64_t steps = 1'000'000'000;      ///< instructions executed, all invocations together
  uint64_t memory_bytes = 1ull << 30;  ///< values, scratch and shared memory of one workgroup
  uint32_t group_invocations = 65'536;
};

/// Executes the entry point for every invocation of the dispatch. Modules of the core stage only.
///
/// Invocations of a workgroup run one after another, each until it ends, reaches a control_barrier or has used up its
/// slice of steps, so that they may also wait for each other through memory. Workgroups run in order of their id, x
/// fastest. Pure operations mean what ir/evaluate.h says; undef and fresh memory are zero; read_first_lane gives the
/// invocation's own value, which is the same for every use that is correct.
///
/// The module is verified first. An Error names the instruction and the invocation: access outside a buffer, an address
/// that breaks its alignment, a missing descriptor, invocations that wait at different barriers, `unreachable`.
/// An offset operand and the constant offset are added without wrapping.
Result<void> run(const ir::Module& module, const Dispatch& dispatch, const Limits& limits = {});

/// Calls one function in a single invocation without buffers, at any stage. Arguments and result are scalars as bit
/// patterns; the result is 0 if there is none. Entry registers, descriptors and constant memory are unsupported.
Result<uint64_t> call(const ir::Module& module, const ir::Function& function, std::span<const uint64_t> arguments,
                      const Limits& limits = {});

}  // namespace spalt::interp
