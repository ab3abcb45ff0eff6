// SPDX-License-Identifier: MIT
// Internal to src/amdgpu/select: which instruction computes an operation, from the table rows.def.
#pragma once
#include "amdgpu/mir/opcode.h"
#include "ir/op.h"
#include "ir/type.h"

namespace spalt::select {

enum class RowForm : uint8_t { plain, shift, bitwise };

struct Row {
  using M = mir::Opcode;
  RowForm form = RowForm::plain;
  M scalar16 = M::invalid, scalar32 = M::invalid, scalar64 = M::invalid;
  M vector16 = M::invalid, vector32 = M::invalid, vector64 = M::invalid, packed16 = M::invalid;

  /// The opcode for values of this type, or invalid.
  M scalar(ir::Type type) const {
    if (type.is_vector()) return M::invalid;
    return by_width(type.scalar_bits(), scalar16, scalar32, scalar64);
  }
  M vector(ir::Type type) const {
    if (type.is_vector()) return type.bits() == 32 && type.scalar_bits() == 16 ? packed16 : M::invalid;
    return by_width(type.scalar_bits(), vector16, vector32, vector64);
  }

 private:
  static M by_width(unsigned bits, M of16, M of32, M of64) {
    return bits == 16 ? of16 : bits == 32 ? of32 : bits == 64 ? of64 : M::invalid;
  }
};

/// The row of an operation; one without opcodes for those that are no single instruction.
const Row& row_of(ir::Op op);

}  // namespace spalt::select
