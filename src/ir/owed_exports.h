// SPDX-License-Identifier: MIT
#pragma once
#include "ir/export.h"
#include "ir/function.h"

namespace spalt::ir {

/// Whether the block gives the results of pixels away. The hardware waits for that whether or not a wave has pixels
/// left, so that a wave must come there with no lane rather than not at all: a branch to the block is no jump around
/// it, even where its condition is known to hold for nobody.
inline bool owes_exports(const Function& function, BlockId block) {
  if (!function.operations().meets({Op::export_to})) return false;
  for (Value value : insts(function, block)) {
    const Inst& inst = function.inst(value);
    if (inst.op != Op::export_to) continue;
    const uint8_t target = ExportAccess::unpack(inst.imm).target;
    if (target <= kExportNull || (target >= kExportDual && target < kExportDual + kExportDuals)) return true;
  }
  return false;
}

}  // namespace spalt::ir
