// SPDX-License-Identifier: MIT
// Formulas are rebuilt from the leaves on; each shared part once.
#include "products.h"

#include <map>
#include <set>
#include <utility>

namespace spalt::prove {

namespace {

z3::expr product(z3::expr a, z3::expr b) {
  a = a.simplify();
  b = b.simplify();
  const z3::expr swap = z3::ult(b, a);
  return unknown("product", a.get_sort().bv_size(), {z3::ite(swap, b, a), z3::ite(swap, a, b)});
}

z3::expr rebuilt(const z3::expr& formula, const Formulas& parts) {
  const unsigned count = formula.num_args();
  if (formula.decl().decl_kind() == Z3_OP_BMUL) {
    z3::expr all = parts[0];
    for (unsigned i = 1; i < count; ++i) {
      all = all.is_numeral() || parts[i].is_numeral() ? all * parts[i] : product(all, parts[i]);
    }
    return all;
  }
  z3::expr_vector arguments(formula.ctx());
  for (const z3::expr& part : parts) arguments.push_back(part);
  return formula.decl()(arguments);
}

unsigned id_of(const z3::expr& e) {
  return Z3_get_ast_id(e.ctx(), e);
}

/// The numbers of all parts.
std::set<unsigned> parts_of(const z3::expr& formula) {
  std::set<unsigned> seen;
  std::vector<z3::expr> rest = {formula};
  while (!rest.empty()) {
    const z3::expr at = rest.back();
    rest.pop_back();
    if (!seen.insert(id_of(at)).second || !at.is_app()) continue;
    for (unsigned i = 0; i < at.num_args(); ++i) rest.push_back(at.arg(i));
  }
  return seen;
}

}  // namespace

z3::expr differ_apart(const z3::expr& a, const z3::expr& b, const z3::expr& condition) {
  z3::context& c = a.ctx();
  const std::set<unsigned> of_b = parts_of(b);
  z3::expr_vector from(c), to(c);
  std::set<unsigned> seen;
  std::vector<z3::expr> rest = {a};
  while (!rest.empty()) {
    const z3::expr at = rest.back();
    rest.pop_back();
    if (!seen.insert(id_of(at)).second || !at.is_app() || at.num_args() == 0) continue;
    if (at.is_bv() && of_b.contains(id_of(at))) {
      from.push_back(at);
      to.push_back(c.bv_const(("part " + std::to_string(from.size())).c_str(), at.get_sort().bv_size()));
      continue;
    }
    for (unsigned i = 0; i < at.num_args(); ++i) rest.push_back(at.arg(i));
  }
  z3::expr question = condition && a != b;
  return question.substitute(from, to).simplify();
}

z3::expr without_products(const z3::expr& formula) {
  std::map<unsigned, z3::expr> done;
  std::vector<z3::expr> rest = {formula};
  while (!rest.empty()) {
    const z3::expr at = rest.back();
    if (done.contains(id_of(at))) {
      rest.pop_back();
      continue;
    }
    if (!at.is_app() || at.num_args() == 0) {
      done.emplace(id_of(at), at);
      continue;
    }
    Formulas parts;
    for (unsigned i = 0; i < at.num_args(); ++i) {
      const auto found = done.find(id_of(at.arg(i)));
      if (found == done.end()) {
        rest.push_back(at.arg(i));
      } else {
        parts.push_back(found->second);
      }
    }
    if (parts.size() == at.num_args()) done.emplace(id_of(at), rebuilt(at, parts));
  }
  return done.at(id_of(formula));
}

}  // namespace spalt::prove
