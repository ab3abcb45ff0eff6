// SPDX-License-Identifier: MIT
// Blocks become formulas in layout order. Each has a guard, the condition under which it runs; a phi chooses by the
// guards of the edges, and so does the state at the start of a block.
//
// A loop is cut at its header: there phis, memory and the effects so far are unknown, but the same before and after the
// pass, and what comes over the edges into the header is part of what the function does. If that is equal for the first
// turn and, whatever a turn started with, for the next one, it is equal in all turns. Passes keep the numbers of blocks
// and values, and by these headers and phis of the two functions are found.
#include "encoder.h"

#include <algorithm>
#include <set>

#include "base/id_map.h"
#include "ir/packed.h"

namespace spalt::prove {

using ir::Inst;
using ir::Op;
using ir::Type;
using ir::Value;

z3::expr Inputs::get(const std::string& name, unsigned width, bool per_lane) {
  const auto [place, is_new] = index_.try_emplace(name, all_.size());
  if (is_new) {
    all_.emplace_back(name, c_.bv_const(name.c_str(), width));
    if (per_lane) {
      lane_.push_back(all_.back().second);
      other_.push_back(c_.bv_const(("other " + name).c_str(), width));
    }
  }
  return all_[place->second].second;
}

z3::expr Inputs::other_lane(const z3::expr& formula) const {
  z3::expr_vector from(c_), to(c_);
  for (size_t i = 0; i < lane_.size(); ++i) {
    from.push_back(lane_[i]);
    to.push_back(other_[i]);
  }
  z3::expr copy = formula;
  return copy.substitute(from, to);
}

namespace {

class Encoder {
 public:
  Encoder(z3::context& context, Inputs& inputs, const ir::Module& module, const ir::Function& function,
          const EncodeOptions& options)
      : c_(context),
        inputs_(inputs),
        module_(module),
        function_(function),
        options_(options),
        memory_(context, module, options.granule, options.shares_all),
        values_(function.value_capacity()),
        guards_(function.block_capacity()),
        states_(function.block_capacity()),
        result_{{}, function.return_type, {}, context.bool_val(true), {}, {}, {}, {}, {}, {}, {}},
        seen_(function.block_capacity()) {}

  Behaviour run() {
    for (const ir::BlockId block : function_.layout()) {
      begin_block(block);
      adopt_guard(block);
      seen_[block.index] = true;
      for (const Value value : insts(function_, block)) {
        if (is_terminator(function_.inst(value).op)) continue;
        const std::optional<State> start = states_[block.index];
        values_[value.index] = instruction(block, value);
        adopt(block, value);
        if (start->is(*states_[block.index])) continue;
        if (options_.agrees) adopt_state(block, value);
        result_.states.insert_or_assign(value.index, *states_[block.index]);
      }
      end_block(block);
    }
    for (const ir::BlockId header : headers_) loop_edge(header, true);
    result_.values = std::move(values_);
    result_.guards = std::move(guards_);
    return std::move(result_);
  }

 private:
  const z3::expr& guard(ir::BlockId block) { return *guards_[block.index]; }

  z3::expr edge_condition(ir::BlockId from, unsigned successor) {
    const Value end = function_.terminator(from);
    switch (function_.inst(end).op) {
      case Op::branch_if: {
        const z3::expr taken = truth(operand(end, 0)[0]);
        return guard(from) && (successor == 0 ? taken : !taken);
      }
      case Op::switch_on: {
        const z3::expr on = operand(end, 0)[0];
        const auto& cases = function_.block(from).cases;
        const auto is = [&](size_t i) { return on == number(c_, cases[i], on.get_sort().bv_size()); };
        if (successor != 0) return guard(from) && is(successor - 1);
        z3::expr none = guard(from);
        for (size_t i = 0; i < cases.size(); ++i) none = none && !is(i);
        return none;
      }
      default:
        return guard(from);
    }
  }

