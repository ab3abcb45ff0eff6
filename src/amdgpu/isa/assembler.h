// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "amdgpu/isa/inst.h"
#include "amdgpu/isa/target.h"
#include "base/result.h"

namespace spalt::isa {

/// Reads one instruction in LLVM's assembler dialect, in its canonical form: what decode makes of its encoding. The
/// encoding is the one that a suffix (_e32, _e64, _sdwa, _dpp) asks for, else the first that takes the operands and
/// modifiers, short ones first. Branch targets are numbers here.
Result<Inst> from_text(std::string_view text, const Target& target, unsigned wave_size);

/// Assembles a text: one instruction, label (`name:`) or directive per line; comments start with `;` or `//` or stand
/// between `/*` and `*/`. Directives are .long and .text, and .globl, which does nothing. Branches may name labels
/// before or after them.
/// The text is untrusted. An error is one sentence behind "line:column: ", with the line in Error::source_line as well.
/// Code is limited to kMaxAssembledBytes.
Result<std::vector<uint32_t>> assemble(std::string_view text, const Target& target, unsigned wave_size);

constexpr size_t kMaxAssembledBytes = size_t{1} << 28;

}  // namespace spalt::isa
