// SPDX-License-Identifier: MIT
// Stops and edges of a program: see program.h for where lanes wait.
#include <algorithm>

#include "interp/program.h"

namespace spalt::interp {
namespace {

using ir::BlockId;
using ir::Op;
using ir::Value;

class Connector {
 public:
  Connector(Program& program, const IdMap<BlockId, DecodedBlock>& blocks, const IdMap<Value, Slot>& slots)
      : p_(program),
        f_(*program.function),
        blocks_(blocks),
        slots_(slots),
        position_(f_.block_capacity(), 0),
        begin_(f_.block_capacity(), 0),
        turn_(f_.block_capacity(), 0) {}

  void run() {
    for (uint32_t i = 0; i < f_.layout().size(); ++i) position_[f_.layout()[i]] = i;
    place_stops();
    connect_edges();
  }

 private:
  struct Turn {
    uint32_t end;     ///< layout position before which it stands
    uint32_t header;  ///< layout position
  };

  /// Loops with a back edge, in the order of their turns.
  std::vector<Turn> find_turns() const {
    std::vector<Turn> turns;
    for (BlockId id : f_.layout()) {
      const ir::Block& block = f_.block(id);
      uint32_t end = 0;
      for (BlockId pred : block.preds) {
        if (position_[pred] >= position_[id]) end = std::max(end, position_[pred] + 1);
      }
      if (end == 0) continue;
      if (block.merge.valid()) end = position_[block.merge];
      turns.push_back({end, position_[id]});
    }
    std::sort(turns.begin(), turns.end(),
              [](const Turn& a, const Turn& b) { return a.end != b.end ? a.end < b.end : a.header > b.header; });
    return turns;
  }

  void place_stops() {
    const std::vector<Turn> turns = find_turns();
    auto next = turns.begin();
    const auto& layout = f_.layout();
    for (uint32_t i = 0; i <= layout.size(); ++i) {
      for (; next != turns.end() && next->end == i; ++next) turn_[layout[next->header]] = stop(layout[next->header]);
      if (i < layout.size()) begin_[layout[i]] = stop(layout[i]);
    }
  }
  uint32_t stop(BlockId id) {
    p_.stops.push_back({id, blocks_[id].code, blocks_[id].steps});
    return static_cast<uint32_t>(p_.stops.size() - 1);
  }

  /// Block by block: the position of each predecessor is looked up once per target.
  void connect_edges() {
    struct Incoming {
      BlockId to, from;
      uint32_t edge;
    };
    std::vector<Incoming> all;
    for (BlockId id : f_.layout()) {
      for (uint32_t i = 0; i < f_.block(id).succs.size(); ++i) {
        all.push_back({f_.block(id).succs[i], id, blocks_[id].first_edge + i});
      }
    }
    std::stable_sort(all.begin(), all.end(), [](const Incoming& a, const Incoming& b) { return a.to < b.to; });
    IdMap<BlockId, uint32_t> pred_index(f_.block_capacity(), 0);
    BlockId current;
    for (const Incoming& incoming : all) {
      if (incoming.to != current) {
        current = incoming.to;
        const auto& preds = f_.block(current).preds;
        for (uint32_t i = 0; i < preds.size(); ++i) pred_index[preds[i]] = i;
      }
      Edge& edge = p_.edges[incoming.edge];
      const bool back = position_[incoming.to] <= position_[incoming.from];
      edge.stop = back ? turn_[incoming.to] : begin_[incoming.to];
      add_moves(edge, incoming.to, pred_index[incoming.from]);
    }
  }

  void add_moves(Edge& edge, BlockId to, uint32_t pred) {
    uint32_t slots = 0;
    edge.move_begin = static_cast<uint32_t>(p_.moves.size());
    for (Value value : insts(f_, to)) {
      if (f_.inst(value).op != Op::phi) break;
      const Value from = f_.operand(value, pred);
      const uint32_t count = f_.type(value).components;
      p_.moves.push_back({slots_[from], slots_[value], count});
      edge.reads_phis |= f_.inst(from).op == Op::phi && f_.inst(from).block == to;
      slots += count;
    }
    edge.move_end = static_cast<uint32_t>(p_.moves.size());
    if (edge.reads_phis) p_.largest_move = std::max(p_.largest_move, slots);
  }

  Program& p_;
  const ir::Function& f_;
  const IdMap<BlockId, DecodedBlock>& blocks_;
  const IdMap<Value, Slot>& slots_;
  IdMap<BlockId, uint32_t> position_, begin_, turn_;  ///< layout position; stops
};

}  // namespace

void connect(Program& program, const IdMap<BlockId, DecodedBlock>& blocks, const IdMap<Value, Slot>& slots) {
  Connector(program, blocks, slots).run();
}

}  // namespace spalt::interp