  /// The conditions of the edges into a block, in the order of its predecessors: a predecessor with several edges comes
  /// several times, and its phi operands agree.
  Formulas edges_into(ir::BlockId block) {
    Formulas edges;
    for (const ir::BlockId pred : function_.block(block).preds) edges.push_back(edge_between(pred, block));
    return edges;
  }

  z3::expr edge_between(ir::BlockId from, ir::BlockId to) {
    z3::expr any = c_.bool_val(false);
    const auto& succs = function_.block(from).succs;
    for (unsigned i = 0; i < succs.size(); ++i) {
      if (succs[i] == to) any = any || edge_condition(from, i);
    }
    return any.simplify();
  }

  void begin_block(ir::BlockId block) {
    const auto& preds = function_.block(block).preds;
    if (preds.empty()) {
      guards_[block.index] = c_.bool_val(block == function_.entry());
      states_[block.index] = memory_.initial();
      return;
    }
    if (std::any_of(preds.begin(), preds.end(), [&](ir::BlockId pred) { return !seen_[pred.index]; })) {
      begin_loop(block);
      return;
    }
    edges_ = edges_into(block);
    z3::expr runs = edges_[0];
    State state = *states_[preds[0].index];
    for (size_t i = 1; i < edges_.size(); ++i) {
      runs = runs || edges_[i];
      state = State::merge(edges_[i], *states_[preds[i].index], state);
    }
    guards_[block.index] = runs.simplify();
    states_[block.index] = state;
  }

  void begin_loop(ir::BlockId header) {
    headers_.push_back(header);
    loop_edge(header, false);
    const std::string name = "loop b" + std::to_string(header.index);
    const z3::expr turns = truth(inputs_.get(name + " has a turn", 1, true));
    guards_[header.index] = (result_.loops.back().runs && turns).simplify();
    states_[header.index] = memory_.unknown_state(name);
  }

  /// What comes over the edges into a loop from before it, or from inside.
  void loop_edge(ir::BlockId header, bool is_back) {
    const auto& preds = function_.block(header).preds;
    if (!is_back) entered_from_[header.index] = seen_;
    const std::vector<bool>& before = entered_from_[header.index];
    std::optional<LoopEdge> edge;
    for (unsigned i = 0; i < preds.size(); ++i) {
      if (before[preds[i].index] == is_back) continue;
      const z3::expr runs = edge_between(preds[i], header);
      LoopEdge one{header.index, is_back, runs, {}, *states_[preds[i].index]};
      for (const Value value : insts(function_, header)) {
        if (function_.inst(value).op != Op::phi) break;
        one.phis[value.index] = operand(value, i);
      }
      if (!edge) {
        edge = std::move(one);
        continue;
      }
      edge->state = State::merge(runs, one.state, edge->state);
      edge->runs = edge->runs || runs;
      for (auto& [phi, formulas] : edge->phis) {
        for (size_t k = 0; k < formulas.size(); ++k) formulas[k] = z3::ite(runs, one.phis[phi][k], formulas[k]);
      }
    }
    if (edge) result_.loops.push_back(std::move(*edge));
  }

  void end_block(ir::BlockId block) {
    const Value end = function_.terminator(block);
    const Op op = function_.inst(end).op;
    if (op == Op::unreachable) require(block, c_.bool_val(false));
    if (op != Op::ret) return;
    Formulas value;
    if (!function_.operands(end).empty()) value = operand(end, 0);
    value = observed(function_.return_type, value);
    const State& state = *states_[block.index];
    if (!result_.state) {
      result_.returned = value;
      result_.state = state;
      return;
    }
    result_.state = State::merge(guard(block), state, *result_.state);
    for (size_t i = 0; i < value.size(); ++i) {
      result_.returned[i] = z3::ite(guard(block), value[i], result_.returned[i]);
    }
  }

  /// A condition that holds for every input that the function may get.
  void require(ir::BlockId block, const z3::expr& condition) {
    result_.defined = result_.defined && z3::implies(guard(block), condition);
  }

  Formulas operand(Value user, unsigned index) { return use(function_.operand(user, index)); }

