// SPDX-License-Identifier: MIT
#include "random_function.h"

#include <algorithm>
#include <vector>

#include "ir/cfg_edit.h"

namespace spalt::test {

using ir::BlockId;
using ir::Op;
using ir::Value;

namespace {

constexpr unsigned kVariables = 6;
constexpr unsigned kIndexed = 4;  ///< the first ones form an array

class Generator {
 public:
  Generator(uint64_t seed, const RandomFunctionOptions& options, ir::Module& module)
      : state_(seed * 0x9e3779b97f4a7c15ull + 1), options_(options), f_(module.add_function()), module_(module) {}

  void run() {
    f_.name.push_back('f');
    f_.return_type = ir::kI32;
    budget_ = static_cast<int>(options_.statements);
    start(f_.create_block());
    for (unsigned i = 0; i < 3; ++i) scope_.push_back(input(i));
    for (unsigned i = 0; i < kVariables; ++i) store(i * 4, i < 3 ? scope_[i] : f_.constant_i32(i));
    statements(0);
    if (alive_) finish();
    module_.scratch_bytes = next_slot_;
    if (random(4) == 0) return;  // nothing known about variables
    module_.scratch_variables.push_back({0, kIndexed * 4});
    for (uint32_t slot = kIndexed * 4; slot < next_slot_; slot += 4) module_.scratch_variables.push_back({slot, 4});
  }

 private:
  struct Target {
    BlockId break_to, continue_to;  ///< continue_to: none for a switch
  };

  uint32_t random(uint32_t bound) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<uint32_t>((state_ >> 16) % bound);
  }

  Value input(unsigned index) {
    if (!options_.lane_values) return f_.add_param(ir::kI32);
    constexpr ir::BuiltIn kInputs[] = {ir::BuiltIn::workgroup_id, ir::BuiltIn::subgroup_invocation_id,
                                       ir::BuiltIn::num_workgroups};
    return append(Op::builtin, ir::kI32, {}, ir::builtin_imm(kInputs[index]));
  }

  void start(BlockId block) {
    f_.edit_layout().push_back(block);
    block_ = block;
    alive_ = true;
  }
  Value append(Op op, ir::Type type, std::initializer_list<Value> operands, uint64_t imm = 0) {
    const Value value = f_.create(op, type, std::span<const Value>(operands.begin(), operands.size()), imm);
    f_.append(block_, value);
    return value;
  }
  static uint64_t access(uint32_t offset) {
    ir::MemoryAccess access;
    access.storage = ir::StorageClass::scratch;
    access.offset = offset;
    return access.pack();
  }
  void store(uint32_t offset, Value data) { append(Op::store, ir::kVoid, {f_.constant_i32(0), data}, access(offset)); }
  Value load(uint32_t offset) { return append(Op::load, ir::kI32, {f_.constant_i32(0)}, access(offset)); }
  void jump(BlockId to) {
    f_.add_edge(block_, to);
    ir::append_jump(f_, block_);
    alive_ = false;
  }
  void branch_if(Value condition, BlockId a, BlockId b) {
    f_.add_edge(block_, a);
    f_.add_edge(block_, b);
    ir::append_branch_if(f_, block_, condition);
    alive_ = false;
  }

  Value constant() {
    constexpr uint32_t kCorners[] = {0,  1,  2,   3,          5,          7,          8,         16,
                                     31, 32, 255, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffff9};
    return f_.constant_i32(random(3) == 0 ? random(1000) : kCorners[random(std::size(kCorners))]);
  }
  Value operand() {
    const uint32_t kind = random(8);
    if (kind < 2) return constant();
    if (kind < 5) return load(random(kVariables) * 4);
    return scope_[random(static_cast<uint32_t>(scope_.size()))];
  }
  Value masked_index(Value value) {
    const Value index = append(Op::iand, ir::kI32, {value, f_.constant_i32(kIndexed - 1)});
    return append(Op::ishl, ir::kI32, {index, f_.constant_i32(2)});
  }

  Value expression();
  Value condition();
  void statements(unsigned depth);
  void statement(unsigned depth);
  void if_statement(unsigned depth);
  void loop_statement(unsigned depth);
  void switch_statement(unsigned depth);
  void leave();
  void finish();

