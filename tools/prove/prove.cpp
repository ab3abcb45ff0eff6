// SPDX-License-Identifier: MIT
// Questions get harder one after the other; the first that is answered by "no such input" ends the search:
//   1. floats as unknown functions, bit for bit
//   2. operations with a constant exactly; all NaN that are observed as floats are one
//   3. the same with the freedoms of operations: no NaN and no infinity where they say so, zeros without signs
//   4. and 5. the same with all floats exactly
// All but the last get a quarter of the time, and no more than five seconds.
// Each is asked with an open result of `before`, such as a division by zero, as what the hardware gives, then as what
// folding chooses; `after` has to be right for whatever the hardware gives. The uses of undef in `before` may be chosen
// for each input and each choice of those in `after`: they are bound by "for all" in the question, unless the choice
// that is made in the same order is good enough.
#include "prove.h"

#include <algorithm>
#include <optional>
#include <set>

#include "encoder.h"
#include "question.h"

namespace spalt::prove {
namespace {

constexpr unsigned kEarlyTimeout = 5000;
/// For the question whether one value of many is the same.
constexpr unsigned kValueTimeout = 200;

/// Of each array, where its last stores went.
constexpr unsigned kPlacesToLookAt = 3;

struct Attempt {
  Floats floats;
  bool one_nan, freedoms;
  Open open;
};

struct Facts {
  bool has_floats = false, has_freedoms = false, has_open = false;
};

Facts facts_of(const ir::Module& module, const ir::Function& function) {
  Facts facts;
  for (const ir::BlockId block : function.layout()) {
    for (const ir::Value value : insts(function, block)) {
      const ir::Inst& inst = function.inst(value);
      const ir::OpGroup group = ir::group(inst.op);
      using ir::Op;
      constexpr ir::OpSet kOpen = {Op::udiv, Op::sdiv, Op::umod, Op::srem, Op::smod, Op::bfe_u, Op::bfe_s, Op::bfi};
      facts.has_open |= kOpen.has(inst.op);
      const bool computes =
          group == ir::OpGroup::floating || group == ir::OpGroup::float_compare || group == ir::OpGroup::float_convert;
      if (!computes) continue;
      facts.has_floats = true;
      const ir::Type type = inst.type.is_float() ? inst.type : function.type(function.operand(value, 0));
      facts.has_freedoms |= (ir::fast_math(module.float_controls(), type, inst.flags) & ir::kValueFreedoms) != 0;
    }
  }
  return facts;
}

const LoopEdge* find_edge(const Behaviour& behaviour, const LoopEdge& like) {
  for (const LoopEdge& edge : behaviour.loops) {
    if (edge.header == like.header && edge.is_back == like.is_back) return &edge;
  }
  return nullptr;
}

/// Whether each loop after the pass was there before it, with all phis that it has, and the other way round.
bool have_same_loops(const Behaviour& before, const Behaviour& after) {
  if (before.loops.size() != after.loops.size()) return false;
  for (const LoopEdge& edge : after.loops) {
    const LoopEdge* old = find_edge(before, edge);
    if (old == nullptr) return false;
    for (const auto& [phi, formulas] : edge.phis) {
      if (!old->phis.contains(phi) || old->phis.at(phi).size() != formulas.size()) return false;
    }
  }
  return true;
}

std::vector<Difference> differences(const Behaviour& before, const Behaviour& after) {
  std::vector<Difference> list;
  const auto add = [&](const std::string& name, const z3::expr& a, const z3::expr& b) {
    list.push_back({name, a != b, a, b});
  };
  for (size_t i = 0; i < before.returned.size(); ++i) {
    add(before.returned.size() == 1 ? "result" : "component " + std::to_string(i) + " of the result",
        before.returned[i], after.returned[i]);
  }
  add("effects", before.state->token, after.state->token);
  add("buffers", before.state->buffers, after.state->buffers);
  for (const LoopEdge& b : after.loops) {
    const LoopEdge& a = *find_edge(before, b);
    const std::string where = std::string(b.is_back ? " of a further turn" : " of the first turn") +
                              " of the loop at block " + std::to_string(b.header);
    list.push_back({"condition" + where, a.runs != b.runs, from_bool(a.runs), from_bool(b.runs)});
    const auto add_part = [&](const std::string& name, const z3::expr& x, const z3::expr& y) {
      list.push_back({name + where, a.runs && x != y, x, y});
    };
    for (const auto& [phi, formulas] : b.phis) {
      const Formulas& own = a.phis.at(phi);
      for (size_t i = 0; i < formulas.size(); ++i) add_part("phi " + std::to_string(phi), own[i], formulas[i]);
    }
    add_part("effects", a.state.token, b.state.token);
    add_part("buffers", a.state.buffers, b.state.buffers);
    add_part("workgroup memory", a.state.shared, b.state.shared);
    add_part("scratch memory", a.state.scratch, b.state.scratch);
  }
  list.push_back({"promises of the function after it", !after.defined, before.defined, after.defined});
  return list;
}

/// What is to be equal where the two are: the data of stores alike, and of values themselves.
void collect_equations(const z3::expr& before, const z3::expr& after,
                       std::vector<std::pair<z3::expr, z3::expr>>& equations) {
  std::vector<std::pair<z3::expr, z3::expr>> rest = {{before, after}};
  std::set<std::pair<unsigned, unsigned>> seen;
  while (!rest.empty()) {
    const auto [a, b] = rest.back();
    rest.pop_back();
    if (z3::eq(a, b) || !seen.emplace(Z3_get_ast_id(a.ctx(), a), Z3_get_ast_id(b.ctx(), b)).second) continue;
    if (a.is_bv() && b.is_bv() && a.get_sort().bv_size() == b.get_sort().bv_size()) equations.emplace_back(a, b);
    if (!a.is_app() || !b.is_app() || a.decl().decl_kind() != b.decl().decl_kind()) continue;
    const Z3_decl_kind kind = a.decl().decl_kind();
    const bool alike = kind == Z3_OP_STORE || kind == Z3_OP_ITE || kind == Z3_OP_CONCAT || kind == Z3_OP_UNINTERPRETED;
    if (!alike || a.num_args() != b.num_args()) continue;
    for (unsigned i = 0; i < a.num_args(); ++i) rest.emplace_back(a.arg(i), b.arg(i));
  }
}

bool mentions(const z3::expr& formula, const z3::expr& word) {
  const z3::expr zero = formula.ctx().bv_val(0, word.get_sort().bv_size());
  z3::expr_vector from(formula.ctx()), to(formula.ctx());
  from.push_back(word);
  to.push_back(zero);
  return !z3::eq(z3::expr(formula).substitute(from, to), formula);
}

/// The word for which `is` becomes `wanted`, by undoing one operation after the other.
std::optional<z3::expr> solve_for(const z3::expr& word, z3::expr is, z3::expr wanted) {
  while (!z3::eq(is, word)) {
    if (!is.is_app() || is.num_args() == 0 || is.num_args() > 2) return std::nullopt;
    const bool in_first = mentions(is.arg(0), word);
    if (is.num_args() == 2 && in_first == mentions(is.arg(1), word)) return std::nullopt;
    if (is.num_args() == 1 && !in_first) return std::nullopt;
    const z3::expr inner = is.arg(in_first ? 0 : 1);
    switch (is.decl().decl_kind()) {
      case Z3_OP_BADD:
        wanted = wanted - is.arg(in_first ? 1 : 0);
        break;
      case Z3_OP_BSUB:
        wanted = in_first ? wanted + is.arg(1) : is.arg(0) - wanted;
        break;
      case Z3_OP_BXOR:
        wanted = wanted ^ is.arg(in_first ? 1 : 0);
        break;
      case Z3_OP_EXTRACT:  // of all bits, as accesses of whole words have it
        if (is.get_sort().bv_size() != inner.get_sort().bv_size()) return std::nullopt;
        break;
      case Z3_OP_BNOT:
        wanted = ~wanted;
        break;
      case Z3_OP_BNEG:
        wanted = -wanted;
        break;
      default:
        return std::nullopt;
    }
    is = inner;
  }
  return wanted;
}

/// Asks about one difference, in parts where that may do.
Proof ask_one(z3::context& context, const z3::expr& defined, const Difference& d, const Inputs& inputs,
              const Patience& patience) {
  std::vector<z3::expr> parts;
  if (d.before.is_array() && take_apart(d.before, d.after, parts)) {
    bool all_equal = true;
    for (size_t i = 0; i < parts.size() && all_equal; ++i) {
      all_equal = ask(context, defined && parts[i], inputs, {}, patience).verdict == Verdict::equal;
    }
    if (all_equal) return {Verdict::equal, {}};
  }
  // A difference is found sooner where one of the last stores went.
  for (const z3::expr& array : {d.before, d.after}) {
    if (!array.is_array()) continue;
    z3::expr rest = array;
    for (unsigned i = 0; i < kPlacesToLookAt && rest.is_app() && rest.decl().decl_kind() == Z3_OP_STORE; ++i) {
      const z3::expr place = rest.arg(1);
      const z3::expr differs = d.differs && z3::select(d.before, place) != z3::select(d.after, place);
      Proof proof = ask(context, defined && differs, inputs, {{d.name, differs, d.before, d.after}}, patience);
      if (proof.verdict == Verdict::different) return proof;
      rest = rest.arg(0);
    }
  }
  return ask(context, defined && d.differs, inputs, {d}, patience);
}

/// Asks about the differences one by one. The first answer other than "equal".
Proof ask_each(z3::context& context, const z3::expr& defined, const std::vector<Difference>& list, const Inputs& inputs,
               const Patience& patience) {
  for (const Difference& d : list) {
    Proof proof = ask_one(context, defined, d, inputs, patience);
    if (proof.verdict != Verdict::equal) return proof;
  }
  return {Verdict::equal, {}};
}

/// Free words of `before` and what they are chosen to be.
struct Choices {
  explicit Choices(z3::context& context) : from(context), to(context) {}
  z3::expr_vector from, to;

