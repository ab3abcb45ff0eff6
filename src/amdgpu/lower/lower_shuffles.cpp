// SPDX-License-Identifier: MIT
#include "amdgpu/lower/lower_shuffles.h"

#include <optional>

#include "amdgpu/lower/inserter.h"
#include "amdgpu/lower/loop_expansion.h"
#include "analysis/divergence.h"
#include "ir/builder.h"

namespace spalt::lower {

using ir::BlockId;
using ir::Op;
using ir::Value;

namespace {

constexpr uint32_t kHalf = 32;
/// Operations between a lane that a shuffle names and the own one that half_of looks through.
constexpr unsigned kMaxSteps = 4;

/// What is known of the half of the wave that a lane number means.
enum class Half : uint8_t { unknown, lower, upper, own, other };

/// Exclusive or of the bits that say which half.
Half different(Half a, Half b) {
  if (a == Half::unknown || b == Half::unknown) return Half::unknown;
  const auto bit = [](Half half) { return half == Half::upper || half == Half::other; };
  const auto varies = [](Half half) { return half == Half::own || half == Half::other; };
  const bool varying = varies(a) != varies(b), one = bit(a) != bit(b);
  if (varying) return one ? Half::other : Half::own;
  return one ? Half::upper : Half::lower;
}

Half half_of(const ir::Function& function, Value lane, unsigned steps = 0) {
  const ir::Inst& inst = function.inst(lane);
  if (inst.op == Op::constant) return (inst.imm & kHalf) != 0 ? Half::upper : Half::lower;
  if (inst.op == Op::builtin) {
    return ir::builtin_of(inst.imm) == ir::BuiltIn::subgroup_invocation_id ? Half::own : Half::unknown;
  }
  if (steps == kMaxSteps || (inst.op != Op::iand && inst.op != Op::ior && inst.op != Op::ixor)) return Half::unknown;
  const Half a = half_of(function, function.operand(lane, 0), steps + 1);
  const Half b = half_of(function, function.operand(lane, 1), steps + 1);
  if (inst.op == Op::ixor) return different(a, b);
  const bool is_and = inst.op == Op::iand;
  const Half decides = is_and ? Half::lower : Half::upper, yields = is_and ? Half::upper : Half::lower;
  if (a == decides || b == decides) return decides;
  if (a == b || b == yields) return a;
  return a == yields ? b : Half::unknown;
}

/// If a shuffle reads the lane whose number is the own one with other bits 0 and 1: what differs.
std::optional<uint64_t> beside_in_quad(const ir::Function& function, Value value) {
  if (function.inst(value).op != Op::shuffle) return std::nullopt;
  const Value lane = function.operand(value, 1);
  if (function.inst(lane).op != Op::ixor) return std::nullopt;
  const Value own = function.operand(lane, 0), mask = function.operand(lane, 1);
  if (half_of(function, own, kMaxSteps) != Half::own) return std::nullopt;
  if (!function.is_constant(mask) || function.inst(mask).imm >= 4) return std::nullopt;
  return function.inst(mask).imm;
}

class State {
 public:
  State(ir::Module& module, analysis::AnalysisCache& analyses, CompileContext& context)
      : f_(module.functions[0]),
        float_controls_(module.float_controls()),
        b_(f_),
        insert_(f_, context.scratch),
        divergence_(analysis::analyze_divergence(f_, module, analyses, context)),
        loops_(b_, context.scratch) {}

  bool run(bool within_halves) {
    const bool settled = settle(within_halves);
    if (!within_halves) return settled;
    const auto needs_loop = [this](Value value) { return is_wide(value); };
    return loops_.run(needs_loop, [this](Value value) { return make_loop(value); }) || settled;
  }

 private:
  void permute_quad(Value value, uint64_t mask);
  bool settle(bool within_halves);
  bool asks_lanes(Value value) const {
    const Op op = f_.inst(value).op;
    return op == Op::shuffle || op == Op::read_lane || op == Op::read_first_lane || op == Op::quad_permute ||
           op == Op::any_lane;
  }
  Value read_elsewhere(Value read) const;
  bool reads_words_of(Value read, Value own) const;
  bool is_equal_everywhere(Value value) const;
  bool is_wide(Value value) const { return f_.inst(value).op == Op::shuffle && f_.inst(value).imm > kHalf; }
  bool agrees(Value value, unsigned operand) const {
    return !divergence_.divergent_at(f_, f_.operand(value, operand), f_.inst(value).block);
  }
  Value make_loop(Value value);
  Value dword_of_ballot(Value condition, uint64_t dword) { return b_.emit(Op::ballot, ir::kI32, {condition}, dword); }
  Value begin_phi(Value start) { return b_.insert(Op::phi, f_.type(start), std::span<const Value>(&start, 1), 0, 0); }
  void end_phi(Value phi, Value next) {
    const Value incoming[] = {f_.operand(phi, 0), next};
    f_.set_operands(phi, incoming);
  }

