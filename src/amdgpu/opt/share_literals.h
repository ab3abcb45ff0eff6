// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/function.h"
#include "base/compile_context.h"

namespace spalt::opt {

/// Keeps literals that many vector instructions use in SGPRs, loaded once at the start of the program: each use gets 4
/// bytes shorter, a load costs 8. On GFX10 SGPRs are free: every wave has all of them. Allocation loads the literal
/// again where it runs out of them, which is where scalar work is; so scalar instructions keep their literals.
///
/// Requires Stage::selected and keeps it; runs after the passes that look at constants. Only literals that gain at
/// least kMinGain bytes, at most kMaxShared of them, those with most uses first. Two walks and a sort.
void share_literals(mir::Function& function, CompileContext& context);

constexpr int kMinGain = 12;
constexpr unsigned kMaxShared = 16;

}  // namespace spalt::opt
