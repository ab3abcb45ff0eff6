// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "ir/evaluate.h"
#include "ir/function.h"

namespace spalt::interp {

/// Index of a 64-bit cell in the frame of an invocation. A vector takes one slot per component.
using Slot = uint32_t;

enum class Kind : uint8_t {
  evaluate,  ///< dest = evaluator(a, b, c, d)
  copy,      ///< dest[0..count) = a[0..count)
  repack,    ///< bitcast between vectors: a has source_count cells of source_bytes, dest count cells of bytes
  builtin,   ///< imm: the IR's immediate
  resource,  ///< imm: binding; a: element
  size,      ///< a: resource
  load,      ///< a: base, b: offset
  store,     ///< c: data
  atomic,    ///< c: data or new value, d: comparator
  barrier,   ///< control_barrier
  jump,      ///< edge a
  branch,    ///< a: condition; edges b and c
  choose,    ///< a: selector; switches[b]
  leave,     ///< return; a: value if count != 0
  trap       ///< unreachable
};

/// One predecoded instruction. An IR instruction becomes none (phi, memory_barrier), one, or one per component.
struct Code {
  Kind kind = Kind::trap;
  uint8_t count = 1;  ///< components
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

/// Phi moves of one control-flow edge; all are read before any is written.
struct Move {
  Slot from, to;
  uint32_t count;
};
struct Edge {
  uint32_t target = 0;  ///< index of the first instruction
  uint32_t steps = 0;   ///< length of the target block, charged on entry
  uint32_t move_begin = 0, move_end = 0;
};
struct Switch {
  struct Case {
    uint64_t value;
    uint32_t edge;
  };
  std::vector<Case> cases;  ///< sorted by value
  uint32_t default_edge = 0;
};

/// A function in a form that runs fast: a flat array, slots instead of ids, evaluators looked up.
struct Program {
  const ir::Function* function = nullptr;
  std::vector<Code> code;
  std::vector<Edge> edges;
  std::vector<Move> moves;
  std::vector<Switch> switches;
  std::vector<uint64_t> initial;  ///< first slots of every frame: constants
  std::vector<Slot> params;
  uint32_t frame_slots = 0;
  uint32_t largest_move = 0;  ///< slots that the moves of one edge write
  uint32_t entry_steps = 0;
  bool may_wait = false;  ///< has barriers, atomics or volatile accesses: invocations must be able to interleave
};

/// Requires a verified function. What only the lowered stage has and what only its target knows is unsupported.
Result<Program> decode(const ir::Function& function);

}  // namespace spalt::interp
