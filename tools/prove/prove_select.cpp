// SPDX-License-Identifier: MIT
// Blocks correspond by their place in the layout, events and phis by their order. Each question is about one word of
// one event, one condition of a branch, or what one edge brings to one phi: a difference is reported where it is.
#include "prove_select.h"

#include "equal_words.h"
#include "machine_blocks.h"
#include "products.h"
#include "question.h"
#include "source_blocks.h"

namespace spalt::prove {

namespace {

/// For the question whether one value of many is the same.
constexpr unsigned kValueTimeout = 200;

PhisOfBlocks phis_of(const ir::Function& function, const std::vector<bool>& divergent) {
  PhisOfBlocks all;
  for (const ir::BlockId block : function.layout()) {
    all.emplace_back();
    for (const ir::Value value : insts(function, block)) {
      if (function.inst(value).op != ir::Op::phi) break;
      all.back().push_back({function.type(value), divergent[value.index]});
    }
  }
  return all;
}

class Comparison {
 public:
  Comparison(z3::context& context, const Inputs& inputs, const Formulas& free, const z3::expr& always,
             const Patience& patience)
      : c_(context), inputs_(inputs), free_(free), always_(always), patience_(patience) {}

  Proof run(const std::vector<BlockBehaviour>& before, const std::vector<BlockBehaviour>& after) {
    for (unsigned i = 0; i < before.size() && proof_.verdict == Verdict::equal; ++i) {
      block(i, before, after);
    }
    return proof_;
  }

 private:
  bool differ(const std::string& text) {
    if (proof_.verdict == Verdict::equal) proof_ = {Verdict::different, "  " + text + "\n"};
    return false;
  }

  void block(unsigned number, const std::vector<BlockBehaviour>& all_before, const std::vector<BlockBehaviour>& all) {
    const BlockBehaviour &before = all_before[number], &after = all[number];
    const std::string where = " of block " + std::to_string(number);
    defined_ = always_ && *before.defined;
    if (!events(where, before, after) || !end(where, before, after, all)) return;
    for (size_t phi = 0; phi < before.phis.size(); ++phi) {
      if (before.phis[phi].size() != after.phis[phi].size()) return static_cast<void>(differ("phis" + where));
      for (size_t edge = 0; edge < before.phis[phi].size(); ++edge) {
        const std::string name = "phi " + std::to_string(phi) + where + " from edge " + std::to_string(edge);
        const Arrival &a = before.phis[phi][edge], &b = after.phis[phi][edge];
        if (!a) continue;
        if (!b) return static_cast<void>(differ(name + " is anything in the selected code"));
        defined_ = always_ && *all_before[before.predecessors[edge]].defined;
        if (!equal(name, *a, *b)) return;
      }
    }
  }

  bool end(const std::string& where, const BlockBehaviour& before, const BlockBehaviour& after,
           const std::vector<BlockBehaviour>& all) {
    if (before.never_ends) return true;
    if (before.returns) {
      const bool ends = after.returns || (after.successors.size() == 1 && all[after.successors[0]].returns);
      return ends || differ("the end" + where);
    }
    if (before.taken.has_value() != after.taken.has_value()) return differ("the branch" + where);
    if (!before.taken) return before.successors == after.successors || differ("the branch" + where);
    const std::vector<unsigned> swapped = {after.successors[1], after.successors[0]};
    const bool same = before.successors == after.successors;
    if (!same && before.successors != swapped) return differ("the branch" + where);
    const z3::expr taken = same ? *after.taken : !*after.taken;
    return equal("the condition of the branch" + where, from_bool(*before.taken), from_bool(taken));
  }

  bool events(const std::string& where, const BlockBehaviour& before, const BlockBehaviour& after) {
    for (size_t i = 0; i < std::max(before.events.size(), after.events.size()); ++i) {
      const std::string name = "effect " + std::to_string(i) + where;
      const Event none{"nothing", {}};
      const Event& a = i < before.events.size() ? before.events[i] : none;
      const Event& b = i < after.events.size() ? after.events[i] : none;
      if (a.what != b.what || a.words.size() != b.words.size()) {
        return differ(name + ": " + a.what + " before, " + b.what + " after");
      }
      for (size_t k = 0; k < a.words.size(); ++k) {
        const z3::expr& word = b.words[k];
        const unsigned bits = a.words[k].get_sort().bv_size();
        if (word.get_sort().bv_size() < bits) return differ(name + " has fewer bits");
        if (!equal(name + ", " + a.what + ", operand " + std::to_string(k), a.words[k], resize(word, bits))) {
          return false;
        }
      }
    }
    return true;
  }

