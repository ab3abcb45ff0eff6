// SPDX-License-Identifier: MIT
#include "amdgpu/lower/reduce_uniform_atomics.h"

#include "amdgpu/lower/loop_expansion.h"
#include "amdgpu/lower/members.h"
#include "analysis/divergence.h"
#include "analysis/uses.h"
#include "base/small_vector.h"
#include "ir/scan.h"

namespace spalt::lower {

using ir::BlockId;
using ir::Op;
using ir::ScanForm;
using ir::ScanKind;
using ir::Value;

namespace {

/// Branches above an atomic operation that are asked whether they leave one lane.
constexpr unsigned kMostBranches = 16;

/// What operands of several lanes combine by; Op::count where their order counts, or rounding.
Op combination_of(Op atomic) {
  switch (atomic) {
    case Op::atomic_add:
    case Op::atomic_sub:
      return Op::iadd;
    case Op::atomic_smin:
      return Op::smin;
    case Op::atomic_smax:
      return Op::smax;
    case Op::atomic_umin:
      return Op::umin;
    case Op::atomic_umax:
      return Op::umax;
    case Op::atomic_and:
      return Op::iand;
    case Op::atomic_or:
      return Op::ior;
    case Op::atomic_xor:
      return Op::ixor;
    default:
      return Op::count;
  }
}

class State {
 public:
  State(ir::Module& module, analysis::AnalysisCache& analyses, CompileContext& context, unsigned wave_size)
      : f_(module.functions[0]),
        module_(module),
        b_(f_),
        wave_size_(wave_size),
        divergence_(analysis::analyze_divergence(f_, module, analyses, context)),
        dominance_(analyses.dominance()),
        uses_(f_, false, &context.scratch),
        same_(context.scratch, f_.value_capacity(), 0),
        expansion_(b_, context.scratch) {}

  bool run() {
    return expansion_.run([this](Value value) { return is_worth_it(value); },
                          [this](Value value) { return reduce(value); });
  }

 private:
  bool is_uniform(Value user, Value operand) const {
    return !divergence_.divergent_at(f_, operand, f_.inst(user).block);
  }
  bool is_fragment() const { return module_.shader_stage() == ir::ShaderStage::fragment; }
  bool is_worth_it(Value value);
  bool runs_in_one_lane(BlockId block) const;
  bool leaves_one_lane(Value condition, bool holds) const;
  bool is_unique(Value value) const;
  Value reduce(Value value);
  Value scan(Op combine, ScanKind kind, Value data) {
    return b_.emit(Op::scan, f_.type(data), {data, b_.boolean(true)}, ScanForm{combine, kind, 0}.pack());
  }
  Value before_own(Value value, Value old, Value preceding, Members members);

