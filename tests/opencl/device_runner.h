// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "amdgpu/object/hsa_object.h"
#include "data.h"
#include "kernel_spec.h"

namespace spalt::opencl {

using ExecutedForms = std::vector<std::pair<isa::Opcode, isa::Format>>;

/// Reads a code object; throws std::runtime_error.
object::HsaObject load_code_object(const std::string& path);

struct RunMode {
  bool trace = false;                                     ///< every instruction and what it changes to standard output
  std::optional<uint64_t> hierarchy_seed = std::nullopt;  ///< the memory hierarchy mode
};

/// Runs a kernel on the emulator, in place on `buffers`. Throws std::runtime_error with the emulator's message.
ExecutedForms run_on_device(const object::HsaObject& object, const KernelSpec& kernel, std::vector<Bytes>& buffers,
                            const RunMode& mode = {});

}  // namespace spalt::opencl
