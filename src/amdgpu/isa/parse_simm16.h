// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/isa/opcode.h"
#include "amdgpu/isa/parse_terms.h"
#include "amdgpu/isa/target.h"

namespace spalt::isa {

/// Reads the immediate of a SOPP or SOPK instruction in the syntax of its opcode, or as a plain number. A branch may
/// name a label instead: Term::label.
ParseFailure parse_simm16(AsmLexer& lexer, Opcode opcode, const Target& target, Term& term);

}  // namespace spalt::isa
