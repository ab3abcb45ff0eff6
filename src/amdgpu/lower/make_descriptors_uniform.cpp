// SPDX-License-Identifier: MIT
#include "amdgpu/lower/make_descriptors_uniform.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "amdgpu/lower/cut_blocks.h"
#include "analysis/divergence.h"
#include "ir/cfg_edit.h"

namespace spalt::lower {

using ir::BlockId;
using ir::Op;
using ir::Value;

namespace {

/// Divergent computations that may stand between two accesses of one loop. They run once per turn.
constexpr unsigned kMaxBetween = 16;

bool names_descriptor(Op op) {
  return op == Op::resource || op == Op::sampler || op == Op::buffer_of;
}

bool is_indexed_resource(const ir::Function& function, Value value) {
  return names_descriptor(function.inst(value).op) && !function.is_constant(function.operand(value, 0));
}

/// The descriptors that an instruction uses, as far as a `resource` or `sampler` names them. A sample has two.
struct Descriptors {
  Value first, second;
  bool operator==(const Descriptors&) const = default;
};

class State {
 public:
  State(ir::Module& module, analysis::AnalysisCache& analyses, CompileContext& context)
      : f_(module.functions[0]),
        divergence_(analysis::analyze_divergence(f_, module, analyses, context)),
        scratch_(context.scratch),
        needs_(scratch_, f_.value_capacity(), kNothing),
        cut_(f_, scratch_),
        layout_(scratch_),
        code_(scratch_),
        first_lane_(scratch_, f_.value_capacity()),
        first_lanes_(scratch_) {}

  bool run();

 private:
  /// Bits: which descriptors of an instruction lanes may disagree about, and whether a loop serves them.
  enum Need : uint8_t { kNothing = 0, kFirst = 1, kSecond = 2, kLoop = 4 };

  bool find_needs(BlockId block);
  void rewrite(BlockId block);
  size_t find_group(size_t begin) const;
  void use_first_lane(Value access);
  void make_loop(size_t begin, size_t end);
  Value agrees(BlockId header, Value index, Value& first);
  void unlink_replaced();

  Descriptors descriptors_of(Value value) const {
    const Op op = f_.inst(value).op;
    if (op != Op::buffer_size && !ir::is_memory(op) && !ir::is_image(op)) return {};
    const auto named = [&](unsigned index) {
      const Value operand = f_.operand(value, index);
      return names_descriptor(f_.inst(operand).op) ? operand : Value();
    };
    return {named(0), ir::uses_sampler(op) ? named(1) : Value()};
  }
  /// Whether the index of a descriptor may differ between the lanes of the block.
  bool is_divergent(Value descriptor, BlockId block) const {
    return descriptor.valid() && is_indexed_resource(f_, descriptor) &&
           divergence_.divergent_at(f_, f_.operand(descriptor, 0), block);
  }
  bool is_non_uniform(Value descriptor) const { return (f_.inst(descriptor).flags & ir::kNonUniform) != 0; }
  Value first_lane(Value descriptor);
  /// The descriptor that another index, or key, chooses.
  Value copy_with(BlockId block, Value descriptor, Value index) {
    operands_.assign(std::span<const Value>(f_.operands(descriptor)));
    operands_[0] = index;
    const ir::Inst inst = f_.inst(descriptor);
    const Value value = f_.create(inst.op, ir::kResource, operands_, inst.imm);
    f_.append(block, value);
    return value;
  }
  /// Makes the instruction use `by` in place of `descriptor`.
  void use_instead(Value access, Value descriptor, Value by) {
    for (Value& operand : f_.operands(access)) {
      if (operand == descriptor) operand = by;
    }
  }
  BlockId append_block() {
    layout_.push_back(f_.create_block());
    return layout_.back();
  }
  Value append(BlockId block, Op op, ir::Type type, std::initializer_list<Value> operands, uint64_t imm = 0) {
    const Value value = f_.create(op, type, std::span<const Value>(operands.begin(), operands.size()), imm);
    f_.append(block, value);
    return value;
  }
  void jump(BlockId from, BlockId to) {
    ir::append_jump(f_, from);
    f_.add_edge(from, to);
  }

