// SPDX-License-Identifier: MIT
// Shapes that a quadratic algorithm would notice. Times are generous: the point is minutes against a blink.
#include <gtest/gtest.h>

#include <chrono>

#include "analysis/divergence.h"
#include "ir/builder.h"
#include "ir/verifier.h"
#include "run_pass.h"

namespace spalt {
namespace {

using ir::BlockId;
using ir::Op;
using ir::Value;

constexpr unsigned kSize = 8000;

struct Draft {
  Draft() {
    module.add_function().name.push_back('f');
    f().return_type = ir::kI32;
    x = f().add_param(ir::kI32);
    flag = f().add_param(ir::kBool);
  }
  ir::Function& f() { return module.functions[0]; }
  BlockId block() { return f().create_block(); }
  void start(BlockId id) { f().edit_layout().push_back(id); }
  Value phi(BlockId id, Value (*operand)(Draft&, unsigned)) {
    std::vector<Value> operands;
    for (unsigned i = 0; i < f().block(id).preds.size(); ++i) operands.push_back(operand(*this, i));
    const Value value = f().create(Op::phi, ir::kI32, operands);
    f().prepend_phi(id, value);
    return value;
  }
  void ret(BlockId id, Value value) { f().append(id, f().create(Op::ret, ir::kVoid, {&value, 1})); }
  ir::Module module;
  Value x, flag;
};

void expect_fast(ir::Module& module) {
  ASSERT_TRUE(ir::verify(module).ok()) << ir::verify(module).error().message.substr(0, 500);
  const auto begin = std::chrono::steady_clock::now();
  for (std::string_view name :
       {"simplify", "simplify_control_flow", "unroll_loops", "promote_scratch", "hoist_loop_invariants",
        "eliminate_dead_code", "lower_switch", "split_critical_edges", "close_loops"}) {
    test::run_pass(name, module);
  }
  CompileContext context;
  analysis::AnalysisCache analyses(module.functions[0]);
  analysis::analyze_divergence(module.functions[0], module, analyses, context);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(time.count(), 30.0);
  EXPECT_TRUE(ir::verify(module).ok());
}

Value by_index(Draft& draft, unsigned index) {
  return draft.f().constant_i32(index);
}

TEST(Scaling, SwitchWithManyCasesAndAPhi) {
  Draft d;
  const BlockId head = d.block(), merge = d.block();
  d.start(head);
  d.f().edit_block(head).merge = merge;
  d.f().add_edge(head, merge);
  for (unsigned i = 0; i < kSize; ++i) {
    const BlockId body = d.block();
    d.start(body);
    d.f().edit_block(head).cases.push_back(i * 3);
    d.f().add_edge(head, body);
    ir::Builder b(d.f());
    b.set_end(body);
    b.branch(merge);
  }
  d.f().append(head, d.f().create(Op::switch_on, ir::kVoid, {&d.x, 1}));
  d.start(merge);
  d.ret(merge, d.phi(merge, by_index));
  expect_fast(d.module);
}

TEST(Scaling, ManyIfsInARowAndConstantConditions) {
  Draft d;
  BlockId current = d.block();
  d.start(current);
  Value value = d.x;
  for (unsigned i = 0; i < kSize; ++i) {
    const BlockId then = d.block(), merge = d.block();
    ir::Builder b(d.f());
    b.set_end(current);
    d.f().edit_block(current).merge = merge;
    b.branch_if(i % 4 == 0 ? d.f().constant_bool(i % 8 == 0) : d.flag, then, merge);
    d.start(then);
    b.set_end(then);
    const Value other = b.iadd(value, b.i32(i + 1));
    b.branch(merge);
    d.start(merge);
    const Value operands[] = {value, other};
    value = d.f().create(Op::phi, ir::kI32, operands);
    d.f().prepend_phi(merge, value);
    current = merge;
  }
  d.ret(current, value);
  expect_fast(d.module);
}

TEST(Scaling, LoopWithManyDivergentBreaks) {
  Draft d;
  const BlockId entry = d.block(), header = d.block(), merge = d.block(), again = d.block();
  ir::Builder b(d.f());
  d.start(entry);
  b.set_end(entry);
  b.branch(header);
  d.start(header);
  d.f().edit_block(header).merge = merge;
  d.f().edit_block(header).continue_target = again;
  BlockId current = header;
  for (unsigned i = 0; i < kSize; ++i) {
    const BlockId next = i + 1 == kSize ? again : d.block();
    b.set_end(current);
    const Value c = b.binary(Op::ieq, d.x, b.i32(i));
    b.branch_if(c, merge, next);
    d.start(next);
    current = next;
  }
  b.set_end(again);
  b.branch(header);
  d.start(merge);
  d.ret(merge, d.phi(merge, by_index));
  expect_fast(d.module);
}

TEST(Scaling, ManyLoopsWhoseValuesLiveOn) {
  Draft d;
  BlockId current = d.block();
  d.start(current);
  ir::Builder b(d.f());
  std::vector<Value> live;
  for (unsigned i = 0; i < kSize / 4; ++i) {
    const BlockId header = d.block(), merge = d.block();
    b.set_end(current);
    b.branch(header);
    d.start(header);
    d.f().edit_block(header).merge = merge;
    d.f().edit_block(header).continue_target = header;
    b.set_end(header);
    const Value value = b.iadd(d.x, b.i32(i + 1));
    live.push_back(value);
    b.branch_if(b.binary(Op::ult, value, d.x), header, merge);
    d.start(merge);
    current = merge;
  }
  b.set_end(current);
  Value sum = d.x;
  for (Value value : live) sum = b.ixor(b.imul(sum, b.i32(3)), value);
  d.ret(current, sum);
  expect_fast(d.module);
}

TEST(Scaling, DeepNestsOfIfs) {
  Draft d;
  constexpr unsigned kDepth = kSize / 4;
  std::vector<BlockId> merges;
  ir::Builder b(d.f());
  BlockId current = d.block();
  d.start(current);
  for (unsigned i = 0; i < kDepth; ++i) {
    const BlockId then = d.block(), merge = d.block();
    merges.push_back(merge);
    b.set_end(current);
    const Value c = b.binary(Op::ult, d.x, b.i32(i + 7));
    d.f().edit_block(current).merge = merge;
    b.branch_if(c, then, merge);
    d.start(then);
    current = then;
  }
  Value value = d.x;
  for (unsigned i = kDepth; i-- > 0;) {
    b.set_end(current);
    value = b.binary(Op::umax, value, b.i32(i));
    b.branch(merges[i]);
    d.start(merges[i]);
    const Value operands[] = {d.x, value};
    value = d.f().create(Op::phi, ir::kI32, operands);
    d.f().prepend_phi(merges[i], value);
    current = merges[i];
  }
  d.ret(current, value);
  expect_fast(d.module);
}

}  // namespace
}  // namespace spalt
