// SPDX-License-Identifier: MIT
// Scalar integers and bits with what they do to SCC and exec (RDNA 2 ISA guide, sections 12.1 to 12.4; RDNA 4 for
// 64-bit arithmetic).
#include <bit>

#include "integer_row.h"
#include "scalar_row.h"

namespace spalt::semantics {
namespace {

using Op = Opcode;
using U = uint32_t;
using V = uint64_t;
using W = int64_t;

V masked(V value, unsigned bits) {
  return bits == 64 ? value : value & ((V{1} << bits) - 1);
}

/// F gives bits; SCC says whether they are not zero.
template <class F>
ScalarRow tested(Op opcode, unsigned bits, F function) {
  return {opcode, [bits, function](const ScalarIn& in) {
            const V d = masked(function(in.a, in.b), bits);
            return ScalarOut{d, d != 0, {}};
          }};
}
/// SCC stays.
template <class F>
ScalarRow plain(Op opcode, unsigned bits, F function) {
  return {opcode, [bits, function](const ScalarIn& in) {
            return ScalarOut{masked(function(in.a, in.b), bits), {}, {}};
          }};
}
/// F gives the exact result; SCC says that it does not fit the type.
template <class F>
ScalarRow overflowing(Op opcode, Sign sign, F function) {
  return {opcode, [sign, function](const ScalarIn& in) {
            const auto number = [sign](V x) { return sign == Sign::yes ? W{signed32(x)} : W{unsigned32(x)}; };
            const W exact = function(number(in.a), number(in.b), W{in.scc ? 1 : 0});
            const bool fits =
                sign == Sign::yes ? exact >= INT32_MIN && exact <= INT32_MAX : exact >= 0 && exact <= 0xffffffff;
            return ScalarOut{unsigned32(static_cast<V>(exact)), !fits, {}};
          }};
}
/// SCC says that source 0 was chosen.
template <class F>
ScalarRow chosen(Op opcode, Sign sign, F first) {
  return {opcode, [sign, first](const ScalarIn& in) {
            const auto number = [sign](V x) { return sign == Sign::yes ? W{signed32(x)} : W{unsigned32(x)}; };
            const bool takes_first = first(number(in.a), number(in.b));
            return ScalarOut{unsigned32(takes_first ? in.a : in.b), takes_first, {}};
          }};
}

std::vector<ScalarRow> arithmetic() {
  std::vector<ScalarRow> rows = {
      overflowing(Op::s_add_u32, Sign::no, [](W a, W b, W) { return a + b; }),
      overflowing(Op::s_sub_u32, Sign::no, [](W a, W b, W) { return a - b; }),
      overflowing(Op::s_add_i32, Sign::yes, [](W a, W b, W) { return a + b; }),
      overflowing(Op::s_sub_i32, Sign::yes, [](W a, W b, W) { return a - b; }),
      overflowing(Op::s_addc_u32, Sign::no, [](W a, W b, W in) { return a + b + in; }),
      overflowing(Op::s_subb_u32, Sign::no, [](W a, W b, W in) { return a - b - in; }),
      overflowing(Op::s_lshl1_add_u32, Sign::no, [](W a, W b, W) { return 2 * a + b; }),
      overflowing(Op::s_lshl2_add_u32, Sign::no, [](W a, W b, W) { return 4 * a + b; }),
      overflowing(Op::s_lshl3_add_u32, Sign::no, [](W a, W b, W) { return 8 * a + b; }),
      overflowing(Op::s_lshl4_add_u32, Sign::no, [](W a, W b, W) { return 16 * a + b; }),
      chosen(Op::s_min_i32, Sign::yes, [](W a, W b) { return a < b; }),
      chosen(Op::s_min_u32, Sign::no, [](W a, W b) { return a < b; }),
      // With equal operands the guides differ: a > b on RDNA 2, a >= b on RDNA 3 (docs/isa-errata.md, "`s_max_i32`").
      chosen(Op::s_max_i32, Sign::yes, [](W a, W b) { return a > b; }),
      chosen(Op::s_max_u32, Sign::no, [](W a, W b) { return a > b; }),
      plain(Op::s_mul_i32, 32, [](V a, V b) { return a * b; }),
      plain(Op::s_mul_hi_u32, 32, [](V a, V b) { return V{unsigned32(a)} * unsigned32(b) >> 32; }),
      plain(Op::s_mul_hi_i32, 32, [](V a, V b) { return static_cast<V>(W{signed32(a)} * signed32(b) >> 32); }),
      tested(Op::s_absdiff_i32, 32,
             [](V a, V b) {
               const U difference = unsigned32(a) - unsigned32(b);
               return V{difference >> 31 != 0 ? 0 - difference : difference};
             }),
      tested(Op::s_abs_i32, 32,
             [](V a, V) { return static_cast<V>(signed32(a) < 0 ? -W{signed32(a)} : W{signed32(a)}); }),
      plain(Op::s_add_nc_u64, 64, [](V a, V b) { return a + b; }),
      plain(Op::s_sub_nc_u64, 64, [](V a, V b) { return a - b; }),
      plain(Op::s_mul_u64, 64, [](V a, V b) { return a * b; }),
      plain(Op::s_sext_i32_i8, 32, [](V a, V) { return static_cast<V>(low_signed(a, 8)); }),
      plain(Op::s_sext_i32_i16, 32, [](V a, V) { return static_cast<V>(low_signed(a, 16)); }),
      plain(Op::s_pack_ll_b32_b16, 32, [](V a, V b) { return (a & 0xffff) + 0x10000 * (b & 0xffff); }),
      plain(Op::s_pack_lh_b32_b16, 32, [](V a, V b) { return (a & 0xffff) + 0x10000 * (b >> 16); }),
      plain(Op::s_pack_hh_b32_b16, 32, [](V a, V b) { return (a >> 16) + 0x10000 * (b >> 16); }),
      plain(Op::s_pack_hl_b32_b16, 32, [](V a, V b) { return (a >> 16) + 0x10000 * (b & 0xffff); }),
  };
  return rows;
}

struct Logic {
  Op narrow, wide;
  V (*function)(V a, V b);
};
constexpr Logic kLogic[] = {
    {Op::s_and_b32, Op::s_and_b64, [](V a, V b) { return a & b; }},
    {Op::s_or_b32, Op::s_or_b64, [](V a, V b) { return a | b; }},
    {Op::s_xor_b32, Op::s_xor_b64, [](V a, V b) { return a ^ b; }},
    {Op::s_andn2_b32, Op::s_andn2_b64, [](V a, V b) { return a & ~b; }},
    {Op::s_orn2_b32, Op::s_orn2_b64, [](V a, V b) { return a | ~b; }},
    {Op::s_nand_b32, Op::s_nand_b64, [](V a, V b) { return ~(a & b); }},
    {Op::s_nor_b32, Op::s_nor_b64, [](V a, V b) { return ~(a | b); }},
    {Op::s_xnor_b32, Op::s_xnor_b64, [](V a, V b) { return ~(a ^ b); }},
    {Op::s_not_b32, Op::s_not_b64, [](V a, V) { return ~a; }},
};
/// D = exec, exec = F(S0, exec), SCC = exec is not zero; the "wrexec" forms write the new exec to D.
constexpr Logic kSaveExec[] = {
    {Op::s_and_saveexec_b32, Op::s_and_saveexec_b64, [](V s, V e) { return s & e; }},
    {Op::s_or_saveexec_b32, Op::s_or_saveexec_b64, [](V s, V e) { return s | e; }},
    {Op::s_xor_saveexec_b32, Op::s_xor_saveexec_b64, [](V s, V e) { return s ^ e; }},
    {Op::s_andn2_saveexec_b32, Op::s_andn2_saveexec_b64, [](V s, V e) { return s & ~e; }},
    {Op::s_orn2_saveexec_b32, Op::s_orn2_saveexec_b64, [](V s, V e) { return s | ~e; }},
    {Op::s_nand_saveexec_b32, Op::s_nand_saveexec_b64, [](V s, V e) { return ~(s & e); }},
    {Op::s_nor_saveexec_b32, Op::s_nor_saveexec_b64, [](V s, V e) { return ~(s | e); }},
    {Op::s_xnor_saveexec_b32, Op::s_xnor_saveexec_b64, [](V s, V e) { return ~(s ^ e); }},
    {Op::s_andn1_saveexec_b32, Op::s_andn1_saveexec_b64, [](V s, V e) { return ~s & e; }},
    {Op::s_orn1_saveexec_b32, Op::s_orn1_saveexec_b64, [](V s, V e) { return ~s | e; }},
};
constexpr Logic kWriteExec[] = {
    {Op::s_andn1_wrexec_b32, Op::s_andn1_wrexec_b64, [](V s, V e) { return ~s & e; }},
    {Op::s_andn2_wrexec_b32, Op::s_andn2_wrexec_b64, [](V s, V e) { return s & ~e; }},
};

ScalarRow changes_exec(Op opcode, unsigned bits, V (*function)(V, V), bool writes_new) {
  return {opcode, [=](const ScalarIn& in) {
            const V next = masked(function(in.a, in.exec), bits);
            return ScalarOut{writes_new ? next : in.exec, next != 0, next};
          }};
}

std::vector<ScalarRow> logic() {
  std::vector<ScalarRow> rows;
  for (const Logic& op : kLogic) {
    rows.push_back(tested(op.narrow, 32, op.function));
    rows.push_back(tested(op.wide, 64, op.function));
  }
  for (const Logic& op : kSaveExec) {
    rows.push_back(changes_exec(op.narrow, 32, op.function, false));
    rows.push_back(changes_exec(op.wide, 64, op.function, false));
  }
  for (const Logic& op : kWriteExec) {
    rows.push_back(changes_exec(op.narrow, 32, op.function, true));
    rows.push_back(changes_exec(op.wide, 64, op.function, true));
  }
  return rows;
}

// ---- bits ----

/// Position of the first bit with the value, counted from one end; all ones where there is none.
V first_bit(V value, unsigned bits, unsigned wanted, bool from_top) {
  for (unsigned i = 0; i < bits; ++i) {
    if ((value >> (from_top ? bits - 1 - i : i) & 1) == wanted) return i;
  }
  return 0xffffffff;
}
V first_unlike_sign(V value, unsigned bits) {
  const unsigned sign = static_cast<unsigned>(value >> (bits - 1) & 1);
  return first_bit(value, bits, 1 - sign, true);
}
V count(V value, unsigned bits, unsigned wanted) {
  V sum = 0;
  for (unsigned i = 0; i < bits; ++i) sum += (value >> i & 1) == wanted ? 1 : 0;
  return sum;
}
/// Each group of four bits: whether one is set, as `result_bits` equal bits.
V quads(V value, unsigned bits, unsigned result_bits) {
  V result = 0;
  for (unsigned i = 0; i < bits / 4; ++i) {
    if ((value >> (4 * i) & 15) != 0) result |= ((V{1} << result_bits) - 1) << (result_bits * i);
  }
  return result;
}
/// Offset in the low bits of source 1, width in bits 22:16.
V field_of(V value, V where, unsigned bits, bool is_signed) {
  const unsigned offset = where % bits, width = static_cast<unsigned>(where >> 16 & 127);
  V result = 0;
  for (unsigned i = 0; i < bits; ++i) {
    const unsigned at = i < width ? i : width - 1;  // the sign is repeated
    if (width == 0 || (i >= width && !is_signed)) continue;
    const unsigned from = offset + at;
    const bool sign = is_signed && (value >> (bits - 1) & 1) != 0;
    if (from < bits ? (value >> from & 1) != 0 : sign) result |= V{1} << i;
  }
  return result;
}

template <unsigned Bits>
void add_bits(std::vector<ScalarRow>& rows, Op brev, Op bcnt0, Op bcnt1, Op ff0, Op ff1, Op flbit, Op flbit_signed,
              Op wqm, Op quadmask, Op lshl, Op lshr, Op ashr, Op bfm, Op bfe_u, Op bfe_i) {
  rows.push_back(plain(brev, Bits, [](V a, V) {
    V result = 0;
    for (unsigned i = 0; i < Bits; ++i) result |= (a >> i & 1) << (Bits - 1 - i);
    return result;
  }));
  rows.push_back(tested(bcnt0, 32, [](V a, V) { return count(a, Bits, 0); }));
  rows.push_back(tested(bcnt1, 32, [](V a, V) { return count(a, Bits, 1); }));
  rows.push_back(plain(ff0, 32, [](V a, V) { return first_bit(a, Bits, 0, false); }));
  rows.push_back(plain(ff1, 32, [](V a, V) { return first_bit(a, Bits, 1, false); }));
  rows.push_back(plain(flbit, 32, [](V a, V) { return first_bit(a, Bits, 1, true); }));
  rows.push_back(plain(flbit_signed, 32, [](V a, V) { return first_unlike_sign(a, Bits); }));
  rows.push_back(tested(wqm, Bits, [](V a, V) { return quads(a, Bits, 4); }));
  rows.push_back(tested(quadmask, Bits, [](V a, V) { return quads(a, Bits, 1); }));
  rows.push_back(tested(lshl, Bits, [](V a, V b) { return a << b % Bits; }));
  rows.push_back(tested(lshr, Bits, [](V a, V b) { return masked(a, Bits) >> b % Bits; }));
  rows.push_back(tested(ashr, Bits, [](V a, V b) {
    const W value = Bits == 64 ? static_cast<W>(a) : W{signed32(a)};
    return static_cast<V>(value >> b % Bits);
  }));
  rows.push_back(plain(bfm, Bits, [](V a, V b) { return ((V{1} << a % Bits) - 1) << b % Bits; }));
  rows.push_back(tested(bfe_u, Bits, [](V a, V b) { return field_of(a, b, Bits, false); }));
  rows.push_back(tested(bfe_i, Bits, [](V a, V b) { return field_of(a, b, Bits, true); }));
}

std::vector<ScalarRow> bits() {
  std::vector<ScalarRow> rows;
  add_bits<32>(rows, Op::s_brev_b32, Op::s_bcnt0_i32_b32, Op::s_bcnt1_i32_b32, Op::s_ff0_i32_b32, Op::s_ff1_i32_b32,
               Op::s_flbit_i32_b32, Op::s_flbit_i32, Op::s_wqm_b32, Op::s_quadmask_b32, Op::s_lshl_b32, Op::s_lshr_b32,
               Op::s_ashr_i32, Op::s_bfm_b32, Op::s_bfe_u32, Op::s_bfe_i32);
  add_bits<64>(rows, Op::s_brev_b64, Op::s_bcnt0_i32_b64, Op::s_bcnt1_i32_b64, Op::s_ff0_i32_b64, Op::s_ff1_i32_b64,
               Op::s_flbit_i32_b64, Op::s_flbit_i32_i64, Op::s_wqm_b64, Op::s_quadmask_b64, Op::s_lshl_b64,
               Op::s_lshr_b64, Op::s_ashr_i64, Op::s_bfm_b64, Op::s_bfe_u64, Op::s_bfe_i64);
  rows.push_back(plain(Op::s_bitreplicate_b64_b32, 64, [](V a, V) {
    V result = 0;
    for (unsigned i = 0; i < 64; ++i) result |= (a >> (i / 2) & 1) << i;
    return result;
  }));
  const auto set_bit = [](Op opcode, unsigned width, bool value) {
    return ScalarRow{opcode, [=](const ScalarIn& in) {
                       const V bit = V{1} << in.a % width;
                       return ScalarOut{masked(value ? in.old | bit : in.old & ~bit, width), {}, {}};
                     }};
  };
  rows.push_back(set_bit(Op::s_bitset0_b32, 32, false));
  rows.push_back(set_bit(Op::s_bitset1_b32, 32, true));
  rows.push_back(set_bit(Op::s_bitset0_b64, 64, false));
  rows.push_back(set_bit(Op::s_bitset1_b64, 64, true));
  return rows;
}

// ---- moves, selections, comparisons ----

std::vector<ScalarRow> moves() {
  const auto select = [](const ScalarIn& in) { return ScalarOut{in.scc ? in.a : in.b, {}, {}}; };
  const auto move_if = [](const ScalarIn& in) { return in.scc ? ScalarOut{in.a, {}, {}} : ScalarOut{}; };
  const auto immediate = [](const ScalarIn& in) { return static_cast<V>(low_signed(in.imm, 16)); };
  return {
      plain(Op::s_mov_b32, 32, [](V a, V) { return a; }),
      plain(Op::s_mov_b64, 64, [](V a, V) { return a; }),
      {Op::s_cmov_b32, move_if},
      {Op::s_cmov_b64, move_if},
      {Op::s_cselect_b32, select},
      {Op::s_cselect_b64, select},
      {Op::s_movk_i32,
       [immediate](const ScalarIn& in) {
         return ScalarOut{immediate(in), {}, {}};
       }},
      {Op::s_cmovk_i32,
       [immediate](const ScalarIn& in) {
         return in.scc ? ScalarOut{immediate(in), {}, {}} : ScalarOut{};
       }},
      {Op::s_addk_i32,
       [](const ScalarIn& in) {
         const W exact = signed32(in.old) + low_signed(in.imm, 16);
         return ScalarOut{unsigned32(static_cast<V>(exact)), exact < INT32_MIN || exact > INT32_MAX, {}};
       }},
      {Op::s_mulk_i32,
       [](const ScalarIn& in) {
         return ScalarOut{unsigned32(static_cast<V>(signed32(in.old) * low_signed(in.imm, 16))), {}, {}};
       }},
  };
}

struct Condition {
  const char* name;
  bool (*holds)(W a, W b);
};
constexpr Condition kConditions[] = {
    {"eq", [](W a, W b) { return a == b; }}, {"lg", [](W a, W b) { return a != b; }},
    {"gt", [](W a, W b) { return a > b; }},  {"ge", [](W a, W b) { return a >= b; }},
    {"lt", [](W a, W b) { return a < b; }},  {"le", [](W a, W b) { return a <= b; }},
};

ScalarRow compares(Op opcode, bool is_signed, bool with_immediate, bool (*holds)(W, W)) {
  ScalarRow row{opcode, [=](const ScalarIn& in) {
                  const auto number = [is_signed](V x, unsigned bits) {
                    return is_signed ? low_signed(x, bits) : low_unsigned(x, bits);
                  };
                  const W b = with_immediate ? number(in.imm, 16) : number(in.b, 32);
                  return ScalarOut{{}, holds(number(in.a, 32), b), {}};
                }};
  row.inputs = [](unsigned, std::mt19937& random) -> V {
    const V values[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, random(), random() & 0xffff, 0xffff8000 | random()};
    return values[random() % 8];
  };
  return row;
}

std::vector<ScalarRow> comparisons() {
  std::vector<ScalarRow> rows;
  for (const Condition& condition : kConditions) {
    for (const std::string type : {"i32", "u32"}) {
      const std::string name = std::string(condition.name) + "_" + type;
      rows.push_back(compares(isa::find_opcode("s_cmp_" + name), type == "i32", false, condition.holds));
      rows.push_back(compares(isa::find_opcode("s_cmpk_" + name), type == "i32", true, condition.holds));
    }
  }
  const auto equal = [](Op opcode, bool wanted) {
    ScalarRow row{opcode, [wanted](const ScalarIn& in) { return ScalarOut{{}, (in.a == in.b) == wanted, {}}; }};
    row.inputs = [](unsigned, std::mt19937& random) -> V {
      return (random() % 2) | static_cast<V>(random() % 2) << 32;
    };
    return row;
  };
  rows.push_back(equal(Op::s_cmp_eq_u64, true));
  rows.push_back(equal(Op::s_cmp_lg_u64, false));
  const auto bit = [](Op opcode, unsigned bits_of_value, unsigned wanted) {
    return ScalarRow{opcode, [=](const ScalarIn& in) {
                       return ScalarOut{{}, (in.a >> in.b % bits_of_value & 1) == wanted, {}};
                     }};
  };
  rows.push_back(bit(Op::s_bitcmp0_b32, 32, 0));
  rows.push_back(bit(Op::s_bitcmp1_b32, 32, 1));
  rows.push_back(bit(Op::s_bitcmp0_b64, 64, 0));
  rows.push_back(bit(Op::s_bitcmp1_b64, 64, 1));
  return rows;
}

}  // namespace

void add_scalar_integer(Proofs& proofs) {
  add_scalar_rows(proofs, arithmetic());
  add_scalar_rows(proofs, logic());
  add_scalar_rows(proofs, bits());
  add_scalar_rows(proofs, moves());
  add_scalar_rows(proofs, comparisons());
}

}  // namespace spalt::semantics
