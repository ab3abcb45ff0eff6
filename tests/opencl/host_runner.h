// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "data.h"
#include "kernel_spec.h"

namespace spalt::opencl {

/// Runs the kernel of a library that compile_for_host made on `buffers`, one work-item after the other; those of a
/// group take turns at barriers. Throws std::runtime_error.
void run_on_host(const std::string& library, const KernelSpec& kernel, std::vector<Bytes>& buffers);

}  // namespace spalt::opencl
