// SPDX-License-Identifier: MIT
#pragma once
#include <random>
#include <vector>

#include "amdgpu/isa/inst.h"
#include "machine.h"
#include "proof.h"

namespace spalt::semantics {

// Which registers the instructions of the proofs use.
constexpr unsigned kSourceVgpr = 4, kDestinationVgpr = 24, kSourceSgpr = 8, kMaskSource = 40, kMaskResult = 44;

/// One way to write an instruction.
struct Form {
  isa::Inst inst;
  bool plain = false;  ///< registers only, no modifiers: must be encodable
};

/// Every encoding of the opcode on the trial's processor: plain, with scalar and constant operands, and with a sample
/// of the modifiers that the opcode takes. Some cannot be encoded.
std::vector<Form> vector_forms(Opcode opcode, Trial& trial);

/// Whether the result, or one of them, is a lane mask.
bool has_mask_result(const isa::OpcodeInfo& info);

}  // namespace spalt::semantics
