// SPDX-License-Identifier: MIT
#include "random_function.h"

#include <initializer_list>
#include <vector>

namespace spalt::regalloc {
namespace {

using mir::BlockId;
using mir::InstId;
using mir::Opcode;
using mir::Operand;
using mir::RegClass;
using mir::VReg;

class Generator {
 public:
  explicit Generator(const RandomOptions& options)
      : options_(options),
        state_(options.seed * 0x9e3779b97f4a7c15u + 1),
        function_(*isa::find_target("gfx1030"), options.wave_size) {}

  mir::Function run() {
    function_.stage = mir::Stage::masked;
    budget_ = static_cast<int>(options_.size);
    begin_block();
    const Operand pointer = Operand::fixed(function_.create_vreg(mir::kS2), mir::kS2, isa::sgpr(0));
    const Operand argument = Operand::fixed(function_.create_vreg(mir::kS1), mir::kS1, isa::sgpr(2));
    const Operand lane = Operand::fixed(function_.create_vreg(mir::kV1), mir::kV1, isa::vgpr(0));
    emit(Opcode::p_start, {pointer, argument, lane}, {});
    know(pointer.vreg());
    know(argument.vreg());
    know(lane.vreg());
    const Operand constant = function_.def(mir::kS4);
    emit(Opcode::s_load_dwordx4, {constant}, {read(pointer.vreg()), Operand::immediate(0)});
    know(constant.vreg());
    resource_ = constant.vreg();
    start_lanes();
    while (budget_ > 0) statement(0);
    for (int i = 0; i < 6; ++i) store();
    end_lanes();
    emit(Opcode::s_endpgm, {}, {});
    return std::move(function_);
  }

 private:
  // ---- random numbers ----

  uint32_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<uint32_t>(state_ >> 32);
  }
  uint32_t below(uint32_t bound) { return next() % bound; }
  bool chance(uint32_t percent) { return below(100) < percent; }

  // ---- emission ----

  InstId emit(Opcode opcode, std::initializer_list<Operand> defs, std::initializer_list<Operand> uses) {
    return function_.append(block_, opcode, std::span<const Operand>(defs.begin(), defs.size()),
                            std::span<const Operand>(uses.begin(), uses.size()));
  }
  BlockId begin_block() {
    block_ = function_.create_block();
    function_.layout.push_back(block_);
    function_.blocks[block_].loop_depth = loop_depth_;
    return block_;
  }
  void start_lanes() { emit(Opcode::p_logical_start, {}, {}); }
  void end_lanes() { emit(Opcode::p_logical_end, {}, {}); }
  void jump(BlockId from, BlockId to) {
    const Operand target = Operand::target(to);
    function_.append(from, Opcode::p_jump, {}, {&target, 1});
    function_.add_linear_edge(from, to);
  }
  void both_edges(BlockId from, BlockId to) {
    function_.add_linear_edge(from, to);
    function_.add_logical_edge(from, to);
  }

  static Operand scc() { return Operand::physical(isa::kScc); }
  Operand exec() const { return Operand::physical(isa::kExec, options_.wave_size / 32); }
  Operand vcc() const { return Operand::physical(isa::kVcc, options_.wave_size / 32); }
  RegClass mask_class() const { return function_.lane_mask_class(); }
  Opcode mask_op(Opcode narrow, Opcode wide) const { return options_.wave_size == 32 ? narrow : wide; }

  // ---- values in scope ----

  struct Scope {
    size_t sgprs, vgprs;
  };
  Scope scope() const { return {sgprs_.size(), vgprs_.size()}; }
  void know(VReg v) { (function_.vregs[v].cls.is_vgpr() ? vgprs_ : sgprs_).push_back(v); }
  Operand read(VReg v) { return function_.use(v); }

  /// A known value of that class, old or new; created when there is none.
  VReg pick(RegClass cls) {
    const auto& list = cls.is_vgpr() ? vgprs_ : sgprs_;
    for (int attempt = 0; attempt < 12 && !list.empty(); ++attempt) {
      const size_t far = options_.reach == 0 ? list.size() : std::min<size_t>(list.size(), options_.reach);
      const size_t reach = chance(50) ? std::min<size_t>(far, 6) : far;
      const VReg v = list[list.size() - 1 - below(static_cast<uint32_t>(reach))];
      if (function_.vregs[v].cls == cls) return v;
    }
    for (VReg v : list) {
      if (function_.vregs[v].cls == cls) return v;
    }
    return create(cls);
  }
  Operand pick_use(RegClass cls) { return read(pick(cls)); }

