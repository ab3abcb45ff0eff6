// SPDX-License-Identifier: MIT
// Scalar floating point (RDNA 3.5 ISA guide, sections "SOP1", "SOP2" and "SOPC"): the operations of the vector
// instructions.
#include "float_row.h"
#include "integer_row.h"
#include "scalar_row.h"
#include "values.h"

namespace spalt::semantics {
namespace {

using Op = Opcode;

/// The reference of a vector instruction on one lane.
ScalarRow scalar(const Row& row) {
  return {row.opcode,
          [row](const ScalarIn& in) {
            Lane lane;
            lane.a = in.a;
            lane.b = in.b;
            lane.c = in.c;
            lane.old = in.old;
            lane.mode = in.mode;
            lane.inst = in.inst;
            lane.target = in.target;
            const Result result = row.reference(lane);
            ScalarOut out{result.value, {}, {}};
            out.unknown = result.unknown;
            return out;
          },
          true};
}

struct Pair {
  Op single, half;
};

template <class F>
void add_binary(std::vector<ScalarRow>& rows, Pair ops, F function) {
  rows.push_back(scalar(float_binary(ops.single, kF32, function)));
  rows.push_back(scalar(float_binary(ops.half, kF16, function)));
}
template <class F>
void add_unary(std::vector<ScalarRow>& rows, Pair ops, F function) {
  rows.push_back(scalar(float_unary(ops.single, kF32, function)));
  rows.push_back(scalar(float_unary(ops.half, kF16, function)));
}

Real fused(const Real& a, const Real& b, const Real& c, Rounding rounding) {
  return add(multiply(a, b), c, rounding);
}

std::vector<ScalarRow> arithmetic() {
  using R = const Real&;
  std::vector<ScalarRow> rows;
  add_binary(rows, {Op::s_add_f32, Op::s_add_f16}, [](R a, R b, Rounding r) { return add(a, b, r); });
  add_binary(rows, {Op::s_sub_f32, Op::s_sub_f16}, [](R a, R b, Rounding r) { return add(a, negate(b), r); });
  add_binary(rows, {Op::s_mul_f32, Op::s_mul_f16}, [](R a, R b, Rounding) { return multiply(a, b); });
  add_unary(rows, {Op::s_ceil_f32, Op::s_ceil_f16}, [](R a, Rounding) { return round_to_integer(a, Rounding::up); });
  add_unary(rows, {Op::s_floor_f32, Op::s_floor_f16},
            [](R a, Rounding) { return round_to_integer(a, Rounding::down); });
  add_unary(rows, {Op::s_trunc_f32, Op::s_trunc_f16},
            [](R a, Rounding) { return round_to_integer(a, Rounding::toward_zero); });
  add_unary(rows, {Op::s_rndne_f32, Op::s_rndne_f16},
            [](R a, Rounding) { return round_to_integer(a, Rounding::nearest_even); });
  const struct {
    Pair ops;
    uint64_t (*select)(uint64_t, uint64_t, const Lane&, const FloatFormat&);
  } selections[] = {{{Op::s_min_f32, Op::s_min_f16}, minimum},
                    {{Op::s_max_f32, Op::s_max_f16}, maximum},
                    {{Op::s_minimum_f32, Op::s_minimum_f16}, propagating_minimum},
                    {{Op::s_maximum_f32, Op::s_maximum_f16}, propagating_maximum}};
  for (const auto& selection : selections) {
    for (const bool half : {false, true}) {
      const FloatFormat format = half ? kF16 : kF32;
      rows.push_back(
          scalar(float_select(half ? selection.ops.half : selection.ops.single, format,
                              [format, select = selection.select](uint64_t a, uint64_t b, uint64_t, const Lane& in) {
                                return select(a, b, in, format);
                              })));
    }
  }
  rows.push_back(scalar(float_ternary(Op::s_fmac_f32, kF32, fused, Addend::destination)));
  rows.push_back(scalar(float_ternary(Op::s_fmac_f16, kF16, fused, Addend::destination)));
  rows.push_back(scalar(float_ternary(Op::s_fmaak_f32, kF32, fused)));
  rows.push_back(scalar(float_ternary(Op::s_fmamk_f32, kF32, fused)));
  return rows;
}

Row converted(Op opcode, const FloatFormat& from, const FloatFormat& to, unsigned shift = 0) {
  return {opcode, [=](const Lane& in) { return float_result(float_input(in.a >> shift, in, from), in, to); }};
}
ScalarRow to_int(Op opcode, Sign sign) {
  return {opcode, [sign](const ScalarIn& in) {
            Lane lane;
            lane.mode = in.mode;
            lane.target = in.target;
            const Real whole = round_to_integer(float_input(in.a, lane, kF32), Rounding::toward_zero);
            const I128 value =
                sign == Sign::yes ? to_integer(whole, INT32_MIN, INT32_MAX) : to_integer(whole, 0, 0xffffffff);
            return ScalarOut{unsigned32(static_cast<uint64_t>(value)), {}, {}};
          }};
}

std::vector<ScalarRow> conversions() {
  std::vector<ScalarRow> rows;
  const auto from_int = [](Op opcode, bool is_signed) {
    return Row{opcode, [is_signed](const Lane& in) {
                 return float_result(is_signed ? from_integer(signed32(in.a)) : from_integer(unsigned32(in.a)), in,
                                     kF32);
               }};
  };
  rows.push_back(scalar(from_int(Op::s_cvt_f32_i32, true)));
  rows.push_back(scalar(from_int(Op::s_cvt_f32_u32, false)));
  rows.push_back(to_int(Op::s_cvt_i32_f32, Sign::yes));
  rows.push_back(to_int(Op::s_cvt_u32_f32, Sign::no));
  rows.push_back(scalar(converted(Op::s_cvt_f16_f32, kF32, kF16)));
  rows.push_back(scalar(converted(Op::s_cvt_f32_f16, kF16, kF32)));
  rows.push_back(scalar(converted(Op::s_cvt_hi_f32_f16, kF16, kF32, 16)));
  ScalarRow pack = scalar(Row{Op::s_cvt_pk_rtz_f16_f32, [](const Lane& in) {
                                const auto half = [&in](uint64_t bits) {
                                  return to_bits(float_input(bits, in, kF32), kF16, Rounding::toward_zero);
                                };
                                Result result{half(in.a) | half(in.b) << 16};
                                const auto tiny = [](uint64_t bits) { return kF16.is_denormal(bits & 0xffff); };
                                result.unknown = tiny(result.value) || tiny(result.value >> 16);
                                return result;
                              }});
  pack.inputs = [](unsigned, std::mt19937& random) -> uint64_t {
    return random() % 3 == 0 ? sample(kF32, random) : (random() & 0x807fffffu) | (110 + random() % 35) << 23;
  };
  rows.push_back(pack);
  return rows;
}

/// Conditions by the orders for which they hold: less, equal, greater, unordered.
constexpr struct {
  const char* name;
  bool less, equal, greater, unordered;
} kConditions[] = {
    {"lt", true, false, false, false}, {"eq", false, true, false, false}, {"le", true, true, false, false},
    {"gt", false, false, true, false}, {"lg", true, false, true, false},  {"ge", false, true, true, false},
    {"o", true, true, true, false},    {"u", false, false, false, true},  {"nge", true, false, false, true},
    {"nlg", false, true, false, true}, {"ngt", true, true, false, true},  {"nle", false, false, true, true},
    {"neq", true, false, true, true},  {"nlt", false, true, true, true},
};

std::vector<ScalarRow> comparisons() {
  std::vector<ScalarRow> rows;
  for (const auto& condition : kConditions) {
    for (const bool half : {false, true}) {
      const FloatFormat format = half ? kF16 : kF32;
      const bool holds[] = {condition.less, condition.equal, condition.greater, condition.unordered};
      ScalarRow row{isa::find_opcode(std::string("s_cmp_") + condition.name + (half ? "_f16" : "_f32")),
                    [format, table = std::vector<bool>(holds, holds + 4)](const ScalarIn& in) {
                      Lane lane;
                      lane.mode = in.mode;
                      lane.target = in.target;
                      const Order order = compare(float_input(in.a, lane, format), float_input(in.b, lane, format));
                      return ScalarOut{{}, table[static_cast<size_t>(order)], {}};
                    }};
      row.inputs = [format](unsigned, std::mt19937& random) -> uint64_t {
        return random() % 3 == 0 ? format.one() + random() % 2 : sample(format, random);
      };
      row.is_float = true;
      rows.push_back(row);
    }
  }
  return rows;
}

}  // namespace

void add_scalar_float(Proofs& proofs) {
  add_scalar_rows(proofs, arithmetic());
  add_scalar_rows(proofs, conversions());
  add_scalar_rows(proofs, comparisons());
}

}  // namespace spalt::semantics
