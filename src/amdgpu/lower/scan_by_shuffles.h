// SPDX-License-Identifier: MIT
// Internal to src/amdgpu/lower: reductions and scans in which only members read each other.
#pragma once
#include "amdgpu/lower/inserter.h"
#include "ir/scan.h"

namespace spalt::lower {

/// Members as the words of a ballot: the lanes that take part with this one.
struct ScanMembers {
  ir::Value low, high;  ///< without a meaning, the second, in waves of 32
};

/// The scan of a value of any scalar type, written where the inserter stands. A cluster is smaller than the wave.
ir::Value scan_by_shuffles(Inserter& insert, ir::ScanForm form, ir::Value value, ScanMembers members,
                           unsigned wave_size);

}  // namespace spalt::lower
