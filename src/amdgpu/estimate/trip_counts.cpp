// SPDX-License-Identifier: MIT
//
// An exit of a loop counts if it is a branch on a comparison, in the same block, of a counter with a constant. A
// counter is a register that the loop writes in one place, by adding a constant to it, and that is moved a constant
// before the loop, where only one way leads to the header. How often the comparison lets the loop go on is found by
// trying. Of several such exits the first one that is taken counts; exits on other conditions are not looked at.
//
// Each loop looks at its blocks a bounded number of times, and nesting is bounded: the cost is linear.
#include "amdgpu/estimate/trip_counts.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace spalt::estimate {
namespace {

using isa::Inst;
using isa::Opcode;
using isa::OpcodeInfo;
using isa::Operand;
using isa::Reg;

enum class Relation : uint8_t { eq, lg, lt, le, gt, ge };

struct Comparison {
  Relation relation;
  bool is_signed;
};

/// What an instruction such as s_cmp_lt_u32, s_cmpk_lg_i32 or v_cmp_ge_u32 compares for.
std::optional<Comparison> comparison_of(std::string_view name) {
  for (std::string_view prefix : {"s_cmp_", "s_cmpk_", "v_cmp_", "v_cmpx_"}) {
    if (!name.starts_with(prefix)) continue;
    const std::string_view rest = name.substr(prefix.size());
    if (!rest.ends_with("_i32") && !rest.ends_with("_u32")) return std::nullopt;
    const std::string_view relation = rest.substr(0, rest.size() - 4);
    constexpr std::pair<std::string_view, Relation> kRelations[] = {
        {"eq", Relation::eq}, {"lg", Relation::lg}, {"ne", Relation::lg}, {"lt", Relation::lt},
        {"le", Relation::le}, {"gt", Relation::gt}, {"ge", Relation::ge}};
    for (const auto& [text, value] : kRelations) {
      if (relation == text) return Comparison{value, rest.ends_with("_i32")};
    }
    return std::nullopt;
  }
  return std::nullopt;
}

bool holds(Comparison comparison, uint32_t a, uint32_t b) {
  const int64_t x = comparison.is_signed ? int64_t{static_cast<int32_t>(a)} : int64_t{a};
  const int64_t y = comparison.is_signed ? int64_t{static_cast<int32_t>(b)} : int64_t{b};
  switch (comparison.relation) {
    case Relation::eq:
      return x == y;
    case Relation::lg:
      return x != y;
    case Relation::lt:
      return x < y;
    case Relation::le:
      return x <= y;
    case Relation::gt:
      return x > y;
    case Relation::ge:
      return x >= y;
  }
  return false;
}

bool writes(const Inst& inst, Reg reg) {
  return std::any_of(inst.dst.begin(), inst.dst.end(), [&](const Operand& dst) {
    return dst.is_reg() && dst.reg <= reg && reg.number < dst.reg.number + dst.dwords;
  });
}

/// The constant of an operand, or of the instruction's own field where it has one.
std::optional<uint32_t> constant_of(const Inst& inst, const OpcodeInfo& info, unsigned source) {
  if (source < info.src_count && info.src[source].role == isa::OperandRole::simm16) {
    return static_cast<uint32_t>(inst.simm16);
  }
  if (inst.src[source].is_imm()) return inst.src[source].imm;
  return std::nullopt;
}

/// By how much an instruction steps its own operand.
std::optional<uint32_t> step_of(const Inst& inst, Reg reg) {
  const OpcodeInfo& info = isa::info(inst.opcode);
  const auto is_reg = [&](unsigned source) { return inst.src[source].is_reg() && inst.src[source].reg == reg; };
  switch (inst.opcode) {
    case Opcode::s_addk_i32:
      return static_cast<uint32_t>(inst.simm16);
    case Opcode::s_add_i32:
    case Opcode::s_add_u32:
    case Opcode::v_add_nc_u32:
      if (is_reg(0)) return constant_of(inst, info, 1);
      return is_reg(1) ? constant_of(inst, info, 0) : std::nullopt;
    case Opcode::s_sub_i32:
    case Opcode::s_sub_u32: {
      const auto amount = is_reg(0) ? constant_of(inst, info, 1) : std::nullopt;
      return amount ? std::optional<uint32_t>(0u - *amount) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

std::optional<uint32_t> moved_constant(const Inst& inst) {
  switch (inst.opcode) {
    case Opcode::s_mov_b32:
    case Opcode::s_movk_i32:
    case Opcode::v_mov_b32:
      return constant_of(inst, isa::info(inst.opcode), 0);
    default:
      return std::nullopt;
  }
}

/// Which value of the condition makes a branch jump.
struct Condition {
  bool in_scc = false;  ///< else in vcc
  bool jumps_if = false;
};
std::optional<Condition> condition_of(Opcode branch) {
  switch (branch) {
    case Opcode::s_cbranch_scc0:
      return Condition{true, false};
    case Opcode::s_cbranch_scc1:
      return Condition{true, true};
    case Opcode::s_cbranch_vccz:
      return Condition{false, false};
    case Opcode::s_cbranch_vccnz:
      return Condition{false, true};
    default:
      return std::nullopt;
  }
}

class TripCounter {
 public:
  TripCounter(const Code& code, const Loops& loops) : code_(code), loops_(loops) {}

  std::vector<uint32_t> run() {
    std::vector<uint32_t> counts(loops_.loops.size(), 0);
    collect_blocks();
    for (uint32_t l = 0; l < counts.size() && l < kMaxLoops; ++l) {
      unsigned exits = 0;
      for (uint32_t b : blocks_of_[l]) {
        exits += code_.blocks[b].ending == Ending::branches;
        if (exits > kMaxBranches) break;
        const std::optional<uint32_t> count = count_by_exit(l, b);
        if (count && (counts[l] == 0 || *count < counts[l])) counts[l] = *count;
      }
    }
    return counts;
  }

 private:
  /// Loops deeper than kMaxLoopDepth have none.
  void collect_blocks() {
    blocks_of_.resize(loops_.loops.size());
    for (uint32_t b : loops_.order) {
      for (uint32_t l = loops_.loop_of[b]; l != kNoLoop; l = loops_.loops[l].parent) blocks_of_[l].push_back(b);
    }
  }

  std::optional<uint32_t> count_by_exit(uint32_t loop, uint32_t b) const {
    const Block& block = code_.blocks[b];
    if (block.ending != Ending::branches) return std::nullopt;
    const bool target_stays = loops_.contains(loop, block.target), next_stays = loops_.contains(loop, block.next);
    // The exit is looked at in each iteration of this loop, not of one inside.
    if (target_stays == next_stays || loops_.loop_of[b] != loop) return std::nullopt;
    const uint32_t last = block.first + block.count - 1;
    const std::optional<Condition> condition = condition_of(code_.insts[last].opcode);
    if (!condition) return std::nullopt;
    for (uint32_t i = last; i-- > block.first;) {
      const Inst& inst = code_.insts[i];
      const OpcodeInfo& info = isa::info(inst.opcode);
      const bool decides = condition->in_scc ? info.has(isa::kWritesScc) : writes(inst, isa::kVcc);
      if (!decides) continue;
      const auto comparison = comparison_of(info.name);
      if (!comparison) return std::nullopt;
      return count_by_comparison(loop, b, i, *comparison, condition->jumps_if == target_stays);
    }
    return std::nullopt;
  }

  /// `stays_if`: the value of the comparison with which the loop goes on.
  std::optional<uint32_t> count_by_comparison(uint32_t loop, uint32_t b, uint32_t at, Comparison comparison,
                                              bool stays_if) const {
    const Inst& inst = code_.insts[at];
    const OpcodeInfo& info = isa::info(inst.opcode);
    for (unsigned counter : {0u, 1u}) {
      const auto limit = constant_of(inst, info, 1 - counter);
      if (!limit || !inst.src[counter].is_reg() || inst.src[counter].dwords != 1) continue;
      const Reg reg = inst.src[counter].reg;
      const std::optional<uint32_t> step_at = only_write(loop, reg);
      if (!step_at) return std::nullopt;
      const auto step = step_of(code_.insts[*step_at], reg);
      const auto start = value_before(loop, reg);
      if (!step || !start) return std::nullopt;
      uint32_t value = *start + (comes_first(*step_at, b, at) ? *step : 0);
      for (uint32_t count = 1; count <= kMaxTripCount; ++count) {
        const bool result = counter == 0 ? holds(comparison, value, *limit) : holds(comparison, *limit, value);
        if (result != stays_if) return count;
        value += *step;
      }
      return kMaxTripCount;
    }
    return std::nullopt;
  }

  /// The one instruction of the loop that writes the register, in no loop inside.
  std::optional<uint32_t> only_write(uint32_t loop, Reg reg) const {
    std::optional<uint32_t> found;
    for (uint32_t b : blocks_of_[loop]) {
      const Block& block = code_.blocks[b];
      for (uint32_t i = block.first; i < block.first + block.count; ++i) {
        if (!writes(code_.insts[i], reg)) continue;
        if (found || loops_.loop_of[b] != loop) return std::nullopt;
        found = i;
      }
    }
    return found;
  }

  /// Whether an instruction of the loop comes before another one, which is in block `b`, in an iteration.
  bool comes_first(uint32_t inst, uint32_t b, uint32_t other) const {
    const Block& block = code_.blocks[b];
    if (inst >= block.first && inst < block.first + block.count) return inst < other;
    const auto after = std::upper_bound(code_.blocks.begin(), code_.blocks.end(), inst,
                                        [](uint32_t i, const Block& candidate) { return i < candidate.first; });
    const auto own = static_cast<uint32_t>(after - code_.blocks.begin()) - 1;
    return loops_.number[own] < loops_.number[b];
  }

  /// The constant in the register where the loop is entered.
  std::optional<uint32_t> value_before(uint32_t loop, Reg reg) const {
    uint32_t b = loops_.loops[loop].header;
    for (unsigned steps = 0; steps < kMaxWayBack; ++steps) {
      uint32_t before = kNoBlock;
      unsigned ways = 0;
      loops_.for_each_predecessor(b, [&](uint32_t p) {
        if (loops_.is_back_edge(p, b)) return;
        before = p;
        ++ways;
      });
      // What a loop on the way does to the register is not looked at.
      if (ways != 1 || (steps != 0 && is_header(b))) return std::nullopt;
      b = before;
      const Block& block = code_.blocks[b];
      for (uint32_t i = block.first + block.count; i-- > block.first;) {
        if (writes(code_.insts[i], reg)) return moved_constant(code_.insts[i]);
      }
    }
    return std::nullopt;
  }

  bool is_header(uint32_t b) const {
    return loops_.loop_of[b] != kNoLoop && loops_.loops[loops_.loop_of[b]].header == b;
  }

  // Hostile code may have any number of either; the cost stays linear.
  static constexpr unsigned kMaxLoops = 4096, kMaxBranches = 64;
  static constexpr unsigned kMaxWayBack = 8;  ///< blocks from the header to the move

  const Code& code_;
  const Loops& loops_;
  std::vector<std::vector<uint32_t>> blocks_of_;
};

}  // namespace

std::vector<uint32_t> find_trip_counts(const Code& code, const Loops& loops) {
  return TripCounter(code, loops).run();
}

}  // namespace spalt::estimate
