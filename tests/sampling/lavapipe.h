// SPDX-License-Identifier: MIT
#pragma once

#include "sampling_case.h"

namespace spalt::sampling {

/// Whether lavapipe 22.3 is known to leave the specification there, or to crash.
bool lavapipe_deviates(const Case& test);
bool lavapipe_deviates(const Case& test, const SamplerDesc& sampler, const Access& access);

}  // namespace spalt::sampling
