// SPDX-License-Identifier: MIT
// Names of float instructions are UNIT_OPERATION_TYPE, those of conversions UNIT_cvt_TO_FROM. Sums, products and what
// the hardware approximates are functions by the name of the operation; minima, maxima and medians are exact.
#include "machine_float.h"

#include <algorithm>
#include <array>

#include "float_function.h"

namespace spalt::prove {

namespace {

/// A type at the end of a mnemonic: its bits, and whether it is a float. 0 bits: none.
struct TypeName {
  unsigned bits = 0;
  bool is_float = false;
};

TypeName type_of(std::string_view name) {
  if (name.size() != 3 || (name[0] != 'f' && name[0] != 'i' && name[0] != 'u')) return {};
  const std::string_view bits = name.substr(1);
  const unsigned width = bits == "16" ? 16 : bits == "32" ? 32 : bits == "64" ? 64 : 0;
  return {width, name[0] == 'f'};
}

z3::expr median(const z3::expr& a, const z3::expr& b, const z3::expr& c) {
  const auto is_nan = [](const z3::expr& x) { return nan_formula(x); };
  const z3::expr smallest = extreme(extreme(a, b, true), c, true);
  const z3::expr largest = extreme(extreme(a, b, false), c, false);
  const auto equal = [](const z3::expr& x, const z3::expr& y) { return *float_compared("eq", x, y); };
  const z3::expr middle = z3::ite(equal(largest, a), extreme(b, c, false),
                                  z3::ite(equal(largest, b), extreme(a, c, false), extreme(a, b, false)));
  return z3::ite(is_nan(a) || is_nan(b) || is_nan(c), smallest, middle);
}

/// Sources as the modifiers of a plain or mixed instruction make them.
class Sources {
 public:
  Sources(const isa::Modifiers& modifiers, const Formulas& uses, unsigned bits)
      : m_(modifiers), uses_(uses), bits_(bits) {}
  z3::expr operator()(unsigned i) const { return signed_source(m_, i, raw(i)); }
  z3::expr raw(unsigned i) const {
    if (bits_ >= 32) return resize(uses_[i], bits_);
    return (m_.op_sel >> i & 1) != 0 ? uses_[i].extract(31, 16) : resize(uses_[i], bits_);
  }
  size_t count() const { return uses_.size(); }

