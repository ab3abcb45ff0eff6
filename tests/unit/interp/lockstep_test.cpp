// SPDX-License-Identifier: MIT
// Where lanes part and rejoin, against a walker that knows no graph: a random program is a tree of statements; it is
// written as IR, and executed on the tree with sets of lanes, by the rules of the source language (a statement ends
// when all its lanes have left it; the lanes that break wait for the end of their loop, and so on). Both must run the
// same marks with the same lanes in the same order, and each lane must find the same first lanes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <memory>
#include <random>

#include "interp/interpreter.h"
#include "ir/cfg_edit.h"
#include "ir/printer.h"
#include "ir/verifier.h"

namespace spalt::interp {
namespace {

using ir::BlockId;
using ir::Op;
using ir::Value;

constexpr unsigned kMostTurns = 3;

struct Statement;
using Body = std::vector<std::unique_ptr<Statement>>;

struct Statement {
  enum class Kind { mark, if_else, loop, switch_on, leave } kind = Kind::mark;
  uint32_t id = 0;           ///< of marks
  std::vector<Body> bodies;  ///< sides of an if, the loop's, or cases in order; the last case is the default
  std::vector<bool> falls;   ///< by case: it falls through to the next one
  bool test_last = false;    ///< loops: a random test after the body, besides the limit of turns
  enum class Leave { break_out, go_on, end } leave = Leave::end;
  unsigned levels = 0;  ///< breaks and continues: constructs skipped
};

/// Each lane draws its own random bits, in IR and here alike.
uint32_t draw(uint32_t& state) {
  state = state * 1664525u + 1013904223u;
  return state >> 16;
}

class Trees {
 public:
  explicit Trees(uint32_t seed) : random_(seed) {}

  Body body(unsigned depth) {
    Body result;
    for (unsigned i = 0, n = 1 + pick(4); i < n && budget_ > 0; ++i) result.push_back(statement(depth));
    return result;
  }
  uint32_t marks() const { return marks_; }

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }

  std::unique_ptr<Statement> statement(unsigned depth) {
    auto s = std::make_unique<Statement>();
    --budget_;
    switch (depth < 5 ? pick(8) : 5 + pick(3)) {
      case 0:
      case 1:
        s->kind = Statement::Kind::if_else;
        s->bodies.push_back(body(depth + 1));
        s->bodies.push_back(pick(2) == 0 ? Body() : body(depth + 1));
        break;
      case 2:
      case 3:
        s->kind = Statement::Kind::loop;
        s->test_last = pick(2) == 0;
        constructs_.push_back(true);
        s->bodies.push_back(body(depth + 1));
        constructs_.pop_back();
        break;
      case 4:
        s->kind = Statement::Kind::switch_on;
        constructs_.push_back(false);
        for (unsigned i = 0, n = 2 + pick(3); i < n; ++i) {
          s->bodies.push_back(body(depth + 1));
          s->falls.push_back(i + 1 < n && pick(2) == 0);
        }
        constructs_.pop_back();
        break;
      case 5:
        leave(*s);
        break;
      default:
        s->id = marks_++;
        break;
    }
    return s;
  }

  void leave(Statement& s) {
    s.kind = Statement::Kind::leave;
    if (constructs_.empty() || pick(6) == 0) return;
    s.levels = pick(3) == 0 ? pick(static_cast<unsigned>(constructs_.size())) : 0;
    const bool loop = constructs_[constructs_.size() - 1 - s.levels];
    s.leave = loop && pick(2) == 0 ? Statement::Leave::go_on : Statement::Leave::break_out;
  }

  std::mt19937 random_;
  int budget_ = 60;
  uint32_t marks_ = 0;
  std::vector<bool> constructs_;  ///< open ones: true for loops
};

/// What both executions tell.
struct Trace {
  struct Entry {
    uint32_t subgroup, mark;
    LaneMask lanes;
    bool operator==(const Entry&) const = default;
  };
  std::vector<Entry> entries;
  std::vector<uint32_t> hashes;  ///< by invocation, of the first lanes at its marks
};

constexpr uint32_t next_hash(uint32_t hash, uint32_t mark, uint32_t first_lane) {
  return hash * 31 + mark * 200 + first_lane;
}

/// Executes a tree for one subgroup.
class Walker {
 public:
  Walker(uint32_t subgroup, unsigned lanes, uint32_t first, Trace& trace)
      : subgroup_(subgroup), first_(first), trace_(trace) {
    for (unsigned i = 0; i < lanes; ++i) states_.push_back(first + i);
  }

  using Lanes = std::vector<unsigned>;  ///< in order

