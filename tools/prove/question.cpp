// SPDX-License-Identifier: MIT
#include "question.h"

namespace spalt::prove {

namespace {

constexpr unsigned kWorkPerMs = 2000, kSlowness = 10;

std::string describe(const z3::model& model, const Inputs& inputs, const std::vector<Difference>& list) {
  std::string text;
  for (const auto& [name, formula] : inputs.all()) {
    text += "  " + name + " = " + model.eval(formula, true).to_string() + "\n";
  }
  for (const Difference& d : list) {
    if (!model.eval(d.differs, true).is_true()) continue;
    text += "  " + d.name + " differs";
    if (d.before.is_bv()) {
      text += ": " + model.eval(d.before, true).to_string() + " before, " + model.eval(d.after, true).to_string() +
              " after";
    } else if (d.before.is_array()) {
      const z3::expr place(d.before.ctx(), Z3_mk_array_ext(d.before.ctx(), d.before, d.after));
      text += " at " + model.eval(place, true).to_string() + ": " +
              model.eval(z3::select(d.before, place), true).to_string() + " before, " +
              model.eval(z3::select(d.after, place), true).to_string() + " after";
    }
    text += "\n";
  }
  return text;
}

}  // namespace

Proof ask(z3::context& context, const z3::expr& question, const Inputs& inputs, const std::vector<Difference>& list,
          const Patience& patience) {
  const unsigned timeout_ms = patience.next();
  if (timeout_ms == 0) return {Verdict::undecided, "not decided: no time is left"};
  z3::solver solver = z3::tactic(context, "default").mk_solver();
  z3::params parameters(context);
  // What the solver counts of its work ends a question, the same on every machine; the clock only stops what never
  // ends.
  parameters.set("rlimit", timeout_ms * kWorkPerMs);
  parameters.set("timeout", timeout_ms * kSlowness);
  solver.set(parameters);
  solver.add(question);
  switch (solver.check()) {
    case z3::unsat:
      return {Verdict::equal, {}};
    case z3::sat:
      return {Verdict::different, describe(solver.get_model(), inputs, list)};
    default:
      return {Verdict::undecided, "not decided: " + solver.reason_unknown()};
  }
}

}  // namespace spalt::prove
