// SPDX-License-Identifier: MIT
// Machine IR as formulas, for one lane of a wave and one more that stands for all others. Registers of vectors are
// words of this lane, scalar registers are words of the wave; of a lane mask that this code makes, this lane's bit is
// exact.
#pragma once
#include <map>
#include <string>

#include "amdgpu/mir/function.h"
#include "encoder.h"

namespace spalt::prove {

/// A value that nobody reads: a result as far as this code knows.
struct MachineRoot {
  z3::expr runs;  ///< the condition of its block
  z3::expr value;
};

struct MachineBehaviour {
  std::optional<z3::expr> token;          ///< stands for all effects in their order, as State::token does
  std::map<uint32_t, MachineRoot> roots;  ///< by virtual register
  std::string refusal;                    ///< why there are no formulas; empty if there are
};

/// `side` begins the names of what is not shared by two functions.
MachineBehaviour encode_machine(z3::context& context, Inputs& inputs, const mir::Function& function,
                                const std::string& side);

}  // namespace spalt::prove