  ir::Function& f_;
  const ir::Module& module_;
  ir::Builder b_;
  const unsigned wave_size_;
  const analysis::Divergence divergence_;
  const analysis::Dominance& dominance_;
  const analysis::Uses uses_;
  IdMap<Value, uint8_t> same_;  ///< by operation: all lanes have the same operand; asked while it is in its block
  LoopExpansion expansion_;
};

bool State::is_worth_it(Value value) {
  const ir::Inst& inst = f_.inst(value);
  if (!ir::is_atomic(inst.op) || combination_of(inst.op) == Op::count) return false;
  const ir::MemoryAccess access = f_.access(value);
  const bool relaxed = access.order == ir::MemoryOrder::none || access.order == ir::MemoryOrder::relaxed;
  if (!relaxed || (access.flags & ir::kVolatile) != 0) return false;
  const auto operands = f_.operands(value);
  for (Value place : operands.first(operands.size() - 1)) {
    if (!is_uniform(value, place)) return false;
  }
  same_[value] = is_uniform(value, operands.back()) ? 1 : 0;
  if (inst.type.bits() != 32 && same_[value] == 0) return false;
  return !runs_in_one_lane(inst.block);
}

/// A branch that only one lane of the wave takes leads here, and nothing else does.
bool State::runs_in_one_lane(BlockId block) const {
  if (const auto* compute = std::get_if<ir::ComputeFacts>(&module_.shader)) {
    if (compute->invocations() == 1) return true;
  }
  for (unsigned i = 0; i < kMostBranches; ++i) {
    const BlockId above = dominance_.idom(block);
    if (!above.valid()) return false;
    const auto& succs = f_.block(above).succs;
    const Value branch = f_.terminator(above);
    if (f_.inst(branch).op == Op::branch_if && f_.block(block).preds.size() == 1 && succs[0] != succs[1] &&
        leaves_one_lane(f_.operand(branch, 0), succs[0] == block)) {
      return true;
    }
    block = above;
  }
  return false;
}

/// Where the condition holds, or does not, at most one lane of a wave is left: that whose number it names.
bool State::leaves_one_lane(Value condition, bool holds) const {
  while (f_.inst(condition).op == Op::inot) {
    condition = f_.operand(condition, 0);
    holds = !holds;
  }
  const ir::Inst& inst = f_.inst(condition);
  if (inst.op != (holds ? Op::ieq : Op::ine)) return false;
  const Value a = f_.operand(condition, 0), b = f_.operand(condition, 1);
  return (is_unique(a) && is_uniform(condition, b)) || (is_unique(b) && is_uniform(condition, a));
}

/// No two lanes of a wave have the same: numbers that count on from lane to lane, or enough of their low bits.
bool State::is_unique(Value value) const {
  if (f_.inst(value).op == Op::iand) {
    const Value mask = f_.operand(value, 1);
    const uint32_t low_bits = wave_size_ - 1;
    if (f_.inst(mask).op != Op::constant || (f_.inst(mask).imm & low_bits) != low_bits) return false;
    value = f_.operand(value, 0);
  }
  const ir::Inst& inst = f_.inst(value);
  if (inst.op != Op::builtin) return false;
  const ir::BuiltIn builtin = ir::builtin_of(inst.imm);
  if (builtin == ir::BuiltIn::subgroup_invocation_id || builtin == ir::BuiltIn::local_invocation_index) return true;
  if (builtin != ir::BuiltIn::local_invocation_id && builtin != ir::BuiltIn::global_invocation_id) return false;
  const uint32_t length = module_.compute().workgroup_size[ir::builtin_component(inst.imm)];
  return module_.compute().invocations() == length;
}

/// What memory had before the operation of the own lane.
Value State::before_own(Value value, Value old, Value preceding, Members members) {
  // The first lane brought it.
  const Value base =
      is_fragment() ? b_.binary(Op::read_lane, old, first_of(b_, members)) : b_.unary(Op::read_first_lane, old);
  const Op op = f_.inst(value).op;
  return b_.binary(op == Op::atomic_sub ? Op::isub : combination_of(op), base, preceding);
}

/// Puts the branch after the current block, and goes on after it.
Value State::reduce(Value value) {
  const ir::Inst inst = f_.inst(value);
  const Op combine = combination_of(inst.op);
  const Value data = f_.operands(value).back();
  const bool has_result = !uses_.unused(value), same = same_[value] != 0;
  const BlockId test = expansion_.append_block(), first = expansion_.append_block(), after = expansion_.append_block();
  const Members members = members_of(b_, b_.boolean(true), wave_size_);
  const Value preceding = has_result ? scan(combine, ScanKind::exclusive, data) : Value();
  Value total;
  if (has_result && !same) {
    const Value with_own = b_.binary(combine, preceding, data);
    total = b_.binary(Op::read_lane, with_own, last_of(b_, members));
  } else {
    total = scan(combine, ScanKind::reduce, data);
  }
  const Value before = number_before(b_, members, wave_size_);
  const Value is_first = b_.binary(Op::ieq, before, b_.i32(0));
  b_.branch(test);

  b_.set_end(test);
  b_.branch_if(is_first, first, after);
  f_.edit_block(test).merge = after;

  b_.set_end(first);
  SmallVector<Value, 4> operands{std::span<const Value>(f_.operands(value))};
  operands.back() = total;
  const Value brought = b_.insert(inst.op, inst.type, operands.span(), inst.imm, inst.flags);
  b_.branch(after);

  b_.set_end(after);
  if (!has_result) return Value();
  const Value incoming[] = {f_.undef(inst.type), brought};
  const Value old = b_.insert(Op::phi, inst.type, incoming, 0, 0);
  return before_own(value, old, preceding, members);
}

}  // namespace

bool reduce_uniform_atomics(ir::Module& module, analysis::AnalysisCache& analyses, CompileContext& context,
                            unsigned wave_size) {
  const ir::OpSet reduced{Op::atomic_add,  Op::atomic_sub, Op::atomic_smin, Op::atomic_smax, Op::atomic_umin,
                          Op::atomic_umax, Op::atomic_and, Op::atomic_or,   Op::atomic_xor};
  if (!module.functions[0].operations().meets(reduced)) return false;
  const ArenaScope scope(context.scratch);
  return State(module, analyses, context, wave_size).run();
}

}  // namespace spalt::lower
