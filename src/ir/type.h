// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace spalt::ir {

enum class Scalar : uint8_t { none, i1, i8, i16, i32, i64, f16, f32, f64, resource };

/// Of a vector.
constexpr unsigned kMaxComponents = 16;
/// Width of each Scalar; 0 for none and resource. Not in the function that reads it, which would make a copy each time.
inline constexpr uint8_t kScalarBits[] = {0, 1, 8, 16, 32, 64, 16, 32, 64, 0};

/// A scalar or a vector of equal scalars. Two bytes, passed by value. There are no aggregates in the IR.
struct Type {
  Scalar scalar = Scalar::none;
  uint8_t components = 1;  ///< at most kMaxComponents

  constexpr bool operator==(const Type&) const = default;
  constexpr bool is_none() const { return scalar == Scalar::none; }
  constexpr bool is_vector() const { return components > 1; }
  constexpr bool is_bool() const { return scalar == Scalar::i1; }
  constexpr bool is_float() const { return scalar >= Scalar::f16 && scalar <= Scalar::f64; }
  constexpr bool is_integer() const { return scalar >= Scalar::i1 && scalar <= Scalar::i64; }
  constexpr Type element() const { return {scalar, 1}; }
  constexpr Type vector(unsigned count) const { return {scalar, static_cast<uint8_t>(count)}; }

  /// Width of one component in bits; 0 for none and resource.
  constexpr unsigned scalar_bits() const { return kScalarBits[static_cast<unsigned>(scalar)]; }
  constexpr unsigned bits() const { return scalar_bits() * components; }
  /// Bytes in memory; booleans have none.
  constexpr unsigned bytes() const { return bits() / 8; }
};

constexpr Type kVoid{};
constexpr Type kBool{Scalar::i1};
constexpr Type kI8{Scalar::i8}, kI16{Scalar::i16}, kI32{Scalar::i32}, kI64{Scalar::i64};
constexpr Type kF16{Scalar::f16}, kF32{Scalar::f32}, kF64{Scalar::f64};
constexpr Type kResource{Scalar::resource};

}  // namespace spalt::ir
