// SPDX-License-Identifier: MIT
// Integer arithmetic on 1 to 64 bits. Arithmetic is unsigned and masked, so no width overflows.
#include <bit>

#include "ir/evaluate_groups.h"

namespace spalt::ir {
namespace {

constexpr uint64_t kAllOnes = ~uint64_t{0};

uint64_t multiply_high(uint64_t a, uint64_t b) {
  const uint64_t a_lo = a & 0xffffffffu, a_hi = a >> 32, b_lo = b & 0xffffffffu, b_hi = b >> 32;
  const uint64_t low = a_lo * b_lo;
  const uint64_t middle1 = a_hi * b_lo + (low >> 32);
  const uint64_t middle2 = a_lo * b_hi + (middle1 & 0xffffffffu);
  return a_hi * b_hi + (middle1 >> 32) + (middle2 >> 32);
}

template <unsigned W>
struct Integer {
  static constexpr uint64_t kMask = kWidthMask<W>;
  static uint64_t u(uint64_t v) { return v & kMask; }
  static int64_t s(uint64_t v) { return sign_extend(v, W); }
  static bool overflows(const uint64_t* o) { return s(o[1]) == -1 && u(o[0]) == uint64_t{1} << (W - 1); }
  static unsigned shift(uint64_t v) { return static_cast<unsigned>(v & (W - 1)); }

  static uint64_t iadd(const uint64_t* o) { return u(o[0] + o[1]); }
  static uint64_t isub(const uint64_t* o) { return u(o[0] - o[1]); }
  static uint64_t uadd_carry(const uint64_t* o) { return u(o[0] + o[1]) < u(o[0]); }
  static uint64_t usub_borrow(const uint64_t* o) { return u(o[0]) < u(o[1]); }
  static uint64_t imul(const uint64_t* o) { return u(o[0] * o[1]); }
  static uint64_t umul_hi(const uint64_t* o) {
    if constexpr (W == 64) return multiply_high(o[0], o[1]);
    return u((u(o[0]) * u(o[1])) >> (W & 63));
  }
  static uint64_t smul_hi(const uint64_t* o) {
    if constexpr (W == 64) {
      // Reading a negative operand as unsigned adds 2^64 times the other operand to the product.
      return multiply_high(o[0], o[1]) - (s(o[0]) < 0 ? o[1] : 0) - (s(o[1]) < 0 ? o[0] : 0);
    }
    return u(static_cast<uint64_t>((s(o[0]) * s(o[1])) >> (W & 63)));
  }
  static uint64_t udiv(const uint64_t* o) { return u(o[1]) == 0 ? u(kAllOnes) : u(o[0]) / u(o[1]); }
  static uint64_t umod(const uint64_t* o) { return u(o[1]) == 0 ? u(o[0]) : u(o[0]) % u(o[1]); }
  static uint64_t sdiv(const uint64_t* o) {
    if (u(o[1]) == 0) return u(kAllOnes);
    if (overflows(o)) return u(o[0]);
    return u(static_cast<uint64_t>(s(o[0]) / s(o[1])));
  }
  static uint64_t srem(const uint64_t* o) {
    if (u(o[1]) == 0) return u(o[0]);
    if (overflows(o)) return 0;
    return u(static_cast<uint64_t>(s(o[0]) % s(o[1])));
  }
  static uint64_t smod(const uint64_t* o) {
    const uint64_t remainder = srem(o);
    const bool signs_differ = (s(remainder) < 0) != (s(o[1]) < 0);
    return remainder != 0 && signs_differ ? u(remainder + o[1]) : remainder;
  }
  static uint64_t iand(const uint64_t* o) { return u(o[0] & o[1]); }
  static uint64_t ior(const uint64_t* o) { return u(o[0] | o[1]); }
  static uint64_t ixor(const uint64_t* o) { return u(o[0] ^ o[1]); }
  static uint64_t inot(const uint64_t* o) { return u(~o[0]); }
  static uint64_t ishl(const uint64_t* o) { return u(o[0] << shift(o[1])); }
  static uint64_t ushr(const uint64_t* o) { return u(o[0]) >> shift(o[1]); }
  static uint64_t sshr(const uint64_t* o) { return u(static_cast<uint64_t>(s(o[0]) >> shift(o[1]))); }
  static uint64_t smin(const uint64_t* o) { return u(s(o[0]) < s(o[1]) ? o[0] : o[1]); }
  static uint64_t smax(const uint64_t* o) { return u(s(o[0]) > s(o[1]) ? o[0] : o[1]); }
  static uint64_t umin(const uint64_t* o) { return u(o[0]) < u(o[1]) ? u(o[0]) : u(o[1]); }
  static uint64_t umax(const uint64_t* o) { return u(o[0]) > u(o[1]) ? u(o[0]) : u(o[1]); }

  static uint64_t bit_count(const uint64_t* o) { return static_cast<uint64_t>(std::popcount(u(o[0]))); }
  static uint64_t bit_reverse(const uint64_t* o) {
    uint64_t reversed = 0;
    for (unsigned i = 0; i < W; ++i) reversed |= ((o[0] >> i) & 1) << (W - 1 - i);
    return reversed;
  }
  static uint64_t find_lsb(const uint64_t* o) {
    return u(o[0]) == 0 ? u(kAllOnes) : static_cast<uint64_t>(std::countr_zero(u(o[0])));
  }
  static uint64_t msb(uint64_t v) { return v == 0 ? u(kAllOnes) : static_cast<uint64_t>(std::bit_width(v) - 1); }
  static uint64_t find_msb_u(const uint64_t* o) { return msb(u(o[0])); }
  static uint64_t find_msb_s(const uint64_t* o) { return msb(u(s(o[0]) < 0 ? ~o[0] : o[0])); }

