// SPDX-License-Identifier: MIT
// Conversions between widths and between integers and floats.
#include "ir/evaluate_groups.h"

namespace spalt::ir {
namespace {

template <unsigned To>
uint64_t cut(const uint64_t* o) {
  return o[0] & kWidthMask<To>;
}

template <unsigned From>
struct Widen {
  template <unsigned To>
  static uint64_t sign(const uint64_t* o) {
    return static_cast<uint64_t>(sign_extend(o[0], From)) & kWidthMask<To>;
  }
  static Evaluator find_sign(unsigned to) {
    switch (to) {
      case 8:
        return sign<8>;
      case 16:
        return sign<16>;
      case 32:
        return sign<32>;
      case 64:
        return sign<64>;
      default:
        return nullptr;
    }
  }
};

template <class Format>
struct FloatConversion {
  /// The largest magnitudes are compared as powers of two, which every format represents exactly.
  template <unsigned W>
  static uint64_t to_signed(const uint64_t* o) {
    const double value = static_cast<double>(Format::load(o[0]));
    const double limit = std::ldexp(1.0, W - 1);
    if (std::isnan(value)) return 0;
    if (value >= limit) return kWidthMask<W> >> 1;
    if (value <= -limit) return uint64_t{1} << (W - 1);
    return static_cast<uint64_t>(static_cast<int64_t>(value)) & kWidthMask<W>;
  }
  template <unsigned W>
  static uint64_t to_unsigned(const uint64_t* o) {
    const double value = static_cast<double>(Format::load(o[0]));
    if (!(value > 0)) return 0;
    if (value >= std::ldexp(1.0, W)) return kWidthMask<W>;
    return static_cast<uint64_t>(value);
  }
  // An i64 that f16 cannot hold exactly in double is far past its largest number anyway.
  template <unsigned W>
  static uint64_t from_signed(const uint64_t* o) {
    return Format::store(Format::from_integer(sign_extend(o[0], W)));
  }
  template <unsigned W>
  static uint64_t from_unsigned(const uint64_t* o) {
    return Format::store(Format::from_integer(o[0] & kWidthMask<W>));
  }
  template <class Result>
  static uint64_t to_float(const uint64_t* o) {
    return Result::store(static_cast<typename Result::Compute>(Format::load(o[0])));
  }

  template <unsigned W>
  static Evaluator find_integer(Op op) {
    switch (op) {
      case Op::f_to_s:
        return to_signed<W>;
      case Op::f_to_u:
        return to_unsigned<W>;
      case Op::s_to_f:
        return from_signed<W>;
      case Op::u_to_f:
        return from_unsigned<W>;
      default:
        return nullptr;
    }
  }
  static Evaluator find_integer(Op op, unsigned width) {
    switch (width) {
      case 1:
        return find_integer<1>(op);
      case 8:
        return find_integer<8>(op);
      case 16:
        return find_integer<16>(op);
      case 32:
        return find_integer<32>(op);
      case 64:
        return find_integer<64>(op);
      default:
        return nullptr;
    }
  }
};

Evaluator find_with_integer(Op op, Type float_type, Type integer_type, const FloatControls& controls) {
  if (!integer_type.is_integer()) return nullptr;
  const unsigned width = integer_type.scalar_bits();
  return with_float(float_type, controls,
                    [op, width]<class Format>() { return FloatConversion<Format>::find_integer(op, width); });
}

/// How operands are rounded does not matter: they are loaded.
FloatControls of_operand(FloatControls controls) {
  controls.f16.toward_zero = controls.f32.toward_zero = controls.f64.toward_zero = false;
  return controls;
}

Evaluator find_float_to_float(Type result, Type operand, const FloatControls& controls) {
  return with_float(operand, of_operand(controls), [result, &controls]<class Format>() {
    return with_float(result, controls,
                      []<class Result>() -> Evaluator { return FloatConversion<Format>::template to_float<Result>; });
  });
}

Evaluator find_cut(unsigned width) {
  switch (width) {
    case 1:
      return cut<1>;
    case 8:
      return cut<8>;
    case 16:
      return cut<16>;
    case 32:
      return cut<32>;
    case 64:
      return cut<64>;
    default:
      return nullptr;
  }
}

Evaluator find_sign_extension(unsigned from, unsigned to) {
  switch (from) {
    case 1:
      return Widen<1>::find_sign(to);
    case 8:
      return Widen<8>::find_sign(to);
    case 16:
      return Widen<16>::find_sign(to);
    case 32:
      return Widen<32>::find_sign(to);
    case 64:
      return Widen<64>::find_sign(to);
    default:
      return nullptr;
  }
}

using Single = SingleFormat<false, false>;

/// Between f32 and the bits of f16.
template <class Half>
struct HalfConversion {
  static uint64_t half(uint64_t single) { return Half::store(static_cast<double>(Single::load(single))); }
  static uint64_t single(uint64_t half) { return Single::store(static_cast<float>(Half::load(half))); }

  static uint64_t quantize(const uint64_t* o) {
    uint64_t bits = half(o[0]);
    if ((bits & kHalfInfinity) == 0) bits &= Half::kSign;  // f16 denormals become zero
    return single(bits);
  }
  static uint64_t pack(const uint64_t* o) { return half(o[1]) << 16 | half(o[0]); }
  static uint64_t unpack_low(const uint64_t* o) { return single(o[0] & 0xffff); }
  static uint64_t unpack_high(const uint64_t* o) { return single(o[0] >> 16 & 0xffff); }

  static Evaluator find(Op op) {
    switch (op) {
      case Op::quantize_f16:
        return quantize;
      case Op::pack_half:
        return pack;
      case Op::unpack_half_lo:
        return unpack_low;
      default:
        return unpack_high;
    }
  }
};

}  // namespace

Evaluator find_conversion_evaluator(Op op, Type result, Type operand, const FloatControls& controls) {
  switch (op) {
    case Op::trunc:
    case Op::zext:
      return find_cut(op == Op::trunc ? result.scalar_bits() : operand.scalar_bits());
    case Op::sext:
      return find_sign_extension(operand.scalar_bits(), result.scalar_bits());
    case Op::f_to_s:
    case Op::f_to_u:
      return find_with_integer(op, operand, result, controls);
    case Op::s_to_f:
    case Op::u_to_f:
      return find_with_integer(op, result, operand, controls);
    case Op::f_to_f:
      return find_float_to_float(result, operand, controls);
    case Op::quantize_f16:
    case Op::pack_half:
    case Op::unpack_half_lo:
    case Op::unpack_half_hi:
      return with_format<HalfFormat>(controls.f16, [op]<class Half>() { return HalfConversion<Half>::find(op); });
    default:
      return nullptr;
  }
}

}  // namespace spalt::ir
