// SPDX-License-Identifier: MIT
#include "machine_blocks.h"

#include <algorithm>
#include <array>

#include "amdgpu/mir/opcode.h"
#include "image_formula.h"
#include "machine_access.h"
#include "machine_formula.h"
#include "machine_values.h"

namespace spalt::prove {

namespace {

using mir::Opcode;
using mir::Operand;

/// What only orders accesses, or only reserves registers. Litmus tests and tests of the memory model are about them.
bool is_silent(std::string_view name) {
  constexpr std::array<std::string_view, 12> kNames = {
      "p_wait",    "buffer_gl0_inv", "buffer_gl1_inv", "buffer_wbinvl1_vol", "buffer_wbinvl1", "global_inv",
      "global_wb", "global_wbinv",   "s_barrier_wait", "p_linear_vgpr",      "buffer_inv",     "s_dcache_inv"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

/// Bits of a source, and how a constant becomes as wide.
enum class Source : uint8_t { word, wide_integer, wide_float };

Source source_of(std::string_view name, size_t index) {
  if (name.starts_with("v_")) {
    if (name.ends_with("_f64")) {
      const bool is_word = (name == "v_ldexp_f64" || name == "v_cmp_class_f64") && index == 1;
      return is_word ? Source::word : Source::wide_float;
    }
    if (name.starts_with("v_cmp_") && (name.ends_with("i64") || name.ends_with("u64"))) return Source::wide_integer;
    if (name.ends_with("rev_b64") || name.ends_with("rev_i64")) return index == 1 ? Source::wide_integer : Source::word;
    return Source::word;
  }
  return name.starts_with("s_") && name.ends_with("64") ? Source::wide_integer : Source::word;
}

bool is_inline_integer(uint32_t bits) {
  return static_cast<int32_t>(bits) >= -16 && static_cast<int32_t>(bits) <= 64;
}

class Blocks : private MachineValues {
 public:
  Blocks(z3::context& context, Inputs& inputs, const mir::Function& function, const PhisOfBlocks& phis)
      : MachineValues(context, inputs, function, "selected "), phis_(phis) {}

  MachineBlocks run() {
    std::vector<unsigned> place(f_.blocks.size());
    for (unsigned i = 0; i < f_.layout.size(); ++i) place[f_.layout[i].index] = i;
    place_ = &place;
    result_.behaviour.blocks.resize(f_.layout.size());
    for (number_ = 0; number_ < f_.layout.size() && refusal().empty(); ++number_) block();
    if (refusal().empty()) arrivals();
    collect_words();
    return std::move(result_);
  }

 private:
  std::string& refusal() { return result_.behaviour.refusal; }
  BlockBehaviour& here() { return result_.behaviour.blocks[number_]; }
  void refuse(const std::string& why) {
    if (refusal().empty()) refusal() = why;
  }

  z3::expr mask_of(const z3::expr& condition) override { return mask_of_lanes(inputs_, lane_, condition); }

  void block() {
    const mir::Block& block = f_.blocks[f_.layout[number_]];
    const z3::expr exec = running_lanes(inputs_, lane_, number_);
    for (unsigned i = 0; i < f_.wave_size / 32; ++i) {
      registers_.insert_or_assign(isa::kExec.offset(static_cast<int>(i)).number, exec.extract(32 * i + 31, 32 * i));
    }
    size_t phi_count = 0;
    for (const mir::InstId id : block.insts) {
      if (mir::is_phi(f_.insts[id].opcode) && number_ < phis_.size()) {
        if (phi_count == phis_[number_].size()) return refuse("it has other phis");
        phi(id, phi_count++);
      } else {
        instruction(id);
      }
      if (!refusal().empty()) return;
    }
    if (number_ < phis_.size() && phi_count != phis_[number_].size()) refuse("it has other phis");
  }

  /// Unknown words as wide as the IR's phi; above a narrow one is anything.
  void phi(mir::InstId id, size_t index) {
    const PhiFacts& facts = phis_[number_][index];
    const Operand& def = f_.defs(id)[0];
    Formulas words;
    for (unsigned i = 0; i < facts.type.components; ++i) {
      words.push_back(inputs_.get(phi_name(number_, index, i), facts.type.scalar_bits(), facts.divergent));
    }
    if (f_.insts[id].opcode == Opcode::p_phi_mask) return write(def, mask_of(truth(words[0])));
    z3::expr value = joined_words(words);
    const unsigned bits = value.get_sort().bv_size(), whole = 32 * def.dwords;
    if (bits > whole) return refuse("a phi has other bits");
    if (facts.type.is_bool()) value = z3::zext(value, whole - 1);
    if (bits < whole && !facts.type.is_bool()) value = z3::concat(fresh("above a phi", whole - bits), value);
    write(def, value);
  }

  void collect_words() {
    for (const mir::BlockId block : f_.layout) {
      for (const mir::InstId id : f_.blocks[block].insts) {
        for (const Operand& def : f_.defs(id)) {
          const bool is_word = def.is_vreg() && def.dwords == 1 && values_[def.value].has_value();
          if (is_word) result_.words.push_back(*values_[def.value]);
        }
      }
    }
  }

  /// What the blocks before bring to phis, when all values have formulas.
  void arrivals() {
    for (unsigned i = 0; i < phis_.size(); ++i) {
      size_t index = 0;
      for (const mir::InstId id : f_.blocks[f_.layout[i]].insts) {
        if (!mir::is_phi(f_.insts[id].opcode)) continue;
        const ir::Type type = phis_[i][index++].type;
        std::vector<Arrival> from;
        for (const Operand& use : f_.uses(id)) from.push_back(arrival(id, type, use));
        result_.behaviour.blocks[i].phis.push_back(std::move(from));
      }
    }
  }

  Arrival arrival(mir::InstId id, ir::Type type, const Operand& use) {
    if (use.kind == Operand::Kind::undef) return std::nullopt;
    if (f_.insts[id].opcode == Opcode::p_phi_mask) return lane_bit(read_mask(use), lane_);
    const z3::expr word = read(use, f_.defs(id)[0].dwords);
    if (!type.is_bool()) return resize(word, type.bits());
    // 0 or 1, and nothing else.
    return z3::ite(word == number(c_, 0, 32), number(c_, 0, 1),
                   z3::ite(word == number(c_, 1, 32), number(c_, 1, 1), fresh("no flag", 1)));
  }

  z3::expr read_mask(const Operand& use) {
    return use.is_imm() ? number(c_, static_cast<uint64_t>(int64_t{static_cast<int32_t>(use.value)}), mask_bits_)
                        : read(use, 1);
  }

  z3::expr read_source(std::string_view name, size_t index, const Operand& use) {
    if (name.starts_with("v_cndmask_") && index == 2) return read_mask(use);
    if (name.find("_co_ci_") != std::string_view::npos && index == 2) return read_mask(use);
    const Source source = source_of(name, index);
    if (use.kind == Operand::Kind::imm && source == Source::wide_float && !is_inline_integer(use.value)) {
      return z3::concat(number(c_, use.value, 32), number(c_, 0, 32));
    }
    return read(use, source == Source::word ? 1 : 2);
  }

  void instruction(mir::InstId id) {
    const mir::Inst& inst = f_.insts[id];
    if (inst.opcode == Opcode::p_start) {
      for (const Operand& def : f_.defs(id)) write(def, read_register(def.reg, def.dwords));
      return;
    }
    if (move(id) || terminator(id)) return;
    const std::string_view name = mir::name(inst.opcode);
    if (is_silent(name)) return;
    const bool changes_exec = (mir::flags(inst.opcode) & isa::kWritesExec) != 0 ||
                              std::any_of(f_.defs(id).begin(), f_.defs(id).end(), [](const Operand& def) {
                                return def.kind == Operand::Kind::reg && def.reg == isa::kExec;
                              });
    if (changes_exec && !(number_ == 0 && name.starts_with("s_mov_b"))) return refuse("it changes exec");
    if (name == "s_getpc_b64") return counter(id);
    if (name == "exp") return exported(id);
    if (name == "s_barrier" || name == "s_barrier_signal") return here().events.push_back({"barrier", {}});
    if (special(name, id)) return;
    std::vector<MaybeWord> all;
    for (size_t i = 0; i < f_.uses(id).size(); ++i) {
      const Operand& use = f_.uses(id)[i];
      all.push_back(use.kind == Operand::Kind::none ? MaybeWord() : read_source(name, i, use));
    }
    if (name.starts_with("image_")) return image(name, id);
    if (const auto access = machine_access(name, f_.modifiers(inst), all, of_scratch(id))) return go(id, *access);
    arithmetic(name, id, all);
  }

  bool of_scratch(mir::InstId id) {
    return std::any_of(f_.uses(id).begin(), f_.uses(id).end(), [&](const Operand& use) {
      return f_.scratch_descriptor.valid() && use.is_reg(f_.scratch_descriptor) && use.dwords == 4;
    });
  }

  bool terminator(mir::InstId id) {
    const auto uses = f_.uses(id);
    switch (f_.insts[id].opcode) {
      case Opcode::p_branch:
        here().successors = {(*place_)[uses[0].block().index]};
        break;
      case Opcode::p_branch_mask:
      case Opcode::p_branch_scc: {
        const bool of_lanes = f_.insts[id].opcode == Opcode::p_branch_mask;
        here().taken = truth(of_lanes ? lane_bit(read_mask(uses[0]), lane_) : z3::expr(read(uses[0], 1).extract(0, 0)));
        here().successors = {(*place_)[uses[1].block().index], (*place_)[uses[2].block().index]};
        break;
      }
      case Opcode::p_return:
        if (!uses.empty()) refuse("it hands lanes over to other code");
        here().returns = true;
        break;
      default:
        return false;
    }
    return true;
  }

  /// The address after the instruction has 48 bits; some targets do not extend its sign.
  void counter(mir::InstId id) {
    const z3::expr address = inputs_.get("program counter", 48, false);
    write(f_.defs(id)[0], f_.target.getpc_zero_extends ? z3::zext(address, 16) : z3::sext(address, 16));
  }

  void exported(mir::InstId id) {
    const isa::Modifiers& m = f_.modifiers(id);
    Event event{"export " + std::to_string(m.export_target) + " mask " + std::to_string(m.export_enable) +
                    (m.export_done ? " done" : "") + (m.export_compressed ? " compressed" : "") +
                    (m.export_valid_mask ? " valid_mask" : ""),
                {}};
    for (const Operand& use : f_.uses(id)) {
      if (use.kind != Operand::Kind::none) event.words.push_back(read(use, 1));
    }
    here().events.push_back(event);
  }

  bool special(std::string_view name, mir::InstId id) {
    const auto uses = f_.uses(id);
    if (name == "v_readfirstlane_b32") {
      write(f_.defs(id)[0], of_other_lane("first lane", inputs_, read(uses[0], 1), {}));
      return true;
    }
    const isa::Modifiers& m = f_.modifiers(id);
    if (name == "v_mov_b32" && (m.dpp_ctrl != 0 || m.bound_ctrl)) {
      isa::Modifiers rest = m;
      rest.dpp_ctrl = 0;
      rest.bound_ctrl = false;
      if (m.dpp_ctrl > 0xff || rest != isa::kNoModifiers) return false;
      const std::string how = "quad permute " + std::to_string(m.dpp_ctrl);
      write(f_.defs(id)[0], of_other_lane(how, inputs_, read(uses[0], 1), {}));
      return true;
    }
    if (name.starts_with("p_interpolate_") || name == "p_parameter" || name == "p_load_parameter" ||
        name.starts_with("v_interp_p")) {
      Formulas words;
      for (const Operand& use : uses) words.push_back(read(use, 1));
      write(f_.defs(id)[0], unknown(std::string(name) + " " + std::to_string(f_.insts[id].simm16), 32, words));
      return true;
    }
    if (name == "s_sendmsg") {
      Event event{"message " + std::to_string(f_.insts[id].simm16), {}};
      for (const Operand& use : uses) event.words.push_back(read(use, 1));
      here().events.push_back(event);
      return true;
    }
    if (name == "v_readlane_b32") {
      const z3::expr lane = read(uses[1], 1) & number(c_, f_.wave_size - 1, 32);
      write(f_.defs(id)[0], of_other_lane("read lane", inputs_, read(uses[0], 1), {lane}));
      return true;
    }
    if (name == "ds_bpermute_b32") {
      const unsigned group = f_.target.permutes_whole_wave ? f_.wave_size : 32;
      const z3::expr lane = z3::lshr(read(uses[0], 1), number(c_, 2, 32)) & number(c_, group - 1, 32);
      const std::string how = "shuffle in " + std::to_string(group);
      write(f_.defs(id)[0], of_other_lane(how, inputs_, read(uses[1], 1), {lane}));
      return true;
    }
    return false;
  }

  /// Memory that the shader may write, with what it did to it so far, or memory that nobody writes.
  std::string read_memory(mir::InstId id, const std::string& memory) {
    if ((f_.insts[id].memory & mir::kReadsConstant) != 0) return memory + " that nobody writes";
    return memory + " at " + std::to_string(number_) + "." + std::to_string(here().events.size());
  }
  std::string memory_of(mir::InstId id, const MachineAccess& access) {
    return access.kind == MachineAccess::Kind::load ? read_memory(id, access.memory) : access.memory;
  }

  void image(std::string_view name, mir::InstId id) {
    Formulas uses;
    bool starts_as_zero = true;
    for (const Operand& use : f_.uses(id)) {
      const bool is_start = use.tied && f_.modifiers(id).tfe;
      if (is_start) {
        const z3::expr start = read(use, 1).simplify();
        starts_as_zero = start.is_numeral() && z3::eq(start, number_like(start, 0));
      } else {
        uses.push_back(read(use, 1));
      }
    }
    const auto formula = image_instruction(name, f_.modifiers(id), f_.target.has_image_dim, uses);
    if (!formula || !starts_as_zero) return refuse("it has " + std::string(name) + ", which has no formula");
    const auto defs = f_.defs(id);
    if (formula->stores) return here().events.push_back({formula->what, formula->words});
    if (formula->is_atomic) {
      if (!defs.empty()) {
        const unsigned whole = 32 * defs[0].dwords;
        const unsigned bits = name == "image_atomic_cmpswap" ? whole / 2 : whole;
        z3::expr old = inputs_.get(result_name(number_, here().events.size()), bits, true);
        if (whole > bits) old = z3::concat(fresh("above the old value", whole - bits), old);
        write(defs[0], old);
      }
      return here().events.push_back({formula->what, formula->words});
    }
    const std::string what = formula->loads ? read_memory(id, formula->what) : formula->what;
    Formulas words;
    for (unsigned i = 0; i < defs[0].dwords; ++i) {
      words.push_back(loaded(what + "." + std::to_string(i), 32, formula->words));
    }
    write(defs[0], joined_words(words));
  }
  static z3::expr number_like(const z3::expr& word, uint64_t value) {
    return word.ctx().bv_val(value, word.get_sort().bv_size()).simplify();
  }

  void go(mir::InstId id, const MachineAccess& access) {
    const std::string memory = memory_of(id, access);
    if (access.kind == MachineAccess::Kind::load) return load(id, access, memory);
    const unsigned size = access.data->get_sort().bv_size();
    if (access.kind == MachineAccess::Kind::store && !access.format.empty()) {
      Event event{"store " + memory + " format " + access.format + " of " + std::to_string(access.pieces),
                  access.place};
      event.words.push_back(access.data->extract(32 * access.pieces - 1, 0));
      return here().events.push_back(event);
    }
    if (access.kind == MachineAccess::Kind::store) {
      for (unsigned i = 0; i < access.pieces; ++i) {
        Event event{"store " + memory + " " + std::to_string(access.bits), further(access.place, 4 * i)};
        const unsigned first = access.in_high_half ? 16 : 32 * i;
        if (first + access.bits > size) return refuse("a store has too little data");
        event.words.push_back(access.data->extract(first + access.bits - 1, first));
        here().events.push_back(event);
      }
      return;
    }
    atomic(id, access, memory);
  }

  void atomic(mir::InstId id, const MachineAccess& access, const std::string& memory) {
    const unsigned bits = access.bits, size = access.data->get_sort().bv_size();
    Event event{"atomic " + access.atomic + " " + memory + " " + std::to_string(bits), access.place};
    if (size == 2 * bits) {
      const z3::expr low = access.data->extract(bits - 1, 0), high = access.data->extract(size - 1, bits);
      event.words.push_back(access.comparator_first ? high : low);
      event.words.push_back(access.comparator_first ? low : high);
    } else {
      event.words.push_back(*access.data);
    }
    if (!f_.defs(id).empty()) {
      const Operand& def = f_.defs(id)[0];
      z3::expr old = inputs_.get(result_name(number_, here().events.size()), bits, true);
      if (32u * def.dwords > bits) old = z3::concat(fresh("above the old value", 32 * def.dwords - bits), old);
      write(def, old);
    }
    here().events.push_back(event);
  }

  void load(mir::InstId id, const MachineAccess& access, const std::string& memory) {
    const Operand& def = f_.defs(id)[0];
    if (!access.format.empty()) {
      Formulas words;
      for (unsigned i = 0; i < access.pieces; ++i) {
        words.push_back(loaded(memory + " format " + access.format + "." + std::to_string(i), 32, access.place));
      }
      return write(def, joined_words(words));
    }
    if (access.bits < 32) {
      const z3::expr part = loaded(memory, access.bits, access.place);
      if (access.keeps_rest) return refuse("a load keeps half of a register");
      const unsigned rest = 32 - access.bits;
      return write(def, access.is_signed ? z3::sext(part, rest) : z3::zext(part, rest));
    }
    Formulas words;
    for (unsigned i = 0; i < access.pieces; ++i) {
      words.push_back(loaded(memory, 32, further(access.place, 4 * i)));
      loads_.push_back(words.back());
      result_.forms.insert(Z3_get_ast_id(c_, words.back()));
    }
    write(def, joined_words(words));
  }

  void arithmetic(std::string_view name, mir::InstId id, const std::vector<MaybeWord>& all) {
    const auto defs = f_.defs(id);
    MachineInput in{name,
                    f_.modifiers(id),
                    f_.insts[id].simm16,
                    {},
                    {},
                    lane_,
                    f_.target.clears_high_half,
                    side_ + "high." + std::to_string(fresh_++)};
    for (const MaybeWord& use : all) {
      if (use) in.uses.push_back(*use);
    }
    for (const Operand& def : defs) in.def_bits.push_back(32 * def.dwords);
    if ((mir::flags(f_.insts[id].opcode) & isa::kValu) != 0) select_parts(in);
    if (reads_lanes(name, in.modifiers)) return refuse("it has " + std::string(name) + ", which reads other lanes");
    const std::optional<MachineResult> known = machine_formula(in);
    if (!known) return refuse("it has " + std::string(name) + ", which has no formula");
    for (size_t i = 0; i < known->words.size() && i < defs.size(); ++i) {
      const z3::expr word = known->words[i].simplify();
      if (defs[i].is_vgpr_value() || name.find("_f") != std::string_view::npos) collect_forms(word);
      write(defs[i], word);
    }
    if (known->mask && known->words.size() < defs.size()) {
      write(defs[known->words.size()], mask_of(known->mask->simplify()));
    }
  }

  /// The fused and scaled floats in a result.
  void collect_forms(const z3::expr& whole) {
    std::vector<z3::expr> rest = {whole};
    while (!rest.empty()) {
      const z3::expr formula = rest.back();
      rest.pop_back();
      if (!formula.is_app() || !seen_.insert(Z3_get_ast_id(c_, formula)).second) continue;
      if (formula.decl().decl_kind() == Z3_OP_UNINTERPRETED && formula.num_args() != 0) {
        const std::string name = formula.decl().name().str();
        for (const std::string_view start : {"fma.", "add.", "omod"}) {
          if (name.starts_with(start)) result_.forms.insert(Z3_get_ast_id(c_, formula));
        }
      }
      for (unsigned i = 0; i < formula.num_args(); ++i) rest.push_back(formula.arg(i));
    }
  }

  const PhisOfBlocks& phis_;
  const std::vector<unsigned>* place_ = nullptr;
  unsigned number_ = 0;  ///< of the block at work
  std::set<unsigned> seen_;
  Formulas loads_;  ///< keeps their numbers taken
  MachineBlocks result_;
};

}  // namespace

MachineBlocks encode_machine_blocks(z3::context& context, Inputs& inputs, const mir::Function& function,
                                    const PhisOfBlocks& phis) {
  return Blocks(context, inputs, function, phis).run();
}

}  // namespace spalt::prove
