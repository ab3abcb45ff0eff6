// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string_view>

#include "base/result.h"
#include "driver/options.h"

namespace spalt::driver {

/// The whole way from SPIR-V words to an ELF. The words are untrusted; a compiler bug leaves as InternalError.
Result<Output> compile(std::span<const uint32_t> words, const Options& options);

/// Names for stop_after and dump_after, in pipeline order.
std::span<const char* const> pass_names();

}  // namespace spalt::driver
