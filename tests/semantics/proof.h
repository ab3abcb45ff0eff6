// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "amdgpu/isa/opcode.h"
#include "amdgpu/isa/target.h"

namespace spalt::semantics {

using isa::Format;
using isa::Opcode;

/// One run of a proof: on which processor and wave size it runs, and where it reports.
class Trial {
 public:
  Trial(const isa::Target& processor, unsigned lanes, uint32_t seed)
      : target(processor), wave_size(lanes), random(seed) {}

  const isa::Target& target;
  const unsigned wave_size;
  std::mt19937 random;  ///< the same numbers in every run of the program

  /// A wrong result. The first few are kept, the others counted.
  void fail(const std::string& message) {
    if (failures_++ < kKept) messages_.push_back(message);
  }
  /// Something was executed and compared; a trial without that proves nothing.
  void checked() { ++checks_; }

  unsigned failures() const { return failures_; }
  unsigned checks() const { return checks_; }
  const std::vector<std::string>& messages() const { return messages_; }
  bool exists(Opcode opcode) const;

 private:
  static constexpr unsigned kKept = 4;
  unsigned failures_ = 0, checks_ = 0;
  std::vector<std::string> messages_;
};

/// Shows that instructions compute what the ISA guides say, on any generation that has all of them.
struct Proof {
  std::string name;
  std::vector<Opcode> opcodes;
  std::function<void(Trial&)> run;
};
using Proofs = std::vector<Proof>;

/// An opcode whose execution changes nothing that a program could see, or that a wave cannot execute alone.
struct Exempt {
  Opcode opcode;
  const char* reason;
};

// One function per group of instructions, each in the file of that name.
void add_vector_integer(Proofs& proofs);
void add_vector_float(Proofs& proofs);
void add_vector_bytes(Proofs& proofs);
void add_vector_integer16(Proofs& proofs);
void add_vector_compare(Proofs& proofs);
void add_vector_convert(Proofs& proofs);
void add_vector_packed(Proofs& proofs);
void add_vector_fp8(Proofs& proofs);
void add_vector_special(Proofs& proofs);
void add_vector_division(Proofs& proofs);
void add_vector_lane(Proofs& proofs);
void add_scalar_integer(Proofs& proofs);
void add_scalar_float(Proofs& proofs);
void add_scalar_control(Proofs& proofs);
void add_memory_rows(Proofs& proofs);
void add_memory_lds(Proofs& proofs);
void add_memory_lds_lane(Proofs& proofs);
void add_memory_to_lds(Proofs& proofs);
void add_memory_matrix(Proofs& proofs);
void add_memory_scalar(Proofs& proofs);
void add_memory_typed(Proofs& proofs);

/// The opcodes of the scalar and vector ALU that need no proof or are not executed.
std::vector<Exempt> exempt_alu();
/// Memory opcodes that the emulator does not execute, with the reason.
std::vector<Exempt> exempt_memory();

}  // namespace spalt::semantics
