// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/isa/opcode.h"

namespace spalt::isa {

/// GFX12 temporal hints (RDNA 4 ISA guide, "Memory scopes and temporal hints"): the word after "th:", whose meaning
/// depends on what the instruction does and on its scope; nullptr where the text is a number. 0 needs no word.
constexpr unsigned kTemporalHintCount = 8, kScopeCount = 4;
const char* temporal_hint_word(const OpcodeInfo& info, unsigned hint, unsigned scope);

}  // namespace spalt::isa
