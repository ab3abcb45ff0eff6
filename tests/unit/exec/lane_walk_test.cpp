// SPDX-License-Identifier: MIT
// Random structured control flow is lowered, then walked twice: lane by lane along the logical graph of the selected
// function, and as a wave along the linear graph of the masked one, with garbage in the inactive bits of every
// comparison that decides a branch. Each lane must see the same blocks in the same order, and find its own bit in every
// lane mask that a phi joins. Only the block that ends it need not see it. A wave of a program that exports at its end
// exports once, also where all its lanes have ended before, if its last block does nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "amdgpu/exec/lower_control_flow.h"
#include "amdgpu/mir/dominance.h"
#include "amdgpu/mir/function.h"
#include "amdgpu/mir/printer.h"
#include "amdgpu/mir/verifier.h"

namespace spalt::exec {
namespace {

using mir::BlockId;
using mir::InstId;
using mir::Opcode;
using mir::Operand;

constexpr unsigned kMostIterations = 3;

uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t h = (a ^ (b + 0x9e3779b97f4a7c15ull + (a << 6) + (a >> 2))) * 0xff51afd7ed558ccdull;
  return h ^ (h >> 31);
}

/// Builds a function of nested ifs, loops with breaks and continues at any depth, switches with fall-through and early
/// returns.
class Generator {
 public:
  Generator(mir::Function& function, uint32_t seed) : f_(function), random_(seed) {}

  void run() {
    current_ = place(f_.create_block(), 0);
    end_ = f_.create_block();
    const Operand args = f_.def(mir::kV1);
    const Operand start_defs[] = {Operand::fixed(args.vreg(), mir::kV1, isa::vgpr(0))};
    f_.append(current_, Opcode::p_start, start_defs, {});
    statements(4);
    if (current_.valid()) {
      exports_ = pick(2) == 0;
      if (exports_) append_export();
      jump(end_);
    }
    place(end_, 0);
    f_.append(end_, Opcode::p_return, {}, {});
    f_.insts[f_.blocks[end_].insts.back()].simm16 = 0;
  }
  /// Whether each wave owes an export.
  bool exports() const { return exports_; }

 private:
  void append_export() {
    const Operand nothing[4] = {};
    isa::Modifiers mods;
    mods.export_done = mods.export_valid_mask = true;
    f_.set_modifiers(f_.insts[f_.append(current_, Opcode::exp, {}, nothing)], mods);
  }

  struct Loop {
    BlockId header, merge, next;  ///< `next` is the continue block
  };

  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  BlockId place(BlockId block, unsigned depth) {
    f_.layout.push_back(block);
    f_.blocks[block].loop_depth = static_cast<uint16_t>(depth);
    return block;
  }
  unsigned depth() const { return static_cast<unsigned>(loops_.size()); }

  void jump(BlockId to) {
    const Operand target = Operand::target(to);
    f_.append(current_, Opcode::p_branch, {}, std::span<const Operand>(&target, 1));
    f_.add_logical_edge(current_, to);
    current_ = BlockId();
  }
  void branch(BlockId yes, BlockId no) {
    const bool uniform = pick(3) == 0;
    if (uniform) {
      const Operand scc = Operand::physical(isa::kScc);
      const Operand compared[] = {Operand::immediate(1), Operand::immediate(2)};
      f_.append(current_, Opcode::s_cmp_eq_u32, std::span<const Operand>(&scc, 1), compared);
      const Operand uses[] = {scc, Operand::target(yes), Operand::target(no)};
      f_.append(current_, Opcode::p_branch_scc, {}, uses);
    } else {
      const Operand mask = f_.def(f_.lane_mask_class());
      const Operand compared[] = {Operand::immediate(0), Operand::physical(isa::vgpr(0))};
      f_.append(current_, Opcode::v_cmp_eq_u32, std::span<const Operand>(&mask, 1), compared);
      const Operand uses[] = {mask, Operand::target(yes), Operand::target(no)};
      f_.append(current_, Opcode::p_branch_mask, {}, uses);
    }
    f_.add_logical_edge(current_, yes);
    f_.add_logical_edge(current_, no);
  }

  void statements(unsigned budget) {
    const unsigned count = 1 + pick(3);
    for (unsigned i = 0; i < count && current_.valid(); ++i) statement(budget);
  }

