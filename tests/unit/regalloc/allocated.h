// SPDX-License-Identifier: MIT
#pragma once
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "amdgpu/mir/parser.h"
#include "amdgpu/mir/printer.h"
#include "amdgpu/mir/verifier.h"
#include "amdgpu/regalloc/allocate.h"
#include "amdgpu/regalloc/check/check.h"

namespace spalt::regalloc {

/// A function before and after allocation.
struct Allocated {
  mir::Function before, after;

  /// Instructions of that opcode in layout order.
  std::vector<mir::InstId> all(mir::Opcode opcode) const {
    std::vector<mir::InstId> result;
    for (mir::BlockId id : after.layout) {
      for (mir::InstId inst : after.blocks[id].insts) {
        if (after.insts[inst].opcode == opcode) result.push_back(inst);
      }
    }
    return result;
  }
  size_t count(mir::Opcode opcode) const { return all(opcode).size(); }
};

/// Parses and verifies machine IR of the masked stage.
inline mir::Function parse_masked(const std::string& text) {
  Result<mir::Function> function = mir::parse(text);
  if (!function) throw std::runtime_error(function.error().message);
  const Result<void> valid = mir::verify(*function);
  if (!valid) throw std::runtime_error(valid.error().message);
  return std::move(*function);
}

/// Allocates without checking.
inline Allocated allocate(const std::string& text, Config config = {}) {
  mir::Function before = parse_masked(text);
  mir::Function after = before;
  allocate_registers(after, config);
  return {std::move(before), std::move(after)};
}

/// "" if the allocation is proved, the checker's or verifier's finding otherwise.
inline std::string finding(const Allocated& allocated) {
  if (const auto valid = mir::verify(allocated.after); !valid) return valid.error().message;
  const auto proof = check_allocation(allocated.before, allocated.after);
  return proof.ok() ? "" : proof.error().message;
}

}  // namespace spalt::regalloc
