// SPDX-License-Identifier: MIT
#include "amdgpu/lower/hoist_loads.h"

#include <algorithm>
#include <optional>

#include "amdgpu/isa/occupancy.h"
#include "amdgpu/lower/block_pressure.h"
#include "amdgpu/lower/movable_loads.h"
#include "amdgpu/lower/ways_past.h"
#include "analysis/alias.h"

namespace spalt::lower {
namespace {

using analysis::kNoLoop;
using ir::BlockId;
using ir::Op;
using ir::Value;

/// Blocks between a load and where it may go, and those of them that it may go to.
constexpr uint32_t kMaxDistance = 64, kMaxTargets = 16;
/// Instructions that make one address.
constexpr uint32_t kMaxChain = 48;
/// Other loads of the same buffer that are looked at.
constexpr unsigned kMaxNeighbours = 32;
/// What may move to a neighbour although some lanes do not need it.
constexpr uint64_t kMaxRowBytes = 32;
/// Scheduling needs more VGPRs than the estimate, and tuples of SGPRs do not fill what there is.
constexpr int32_t kVgprMargin = 4, kMostSgprs = 64;

class LoadHoister {
 public:
  LoadHoister(ir::Function& function, const analysis::Divergence& divergence, analysis::AnalysisCache& analyses,
              const HoistLoadsConfig& config, Arena& scratch)
      : function_(function),
        divergence_(divergence),
        dominance_(analyses.dominance()),
        loops_(analyses.loops()),
        config_(config),
        scratch_(scratch),
        ways_(function, loops_, scratch),
        loads_(function, divergence, dominance_, scratch),
        neighbour_(scratch, function.value_capacity()),
        same_(scratch, function.value_capacity()),
        moved_(scratch, function.value_capacity()),
        uses_left_(scratch),
        chain_(scratch),
        longer_(scratch, function.layout().size()) {}

  /// `last`: the last load that may move.
  bool run(Value last) {
    find_rows();
    bool done = false;
    for (BlockId block : function_.layout()) {
      if (!dominance_.reachable(block)) continue;
      for (Value value : ir::insts(function_, block)) {
        if (any_same_) rename_operands(value);
        if (!done) visit(value, block);
        done |= value == last;
      }
      if (done && !any_same_) break;
    }
    if (any_same_) rename_phis();
    return changed_;
  }

 private:
  struct Range {
    uint64_t begin, end;
    bool touches(const Range& other) const { return begin == other.end || end == other.begin; }
  };
  struct Target {
    BlockId block;
    Value after;  ///< none: at the end
  };

  void find_rows();
  void visit(Value value, BlockId block);
  bool may_go_to(BlockId target, BlockId block) const;
  std::optional<Target> find_target(Value load, BlockId block);
  std::optional<Target> find_neighbour(Value load, BlockId block);
  Range bytes_of(Value load) const;
  bool is_short_row(Value load, BlockId block) const;
  bool is_same(Value a, Value b) const;
  bool take_same(Value load, BlockId block);
  void rename_operands(Value value);
  void rename_phis();
  bool collect_chain(Value load, BlockId target);
  bool fits(Value load, BlockId target, BlockId block);
  RegisterDemand demand_of_move(Value load);
  void add(RegisterDemand& demand, Value value, int32_t sign) const;
  void give_back_uses(Value value);
  int32_t most_vgprs() const;
  void live_longer(Value load, BlockId target, BlockId block);
  void move(Value load, BlockId block, const Target& target);
  const ir::Inst& inst(Value value) const { return function_.inst(value); }