  void statement(unsigned budget) {
    if (f_.layout.size() > 60) return;
    switch (budget == 0 ? 4 + pick(3) : pick(7)) {
      case 0:
        return if_then(budget - 1);
      case 1:
        return if_else(budget - 1);
      case 2:
        return loop(budget - 1);
      case 3:
        return switch_(budget - 1);
      case 4:
        return leave();
      default:
        return;
    }
  }

  void if_then(unsigned budget) {
    const BlockId then = f_.create_block(), edge = f_.create_block(), merge = f_.create_block();
    branch(then, edge);
    current_ = place(then, depth());
    statements(budget);
    if (current_.valid()) jump(merge);
    current_ = place(edge, depth());
    jump(merge);
    current_ = place(merge, depth());
  }

  void if_else(unsigned budget) {
    const BlockId then = f_.create_block(), other = f_.create_block(), merge = f_.create_block();
    if (pick(2) == 0) {
      branch(then, other);
    } else {
      branch(other, then);
    }
    for (BlockId side : {then, other}) {
      current_ = place(side, depth());
      statements(budget);
      if (current_.valid()) jump(merge);
    }
    current_ = f_.blocks[merge].logical_preds.empty() ? BlockId() : place(merge, depth());
  }

  /// if (leave) break, continue or return; the edge has a block of its own, like every critical edge.
  void leave() {
    const BlockId edge = f_.create_block(), stay = f_.create_block();
    if (pick(2) == 0) {
      branch(edge, stay);
    } else {
      branch(stay, edge);
    }
    current_ = place(edge, depth());
    if (loops_.empty() || pick(6) == 0) {
      jump(end_);
    } else {
      const Loop& target = loops_[pick(3) == 0 ? pick(depth()) : loops_.size() - 1];
      const bool outer = target.header != loops_.back().header;
      jump(outer || pick(2) == 0 ? target.merge : target.next);
    }
    current_ = place(stay, depth());
  }

  void loop(unsigned budget) {
    const Loop loop{f_.create_block(), f_.create_block(), f_.create_block()};
    jump(loop.header);
    loops_.push_back(loop);
    current_ = place(loop.header, depth());
    f_.blocks[loop.header].loop_header = true;
    statements(budget);
    if (current_.valid()) jump(loop.next);
    if (!f_.blocks[loop.next].logical_preds.empty() && pick(4) == 0) {
      // Runs once: what is left of a loop whose back edge was folded away. Continue edges still meet in one block.
      f_.blocks[loop.header].loop_header = false;
      current_ = place(loop.next, depth());
      jump(loop.merge);
    } else if (!f_.blocks[loop.next].logical_preds.empty()) {
      current_ = place(loop.next, depth());
      const BlockId back = f_.create_block(), out = f_.create_block();
      if (pick(2) == 0) {
        branch(back, out);
      } else {
        branch(out, back);
      }
      const bool back_first = pick(2) == 0;
      current_ = place(back_first ? back : out, depth());
      jump(back_first ? loop.header : loop.merge);
      current_ = place(back_first ? out : back, depth());
      jump(back_first ? loop.merge : loop.header);
      if (back_first) std::swap(f_.layout[f_.layout.size() - 1], f_.layout[f_.layout.size() - 2]);
    } else {
      f_.blocks[loop.header].loop_header = false;
    }
    loops_.pop_back();
    current_ = f_.blocks[loop.merge].logical_preds.empty() ? BlockId() : place(loop.merge, depth());
  }

  /// Cases in order, each may fall through to the next; tests are a chain before the cases.
  void switch_(unsigned budget) {
    const unsigned count = 2 + pick(2);
    std::vector<BlockId> cases;
    for (unsigned i = 0; i < count; ++i) cases.push_back(f_.create_block());
    const BlockId merge = f_.create_block();
    for (unsigned i = 0; i + 1 < count; ++i) {
      const BlockId hit = f_.create_block(), miss = f_.create_block();
      branch(hit, miss);
      current_ = place(hit, depth());
      jump(cases[i]);
      current_ = place(miss, depth());
    }
    jump(cases[count - 1]);
    for (unsigned i = 0; i < count; ++i) {
      current_ = place(cases[i], depth());
      statements(budget);
      if (current_.valid()) jump(i + 1 < count && pick(2) == 0 ? cases[i + 1] : merge);
    }
    current_ = f_.blocks[merge].logical_preds.empty() ? BlockId() : place(merge, depth());
  }