  VReg create(RegClass cls) {
    const Operand def = function_.def(cls);
    if (cls == mir::kS1) {
      emit(Opcode::s_mov_b32, {def}, {Operand::immediate(next())});
    } else if (cls == mir::kV1) {
      emit(Opcode::v_mov_b32, {def}, {Operand::immediate(next())});
    } else {
      std::vector<Operand> parts;
      const RegClass part = cls.is_vgpr() ? mir::kV1 : mir::kS1;
      for (unsigned i = 0; i < cls.dwords; ++i) parts.push_back(chance(10) ? Operand::undefined(1) : pick_use(part));
      function_.append(block_, Opcode::p_vec, {&def, 1}, parts);
    }
    know(def.vreg());
    return def.vreg();
  }

  // ---- straight code ----

  void statement(unsigned depth) {
    if (depth < options_.max_depth && chance(12)) {
      switch (below(4)) {
        case 0:
          return uniform_if(depth);
        case 1:
          return divergent_if(depth);
        case 2:
          return divergent_loop(depth);
        default:
          return uniform_loop(depth);
      }
    }
    --budget_;
    if (chance(45)) {
      scalar_statement();
    } else {
      vector_statement();
    }
  }

  void scalar_statement() {
    const Operand def = function_.def(mir::kS1);
    switch (below(9)) {
      case 0:
        emit(Opcode::s_mov_b32, {def}, {Operand::immediate(next())});
        break;
      case 1: {
        const Operand high = function_.def(mir::kS1);
        emit(Opcode::s_add_u32, {def, scc()}, {pick_use(mir::kS1), pick_use(mir::kS1)});
        emit(Opcode::s_addc_u32, {high, scc()}, {read(def.vreg()), pick_use(mir::kS1), scc()});
        know(high.vreg());
        break;
      }
      case 2: {
        const Operand wide = function_.def(chance(50) ? mir::kS4 : mir::kS2);
        const bool four = wide.dwords == 4;
        emit(four ? Opcode::s_load_dwordx4 : Opcode::s_load_dwordx2, {wide},
             {pick_use(mir::kS2), Operand::immediate(below(64) * 4)});
        know(wide.vreg());
        return;
      }
      case 3: {
        create(chance(30) ? mir::kS4 : mir::kS2);
        return;
      }
      case 4: {
        const VReg tuple = pick(mir::kS4);
        emit(Opcode::p_extract, {def}, {read(tuple), Operand::immediate(below(4))});
        break;
      }
      case 5: {
        const Operand low = function_.def(mir::kS2), middle = function_.def(mir::kS1);
        emit(Opcode::p_split, {low, middle, def}, {pick_use(mir::kS4)});
        know(low.vreg());
        know(middle.vreg());
        break;
      }
      case 6: {
        Operand old = pick_use(mir::kS1);
        old.tied = true;
        emit(Opcode::s_cmp_lt_u32, {scc()}, {pick_use(mir::kS1), Operand::immediate(below(100))});
        emit(Opcode::s_cmov_b32, {def}, {pick_use(mir::kS1), scc(), old});
        break;
      }
      case 7:
        if (options_.wide_tuples) {
          const Operand wide = function_.def(mir::sgpr_class(8));
          emit(Opcode::s_load_dwordx8, {wide}, {pick_use(mir::kS2), Operand::immediate(32)});
          emit(Opcode::p_extract, {def}, {read(wide.vreg()), Operand::immediate(below(8))});
          if (chance(50)) know(wide.vreg());
          break;
        }
        [[fallthrough]];
      default:
        emit(Opcode::s_and_b32, {def, scc()}, {pick_use(mir::kS1), pick_use(mir::kS1)});
        break;
    }
    know(def.vreg());
  }

  void vector_statement() {
    const Operand def = function_.def(mir::kV1);
    switch (below(10)) {
      case 0:
        emit(Opcode::v_mov_b32, {def}, {Operand::immediate(next())});
        break;
      case 1: {
        Operand old = pick_use(mir::kV1);
        old.tied = true;
        emit(Opcode::v_fmac_f32, {def}, {pick_use(mir::kV1), pick_use(mir::kV1), old});
        break;
      }
      case 2: {
        const Operand wide = function_.def(mir::vgpr_class(1 + below(4)));
        static constexpr Opcode kLoads[] = {Opcode::buffer_load_dword, Opcode::buffer_load_dwordx2,
                                            Opcode::buffer_load_dwordx3, Opcode::buffer_load_dwordx4};
        emit(kLoads[wide.dwords - 1], {wide}, {pick_use(mir::kV1), read(resource_), pick_use(mir::kS1)});
        know(wide.vreg());
        return;
      }
      case 3:
        create(mir::vgpr_class(2 + below(3)));
        return;
      case 4: {
        const unsigned dwords = 2 + below(3);
        emit(Opcode::p_extract, {def}, {pick_use(mir::vgpr_class(dwords)), Operand::immediate(below(dwords))});
        break;
      }
      case 5: {
        const Operand low = function_.def(mir::kV1), high = function_.def(mir::kV2);
        emit(Opcode::p_split, {low, high, def}, {pick_use(mir::vgpr_class(4))});
        know(low.vreg());
        know(high.vreg());
        break;
      }
      case 6:
        select(def);
        break;
      case 7:
        emit(Opcode::v_mov_b32, {def}, {pick_use(mir::kS1)});
        break;
      case 8:
        store();
        return;
      default:
        emit(Opcode::v_add_f32, {def}, {chance(20) ? pick_use(mir::kS1) : pick_use(mir::kV1), pick_use(mir::kV1)});
        break;
    }
    know(def.vreg());
  }