  /// A use of a value; of undef another word each time.
  Formulas use(Value value) {
    const Inst& inst = function_.inst(value);
    const unsigned width = width_of(inst.type);
    Formulas formulas;
    switch (inst.op) {
      case Op::constant:
        return {number(c_, inst.imm, width)};
      case Op::undef:
        for (unsigned i = 0; i < inst.type.components; ++i) {
          const std::string name = options_.side + "undef." + std::to_string(result_.free.size());
          result_.free.push_back(c_.bv_const(name.c_str(), width));
          formulas.push_back(result_.free.back());
        }
        return formulas;
      case Op::param:
        for (unsigned i = 0; i < inst.type.components; ++i) {
          formulas.push_back(
              inputs_.get("parameter " + std::to_string(inst.imm) + component(inst.type, i), width, true));
        }
        return formulas;
      default:
        return values_[value.index];
    }
  }

  static std::string component(Type type, unsigned i) { return type.is_vector() ? "." + std::to_string(i) : ""; }
  static unsigned width_of(Type type) { return type.scalar == ir::Scalar::resource ? 64 : type.scalar_bits(); }

  Formulas observed(Type type, Formulas value) {
    if (!type.is_float()) return value;
    for (z3::expr& bits : value) {
      const unsigned width = type.scalar_bits();
      if (options_.one_nan) bits = z3::ite(nan_formula(bits), number(c_, ~uint64_t{0} >> 1, width), bits);
      if (options_.one_zero) bits = z3::ite(zero_formula(bits), number(c_, 0, width), bits);
    }
    return value;
  }

  std::vector<Formulas> operands_of(Value value) {
    std::vector<Formulas> all;
    for (const Value operand : function_.operands(value)) all.push_back(use(operand));
    return all;
  }

  static Formulas flat(const std::vector<Formulas>& all) {
    Formulas words;
    for (const Formulas& formulas : all) words.insert(words.end(), formulas.begin(), formulas.end());
    return words;
  }

  /// Name of an operation with all that its immediate says.
  std::string name_of(const Inst& inst) {
    return std::string(ir::info(inst.op).name) + (inst.imm != 0 ? "#" + std::to_string(inst.imm) : "");
  }

  Formulas unknown_result(const Inst& inst, const std::string& name, const Formulas& words) {
    Formulas formulas;
    for (unsigned i = 0; i < inst.type.components; ++i) {
      formulas.push_back(unknown(name + component(inst.type, i), width_of(inst.type), words));
    }
    return formulas;
  }

  Formulas instruction(ir::BlockId block, Value value) {
    const Inst& inst = function_.inst(value);
    if (inst.op == Op::phi) return phi(value);
    const std::vector<Formulas> operands = operands_of(value);
    switch (ir::group(inst.op)) {
      case ir::OpGroup::move:
        if (!ir::depends_on_lanes(inst.op)) return move_formula(inst.op, inst.type, inst.imm, operands);
        return lanes(block, inst, operands);
      case ir::OpGroup::subgroup:
        return ir::is_pure(inst.op) ? outside(block, inst, operands) : lanes(block, inst, operands);
      case ir::OpGroup::interface:
        if (ir::info(inst.op).has(ir::kBarrier)) return effect(block, value, operands);
        return ir::depends_on_lanes(inst.op) ? lanes(block, inst, operands) : outside(block, inst, operands);
      case ir::OpGroup::image:
        if (ir::is_pure(inst.op)) return outside(block, inst, operands);
        if (ir::depends_on_lanes(inst.op)) return lanes(block, inst, operands);
        return image(block, value, operands);
      case ir::OpGroup::memory:
      case ir::OpGroup::atomic:
      case ir::OpGroup::synchronize:
        return memory(block, value, operands);
      default:
        return arithmetic(block, value, operands);
    }
  }