  mir::Function& f_;
  std::mt19937 random_;
  bool exports_ = false;
  BlockId current_, end_;
  std::vector<Loop> loops_;
};

/// Puts lane masks into a generated function: comparisons and what is made of them, joined by phis at random places.
class MaskGenerator {
 public:
  MaskGenerator(mir::Function& function, uint32_t seed)
      : f_(function), random_(seed), dominance_(function, mir::Graph::logical), made_(function.blocks.size()) {}

  void run() {
    find_loops();
    for (uint32_t p = 0; p < f_.layout.size(); ++p) {
      if (!f_.blocks[f_.layout[p]].logical_preds.empty() && pick(2) == 0) create_phis(p, 1 + pick(2));
      create_masks(p);
    }
    for (const auto& [phi, p] : phis_) fill(phi, p);
  }

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool wave64() const { return f_.wave_size == 64; }

  void find_loops() {
    std::vector<uint32_t> position(f_.blocks.size(), 0);
    for (uint32_t p = 0; p < f_.layout.size(); ++p) position[f_.layout[p].index] = p;
    for (BlockId id : f_.layout) {
      for (BlockId succ : f_.blocks[id].logical_succs) {
        if (position[succ.index] <= position[id.index]) loops_.push_back({position[succ.index], position[id.index]});
      }
    }
    position_ = position;
  }
  /// Outside of a loop its masks are known through phis where it is left only.
  bool leaves_loop(uint32_t from, uint32_t to) const {
    for (const auto& [first, last] : loops_) {
      if (from >= first && from <= last && (to < first || to > last)) return true;
    }
    return false;
  }

  InstId insert(BlockId block, size_t at, Opcode opcode, std::initializer_list<Operand> more_defs,
                std::initializer_list<Operand> uses) {
    std::vector<Operand> defs = {f_.def(f_.lane_mask_class())};
    defs.insert(defs.end(), more_defs);
    made_[block.index].push_back(defs[0].vreg());
    const InstId inst = f_.create(opcode, defs, std::span<const Operand>(uses.begin(), uses.size()));
    auto& insts = f_.blocks[block].insts;
    insts.insert(insts.begin() + static_cast<long>(at), inst);
    return inst;
  }

  void create_phis(uint32_t p, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      phis_.push_back({insert(f_.layout[p], 0, Opcode::p_phi_mask, {}, {}), p});
    }
  }

  void create_masks(uint32_t p) {
    const BlockId block = f_.layout[p];
    size_t at = 0;
    while (mir::is_phi(f_.insts[f_.blocks[block].insts[at]].opcode) ||
           f_.insts[f_.blocks[block].insts[at]].opcode == Opcode::p_start) {
      ++at;
    }
    for (unsigned n = pick(4); n > 0; --n) {
      const Operand scc = Operand::physical(isa::kScc);
      const auto any = [&] {
        return f_.use(made_[block.index][pick(static_cast<unsigned>(made_[block.index].size()))]);
      };
      switch (made_[block.index].empty() ? 0 : pick(4)) {
        case 0:
          insert(block, at++, Opcode::v_cmp_ne_u32, {}, {Operand::immediate(0), Operand::physical(isa::vgpr(0))});
          break;
        case 1:
          insert(block, at++, wave64() ? Opcode::s_not_b64 : Opcode::s_not_b32, {scc}, {any()});
          break;
        case 2:
          insert(block, at++, wave64() ? Opcode::s_and_b64 : Opcode::s_and_b32, {scc}, {any(), any()});
          break;
        default:
          insert(block, at++, wave64() ? Opcode::s_or_b64 : Opcode::s_or_b32, {scc}, {any(), any()});
          break;
      }
    }
  }