  /// Returns the lanes that reach its end.
  Lanes run(const Body& body, Lanes lanes) {
    for (const auto& s : body) {
      if (lanes.empty()) break;
      lanes = run(*s, lanes);
    }
    return lanes;
  }

 private:
  struct Construct {
    std::vector<bool> broken, continued;  ///< by lane
  };

  Lanes run(const Statement& s, const Lanes& lanes) {
    switch (s.kind) {
      case Statement::Kind::mark:
        return mark(s.id, lanes);
      case Statement::Kind::if_else: {
        const auto [yes, no] = test(lanes);
        const Lanes then = run(s.bodies[0], yes);
        return join(then, run(s.bodies[1], no));
      }
      case Statement::Kind::loop:
        return loop(s, lanes);
      case Statement::Kind::switch_on:
        return switch_on(s, lanes);
      default: {
        const auto [go, stay] = test(lanes);
        leave(s, go);
        return stay;
      }
    }
  }

  Lanes mark(uint32_t id, const Lanes& lanes) {
    LaneMask mask;
    for (unsigned lane : lanes) {
      mask.set(lane);
      uint32_t& hash = trace_.hashes[first_ + lane];
      hash = next_hash(hash, id, first_ + lanes.front());
    }
    trace_.entries.push_back({subgroup_, id, mask});
    return lanes;
  }

  Lanes loop(const Statement& s, Lanes lanes) {
    Lanes left;
    open_.push_back({std::vector<bool>(states_.size()), std::vector<bool>(states_.size())});
    for (unsigned turn = 1; !lanes.empty(); ++turn) {
      Lanes ended = run(s.bodies[0], lanes);
      ended = join(ended, take(open_.back().continued));
      left = join(left, take(open_.back().broken));
      Lanes again = ended;
      if (s.test_last) {
        const auto [yes, no] = test(ended);
        again = yes;
        left = join(left, no);
      }
      if (turn == kMostTurns) {
        left = join(left, again);
        again.clear();
      }
      lanes = again;
    }
    open_.pop_back();
    return left;
  }

  Lanes switch_on(const Statement& s, const Lanes& lanes) {
    const unsigned count = static_cast<unsigned>(s.bodies.size());
    std::vector<Lanes> to(count);
    for (unsigned lane : lanes) to[std::min(draw(states_[lane]) % 8, count - 1)].push_back(lane);
    open_.push_back({std::vector<bool>(states_.size()), {}});
    Lanes left, falling;
    for (unsigned i = 0; i < count; ++i) {
      const Lanes out = run(s.bodies[i], join(to[i], falling));
      falling.clear();
      (s.falls[i] ? falling : left) = join(s.falls[i] ? Lanes() : left, out);
    }
    left = join(left, take(open_.back().broken));
    open_.pop_back();
    return left;
  }

  void leave(const Statement& s, const Lanes& lanes) {
    if (s.leave == Statement::Leave::end) return;
    Construct& target = open_[open_.size() - 1 - s.levels];
    for (unsigned lane : lanes) (s.leave == Statement::Leave::go_on ? target.continued : target.broken)[lane] = true;
  }

  std::pair<Lanes, Lanes> test(const Lanes& lanes) {
    std::pair<Lanes, Lanes> sides;
    for (unsigned lane : lanes) ((draw(states_[lane]) & 1) != 0 ? sides.first : sides.second).push_back(lane);
    return sides;
  }
  static Lanes take(std::vector<bool>& set) {
    Lanes lanes;
    for (unsigned lane = 0; lane < set.size(); ++lane) {
      if (set[lane]) lanes.push_back(lane);
    }
    set.assign(set.size(), false);
    return lanes;
  }
  static Lanes join(const Lanes& a, const Lanes& b) {
    Lanes lanes;
    std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(lanes));
    return lanes;
  }

  uint32_t subgroup_, first_;
  Trace& trace_;
  std::vector<uint32_t> states_;
  std::vector<Construct> open_;
};

/// Writes a tree as IR. Scratch memory holds the lane's random state, its hash and the turns of each loop.
class Writer {
 public:
  explicit Writer(uint32_t marks) : f_(module_.add_function()), mark_blocks_(marks) {
    f_.name = "main";
    module_.bindings.push_back({});
    module_.bindings[0].kind = ir::BindingKind::storage_buffer;
  }