  /// Unknown, but what the function before the pass has there, and where all edges bring one value, that.
  Formulas header_phi(Value value) {
    if (options_.before != nullptr) {
      const auto found = options_.before->phis.find(value.index);
      if (found != options_.before->phis.end()) return found->second;
    }
    if (leaders_.empty()) find_leaders();
    const Value leader = leaders_[value.index];
    const Op op = function_.inst(leader).op;
    if (op != Op::undef && leader != value && (ir::is_free_value(op) || !values_[leader.index].empty()))
      return use(leader);
    Formulas words;
    const Type type = function_.type(value);
    for (unsigned i = 0; i < type.components; ++i) {
      const std::string name = "phi " + std::to_string(value.index) + component(type, i);
      words.push_back(inputs_.get(name, width_of(type), true));
    }
    return words;
  }

  /// For each value the one that it always is a copy of, through phis alone. Taken to be as many copies as possible at
  /// first, until nothing contradicts.
  void find_leaders() {
    leaders_.assign(function_.value_capacity(), Value());
    for (uint32_t i = 0; i < leaders_.size(); ++i) {
      if (function_.inst(Value(i)).op != Op::phi) leaders_[i] = Value(i);
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (const ir::BlockId block : function_.layout()) {
        for (const Value value : insts(function_, block)) {
          if (function_.inst(value).op != Op::phi) break;
          if (leaders_[value.index] == value) continue;
          Value one;
          bool several = false;
          for (const Value operand : function_.operands(value)) {
            const Value leader = leaders_[operand.index];
            if (!leader.valid() || leader == one) continue;
            several |= one.valid();
            one = leader;
          }
          // A copy of another value than before is not looked into: the phi stands for itself.
          if (leaders_[value.index].valid() && one != leaders_[value.index]) several = true;
          if (several) one = value;
          changed |= one != leaders_[value.index];
          leaders_[value.index] = one;
        }
      }
    }
    for (uint32_t i = 0; i < leaders_.size(); ++i) {
      if (!leaders_[i].valid()) leaders_[i] = Value(i);
    }
  }

  Formulas phi(Value value) {
    if (!headers_.empty() && headers_.back() == function_.inst(value).block) {
      return result_.phis[value.index] = header_phi(value);
    }
    Formulas chosen = operand(value, 0);
    for (unsigned i = 1; i < function_.operands(value).size(); ++i) {
      const Formulas other = operand(value, i);
      for (size_t k = 0; k < chosen.size(); ++k) chosen[k] = z3::ite(edges_[i], other[k], chosen[k]);
    }
    return chosen;
  }

  Formulas arithmetic(ir::BlockId block, Value value, const std::vector<Formulas>& operands) {
    const Inst& inst = function_.inst(value);
    std::vector<Type> types;
    for (const Value operand : function_.operands(value)) types.push_back(function_.type(operand).element());
    Semantics semantics = options_.semantics;
    Formulas formulas;
    for (unsigned i = 0; i < inst.type.components; ++i) {
      Formulas words;
      for (const Formulas& operand : operands) words.push_back(operand[operand.size() == 1 ? 0 : i]);
      formulas.push_back(operation_formula(inst.op, inst.type.element(), types, words, semantics));
      promises(block, inst, types, words, formulas.back());
    }
    return formulas;
  }

  /// What the flags of an operation promise.
  void promises(ir::BlockId block, const Inst& inst, const std::vector<Type>& types, const Formulas& o,
                const z3::expr& result) {
    const unsigned width = o[0].get_sort().bv_size();
    if ((inst.flags & ir::kFits24) != 0 && inst.op == Op::imul) {
      require(block, z3::ult(o[0], number(c_, 1u << 24, width)) && z3::ult(o[1], number(c_, 1u << 24, width)));
    }
    if (inst.op == Op::iadd || inst.op == Op::isub || inst.op == Op::imul) {
      const auto exact = [&](bool is_signed) {
        const auto widen = [&](const z3::expr& a) { return is_signed ? z3::sext(a, width) : z3::zext(a, width); };
        const z3::expr a = widen(o[0]), b = widen(o[1]);
        return (inst.op == Op::iadd ? a + b : inst.op == Op::isub ? a - b : a * b) == widen(result);
      };
      if ((inst.flags & ir::kNoSignedWrap) != 0) require(block, exact(true));
      if ((inst.flags & ir::kNoUnsignedWrap) != 0) require(block, exact(false));
    }
    const bool of_floats =
        ir::group(inst.op) == ir::OpGroup::floating || ir::group(inst.op) == ir::OpGroup::float_compare;
    if (!options_.freedoms || !of_floats) return;
    const bool own_only = inst.op == Op::fmin || inst.op == Op::fmax;
    const uint16_t freedoms = own_only ? inst.flags : ir::fast_math(module_.float_controls(), types[0], inst.flags);
    const auto check = [&](const z3::expr& bits) {
      if ((freedoms & ir::kNoNaN) != 0) require(block, !nan_formula(bits));
      if ((freedoms & ir::kNoInf) != 0) require(block, !infinity_formula(bits));
    };
    for (size_t i = 0; i < o.size(); ++i) {
      if (types[i].is_float()) check(o[i]);
    }
    if (inst.type.is_float()) check(result);
  }

