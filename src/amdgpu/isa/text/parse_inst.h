// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/isa/codec/codec.h"
#include "amdgpu/isa/inst.h"
#include "amdgpu/isa/target.h"
#include "amdgpu/isa/text/parse_terms.h"

namespace spalt::isa {

/// One instruction as the parser found it.
struct ParsedInst {
  Inst inst;
  EncodedInst encoded;
  std::string_view label;  ///< of a branch whose simm16 is still to be filled in; empty otherwise
  uint32_t label_position = 0;
};

/// Reads one instruction up to the end of its line. `text` is what the lexer reads.
ParseFailure parse_inst(AsmLexer& lexer, std::string_view text, const Target& target, unsigned wave_size,
                        ParsedInst& parsed);

}  // namespace spalt::isa
