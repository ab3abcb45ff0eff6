// SPDX-License-Identifier: MIT
#include "formula.h"

namespace spalt::prove {

Formulas move_formula(ir::Op op, ir::Type result, uint64_t immediate, const std::vector<Formulas>& operands) {
  using ir::Op;
  Formulas formulas;
  switch (op) {
    case Op::select:
      for (size_t i = 0; i < operands[1].size(); ++i) {
        const z3::expr& bit = operands[0][operands[0].size() == 1 ? 0 : i];
        formulas.push_back(z3::ite(truth(bit), operands[1][i], operands[2][i]));
      }
      return formulas;
    case Op::vec:
      for (const Formulas& parts : operands) formulas.insert(formulas.end(), parts.begin(), parts.end());
      return formulas;
    case Op::extract:
      return {operands[0][immediate]};
    case Op::pack64:
      return {z3::concat(operands[1][0], operands[0][0])};
    default: {  // bitcast
      const z3::expr all = joined_words(operands[0]);
      const unsigned width = result.scalar_bits();
      for (unsigned i = 0; i < result.components; ++i) {
        formulas.push_back(all.extract(width * (i + 1) - 1, width * i));
      }
      return formulas;
    }
  }
}

z3::expr joined_words(const Formulas& words) {
  z3::expr all = words[0];
  for (size_t i = 1; i < words.size(); ++i) all = z3::concat(words[i], all);
  return all;
}

}  // namespace spalt::prove