  const ir::Module& write(const Body& body, uint32_t invocations) {
    module_.compute().workgroup_size = {invocations, 1, 1};
    end_ = f_.create_block();
    start(f_.create_block());
    index_ = append(Op::builtin, ir::kI32, {}, ir::builtin_imm(ir::BuiltIn::local_invocation_index));
    store(0, index_);
    statements(body);
    if (alive_) jump(end_);
    start(end_);
    const Value out = append(Op::resource, ir::kResource, {i32(0)}, 0);
    const Value at = append(Op::ishl, ir::kI32, {index_, i32(2)});
    ir::MemoryAccess access;
    access.storage = ir::StorageClass::storage;
    append(Op::store, ir::kVoid, {out, at, load(4)}, access.pack());
    append(Op::ret, ir::kVoid, {});
    module_.scratch_bytes = next_scratch_;
    return module_;
  }
  const std::vector<BlockId>& mark_blocks() const { return mark_blocks_; }

 private:
  struct Construct {
    BlockId merge, next;
  };

  Value i32(uint32_t value) { return f_.constant_i32(value); }
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
  static uint64_t scratch(uint32_t offset) {
    ir::MemoryAccess access;
    access.storage = ir::StorageClass::scratch;
    access.offset = offset;
    return access.pack();
  }
  void store(uint32_t offset, Value data) { append(Op::store, ir::kVoid, {i32(0), data}, scratch(offset)); }
  Value load(uint32_t offset) { return append(Op::load, ir::kI32, {i32(0)}, scratch(offset)); }
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
  Value random() {
    const Value scaled = append(Op::imul, ir::kI32, {load(0), i32(1664525u)});
    const Value state = append(Op::iadd, ir::kI32, {scaled, i32(1013904223u)});
    store(0, state);
    return append(Op::ushr, ir::kI32, {state, i32(16)});
  }
  Value test() {
    const Value bit = append(Op::iand, ir::kI32, {random(), i32(1)});
    return append(Op::ine, ir::kBool, {bit, i32(0)});
  }

  void statements(const Body& body) {
    for (const auto& s : body) statement(*s);
  }

  void statement(const Statement& s) {
    switch (s.kind) {
      case Statement::Kind::mark:
        return mark(s.id);
      case Statement::Kind::if_else:
        return if_else(s);
      case Statement::Kind::loop:
        return loop(s);
      case Statement::Kind::switch_on:
        return switch_on(s);
      default:
        return leave(s);
    }
  }

  void mark(uint32_t id) {
    mark_blocks_[id] = f_.create_block();
    jump(mark_blocks_[id]);
    start(mark_blocks_[id]);
    const Value first = append(Op::read_first_lane, ir::kI32, {index_});
    const Value scaled = append(Op::imul, ir::kI32, {load(4), i32(31)});
    const Value with_mark = append(Op::iadd, ir::kI32, {scaled, i32(id * 200)});
    store(4, append(Op::iadd, ir::kI32, {with_mark, first}));
  }

  void if_else(const Statement& s) {
    const BlockId then = f_.create_block(), other = f_.create_block(), merge = f_.create_block();
    f_.edit_block(block_).merge = merge;
    branch_if(test(), then, other);
    start(then);
    statements(s.bodies[0]);
    jump(merge);
    start(other);
    statements(s.bodies[1]);
    jump(merge);
    start(merge);
  }

  void loop(const Statement& s) {
    const uint32_t turns = next_scratch_;
    next_scratch_ += 4;
    store(turns, i32(0));
    const BlockId header = f_.create_block(), next = f_.create_block(), merge = f_.create_block();
    jump(header);
    f_.edit_block(header).merge = merge;
    f_.edit_block(header).continue_target = next;
    start(header);
    const BlockId first = f_.create_block();  // the header must not be the header of an if, too
    jump(first);
    start(first);
    open_.push_back({merge, next});
    statements(s.bodies[0]);
    open_.pop_back();
    jump(next);
    start(next);
    const Value turn = append(Op::iadd, ir::kI32, {load(turns), i32(1)});
    store(turns, turn);
    Value again = append(Op::ult, ir::kBool, {turn, i32(kMostTurns)});
    if (s.test_last) again = append(Op::iand, ir::kBool, {again, test()});
    branch_if(again, header, merge);
    start(merge);
  }

