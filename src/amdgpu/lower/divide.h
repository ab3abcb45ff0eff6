// SPDX-License-Identifier: MIT
// Internal to src/amdgpu/lower: expansions of 32-bit integer division.
#pragma once
#include "amdgpu/lower/inserter.h"

namespace spalt::lower {

enum class DivisionPart : uint8_t { quotient, remainder };

/// Unsigned division by a value known at run time only.
ir::Value divide_unsigned(Inserter& insert, ir::Value x, ir::Value y, DivisionPart part);
/// Signed division; the remainder has the sign of x.
ir::Value divide_signed(Inserter& insert, ir::Value x, ir::Value y, DivisionPart part);
/// Division by a constant other than 0.
ir::Value divide_unsigned_by(Inserter& insert, ir::Value x, uint32_t divisor, DivisionPart part);
ir::Value divide_signed_by(Inserter& insert, ir::Value x, int32_t divisor, DivisionPart part);

}  // namespace spalt::lower
