// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "amdgpu/isa/inst.h"
#include "amdgpu/isa/target.h"
#include "amdgpu/isa/text/parse_terms.h"

namespace spalt::isa {

/// Gives the operand terms of an instruction their slots. `inst` has its opcode, format and modifiers. `mnemonic` is
/// the subject of failures that no single term explains.
ParseFailure match_operands(std::span<const Term* const> terms, const Term& mnemonic, const Target& target,
                            unsigned wave_size, Inst& inst);

}  // namespace spalt::isa
