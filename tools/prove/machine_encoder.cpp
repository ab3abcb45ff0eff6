// SPDX-License-Identifier: MIT
#include "machine_encoder.h"

#include "amdgpu/mir/opcode.h"
#include "machine_formula.h"
#include "machine_values.h"

namespace spalt::prove {

namespace {

using mir::Opcode;

class MachineEncoder : private MachineValues {
 public:
  using MachineValues::MachineValues;

  MachineBehaviour run() {
    guards_.resize(f_.blocks.size());
    tokens_.resize(f_.blocks.size());
    for (const mir::BlockId block : f_.layout) {
      if (!begin_block(block)) return std::move(result_);
      for (const mir::InstId id : f_.blocks[block].insts) {
        instruction(block, id);
        if (!result_.refusal.empty()) return std::move(result_);
      }
    }
    for (auto& [number, root] : roots_) {
      if (!is_read_[number]) result_.roots.emplace(number, root);
    }
    return std::move(result_);
  }

 private:
  z3::expr& guard(mir::BlockId block) { return *guards_[block.index]; }
  z3::expr& token(mir::BlockId block) { return *tokens_[block.index]; }
  void refuse(const std::string& why) { result_.refusal = why; }

  bool begin_block(mir::BlockId block) {
    const auto& preds = f_.blocks[block].logical_preds;
    edges_.clear();
    if (preds.empty()) {
      guards_[block.index] = c_.bool_val(block == f_.layout[0]);
      tokens_[block.index] = c_.bv_const("start", 64);
      return true;
    }
    for (const mir::BlockId pred : preds) {
      if (!guards_[pred.index]) {
        refuse("it has a loop");
        return false;
      }
      edges_.push_back(edge(pred, block));
    }
    z3::expr runs = edges_[0], state = token(preds[0]);
    for (size_t i = 1; i < edges_.size(); ++i) {
      runs = runs || edges_[i];
      if (!z3::eq(state, token(preds[i]))) state = z3::ite(edges_[i], token(preds[i]), state);
    }
    guards_[block.index] = runs.simplify();
    tokens_[block.index] = state;
    return true;
  }

  z3::expr edge(mir::BlockId from, mir::BlockId to) {
    const mir::InstId end = f_.blocks[from].insts.back();
    const auto uses = f_.uses(end);
    const Opcode opcode = f_.insts[end].opcode;
    if (opcode != Opcode::p_branch_mask && opcode != Opcode::p_branch_scc) return guard(from);
    const z3::expr word = read(uses[0], 1);
    const z3::expr taken =
        truth(opcode == Opcode::p_branch_mask ? lane_bit(word, lane_) : z3::expr(word.extract(0, 0)));
    z3::expr any = c_.bool_val(false);
    if (uses[1].block() == to) any = any || taken;
    if (uses[2].block() == to) any = any || !taken;
    return (guard(from) && any).simplify();
  }

  void write(mir::BlockId block, const mir::Operand& def, const z3::expr& value) {
    MachineValues::write(def, value);
    if (def.is_vreg()) roots_.insert_or_assign(def.value, MachineRoot{guard(block), *values_[def.value]});
  }

  static std::string text(const isa::Modifiers& m) {
    std::string all;
    const auto* bytes = reinterpret_cast<const unsigned char*>(&m);
    if (m == isa::kNoModifiers) return all;
    for (size_t i = 0; i < sizeof(m); ++i) all += "." + std::to_string(bytes[i]);
    return all;
  }

  void phi(mir::BlockId block, mir::InstId id) {
    const auto uses = f_.uses(id);
    if (uses.size() != edges_.size()) return refuse("phis follow another graph");
    const unsigned dwords = f_.defs(id)[0].dwords;
    z3::expr value = resize(read(uses[0], dwords), 32 * dwords);
    for (size_t i = 1; i < uses.size(); ++i) {
      value = z3::ite(edges_[i], resize(read(uses[i], dwords), 32 * dwords), value);
    }
    write(block, f_.defs(id)[0], value);
  }

  /// Operations that move whole registers, and the ends of blocks. False: it is another one.
  bool move(mir::BlockId block, mir::InstId id) {
    const auto defs = f_.defs(id);
    switch (f_.insts[id].opcode) {
      case Opcode::p_start:
        for (const mir::Operand& def : defs) {
          const std::string name = def.is_vreg() ? "entry %" + std::to_string(def.value)
                                                 : "entry register " + std::to_string(def.reg.number);
          write(block, def, inputs_.get(name, 32 * def.dwords, def.is_vgpr_value()));
        }
        return true;
      case Opcode::p_phi:
      case Opcode::p_phi_mask:
        phi(block, id);
        return true;
      case Opcode::p_branch:
        return true;
      case Opcode::p_branch_mask:
      case Opcode::p_branch_scc:
        read(f_.uses(id)[0], 1);
        return true;
      default:
        if (!MachineValues::move(id)) return false;
        for (const mir::Operand& def : defs) {
          if (def.is_vreg()) roots_.insert_or_assign(def.value, MachineRoot{guard(block), *values_[def.value]});
        }
        return true;
    }
  }

