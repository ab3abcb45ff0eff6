// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernel_spec.h"

namespace spalt::opencl {

using Bytes = std::vector<uint8_t>;

/// The buffers of a kernel before it runs, one for each argument (empty for those that are none). The same on every
/// machine. Generators: `zeros`; `index` (0, 1, ...); `any` (corner values, then random bits, floats of all kinds);
/// `number` (likewise without NaNs); `finite` (without infinities, too); `nonzero` (integers but 0); `range LOW HIGH`
/// (uniform); `magnitude LOW HIGH` (floats of either sign, uniform in the exponent of 2 between LOW and HIGH);
/// `positive LOW HIGH` (likewise, without sign).
std::vector<Bytes> initial_buffers(const KernelSpec& kernel);

/// The first difference of a checked buffer that is out of tolerance, with the inputs at the same index; nothing when
/// there is none.
std::optional<std::string> compare(const KernelSpec& kernel, const std::vector<Bytes>& inputs,
                                   const std::vector<Bytes>& expected, const std::vector<Bytes>& actual);

}  // namespace spalt::opencl
