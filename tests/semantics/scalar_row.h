// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "machine.h"
#include "proof.h"
#include "vector_row.h"

namespace spalt::semantics {

/// What a scalar instruction sees.
struct ScalarIn {
  uint64_t a = 0, b = 0, c = 0;  ///< sources, zero extended
  uint64_t old = 0;              ///< the destination before
  bool scc = false;
  uint64_t exec = 0;
  uint16_t imm = 0;  ///< SOPK
  uint32_t mode = 0;
  const isa::Inst* inst = nullptr;
  const isa::Target* target = nullptr;
};
/// What it changes. Nothing where there is no value.
struct ScalarOut {
  std::optional<uint64_t> d;
  std::optional<bool> scc;
  std::optional<uint64_t> exec;
  bool unknown = false;  ///< the guides leave the result open
};

struct ScalarRow {
  Opcode opcode;
  std::function<ScalarOut(const ScalarIn&)> reference;
  bool is_float = false;  ///< any NaN will do, and 16-bit results leave the upper half open
  std::function<uint64_t(unsigned source, std::mt19937& random)> inputs = nullptr;
};

Proof scalar_proof(ScalarRow row);

template <class Rows>
void add_scalar_rows(Proofs& proofs, Rows&& rows) {
  for (const ScalarRow& row : rows) proofs.push_back(scalar_proof(row));
}

/// Runs code from a state and compares all registers.
void expect_state(Trial& trial, Machine& machine, const State& before, const State& want, const std::string& text);
/// Lines of assembly, run once: `expect` changes the state before into the one after.
void check_assembly(Trial& trial, const std::string& text, const State& before,
                    const std::function<void(State&)>& expect);

}  // namespace spalt::semantics