  /// A comparison and a select, with the mask anywhere, required in vcc, or in vcc itself.
  void select(const Operand& def) {
    const uint32_t kind = below(4);
    if (kind == 0) {
      emit(Opcode::v_cmp_lt_f32, {vcc()}, {pick_use(mir::kV1), pick_use(mir::kV1)});
      scalar_between();
      emit(Opcode::v_cndmask_b32, {def}, {pick_use(mir::kV1), pick_use(mir::kV1), vcc()});
      return;
    }
    const VReg condition = mask();
    if (kind == 1) function_.vregs[condition].hint = isa::kVcc;
    Operand use = read(chance(70) ? condition : pick(mask_class()));
    if (kind == 2) use.reg = isa::kVcc;
    emit(Opcode::v_cndmask_b32, {def}, {pick_use(mir::kV1), pick_use(mir::kV1), use});
  }
  void scalar_between() {
    if (chance(50)) return;
    const Operand def = function_.def(mir::kS2);
    emit(Opcode::s_mov_b64, {def}, {pick_use(mir::kS2)});
    know(def.vreg());
  }

  VReg mask() {
    const VReg a = pick(mir::kV1), b = pick(mir::kV1);
    const Operand def = function_.def(mask_class());
    emit(Opcode::v_cmp_lt_f32, {def}, {read(a), read(b)});
    know(def.vreg());
    return def.vreg();
  }

  void store() {
    static constexpr Opcode kStores[] = {Opcode::buffer_store_dword, Opcode::buffer_store_dwordx2,
                                         Opcode::buffer_store_dwordx3, Opcode::buffer_store_dwordx4};
    const unsigned dwords = 1 + below(4);
    const Operand data = pick_use(mir::vgpr_class(dwords)), address = pick_use(mir::kV1), offset = pick_use(mir::kS1);
    emit(kStores[dwords - 1], {}, {data, address, read(resource_), offset});
  }

  // ---- joins ----

  struct Arm {
    BlockId end;
    std::vector<VReg> sgprs, vgprs;
  };

  Arm close_arm(const Scope& outer) {
    Arm arm{block_, {}, {}};
    for (int i = 0; i < 4; ++i) {
      const VReg v = pick(i == 0 ? mir::kV2 : mir::kV1);
      arm.vgprs.push_back(v);
      arm.sgprs.push_back(pick(i == 0 ? mir::kS2 : mir::kS1));
    }
    forget(outer);
    return arm;
  }
  void forget(const Scope& outer) {
    sgprs_.resize(outer.sgprs);
    vgprs_.resize(outer.vgprs);
  }

  void phi(RegClass cls, Operand a, Operand b) {
    const Operand def = function_.def(cls);
    emit(Opcode::p_phi, {def}, {a, b});
    pending_.push_back(def.vreg());
  }
  void know_pending() {
    for (VReg v : pending_) know(v);
    pending_.clear();
  }

  // ---- control flow ----

  void arm(unsigned depth) {
    const int target = budget_ - 2 - static_cast<int>(below(12));
    while (budget_ > 0 && budget_ > target) statement(depth + 1);
  }