  void switch_on(const Statement& s) {
    const unsigned count = static_cast<unsigned>(s.bodies.size());
    const Value selector = append(Op::iand, ir::kI32, {random(), i32(7)});
    const BlockId header = block_, merge = f_.create_block();
    std::vector<BlockId> blocks;
    for (unsigned i = 0; i < count; ++i) blocks.push_back(f_.create_block());
    f_.edit_block(header).merge = merge;
    f_.add_edge(header, blocks.back());
    for (unsigned i = 0; i + 1 < count; ++i) {
      f_.edit_block(header).cases.push_back(i);
      f_.add_edge(header, blocks[i]);
    }
    append(Op::switch_on, ir::kVoid, {selector});
    open_.push_back({merge, BlockId()});
    for (unsigned i = 0; i < count; ++i) {
      start(blocks[i]);
      statements(s.bodies[i]);
      jump(s.falls[i] ? blocks[i + 1] : merge);
    }
    open_.pop_back();
    start(merge);
  }

  void leave(const Statement& s) {
    const BlockId stay = f_.create_block();
    BlockId to = end_;
    if (s.leave != Statement::Leave::end) {
      const Construct& target = open_[open_.size() - 1 - s.levels];
      to = s.leave == Statement::Leave::go_on ? target.next : target.merge;
    }
    f_.edit_block(block_).merge = stay;
    branch_if(test(), to, stay);
    start(stay);
  }

  ir::Module module_;
  ir::Function& f_;
  std::vector<BlockId> mark_blocks_;
  BlockId block_, end_;
  Value index_;
  bool alive_ = false;
  uint32_t next_scratch_ = 8;
  std::vector<Construct> open_;
};

class Recorder : public Observer {
 public:
  Recorder(const std::vector<BlockId>& marks, Trace& trace) : marks_(marks), trace_(trace) {}
  void enter(const std::array<uint32_t, 3>&, uint32_t subgroup, BlockId block, const LaneMask& lanes) override {
    const auto found = std::find(marks_.begin(), marks_.end(), block);
    if (found != marks_.end()) {
      trace_.entries.push_back({subgroup, static_cast<uint32_t>(found - marks_.begin()), lanes});
    }
  }

 private:
  const std::vector<BlockId>& marks_;
  Trace& trace_;
};

std::string describe(const Trace::Entry& entry) {
  std::string text = "subgroup " + std::to_string(entry.subgroup) + ", mark " + std::to_string(entry.mark) + ":";
  entry.lanes.for_each([&](unsigned lane) { text += " " + std::to_string(lane); });
  return text;
}

TEST(Lockstep, LanesRejoinAsTheSourceSays) {
  size_t marks = 0, partial = 0;
  for (uint32_t seed = 1; seed <= 400; ++seed) {
    Trees trees(seed);
    const Body body = trees.body(0);
    const uint32_t invocations = seed % 4 == 0 ? 130 : 70;
    Writer writer(trees.marks());
    const ir::Module& module = writer.write(body, invocations);
    const Result<void> verdict = ir::verify(module);
    ASSERT_TRUE(verdict.ok()) << "seed " << seed << ": " << verdict.error().message;
    for (uint32_t size : {1u, 2u, 5u, 32u, 64u, 128u}) {
      Trace expected, found;
      expected.hashes.resize(invocations);
      for (uint32_t first = 0; first < invocations; first += size) {
        const unsigned lanes = std::min(size, invocations - first);
        Walker::Lanes all;
        for (unsigned i = 0; i < lanes; ++i) all.push_back(i);
        Walker(first / size, lanes, first, expected).run(body, all);
      }
      std::vector<uint8_t> memory(invocations * 4);
      Recorder recorder(writer.mark_blocks(), found);
      Dispatch dispatch;
      dispatch.buffers = {{0, 0, 0, memory}};
      dispatch.subgroup_size = size;
      dispatch.observer = &recorder;
      const Result<void> result = run(module, dispatch);
      ASSERT_TRUE(result.ok()) << "seed " << seed << ": " << result.error().message;
      for (size_t i = 0; i < std::max(expected.entries.size(), found.entries.size()); ++i) {
        const std::string wanted = i < expected.entries.size() ? describe(expected.entries[i]) : "nothing";
        const std::string got = i < found.entries.size() ? describe(found.entries[i]) : "nothing";
        ASSERT_EQ(got, wanted) << "seed " << seed << ", entry " << i << "\n" << ir::print(module);
      }
      for (uint32_t i = 0; i < invocations; ++i) {
        uint32_t hash = 0;
        std::memcpy(&hash, &memory[i * 4], 4);
        ASSERT_EQ(hash, expected.hashes[i]) << "seed " << seed << ", invocation " << i;
      }
      marks += found.entries.size();
      for (const Trace::Entry& entry : found.entries) partial += entry.lanes.count() > 1 && entry.lanes.count() < size;
    }
  }
  EXPECT_GT(marks, 20'000u);
  EXPECT_GT(partial, 5'000u);
}

}  // namespace
}  // namespace spalt::interp