  /// What depends on other lanes is a function of the operands there as well, for one other lane that stands for all.
  Formulas lanes(ir::BlockId block, const Inst& inst, const std::vector<Formulas>& operands) {
    Formulas words = flat(operands);
    const size_t own = words.size();
    bool same = true;
    words.push_back(from_bool(guard(block)));
    for (size_t i = 0; i <= own; ++i) {
      words.push_back(inputs_.other_lane(words[i]));
      same = same && (i == own || z3::eq(words[i], words.back()));
    }
    if (same && inst.op == Op::read_first_lane) return operands[0];
    return unknown_result(inst, name_of(inst), words);
  }

  Formulas outside(ir::BlockId block, const Inst& inst, const std::vector<Formulas>& operands) {
    const Formulas words = flat(operands);
    switch (inst.op) {
      case Op::builtin:
        return builtin(block, inst);
      case Op::resource:
        return {z3::concat(number(c_, inst.imm, 32), words[0])};
      case Op::buffer_key:
        return {number(c_, (inst.imm + 1) << ir::kKeyElementBits, 32) | words[0]};
      case Op::buffer_of: {
        const z3::expr binding = z3::lshr(words[0], number(c_, ir::kKeyElementBits, 32)) - number(c_, 1, 32);
        return {z3::concat(binding, words[0] & number(c_, ir::kKeyElementMask, 32))};
      }
      case Op::arg: {
        Formulas registers = input(inst, module_.args[inst.imm].file == ir::EntryArg::File::vgpr);
        if (registers.size() == 1 && width_of(inst.type) == 32) {
          result_.defined = result_.defined && z3::ule(registers[0], number(c_, module_.args[inst.imm].max, 32));
        }
        return registers;
      }
      default:
        return words.empty() ? input(inst, true) : unknown_result(inst, name_of(inst), words);
    }
  }

  Formulas input(const Inst& inst, bool per_lane) {
    Formulas formulas;
    for (unsigned i = 0; i < inst.type.components; ++i) {
      formulas.push_back(inputs_.get(name_of(inst) + component(inst.type, i), width_of(inst.type), per_lane));
    }
    return formulas;
  }

  Formulas builtin(ir::BlockId, const Inst& inst) {
    const ir::BuiltIn which = ir::builtin_of(inst.imm);
    const unsigned at = ir::builtin_component(inst.imm);
    const ir::BuiltInInfo& info = ir::builtin_info(which);
    const z3::expr bits = inputs_.get(std::string(info.name) + (info.components > 1 ? "." + std::to_string(at) : ""),
                                      width_of(inst.type), info.per_lane);
    const auto below = [&](uint64_t bound) {
      result_.defined =
          result_.defined && z3::ult(z3::zext(bits, 64), number(c_, bound, 64 + bits.get_sort().bv_size()));
    };
    if (module_.shader_stage() != ir::ShaderStage::compute) return {bits};
    const ir::ComputeFacts& compute = module_.compute();
    const auto& groups = options_.max_workgroups;
    switch (which) {
      case ir::BuiltIn::local_invocation_id:
        below(compute.workgroup_size[at]);
        break;
      case ir::BuiltIn::local_invocation_index:
        below(compute.invocations());
        break;
      case ir::BuiltIn::workgroup_id:
        below(groups[at]);
        break;
      case ir::BuiltIn::num_workgroups:
        below(uint64_t{groups[at]} + 1);
        break;
      case ir::BuiltIn::global_invocation_id:
        // A workgroup of unknown size is one that specialization sets.
        if (compute.workgroup_size[at] != 0) below(uint64_t{groups[at]} * compute.workgroup_size[at]);
        break;
      case ir::BuiltIn::subgroup_size:
      case ir::BuiltIn::num_subgroups:
        below(2049);
        break;
      case ir::BuiltIn::subgroup_invocation_id:
        below(128);
        break;
      case ir::BuiltIn::subgroup_id:
        below(2048);
        break;
      default:
        break;
    }
    return {bits};
  }

