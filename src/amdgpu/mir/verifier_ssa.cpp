// SPDX-License-Identifier: MIT
//
// Single assignment, up to Stage::masked:
// - A virtual register has one definition in the layout.
// - A use is dominated by the definition: VGPRs on the logical graph, SGPRs and linear VGPRs on the linear one (before
//   Stage::masked on the logical one as well). An operand of a phi is used at the end of the predecessor.
// Blocks that the graph's entry does not reach are not checked.
#include "amdgpu/mir/dominance.h"
#include "amdgpu/mir/verifier_parts.h"

namespace spalt::mir {
namespace {

struct Definition {
  BlockId block;
  uint32_t position = 0;
};

class SsaVerifier {
 public:
  explicit SsaVerifier(const Function& function)
      : function_(function), logical_(function, Graph::logical), linear_(function, Graph::linear) {}

  Finding run() {
    definitions_.assign(function_.vregs.size(), Definition());
    for (BlockId id : function_.layout) collect(id);
    for (BlockId id : function_.layout) {
      if (finding_) return finding_;
      check(id);
    }
    return finding_;
  }

 private:
  void report(BlockId block, InstId inst, const std::string& rule) {
    if (!finding_) finding_ = broken_rule(function_, block, inst, rule);
  }

  void collect(BlockId id) {
    const Block& block = function_.blocks[id];
    for (uint32_t i = 0; i < block.insts.size(); ++i) {
      for (const Operand& def : function_.defs(block.insts[i])) {
        if (!def.is_vreg()) continue;
        Definition& definition = definitions_[def.vreg()];
        if (definition.block.valid()) report(id, block.insts[i], "a virtual register has one definition");
        definition = {id, i};
      }
    }
  }

  void check(BlockId id) {
    const Block& block = function_.blocks[id];
    for (uint32_t i = 0; i < block.insts.size(); ++i) {
      const InstId inst = block.insts[i];
      const auto uses = function_.uses(inst);
      const bool phi = is_phi(function_.insts[inst].opcode);
      for (uint32_t u = 0; u < uses.size(); ++u) {
        if (!uses[u].is_vreg()) continue;
        if (phi) {
          check_phi_operand(id, inst, u);
        } else {
          check_use(id, inst, uses[u], id, i);
        }
      }
    }
  }

  void check_phi_operand(BlockId id, InstId inst, uint32_t index) {
    const RegClass cls = function_.vregs[function_.defs(inst)[0].vreg()].cls;
    const Operand& use = function_.uses(inst)[index];
    if (function_.vregs[use.vreg()].cls != cls) return report(id, inst, "phi operands have the class of the phi");
    const auto preds = preds_of(function_.blocks[id], graph_of(function_, cls));
    check_use(id, inst, use, preds[index], 0xffffffffu);
  }

  void check_use(BlockId id, InstId inst, const Operand& use, BlockId where, uint32_t position) {
    const Graph graph = graph_of(function_, function_.vregs[use.vreg()].cls);
    const Dominance& dominance = graph == Graph::logical ? logical_ : linear_;
    if (!dominance.reachable(where)) return;
    const Definition& definition = definitions_[use.vreg()];
    const std::string name = "%" + std::to_string(use.value);
    if (!definition.block.valid()) return report(id, inst, name + " has a definition");
    const bool good =
        definition.block == where ? definition.position < position : dominance.dominates(definition.block, where);
    if (good) return;
    report(id, inst,
           "the definition of " + name + " in b" + std::to_string(definition.block.index) +
               " dominates its use on the " + (graph == Graph::logical ? "logical" : "linear") + " graph");
  }

  const Function& function_;
  const Dominance logical_, linear_;
  IdMap<VReg, Definition> definitions_;
  Finding finding_;
};

}  // namespace

Finding verify_ssa(const Function& function) {
  if (function.stage >= Stage::allocated) return std::nullopt;
  return SsaVerifier(function).run();
}

}  // namespace spalt::mir
