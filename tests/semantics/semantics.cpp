// SPDX-License-Identifier: MIT
// Proves what the emulator's instructions compute: each against a reference written from the ISA guides, on every
// generation that the emulator executes and in each wave size. The last line is "N passed, N failed"; a test is one
// proof on one generation, and one more says that no executed opcode lacks a proof.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "coverage.h"
#include "emu/wave/handlers.h"
#include "proof.h"

namespace {

using namespace spalt;
using namespace spalt::semantics;

struct Options {
  std::string filter;
  bool coverage = false;
};

Proofs all_proofs() {
  Proofs proofs;
  add_vector_integer(proofs);
  add_vector_float(proofs);
  add_vector_bytes(proofs);
  add_vector_integer16(proofs);
  add_vector_compare(proofs);
  add_vector_convert(proofs);
  add_vector_packed(proofs);
  add_vector_fp8(proofs);
  add_vector_special(proofs);
  add_vector_division(proofs);
  add_vector_lane(proofs);
  add_scalar_integer(proofs);
  add_scalar_float(proofs);
  add_scalar_control(proofs);
  add_memory_rows(proofs);
  add_memory_lds(proofs);
  add_memory_lds_lane(proofs);
  add_memory_to_lds(proofs);
  add_memory_matrix(proofs);
  add_memory_scalar(proofs);
  add_memory_typed(proofs);
  return proofs;
}

bool has_handlers(const std::vector<Opcode>& opcodes) {
  return std::all_of(opcodes.begin(), opcodes.end(), [](Opcode op) { return emu::handlers()[op] != nullptr; });
}

/// The same numbers whatever else runs.
uint32_t seed_of(const std::string& name, unsigned wave_size) {
  uint32_t seed = 2166136261u + wave_size;
  for (const char c : name) seed = (seed ^ static_cast<unsigned char>(c)) * 16777619u;
  return seed;
}

bool passes(const Proof& proof, const isa::Target& target) {
  bool passed = true;
  for (const unsigned wave_size : {32u, 64u}) {
    if (wave_size == 32 && !target.has_wave32) continue;
    Trial trial(target, wave_size, seed_of(proof.name, wave_size));
    proof.run(trial);
    if (trial.checks() == 0) trial.fail("nothing was executed");
    for (const std::string& message : trial.messages()) {
      std::printf("FAIL %s %s: %s\n", target.name, proof.name.c_str(), message.c_str());
    }
    if (trial.failures() > trial.messages().size()) {
      std::printf("     and %zu more\n", trial.failures() - trial.messages().size());
    }
    passed = passed && trial.failures() == 0;
  }
  return passed;
}

int run(const Options& options) {
  unsigned passed = 0, failed = 0;
  Coverage coverage;
  for (const Proof& proof : all_proofs()) {
    if (proof.name.find(options.filter) == std::string::npos) continue;
    for (unsigned i = 0; i < isa::kGenerationCount; ++i) {
      const isa::Target* target = executing_target(static_cast<Generation>(i), proof.opcodes);
      if (target == nullptr || !has_handlers(proof.opcodes)) continue;
      const bool good = passes(proof, *target);
      ++(good ? passed : failed);
      if (!good) continue;
      for (const Opcode opcode : proof.opcodes) coverage.add(target->generation, opcode);
    }
  }
  if (options.filter.empty()) {
    const std::vector<std::string> unproven = coverage.unproven();
    for (const std::string& line : unproven) std::printf("FAIL %s\n", line.c_str());
    ++(unproven.empty() ? passed : failed);
  }
  if (options.coverage) std::printf("%s", coverage.table().c_str());
  std::printf("%u passed, %u failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--coverage") == 0) {
      options.coverage = true;
    } else if (std::strcmp(argv[i], "--filter") == 0 && i + 1 < argc) {
      options.filter = argv[++i];
    } else {
      std::printf("usage: %s [--filter TEXT] [--coverage]\n", argv[0]);
      return 2;
    }
  }
  return run(options);
}