  ir::Function& function_;
  const analysis::Divergence& divergence_;
  const analysis::Dominance& dominance_;
  const analysis::Loops& loops_;
  const HoistLoadsConfig& config_;
  Arena& scratch_;
  WaysPast ways_;
  MovableLoads loads_;
  std::optional<BlockPressure> pressure_;  ///< once something could move
  int32_t most_vgprs_ = 0;                 ///< with it
  Vector<Value> neighbour_;        ///< by value; of a buffer its last joinable load, of such a load the one before it
  Vector<Value> same_;             ///< by value; of a load the earlier one that stands for it
  Vector<bool> moved_;             ///< by value
  Vector<uint32_t> uses_left_;     ///< by value: those that have not moved; with pressure_
  Vector<Value> chain_;            ///< what goes with a load, definitions first
  Vector<RegisterDemand> longer_;  ///< by position: what lives there because of moves
  bool any_same_ = false;
  bool changed_ = false;
};

void LoadHoister::find_rows() {
  for (BlockId block : function_.layout()) {
    for (Value value : ir::insts(function_, block)) {
      if (!loads_.is_joinable(value)) continue;
      Value& last = neighbour_[function_.operand(value, 0).index];
      neighbour_[value.index] = last;
      last = value;
    }
  }
}

void LoadHoister::visit(Value value, BlockId block) {
  loads_.visit(value, block);
  if (!is_movable_load(function_, value) || !dominance_.idom(block).valid()) return;
  std::optional<Target> target;
  if (loads_.is_joinable(value)) {
    if (take_same(value, block)) return;
    target = find_neighbour(value, block);
  }
  if (const std::optional<Target> other = find_target(value, block); other) {
    if (!target || target->block != other->block) target = other;
  }
  if (target) move(value, block, *target);
}

// Where ---------------------------------------------------------------------------------------------------------------

bool LoadHoister::may_go_to(BlockId target, BlockId block) const {
  const uint32_t loop = loops_.loop_of(target);
  return loop == kNoLoop || loops_.contains(loop, block);
}

/// The first block from which all lanes come here.
std::optional<LoadHoister::Target> LoadHoister::find_target(Value load, BlockId block) {
  const uint32_t position = loops_.position(block);
  uint32_t first = ways_.first(position);
  if (position > kMaxDistance) first = std::max(first, position - kMaxDistance);
  std::optional<Target> best;
  unsigned tried = 0;
  for (BlockId up = dominance_.idom(block); up.valid() && loops_.position(up) >= first; up = dominance_.idom(up)) {
    if (!loads_.can_be_in(load, up) || ++tried > kMaxTargets) break;
    // An empty block may go away.
    if (!may_go_to(up, block) || function_.block(up).first == function_.terminator(up)) continue;
    if (!collect_chain(load, up) || !fits(load, up, block)) break;
    best = Target{up, Value()};
  }
  return best;
}

/// A load of what lies right before or after, in a block that every lane comes from. None for a long row of this
/// block, which would be cut in two where registers end.
std::optional<LoadHoister::Target> LoadHoister::find_neighbour(Value load, BlockId block) {
  const Range bytes = bytes_of(load);
  Value other = neighbour_[function_.operand(load, 0).index];
  for (unsigned i = 0; i < kMaxNeighbours && other.valid(); ++i, other = neighbour_[other.index]) {
    const BlockId home = inst(other).block;
    if (!home.valid() || home == block || !dominance_.dominates(home, block)) continue;
    if (!bytes.touches(bytes_of(other)) || !may_go_to(home, block)) continue;
    if (loops_.position(block) - loops_.position(home) > kMaxDistance || !is_short_row(load, block)) continue;
    if (collect_chain(load, home) && fits(load, home, block)) return Target{home, other};
  }
  return {};
}

LoadHoister::Range LoadHoister::bytes_of(Value load) const {
  const analysis::MemoryPlace place = analysis::memory_place(function_, load);
  // Selection reads three dwords of a buffer as four.
  return {place.first, place.first + (place.bytes == 12 ? 16 : place.bytes)};
}

/// Whether what the block loads from that buffer in a row with this place is short.
bool LoadHoister::is_short_row(Value load, BlockId block) const {
  Range row = bytes_of(load);
  bool grows = true;
  while (grows && row.end - row.begin <= kMaxRowBytes) {
    grows = false;
    Value other = neighbour_[function_.operand(load, 0).index];
    for (unsigned i = 0; i < kMaxNeighbours && other.valid(); ++i, other = neighbour_[other.index]) {
      const Range bytes = bytes_of(other);
      if (inst(other).block != block || !row.touches(bytes)) continue;
      row = {std::min(row.begin, bytes.begin), std::max(row.end, bytes.end)};
      grows = true;
    }
  }
  return row.end - row.begin <= kMaxRowBytes;
}

// Loads of one place --------------------------------------------------------------------------------------------------

bool LoadHoister::is_same(Value a, Value b) const {
  return inst(a).imm == inst(b).imm && inst(a).type == inst(b).type &&
         std::ranges::equal(std::as_const(function_).operands(a), std::as_const(function_).operands(b));
}

/// Sides of a branch may load one place; the load of one of them may have moved to where the other one sees it.
bool LoadHoister::take_same(Value load, BlockId block) {
  Value other = neighbour_[function_.operand(load, 0).index];
  for (unsigned i = 0; i < kMaxNeighbours && other.valid(); ++i, other = neighbour_[other.index]) {
    const BlockId home = inst(other).block;
    if (!home.valid() || home == block || !dominance_.dominates(home, block) || !is_same(load, other)) continue;
    if (!may_go_to(home, block) || loops_.position(block) - loops_.position(home) > kMaxDistance) continue;
    chain_.clear();
    if (!fits(load, home, block)) continue;
    live_longer(load, home, block);
    function_.unlink(load);
    same_[load.index] = other;
    uses_left_[other.index] += uses_left_[load.index];
    any_same_ = changed_ = true;
    return true;
  }
  return false;
}

void LoadHoister::rename_operands(Value value) {
  for (Value& operand : function_.operands(value)) {
    if (same_[operand.index].valid()) operand = same_[operand.index];
  }
}

/// What comes to them around loops is seen after them.
void LoadHoister::rename_phis() {
  for (BlockId block : function_.layout()) {
    for (Value value : ir::insts(function_, block)) {
      if (inst(value).op != Op::phi) break;
      rename_operands(value);
    }
  }
}

// What it takes -------------------------------------------------------------------------------------------------------

/// What has to go along, each after what it needs. False if that is much.
bool LoadHoister::collect_chain(Value load, BlockId target) {
  chain_.clear();
  struct Step {
    Value value;
    unsigned next = 0;
  };
  SmallVector<Step, 16> stack;
  stack.push_back({load});
  while (!stack.empty()) {
    Step& step = stack.back();
    const std::span<const Value> operands = std::as_const(function_).operands(step.value);
    if (step.next == operands.size()) {
      if (step.value != load) chain_.push_back(step.value);
      stack.pop_back();
      continue;
    }
    const Value operand = operands[step.next++];
    const BlockId home = inst(operand).block;
    if (!home.valid() || dominance_.dominates(home, target)) continue;
    if (std::find(chain_.begin(), chain_.end(), operand) != chain_.end()) continue;
    if (chain_.size() + stack.size() > kMaxChain) return false;
    stack.push_back({operand});
  }
  return true;
}

/// What lives from the target on because of the move: the result, and of the chain what others read. What nobody reads
/// any more after the target lives no longer.
RegisterDemand LoadHoister::demand_of_move(Value load) {
  RegisterDemand demand = demand_of(function_, divergence_, load, config_.wave_size);
  chain_.push_back(load);
  // Operands that count down to nothing here are read by nobody else; of the chain they never lived on.
  for (Value value : chain_) {
    for (Value operand : function_.operands(value)) {
      if (!function_.is_linked(operand) || --uses_left_[operand.index] != 0) continue;
      if (moved_[operand.index] || std::find(chain_.begin(), chain_.end(), operand) != chain_.end())
        add(demand, operand, -1);
    }
  }
  chain_.pop_back();
  for (Value value : chain_) add(demand, value, 1);
  for (Value value : chain_) give_back_uses(value);
  give_back_uses(load);
  return demand;
}

void LoadHoister::add(RegisterDemand& demand, Value value, int32_t sign) const {
  const RegisterDemand more = demand_of(function_, divergence_, value, config_.wave_size);
  demand.vgprs += sign * more.vgprs;
  demand.sgprs += sign * more.sgprs;
}

void LoadHoister::give_back_uses(Value value) {
  for (Value operand : function_.operands(value)) {
    if (function_.is_linked(operand)) ++uses_left_[operand.index];
  }
}

/// As many as a SIMD has for as many waves as the estimated peak leaves room for.
int32_t LoadHoister::most_vgprs() const {
  const isa::Target& target = *config_.target;
  isa::WaveResources resources;
  resources.wave_size = config_.wave_size;
  resources.invocations = config_.wave_size;
  resources.vgprs = static_cast<uint32_t>(pressure_->peak().vgprs + kVgprMargin);
  const uint32_t waves = isa::waves_per_simd(target, resources);
  const uint32_t each = target.vgprs_per_simd(config_.wave_size) / waves;
  const uint32_t allocated = each - each % target.vgpr_granule(config_.wave_size);
  return std::max(pressure_->peak().vgprs, static_cast<int32_t>(allocated) - kVgprMargin);
}

/// Whether registers last from the end of the target to the block, where the load was.
bool LoadHoister::fits(Value load, BlockId target, BlockId block) {
  if (!pressure_) {
    pressure_.emplace(function_, divergence_, loops_, config_.wave_size, scratch_);
    most_vgprs_ = most_vgprs();
    uses_left_.assign(pressure_->use_counts());
  }
  const int32_t most_sgprs = std::max(pressure_->peak().sgprs, kMostSgprs);
  const RegisterDemand demand = demand_of_move(load);
  const uint32_t last = loops_.position(block);
  for (uint32_t position = loops_.position(target) + 1; position <= last; ++position) {
    const RegisterDemand& there = position == last ? pressure_->at_start(position) : pressure_->at(position);
    const RegisterDemand& longer = longer_[position];
    if (demand.vgprs > 0 && there.vgprs + demand.vgprs > most_vgprs_) return false;
    if (demand.sgprs > 0 && there.sgprs + demand.sgprs > most_sgprs) return false;
    if (longer.vgprs + demand.vgprs > kMaxHoistedDwords || longer.sgprs + demand.sgprs > kMaxHoistedDwords)
      return false;
  }
  return true;
}

void LoadHoister::live_longer(Value load, BlockId target, BlockId block) {
  const RegisterDemand demand = demand_of_move(load);
  const uint32_t first = loops_.position(target), last = loops_.position(block);
  pressure_->add(first, last, demand);
  for (uint32_t position = first + 1; position <= last; ++position) {
    longer_[position].vgprs += std::max(demand.vgprs, 0);
    longer_[position].sgprs += std::max(demand.sgprs, 0);
  }
}

void LoadHoister::move(Value load, BlockId block, const Target& target) {
  collect_chain(load, target.block);
  live_longer(load, target.block, block);
  chain_.push_back(load);
  Value after = target.after;
  for (Value value : chain_) {
    function_.unlink(value);
    if (after.valid()) {
      function_.insert_after(after, value);
      after = value;
    } else {
      function_.insert_before(function_.terminator(target.block), value);
    }
    loads_.visit(value, target.block);
    moved_[value.index] = true;
    for (Value operand : function_.operands(value)) {
      if (function_.is_linked(operand)) --uses_left_[operand.index];
    }
  }
  changed_ = true;
}

/// The last load in a block after the first one that may move, if there is one.
Value last_candidate(const ir::Function& function) {
  if (function.layout().size() < 3 || !function.operations().meets(kLoads)) return Value();
  for (uint32_t position = function.layout().size(); position-- > 1;) {
    const BlockId block = function.layout()[position];
    for (Value value = function.block(block).last; value.valid(); value = function.inst(value).prev) {
      if (is_movable_load(function, value)) return value;
    }
  }
  return Value();
}

}  // namespace

bool hoist_loads(ir::Function& function, const analysis::Divergence& divergence, analysis::AnalysisCache& analyses,
                 CompileContext& context, const HoistLoadsConfig& config) {
  const Value last = last_candidate(function);
  if (!last.valid()) return false;
  const ArenaScope scope(context.scratch);
  return LoadHoister(function, divergence, analyses, config, context.scratch).run(last);
}

}  // namespace spalt::lower