  /// Offset and count cut so that the field lies inside the value.
  struct Field {
    unsigned offset, count;
    Field(uint64_t raw_offset, uint64_t raw_count)
        : offset(raw_offset < W ? static_cast<unsigned>(raw_offset) : W),
          count(raw_count < W - offset ? static_cast<unsigned>(raw_count) : W - offset) {}
    uint64_t mask() const { return count == 0 ? 0 : kAllOnes >> (64 - count); }
  };
  static uint64_t bfe_u(const uint64_t* o) {
    const Field field(o[1], o[2]);
    return field.count == 0 ? 0 : (u(o[0]) >> field.offset) & field.mask();
  }
  static uint64_t bfe_s(const uint64_t* o) {
    const Field field(o[1], o[2]);
    return field.count == 0 ? 0 : u(static_cast<uint64_t>(sign_extend(u(o[0]) >> field.offset, field.count)));
  }
  static uint64_t bfi(const uint64_t* o) {
    const Field field(o[2], o[3]);
    return field.count == 0 ? u(o[0]) : with_bits(u(o[0]), field.offset, field.count, o[1]);
  }

  static uint64_t dot4(const uint64_t* o, bool first_signed, bool second_signed) {
    const auto byte = [](uint64_t bytes, unsigned i, bool is_signed) {
      const uint64_t bits = bytes >> (8 * i) & 0xff;
      return is_signed ? sign_extend(bits, 8) : static_cast<int64_t>(bits);
    };
    int64_t sum = s(o[2]);
    for (unsigned i = 0; i < 4; ++i) sum += byte(o[0], i, first_signed) * byte(o[1], i, second_signed);
    return u(static_cast<uint64_t>(sum));
  }
  static uint64_t dot4_s(const uint64_t* o) { return dot4(o, true, true); }
  static uint64_t dot4_u(const uint64_t* o) { return dot4(o, false, false); }
  static uint64_t dot4_su(const uint64_t* o) { return dot4(o, true, false); }

  static uint64_t ieq(const uint64_t* o) { return u(o[0]) == u(o[1]); }
  static uint64_t ine(const uint64_t* o) { return u(o[0]) != u(o[1]); }
  static uint64_t slt(const uint64_t* o) { return s(o[0]) < s(o[1]); }
  static uint64_t sle(const uint64_t* o) { return s(o[0]) <= s(o[1]); }
  static uint64_t ult(const uint64_t* o) { return u(o[0]) < u(o[1]); }
  static uint64_t ule(const uint64_t* o) { return u(o[0]) <= u(o[1]); }

  static Evaluator find(Op op) {
    switch (op) {
      case Op::iadd:
        return iadd;
      case Op::isub:
        return isub;
      case Op::uadd_carry:
        return uadd_carry;
      case Op::usub_borrow:
        return usub_borrow;
      case Op::imul:
        return imul;
      case Op::umul_hi:
        return umul_hi;
      case Op::smul_hi:
        return smul_hi;
      case Op::udiv:
        return udiv;
      case Op::sdiv:
        return sdiv;
      case Op::umod:
        return umod;
      case Op::srem:
        return srem;
      case Op::smod:
        return smod;
      case Op::iand:
        return iand;
      case Op::ior:
        return ior;
      case Op::ixor:
        return ixor;
      case Op::inot:
        return inot;
      case Op::ishl:
        return ishl;
      case Op::ushr:
        return ushr;
      case Op::sshr:
        return sshr;
      case Op::smin:
        return smin;
      case Op::smax:
        return smax;
      case Op::umin:
        return umin;
      case Op::umax:
        return umax;
      case Op::bit_count:
        return bit_count;
      case Op::bit_reverse:
        return bit_reverse;
      case Op::find_lsb:
        return find_lsb;
      case Op::find_msb_u:
        return find_msb_u;
      case Op::find_msb_s:
        return find_msb_s;
      case Op::bfe_u:
        return bfe_u;
      case Op::bfe_s:
        return bfe_s;
      case Op::bfi:
        return bfi;
      case Op::dot4_s:
        return W == 32 ? dot4_s : nullptr;
      case Op::dot4_u:
        return W == 32 ? dot4_u : nullptr;
      case Op::dot4_su:
        return W == 32 ? dot4_su : nullptr;
      case Op::ieq:
        return ieq;
      case Op::ine:
        return ine;
      case Op::slt:
        return slt;
      case Op::sle:
        return sle;
      case Op::ult:
        return ult;
      case Op::ule:
        return ule;
      default:
        return nullptr;
    }
  }
};

}  // namespace

Evaluator find_integer_evaluator(Op op, Type type) {
  switch (type.scalar) {
    case Scalar::i1:
      return Integer<1>::find(op);
    case Scalar::i8:
      return Integer<8>::find(op);
    case Scalar::i16:
      return Integer<16>::find(op);
    case Scalar::i32:
      return Integer<32>::find(op);
    case Scalar::i64:
      return Integer<64>::find(op);
    default:
      return nullptr;
  }
}

}  // namespace spalt::ir
