// SPDX-License-Identifier: MIT
// 16-bit integers, alone and packed, and integer dot products (RDNA 3 ISA guide, sections "VOP3" and "VOP3P").
#include "integer_row.h"
#include "operand_model.h"

namespace spalt::semantics {
namespace {

using Op = Opcode;
using W = int64_t;

W sum(W a, W b, W) {
  return a + b;
}
W difference(W a, W b, W) {
  return a - b;
}
W reverse_difference(W a, W b, W) {
  return b - a;
}
W product(W a, W b, W) {
  return a * b;
}
W product_and_sum(W a, W b, W c) {
  return a * b + c;
}
W smaller(W a, W b, W) {
  return std::min(a, b);
}
W larger(W a, W b, W) {
  return std::max(a, b);
}
/// Amounts are the low four bits of source 0.
W shifted_left(W a, W b, W) {
  return b << (a & 15);
}
W shifted_right(W a, W b, W) {
  return b >> (a & 15);
}

std::vector<Row> single() {
  const auto row = [](Op opcode, Sign sign, W (*function)(W, W, W)) {
    return exact_integer(opcode, 16, sign, function);
  };
  return {
      row(Op::v_add_nc_u16, Sign::no, sum),
      row(Op::v_sub_nc_u16, Sign::no, difference),
      row(Op::v_subrev_u16, Sign::no, reverse_difference),
      row(Op::v_add_nc_i16, Sign::yes, sum),
      row(Op::v_sub_nc_i16, Sign::yes, difference),
      row(Op::v_mul_lo_u16, Sign::no, product),
      row(Op::v_mad_u16, Sign::no, product_and_sum),
      row(Op::v_mad_i16, Sign::yes, product_and_sum),
      row(Op::v_mad_legacy_u16, Sign::no, product_and_sum),
      row(Op::v_mad_legacy_i16, Sign::yes, product_and_sum),
      row(Op::v_min_i16, Sign::yes, smaller),
      row(Op::v_max_i16, Sign::yes, larger),
      row(Op::v_min_u16, Sign::no, smaller),
      row(Op::v_max_u16, Sign::no, larger),
      row(Op::v_lshlrev_b16, Sign::no, shifted_left),
      row(Op::v_lshrrev_b16, Sign::no, shifted_right),
      row(Op::v_ashrrev_i16, Sign::yes, shifted_right),
      row(Op::v_mov_b16, Sign::no, [](W a, W, W) { return a; }),
      row(Op::v_not_b16, Sign::no, [](W a, W, W) { return 0xffff - a; }),
      row(Op::v_and_b16, Sign::no, [](W a, W b, W) { return a & b; }),
      row(Op::v_or_b16, Sign::no, [](W a, W b, W) { return a | b; }),
      row(Op::v_xor_b16, Sign::no, [](W a, W b, W) { return a ^ b; }),
      {Op::v_cndmask_b16, [](const Lane& in) { return Result{(in.mask ? in.b : in.a) & 0xffff}; }},
      unary(Op::v_cvt_i32_i16, [](uint64_t a) { return static_cast<uint32_t>(low_signed(a, 16)); }),
      unary(Op::v_cvt_u32_u16, [](uint64_t a) { return static_cast<uint32_t>(low_unsigned(a, 16)); }),
      unary(Op::v_sat_pk_u8_i16,
            [](uint64_t a) {
              const W low = std::clamp<W>(low_signed(a, 16), 0, 255),
                      high = std::clamp<W>(low_signed(a >> 16, 16), 0, 255);
              return low + 256 * high;
            }),
      binary(Op::v_cvt_pk_u16_u32,
             [](uint64_t a, uint64_t b) {
               return std::min<W>(low_unsigned(a, 32), 0xffff) + 0x10000 * std::min<W>(low_unsigned(b, 32), 0xffff);
             }),
      binary(Op::v_cvt_pk_i16_i32,
             [](uint64_t a, uint64_t b) {
               const auto word = [](uint64_t x) {
                 return static_cast<uint64_t>(std::clamp<W>(low_signed(x, 32), -32768, 32767)) & 0xffff;
               };
               return word(a) | word(b) << 16;
             }),
  };
}

/// What the clamp bit does is not written down.
Row open_when_clamped(Row row) {
  row.reference = [reference = row.reference](const Lane& in) {
    Result result = reference(in);
    result.unknown = in.clamp;
    return result;
  };
  return row;
}

std::vector<Row> packed() {
  const auto row = [](Op opcode, Sign sign, W (*function)(W, W, W)) {
    return exact_integer(opcode, 16, sign, function, true);
  };
  return {
      row(Op::v_pk_mad_i16, Sign::yes, product_and_sum),
      row(Op::v_pk_mad_u16, Sign::no, product_and_sum),
      open_when_clamped(row(Op::v_pk_mul_lo_u16, Sign::no, product)),
      row(Op::v_pk_add_i16, Sign::yes, sum),
      row(Op::v_pk_sub_i16, Sign::yes, difference),
      row(Op::v_pk_add_u16, Sign::no, sum),
      row(Op::v_pk_sub_u16, Sign::no, difference),
      open_when_clamped(row(Op::v_pk_lshlrev_b16, Sign::no, shifted_left)),
      open_when_clamped(row(Op::v_pk_lshrrev_b16, Sign::no, shifted_right)),
      open_when_clamped(row(Op::v_pk_ashrrev_i16, Sign::yes, shifted_right)),
      row(Op::v_pk_max_i16, Sign::yes, larger),
      row(Op::v_pk_min_i16, Sign::yes, smaller),
      row(Op::v_pk_max_u16, Sign::no, larger),
      row(Op::v_pk_min_u16, Sign::no, smaller),
  };
}

// ---- dot products ----

enum class Into : uint8_t { source, destination };

/// The sum of the products of all parts and an addend; the clamp bit saturates it.
Row dot(Op opcode, unsigned bits, Sign sign, Into into = Into::source) {
  return {opcode, [bits, sign, into](const Lane& in) {
            const auto number = [sign](uint64_t x, unsigned width) {
              return sign == Sign::yes ? low_signed(x, width) : low_unsigned(x, width);
            };
            W total = number(into == Into::source ? in.c : in.old, 32);
            // With 16-bit parts op_sel and op_sel_hi choose the half of the first and second product.
            const isa::Modifiers& mods = in.inst->mods;
            const auto part = [&](uint64_t value, unsigned source, unsigned index) {
              unsigned chosen = index;
              if (bits == 16 && is_packed(*in.inst)) {
                chosen = (index == 0 ? mods.op_sel : mods.op_sel_hi) >> source & 1;
              }
              return number(value >> (bits * chosen), bits);
            };
            for (unsigned i = 0; i < 32 / bits; ++i) total += part(in.a, 0, i) * part(in.b, 1, i);
            if (in.clamp) {
              total = sign == Sign::yes ? std::clamp<W>(total, INT32_MIN, INT32_MAX) : std::min<W>(total, 0xffffffff);
            }
            Result result{unsigned32(static_cast<uint64_t>(total))};
            // What op_sel means to smaller parts is not written down.
            result.unknown = bits != 16 && is_packed(*in.inst) && (mods.op_sel != 0 || mods.op_sel_hi != 7);
            return result;
          }};
}

/// neg_lo says which of the sources are signed.
Row dot_of_mixed_signs(Op opcode, unsigned bits) {
  return {opcode, [bits](const Lane& in) {
            const auto part = [&](uint64_t value, unsigned source, unsigned index) {
              const bool is_signed = (in.inst->mods.neg >> source & 1) != 0;
              return is_signed ? low_signed(value >> (bits * index), bits)
                               : low_unsigned(value >> (bits * index), bits);
            };
            W total = low_signed(in.c, 32);
            for (unsigned i = 0; i < 32 / bits; ++i) total += part(in.a, 0, i) * part(in.b, 1, i);
            if (in.clamp) total = std::clamp<W>(total, INT32_MIN, INT32_MAX);
            return Result{unsigned32(static_cast<uint64_t>(total))};
          }};
}

std::vector<Row> dot_products() {
  return {
      dot(Op::v_dot2_i32_i16, 16, Sign::yes),
      dot(Op::v_dot2_u32_u16, 16, Sign::no),
      dot(Op::v_dot4_i32_i8, 8, Sign::yes),
      dot(Op::v_dot4_u32_u8, 8, Sign::no),
      dot(Op::v_dot8_i32_i4, 4, Sign::yes),
      dot(Op::v_dot8_u32_u4, 4, Sign::no),
      dot(Op::v_dot4c_i32_i8, 8, Sign::yes, Into::destination),
      dot_of_mixed_signs(Op::v_dot4_i32_iu8, 8),
      dot_of_mixed_signs(Op::v_dot8_i32_iu4, 4),
  };
}

}  // namespace

void add_vector_integer16(Proofs& proofs) {
  add_vector_rows(proofs, single());
  add_vector_rows(proofs, packed());
  add_vector_rows(proofs, dot_products());
}

}  // namespace spalt::semantics
