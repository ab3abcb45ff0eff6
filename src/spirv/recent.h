// SPDX-License-Identifier: MIT
// Numbers of SPIR-V for which the headers may be too old: 1.3.239 lacks them. tools/gen/spirv_names.py has their names.
#pragma once
#include <cstdint>

namespace spalt::spirv {

// SPV_KHR_relaxed_extended_instruction
constexpr uint32_t kOpExtInstWithForwardRefs = 4433;
// SPV_KHR_untyped_pointers
constexpr uint32_t kCapabilityUntypedPointers = 4473;
constexpr uint32_t kOpTypeUntypedPointer = 4417, kOpUntypedVariable = 4418;
constexpr uint32_t kOpUntypedAccessChain = 4419, kOpUntypedInBoundsAccessChain = 4420;
constexpr uint32_t kOpUntypedPtrAccessChain = 4423, kOpUntypedInBoundsPtrAccessChain = 4424;
constexpr uint32_t kOpUntypedArrayLength = 4425;
// SPV_KHR_bfloat16 and SPV_EXT_float8
constexpr uint32_t kEncodingBFloat16 = 0, kEncodingFloat8E4M3 = 4214, kEncodingFloat8E5M2 = 4215;
constexpr uint32_t kSaturatedToLargestFloat8 = 4216;  // decoration
// SPV_KHR_quad_control
constexpr uint32_t kQuadDerivatives = 5088, kRequireFullQuads = 5089;  // execution modes
constexpr uint32_t kOpQuadAll = 5110, kOpQuadAny = 5111;
// SPV_KHR_maximal_reconvergence
constexpr uint32_t kMaximallyReconverges = 6023;  // execution mode
// SPV_KHR_float_controls2
constexpr uint32_t kFPFastMathDefault = 6028;  // execution mode
constexpr uint32_t kFPFastMathModeAllowContract = 0x10000, kFPFastMathModeAllowReassoc = 0x20000,
                   kFPFastMathModeAllowTransform = 0x40000;
// SPV_VALVE_mixed_float_dot_product
constexpr uint32_t kOpFDot2MixAcc32 = 6916, kOpFDot2MixAcc16 = 6917;

}  // namespace spalt::spirv
