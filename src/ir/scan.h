// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "ir/op.h"
#include "ir/type.h"

namespace spalt::ir {

/// Whose values an invocation gets: of all members, of those up to itself, of those before itself, of all members of
/// its cluster.
enum class ScanKind : uint8_t { reduce, inclusive, exclusive, cluster };
constexpr unsigned kScanKinds = 4;

/// Immediate of Op::scan and Op::scan_part.
struct ScanForm {
  Op combine = Op::iadd;  ///< associative and commutative, as far as floats are
  ScanKind kind = ScanKind::reduce;
  uint8_t cluster = 0;  ///< invocations of a cluster, a power of two up to 128; else 0

  constexpr uint64_t pack() const {
    return static_cast<uint64_t>(combine) | static_cast<uint64_t>(kind) << 16 | static_cast<uint64_t>(cluster) << 24;
  }
  static constexpr ScanForm unpack(uint64_t imm) {
    return {static_cast<Op>(imm & 0xffff), static_cast<ScanKind>(imm >> 16 & 0xff), static_cast<uint8_t>(imm >> 24)};
  }
};

/// The bits that leave any other operand as it is: of additions of floats +0, as SPIR-V says, which takes the sign of
/// -0. `combine` is one that scans have.
uint64_t scan_identity(Op combine, Type type);

/// Whether values of this type can be combined so.
bool is_scannable(Op combine, Type type);

}  // namespace spalt::ir