  /// Free words of `before` are taken for zeros first, as selection takes them, then for whatever does.
  bool equal(const std::string& name, const z3::expr& before, const z3::expr& after) {
    z3::expr_vector words(c_), zeros(c_);
    for (const z3::expr& word : free_) {
      words.push_back(word);
      zeros.push_back(number(c_, 0, word.get_sort().bv_size()));
    }
    z3::expr own = before;
    const z3::expr chosen = own.substitute(words, zeros).simplify(), other = after.simplify();
    if (z3::eq(chosen, other)) return true;
    z3::expr promised = defined_;
    promised = promised.substitute(words, zeros);
    // Factors that are equal make equal products, and equal parts are not looked into at first.
    const z3::expr a = without_products(chosen), b = without_products(other), condition = without_products(promised);
    for (const z3::expr& easier : {differ_apart(a, b, condition), condition && a != b}) {
      if (ask(c_, easier, inputs_, {}, patience_).verdict == Verdict::equal) return true;
    }
    const Difference difference{name, chosen != other, chosen, other};
    Proof proof = ask(c_, promised && difference.differs, inputs_, {difference}, patience_);
    if (proof.verdict == Verdict::different && !z3::eq(own, chosen) && !free_.empty()) {
      const z3::expr any = z3::forall(words, defined_ && before != after);
      proof = ask(c_, any, inputs_, {}, patience_);
      if (proof.verdict == Verdict::different) proof.text += "  " + name + " differs, whatever undef is\n";
    }
    if (proof.verdict == Verdict::undecided) proof.text += ": " + name;
    if (proof.verdict != Verdict::equal) proof_ = proof;
    return proof.verdict == Verdict::equal;
  }

  z3::context& c_;
  const Inputs& inputs_;
  const Formulas& free_;
  const z3::expr always_;
  const Patience patience_;
  z3::expr defined_ = always_;
  Proof proof_{Verdict::equal, {}};
};

}  // namespace

Proof prove_select(const ir::Module& module, const std::vector<bool>& divergent, const mir::Function& selected,
                   const ProveOptions& options) {
  z3::context context;
  try {
    Inputs inputs(context);
    const PhisOfBlocks phis = phis_of(module.functions[0], divergent);
    const size_t blocks = phis.size();
    if (selected.layout.size() != blocks && selected.layout.size() != blocks + 1) {
      return {Verdict::refused, "the selected code has other blocks"};
    }
    const Patience patience{options.timeout_ms, work_ms() + options.total_ms, options.total_ms != 0};
    Patience short_one = patience;
    short_one.timeout_ms = std::min(options.timeout_ms, kValueTimeout);
    const MachineBlocks after = encode_machine_blocks(context, inputs, selected, phis);
    if (!after.behaviour.refusal.empty()) return {Verdict::refused, after.behaviour.refusal};
    const unsigned lanes = selected.wave_size;
    const z3::expr always = z3::ult(inputs.get("lane", lanes, true), number(context, lanes, lanes));
    EqualWords equal(context, inputs, after.words);
    const auto adopt = [&](const z3::expr& word, const z3::expr& own, const z3::expr& all) {
      const z3::expr* other = word.get_sort().bv_size() == 32 ? equal.find(word) : nullptr;
      if (other == nullptr || z3::eq(*other, word)) return word;
      const z3::expr a = without_products(word), b = without_products(*other);
      for (const z3::expr& question : {differ_apart(a, b, always && own), always && without_products(all) && a != b}) {
        if (ask(context, question, inputs, {}, short_one).verdict == Verdict::equal) return *other;
      }
      return word;
    };
    Proof proof;
    for (const bool rounds_once : {false, true}) {
      const SourceBlocks before = encode_source_blocks(
          context, inputs, module, {lanes, selected.target.has_image_dim, rounds_once, phis, after.forms, adopt});
      if (!before.behaviour.refusal.empty()) return {Verdict::refused, before.behaviour.refusal};
      proof = Comparison(context, inputs, before.free, always, patience)
                  .run(before.behaviour.blocks, after.behaviour.blocks);
      if (proof.verdict == Verdict::equal || before.is_sure) break;
    }
    return proof;
  } catch (const z3::exception& error) {
    return {Verdict::undecided, std::string("the solver gave up: ") + error.msg()};
  }
}

}  // namespace spalt::prove
