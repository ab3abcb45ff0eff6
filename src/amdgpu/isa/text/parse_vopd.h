// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/isa/text/parse_inst.h"

namespace spalt::isa {

/// Whether the mnemonic is the first of two operations in one instruction (v_dual_add_f32).
bool is_dual_mnemonic(std::string_view word);

/// Reads what follows the first mnemonic of "v_dual_A dst, sources :: v_dual_B dst, sources".
ParseFailure parse_dual(AsmLexer& lexer, std::string_view text, const AsmToken& word, const Target& target,
                        ParsedInst& parsed);

}  // namespace spalt::isa