 private:
  const isa::Modifiers& m_;
  const Formulas& uses_;
  const unsigned bits_;
};

/// A source of v_fma_mix: 32 bits, or a half of them.
z3::expr mixed_source(const isa::Modifiers& m, unsigned index, const z3::expr& a) {
  const bool is_half = (m.op_sel_hi >> index & 1) != 0, is_high = (m.op_sel >> index & 1) != 0;
  return signed_source(m, index, is_half ? widened(is_high ? a.extract(31, 16) : resize(a, 16)) : a);
}

std::optional<z3::expr> conversion(std::string_view name, const isa::Modifiers& m, const Formulas& o) {
  if (name == "f32_f16") return widened(Sources(m, o, 16)(0));
  if (name == "f16_f32") return narrowed(Sources(m, o, 32)(0));
  if (name == "hi_f32_f16") return widened(o[0].extract(31, 16));
  if (name.starts_with("f32_ubyte")) {
    const unsigned first = 8 * static_cast<unsigned>(name.back() - '0');
    return from_integer(32, resize(o[0].extract(first + 7, first), 32), false);
  }
  if (name == "pkrtz_f16_f32" || name == "pk_rtz_f16_f32" || name == "pknorm_u16_f32" || name == "pk_norm_u16_f32" ||
      name == "pknorm_i16_f32" || name == "pk_norm_i16_f32") {
    const std::string kind = name.find("rtz") != std::string_view::npos   ? "cvt_rtz_f16"
                             : name.find("u16") != std::string_view::npos ? "cvt_norm_u16"
                                                                          : "cvt_norm_i16";
    const Sources source(m, o, 32);
    return z3::concat(float_call(kind, 16, {source(1)}, false), float_call(kind, 16, {source(0)}, false));
  }
  if (name.size() != 7) return std::nullopt;
  const TypeName to = type_of(name.substr(0, 3)), from = type_of(name.substr(4));
  if (to.bits == 0 || from.bits == 0 || (!to.is_float && !from.is_float)) return std::nullopt;
  const Sources source(m, o, from.bits);
  if (!from.is_float) return from_integer(to.bits, source.raw(0), name[4] == 'i');
  return float_call("cvt_" + std::string(name), to.bits, {source(0)}, false);
}

}  // namespace

z3::expr signed_source(const isa::Modifiers& m, unsigned index, z3::expr a) {
  if ((m.abs >> index & 1) != 0) a = magnitude_of(a);
  return (m.neg >> index & 1) != 0 ? negated(a) : a;
}

bool is_plain(isa::Modifiers m, bool of_floats) {
  if (of_floats) {
    m.neg = m.abs = m.omod = 0;
    m.clamp = false;
  }
  return m == isa::kNoModifiers;
}

z3::expr finished(const isa::Modifiers& m, const z3::expr& a) {
  z3::expr result = a;
  if (m.omod != 0) result = scaled(m.omod, result);
  return m.clamp ? limited(result) : result;
}

std::optional<z3::expr> float_result(std::string_view name, const isa::Modifiers& m, const Formulas& o) {
  if (name == "v_fma_mix_f32" || name == "v_fma_mixlo_f16" || name == "v_fma_mixhi_f16") {
    const z3::expr sum = fused(mixed_source(m, 0, o[0]), mixed_source(m, 1, o[1]), mixed_source(m, 2, o[2]));
    return name == "v_fma_mix_f32" ? sum : narrowed(sum);
  }
  if (name.size() < 6 || (!name.starts_with("v_") && !name.starts_with("s_"))) return std::nullopt;
  name.remove_prefix(2);
  if (name.starts_with("cvt_")) return conversion(name.substr(4), m, o);
  const size_t end = name.rfind('_');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view what = name.substr(0, end);
  const TypeName type = type_of(name.substr(end + 1));
  if (!type.is_float) return std::nullopt;
  const unsigned bits = type.bits;
  const Sources source(m, o, bits);
  if (what == "add") return float_call("add", bits, {source(0), source(1)}, true);
  if (what == "sub") return float_call("add", bits, {source(0), negated(source(1))}, true);
  if (what == "subrev") return float_call("add", bits, {source(1), negated(source(0))}, true);
  if (what == "mul") return float_call("mul", bits, {source(0), source(1)}, true);
  if (what == "fma" || what == "fmac") return fused(source(0), source(1), source(2));
  if (what == "fmaak" || what == "fmamk") return fused(o[0], o[1], o[2]);
  if (what == "madak" || what == "madmk") return rounded_twice(o[0], o[1], o[2]);
  if (what == "mad" || what == "mac") return rounded_twice(source(0), source(1), source(2));
  if (what == "min" || what == "max" || what == "min_num" || what == "max_num") {
    return extreme(source(0), source(1), what.starts_with("min"));
  }
  if (what == "min3" || what == "max3" || what == "min3_num" || what == "max3_num") {
    const bool is_min = what.starts_with("min");
    return extreme(extreme(source(0), source(1), is_min), source(2), is_min);
  }
  if (what == "med3" || what == "med3_num") return median(source(0), source(1), source(2));
  if (what == "ldexp") return float_call("ldexp", bits, {source(0), resize(o[1], 32)}, false);
  if (what == "frexp_exp_i32") return float_call("frexp_exp", 32, {source(0)}, false);
  constexpr std::array<std::string_view, 16> kFunctions = {"rcp",    "rsq",    "sqrt",       "exp",   "log",   "sin",
                                                           "cos",    "fract",  "trunc",      "ceil",  "floor", "rndne",
                                                           "cubeid", "cubesc", "frexp_mant", "cubetc"};
  if (std::find(kFunctions.begin(), kFunctions.end(), what) == kFunctions.end() && what != "cubema") {
    return std::nullopt;
  }
  Formulas sources;
  for (unsigned i = 0; i < source.count(); ++i) sources.push_back(source(i));
  return float_call(std::string(what), bits, sources, false);
}

}  // namespace spalt::prove