  void fill(InstId phi, uint32_t p) {
    std::vector<Operand> uses;
    for (BlockId pred : f_.blocks[f_.layout[p]].logical_preds) uses.push_back(available(pred));
    f_.set_uses(phi, uses);
  }
  Operand available(BlockId pred) {
    if (pick(3) == 0) return Operand::immediate(pick(2) == 0 ? 0 : 0xffffffffu);
    std::vector<mir::VReg> masks;
    for (uint32_t p = 0; p <= position_[pred.index]; ++p) {
      const BlockId from = f_.layout[p];
      if (!dominance_.dominates(from, pred) || leaves_loop(p, position_[pred.index])) continue;
      masks.insert(masks.end(), made_[from.index].begin(), made_[from.index].end());
    }
    if (masks.empty()) return Operand::immediate(0);
    // Some phis take the same mask from several edges.
    if (std::find(masks.begin(), masks.end(), last_) != masks.end() && pick(3) != 0) return f_.use(last_);
    last_ = masks[pick(static_cast<unsigned>(masks.size()))];
    return f_.use(last_);
  }

  mir::Function& f_;
  std::mt19937 random_;
  const mir::Dominance dominance_;
  std::vector<std::vector<mir::VReg>> made_;  ///< by block
  std::vector<std::pair<InstId, uint32_t>> phis_;
  mir::VReg last_;  ///< the last operand
  std::vector<std::pair<uint32_t, uint32_t>> loops_;
  std::vector<uint32_t> position_;
};

/// What decides a branch: the same for all lanes that are in the same iteration of each loop, or different per lane.
class Conditions {
 public:
  explicit Conditions(uint32_t seed) : seed_(seed) {}
  bool uniform(BlockId block, uint64_t iterations) const { return (mix(mix(seed_, block.index), iterations) & 1) != 0; }
  bool divergent(BlockId block, uint64_t iterations, unsigned lane) const {
    return (mix(mix(mix(seed_ + 1, block.index), iterations), lane) & 1) != 0;
  }

 private:
  uint64_t seed_;
};

/// Loop iterations of one lane: header -> visits since the loop was entered.
struct LaneState {
  std::vector<std::pair<BlockId, unsigned>> loops;
  std::vector<uint32_t> trace;
  std::map<uint32_t, bool> bits;  ///< of lane masks
};

struct LoopRange {
  uint32_t first, last;
};

class Walker {
 public:
  Walker(const mir::Function& selected, uint32_t seed) : f_(selected), conditions_(seed) {
    position_.resize(f_.blocks.size(), 0);
    for (uint32_t p = 0; p < f_.layout.size(); ++p) position_[f_.layout[p].index] = p;
    for (BlockId id : f_.layout) {
      for (BlockId succ : f_.blocks[id].logical_succs) {
        if (position_[succ.index] <= position_[id.index]) ends_[succ.index] = position_[id.index];
      }
    }
  }

  /// Enters a block: leaves loops it is not part of, counts header visits, computes its masks.
  void enter(LaneState& lane, BlockId block, unsigned lane_index) const {
    const uint32_t from = lane.trace.empty() ? 0 : lane.trace.back();
    while (!lane.loops.empty() && !contains(lane.loops.back().first, block)) lane.loops.pop_back();
    if (ends_.count(block.index) != 0) {
      if (!lane.loops.empty() && lane.loops.back().first == block) {
        ++lane.loops.back().second;
      } else {
        lane.loops.push_back({block, 1});
      }
    }
    lane.trace.push_back(block.index);
    take_phis(lane, block, from);
    for (InstId inst : f_.blocks[block].insts) compute(lane, inst, lane_index);
  }

  uint64_t iterations(const LaneState& lane) const {
    uint64_t h = 0;
    for (const auto& [header, count] : lane.loops) h = mix(h, uint64_t{header.index} << 32 | count);
    return h;
  }

  /// Which successor the lane takes. A latch leaves after a few iterations so that every walk ends.
  unsigned choose(const LaneState& lane, BlockId block, unsigned lane_index) const {
    const auto& succs = f_.blocks[block].logical_succs;
    if (succs.size() < 2) return 0;
    if (!lane.loops.empty() && lane.loops.back().second >= kMostIterations) {
      // Blocks that only jump back must not be chosen.
      for (unsigned i = 0; i < 2; ++i) {
        const auto& next = f_.blocks[succs[i]].logical_succs;
        if (next.size() == 1 && position_[next[0].index] <= position_[block.index]) return 1 - i;
      }
    }
    const bool uniform = f_.insts[f_.blocks[block].insts.back()].opcode == Opcode::p_branch_scc;
    const bool yes = uniform ? conditions_.uniform(block, iterations(lane))
                             : conditions_.divergent(block, iterations(lane), lane_index);
    return yes ? 0 : 1;
  }