  z3::expr in(const z3::expr& formula) const { return z3::expr(formula).substitute(from, to); }
};

/// Those of `after`, as far as there are as wide ones in the same order; else zero.
Choices same_choices(z3::context& context, const Formulas& before, const Formulas& after) {
  Choices choices(context);
  for (size_t i = 0; i < before.size(); ++i) {
    const unsigned width = before[i].get_sort().bv_size();
    const bool alike = i < after.size() && after[i].get_sort().bv_size() == width;
    choices.from.push_back(before[i]);
    choices.to.push_back(alike ? after[i] : number(context, 0, width));
  }
  return choices;
}

/// What makes each choice the one that gives the result of `after`, where the result is a sum, a difference or an
/// exclusive or with the free word in one place; else as above.
Choices solved_choices(z3::context& context, const Formulas& before, const Formulas& after,
                       const std::vector<Difference>& list) {
  Choices choices = same_choices(context, before, after);
  std::vector<std::pair<z3::expr, z3::expr>> equations;
  for (const Difference& d : list) collect_equations(d.before, d.after, equations);
  for (size_t i = 0; i < before.size(); ++i) {
    for (const auto& [is, wanted] : equations) {
      const std::optional<z3::expr> solution = solve_for(before[i], is, wanted);
      if (!solution) continue;
      z3::expr_vector to(context);
      for (size_t k = 0; k < before.size(); ++k) to.push_back(k == i ? *solution : choices.to[static_cast<int>(k)]);
      choices.to = to;
      break;
    }
  }
  return choices;
}

Proof attempt(const ir::Module& before, const ir::Module& after, size_t number, const Attempt& how,
              const ProveOptions& options, const Patience& patience) {
  const ir::Function& first = before.functions[number];
  const ir::Function& second = after.functions[number];
  z3::context context;
  Inputs inputs(context);
  EncodeOptions encoding;
  encoding.semantics = {how.floats, how.open, before.float_controls()};
  encoding.one_nan = how.one_nan;
  encoding.one_zero = encoding.freedoms = how.freedoms;
  encoding.granule = std::min(find_granule(first), find_granule(second));
  encoding.shares_all = has_global_access(first) || has_global_access(second);
  encoding.max_workgroups = options.max_workgroups;
  encoding.side = "before ";
  const Behaviour a = encode(context, inputs, before, first, encoding);
  encoding.side = "after ";
  encoding.before = &a;
  encoding.semantics = {how.floats, Open::unknown, after.float_controls()};
  Patience small = patience;
  small.timeout_ms = std::min(patience.timeout_ms, kValueTimeout);
  encoding.agrees = [&](const z3::expr& differs) {
    return ask(context, a.defined && differs, inputs, {}, small).verdict == Verdict::equal;
  };
  const Behaviour b = encode(context, inputs, after, second, encoding);
  if (!a.refusal.empty() || !b.refusal.empty()) return {Verdict::refused, a.refusal.empty() ? b.refusal : a.refusal};
  if (!have_same_loops(a, b)) return {Verdict::refused, "it has other loops, or loops with other phis"};
  if (!a.state) return {Verdict::equal, {}};  // it never ends, and so promises not to run
  if (!b.state) return {Verdict::refused, "only one of the functions returns"};
  const std::vector<Difference> list = differences(a, b);
  z3::expr differs = context.bool_val(false);
  for (const Difference& d : list) differs = differs || d.differs;
  const z3::expr question = a.defined && differs;
  if (a.free.empty()) return ask_each(context, a.defined, list, inputs, patience);
  for (const Choices& choices :
       {same_choices(context, a.free, b.free), solved_choices(context, a.free, b.free, list)}) {
    std::vector<Difference> chosen = list;
    for (Difference& d : chosen) {
      d.differs = choices.in(d.differs);
      d.before = choices.in(d.before);
    }
    Proof proof = ask_each(context, choices.in(a.defined), chosen, inputs, patience);
    if (proof.verdict == Verdict::equal) return proof;
  }
  z3::expr_vector bound(context);
  for (const z3::expr& word : a.free) bound.push_back(word);
  Proof proof = ask(context, z3::forall(bound, question), inputs, list, patience);
  if (proof.verdict == Verdict::different) proof.text += "  whatever undef is before it\n";
  return proof;
}

}  // namespace

Proof prove_function(const ir::Module& before, const ir::Module& after, size_t function, const ProveOptions& options) {
  const Facts facts = facts_of(before, before.functions[function]);
  const Facts facts_after = facts_of(after, after.functions[function]);
  std::vector<Attempt> attempts = {{Floats::opaque, false, false, Open::unknown}};
  if (facts.has_floats || facts_after.has_floats) {
    for (const Floats floats : {Floats::mixed, Floats::exact}) {
      attempts.push_back({floats, true, false, Open::unknown});
      if (facts.has_freedoms) attempts.push_back({floats, true, true, Open::unknown});
    }
  }
  if (facts.has_open) {
    for (size_t i = attempts.size(); i-- != 0;) {
      Attempt folded = attempts[i];
      folded.open = Open::evaluator;
      attempts.insert(attempts.begin() + static_cast<ptrdiff_t>(i) + 1, folded);
    }
  }
  const Patience whole{options.timeout_ms, work_ms() + options.total_ms, options.total_ms != 0};
  Proof proof;
  bool undecided_bits = false;
  try {
    for (size_t i = 0; i < attempts.size(); ++i) {
      Patience patience = whole;
      if (i + 1 != attempts.size()) patience.timeout_ms = std::min(options.timeout_ms / 4, kEarlyTimeout);
      // What one way leaves of its share is for the next ones.
      patience.end = work_ms() + (whole.end - work_ms()) / static_cast<int64_t>(attempts.size() - i);
      proof = attempt(before, after, function, attempts[i], options, patience);
      if (proof.verdict == Verdict::equal || proof.verdict == Verdict::refused) return proof;
      if (i == 0) undecided_bits = proof.verdict == Verdict::undecided;
    }
    // A NaN may be stored as a float before the pass and as bits after it, where it is not any NaN.
    if (proof.verdict == Verdict::different && attempts.size() > 1 && undecided_bits) {
      return {Verdict::undecided, "not decided: differs where all NaN are one\n" + proof.text};
    }
    const auto has_loop = [](const ir::Function& f) {
      return std::any_of(f.layout().begin(), f.layout().end(),
                         [&](ir::BlockId block) { return f.block(block).is_loop_header(); });
    };
    if (proof.verdict == Verdict::different && has_loop(before.functions[function])) {
      return {Verdict::undecided,
              "not decided: differs where a turn of a loop starts with this, which may never be\n" + proof.text};
    }
  } catch (const z3::exception& error) {
    return {Verdict::undecided, std::string("the solver gave up: ") + error.msg()};
  }
  return proof;
}

}  // namespace spalt::prove
