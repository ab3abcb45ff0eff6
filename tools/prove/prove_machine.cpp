// SPDX-License-Identifier: MIT
#include "prove_machine.h"

#include "machine_encoder.h"
#include "question.h"

namespace spalt::prove {

Proof prove_machine(const mir::Function& before, const mir::Function& after, const ProveOptions& options) {
  z3::context context;
  try {
    Inputs inputs(context);
    const MachineBehaviour a = encode_machine(context, inputs, before, "before ");
    const MachineBehaviour b = encode_machine(context, inputs, after, "after ");
    if (!a.refusal.empty() || !b.refusal.empty()) return {Verdict::refused, a.refusal.empty() ? b.refusal : a.refusal};
    if (!a.token || !b.token) return {Verdict::refused, "it does not return"};
    const unsigned lanes = before.wave_size;
    const z3::expr defined = z3::ult(inputs.get("lane", lanes, true), number(context, lanes, lanes));
    std::vector<Difference> list = {{"effects", *a.token != *b.token, *a.token, *b.token}};
    for (const auto& [number, root] : b.roots) {
      const auto old = a.roots.find(number);
      if (old == a.roots.end() || old->second.value.get_sort().bv_size() != root.value.get_sort().bv_size()) continue;
      const z3::expr differs = old->second.runs && old->second.value != root.value;
      list.push_back({"%" + std::to_string(number), differs, old->second.value, root.value});
    }
    const Patience patience{options.timeout_ms, {}, false};
    for (const Difference& d : list) {
      Proof proof = ask(context, defined && d.differs, inputs, {d}, patience);
      if (proof.verdict != Verdict::equal) return proof;
    }
  } catch (const z3::exception& error) {
    return {Verdict::undecided, std::string("the solver gave up: ") + error.msg()};
  }
  return {Verdict::equal, {}};
}

}  // namespace spalt::prove
