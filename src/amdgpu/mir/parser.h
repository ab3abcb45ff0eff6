// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

#include "amdgpu/mir/function.h"
#include "base/result.h"

namespace spalt::mir {

/// Reads what print() writes. Any text is accepted or refused with a sentence that names the line; whether the function
/// makes sense is for verify() to say.
Result<Function> parse(std::string_view text);

}  // namespace spalt::mir