  Formulas effect(ir::BlockId block, Value value, const std::vector<Formulas>& operands) {
    const Inst& inst = function_.inst(value);
    Formulas words;
    const size_t count = function_.operands(value).size();
    for (size_t i = 0; i < operands.size(); ++i) {
      Formulas parts = operands[i];
      if (i < count) parts = observed(function_.type(function_.operand(value, static_cast<unsigned>(i))), parts);
      words.insert(words.end(), parts.begin(), parts.end());
    }
    // What a lane stored before it became a helper stays.
    if (inst.op == Op::demote) memory_.publish(*states_[block.index]);
    return memory_.effect(name_of(inst), inst.type, words, *states_[block.index]);
  }

  Formulas image(ir::BlockId block, Value value, const std::vector<Formulas>& operands) {
    const Inst& inst = function_.inst(value);
    const ir::MemoryAccess access = function_.access(value);
    if (ir::info(inst.op).has(ir::kWrites) || (access.flags & ir::kVolatile) != 0)
      return effect(block, value, operands);
    Formulas words = flat(operands);
    // Texels that somebody may write are a function of all effects so far.
    if ((access.flags & ir::kReadOnly) == 0) words.push_back(states_[block.index]->token);
    if (inst.op == Op::image_sample) return lanes(block, inst, {words});
    return unknown_result(inst, name_of(inst), words);
  }

  Formulas memory(ir::BlockId block, Value value, const std::vector<Formulas>& operands) {
    const Inst& inst = function_.inst(value);
    const ir::MemoryAccess access = function_.access(value);
    State& state = *states_[block.index];
    const bool plain_flags =
        (access.flags & (ir::kVolatile | ir::kMakeAvailable | ir::kMakeVisible | ir::kCoherent)) == 0;
    const bool plain = access.order == ir::MemoryOrder::none && plain_flags;
    // Others see what was stored before, or this lane sees what they stored.
    const bool ordered = access.order > ir::MemoryOrder::relaxed || !plain_flags;
    if (inst.op == Op::load && plain) return memory_.load(inst.type, access, operands, state);
    if (inst.op == Op::store && plain) {
      std::vector<Formulas> all = operands;
      all.back() = observed(function_.type(function_.operands(value).back()), all.back());
      memory_.store(access, all, state);
      return {};
    }
    std::vector<Formulas> all = operands;
    if (ordered) {
      memory_.publish(state);
    } else if (ir::is_memory(inst.op)) {
      // What is there is seen even so.
      const Type data = inst.type.is_none() ? function_.type(function_.operands(value).back()) : inst.type;
      all.push_back(memory_.load(data, access, operands, state));
    }
    Formulas results = effect(block, value, all);
    if (ir::is_memory(inst.op) && inst.op != Op::load) {
      const Type data = function_.type(function_.operands(value).back());
      memory_.atomic(access, data.bytes(), operands, state);
    }
    if (ordered) memory_.acquire(state);
    return results;
  }

