// SPDX-License-Identifier: MIT
#include "machine_encoder.h"

#include <algorithm>

#include "amdgpu/mir/opcode.h"
#include "machine_formula.h"

namespace spalt::prove {

namespace {

using mir::Opcode;

/// Operations that read other lanes.
bool reads_lanes(std::string_view name, const isa::Modifiers& m) {
  constexpr std::array<std::string_view, 10> kNames = {
      "v_readfirstlane_b32", "v_readlane_b32",   "v_writelane_b32",   "ds_bpermute_b32",  "ds_permute_b32",
      "ds_swizzle_b32",      "v_permlane16_b32", "v_permlanex16_b32", "v_permlane64_b32", "v_interp_p2_f32"};
  return m.dpp_ctrl != 0 || m.dpp8 != 0 || std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

class MachineEncoder {
 public:
  MachineEncoder(z3::context& context, Inputs& inputs, const mir::Function& function, const std::string& side)
      : c_(context),
        inputs_(inputs),
        f_(function),
        side_(side),
        mask_bits_(function.wave_size),
        lane_(inputs.get("lane", function.wave_size, true)),
        values_(function.vregs.size()),
        is_read_(function.vregs.size()) {}

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

  /// A register by its number: of vectors a word of this lane.
  z3::expr read_register(isa::Reg reg, unsigned dwords) {
    std::optional<z3::expr> all;
    for (unsigned i = 0; i < dwords; ++i) {
      const isa::Reg one = reg.offset(static_cast<int>(i));
      const auto found = registers_.find(one.number);
      const z3::expr word = found != registers_.end()
                                ? found->second
                                : inputs_.get("register " + std::to_string(one.number), 32, one.is_vgpr());
      all = all ? z3::concat(word, *all) : word;
    }
    return *all;
  }

  z3::expr read(const mir::Operand& operand, unsigned dwords) {
    using Kind = mir::Operand::Kind;
    switch (operand.kind) {
      case Kind::vreg:
        is_read_[operand.value] = true;
        if (!values_[operand.value].has_value()) return fresh("unset", 32 * operand.dwords);
        return *values_[operand.value];
      case Kind::reg:
        return read_register(operand.reg, operand.dwords);
      case Kind::imm:
        // Constants of 64 bits are words with their sign.
        return dwords == 2 ? z3::sext(number(c_, operand.value, 32), 32) : number(c_, operand.value, 32);
      case Kind::table:
        return inputs_.get("distance to the tables", 32, false);
      default:
        return fresh("undef", 32 * std::max<unsigned>(operand.dwords, 1));
    }
  }

  z3::expr fresh(const std::string& what, unsigned bits) {
    return c_.bv_const((side_ + what + "." + std::to_string(fresh_++)).c_str(), bits);
  }

  void write(mir::BlockId block, const mir::Operand& def, z3::expr value) {
    value = resize(value, 32 * def.dwords);
    if (def.is_vreg()) {
      values_[def.value] = value;
      roots_.insert_or_assign(def.value, MachineRoot{guard(block), value});
    }
    if (!def.reg.valid() || def.reg == isa::kNull) return;
    for (unsigned i = 0; i < def.dwords; ++i) {
      registers_.insert_or_assign(def.reg.offset(static_cast<int>(i)).number, value.extract(32 * i + 31, 32 * i));
    }
  }

  /// The mask of a condition of each lane: this lane's bit is exact, the others are a function of the condition in the
  /// other lane.
  z3::expr mask_of(const z3::expr& condition) {
    const z3::expr bit = z3::zext(from_bool(condition), mask_bits_ - 1);
    const z3::expr others = unknown("others", mask_bits_, {inputs_.other_lane(from_bool(condition))});
    const z3::expr place = z3::shl(number(c_, 1, mask_bits_), lane_);
    return (others & ~place) | z3::shl(bit, lane_);
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

  /// Operations that move whole registers. False: it is another one.
  bool move(mir::BlockId block, mir::InstId id) {
    const auto defs = f_.defs(id);
    const auto uses = f_.uses(id);
    switch (f_.insts[id].opcode) {
      case Opcode::p_start:
        for (const mir::Operand& def : defs) {
          const std::string name = def.is_vreg() ? "entry %" + std::to_string(def.value)
                                                 : "entry register " + std::to_string(def.reg.number);
          write(block, def, inputs_.get(name, 32 * def.dwords, def.is_vgpr_value()));
        }
        return true;
      case Opcode::p_vec:
        write(block, defs[0], joined(uses));
        return true;
      case Opcode::p_split: {
        const z3::expr whole = read(uses[0], 1);
        unsigned at = 0;
        for (const mir::Operand& def : defs) {
          write(block, def, whole.extract(32 * (at + def.dwords) - 1, 32 * at));
          at += def.dwords;
        }
        return true;
      }
      case Opcode::p_extract: {
        const unsigned first = 32 * uses[1].value;
        write(block, defs[0], read(uses[0], 1).extract(first + 32 * defs[0].dwords - 1, first));
        return true;
      }
      case Opcode::p_parallel_copy: {
        Formulas words;
        for (size_t i = 0; i < uses.size(); ++i) words.push_back(read(uses[i], defs[i].dwords));
        for (size_t i = 0; i < words.size(); ++i) write(block, defs[i], words[i]);
        return true;
      }
      case Opcode::p_phi:
      case Opcode::p_phi_mask:
        phi(block, id);
        return true;
      case Opcode::p_logical_start:
      case Opcode::p_logical_end:
      case Opcode::p_branch:
        return true;
      case Opcode::p_branch_mask:
      case Opcode::p_branch_scc:
        read(uses[0], 1);
        return true;
      default:
        return false;
    }
  }

  z3::expr joined(std::span<const mir::Operand> uses) {
    z3::expr whole = read(uses[0], 1);
    for (size_t i = 1; i < uses.size(); ++i) whole = z3::concat(read(uses[i], 1), whole);
    return whole;
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

  z3::context& c_;
  Inputs& inputs_;
  const mir::Function& f_;
  const std::string side_;
  const unsigned mask_bits_;
  const z3::expr lane_;
  std::vector<std::optional<z3::expr>> values_;
  std::vector<bool> is_read_;
  std::map<uint32_t, MachineRoot> roots_;
  std::map<uint16_t, z3::expr> registers_;
  std::vector<std::optional<z3::expr>> guards_, tokens_;
  Formulas edges_;  ///< into the block at work, in the order of its predecessors
  unsigned fresh_ = 0;
  MachineBehaviour result_;
};

}  // namespace

MachineBehaviour encode_machine(z3::context& context, Inputs& inputs, const mir::Function& function,
                                const std::string& side) {
  return MachineEncoder(context, inputs, function, side).run();
}

}  // namespace spalt::prove