  uint64_t state_;
  const RandomFunctionOptions& options_;
  ir::Function& f_;
  ir::Module& module_;
  BlockId block_;
  bool alive_ = true;
  int budget_ = 0;
  uint32_t next_slot_ = kVariables * 4;
  std::vector<Value> scope_;  ///< values that dominate this point
  std::vector<Target> targets_;
};

Value Generator::expression() {
  constexpr Op kOps[] = {Op::iadd, Op::isub, Op::imul,    Op::iand,    Op::ior,  Op::ixor, Op::ishl, Op::ushr,
                         Op::sshr, Op::smin, Op::smax,    Op::umin,    Op::umax, Op::udiv, Op::sdiv, Op::umod,
                         Op::srem, Op::smod, Op::umul_hi, Op::smul_hi, Op::iadd, Op::isub};
  const uint32_t kind = random(12);
  Value result;
  if (kind == 0) {
    constexpr Op kUnary[] = {Op::inot, Op::bit_count, Op::bit_reverse, Op::find_lsb, Op::find_msb_u, Op::find_msb_s};
    result = append(kUnary[random(std::size(kUnary))], ir::kI32, {operand()});
  } else if (kind == 1) {
    const Value c = condition(), a = operand();
    result = append(Op::select, ir::kI32, {c, a, operand()});
  } else if (kind == 2) {
    const uint32_t first = random(32), count = random(33 - first);
    const Value base = operand();
    result = append(random(2) != 0 ? Op::bfe_u : Op::bfe_s, ir::kI32,
                    {base, f_.constant_i32(first), f_.constant_i32(count)});
  } else if (kind == 3) {
    result = append(random(2) != 0 ? Op::zext : Op::sext, ir::kI32, {condition()});
  } else if (kind == 4 && options_.dynamic_scratch) {
    result = append(Op::load, ir::kI32, {masked_index(operand())}, access(0));
  } else if (kind == 5 && random(4) == 0) {
    constexpr Op kDots[] = {Op::dot4_s, Op::dot4_u, Op::dot4_su};
    const Value a = operand(), b = operand();
    const Value addend = random(2) != 0 ? f_.constant_i32(0) : operand();
    result = append(kDots[random(std::size(kDots))], ir::kI32, {a, b, addend});
  } else {
    const Value a = operand();
    result = append(kOps[random(std::size(kOps))], ir::kI32, {a, operand()});
  }
  return result;
}

Value Generator::condition() {
  constexpr Op kOps[] = {Op::ieq, Op::ine, Op::slt, Op::sle, Op::ult, Op::ule};
  const Value a = operand();
  const Value result = append(kOps[random(std::size(kOps))], ir::kBool, {a, operand()});
  if (random(4) != 0) return result;
  if (random(3) == 0) return append(Op::inot, ir::kBool, {result});
  const Value b = operand();
  const Value other = append(kOps[random(std::size(kOps))], ir::kBool, {b, operand()});
  return append(random(2) != 0 ? Op::iand : Op::ior, ir::kBool, {result, other});
}

void Generator::statements(unsigned depth) {
  const size_t outer = scope_.size();
  const unsigned count = 1 + random(4);
  for (unsigned i = 0; i < count && alive_ && budget_ > 0; ++i) statement(depth);
  scope_.resize(outer);
}

void Generator::statement(unsigned depth) {
  --budget_;
  const uint32_t kind = random(16);
  if (kind < 3 && depth < 5) return if_statement(depth);
  if (kind < 6 && depth < 4) return loop_statement(depth);
  if (kind == 6 && depth < 4) return switch_statement(depth);
  if (kind < 9 && depth > 0) return leave();
  const Value value = expression();
  if (kind == 9 && options_.dynamic_scratch) {
    append(Op::store, ir::kVoid, {masked_index(operand()), value}, access(0));
  } else if (kind < 13) {
    store(random(kVariables) * 4, value);
  } else {
    scope_.push_back(value);
  }
}

/// break, continue or return, mostly under a condition; over any number of levels.
void Generator::leave() {
  const BlockId go = f_.create_block(), stay = f_.create_block();
  f_.edit_block(block_).merge = stay;
  branch_if(condition(), go, stay);
  start(go);
  if (random(2) != 0) store(random(kVariables) * 4, expression());
  const uint32_t kind = random(8);
  if (kind == 0 && options_.multiple_returns) {
    finish();
  } else if (!targets_.empty()) {
    const Target& target = targets_[targets_.size() - 1 - std::min<size_t>(random(3), targets_.size() - 1)];
    jump(kind < 4 && target.continue_to.valid() ? target.continue_to : target.break_to);
  } else {
    jump(stay);
  }
  start(stay);
}

void Generator::if_statement(unsigned depth) {
  const Value c = condition();
  const BlockId then = f_.create_block(), merge = f_.create_block();
  const bool has_else = random(2) != 0;
  const BlockId otherwise = has_else ? f_.create_block() : merge;
  f_.edit_block(block_).merge = merge;
  branch_if(c, then, otherwise);
  start(then);
  statements(depth + 1);
  if (alive_) jump(merge);
  if (has_else) {
    start(otherwise);
    statements(depth + 1);
    if (alive_) jump(merge);
  }
  start(merge);
}

void Generator::loop_statement(unsigned depth) {
  const uint32_t counter = next_slot_;
  next_slot_ += 4;
  Value limit = f_.constant_i32(random(5));
  if (random(3) == 0) limit = append(Op::iand, ir::kI32, {operand(), f_.constant_i32(3)});
  store(counter, f_.constant_i32(0));
  const BlockId header = f_.create_block(), body = f_.create_block(), again = f_.create_block(),
                merge = f_.create_block();
  jump(header);
  start(header);
  f_.edit_block(header).merge = merge;
  f_.edit_block(header).continue_target = again;
  const bool test_first = random(2) != 0;
  if (test_first) {
    branch_if(append(Op::slt, ir::kBool, {load(counter), limit}), body, merge);
  } else {
    jump(body);
  }
  targets_.push_back({merge, again});
  start(body);
  statements(depth + 1);
  if (alive_) jump(again);
  targets_.pop_back();
  start(again);
  const Value next = append(Op::iadd, ir::kI32, {load(counter), f_.constant_i32(1)});
  store(counter, next);
  if (test_first) {
    jump(header);
  } else {
    branch_if(append(Op::slt, ir::kBool, {next, limit}), header, merge);
  }
  start(merge);
}

void Generator::switch_statement(unsigned depth) {
  const Value selector = append(Op::iand, ir::kI32, {operand(), f_.constant_i32(random(2) != 0 ? 7 : 15)});
  const BlockId header = block_, merge = f_.create_block();
  const unsigned count = 1 + random(7);
  std::vector<BlockId> bodies;
  for (unsigned i = 0; i < count; ++i) bodies.push_back(f_.create_block());
  f_.edit_block(header).merge = merge;
  f_.add_edge(header, random(3) == 0 ? bodies[random(count)] : merge);
  uint64_t value = random(3);
  for (unsigned i = 0; i < count + 3; ++i) {
    f_.edit_block(header).cases.push_back(value);
    f_.add_edge(header, i < count ? bodies[i] : random(2) != 0 ? bodies[random(count)] : merge);
    value += 1 + random(3);
  }
  f_.append(header, f_.create(Op::switch_on, ir::kVoid, {&selector, 1}));
  targets_.push_back({merge, BlockId()});
  for (unsigned i = 0; i < count; ++i) {
    start(bodies[i]);
    statements(depth + 1);
    if (alive_) jump(i + 1 < count && random(3) == 0 ? bodies[i + 1] : merge);
  }
  targets_.pop_back();
  start(merge);
}

void Generator::finish() {
  Value hash = load(0);
  for (unsigned i = 1; i < kVariables; ++i) {
    hash = append(Op::imul, ir::kI32, {hash, f_.constant_i32(0x01000193)});
    hash = append(Op::ixor, ir::kI32, {hash, load(i * 4)});
  }
  append(Op::ret, ir::kVoid, {hash});
  alive_ = false;
}

}  // namespace

ir::Module random_module(uint64_t seed, const RandomFunctionOptions& options) {
  ir::Module module;
  Generator(seed, options, module).run();
  return module;
}

}  // namespace spalt::test