  void uniform_if(unsigned depth) {
    emit(Opcode::s_cmp_lt_u32, {scc()}, {pick_use(mir::kS1), Operand::immediate(below(1000))});
    end_lanes();
    const BlockId head = block_;
    const Scope outer = scope();
    const BlockId then_block = begin_block();
    both_edges(head, then_block);
    start_lanes();
    arm(depth);
    const Arm then_arm = close_arm(outer);
    end_lanes();
    const BlockId else_block = begin_block();
    both_edges(head, else_block);
    function_.append(head, Opcode::p_jump_scc1, {},
                     std::initializer_list<Operand>{scc(), Operand::target(then_block), Operand::target(else_block)});
    start_lanes();
    arm(depth);
    const Arm else_arm = close_arm(outer);
    end_lanes();
    const BlockId merge = begin_block();
    for (const Arm* end : {&then_arm, &else_arm}) {
      jump(end->end, merge);
      function_.add_logical_edge(end->end, merge);
    }
    const uint32_t count = below(5);
    for (uint32_t i = 0; i < count; ++i) {
      const RegClass scalar = i == 0 ? mir::kS2 : mir::kS1, vector = i == 0 ? mir::kV2 : mir::kV1;
      phi(scalar, read(then_arm.sgprs[i % 4]),
          chance(20) ? Operand::immediate(below(70)) : read(else_arm.sgprs[i % 4]));
      phi(vector, read(then_arm.vgprs[i % 4]),
          chance(10) ? Operand::undefined(vector.dwords) : read(else_arm.vgprs[i % 4]));
    }
    know_pending();
    start_lanes();
  }

  void divergent_if(unsigned depth) {
    const VReg condition = mask();
    const Operand saved = function_.def(mask_class());
    end_lanes();
    emit(mask_op(Opcode::s_mov_b32, Opcode::s_mov_b64), {saved}, {exec()});
    emit(mask_op(Opcode::s_and_b32, Opcode::s_and_b64), {exec(), scc()}, {exec(), read(condition)});
    know(saved.vreg());
    const BlockId head = block_;
    const Scope outer = scope();
    const bool skips = chance(60), phi_at_flip = chance(50);
    const BlockId then_block = begin_block();
    both_edges(head, then_block);
    start_lanes();
    arm(depth);
    const Arm then_arm = close_arm(outer);
    end_lanes();
    const BlockId flip = begin_block();
    jump(then_arm.end, flip);
    if (skips) function_.add_linear_edge(head, flip);
    leave(head, skips, flip, then_block);
    if (skips && phi_at_flip) {
      for (int i = 1; i < 3; ++i)
        phi(mir::kS1, read(then_arm.sgprs[static_cast<size_t>(i)]),
            chance(50) ? Operand::undefined(1) : pick_use(mir::kS1));
      know_pending();
    }
    emit(mask_op(Opcode::s_andn2_b32, Opcode::s_andn2_b64), {exec(), scc()}, {read(saved.vreg()), read(condition)});
    const Scope after_flip = scope();
    const BlockId else_block = begin_block();
    function_.add_logical_edge(head, else_block);
    function_.add_linear_edge(flip, else_block);
    start_lanes();
    arm(depth);
    const Arm else_arm = close_arm(after_flip);
    end_lanes();
    const BlockId merge = begin_block();
    jump(else_arm.end, merge);
    function_.add_logical_edge(then_arm.end, merge);
    function_.add_logical_edge(else_arm.end, merge);
    if (skips) function_.add_linear_edge(flip, merge);
    leave(flip, skips, merge, else_block);
    const uint32_t count = below(5);
    for (uint32_t i = 0; i < count; ++i) {
      const RegClass vector = i == 0 ? mir::kV2 : mir::kV1;
      phi(vector, read(then_arm.vgprs[i % 4]), chance(10) ? Operand::immediate(below(9)) : read(else_arm.vgprs[i % 4]));
    }
    know_pending();
    emit(mask_op(Opcode::s_or_b32, Opcode::s_or_b64), {exec(), scc()}, {exec(), read(saved.vreg())});
    start_lanes();
  }

  void leave(BlockId from, bool skips, BlockId skip_to, BlockId next_block) {
    const Operand go = Operand::target(next_block);
    if (!skips) {
      function_.append(from, Opcode::p_jump, {}, {&go, 1});
      if (function_.blocks[from].linear_succs.empty()) function_.add_linear_edge(from, next_block);
      return;
    }
    const Operand uses[] = {exec(), Operand::target(skip_to), go};
    function_.append(from, Opcode::p_jump_execz, {}, uses);
  }

  struct LoopPhis {
    std::vector<InstId> phis;
  };

