// SPDX-License-Identifier: MIT
// A function in a form that runs fast: a flat array of instructions, slots instead of ids, evaluators looked up, and
// for each control-flow edge the stop at which its lanes wait.
//
// Stops are the places where lanes wait for each other: the beginning of each block, in layout order, and for each loop
// its *turn*, where the lanes that go round once more come together; the turn stands after the last block of the loop's
// construct, that is before its merge block. If the earliest stop with waiting lanes always runs first, lanes rejoin as
// SPV_KHR_maximal_reconvergence asks, because the layout is topological, loops and constructs are contiguous (the
// layout invariant of ir/function.h), and so
//   - whoever has parted inside a construct is at or after its merge block before anybody runs that block;
//   - nobody begins the next iteration of a loop before all others have ended this one or left the loop;
//   - lanes that have left wait after the turn, whatever number of levels they leave at once.
// Two loops that end at the same place have their turns there, the inner one first.
//
// Decoding takes time linear in the function, but for sorting edges and case values.
#pragma once
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "ir/evaluate.h"
#include "ir/function.h"

namespace spalt::interp {

/// Index of a row of 64-bit cells in the frame of a subgroup, one cell per lane. A vector takes one slot per component.
using Slot = uint32_t;

enum class Kind : uint8_t {
  evaluate,    ///< dest = evaluator(the first `count` of a, b, c, d)
  copy,        ///< dest[0..count) = a[0..count)
  first_lane,  ///< dest[0..count) = a[0..count) of the first running lane
  any_lane,    ///< dest = whether a holds in some running lane
  ballot,      ///< dest = dword imm of the mask of running lanes where a holds
  read_lane,   ///< dest[0..count) = a[0..count) of the lane that b names
  shuffle,     ///< dest = a of the lane that b names
  scan,        ///< dest = a of the lanes where b holds, combined by the evaluator; c and d: the own part
  bits_below,  ///< dest = b + bits of a, dword imm of a mask, that belong to lanes before this one
  quad,        ///< dest = a of another lane of the same four; imm: which
  repack,      ///< bitcast between vectors: a has source_count cells of source_bytes, dest count cells of bytes
  builtin,     ///< imm: the IR's immediate
  resource,    ///< imm: binding; a: element
  key,         ///< imm: binding; a: element
  keyed,       ///< a resource, a: its key
  size,        ///< a: resource
  clock,       ///< dest[0..1] = the steps that the dispatch has taken
  load,        ///< a: base, b: offset
  store,       ///< c: data
  atomic,      ///< c: data or new value, d: comparator
  barrier,     ///< control_barrier
  jump,        ///< edge a
  branch,      ///< a: condition; edges b and c
  choose,      ///< a: selector; switches[b]
  leave,       ///< return; a: value if count != 0
  trap         ///< unreachable
};

/// One predecoded instruction. An IR instruction becomes none (phi, memory_barrier), one, or one per component.
struct Code {
  Kind kind = Kind::trap;
  uint8_t count = 1;  ///< components; operands of `evaluate`
  uint8_t bytes = 4;  ///< per component, in memory
  uint8_t source_count = 1, source_bytes = 4;
  ir::Op op = ir::Op::undef;
  Slot dest = 0, a = 0, b = 0, c = 0, d = 0;
  ir::Value value;  ///< for messages
  union {
    uint64_t imm = 0;
    ir::Evaluator evaluator;
  };
};

/// Where lanes wait; in the order in which they run.
struct Stop {
  ir::BlockId block;   ///< what runs next
  uint32_t code = 0;   ///< index of its first instruction
  uint32_t steps = 0;  ///< its length
};

/// A phi's operand on one edge, `count` slots.
struct Move {
  Slot from, to;
  uint32_t count;
};
struct Edge {
  uint32_t stop = 0;
  uint32_t move_begin = 0, move_end = 0;
  bool reads_phis = false;  ///< a move reads what another one writes: all are read before any is written
};
struct Switch {
  struct Case {
    uint64_t value;
    uint32_t edge;
  };
  std::vector<Case> cases;  ///< sorted by value
  uint32_t default_edge = 0;
};

struct Program {
  const ir::Function* function = nullptr;
  std::vector<Code> code;
  std::vector<Stop> stops;
  std::vector<Edge> edges;
  std::vector<Move> moves;
  std::vector<Switch> switches;
  std::vector<uint64_t> initial;  ///< first slots of every frame: constants
  std::vector<Slot> params;
  uint32_t frame_slots = 0;
  uint32_t largest_move = 0;  ///< slots that the moves of one edge write, where they must be read first
  bool may_wait = false;      ///< has barriers, atomics or volatile accesses: subgroups must be able to interleave
};

/// Requires a verified function. What only the lowered stage has and what only its target knows is unsupported.
Result<Program> decode(const ir::Function& function, ir::FloatControls float_controls);

/// What decode() knows of a block once its instructions are decoded.
struct DecodedBlock {
  uint32_t code = 0, steps = 0;
  uint32_t first_edge = 0;  ///< edges of its successors follow each other
};

/// Makes `stops` and gives each edge its stop and moves. `slots`: of each value.
void connect(Program& program, const IdMap<ir::BlockId, DecodedBlock>& blocks, const IdMap<ir::Value, Slot>& slots);

}  // namespace spalt::interp
