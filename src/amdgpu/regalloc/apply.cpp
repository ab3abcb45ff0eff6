// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <vector>

#include "amdgpu/mir/edges.h"
#include "amdgpu/regalloc/assign.h"
#include "amdgpu/regalloc/split_edges.h"
#include "base/ice.h"

namespace spalt::regalloc {
namespace {

using mir::BlockId;
using mir::InstId;
using mir::Opcode;
using mir::Operand;
using mir::VReg;

class Applier {
 public:
  Applier(mir::Function& function, const Assignment& assignment, mir::RegFile file, Arena& arena)
      : function_(function),
        assignment_(assignment),
        file_(file),
        graph_(graph_of(file)),
        arena_(arena),
        place_(arena, function.vregs.size(), RegisterSet::kNone),
        edge_moves_(arena, function.blocks.size(), Vector<Move>(arena)),
        split_edges_(arena),
        group_of_(arena, function.blocks.size(), kNoGroup),
        code_(arena),
        defs_(arena),
        uses_(arena) {
    if (function.layout.size() > 1) edge_slots_.emplace(mir::edge_slots(function, graph_, &arena));
  }

  std::vector<mir::LogicalEdge> run() {
    write_operands();
    const mir::BlockList layout(function_.layout, &arena_);
    for (BlockId id : layout) connect(id);
    if (!crowded_.empty()) return std::move(crowded_);
    find_groups();
    for (BlockId id : layout) rebuild(id);
    insert_edge_blocks();
    return {};
  }

 private:
  bool handled(const Operand& operand) const { return handles(file_, operand); }
  bool is_phi(InstId inst) const { return function_.insts[inst].opcode == Opcode::p_phi; }
  bool is_own_phi(InstId inst) const { return is_phi(inst) && handled(function_.defs(inst)[0]); }

  bool has_own_phi(const mir::InstList& insts) const {
    for (InstId inst : insts) {
      if (!is_phi(inst)) return false;
      if (is_own_phi(inst)) return true;
    }
    return false;
  }

  void write_operands() {
    for (BlockId id : function_.layout) {
      for (InstId inst : function_.blocks[id].insts) {
        // Definitions and uses lie side by side.
        const mir::Inst& facts = function_.insts[inst];
        Operand* const operands = function_.defs(inst).data();
        const isa::Reg* const regs = assignment_.operand_reg.data() + facts.operand_begin;
        for (uint32_t i = 0, count = facts.def_count + facts.use_count; i < count; ++i) {
          if (regs[i].valid()) operands[i].reg = regs[i];
        }
      }
    }
  }

  // ---- edges ----

  Operand at(VReg v, unsigned index) const { return Operand::fixed(v, function_.vregs[v].cls, reg_of(file_, index)); }

  void connect(BlockId from) {
    const SmallVector<BlockId, 2> succs(succs_of(function_.blocks[from], graph_));
    if (succs.empty()) return;
    for (const Place& place : assignment_.exit[from]) place_[place.value] = place.index;
    for (uint32_t succ = 0; succ < succs.size(); ++succ) {
      Vector<Move> moves = moves_on_edge(from, succ);
      if (moves.empty()) continue;
      if (succs.size() == 1 || (edge_moves_[from].empty() && is_harmless(from, succ, moves))) {
        edge_moves_[from] = std::move(moves);
      } else if (file_ == mir::RegFile::sgpr) {
        split_edges_.push_back({from, succ, std::move(moves)});
      } else {
        crowded_.push_back({from, succs[succ]});
      }
    }
  }

  Vector<Move> moves_on_edge(BlockId from, uint32_t succ) {
    Vector<Move> moves(arena_);
    const BlockId to = succs_of(function_.blocks[from], graph_)[succ];
    const auto& entry = assignment_.entry[to];
    const size_t index = (*edge_slots_)(from, succ);
    const auto& insts = function_.blocks[to].insts;
    size_t i = 0;
    for (; i < assignment_.entry_live[to]; ++i) {
      const VReg v = entry[i].value;
      if (place_[v] != entry[i].index) moves.push_back({at(v, entry[i].index), at(v, place_[v])});
    }
    for (InstId inst : insts) {
      if (!is_phi(inst)) break;
      if (!is_own_phi(inst)) continue;
      const Place& place = entry[i++];
      const Operand& use = function_.uses(inst)[index];
      if (use.is_imm()) {
        moves.push_back({at(place.value, place.index), use});
      } else if (use.is_vreg() && place_[use.vreg()] != place.index) {
        moves.push_back({at(place.value, place.index), at(use.vreg(), place_[use.vreg()])});
      }
    }
    return moves;
  }

