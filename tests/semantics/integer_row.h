// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>

#include "vector_row.h"

namespace spalt::semantics {

inline int32_t signed32(uint64_t value) {
  return static_cast<int32_t>(static_cast<uint32_t>(value));
}
inline uint32_t unsigned32(uint64_t value) {
  return static_cast<uint32_t>(value);
}
/// The low `bits` as a two's complement number, or without sign.
inline int64_t low_signed(uint64_t value, unsigned bits) {
  const auto field = static_cast<int64_t>(value & ((uint64_t{1} << bits) - 1));
  return field >> (bits - 1) != 0 ? field - (int64_t{1} << bits) : field;
}
inline int64_t low_unsigned(uint64_t value, unsigned bits) {
  return static_cast<int64_t>(value & ((uint64_t{1} << bits) - 1));
}

template <class F>
Row unary_u(Opcode opcode, F function) {
  return unary(opcode, [function](uint64_t a) { return function(unsigned32(a)); });
}
template <class F>
Row binary_u(Opcode opcode, F function) {
  return binary(opcode,
                [function](uint64_t a, uint64_t b) { return unsigned32(function(unsigned32(a), unsigned32(b))); });
}
template <class F>
Row binary_i(Opcode opcode, F function) {
  return binary(opcode, [function](uint64_t a, uint64_t b) {
    return unsigned32(static_cast<uint64_t>(int64_t{function(int64_t{signed32(a)}, int64_t{signed32(b)})}));
  });
}
template <class F>
Row ternary_u(Opcode opcode, F function) {
  return ternary(opcode, [function](uint64_t a, uint64_t b, uint64_t c) {
    return unsigned32(function(unsigned32(a), unsigned32(b), unsigned32(c)));
  });
}

enum class Sign : uint8_t { yes, no };

/// Operands of `bits` bits as numbers. F gives the exact result, of which the low bits are taken; the clamp bit
/// saturates it.
template <class F>
Row exact_integer(Opcode opcode, unsigned bits, Sign sign, F function, bool packed = false) {
  Row row{opcode, [bits, sign, function](const Lane& in) {
            const auto number = [bits, sign](uint64_t x) {
              return sign == Sign::yes ? low_signed(x, bits) : low_unsigned(x, bits);
            };
            int64_t exact = function(number(in.a), number(in.b), number(in.c));
            const int64_t half = int64_t{1} << (bits - 1);
            if (in.clamp) {
              exact =
                  sign == Sign::yes ? std::clamp(exact, -half, half - 1) : std::clamp<int64_t>(exact, 0, 2 * half - 1);
            }
            return Result{static_cast<uint64_t>(exact) & static_cast<uint64_t>(2 * half - 1)};
          }};
  row.packed = packed;
  return row;
}

}  // namespace spalt::semantics
