// SPDX-License-Identifier: MIT
// Instructions on pairs of halves: for each half of the result, op_sel and op_sel_hi choose a half of each source, and
// neg (low) and abs (high) negate it.
#include "float_function.h"
#include "machine_float.h"
#include "machine_integer.h"

namespace spalt::prove {

namespace {

z3::expr chosen(const z3::expr& word, unsigned bits, unsigned index) {
  return (bits >> index & 1) != 0 ? word.extract(31, 16) : word.extract(15, 0);
}

std::optional<z3::expr> float_half(std::string_view what, const Formulas& o) {
  if (what == "add_f16") return float_call("add", 16, {o[0], o[1]}, true);
  if (what == "mul_f16") return float_call("mul", 16, {o[0], o[1]}, true);
  if (what == "fma_f16") return fused(o[0], o[1], o[2]);
  if (what == "min_f16" || what == "max_f16" || what == "min_num_f16" || what == "max_num_f16") {
    return extreme(o[0], o[1], what.starts_with("min"));
  }
  return std::nullopt;
}

}  // namespace

std::optional<z3::expr> packed_result(const MachineInput& in) {
  if (!in.name.starts_with("v_pk_")) return std::nullopt;
  const std::string_view what = in.name.substr(5);
  const isa::Modifiers& m = in.modifiers;
  isa::Modifiers rest = m;
  rest.op_sel = rest.op_sel_hi = rest.neg = rest.abs = 0;
  rest.clamp = false;
  if (rest != isa::kNoModifiers) return std::nullopt;
  Formulas low, high;
  for (unsigned i = 0; i < in.uses.size(); ++i) {
    low.push_back(chosen(in.uses[i], m.op_sel, i));
    high.push_back(chosen(in.uses[i], m.op_sel_hi, i));
  }
  if (!what.ends_with("f16")) {
    if ((m.neg | m.abs) != 0 || m.clamp) return std::nullopt;
    return packed_integer(what, low, high);
  }
  for (unsigned i = 0; i < in.uses.size(); ++i) {
    if ((m.neg >> i & 1) != 0) low[i] = negated(low[i]);
    if ((m.abs >> i & 1) != 0) high[i] = negated(high[i]);
  }
  const auto a = float_half(what, low), b = float_half(what, high);
  if (!a || !b) return std::nullopt;
  return z3::concat(m.clamp ? limited(*b) : *b, m.clamp ? limited(*a) : *a);
}

}  // namespace spalt::prove
