// SPDX-License-Identifier: MIT
// What floats of 64 bits need beside the instructions of rows.def: signs, which are in the upper dword, and division.
//
// The quotient is rounded once, whatever its operands, by the sequence for which v_div_scale, v_div_fmas and
// v_div_fixup were made (RDNA 2 ISA guide, section 12.11). v_div_scale multiplies numerator or denominator with a power
// of two where the reciprocal or the quotient would leave the normal numbers. Two Newton steps bring the reciprocal
// from the 2^-23 of v_rcp_f64 to the last place; the quotient is corrected by its remainder, which a fused multiply-add
// gives exactly, and v_div_fmas takes the power of two away again before it rounds. v_div_fixup has zeros, infinities
// and NaN.
#include <bit>

#include "amdgpu/select/selector.h"
#include "base/ice.h"

namespace spalt::select {

void Selector::select_double_sign(Value value) {
  const Value a = input(value, 0);
  const bool negate = inst(value).op == Op::fneg, in_scalar = is_scalar(value);
  const Operand bits = Operand::immediate(negate ? 0x80000000u : 0x7fffffffu);
  const Operand low = in_scalar ? scalar_dword(a, 0) : dword(a, 0), high = in_scalar ? scalar_dword(a, 1) : dword(a, 1);
  const std::array<Operand, 2> parts = define_dwords(value);
  emit(M::p_copy, {parts[0]}, {low});
  if (in_scalar) {
    salu(negate ? M::s_xor_b32 : M::s_and_b32, parts[1], {high, bits});
  } else {
    valu(negate ? M::v_xor_b32 : M::v_and_b32, parts[1], {bits, high});
  }
  join_dwords(value, parts);
}

void Selector::select_double_division(Value value) {
  if (inst(value).type != ir::kF64) SPALT_ICE("selection met a quotient that lowering should have removed");
  constexpr uint8_t kNegateFirst = 1;
  const Operand one = Operand::immediate(static_cast<uint32_t>(std::bit_cast<uint64_t>(1.0) >> 32));
  const Operand vcc = Operand::physical(isa::kVcc, out_.wave_size / 32);
  const Operand numerator = vector(input(value, 0)), denominator = vector(input(value, 1));
  const auto fused = [this](Operand a, Operand b, Operand c, uint8_t neg = 0) {
    const Operand result = temp(mir::kV2);
    valu(M::v_fma_f64, result, {a, b, c}, {.neg = neg});
    return result;
  };
  const Operand divisor = temp(mir::kV2), dividend = temp(mir::kV2);
  emit(M::v_div_scale_f64, {divisor, temp(out_.lane_mask_class())}, {denominator, denominator, numerator});
  const Operand seed = temp(mir::kV2);
  valu(M::v_rcp_f64, seed, {divisor});
  Operand reciprocal = seed;
  for (unsigned step = 0; step < 2; ++step) {
    const Operand error = fused(divisor, reciprocal, one, kNegateFirst);
    reciprocal = fused(reciprocal, error, reciprocal);
  }
  emit(M::v_div_scale_f64, {dividend, vcc}, {numerator, denominator, numerator});
  const Operand quotient = temp(mir::kV2), corrected = temp(mir::kV2);
  valu(M::v_mul_f64, quotient, {dividend, reciprocal});
  const Operand remainder = fused(divisor, quotient, dividend, kNegateFirst);
  emit(M::v_div_fmas_f64, {corrected}, {remainder, reciprocal, quotient, vcc});
  valu(M::v_div_fixup_f64, define(value), {corrected, denominator, numerator});
}

}  // namespace spalt::select
