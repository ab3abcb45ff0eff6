// SPDX-License-Identifier: MIT
// What operations on floats may do, beyond what IEEE 754 allows, comes from three places: FPFastMathMode decorates one
// instruction and decides for it alone; NoContraction takes every freedom away from one; the execution modes
// FPFastMathDefault and SignedZeroInfNanPreserve are for all others of a width. Where none of them says anything,
// Vulkan allows everything.
#include "spirv/module/fast_math.h"

#include <spirv/unified1/spirv.hpp>

#include "spirv/recent.h"

namespace spalt::spirv {
namespace {

struct Bit {
  uint32_t spirv;
  uint16_t ir;
};
constexpr Bit kBits[] = {
    {spv::FPFastMathModeNotNaNMask, ir::kNoNaN},
    {spv::FPFastMathModeNotInfMask, ir::kNoInf},
    {spv::FPFastMathModeNSZMask, ir::kNoSignedZeros},
    {spv::FPFastMathModeAllowRecipMask, ir::kAllowReciprocal},
    {spv::FPFastMathModeFastMask, ir::kAllFastMath},
    {kFPFastMathModeAllowContract, ir::kAllowContraction},
    {kFPFastMathModeAllowReassoc, ir::kAllowReassociation},
    {kFPFastMathModeAllowTransform, ir::kAllowTransformation},
};

/// Bits that are not known allow nothing.
uint16_t fast_math_of(uint32_t mask) {
  uint16_t result = 0;
  for (const Bit& bit : kBits) {
    if ((mask & bit.spirv) != 0) result = static_cast<uint16_t>(result | bit.ir);
  }
  return result;
}

uint16_t* default_of(ir::Module& module, ir::Scalar scalar) {
  switch (scalar) {
    case ir::Scalar::f16:
      return &module.fast_math_f16;
    case ir::Scalar::f32:
      return &module.fast_math_f32;
    case ir::Scalar::f64:
      return &module.fast_math_f64;
    default:
      return nullptr;
  }
}

}  // namespace

bool read_fast_math_default(Reader& r, const Instruction& in) {
  uint32_t type = 0, mask = 0;
  if (!r.has_words(in, 5) || !r.type_of(in[3], type) || !r.constant_u32(in[4], mask)) return false;
  const bool is_scalar = r.types[type].is_value() && r.types[type].leaves == 1;
  uint16_t* target = is_scalar ? default_of(r.module, r.types[type].scalar) : nullptr;
  if (target == nullptr) return r.fail("expected a scalar type of floats for FPFastMathDefault");
  *target &= fast_math_of(mask);
  return true;
}

uint16_t instruction_flags(const Reader& r, uint32_t result) {
  const uint16_t decorated = r.ids[result].flags;
  uint16_t flags = decorated & kInstructionFlags;
  if ((decorated & kIdFastMath) == 0) return flags;
  const uint32_t mask = r.decorations.argument(result, spv::DecorationFPFastMathMode);
  const bool contracts = (flags & ir::kPrecise) == 0;
  if (mask != kNone && contracts) flags |= fast_math_of(mask);
  return flags | ir::kPrecise;
}

}  // namespace spalt::spirv