  /// Whether the moves may happen before the wave decides where to go: no other successor wants what they overwrite.
  bool is_harmless(BlockId from, uint32_t succ, std::span<const Move> moves) const {
    RegisterSet written;
    for (const Move& move : moves) written.add(index_of(file_, move.def.reg), move.def.dwords);
    const auto succs = succs_of(function_.blocks[from], graph_);
    for (uint32_t i = 0; i < succs.size(); ++i) {
      if (i != succ && is_overwritten(from, i, written)) return false;
    }
    return true;
  }

  bool is_overwritten(BlockId from, uint32_t succ, const RegisterSet& written) const {
    const BlockId other = succs_of(function_.blocks[from], graph_)[succ];
    for (size_t i = 0; i < assignment_.entry_live[other]; ++i) {
      const VReg v = assignment_.entry[other][i].value;
      if (written.overlaps(place_[v], function_.vregs[v].cls.dwords)) return true;
    }
    const size_t index = (*edge_slots_)(from, succ);
    for (InstId inst : function_.blocks[other].insts) {
      if (!is_phi(inst)) break;
      if (!is_own_phi(inst)) continue;
      const Operand& use = function_.uses(inst)[index];
      if (use.is_vreg() && written.overlaps(place_[use.vreg()], use.dwords)) return true;
    }
    return false;
  }

  // ---- code ----

  InstId create_copy(std::span<const Move> moves) {
    defs_.clear();
    uses_.clear();
    for (const Move& move : moves) {
      defs_.push_back(move.def);
      uses_.push_back(move.use);
    }
    return function_.create(Opcode::p_parallel_copy, defs_, uses_);
  }

  void find_groups() {
    for (size_t g = assignment_.groups.size(); g-- > 0;)
      group_of_[assignment_.groups[g].block] = static_cast<uint32_t>(g);
  }

  void rebuild(BlockId id) {
    auto& insts = function_.blocks[id].insts;
    const bool has_phi = has_own_phi(insts);
    if (edge_moves_[id].empty() && group_of_[id] == kNoGroup && !has_phi) return;
    const size_t end = edge_moves_[id].empty() ? insts.size() : end_position(function_, function_.blocks[id], file_);
    const auto& groups = assignment_.groups;
    size_t group = group_of_[id] == kNoGroup ? groups.size() : group_of_[id];
    mir::InstList& code = code_;
    code.clear();
    code.reserve(insts.size() + 4);
    for (size_t i = 0; i < insts.size(); ++i) {
      if (group < groups.size() && groups[group].block == id && groups[group].position == i) {
        code.push_back(create_copy({assignment_.moves.data() + groups[group].first, groups[group].count}));
        ++group;
      }
      if (i == end) code.push_back(create_copy(edge_moves_[id]));
      if (!is_own_phi(insts[i])) code.push_back(insts[i]);
    }
    insts.assign(code);
  }

  // ---- critical edges ----

  struct SplitEdge {
    BlockId from;
    uint32_t succ;
    Vector<Move> moves;
  };

  void insert_edge_blocks() {
    EdgeSplitter splitter(function_, arena_);
    for (const SplitEdge& edge : split_edges_) {
      const BlockId id = splitter.split(edge.from, edge.succ, (*edge_slots_)(edge.from, edge.succ));
      auto& insts = function_.blocks[id].insts;
      insts.insert(insts.begin(), create_copy(edge.moves));
    }
    splitter.finish();
  }

  mir::Function& function_;
  const Assignment& assignment_;
  const mir::RegFile file_;
  const mir::Graph graph_;
  Arena& arena_;
  std::optional<mir::EdgeSlots> edge_slots_;  ///< of the edges, if there are any, as they were before any was split
  IdMap<VReg, uint16_t> place_;               ///< at the end of the block that connect works on
  IdMap<BlockId, Vector<Move>> edge_moves_;
  Vector<SplitEdge> split_edges_;
  std::vector<mir::LogicalEdge> crowded_;  ///< edges that needed a block and cannot get one
  static constexpr uint32_t kNoGroup = 0xffffffffu;
  IdMap<BlockId, uint32_t> group_of_;  ///< first in Assignment::groups
  mir::InstList code_;
  Vector<Operand> defs_, uses_;
};

}  // namespace

std::vector<mir::LogicalEdge> apply_assignment(mir::Function& function, const Assignment& assignment, mir::RegFile file,
                                               Arena& arena) {
  return Applier(function, assignment, file, arena).run();
}

}  // namespace spalt::regalloc
