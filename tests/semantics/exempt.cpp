// SPDX-License-Identifier: MIT
// Opcodes that the emulator executes and that need no proof.
#include "proof.h"

namespace spalt::semantics {

std::vector<Exempt> exempt_alu() {
  using Op = Opcode;
  return {
      {Op::v_nop, "does nothing"},
  };
}

}  // namespace spalt::semantics
