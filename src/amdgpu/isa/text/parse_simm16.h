// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/isa/target.h"
#include "amdgpu/isa/text/names.h"
#include "amdgpu/isa/text/parse_terms.h"

namespace spalt::isa {

/// Reads an immediate in this syntax, or as a plain number. A branch may name a label instead: Term::label.
ParseFailure parse_simm16(AsmLexer& lexer, Simm16Syntax syntax, const Target& target, Term& term);

}  // namespace spalt::isa
