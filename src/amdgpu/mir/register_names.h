// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

#include "amdgpu/isa/register.h"

namespace spalt::mir {

/// Special registers that machine IR text calls by name.
struct NamedRegister {
  std::string_view name;
  isa::Reg reg;
  unsigned dwords;
};
constexpr NamedRegister kNamedRegisters[] = {
    {"vcc", isa::kVcc, 2},
    {"vcc_lo", isa::kVcc, 1},
    {"vcc_hi", isa::kVccHi, 1},
    {"exec", isa::kExec, 2},
    {"exec_lo", isa::kExec, 1},
    {"exec_hi", isa::kExecHi, 1},
    {"m0", isa::kM0, 1},
    {"null", isa::kNull, 1},
    {"null_pair", isa::kNull, 2},
    {"scc", isa::kScc, 1},
    {"vccz", isa::kVccz, 1},
    {"execz", isa::kExecz, 1},
    {"lds_direct", isa::kLdsDirect, 1},
    {"shared_base", isa::kSharedBase, 1},
    {"shared_limit", isa::kSharedLimit, 1},
    {"private_base", isa::kPrivateBase, 1},
    {"private_limit", isa::kPrivateLimit, 1},
    {"pops_exiting_wave_id", isa::kPopsExitingWaveId, 1},
};

}  // namespace spalt::mir
