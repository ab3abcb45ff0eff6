// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "amdgpu/isa/inst.h"
#include "amdgpu/isa/target.h"
#include "base/result.h"

namespace spalt::isa {

/// Longest instruction: GFX10 MIMG with NSA, five dwords.
constexpr unsigned kMaxInstDwords = 5;

struct EncodedInst {
  uint32_t words[kMaxInstDwords];
  uint8_t count = 0;
};

/// The smallest format of `inst.opcode` that can express the instruction's operands and modifiers on the target.
/// Format::invalid when none can.
Format select_format(const Inst& inst, const Target& target);

/// Encodes in `inst.format` (or select_format when it is Format::invalid). Fails with a reason when an operand does not
/// fit the format; the caller decides whether that is a compiler bug or bad assembler text.
Result<EncodedInst> encode(const Inst& inst, const Target& target);

/// As encode, but says what is wrong as a phrase that follows the mnemonic; nullptr when the instruction was encoded.
/// Allocates nothing.
const char* try_encode(const Inst& inst, const Target& target, EncodedInst& out);

/// Decodes the instruction at words[0]. Any bytes are accepted; unknown ones give an error that names the word.
/// The wave size decides how wide lane masks are: one register in wave32, two in wave64.
Result<Inst> decode(std::span<const uint32_t> words, const Target& target, unsigned wave_size);

/// The instruction in LLVM's assembler dialect, without a trailing newline. Branch targets are printed as their raw
/// simm16, like LLVM's disassembler does.
std::string to_text(const Inst& inst, const Target& target);

/// What the hardware reads for an immediate in a slot of this type. Inline integers are sign extended; a literal is
/// zero extended for b64 and u64, sign extended for i64, and the high dword for f64 (RDNA 2 ISA guide, section 6.2.1).
uint64_t immediate_value(const Operand& operand, OperandType type);

/// Registers that a value of this type takes; 0 where that depends on the wave size and `wave_size` is 0.
unsigned type_dwords(OperandType type, unsigned wave_size);

}  // namespace spalt::isa