  void instruction(mir::BlockId block, mir::InstId id) {
    const mir::Inst& inst = f_.insts[id];
    if (move(block, id)) return;
    const std::string_view name = mir::name(inst.opcode);
    const uint32_t flags = mir::flags(inst.opcode);
    const isa::Modifiers modifiers = f_.modifiers(inst);
    if ((flags & isa::kWritesExec) != 0) return refuse("it changes exec");
    const auto defs = f_.defs(id);
    const bool wide = name.ends_with("64") && name.starts_with("s_");
    MachineInput in{name,
                    modifiers,
                    inst.simm16,
                    {},
                    {},
                    lane_,
                    f_.target.clears_high_half,
                    side_ + "high." + std::to_string(fresh_++)};
    for (const mir::Operand& use : f_.uses(id)) {
      if (use.kind != mir::Operand::Kind::block && use.kind != mir::Operand::Kind::none) {
        in.uses.push_back(read(use, wide ? 2 : 1));
      }
    }
    for (const mir::Operand& def : defs) in.def_bits.push_back(32 * def.dwords);
    if ((flags & isa::kValu) != 0) select_parts(in);
    const bool is_end = inst.opcode == Opcode::p_return || name == "s_endpgm";
    constexpr uint16_t kChanges = mir::kWritesBuffer | mir::kWritesShared | mir::kWritesScratch | mir::kOrdersMemory;
    constexpr uint32_t kSees = isa::kVmem | isa::kLds | isa::kSmem | isa::kMayLoad;
    const bool changes = (flags & (isa::kMayStore | isa::kAtomic | isa::kSideEffects)) != 0 ||
                         (inst.memory & kChanges) != 0 || defs.empty();
    if (reads_lanes(name, modifiers)) {
      other_lanes(block, in);
    } else if (is_end || changes) {
      effect(block, id, in, is_end);
    } else if ((flags & kSees) != 0) {
      in.uses.push_back(token(block));
      results(block, id, in, "");
    } else {
      arithmetic(block, id, in);
    }
    if (reads_lanes(name, modifiers)) results(block, id, in, "");
  }

  void other_lanes(mir::BlockId block, MachineInput& in) {
    const size_t own = in.uses.size();
    in.uses.push_back(from_bool(guard(block)));
    for (size_t i = 0; i <= own; ++i) in.uses.push_back(inputs_.other_lane(in.uses[i]));
  }

  void effect(mir::BlockId block, mir::InstId id, MachineInput& in, bool is_end) {
    in.uses.insert(in.uses.begin(), token(block));
    const std::string name = std::string(in.name) + text(in.modifiers) + "#" + std::to_string(f_.insts[id].simm16);
    if (!f_.defs(id).empty()) results(block, id, in, "result_");
    if (is_end && in.uses.size() == 1) {
      result_.token = token(block);
      return;
    }
    token(block) = unknown("after_" + name, 64, in.uses);
    if (is_end) result_.token = token(block);
  }

  void results(mir::BlockId block, mir::InstId id, const MachineInput& in, const char* prefix) {
    const std::string name =
        prefix + std::string(in.name) + text(in.modifiers) + "#" + std::to_string(f_.insts[id].simm16);
    const auto defs = f_.defs(id);
    for (size_t i = 0; i < defs.size(); ++i) {
      const std::string which = name + "." + std::to_string(i);
      const Formulas& words = in.uses;
      write(block, defs[i],
            words.empty() ? inputs_.get(which, in.def_bits[i], false) : unknown(which, in.def_bits[i], words));
    }
  }

  void arithmetic(mir::BlockId block, mir::InstId id, const MachineInput& in) {
    const auto defs = f_.defs(id);
    const std::optional<MachineResult> known = machine_formula(in);
    if (known) {
      for (size_t i = 0; i < known->words.size() && i < defs.size(); ++i) write(block, defs[i], known->words[i]);
      if (known->mask && known->words.size() < defs.size()) {
        write(block, defs[known->words.size()], mask_of(*known->mask));
      }
      return;
    }
    if (in.name.starts_with("v_cmp_") && !in.uses.empty()) {
      write(block, defs[0], mask_of(truth(unknown(std::string(in.name) + text(in.modifiers), 1, in.uses))));
      return;
    }
    results(block, id, in, "");
  }

  std::map<uint32_t, MachineRoot> roots_;
  std::vector<std::optional<z3::expr>> guards_, tokens_;
  Formulas edges_;  ///< into the block at work, in the order of its predecessors
  MachineBehaviour result_;
};

}  // namespace

MachineBehaviour encode_machine(z3::context& context, Inputs& inputs, const mir::Function& function,
                                const std::string& side) {
  return MachineEncoder(context, inputs, function, side).run();
}

}  // namespace spalt::prove
