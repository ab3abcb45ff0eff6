// SPDX-License-Identifier: MIT
// Where a memory instruction goes and how much it moves, from its mnemonic, operands and modifiers as the ISA guides
// say. Places are compared as the hardware forms them:
//   buffers       descriptor; lane's offset (offen) + scalar offset + immediate, which do not wrap; index (idxen)
//   addresses     64 bits: base in SGPRs + lane's 32 bits zero extended + immediate, or the lane's 64 bits + immediate
//   scalar loads  the same without lanes; the lowest two bits do not count
//   LDS           lane's address + 16 bits
#pragma once
#include <optional>

#include "block_behaviour.h"
#include "machine_formula.h"

namespace spalt::prove {

struct MachineAccess {
  enum class Kind : uint8_t { load, store, atomic };
  Kind kind = Kind::load;
  std::string memory;  ///< buffer, address, shared, scratch
  Formulas place;
  unsigned bits = 32;         ///< of one piece, below 32 for what is less than a dword
  unsigned pieces = 1;        ///< so many of them follow each other
  bool is_signed = false;     ///< a load of less than a dword is sign extended
  bool in_high_half = false;  ///< a load or store of 16 bits in the upper half of its register
  bool keeps_rest = false;    ///< the other half of the result's register stays
  std::string format;         ///< of typed accesses; pieces are components
  std::string atomic;         ///< name of the operation, as in the IR
  bool comparator_first = false;
  std::optional<z3::expr> data;
};

/// An operand that may be missing.
using MaybeWord = std::optional<z3::expr>;

/// Nothing if the instruction is none of those known. `is_scratch`: the descriptor is that of scratch.
std::optional<MachineAccess> machine_access(std::string_view name, const isa::Modifiers& modifiers,
                                            const std::vector<MaybeWord>& uses, bool is_scratch);

}  // namespace spalt::prove
