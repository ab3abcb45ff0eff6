// SPDX-License-Identifier: MIT
#include "machine_formula.h"

#include <map>

#include "float_function.h"
#include "machine_float.h"
#include "machine_integer.h"

namespace spalt::prove {

namespace {

using Words = const Formulas&;
using Rule = z3::expr (*)(Words);

z3::expr word(const z3::expr& like, uint64_t value) {
  return number(like.ctx(), value, like.get_sort().bv_size());
}
/// The low bits of a shift amount that count.
z3::expr amount(const z3::expr& by) {
  return by & word(by, by.get_sort().bv_size() - 1);
}
z3::expr shifted(const z3::expr& a, const z3::expr& by) {
  return z3::shl(a, amount(by));
}
z3::expr low(const z3::expr& a, unsigned bits) {
  return a.extract(bits - 1, 0);
}
z3::expr product24(Words o, bool is_signed) {
  const z3::expr a = low(o[0], 24), b = low(o[1], 24);
  return is_signed ? z3::sext(a, 8) * z3::sext(b, 8) : z3::zext(a, 8) * z3::zext(b, 8);
}
z3::expr high_product(Words o, bool is_signed) {
  const z3::expr wide = is_signed ? z3::sext(o[0], 32) * z3::sext(o[1], 32) : z3::zext(o[0], 32) * z3::zext(o[1], 32);
  return wide.extract(63, 32);
}
z3::expr minimum(const z3::expr& a, const z3::expr& b, bool is_signed) {
  return z3::ite(is_signed ? z3::slt(a, b) : z3::ult(a, b), a, b);
}
z3::expr maximum(const z3::expr& a, const z3::expr& b, bool is_signed) {
  return z3::ite(is_signed ? z3::sgt(a, b) : z3::ugt(a, b), a, b);
}
/// Offset and width in five bits each; a field that leaves the word has the bits up to its end.
z3::expr field(Words o, bool is_signed) {
  const z3::expr offset = o[1] & word(o[1], 31), width = o[2] & word(o[2], 31), zero = word(o[0], 0);
  const z3::expr rest = word(o[0], 32) - width;
  const z3::expr part = z3::lshr(o[0], offset);
  if (!is_signed) return z3::ite(width == zero, zero, part & (z3::shl(word(o[0], 1), width) - word(o[0], 1)));
  const z3::expr inside = z3::ashr(z3::shl(part, rest), rest);
  const z3::expr outside = z3::ashr(o[0], offset);
  return z3::ite(width == zero, zero, z3::ite(z3::ugt(offset + width, word(o[0], 32)), outside, inside));
}
/// Selectors 0 to 3 are the bytes of the second source, 4 to 7 those of the first; above, signs and constants.
z3::expr permuted(Words o) {
  z3::context& c = o[0].ctx();
  const z3::expr both = z3::concat(o[0], o[1]);
  Formulas bytes;
  for (unsigned i = 0; i < 4; ++i) {
    const z3::expr selector = o[2].extract(8 * i + 7, 8 * i);
    z3::expr byte = number(c, 0xff, 8);
    byte = z3::ite(selector == number(c, 12, 8), number(c, 0, 8), byte);
    for (unsigned k = 0; k < 4; ++k) {
      const z3::expr sign = both.extract(16 * k + 15, 16 * k + 15);
      byte = z3::ite(selector == number(c, 8 + k, 8), z3::sext(sign, 7), byte);
    }
    for (unsigned k = 0; k < 8; ++k) byte = z3::ite(selector == number(c, k, 8), both.extract(8 * k + 7, 8 * k), byte);
    bytes.push_back(byte);
  }
  return z3::concat(z3::concat(bytes[3], bytes[2]), z3::concat(bytes[1], bytes[0]));
}
z3::expr counted(const z3::expr& a) {
  z3::expr sum = word(a, 0);
  for (unsigned i = 0; i < 32; ++i) sum = sum + resize(a.extract(i, i), 32);
  return sum;
}
z3::expr reversed(const z3::expr& a) {
  z3::expr bits = a.extract(0, 0);
  for (unsigned i = 1; i < 32; ++i) bits = z3::concat(bits, a.extract(i, i));
  return bits;
}

/// Integer instructions with one result.
const std::map<std::string_view, Rule>& rules() {
  static const std::map<std::string_view, Rule> all = {
      {"v_mov_b32", [](Words o) { return o[0]; }},
      {"v_not_b32", [](Words o) { return ~o[0]; }},
      {"v_and_b32", [](Words o) { return o[0] & o[1]; }},
      {"v_or_b32", [](Words o) { return o[0] | o[1]; }},
      {"v_xor_b32", [](Words o) { return o[0] ^ o[1]; }},
      {"v_xnor_b32", [](Words o) { return ~(o[0] ^ o[1]); }},
      {"v_add_nc_u32", [](Words o) { return o[0] + o[1]; }},
      {"v_sub_nc_u32", [](Words o) { return o[0] - o[1]; }},
      {"v_subrev_nc_u32", [](Words o) { return o[1] - o[0]; }},
      {"v_mul_lo_u32", [](Words o) { return o[0] * o[1]; }},
      {"v_mul_hi_u32", [](Words o) { return high_product(o, false); }},
      {"v_mul_hi_i32", [](Words o) { return high_product(o, true); }},
      {"v_mul_u32_u24", [](Words o) { return product24(o, false); }},
      {"v_mul_i32_i24", [](Words o) { return product24(o, true); }},
      {"v_mad_u32_u24", [](Words o) { return product24(o, false) + o[2]; }},
      {"v_mad_i32_i24", [](Words o) { return product24(o, true) + o[2]; }},
      {"v_lshlrev_b32", [](Words o) { return shifted(o[1], o[0]); }},
      {"v_lshrrev_b32", [](Words o) { return z3::lshr(o[1], amount(o[0])); }},
      {"v_ashrrev_i32", [](Words o) { return z3::ashr(o[1], amount(o[0])); }},
      {"v_min_u32", [](Words o) { return minimum(o[0], o[1], false); }},
      {"v_max_u32", [](Words o) { return maximum(o[0], o[1], false); }},
      {"v_min_i32", [](Words o) { return minimum(o[0], o[1], true); }},
      {"v_max_i32", [](Words o) { return maximum(o[0], o[1], true); }},
      {"v_add3_u32", [](Words o) { return o[0] + o[1] + o[2]; }},
      {"v_lshl_add_u32", [](Words o) { return shifted(o[0], o[1]) + o[2]; }},
      {"v_add_lshl_u32", [](Words o) { return shifted(o[0] + o[1], o[2]); }},
      {"v_lshl_or_b32", [](Words o) { return shifted(o[0], o[1]) | o[2]; }},
      {"v_and_or_b32", [](Words o) { return (o[0] & o[1]) | o[2]; }},
      {"v_or3_b32", [](Words o) { return o[0] | o[1] | o[2]; }},
      {"v_xor3_b32", [](Words o) { return o[0] ^ o[1] ^ o[2]; }},
      {"v_xad_u32", [](Words o) { return (o[0] ^ o[1]) + o[2]; }},
      {"v_bfe_u32", [](Words o) { return field(o, false); }},
      {"v_bfe_i32", [](Words o) { return field(o, true); }},
      {"v_bfi_b32", [](Words o) { return (o[0] & o[1]) | (~o[0] & o[2]); }},
      {"v_alignbit_b32",
       [](Words o) { return low(z3::lshr(z3::concat(o[0], o[1]), resize(o[2] & word(o[2], 31), 64)), 32); }},
      {"v_perm_b32", permuted},
      {"v_bcnt_u32_b32", [](Words o) { return counted(o[0]) + o[1]; }},
      {"v_bfrev_b32", [](Words o) { return reversed(o[0]); }},
      {"v_cvt_u32_u16", [](Words o) { return z3::zext(low(o[0], 16), 16); }},
      {"v_cvt_i32_i16", [](Words o) { return z3::sext(low(o[0], 16), 16); }},
      {"s_mov_b32", [](Words o) { return o[0]; }},
      {"s_mov_b64", [](Words o) { return o[0]; }},
      {"p_copy", [](Words o) { return o[0]; }},
  };
  return all;
}

/// Scalar instructions whose second result is whether the first is anything but zero.
const std::map<std::string_view, Rule>& rules_with_zero() {
  static const std::map<std::string_view, Rule> all = {
      {"s_and", [](Words o) { return o[0] & o[1]; }},
      {"s_or", [](Words o) { return o[0] | o[1]; }},
      {"s_xor", [](Words o) { return o[0] ^ o[1]; }},
      {"s_and_not1", [](Words o) { return o[0] & ~o[1]; }},
      {"s_or_not1", [](Words o) { return o[0] | ~o[1]; }},
      {"s_andn2", [](Words o) { return o[0] & ~o[1]; }},
      {"s_orn2", [](Words o) { return o[0] | ~o[1]; }},
      {"s_nand", [](Words o) { return ~(o[0] & o[1]); }},
      {"s_nor", [](Words o) { return ~(o[0] | o[1]); }},
      {"s_xnor", [](Words o) { return ~(o[0] ^ o[1]); }},
      {"s_not", [](Words o) { return ~o[0]; }},
      {"s_lshl", [](Words o) { return shifted(o[0], resize(o[1], o[0].get_sort().bv_size())); }},
      {"s_lshr", [](Words o) { return z3::lshr(o[0], amount(resize(o[1], o[0].get_sort().bv_size()))); }},
      {"s_ashr", [](Words o) { return z3::ashr(o[0], amount(resize(o[1], o[0].get_sort().bv_size()))); }},
  };
  return all;
}

/// The part of a source that SDWA names: bytes 0 to 3, words 4 and 5.
z3::expr selected(unsigned select, bool extends, const z3::expr& a) {
  if (select >= 6) return a;
  const unsigned width = select < 4 ? 8 : 16, first = select < 4 ? 8 * select : 16 * (select - 4);
  const z3::expr part = a.extract(first + width - 1, first);
  return extends ? z3::sext(part, 32 - width) : z3::zext(part, 32 - width);
}

/// Sums with a carry into or out of them; clamp is not looked at.
std::optional<MachineResult> carry_result(const MachineInput& in) {
  const auto& o = in.uses;
  const std::string_view name = in.name;
  const bool takes = name.find("_co_ci_") != std::string_view::npos,
             gives = name.find("_co_") != std::string_view::npos;
  if (!gives || !is_plain(in.modifiers, false)) return std::nullopt;
  const bool is_sum = name.starts_with("v_add_"), reverse = name.starts_with("v_subrev_");
  if (!is_sum && !reverse && !name.starts_with("v_sub_")) return std::nullopt;
  const z3::expr a = z3::zext(o[reverse ? 1 : 0], 1), b = z3::zext(o[reverse ? 0 : 1], 1);
  const z3::expr carry = takes ? z3::zext(lane_bit(o[2], in.lane), 32) : word(a, 0);
  const z3::expr sum = is_sum ? a + b + carry : a - b - carry;
  return MachineResult{{low(sum, 32)}, truth(sum.extract(32, 32))};
}

/// A comparison, by its name and the type of its sources.
std::optional<z3::expr> compared(std::string_view how, std::string_view type, isa::Modifiers m, Words o) {
  const bool of_floats = type.starts_with("f"), of_halves = type.ends_with("16");
  const auto source = [&](unsigned i) {
    if (!of_halves) return of_floats ? signed_source(m, i, o[i]) : o[i];
    const z3::expr half = (m.op_sel >> i & 1) != 0 ? o[i].extract(31, 16) : low(o[i], 16);
    return of_floats ? signed_source(m, i, half) : half;
  };
  const z3::expr a = source(0), b = source(1);
  if (of_halves) m.op_sel = 0;
  if (!is_plain(m, of_floats) || m.clamp || a.get_sort().bv_size() != b.get_sort().bv_size()) return std::nullopt;
  return of_floats ? float_compared(how, a, b) : integer_compared(how, type, a, b);
}

std::optional<MachineResult> scalar_result(const MachineInput& in) {
  const auto& o = in.uses;
  const std::string_view name = in.name;
  const auto bit = [](const z3::expr& condition) { return z3::zext(from_bool(condition), 31); };
  if (name.starts_with("s_cmp_")) {
    const size_t end = name.find('_', 6);
    if (o.size() != 2) return std::nullopt;
    const auto is = compared(name.substr(6, end - 6), name.substr(end + 1), in.modifiers, o);
    if (!is) return std::nullopt;
    return MachineResult{{bit(*is)}, {}};
  }
  if (name == "s_cselect_b32" || name == "s_cselect_b64") {
    const unsigned width = in.def_bits[0];
    return MachineResult{{z3::ite(truth(o[2].extract(0, 0)), resize(o[0], width), resize(o[1], width))}, {}};
  }
  if (name == "s_add_u32" || name == "s_add_i32" || name == "s_sub_u32" || name == "s_sub_i32") {
    const bool is_sum = name.starts_with("s_add"), is_signed = name.ends_with("i32");
    const z3::expr result = is_sum ? o[0] + o[1] : o[0] - o[1];
    const auto widen = [&](const z3::expr& a) { return is_signed ? z3::sext(a, 1) : z3::zext(a, 1); };
    const z3::expr wide = is_sum ? widen(o[0]) + widen(o[1]) : widen(o[0]) - widen(o[1]);
    return MachineResult{{result, bit(wide != widen(result))}, {}};
  }
  const auto constant = [&](bool is_signed) {
    const uint32_t bits = is_signed ? static_cast<uint32_t>(in.simm16) : static_cast<uint16_t>(in.simm16);
    return number(in.lane.ctx(), bits, 32);
  };
  if (name == "s_movk_i32") return MachineResult{{constant(true)}, {}};
  if (name == "s_mulk_i32") return MachineResult{{o[0] * constant(true)}, {}};
  if (name == "s_addk_i32") {
    const z3::expr result = o[0] + constant(true);
    return MachineResult{{result, bit(z3::sext(o[0], 1) + z3::sext(constant(true), 1) != z3::sext(result, 1))}, {}};
  }
  if (name.starts_with("s_cmpk_")) {
    const size_t end = name.find('_', 7);
    const std::string_view type = name.substr(end + 1);
    const auto is = integer_compared(name.substr(7, end - 7), type, o[0], constant(type == "i32"));
    if (!is) return std::nullopt;
    return MachineResult{{bit(*is)}, {}};
  }
  if (name == "s_mul_i32") return MachineResult{{o[0] * o[1]}, {}};
  if (std::optional<MachineResult> known = scalar_integer(in)) return known;
  if (const auto known = float_result(name, isa::kNoModifiers, o)) return MachineResult{{*known}, {}};
  const size_t ending = name.rfind('_');
  if (ending == std::string_view::npos) return std::nullopt;
  const auto found = rules_with_zero().find(name.substr(0, ending));
  if (found == rules_with_zero().end() || in.def_bits.size() != 2) return std::nullopt;
  const z3::expr result = found->second(o);
  return MachineResult{{result, bit(result != word(result, 0))}, {}};
}

/// A result of 16 bits with what is above it.
z3::expr whole(const MachineInput& in, const z3::expr& bits, bool is_part) {
  if (bits.get_sort().bv_size() != 16) return bits;
  const z3::expr high =
      in.pads_halves || is_part ? number(bits.ctx(), 0, 16) : bits.ctx().bv_const(in.high_name.c_str(), 16);
  return z3::concat(high, bits);
}

}  // namespace

z3::expr lane_bit(const z3::expr& mask, const z3::expr& lane) {
  return z3::lshr(mask, resize(lane, mask.get_sort().bv_size())).extract(0, 0);
}

void select_parts(MachineInput& in) {
  isa::Modifiers& m = in.modifiers;
  for (unsigned i = 0; i < std::min<size_t>(in.uses.size(), 2); ++i) {
    if (m.src_sel[i] != 6) in.uses[i] = selected(m.src_sel[i], (m.sext >> i & 1) != 0, in.uses[i]);
  }
  m.src_sel = {6, 6};
  m.sext = 0;
}

std::optional<MachineResult> machine_formula(const MachineInput& in) {
  const std::string_view name = in.name;
  isa::Modifiers m = in.modifiers;
  const Formulas& o = in.uses;
  if (name.starts_with("s_")) {
    if (const auto rule = rules().find(name); rule != rules().end()) return MachineResult{{rule->second(o)}, {}};
    return scalar_result(in);
  }
  const unsigned place = m.dst_sel, unused = m.dst_unused;
  m.dst_sel = 6;
  m.dst_unused = 0;
  const auto placed = [&](z3::expr result) {
    if (place >= 6) return result;
    const unsigned width = place < 4 ? 8 : 16, first = place < 4 ? 8 * place : 16 * (place - 4);
    const z3::expr mask = word(result, ((uint64_t{1} << width) - 1) << first);
    z3::expr part = z3::shl(result, word(result, first)) & mask;
    if (unused == 2) return (o.back() & ~mask) | part;
    return part;  // zeros beside it
  };
  if (place < 6 && unused == 1) return std::nullopt;
  if (name.starts_with("v_cmp_") && o.size() == 2) {
    const size_t end = name.find('_', 6);
    const auto is = compared(name.substr(6, end - 6), name.substr(end + 1), m, o);
    if (!is) return std::nullopt;
    return MachineResult{{}, *is};
  }
  if (name == "v_cndmask_b32") {
    if (!is_plain(m, true) || m.clamp || m.omod != 0) return std::nullopt;
    const z3::expr a = signed_source(m, 0, o[0]), b = signed_source(m, 1, o[1]);
    return MachineResult{{placed(z3::ite(truth(lane_bit(o[2], in.lane)), b, a))}, {}};
  }
  if (name == "v_mov_b16") {
    isa::Modifiers rest = m;
    rest.op_sel = 0;
    if (!is_plain(rest, false) || o.size() != 2) return std::nullopt;
    const z3::expr half = (m.op_sel & 1) != 0 ? o[0].extract(31, 16) : low(o[0], 16);
    const bool to_high = (m.op_sel & 8) != 0;
    return MachineResult{{to_high ? z3::concat(half, low(o[1], 16)) : z3::concat(o[1].extract(31, 16), half)}, {}};
  }
  if (name == "v_pack_b32_f16") {
    isa::Modifiers rest = m;
    rest.op_sel = 0;
    if (!is_plain(rest, true) || m.clamp || m.omod != 0 || (m.op_sel & 8) != 0) return std::nullopt;
    const auto half = [&](unsigned i) {
      return signed_source(m, i, (m.op_sel >> i & 1) != 0 ? o[i].extract(31, 16) : low(o[i], 16));
    };
    return MachineResult{{z3::concat(half(1), half(0))}, {}};
  }
  if (is_plain(m, false)) {
    if (const auto rule = rules().find(name); rule != rules().end()) {
      return MachineResult{{placed(rule->second(o))}, {}};
    }
    if (place == 6) {
      const MachineInput plain{name, isa::kNoModifiers, 0, o, in.def_bits, in.lane, false, {}};
      if (std::optional<MachineResult> carry = carry_result(plain)) return carry;
    }
  }
  if (const auto packed = packed_result(in)) return MachineResult{{*packed}, {}};
  if (const auto known = vector_integer(in)) return MachineResult{{placed(whole(in, *known, place < 6))}, {}};
  isa::Modifiers beside = m;
  if (name.find("f16") != std::string_view::npos) beside.op_sel &= 8;
  if (name.starts_with("v_fma_mix")) beside.op_sel = beside.op_sel_hi = 0;
  if (!is_plain(beside, true)) return std::nullopt;
  std::optional<z3::expr> result = float_result(name, m, o);
  if (!result) return std::nullopt;
  const z3::expr bits = finished(m, *result);
  if (name == "v_fma_mixhi_f16") return MachineResult{{z3::concat(bits, low(o.back(), 16))}, {}};
  if (name == "v_fma_mixlo_f16") return MachineResult{{z3::concat(o.back().extract(31, 16), bits)}, {}};
  return MachineResult{{placed(whole(in, bits, place < 6))}, {}};
}

}  // namespace spalt::prove
