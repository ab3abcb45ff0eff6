// SPDX-License-Identifier: MIT
#include "machine_integer.h"

#include <map>

namespace spalt::prove {

namespace {

using Words = const Formulas&;
using Rule = z3::expr (*)(Words);

z3::expr like(const z3::expr& a, uint64_t value) {
  return number(a.ctx(), value, a.get_sort().bv_size());
}
z3::expr low16(const z3::expr& a) {
  return a.extract(15, 0);
}
z3::expr low32(const z3::expr& a) {
  return resize(a, 32);
}
z3::expr smaller(const z3::expr& a, const z3::expr& b, bool is_signed) {
  return z3::ite(is_signed ? z3::slt(a, b) : z3::ult(a, b), a, b);
}
z3::expr larger(const z3::expr& a, const z3::expr& b, bool is_signed) {
  return z3::ite(is_signed ? z3::sgt(a, b) : z3::ugt(a, b), a, b);
}
z3::expr middle(Words o, bool is_signed) {
  const z3::expr top = larger(larger(o[0], o[1], is_signed), o[2], is_signed);
  return z3::ite(top == o[0], larger(o[1], o[2], is_signed),
                 z3::ite(top == o[1], larger(o[0], o[2], is_signed), larger(o[0], o[1], is_signed)));
}
/// An amount for a value of this many bits, a power of two.
z3::expr amount(const z3::expr& by, unsigned bits) {
  return resize(resize(by, 32) & number(by.ctx(), bits - 1, 32), bits);
}
/// Zeros above the highest one; all ones if there is none.
z3::expr leading_zeros(const z3::expr& a) {
  const unsigned width = a.get_sort().bv_size();
  z3::expr found = number(a.ctx(), 0xffffffff, 32);
  for (unsigned i = 0; i < width; ++i) {
    found = z3::ite(truth(a.extract(i, i)), number(a.ctx(), width - 1 - i, 32), found);
  }
  return found;
}
z3::expr leading_signs(const z3::expr& a) {
  return leading_zeros(z3::ite(a < 0, ~a, a));
}
z3::expr lowest_one(const z3::expr& a) {
  const unsigned width = a.get_sort().bv_size();
  z3::expr found = number(a.ctx(), 0xffffffff, 32);
  for (unsigned i = width; i-- != 0;) found = z3::ite(truth(a.extract(i, i)), number(a.ctx(), i, 32), found);
  return found;
}
z3::expr reversed(const z3::expr& a) {
  z3::expr bits = a.extract(0, 0);
  for (unsigned i = 1; i < a.get_sort().bv_size(); ++i) bits = z3::concat(bits, a.extract(i, i));
  return bits;
}
z3::expr high_half(const z3::expr& a, const z3::expr& b, bool is_signed) {
  const z3::expr wide = is_signed ? z3::sext(a, 32) * z3::sext(b, 32) : z3::zext(a, 32) * z3::zext(b, 32);
  return wide.extract(63, 32);
}
/// Below 2^16, or the largest number of 16 bits.
z3::expr saturated16(const z3::expr& a) {
  return low16(smaller(a, like(a, 0xffff), false));
}
/// Between the limits of signed numbers of 16 bits.
z3::expr saturated16_signed(const z3::expr& a) {
  return low16(larger(smaller(a, like(a, 0x7fff), true), like(a, 0xffff8000), true));
}

/// What an operation of 16 bits does to its sources, by the name without unit and type.
std::optional<z3::expr> half_operation(std::string_view name, Words o) {
  const auto is = [&](std::string_view what) { return name == what; };
  if (is("add_nc_u16") || is("add_u16") || is("add_i16") || is("add_nc_i16")) return o[0] + o[1];
  if (is("sub_nc_u16") || is("sub_u16") || is("sub_i16") || is("sub_nc_i16")) return o[0] - o[1];
  if (is("subrev_u16")) return o[1] - o[0];
  if (is("mul_lo_u16")) return o[0] * o[1];
  if (is("mad_u16") || is("mad_i16")) return o[0] * o[1] + o[2];
  if (is("lshlrev_b16")) return z3::shl(o[1], amount(o[0], 16));
  if (is("lshrrev_b16")) return z3::lshr(o[1], amount(o[0], 16));
  if (is("ashrrev_i16")) return z3::ashr(o[1], amount(o[0], 16));
  if (is("min_i16") || is("min_u16")) return smaller(o[0], o[1], is("min_i16"));
  if (is("max_i16") || is("max_u16")) return larger(o[0], o[1], is("max_i16"));
  return std::nullopt;
}

/// The sum of products of bytes; a bit of `is_signed` for each of the two sources.
z3::expr dot_of_bytes(Words o, unsigned is_signed) {
  z3::expr sum = o[2];
  for (unsigned i = 0; i < 4; ++i) {
    const auto byte = [&](unsigned source) {
      const z3::expr bits = o[source].extract(8 * i + 7, 8 * i);
      return (is_signed >> source & 1) != 0 ? z3::sext(bits, 24) : z3::zext(bits, 24);
    };
    sum = sum + byte(0) * byte(1);
  }
  return sum;
}

const std::map<std::string_view, Rule>& word_rules() {
  static const std::map<std::string_view, Rule> all = {
      {"v_min3_u32", [](Words o) { return smaller(smaller(o[0], o[1], false), o[2], false); }},
      {"v_max3_u32", [](Words o) { return larger(larger(o[0], o[1], false), o[2], false); }},
      {"v_min3_i32", [](Words o) { return smaller(smaller(o[0], o[1], true), o[2], true); }},
      {"v_max3_i32", [](Words o) { return larger(larger(o[0], o[1], true), o[2], true); }},
      {"v_med3_u32", [](Words o) { return middle(o, false); }},
      {"v_med3_i32", [](Words o) { return middle(o, true); }},
      {"v_ffbh_u32", [](Words o) { return leading_zeros(o[0]); }},
      {"v_ffbh_i32", [](Words o) { return leading_signs(o[0]); }},
      {"v_ffbl_b32", [](Words o) { return lowest_one(o[0]); }},
      {"v_bfm_b32",
       [](Words o) {
         const z3::expr one = like(o[0], 1);
         return z3::shl(z3::shl(one, amount(o[0], 32)) - one, amount(o[1], 32));
       }},
      {"v_cvt_pk_u16_u32", [](Words o) { return z3::concat(saturated16(o[1]), saturated16(o[0])); }},
      {"v_cvt_pk_i16_i32", [](Words o) { return z3::concat(saturated16_signed(o[1]), saturated16_signed(o[0])); }},
      {"v_lshlrev_b64", [](Words o) { return z3::shl(o[1], amount(o[0], 64)); }},
      {"v_lshrrev_b64", [](Words o) { return z3::lshr(o[1], amount(o[0], 64)); }},
      {"v_ashrrev_i64", [](Words o) { return z3::ashr(o[1], amount(o[0], 64)); }},
      {"v_dot4_u32_u8", [](Words o) { return dot_of_bytes(o, 0); }},
      {"v_dot4_i32_i8", [](Words o) { return dot_of_bytes(o, 3); }},
      {"v_dot4c_i32_i8", [](Words o) { return dot_of_bytes(o, 3); }},
  };
  return all;
}

/// One result and no scc.
const std::map<std::string_view, Rule>& scalar_rules() {
  static const std::map<std::string_view, Rule> all = {
      {"s_mul_hi_u32", [](Words o) { return high_half(o[0], o[1], false); }},
      {"s_mul_hi_i32", [](Words o) { return high_half(o[0], o[1], true); }},
      {"s_mul_u64", [](Words o) { return o[0] * o[1]; }},
      {"s_add_nc_u64", [](Words o) { return o[0] + o[1]; }},
      {"s_sub_nc_u64", [](Words o) { return o[0] - o[1]; }},
      {"s_sext_i32_i8", [](Words o) { return z3::sext(o[0].extract(7, 0), 24); }},
      {"s_sext_i32_i16", [](Words o) { return z3::sext(low16(o[0]), 16); }},
      {"s_brev_b32", [](Words o) { return reversed(o[0]); }},
      {"s_brev_b64", [](Words o) { return reversed(o[0]); }},
      {"s_ff1_i32_b32", [](Words o) { return lowest_one(o[0]); }},
      {"s_ff1_i32_b64", [](Words o) { return lowest_one(o[0]); }},
      {"s_flbit_i32_b32", [](Words o) { return leading_zeros(o[0]); }},
      {"s_flbit_i32_b64", [](Words o) { return leading_zeros(o[0]); }},
      {"s_flbit_i32", [](Words o) { return leading_signs(o[0]); }},
      {"s_bfm_b32",
       [](Words o) {
         const z3::expr one = like(o[0], 1);
         return z3::shl(z3::shl(one, amount(o[0], 32)) - one, amount(o[1], 32));
       }},
      {"s_pack_ll_b32_b16", [](Words o) { return z3::concat(low16(o[1]), low16(o[0])); }},
      {"s_pack_lh_b32_b16", [](Words o) { return z3::concat(o[1].extract(31, 16), low16(o[0])); }},
      {"s_pack_hh_b32_b16", [](Words o) { return z3::concat(o[1].extract(31, 16), o[0].extract(31, 16)); }},
  };
  return all;
}

/// A field whose offset is in the low bits of the second source, whose width from bit 16 on.
z3::expr scalar_field(Words o, bool is_signed) {
  const unsigned bits = o[0].get_sort().bv_size();
  const z3::expr how = low32(o[1]);
  const z3::expr offset = amount(how, bits), width = resize(how.extract(22, 16), bits);
  const z3::expr part = z3::lshr(o[0], offset), size = like(o[0], bits);
  const z3::expr rest = size - width;
  const z3::expr inside = is_signed ? z3::ashr(z3::shl(part, rest), rest) : z3::lshr(z3::shl(part, rest), rest);
  const z3::expr all = is_signed ? z3::ashr(o[0], offset) : part;
  return z3::ite(width == like(o[0], 0), like(o[0], 0), z3::ite(z3::uge(offset + width, size), all, inside));
}

z3::expr flag(const z3::expr& condition) {
  return z3::zext(from_bool(condition), 31);
}

/// A sum or difference with scc as the carry or borrow into and out of it.
MachineResult with_carry(Words o, bool is_sum) {
  const z3::expr a = z3::zext(o[0], 1), b = z3::zext(o[1], 1), carry = z3::zext(o[2].extract(0, 0), 32);
  const z3::expr wide = is_sum ? a + b + carry : a - b - carry;
  return {{low32(wide), flag(truth(wide.extract(32, 32)))}, {}};
}

}  // namespace

z3::expr ones_in(const z3::expr& bits, unsigned width) {
  z3::expr sum = number(bits.ctx(), 0, width);
  for (unsigned i = 0; i < bits.get_sort().bv_size(); ++i) sum = sum + resize(bits.extract(i, i), width);
  return sum;
}

std::optional<z3::expr> integer_compared(std::string_view how, std::string_view type, const z3::expr& a,
                                         const z3::expr& b) {
  if (type.size() < 3 || (type[0] != 'i' && type[0] != 'u')) return std::nullopt;
  const bool is_signed = type[0] == 'i';
  if (how == "eq") return a == b;
  if (how == "ne" || how == "lg") return a != b;
  if (how == "lt") return is_signed ? z3::slt(a, b) : z3::ult(a, b);
  if (how == "le") return is_signed ? z3::sle(a, b) : z3::ule(a, b);
  if (how == "gt") return is_signed ? z3::sgt(a, b) : z3::ugt(a, b);
  if (how == "ge") return is_signed ? z3::sge(a, b) : z3::uge(a, b);
  return std::nullopt;
}

std::optional<z3::expr> vector_integer(const MachineInput& in) {
  const Formulas& o = in.uses;
  const std::string_view name = in.name;
  isa::Modifiers m = in.modifiers;
  if (name == "v_dot4_i32_iu8") {
    const unsigned is_signed = m.neg;
    m.neg = m.op_sel_hi = 0;
    if (m != isa::kNoModifiers) return std::nullopt;
    return dot_of_bytes(o, is_signed);
  }
  if (name.starts_with("v_dot4_")) m.op_sel_hi = 0;
  if (m != isa::kNoModifiers) return std::nullopt;
  if (const auto rule = word_rules().find(name); rule != word_rules().end()) return rule->second(o);
  if (name == "v_mbcnt_lo_u32_b32" || name == "v_mbcnt_hi_u32_b32") {
    const z3::expr lane = resize(in.lane, 64);
    const z3::expr below = z3::shl(like(lane, 1), lane) - like(lane, 1);
    const bool is_low = name == "v_mbcnt_lo_u32_b32";
    return ones_in(o[0] & (is_low ? below.extract(31, 0) : below.extract(63, 32)), 32) + o[1];
  }
  if (!name.starts_with("v_")) return std::nullopt;
  Formulas halves;
  for (const z3::expr& use : o) halves.push_back(low16(use));
  return half_operation(name.substr(2), halves);
}

std::optional<MachineResult> scalar_integer(const MachineInput& in) {
  const Formulas& o = in.uses;
  const std::string_view name = in.name;
  if (const auto rule = scalar_rules().find(name); rule != scalar_rules().end()) {
    return MachineResult{{rule->second(o)}, {}};
  }
  if (name == "s_addc_u32") return with_carry(o, true);
  if (name == "s_subb_u32") return with_carry(o, false);
  if (name.starts_with("s_bfe_")) {
    const z3::expr result = scalar_field(o, name.substr(6, 1) == "i");
    return MachineResult{{result, flag(result != like(result, 0))}, {}};
  }
  if (name == "s_bcnt1_i32_b32" || name == "s_bcnt1_i32_b64") {
    const z3::expr result = ones_in(o[0], 32);
    return MachineResult{{result, flag(result != like(result, 0))}, {}};
  }
  if (name.starts_with("s_min_") || name.starts_with("s_max_")) {
    const std::string_view type = name.substr(6);
    const auto first = integer_compared(name.starts_with("s_min_") ? "lt" : "gt", type, o[0], o[1]);
    if (!first) return std::nullopt;
    return MachineResult{{z3::ite(*first, o[0], o[1]), flag(*first)}, {}};
  }
  if (name.size() == 15 && name.starts_with("s_lshl") && name.ends_with("_add_u32")) {
    const unsigned by = static_cast<unsigned>(name[6] - '0');
    const z3::expr wide = z3::shl(z3::zext(o[0], 32), number(o[0].ctx(), by, 64)) + z3::zext(o[1], 32);
    return MachineResult{{low32(wide), flag(wide.extract(63, 32) != like(o[0], 0))}, {}};
  }
  return std::nullopt;
}

std::optional<z3::expr> packed_integer(std::string_view what, const Formulas& low, const Formulas& high) {
  const auto a = half_operation(what, low), b = half_operation(what, high);
  if (!a || !b) return std::nullopt;
  return z3::concat(*b, *a);
}

}  // namespace spalt::prove