  ir::Function& f_;
  const ir::FloatControls float_controls_;
  ir::Builder b_;
  Inserter insert_;
  const analysis::Divergence divergence_;
  LoopExpansion loops_;
};

void State::permute_quad(Value value, uint64_t mask) {
  uint64_t lanes = 0;
  for (uint64_t lane = 0; lane < 4; ++lane) lanes |= (lane ^ mask) << 2 * lane;
  const Value from = f_.operand(value, 0);
  f_.set_operands(value, {&from, 1});
  f_.set_operation(value, Op::quad_permute, f_.type(value), lanes, 0);
}

/// What another lane has of the value that this one reads there; invalid for anything else.
Value State::read_elsewhere(Value read) const {
  const Op op = f_.inst(read).op;
  return op == Op::read_first_lane || op == Op::read_lane ? f_.operand(read, 0) : Value();
}

/// The same as a double, whose words are read one by one.
bool State::reads_words_of(Value read, Value own) const {
  if (f_.inst(read).op != Op::bitcast || f_.inst(f_.operand(read, 0)).op != Op::pack64) return false;
  for (unsigned i = 0; i < 2; ++i) {
    const Value word = read_elsewhere(f_.operand(f_.operand(read, 0), i));
    if (!word.valid() || f_.inst(word).op != Op::extract || f_.inst(word).imm != i) return false;
    const Value words = f_.operand(word, 0);
    if (f_.inst(words).op != Op::bitcast) return false;
    const Value bits = f_.operand(words, 0);
    if (bits != own && (f_.inst(bits).op != Op::bitcast || f_.operand(bits, 0) != own)) return false;
  }
  return true;
}

/// Whether lanes that agree about a float ask if that of another lane is equal, and NaN need not differ from itself.
bool State::is_equal_everywhere(Value value) const {
  if (f_.inst(value).op != Op::foeq && f_.inst(value).op != Op::fune) return false;
  const Value own = f_.operand(value, 0), read = f_.operand(value, 1);
  if (read_elsewhere(read) != own && !reads_words_of(read, own)) return false;
  const uint16_t freedoms = ir::fast_math(float_controls_, f_.type(own), f_.inst(value).flags);
  return (freedoms & ir::kNoNaN) != 0 && agrees(value, 0);
}

/// What lanes agree about is the same in any of them. Lanes of the own quad or half are read as such. Where they agree
/// about the lane, an instruction says so from now on: divergence need not find it again after passes that join blocks.
bool State::settle(bool within_halves) {
  bool any = false;
  for (const BlockId block : f_.layout()) {
    for (const Value value : ir::insts(f_, block)) {
      if (is_equal_everywhere(value)) {
        insert_.replace(value, f_.constant_bool(f_.inst(value).op == Op::foeq));
        any = true;
        continue;
      }
      if (!asks_lanes(value)) continue;
      if (agrees(value, 0)) {
        insert_.replace(value, f_.operand(value, 0));
      } else if (const auto mask = beside_in_quad(f_, value)) {
        permute_quad(value, *mask);
      } else if (within_halves && is_wide(value) && agrees(value, 1)) {
        f_.set_operation(value, Op::read_lane, f_.type(value), 0, 0);
      } else if (within_halves && is_wide(value) && half_of(f_, f_.operand(value, 1)) == Half::own) {
        f_.inst(value).imm = kHalf;
      } else {
        continue;
      }
      any = true;
    }
  }
  insert_.finish();
  return any;
}

/// Puts the loop after the current block, and goes on after it.
Value State::make_loop(Value value) {
  const Value from = f_.operand(value, 0), lane = f_.operand(value, 1);
  const BlockId header = loops_.append_block(), body = loops_.append_block(), after = loops_.append_block();
  const Value own = b_.emit(Op::builtin, ir::kI32, {}, ir::builtin_imm(ir::BuiltIn::subgroup_invocation_id));
  const Value apart = b_.iand(b_.ixor(own, lane), b_.i32(kHalf));
  const Value crosses = b_.binary(Op::ine, apart, b_.i32(0));
  const Value in_own_half = b_.ixor(lane, apart);
  const Value near = b_.emit(Op::shuffle, f_.type(value), {from, in_own_half}, kHalf);
  const Value first_low = dword_of_ballot(crosses, 0), first_high = dword_of_ballot(crosses, 1);
  b_.branch(header);

  b_.set_end(header);
  const Value low = begin_phi(first_low), high = begin_phi(first_high), result = begin_phi(near);
  const Value some = b_.binary(Op::ine, b_.ior(low, high), b_.i32(0));
  b_.branch_if(some, body, after);
  f_.edit_block(header).merge = after;
  f_.edit_block(header).continue_target = body;

  b_.set_end(body);
  // The index is -1 where there is no bit, and stays the greatest number with the bit of 32 set.
  const Value in_high = b_.ior(b_.unary(Op::find_lsb, high), b_.i32(kHalf));
  const Value in_low = b_.unary(Op::find_lsb, low);
  const Value asker = b_.binary(Op::umin, in_low, in_high);
  const Value asked = b_.binary(Op::read_lane, lane, asker);
  const Value read = b_.binary(Op::read_lane, from, asked);
  const Value served = b_.binary(Op::ieq, lane, asked);
  const Value next = b_.select(served, read, result);
  const Value left_low = b_.iand(low, b_.unary(Op::inot, dword_of_ballot(served, 0)));
  const Value left_high = b_.iand(high, b_.unary(Op::inot, dword_of_ballot(served, 1)));
  b_.branch(header);
  end_phi(low, left_low);
  end_phi(high, left_high);
  end_phi(result, next);
  b_.set_end(after);
  return result;
}

}  // namespace

bool lower_shuffles(ir::Module& module, analysis::AnalysisCache& analyses, CompileContext& context,
                    bool within_halves) {
  if (!module.functions[0].operations().meets(
          {Op::shuffle, Op::read_lane, Op::read_first_lane, Op::quad_permute, Op::any_lane})) {
    return false;
  }
  const ArenaScope scope(context.scratch);
  return State(module, analyses, context).run(within_halves);
}

}  // namespace spalt::lower