  ir::Function& f_;
  const analysis::Divergence divergence_;
  Arena& scratch_;
  IdMap<Value, uint8_t> needs_;  ///< by instruction that uses a descriptor; found before anything moves
  CutBlocks cut_;
  ir::BlockList layout_;
  // The block that is being rewritten:
  Vector<Value> code_;              ///< its instructions, all unlinked when work begins
  BlockId current_;                 ///< where the next one goes
  IdMap<Value, Value> first_lane_;  ///< by resource: the one that takes the first lane's index
  Vector<Value> first_lanes_;       ///< resources that have an entry
  Vector<Value> operands_{scratch_};
};

bool State::run() {
  const ir::BlockList old(f_.layout(), &scratch_);
  Vector<uint8_t> to_do(scratch_);
  for (BlockId block : old) to_do.push_back(find_needs(block));
  if (std::find(to_do.begin(), to_do.end(), 1) == to_do.end()) return false;
  for (size_t i = 0; i < old.size(); ++i) {
    layout_.push_back(old[i]);
    if (to_do[i] != 0) rewrite(old[i]);
  }
  f_.edit_layout() = std::move(layout_);
  cut_.redirect_predecessors();
  unlink_replaced();
  return true;
}

/// Decides what is to be done about the descriptors that are used in `block`. True if anything is.
bool State::find_needs(BlockId block) {
  bool any = false;
  for (Value value : ir::insts(f_, block)) {
    const Descriptors used = descriptors_of(value);
    uint8_t need = kNothing;
    if (is_divergent(used.first, block)) need |= is_non_uniform(used.first) ? kFirst | kLoop : kFirst;
    if (is_divergent(used.second, block)) need |= is_non_uniform(used.second) ? kSecond | kLoop : kSecond;
    needs_[value] = need;
    any |= need != kNothing;
  }
  return any;
}

void State::rewrite(BlockId block) {
  code_.clear();
  for (Value value : ir::insts(f_, block)) code_.push_back(value);
  for (Value value : code_) f_.unlink(value);
  current_ = block;
  for (size_t i = 0; i < code_.size();) {
    if ((needs_[code_[i]] & kLoop) != 0) {
      const size_t end = find_group(i);
      make_loop(i, end);
      i = end;
      continue;
    }
    if (needs_[code_[i]] != kNothing) use_first_lane(code_[i]);
    f_.append(current_, code_[i]);
    ++i;
  }
  for (Value resource : first_lanes_) first_lane_[resource] = Value();
  first_lanes_.clear();
  if (current_ != block) cut_.move_terminator(block, current_);
}

/// End of the accesses that share a loop with the one at `begin`. Between them are computations only: what depends on
/// the running lanes, and memory of other resources, stays outside.
size_t State::find_group(size_t begin) const {
  const Descriptors shared = descriptors_of(code_[begin]);
  size_t end = begin + 1;
  unsigned between = 0;
  for (size_t i = end; i < code_.size() && between <= kMaxBetween; ++i) {
    if (descriptors_of(code_[i]) == shared) {
      end = i + 1;
      between = 0;
    } else if (!ir::is_pure(f_.inst(code_[i]).op) || needs_[code_[i]] != kNothing) {
      break;
    } else if (divergence_.divergent(code_[i])) {
      ++between;
    }
  }
  return end;
}

/// The descriptor that the first lane chooses. One serves all accesses of the block: the same lanes run them.
Value State::first_lane(Value descriptor) {
  if (!first_lane_[descriptor].valid()) {
    const Value index = append(current_, Op::read_first_lane, ir::kI32, {f_.operand(descriptor, 0)});
    first_lane_[descriptor] = copy_with(current_, descriptor, index);
    first_lanes_.push_back(descriptor);
  }
  return first_lane_[descriptor];
}

/// Makes the access read the first lane's descriptors where lanes may disagree.
void State::use_first_lane(Value access) {
  const Descriptors used = descriptors_of(access);
  if ((needs_[access] & kFirst) != 0) use_instead(access, used.first, first_lane(used.first));
  if ((needs_[access] & kSecond) != 0) use_instead(access, used.second, first_lane(used.second));
}

/// Whether a lane has the index of the first running one.
Value State::agrees(BlockId header, Value index, Value& first) {
  first = append(header, Op::read_first_lane, ir::kI32, {index});
  return append(header, Op::ieq, ir::kBool, {first, index});
}

/// Puts code_[begin, end) into a loop after the current block. What follows goes after the loop. A loop for two
/// descriptors with an index each serves the lanes that agree about both.
void State::make_loop(size_t begin, size_t end) {
  const Descriptors used = descriptors_of(code_[begin]);
  const Value descriptors[] = {used.first, used.second};
  const BlockId before = current_;
  const BlockId header = append_block(), body = append_block(), others = append_block(), after = append_block();
  Value same, index, first, chosen[2];
  for (unsigned i = 0; i < 2; ++i) {
    if ((needs_[code_[begin]] & (i == 0 ? kFirst : kSecond)) == 0) continue;
    if (f_.operand(descriptors[i], 0) != index) {
      index = f_.operand(descriptors[i], 0);
      const Value agreed = agrees(header, index, first);
      same = same.valid() ? append(header, Op::iand, ir::kBool, {same, agreed}) : agreed;
    }
    chosen[i] = copy_with(body, descriptors[i], first);
  }
  ir::append_branch_if(f_, header, same);
  f_.add_edge(header, body);
  f_.add_edge(header, others);
  f_.edit_block(header).merge = after;
  f_.edit_block(header).continue_target = others;
  for (size_t i = begin; i < end; ++i) {
    const Value value = code_[i];
    const bool access = descriptors_of(value) == used;
    // A uniform value from the loop would count as divergent after it. Its operands are uniform, so none of them is
    // defined in the loop.
    f_.append(access || divergence_.divergent(value) ? body : before, value);
    for (unsigned d = 0; d < 2 && access; ++d) {
      if (chosen[d].valid()) use_instead(value, descriptors[d], chosen[d]);
    }
  }
  jump(before, header);
  jump(body, after);
  jump(others, header);
  current_ = after;
}

/// A resource whose index is divergent has no use any more.
void State::unlink_replaced() {
  Vector<uint8_t> used(scratch_, f_.value_capacity(), 0);
  for (BlockId block : f_.layout()) {
    for (Value value : ir::insts(f_, block)) {
      for (Value operand : f_.operands(value)) used[operand.index] = 1;
    }
  }
  for (BlockId block : f_.layout()) {
    for (Value value : ir::insts(f_, block)) {
      if (used[value.index] == 0 && is_indexed_resource(f_, value)) f_.unlink(value);
    }
  }
}

}  // namespace

bool has_indexed_resources(const ir::Function& function) {
  if (!function.operations().meets({Op::resource, Op::sampler, Op::buffer_of})) return false;
  for (BlockId block : function.layout()) {
    for (Value value : ir::insts(function, block)) {
      if (is_indexed_resource(function, value)) return true;
    }
  }
  return false;
}

bool make_descriptors_uniform(ir::Module& module, analysis::AnalysisCache& analyses, CompileContext& context) {
  if (!has_indexed_resources(module.functions[0])) return false;
  const ArenaScope scope(context.scratch);
  return State(module, analyses, context).run();
}

}  // namespace spalt::lower