  /// Phis at a loop header; the operand of the back edge is filled in by close_loop.
  LoopPhis open_loop() {
    LoopPhis loop;
    const uint32_t count = 1 + below(6);
    std::vector<Operand> initial;
    for (uint32_t i = 0; i < count; ++i) {
      static constexpr RegClass kClasses[] = {mir::kS1, mir::kV1, mir::kS2, mir::kV2, mir::kS1, mir::kV1};
      initial.push_back(pick_use(kClasses[i]));
    }
    end_lanes();
    const BlockId before = block_;
    ++loop_depth_;
    begin_block();
    function_.blocks[block_].loop_header = true;
    jump(before, block_);
    function_.add_logical_edge(before, block_);
    for (const Operand& value : initial) {
      const Operand def = function_.def(function_.vregs[value.vreg()].cls);
      loop.phis.push_back(emit(Opcode::p_phi, {def}, {value, value}));
      pending_.push_back(def.vreg());
    }
    // Some loops exchange values.
    exchange_ = chance(40);
    know_pending();
    start_lanes();
    return loop;
  }

  /// Operands for the back edge, defined in the loop where the value dominates the latch.
  std::vector<Operand> back_values(const LoopPhis& loop) {
    std::vector<Operand> values;
    for (size_t i = 0; i < loop.phis.size(); ++i) {
      const RegClass cls = function_.vregs[function_.defs(loop.phis[i])[0].vreg()].cls;
      if (exchange_ && i + 4 < loop.phis.size()) {
        values.push_back(read(function_.defs(loop.phis[i + 4])[0].vreg()));
      } else if (exchange_ && i >= 4) {
        values.push_back(read(function_.defs(loop.phis[i - 4])[0].vreg()));
      } else {
        values.push_back(pick_use(cls));
      }
    }
    return values;
  }
  void close_loop(const LoopPhis& loop, const std::vector<Operand>& values) {
    for (size_t i = 0; i < loop.phis.size(); ++i) function_.uses(loop.phis[i])[1] = values[i];
  }

  void uniform_loop(unsigned depth) {
    const Scope outer = scope();
    const LoopPhis loop = open_loop();
    const BlockId header = block_;
    arm(depth);
    const std::vector<Operand> values = back_values(loop);
    emit(Opcode::s_cmp_lt_u32, {scc()}, {pick_use(mir::kS1), Operand::immediate(below(1000))});
    end_lanes();
    const BlockId latch = block_;
    const BlockId back = begin_block();
    both_edges(latch, back);
    start_lanes();
    end_lanes();
    jump(back, header);
    function_.add_logical_edge(back, header);
    close_loop(loop, values);
    --loop_depth_;
    const BlockId exit = begin_block();
    both_edges(latch, exit);
    function_.append(latch, Opcode::p_jump_scc1, {},
                     std::initializer_list<Operand>{scc(), Operand::target(back), Operand::target(exit)});
    if (chance(50)) forget(outer);
    start_lanes();
  }

  /// Lanes leave one by one; exec is restored after the loop. The back edge of the linear graph is critical unless it
  /// gets a block.
  void divergent_loop(unsigned depth) {
    const Operand saved = function_.def(mask_class());
    emit(mask_op(Opcode::s_mov_b32, Opcode::s_mov_b64), {saved}, {exec()});
    know(saved.vreg());
    const Scope outer = scope();
    const LoopPhis loop = open_loop();
    const BlockId header = block_;
    arm(depth);
    const std::vector<Operand> values = back_values(loop);
    const VReg condition = mask();
    end_lanes();
    emit(mask_op(Opcode::s_andn2_b32, Opcode::s_andn2_b64), {exec(), scc()}, {exec(), read(condition)});
    const BlockId latch = block_;
    const BlockId back = begin_block();
    jump(latch, back);
    function_.add_logical_edge(latch, back);
    start_lanes();
    end_lanes();
    BlockId landing = header;
    if (chance(30)) {
      landing = begin_block();
      jump(landing, header);
    } else {
      function_.add_linear_edge(back, header);
    }
    function_.add_logical_edge(back, header);
    close_loop(loop, values);
    --loop_depth_;
    const BlockId exit = begin_block();
    if (landing != header) function_.add_linear_edge(back, landing);
    function_.add_linear_edge(back, exit);
    function_.add_logical_edge(latch, exit);
    const Operand uses[] = {exec(), Operand::target(landing), Operand::target(exit)};
    function_.append(back, Opcode::p_jump_execnz, {}, uses);
    if (chance(50)) forget(outer);
    emit(mask_op(Opcode::s_mov_b32, Opcode::s_mov_b64), {exec()}, {read(saved.vreg())});
    start_lanes();
  }

  const RandomOptions options_;
  uint64_t state_;
  mir::Function function_;
  BlockId block_;
  int budget_ = 0;
  uint16_t loop_depth_ = 0;
  bool exchange_ = false;
  VReg resource_;
  std::vector<VReg> sgprs_, vgprs_, pending_;
};

}  // namespace

mir::Function random_function(const RandomOptions& options) {
  return Generator(options).run();
}

}  // namespace spalt::regalloc