  std::vector<uint32_t> walk_lane(unsigned lane_index) const {
    LaneState lane;
    for (BlockId block = f_.layout[0];;) {
      enter(lane, block, lane_index);
      const auto& succs = f_.blocks[block].logical_succs;
      if (succs.empty()) return lane.trace;
      block = succs[choose(lane, block, lane_index)];
    }
  }

 private:
  void take_phis(LaneState& lane, BlockId block, uint32_t from) const {
    std::vector<std::pair<uint32_t, bool>> taken;
    for (InstId inst : f_.blocks[block].insts) {
      if (f_.insts[inst].opcode != Opcode::p_phi_mask) continue;
      const auto& preds = f_.blocks[block].logical_preds;
      for (uint32_t i = 0; i < preds.size(); ++i) {
        if (preds[i].index == from) taken.push_back({f_.defs(inst)[0].value, bit(lane, f_.uses(inst)[i])});
      }
    }
    for (const auto& [phi, value] : taken) lane.bits[phi] = value;
  }
  static bool bit(const LaneState& lane, const Operand& mask) {
    return mask.is_imm() ? mask.value != 0 : lane.bits.at(mask.value);
  }
  void compute(LaneState& lane, InstId inst, unsigned lane_index) const {
    const auto uses = f_.uses(inst);
    const auto set = [&](bool value) { lane.bits[f_.defs(inst)[0].value] = value; };
    switch (f_.insts[inst].opcode) {
      case Opcode::v_cmp_ne_u32:
        return set((mix(mix(inst.index, iterations(lane)), lane_index) & 1) != 0);
      case Opcode::s_not_b32:
      case Opcode::s_not_b64:
        return set(!bit(lane, uses[0]));
      case Opcode::s_and_b32:
      case Opcode::s_and_b64:
        return set(bit(lane, uses[0]) && bit(lane, uses[1]));
      case Opcode::s_or_b32:
      case Opcode::s_or_b64:
        return set(bit(lane, uses[0]) || bit(lane, uses[1]));
      default:
        return;
    }
  }

  bool contains(BlockId header, BlockId block) const {
    const uint32_t p = position_[block.index];
    return p >= position_[header.index] && p <= ends_.at(header.index);
  }

  const mir::Function& f_;
  const Conditions conditions_;
  std::vector<uint32_t> position_;
  std::map<uint32_t, uint32_t> ends_;
};

/// Interprets the masked function for one wave: only the instructions the lowering emits.
class Wave {
 public:
  Wave(const mir::Function& masked, const mir::Function& selected, const Walker& walker)
      : f_(masked), selected_(selected), walker_(walker), lanes_(masked.wave_size) {}

  void run() {
    exec_ = f_.wave_size == 64 ? ~uint64_t{0} : 0xffffffffu;
    BlockId block = f_.layout[0], from;
    for (unsigned steps = 0; block.valid(); ++steps) {
      ASSERT_LT(steps, 200000u) << "the wave does not end";
      const BlockId next = run_block(block, from);
      from = block;
      block = next;
    }
  }
  const std::vector<LaneState>& lanes() const { return lanes_; }
  unsigned exports() const { return exports_; }

 private:
  uint64_t all() const { return f_.wave_size == 64 ? ~uint64_t{0} : 0xffffffffu; }

  uint64_t read(const Operand& operand) const {
    if (operand.is_imm()) return operand.value == 0xffffffffu ? all() : operand.value;
    if (operand.kind == Operand::Kind::reg && operand.reg == isa::kExec) return exec_;
    if (operand.is_vreg()) return masks_.at(operand.value);
    return 0xdeadbeefdeadbeefull & all();
  }
  void write(const Operand& operand, uint64_t value) {
    if (operand.kind == Operand::Kind::reg) {
      ASSERT_EQ(operand.reg, isa::kExec);
      exec_ = value;
    } else {
      masks_[operand.value] = value;
    }
  }

