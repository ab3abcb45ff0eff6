// SPDX-License-Identifier: MIT
//
// Control flow: selections, switches with fall-through, loops, and the jumps out of them.
#include <algorithm>

#include "generator.h"

namespace spalt::random_programs {

namespace {

constexpr unsigned kMostDepth = 5;
constexpr uint32_t kMostIterations = 64;  ///< of all loops around a place together
constexpr uint32_t kMostCost = 6000, kMostDrawCost = 1500;

}  // namespace

// ---- joins ----

Join FunctionGenerator::make_join(unsigned most_phis) {
  Join join;
  join.label = module_.new_id();
  const unsigned phis = rng_.below(most_phis + 1);
  for (unsigned i = 0; i < phis; ++i) join.types.push_back(rng_.chance(15) ? kBool : random_type(true));
  return join;
}

void FunctionGenerator::add_edge(Join& join) {
  Join::Edge edge;
  for (const Type type : join.types) edge.values.push_back(leaf(type, false).id);
  edge.block = f_.current_block();
  join.edges.push_back(std::move(edge));
}

void FunctionGenerator::branch_to(Join& join) {
  add_edge(join);
  f_.statement(spv::OpBranch, {join.label});
}

bool FunctionGenerator::begin(Join& join, bool uniform) {
  f_.label(join.label);
  if (join.edges.empty()) {
    f_.statement(spv::OpUnreachable, {});
    return false;
  }
  for (size_t i = 0; i < join.types.size(); ++i) {
    Words operands;
    for (const Join::Edge& edge : join.edges) {
      operands.push_back(edge.values[i]);
      operands.push_back(edge.block);
    }
    pool_.push_back({f_.value(spv::OpPhi, s_.type(join.types[i]), operands), join.types[i], false});
  }
  uniform_ = uniform;
  return true;
}

// ---- jumps ----

bool FunctionGenerator::may_return() const {
  if (!returns_allowed_) return false;
  return std::none_of(frames_.begin(), frames_.end(), [&](const Frame& frame) {
    return frame.kind == Frame::Kind::Closed || (frame.uniform && !uniform_);
  });
}

void FunctionGenerator::write_return() {
  if (is_main_ && s_.stage != Stage::Compute) write_outputs();
  if (is_main_) store_hash();
  if (callee_.result) {
    f_.statement(spv::OpReturnValue, {expression(*callee_.result, 1, false).id});
  } else {
    f_.statement(spv::OpReturn, {});
  }
}

bool FunctionGenerator::jump() {
  std::vector<Join*> targets;
  for (size_t i = frames_.size(); i-- > 0;) {
    const Frame& frame = frames_[i];
    if (frame.kind == Frame::Kind::Closed || (frame.uniform && !uniform_)) break;
    // Only the innermost switch can be left, but a loop from inside its switches too.
    if (frame.kind == Frame::Kind::Loop) {
      targets.insert(targets.end(), {frame.exit, frame.next, frame.exit, frame.next});
      break;
    }
    if (i + 1 == frames_.size()) targets.push_back(frame.exit);
  }
  if (s_.stage == Stage::Fragment && may_kill() && rng_.chance(25)) {
    f_.statement(rng_.chance(50) ? spv::OpKill : spv::OpTerminateInvocation, {});
    return true;
  }
  if (may_return() && (targets.empty() || rng_.chance(25))) {
    write_return();
    return true;
  }
  if (targets.empty()) return false;
  branch_to(*rng_.pick(targets));
  return true;
}

// ---- blocks ----

void FunctionGenerator::statement(unsigned depth, bool& reachable) {
  uint32_t weights[static_cast<size_t>(Statement::kCount)];
  std::copy(std::begin(s_.weights), std::end(s_.weights), weights);
  const auto weight = [&](Statement kind) -> uint32_t& { return weights[static_cast<size_t>(kind)]; };
  cost_ += static_cast<uint32_t>(f_.instruction_count() - counted_) * product_;
  counted_ = f_.instruction_count();
  const bool simple =
      depth >= kMostDepth || budget_ <= 0 || cost_ > (s_.stage == Stage::Compute ? kMostCost : kMostDrawCost);
  if (simple) {
    for (const Statement kind : {Statement::If, Statement::IfElse, Statement::Switch, Statement::Loop, Statement::Call})
      weight(kind) = 0;
  }
  if (!uniform_) weight(Statement::Exchange) = 0;
  --budget_;
  if (s_.parts.memory && rng_.chance(12)) return wide_statement();
  if (s_.parts.pointers && rng_.chance(12)) return pointer_statement();
  if (s_.parts.subgroups && uniform_ && is_main_ && cost_ < kMostCost && rng_.chance(50)) return subgroup_statement();
  switch (static_cast<Statement>(rng_.weighted(weights))) {
    case Statement::Define:
      pool_.push_back(expression(random_type(true), 3, false));
      break;
    case Statement::Trace:
      trace(expression(random_type(false), 2, false));
      break;
    case Statement::OwnSlot:
      own_store();
      break;
    case Statement::Record:
      record_store();
      break;
    case Statement::Atomic:
      atomic();
      break;
    case Statement::Array:
      array_statement();
      break;
    case Statement::If:
      reachable = if_statement(depth, false);
      break;
    case Statement::IfElse:
      reachable = if_statement(depth, true);
      break;
    case Statement::Switch:
      reachable = switch_statement(depth);
      break;
    case Statement::Loop:
      reachable = rng_.chance(15) ? single_block_loop() : loop_statement(depth);
      break;
    case Statement::Call:
      call();
      break;
    case Statement::Exchange:
      if (s_.stage == Stage::Compute) {
        exchange();
      } else {
        derivative();
      }
      break;
    case Statement::Demote:
      demote();
      break;
    default:
      assign();
  }
}

bool FunctionGenerator::block(unsigned depth, unsigned statements) {
  bool reachable = true;
  if (depth > 0 && rng_.chance(70)) trace(splat(kUint, rng_.word()));
  for (unsigned i = 0; i < statements && reachable; ++i) statement(depth, reachable);
  if (reachable && depth > 0 && rng_.chance(25)) reachable = !jump();
  return reachable;
}

bool FunctionGenerator::if_statement(unsigned depth, bool with_else) {
  const bool was_uniform = uniform_;
  const bool uniform = was_uniform && rng_.chance(60);
  const Value chooser = condition(2, uniform);
  Join merge = make_join(with_else ? 2 : 1);
  const Id then = module_.new_id();
  const Id otherwise = with_else ? module_.new_id() : merge.label;
  if (!with_else) add_edge(merge);
  constexpr uint32_t kControls[] = {spv::SelectionControlMaskNone, spv::SelectionControlFlattenMask,
                                    spv::SelectionControlDontFlattenMask};
  f_.statement(spv::OpSelectionMerge, {merge.label, rng_.pick(kControls)});
  // The merge may be the block for either outcome.
  const bool swapped = rng_.chance(30);
  f_.statement(spv::OpBranchConditional, {chooser.id, swapped ? otherwise : then, swapped ? then : otherwise});
  const size_t pool_size = pool_.size();
  f_.label(then);
  uniform_ = uniform;
  if (block(depth + 1, rng_.between(1, 4))) branch_to(merge);
  cut_pool(pool_size);
  if (with_else) {
    f_.label(otherwise);
    uniform_ = uniform;
    if (block(depth + 1, rng_.between(1, 3))) branch_to(merge);
    cut_pool(pool_size);
  }
  return begin(merge, was_uniform);
}

bool FunctionGenerator::switch_statement(unsigned depth) {
  const bool was_uniform = uniform_;
  const bool uniform = was_uniform && rng_.chance(60);
  const uint32_t mask = rng_.chance(80) ? 7 : 0xffffffff;
  const Value selector = masked(expression(rng_.chance(50) ? kInt : kUint, 2, uniform), mask);
  Join merge = make_join(2);
  // The last case is the default one, unless that is the merge block.
  const bool own_default = rng_.chance(60);
  const unsigned cases = rng_.between(1, 5);
  std::vector<Join> joins;
  for (unsigned i = 0; i < cases + (own_default ? 1 : 0); ++i) joins.push_back(make_join(1));
  for (Join& join : joins) add_edge(join);
  if (!own_default) add_edge(merge);

  Words operands = {selector.id, own_default ? joins.back().label : merge.label};
  uint32_t literal = rng_.below(3);
  for (unsigned i = 0; i < cases; ++i) {
    for (unsigned n = rng_.chance(20) ? 2 : 1; n > 0; --n) {
      operands.insert(operands.end(), {literal, joins[i].label});
      literal += rng_.chance(5) ? 0x7ffffff0 : rng_.between(1, 2);
    }
  }
  f_.statement(spv::OpSelectionMerge, {merge.label, spv::SelectionControlMaskNone});
  f_.statement(spv::OpSwitch, operands);

  const size_t pool_size = pool_.size();
  frames_.push_back({Frame::Kind::Switch, uniform, &merge, nullptr});
  for (size_t i = 0; i < joins.size(); ++i) {
    begin(joins[i], uniform);
    const bool reachable = block(depth + 1, rng_.between(1, 3));
    if (reachable) branch_to(i + 1 < joins.size() && rng_.chance(30) ? joins[i + 1] : merge);
    cut_pool(pool_size);
  }
  frames_.pop_back();
  return begin(merge, was_uniform);
}

// ---- loops ----

struct FunctionGenerator::Loop {
  Id header = 0;
  Join exit, next;
  Value limit;
  Value counter;
  bool uniform = false;
  bool counts_down = false;
  bool tests_first = false, tests_last = false;
  FunctionBuilder::OpenPhi counter_phi{};
  std::vector<std::pair<FunctionBuilder::OpenPhi, Type>> carried;
};

uint32_t FunctionGenerator::trip_limit() const {
  return std::clamp(kMostIterations / product_, 1u, 16u);
}

void FunctionGenerator::loop_header(Loop& loop) {
  const uint32_t most = trip_limit();
  const Type type = rng_.chance(50) ? kInt : kUint;
  // One test at least holds the number of iterations down, whatever else leaves the loop.
  loop.tests_first = rng_.chance(65);
  loop.tests_last = !loop.tests_first || rng_.chance(15);
  loop.counts_down = rng_.chance(30);
  if (rng_.chance(35)) {
    loop.limit = splat(type, rng_.between(1, most));
  } else {
    const uint32_t mask = most >= 15 ? 15 : most >= 7 ? 7 : most >= 3 ? 3 : 1;
    loop.limit = masked(expression(type, 2, loop.uniform), mask);
  }
  const Value zero = splat(type, 0);
  std::vector<std::pair<Value, Type>> initial;
  for (unsigned i = rng_.below(3); i > 0; --i) {
    const Type carried = rng_.chance(10) ? kBool : random_type(true);
    initial.push_back({leaf(carried, false), carried});
  }
  const Id before = f_.current_block();
  f_.statement(spv::OpBranch, {loop.header});
  f_.label(loop.header);
  loop.counter_phi = f_.open_phi(s_.type(type), loop.counts_down ? loop.limit.id : zero.id, before);
  loop.counter = {loop.counter_phi.id, type, loop.uniform};
  for (const auto& [value, carried] : initial) {
    loop.carried.push_back({f_.open_phi(s_.type(carried), value.id, before), carried});
    pool_.push_back({loop.carried.back().first.id, carried, false});
  }
  pool_.push_back(loop.counter);
  if (rng_.chance(30)) pool_.push_back(expression(random_type(true), 2, false));

  const Id body = module_.new_id();
  constexpr uint32_t kControls[] = {spv::LoopControlMaskNone, spv::LoopControlUnrollMask,
                                    spv::LoopControlDontUnrollMask};
  const uint32_t control = rng_.pick(kControls);
  if (loop.tests_first) {
    Value goes_on = loop.counts_down ? make(spv::OpUGreaterThan, kBool, {loop.counter, zero})
                                     : make(rng_.chance(50) ? spv::OpULessThan : spv::OpSLessThan, kBool,
                                            {loop.counter, loop.limit});
    if (rng_.chance(25)) goes_on = make(spv::OpLogicalAnd, kBool, {goes_on, condition(1, loop.uniform)});
    add_edge(loop.exit);
    f_.statement(spv::OpLoopMerge, {loop.exit.label, loop.next.label, control});
    f_.statement(spv::OpBranchConditional, {goes_on.id, body, loop.exit.label});
  } else {
    f_.statement(spv::OpLoopMerge, {loop.exit.label, loop.next.label, control});
    f_.statement(spv::OpBranch, {body});
  }
  f_.label(body);
}

void FunctionGenerator::loop_continue(Loop& loop) {
  const Id counter_type = s_.type(loop.counter.type);
  if (loop.next.edges.empty()) {
    // Never executed, but a loop has a back edge.
    f_.label(loop.next.label);
    f_.close_phi(loop.counter_phi, loop.counter.id, loop.next.label);
    for (const auto& [phi, type] : loop.carried) f_.close_phi(phi, splat(type, 0).id, loop.next.label);
    f_.statement(spv::OpBranch, {loop.header});
    return;
  }
  begin(loop.next, loop.uniform);
  frames_.push_back({});
  if (rng_.chance(30)) trace(expression(kUint, 1, false));
  if (rng_.chance(10)) if_statement(kMostDepth, rng_.chance(50));
  frames_.pop_back();
  const Id one = splat(loop.counter.type, 1).id;
  const Id counter = f_.value(loop.counts_down ? spv::OpISub : spv::OpIAdd, counter_type, {loop.counter.id, one});
  std::vector<Id> carried;
  for (const auto& [phi, type] : loop.carried) carried.push_back(leaf(type, false).id);
  const Value next{counter, loop.counter.type, loop.uniform};
  Value goes_on{};
  if (loop.tests_last) {
    // Counting down from 0 must not wrap around.
    goes_on = loop.counts_down ? make(spv::OpSGreaterThan, kBool, {next, splat(next.type, 0)})
                               : make(spv::OpULessThan, kBool, {next, loop.limit});
    if (rng_.chance(25)) goes_on = make(spv::OpLogicalAnd, kBool, {goes_on, condition(1, loop.uniform)});
    add_edge(loop.exit);
  }
  const Id block = f_.current_block();
  f_.close_phi(loop.counter_phi, counter, block);
  for (size_t i = 0; i < carried.size(); ++i) f_.close_phi(loop.carried[i].first, carried[i], block);
  if (!loop.tests_last) {
    f_.statement(spv::OpBranch, {loop.header});
  } else if (rng_.chance(30)) {
    const Id leaves = f_.value(spv::OpLogicalNot, s_.type(kBool), {goes_on.id});
    f_.statement(spv::OpBranchConditional, {leaves, loop.exit.label, loop.header});
  } else {
    f_.statement(spv::OpBranchConditional, {goes_on.id, loop.header, loop.exit.label});
  }
}

bool FunctionGenerator::loop_statement(unsigned depth) {
  const bool was_uniform = uniform_;
  const uint32_t outer_product = product_;
  const size_t outer_pool = pool_.size();
  Loop loop;
  loop.header = module_.new_id();
  loop.exit = make_join(2);
  loop.next = make_join(2);
  loop.uniform = was_uniform && rng_.chance(60);
  uniform_ = loop.uniform;
  const uint32_t most = trip_limit();
  loop_header(loop);
  // What the header computes dominates the code after the loop.
  const size_t header_pool = pool_.size();
  product_ *= most;
  frames_.push_back({Frame::Kind::Loop, loop.uniform, &loop.exit, &loop.next});
  if (block(depth + 1, rng_.between(1, 5))) branch_to(loop.next);
  frames_.pop_back();
  cut_pool(header_pool);
  loop_continue(loop);
  cut_pool(header_pool);
  product_ = outer_product;
  if (!loop.uniform) {
    // Invocations may have left in different iterations.
    for (size_t i = outer_pool; i < pool_.size(); ++i) pool_[i].uniform = false;
  }
  return begin(loop.exit, was_uniform);
}

bool FunctionGenerator::single_block_loop() {
  const Type type = kUint;
  const size_t outer_pool = pool_.size();
  const Value limit = masked(expression(type, 2, uniform_), trip_limit() >= 7 ? 7 : 1);
  const Value start = leaf(kInt, false);
  const Id before = f_.current_block(), header = module_.new_id();
  Join merge = make_join(2);
  f_.statement(spv::OpBranch, {header});
  f_.label(header);
  const auto counter = f_.open_phi(s_.type(type), splat(type, 0).id, before);
  const auto carried = f_.open_phi(s_.type(kInt), start.id, before);
  pool_.push_back({carried.id, kInt, false});
  pool_.push_back({counter.id, type, false});
  trace(expression(kUint, 2, false));
  const Value result = expression(kInt, 2, false);
  pool_.push_back(result);
  const Id next = f_.value(spv::OpIAdd, s_.type(type), {counter.id, splat(type, 1).id});
  const Id goes_on = f_.value(spv::OpULessThan, s_.type(kBool), {next, limit.id});
  add_edge(merge);
  f_.close_phi(counter, next, header);
  f_.close_phi(carried, result.id, header);
  f_.statement(spv::OpLoopMerge, {merge.label, header, spv::LoopControlMaskNone});
  f_.statement(spv::OpBranchConditional, {goes_on, header, merge.label});
  for (size_t i = outer_pool; i < pool_.size(); ++i) pool_[i].uniform = false;
  return begin(merge, uniform_);
}

}  // namespace spalt::random_programs