  /// The formulas that the same value has before the pass, where they are certainly equal: so what is computed from it
  /// is the same formula as well.
  void adopt(ir::BlockId block, Value value) {
    if (!options_.agrees || value.index >= options_.before->values.size()) return;
    const Formulas& old = options_.before->values[value.index];
    Formulas& own = values_[value.index];
    if (old.size() != own.size()) return;
    for (size_t i = 0; i < own.size(); ++i) {
      if (z3::eq(old[i], own[i]) || !old[i].is_bv() || old[i].get_sort().bv_size() != own[i].get_sort().bv_size())
        continue;
      if (options_.agrees(guard(block) && old[i] != own[i])) own[i] = old[i];
    }
  }
  /// The same for memory and effects.
  void adopt_state(ir::BlockId block, Value value) {
    const auto found = options_.before->states.find(value.index);
    if (found == options_.before->states.end()) return;
    State& own = *states_[block.index];
    for (z3::expr State::*part : {&State::token, &State::buffers, &State::shared, &State::scratch}) {
      const z3::expr& old = found->second.*part;
      if (z3::eq(old, own.*part)) continue;
      if (old.is_bv()) {
        if (options_.agrees(guard(block) && old != own.*part)) own.*part = old;
        continue;
      }
      std::vector<z3::expr> unequal;
      if (!take_apart(old, own.*part, unequal)) continue;
      z3::expr differs = c_.bool_val(false);
      for (const z3::expr& one : unequal) differs = differs || one;
      if (options_.agrees(guard(block) && differs)) own.*part = old;
    }
  }
  void adopt_guard(ir::BlockId block) {
    if (!options_.agrees || block.index >= options_.before->guards.size()) return;
    const std::optional<z3::expr>& old = options_.before->guards[block.index];
    z3::expr& own = *guards_[block.index];
    if (old && !z3::eq(*old, own) && options_.agrees(*old != own)) own = *old;
  }

  z3::context& c_;
  Inputs& inputs_;
  const ir::Module& module_;
  const ir::Function& function_;
  const EncodeOptions& options_;
  Memory memory_;
  std::vector<Formulas> values_;
  std::vector<std::optional<z3::expr>> guards_;
  std::vector<std::optional<State>> states_;  ///< of each block, as far as it was read
  Formulas edges_;
  Behaviour result_;
  std::vector<bool> seen_;  ///< blocks that have formulas
  std::vector<ir::BlockId> headers_;
  std::vector<Value> leaders_;
  std::map<uint32_t, std::vector<bool>> entered_from_;  ///< of each header, what was seen before it
};

}  // namespace

bool take_apart(const z3::expr& before, const z3::expr& after, std::vector<z3::expr>& unequal) {
  std::vector<std::pair<z3::expr, z3::expr>> rest = {{before, after}};
  std::set<std::pair<unsigned, unsigned>> seen;  // what is shared is looked at once
  while (!rest.empty()) {
    const auto [a, b] = rest.back();
    rest.pop_back();
    if (z3::eq(a, b) || !seen.emplace(Z3_get_ast_id(a.ctx(), a), Z3_get_ast_id(b.ctx(), b)).second) continue;
    const Z3_decl_kind kind = a.is_app() ? a.decl().decl_kind() : Z3_OP_UNINTERPRETED;
    if (!b.is_app() || b.decl().decl_kind() != kind || (kind != Z3_OP_STORE && kind != Z3_OP_ITE)) return false;
    const unsigned first_array = kind == Z3_OP_ITE ? 1 : 0, arrays = kind == Z3_OP_ITE ? 2 : 1;
    for (unsigned i = 0; i < a.num_args(); ++i) {
      if (i >= first_array && i < first_array + arrays) {
        rest.emplace_back(a.arg(i), b.arg(i));
      } else if (!z3::eq(a.arg(i), b.arg(i))) {
        unequal.push_back(a.arg(i) != b.arg(i));
      }
    }
  }
  return true;
}

Behaviour encode(z3::context& context, Inputs& inputs, const ir::Module& module, const ir::Function& function,
                 const EncodeOptions& options) {
  return Encoder(context, inputs, module, function, options).run();
}

}  // namespace spalt::prove