  BlockId run_block(BlockId id, BlockId from) {
    run_phis(id, from);
    bool logical = false;
    uint64_t takes_first = 0;
    for (InstId inst : f_.blocks[id].insts) {
      const Opcode opcode = f_.insts[inst].opcode;
      const auto uses = f_.uses(inst);
      switch (opcode) {
        case Opcode::p_phi:
        case Opcode::p_start:
        case Opcode::p_logical_end:
          break;
        case Opcode::p_logical_start:
          logical = true;
          takes_first = enter_block(id);
          check_joined(id);
          break;
        case Opcode::v_cmp_ne_u32:
          write(f_.defs(inst)[0], own_bits(f_.defs(inst)[0].value));
          break;
        case Opcode::s_not_b32:
        case Opcode::s_not_b64:
          write(f_.defs(inst)[0], ~read(uses[0]) & all());
          break;
        case Opcode::v_cmp_eq_u32:
          write(f_.defs(inst)[0], (takes_first & exec_) | (garbage() & ~exec_ & all()));
          break;
        case Opcode::s_cmp_eq_u32:
          EXPECT_NE(exec_, 0u) << "a uniform branch is decided for nobody";
          EXPECT_TRUE((takes_first & exec_) == 0 || (takes_first & exec_) == exec_)
              << "lanes disagree at b" << id.index;
          scc_ = (takes_first & exec_) != 0;
          break;
        case Opcode::s_cselect_b32:
        case Opcode::s_cselect_b64:
          write(f_.defs(inst)[0], scc_ ? read(uses[0]) : read(uses[1]));
          break;
        case Opcode::s_mov_b32:
        case Opcode::s_mov_b64:
          write(f_.defs(inst)[0], read(uses[0]));
          break;
        case Opcode::s_and_b32:
        case Opcode::s_and_b64:
          write(f_.defs(inst)[0], read(uses[0]) & read(uses[1]));
          break;
        case Opcode::s_andn2_b32:
        case Opcode::s_andn2_b64:
          write(f_.defs(inst)[0], read(uses[0]) & ~read(uses[1]));
          break;
        case Opcode::s_orn2_b32:
        case Opcode::s_orn2_b64:
          write(f_.defs(inst)[0], read(uses[0]) | (~read(uses[1]) & all()));
          break;
        case Opcode::s_or_b32:
        case Opcode::s_or_b64:
          write(f_.defs(inst)[0], read(uses[0]) | read(uses[1]));
          break;
        case Opcode::s_and_saveexec_b32:
        case Opcode::s_and_saveexec_b64:
        case Opcode::s_andn1_saveexec_b32:
        case Opcode::s_andn1_saveexec_b64: {
          const bool invert = opcode == Opcode::s_andn1_saveexec_b32 || opcode == Opcode::s_andn1_saveexec_b64;
          const uint64_t old = exec_, mask = read(uses[0]);
          exec_ &= invert ? ~mask : mask;
          write(f_.defs(inst)[0], old);
          break;
        }
        case Opcode::p_jump:
          return uses[0].block();
        case Opcode::p_jump_scc1:
          return scc_ ? uses[1].block() : uses[2].block();
        case Opcode::p_jump_execz:
          return exec_ == 0 ? uses[1].block() : uses[2].block();
        case Opcode::p_jump_execnz:
          return exec_ != 0 ? uses[1].block() : uses[2].block();
        case Opcode::exp:
          EXPECT_TRUE(exec_ == 0 || logical) << "lanes that have ended are exported";
          ++exports_;
          break;
        case Opcode::s_endpgm:
          return BlockId();
        default:
          ADD_FAILURE() << "unexpected " << mir::name(opcode);
      }
    }
    ADD_FAILURE() << "block without end" << logical;
    return BlockId();
  }

  void run_phis(BlockId id, BlockId from) {
    std::vector<std::pair<Operand, uint64_t>> values;
    for (InstId inst : f_.blocks[id].insts) {
      if (f_.insts[inst].opcode != Opcode::p_phi) break;
      const auto& preds = f_.blocks[id].linear_preds;
      for (uint32_t i = 0; i < preds.size(); ++i) {
        if (preds[i] == from) values.push_back({f_.defs(inst)[0], read(f_.uses(inst)[i])});
      }
    }
    for (const auto& [def, value] : values) write(def, value);
  }

