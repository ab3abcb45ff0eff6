// SPDX-License-Identifier: MIT
// 32-bit integer and bit instructions (RDNA 2 ISA guide, sections 12.7 to 12.11; Vega ISA guide, chapter 12).
#include "integer_row.h"

namespace spalt::semantics {
namespace {

using Op = Opcode;
using U = uint32_t;
using W = int64_t;

constexpr U kOnes = 0xffffffffu;

template <class F>
Row clamped(Op opcode, bool is_signed, F function) {
  return exact_integer(opcode, 32, is_signed ? Sign::yes : Sign::no, function);
}

std::vector<Row> moves_and_bits() {
  return {
      unary_u(Op::v_mov_b32, [](U a) { return a; }),
      unary_u(Op::v_not_b32, [](U a) { return kOnes - a; }),
      unary_u(Op::v_bfrev_b32,
              [](U a) {
                U result = 0;
                for (unsigned i = 0; i < 32; ++i) result += (a >> i & 1) << (31 - i);
                return result;
              }),
      unary_u(Op::v_ffbh_u32,
              [](U a) {
                for (unsigned i = 0; i < 32; ++i) {
                  if (a >> (31 - i) & 1) return i;
                }
                return kOnes;
              }),
      unary_u(Op::v_ffbl_b32,
              [](U a) {
                for (unsigned i = 0; i < 32; ++i) {
                  if (a >> i & 1) return i;
                }
                return kOnes;
              }),
      unary_u(Op::v_ffbh_i32,
              [](U a) {
                for (unsigned i = 1; i < 32; ++i) {
                  if ((a >> (31 - i) & 1) != a >> 31) return i;
                }
                return kOnes;
              }),
      binary_u(Op::v_and_b32, [](U a, U b) { return a & b; }),
      binary_u(Op::v_or_b32, [](U a, U b) { return a | b; }),
      binary_u(Op::v_xor_b32, [](U a, U b) { return a ^ b; }),
      binary_u(Op::v_xnor_b32, [](U a, U b) { return ~a ^ b; }),
      binary_u(Op::v_lshrrev_b32, [](U a, U b) { return b >> a % 32; }),
      binary_u(Op::v_lshlrev_b32, [](U a, U b) { return static_cast<U>(uint64_t{b} << a % 32); }),
      binary_u(Op::v_ashrrev_i32, [](U a, U b) { return static_cast<U>(W{signed32(b)} >> a % 32); }),
      binary_u(Op::v_bfm_b32, [](U a, U b) { return static_cast<U>(((uint64_t{1} << a % 32) - 1) << b % 32); }),
      binary_u(Op::v_bcnt_u32_b32,
               [](U a, U b) {
                 for (; a != 0; a >>= 1) b += a & 1;
                 return b;
               }),
      {Op::v_cndmask_b32, [](const Lane& in) { return Result{unsigned32(in.mask ? in.b : in.a)}; }},
      ternary_u(Op::v_bfe_u32, [](U a, U b, U c) { return static_cast<U>(low_unsigned(a >> b % 32, c % 32)); }),
      ternary_u(Op::v_bfe_i32,
                [](U a, U b, U c) {
                  const W field = W{signed32(a)} >> b % 32;
                  return c % 32 == 0 ? 0 : static_cast<U>(low_signed(static_cast<uint64_t>(field), c % 32));
                }),
      ternary_u(Op::v_bfi_b32,
                [](U a, U b, U c) {
                  U result = 0;
                  for (unsigned i = 0; i < 32; ++i) result |= ((a >> i & 1 ? b : c) >> i & 1) << i;
                  return result;
                }),
      ternary_u(Op::v_alignbit_b32, [](U a, U b, U c) { return c % 32 == 0 ? b : a << (32 - c % 32) | b >> c % 32; }),
      ternary_u(Op::v_alignbyte_b32,
                [](U a, U b, U c) { return c % 4 == 0 ? b : a << (32 - 8 * (c % 4)) | b >> 8 * (c % 4); }),
      ternary_u(Op::v_xor3_b32, [](U a, U b, U c) { return a ^ b ^ c; }),
      ternary_u(Op::v_or3_b32, [](U a, U b, U c) { return a | b | c; }),
      ternary_u(Op::v_and_or_b32, [](U a, U b, U c) { return (a & b) | c; }),
      ternary_u(Op::v_lshl_or_b32, [](U a, U b, U c) { return a << b % 32 | c; }),
  };
}

std::vector<Row> arithmetic() {
  return {
      clamped(Op::v_add_nc_u32, false, [](W a, W b, W) { return a + b; }),
      clamped(Op::v_sub_nc_u32, false, [](W a, W b, W) { return a - b; }),
      clamped(Op::v_subrev_nc_u32, false, [](W a, W b, W) { return b - a; }),
      clamped(Op::v_add_nc_i32, true, [](W a, W b, W) { return a + b; }),
      clamped(Op::v_sub_nc_i32, true, [](W a, W b, W) { return a - b; }),
      binary_i(Op::v_min_i32, [](W a, W b) { return std::min(a, b); }),
      binary_i(Op::v_max_i32, [](W a, W b) { return std::max(a, b); }),
      binary_u(Op::v_min_u32, [](U a, U b) { return std::min(a, b); }),
      binary_u(Op::v_max_u32, [](U a, U b) { return std::max(a, b); }),
      binary_u(Op::v_mul_lo_u32, [](U a, U b) { return a * b; }),
      binary_u(Op::v_mul_lo_i32, [](U a, U b) { return a * b; }),
      binary_u(Op::v_mul_hi_u32, [](U a, U b) { return static_cast<U>(uint64_t{a} * b >> 32); }),
      binary_i(Op::v_mul_hi_i32, [](W a, W b) { return a * b >> 32; }),
      clamped(Op::v_mul_i32_i24, true,
              [](W a, W b, W) {
                return low_signed(static_cast<uint64_t>(a), 24) * low_signed(static_cast<uint64_t>(b), 24);
              }),
      binary_i(Op::v_mul_hi_i32_i24,
               [](W a, W b) {
                 return low_signed(static_cast<uint64_t>(a), 24) * low_signed(static_cast<uint64_t>(b), 24) >> 32;
               }),
      clamped(Op::v_mul_u32_u24, false, [](W a, W b, W) { return (a & 0xffffff) * (b & 0xffffff); }),
      binary_i(Op::v_mul_hi_u32_u24, [](W a, W b) { return (a & 0xffffff) * (b & 0xffffff) >> 32; }),
      ternary_u(Op::v_add3_u32, [](U a, U b, U c) { return a + b + c; }),
      ternary_u(Op::v_xad_u32, [](U a, U b, U c) { return (a ^ b) + c; }),
      ternary_u(Op::v_lshl_add_u32, [](U a, U b, U c) { return (a << b % 32) + c; }),
      ternary_u(Op::v_add_lshl_u32, [](U a, U b, U c) { return (a + b) << c % 32; }),
      clamped(Op::v_mad_i32_i24, true,
              [](W a, W b, W c) {
                return low_signed(static_cast<uint64_t>(a), 24) * low_signed(static_cast<uint64_t>(b), 24) + c;
              }),
      clamped(Op::v_mad_u32_u24, false, [](W a, W b, W c) { return (a & 0xffffff) * (b & 0xffffff) + c; }),
      clamped(Op::v_mad_u32_u16, false, [](W a, W b, W c) { return (a & 0xffff) * (b & 0xffff) + c; }),
      clamped(Op::v_mad_i32_i16, true,
              [](W a, W b, W c) {
                return low_signed(static_cast<uint64_t>(a), 16) * low_signed(static_cast<uint64_t>(b), 16) + c;
              }),
  };
}

}  // namespace

void add_vector_integer(Proofs& proofs) {
  add_vector_rows(proofs, moves_and_bits());
  add_vector_rows(proofs, arithmetic());
}

}  // namespace spalt::semantics
