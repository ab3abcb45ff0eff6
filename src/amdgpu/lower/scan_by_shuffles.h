// SPDX-License-Identifier: MIT
// Internal to src/amdgpu/lower: reductions and scans in which only members read each other.
#pragma once
#include "amdgpu/lower/inserter.h"
#include "amdgpu/lower/members.h"
#include "ir/scan.h"

namespace spalt::lower {

/// The scan of a value of any scalar type, written where the inserter stands, of the members that take part with the
/// own lane. A cluster is smaller than the wave.
ir::Value scan_by_shuffles(Inserter& insert, ir::ScanForm form, ir::Value value, Members members, unsigned wave_size);

}  // namespace spalt::lower
