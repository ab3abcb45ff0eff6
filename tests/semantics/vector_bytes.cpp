// SPDX-License-Identifier: MIT
// Selections among three integers, sums of absolute differences, carries and 64-bit integers (RDNA 3 ISA guide,
// sections "VOP2" and "VOP3"; where RDNA 2 words an instruction otherwise, the reference says so).
#include "integer_row.h"
#include "real.h"

namespace spalt::semantics {
namespace {

using Op = Opcode;
using U = uint32_t;
using W = int64_t;

W smallest(W a, W b, W c) {
  return std::min({a, b, c});
}
W largest(W a, W b, W c) {
  return std::max({a, b, c});
}
W middle(W a, W b, W c) {
  W sorted[] = {a, b, c};
  std::sort(sorted, sorted + 3);
  return sorted[1];
}
W maximum_then_minimum(W a, W b, W c) {
  return std::min(std::max(a, b), c);
}
W minimum_then_maximum(W a, W b, W c) {
  return std::max(std::min(a, b), c);
}

std::vector<Row> selections() {
  std::vector<Row> rows;
  const auto add = [&rows](Op min3, Op max3, Op med3, unsigned bits, Sign sign) {
    rows.push_back(exact_integer(min3, bits, sign, smallest));
    rows.push_back(exact_integer(max3, bits, sign, largest));
    rows.push_back(exact_integer(med3, bits, sign, middle));
  };
  add(Op::v_min3_i32, Op::v_max3_i32, Op::v_med3_i32, 32, Sign::yes);
  add(Op::v_min3_u32, Op::v_max3_u32, Op::v_med3_u32, 32, Sign::no);
  add(Op::v_min3_i16, Op::v_max3_i16, Op::v_med3_i16, 16, Sign::yes);
  add(Op::v_min3_u16, Op::v_max3_u16, Op::v_med3_u16, 16, Sign::no);
  rows.push_back(exact_integer(Op::v_maxmin_i32, 32, Sign::yes, maximum_then_minimum));
  rows.push_back(exact_integer(Op::v_maxmin_u32, 32, Sign::no, maximum_then_minimum));
  rows.push_back(exact_integer(Op::v_minmax_i32, 32, Sign::yes, minimum_then_maximum));
  rows.push_back(exact_integer(Op::v_minmax_u32, 32, Sign::no, minimum_then_maximum));
  return rows;
}

// ---- bytes ----

U field(uint64_t value, unsigned first, unsigned bits) {
  return static_cast<U>(low_unsigned(value >> first, bits));
}
U distance(U a, U b) {
  return a > b ? a - b : b - a;
}
/// Sum of the distances of four bytes; where masked, zero bytes of the reference do not count.
U byte_distances(U a, U b, bool masked) {
  U sum = 0;
  for (unsigned i = 0; i < 32; i += 8) {
    if (!masked || field(b, i, 8) != 0) sum += distance(field(a, i, 8), field(b, i, 8));
  }
  return sum;
}

/// What the clamp bit does to these sums is not written down.
template <class F>
Row sum_of_distances(Op opcode, F function) {
  return {opcode, [function](const Lane& in) {
            Result result{function(unsigned32(in.a), unsigned32(in.b), unsigned32(in.c))};
            result.unknown = in.clamp;
            return result;
          }};
}

/// Four sums over a window that moves by a byte, each added to `bits` bits of source 2.
Row quad_sums(Op opcode, unsigned bits, bool masked) {
  return {opcode, [bits, masked](const Lane& in) {
            U128 result = 0;
            bool overflows = false;
            const U128 addends = static_cast<U128>(in.c_high) << 64 | in.c;
            for (unsigned i = 0; i < 4; ++i) {
              const U sum = byte_distances(static_cast<U>(in.a >> (8 * i)), unsigned32(in.b), masked) +
                            static_cast<U>(low_unsigned(static_cast<uint64_t>(addends >> (bits * i)), bits));
              // Whether 16-bit sums wrap or saturate differs between guides.
              overflows = overflows || (bits == 16 && sum > 0xffff);
              result |= static_cast<U128>(low_unsigned(sum, bits)) << (bits * i);
            }
            Result out{static_cast<uint64_t>(result), static_cast<uint64_t>(result >> 64)};
            out.unknown = in.clamp || overflows;
            return out;
          }};
}

/// Selectors: 0 to 7 a byte of the sources, 8 to 11 the sign of a word of them, 12 zeros, above ones.
U permuted(U a, U b, U selectors) {
  U result = 0;
  for (unsigned i = 0; i < 32; i += 8) {
    const U selector = field(selectors, i, 8);
    const auto byte = [a, b](unsigned index) {
      return index < 4 ? field(b, 8 * index, 8) : field(a, 8 * (index - 4), 8);
    };
    U value = 255;
    if (selector < 8) value = byte(selector);
    if (selector >= 8 && selector < 12) value = byte(2 * (selector - 8) + 1) > 127 ? 255 : 0;
    if (selector == 12) value = 0;
    result |= value << i;
  }
  return result;
}

std::vector<Row> bytes() {
  Row perm = ternary_u(Op::v_perm_b32, permuted);
  perm.inputs = [](unsigned source, std::mt19937& random) -> uint64_t {
    return source == 2 && random() % 4 != 0 ? random() & 0x0f0f0f0f : random();
  };
  return {
      sum_of_distances(Op::v_sad_u8, [](U a, U b, U c) { return byte_distances(a, b, false) + c; }),
      sum_of_distances(Op::v_sad_hi_u8, [](U a, U b, U c) { return (byte_distances(a, b, false) << 16) + c; }),
      sum_of_distances(
          Op::v_sad_u16,
          [](U a, U b, U c) { return distance(field(a, 0, 16), field(b, 0, 16)) + distance(a >> 16, b >> 16) + c; }),
      sum_of_distances(Op::v_sad_u32, [](U a, U b, U c) { return distance(a, b) + c; }),
      sum_of_distances(Op::v_msad_u8, [](U a, U b, U c) { return byte_distances(a, b, true) + c; }),
      ternary_u(Op::v_lerp_u8,
                [](U a, U b, U c) {
                  U result = 0;
                  for (unsigned i = 0; i < 32; i += 8) {
                    result |= (field(a, i, 8) + field(b, i, 8) + field(c, i, 1)) / 2 << i;
                  }
                  return result;
                }),
      perm,
      quad_sums(Op::v_qsad_pk_u16_u8, 16, false),
      quad_sums(Op::v_mqsad_pk_u16_u8, 16, true),
      quad_sums(Op::v_mqsad_u32_u8, 32, true),
  };
}

// ---- carries, 64 bits, lane numbers ----

/// F gives the exact result, which carries or borrows when it does not fit.
template <class F>
Row with_carry(Op opcode, F function) {
  return {opcode, [function](const Lane& in) {
            const W exact = function(W{unsigned32(in.a)}, W{unsigned32(in.b)}, W{in.mask ? 1 : 0});
            Result result{unsigned32(static_cast<uint64_t>(exact))};
            result.bit = exact < 0 || exact > 0xffffffff;
            if (in.clamp && result.bit) result.value = exact < 0 ? 0 : 0xffffffffu;
            return result;
          }};
}

/// {carry, D} = S0 * S1 + S2 in 65 bits.
Row wide_product(Op opcode, bool is_signed) {
  return {opcode, [is_signed](const Lane& in) {
            I128 exact = 0;
            if (is_signed) {
              exact = static_cast<I128>(signed32(in.a)) * signed32(in.b) + static_cast<int64_t>(in.c);
            } else {
              exact = static_cast<I128>(unsigned32(in.a)) * unsigned32(in.b) + static_cast<I128>(in.c);
            }
            Result result{static_cast<uint64_t>(exact)};
            result.bit = (static_cast<U128>(exact) >> 64 & 1) != 0;
            result.unknown = in.clamp;
            return result;
          }};
}

Row bits_below_lane(Op opcode, unsigned first_lane) {
  return {opcode, [first_lane](const Lane& in) {
            U count = unsigned32(in.b);
            for (unsigned i = 0; i < 32; ++i) count += first_lane + i < in.lane ? static_cast<U>(in.a >> i & 1) : 0;
            return Result{count};
          }};
}

/// TABLE of V_SCREEN_PARTITION_4SE_B32 (Vega ISA guide), a hexadecimal digit for each entry.
constexpr char kScreenPartition[] =
    "137f5fff7ffffffff26efafffbffffffdf4cff5fffdfffff9bf8fffafffeffff"
    "ffff4cdf6fffeffffffff89bf99ffdffffff7f13ff9fffbfffff6ef26ff6fff7"
    "bfffffff23bfaffff7fffffff19df5ffffefffffef8cffaffffdffff67f4fff5"
    "9fffdfffffff8ceff66ffefffffff467ff6fff7fffffbf239ff9fffbffff9df1";
static_assert(sizeof kScreenPartition == 256 + 1);

U screen_partition(U index) {
  const char digit = kScreenPartition[index & 0xff];
  return static_cast<U>(digit < 'a' ? digit - '0' : digit - 'a' + 10);
}

std::vector<Row> carries_and_wide() {
  return {
      with_carry(Op::v_add_co_u32, [](W a, W b, W) { return a + b; }),
      with_carry(Op::v_sub_co_u32, [](W a, W b, W) { return a - b; }),
      with_carry(Op::v_subrev_co_u32, [](W a, W b, W) { return b - a; }),
      with_carry(Op::v_add_co_ci_u32, [](W a, W b, W in) { return a + b + in; }),
      with_carry(Op::v_sub_co_ci_u32, [](W a, W b, W in) { return a - b - in; }),
      with_carry(Op::v_subrev_co_ci_u32, [](W a, W b, W in) { return b - a - in; }),
      wide_product(Op::v_mad_u64_u32, false),
      wide_product(Op::v_mad_i64_i32, true),
      binary(Op::v_lshlrev_b64, [](uint64_t a, uint64_t b) { return b << a % 64; }),
      binary(Op::v_lshrrev_b64, [](uint64_t a, uint64_t b) { return b >> a % 64; }),
      binary(Op::v_ashrrev_i64, [](uint64_t a, uint64_t b) { return static_cast<W>(b) >> a % 64; }),
      bits_below_lane(Op::v_mbcnt_lo_u32_b32, 0),
      bits_below_lane(Op::v_mbcnt_hi_u32_b32, 32),
      unary_u(Op::v_screen_partition_4se_b32, screen_partition),
  };
}

}  // namespace

void add_vector_bytes(Proofs& proofs) {
  add_vector_rows(proofs, selections());
  add_vector_rows(proofs, bytes());
  add_vector_rows(proofs, carries_and_wide());
}

}  // namespace spalt::semantics