  /// The running lanes visit the block; bit i of the result: lane i takes the first successor.
  uint64_t enter_block(BlockId id) {
    uint64_t first = 0;
    for (unsigned lane = 0; lane < f_.wave_size; ++lane) {
      if ((exec_ >> lane & 1) == 0) continue;
      walker_.enter(lanes_[lane], id, lane);
      if (walker_.choose(lanes_[lane], id, lane) == 0) first |= uint64_t{1} << lane;
    }
    // A branch whose true side is the second successor in the test above keeps the order of the graph: succs[0] is the
    // true side.
    return first;
  }

  /// What the lanes themselves have computed; zero for those that do not run.
  uint64_t own_bits(uint32_t mask) const {
    uint64_t bits = 0;
    for (unsigned lane = 0; lane < f_.wave_size; ++lane) {
      if ((exec_ >> lane & 1) != 0 && lanes_[lane].bits.at(mask)) bits |= uint64_t{1} << lane;
    }
    return bits;
  }
  void check_joined(BlockId id) const {
    for (InstId inst : selected_.blocks[id].insts) {
      if (selected_.insts[inst].opcode != Opcode::p_phi_mask) continue;
      const uint32_t mask = selected_.defs(inst)[0].value;
      EXPECT_EQ(masks_.at(mask) & exec_, own_bits(mask)) << "%" << mask << " in b" << id.index;
    }
  }

  uint64_t garbage() { return garbage_ = mix(garbage_, 12345); }

  const mir::Function &f_, &selected_;
  const Walker& walker_;
  std::vector<LaneState> lanes_;
  std::map<uint32_t, uint64_t> masks_;
  uint64_t exec_ = 0, garbage_ = 1;
  bool scc_ = false;
  unsigned exports_ = 0;
};

/// What the last block, which only ends lanes, adds to a trace is left out.
std::vector<uint32_t> without_end(std::vector<uint32_t> trace, const mir::Function& selected) {
  if (!trace.empty() && trace.back() == selected.layout.back().index) trace.pop_back();
  return trace;
}

void check_program(uint32_t seed, unsigned wave_size) {
  const isa::Target* target = isa::find_target("gfx1030");
  mir::Function selected(*target, wave_size);
  Generator generator(selected, seed);
  generator.run();
  if (seed % 4 != 0) MaskGenerator(selected, seed).run();
  ASSERT_TRUE(mir::verify(selected).ok()) << "seed " << seed << ": " << mir::verify(selected).error().message;
  CompileContext context;
  fold_empty_edges(selected, context);
  mir::Function masked = selected;
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + mir::print(selected));
  ASSERT_TRUE(lower_control_flow(masked, context).ok());
  const auto verdict = mir::verify(masked);
  ASSERT_TRUE(verdict.ok()) << "seed " << seed << ": " << verdict.error().message;
  const Walker walker(selected, seed * 7 + 1);
  Wave wave(masked, selected, walker);
  wave.run();
  ASSERT_FALSE(testing::Test::HasFailure()) << mir::print(masked);
  const bool only_ends = selected.blocks[selected.layout.back()].insts.size() == 1;
  if (only_ends) {
    ASSERT_EQ(wave.exports(), generator.exports() ? 1u : 0u) << mir::print(masked);
  }
  for (unsigned lane = 0; lane < wave_size; ++lane) {
    ASSERT_EQ(without_end(wave.lanes()[lane].trace, selected), without_end(walker.walk_lane(lane), selected))
        << "seed " << seed << " lane " << lane << "\n"
        << mir::print(selected) << "\n"
        << mir::print(masked);
  }
}

TEST(LowerControlFlow, EveryLaneWalksItsLogicalPathWave32) {
  for (uint32_t seed = 1; seed <= 4000 && !testing::Test::HasFailure(); ++seed) check_program(seed, 32);
}

TEST(LowerControlFlow, EveryLaneWalksItsLogicalPathWave64) {
  for (uint32_t seed = 5001; seed <= 6500 && !testing::Test::HasFailure(); ++seed) check_program(seed, 64);
}

}  // namespace
}  // namespace spalt::exec
