// SPDX-License-Identifier: MIT
#pragma once
// Straight-line programs that LLVM compiled, as machine IR without their delays.
#include <cstdint>
#include <string>
#include <vector>

#include "amdgpu/isa/inst.h"
#include "amdgpu/mir/function.h"

namespace spalt::hazard::test {

/// Random functions without branches, in LLVM's intermediate language: arithmetic of both units on 16, 32 and 64 bits,
/// transcendental functions, moves between the units, LDS and global memory.
std::string random_module(unsigned functions, uint32_t seed);

/// One function of LLVM's code.
struct Program {
  mir::Function function;        ///< Stage::final, one block, no delays
  std::vector<isa::Inst> insts;  ///< the same as decoded; a pair that issues together is one
  std::vector<uint16_t> delays;  ///< LLVM's s_delay_alu right before each; 0 for none
};

/// Compiles a module; one program for each of its functions. Throws std::runtime_error with LLVM's or our message.
std::vector<Program> compile_with_llvm(const std::string& module, const isa::Target& target, unsigned wave_size);

/// The same of what the function has now.
std::vector<uint16_t> delays_of(const mir::Function& function);

}  // namespace spalt::hazard::test
