// SPDX-License-Identifier: MIT
#pragma once
#include "real.h"
#include "vector_row.h"

namespace spalt::semantics {

/// What the MODE register says about floats of a format (RDNA 2 ISA guide, "Mode register").
struct FloatMode {
  Rounding rounding = Rounding::nearest_even;
  bool keeps_input_denormals = true, keeps_output_denormals = true;
  bool dx10_clamp = true, ieee = false;
  bool saturates = false;  ///< FP16_OVFL, of halves: an overflow gives the largest number
};
FloatMode float_mode(const Lane& in, const FloatFormat& format);

/// A source as the operation sees it: denormals may be flushed.
uint64_t flushed_input(uint64_t bits, const Lane& in, const FloatFormat& format);
Real float_input(uint64_t bits, const Lane& in, const FloatFormat& format);

enum class Denormals : uint8_t { by_mode, kept };

/// Rounded as the mode says, or to nearest even for an instruction that always does.
uint64_t rounded(const Real& value, const Lane& in, const FloatFormat& format);
uint64_t rounded_to_nearest(const Real& value, const Lane& in, const FloatFormat& format);

/// From the exact result to the bits of the destination: rounding, output modifier, flushing, clamping.
Result float_result(const Real& value, const Lane& in, const FloatFormat& format,
                    Denormals denormals = Denormals::by_mode);
/// The part of that after the rounding.
Result finished(uint64_t bits, const Lane& in, const FloatFormat& format, Denormals denormals = Denormals::by_mode);

// F takes and gives exact numbers, with the rounding of the mode at the end.

template <class F>
Row float_unary(Opcode opcode, const FloatFormat& format, F function) {
  return {opcode,
          [function, format](const Lane& in) {
            const FloatMode mode = float_mode(in, format);
            return float_result(function(float_input(in.a, in, format), mode.rounding), in, format);
          },
          Match::any_nan};
}
template <class F>
Row float_binary(Opcode opcode, const FloatFormat& format, F function) {
  return {opcode,
          [function, format](const Lane& in) {
            const FloatMode mode = float_mode(in, format);
            return float_result(function(float_input(in.a, in, format), float_input(in.b, in, format), mode.rounding),
                                in, format);
          },
          Match::any_nan};
}
enum class Addend : uint8_t { source, destination };
template <class F>
Row float_ternary(Opcode opcode, const FloatFormat& format, F function, Addend addend = Addend::source) {
  return {opcode,
          [function, format, addend](const Lane& in) {
            const FloatMode mode = float_mode(in, format);
            const uint64_t c = addend == Addend::source ? in.c : in.old;
            return float_result(function(float_input(in.a, in, format), float_input(in.b, in, format),
                                         float_input(c, in, format), mode.rounding),
                                in, format);
          },
          Match::any_nan};
}

/// V_MIN or V_MAX of two numbers by their bits: a number wins over a NaN, -0 is less than +0, and in IEEE mode a
/// signaling NaN wins and becomes quiet.
uint64_t minimum(uint64_t a, uint64_t b, const Lane& in, const FloatFormat& format);
uint64_t maximum(uint64_t a, uint64_t b, const Lane& in, const FloatFormat& format);
/// IEEE 754-2019 minimum and maximum: any NaN wins.
uint64_t propagating_minimum(uint64_t a, uint64_t b, const Lane& in, const FloatFormat& format);
uint64_t propagating_maximum(uint64_t a, uint64_t b, const Lane& in, const FloatFormat& format);
uint64_t median(uint64_t a, uint64_t b, uint64_t c, const Lane& in, const FloatFormat& format);

/// Where one source is a NaN and the others are numbers, it comes through, quiet, with its sign and payload. (Tests on
/// hardware have this of v_add_f32 and v_add_f16; of two NaNs it is open which one comes through.)
Row passes_nan(Row row, const FloatFormat& format, unsigned sources);

/// A selection among the sources: F gives bits of one of them.
template <class F>
Row float_select(Opcode opcode, const FloatFormat& format, F function) {
  return {opcode,
          [function, format](const Lane& in) {
            const uint64_t a = flushed_input(in.a, in, format), b = flushed_input(in.b, in, format);
            const uint64_t c = flushed_input(in.c, in, format);
            return finished(function(a, b, c, in), in, format, Denormals::kept);
          },
          Match::any_nan};
}

}  // namespace spalt::semantics
