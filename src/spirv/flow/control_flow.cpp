// SPDX-License-Identifier: MIT
// Blocks, branches and phis. SPIR-V blocks are translated in the structured order of control_flow_analysis.cpp; a block
// that no edge reaches when its turn comes is dropped, so that branches on constants remove code right here.
#include "spirv/flow/control_flow.h"

#include <algorithm>
#include <spirv/unified1/spirv.hpp>

#include "spirv/flow/successors.h"
#include "spirv/io/io.h"

namespace spalt::spirv {
namespace {

ir::BlockId ir_block(Reader& r, uint32_t block) {
  Block& info = r.blocks[block];
  if (!info.ir_begin.valid()) info.ir_begin = r.function().create_block();
  return info.ir_begin;
}

/// The block of a branch target, which append_successors has checked.
uint32_t target_of(const Reader& r, uint32_t id) {
  return r.ids[id].index;
}

/// Completes the phis of a loop header whose edges are all known.
bool fill_pending_phis(Reader& r, uint32_t header) {
  size_t kept = 0;
  bool ok = true;
  const ir::BlockId block = r.blocks[header].ir_begin;
  for (size_t i = 0; i < r.pending_phis.size(); ++i) {
    const PendingPhi pending = r.pending_phis[i];
    if (pending.block != header) {
      r.pending_phis[kept++] = pending;
      continue;
    }
    ++r.leaf_work;
    const size_t edges = r.function().block(block).preds.size();
    const Instruction in = r.instruction_at(pending.word);
    Leaves last;
    const bool has_back_edge = r.function().inst(r.leaf(pending.phis, 0)).operand_count == edges;
    if (has_back_edge) {
      const uint32_t from = r.source[r.function().block(block).preds[static_cast<uint32_t>(edges - 1)].index];
      uint32_t id = 0;
      for (uint32_t j = 3; j + 1 < in.count; j += 2) {
        if (in[j + 1] < r.bound && r.ids[in[j + 1]].kind == IdKind::label && r.ids[in[j + 1]].index == from) id = in[j];
      }
      r.current = in;
      if (id == 0) return r.fail("no operand for the back edge");
      ok = ok && r.value_at_end(id, from, last);
      if (ok && last.type != pending.phis.type) return r.fail("an operand of another type than the result");
    }
    for (uint32_t j = 0; ok && j < pending.phis.count; ++j) {
      const ir::Value phi = r.leaf(pending.phis, j);
      if (has_back_edge) {
        r.function().set_operand(phi, static_cast<unsigned>(edges - 1), r.leaf(last, j));
      } else {
        r.function().set_operands(phi, r.function().operands(phi).first(edges));
      }
    }
  }
  r.pending_phis.resize(kept);
  return ok;
}

bool seal_loop(Reader& r, uint32_t header) {
  const bool ok = fill_pending_phis(r, header);
  r.ssa.seal(r.blocks[header].ir_begin);
  return ok;
}

/// Where lanes rejoin. Whether that block is reached is known only at the end (finish_merges).
void set_merge(Reader& r, ir::BlockId header, uint32_t merge) {
  if (r.blocks[merge].order != kNone) r.function().edit_block(header).merge = ir_block(r, merge);
}

bool translate_branch_conditional(Reader& r, const Instruction& in) {
  ir::Value condition;
  if (!r.scalar_value(in[1], ir::Scalar::i1, condition)) return false;
  const uint32_t if_true = target_of(r, in[2]);
  const uint32_t if_false = target_of(r, in[3]);
  ir::Function& function = r.function();
  const ir::Inst& inst = function.inst(condition);
  if (inst.op == ir::Op::constant || if_true == if_false) {
    const uint32_t target = inst.op == ir::Op::constant && inst.imm == 0 ? if_false : if_true;
    r.b.insert(ir::Op::branch, ir::kVoid, {}, 0, 0);
    return add_edge(r, target);
  }
  const Block& from = r.blocks[r.block];
  if (from.merge != kNone && !from.is_loop()) set_merge(r, r.b.block(), from.merge);
  const ir::Value operands[] = {condition};
  r.b.insert(ir::Op::branch_if, ir::kVoid, operands, 0, 0);
  return add_edge(r, if_true) && add_edge(r, if_false);
}

bool translate_switch(Reader& r, const Instruction& in) {
  ir::Value selector;
  if (!r.scalar_value(in[1], kAnyInteger, selector)) return false;
  const SwitchCases cases(r, in);
  ir::Function& function = r.function();
  uint32_t target = target_of(r, in[2]);
  const ir::Inst inst = function.inst(selector);
  if (inst.op == ir::Op::constant || cases.count() == 0) {
    for (uint32_t i = 0; i < cases.count() && inst.op == ir::Op::constant; ++i) {
      if (cases.literal(i) == inst.imm) target = target_of(r, cases.label(i));
    }
    r.b.insert(ir::Op::branch, ir::kVoid, {}, 0, 0);
    return add_edge(r, target);
  }
  const Block& from = r.blocks[r.block];
  if (from.merge != kNone) set_merge(r, r.b.block(), from.merge);
  const ir::Value operands[] = {selector};
  r.b.insert(ir::Op::switch_on, ir::kVoid, operands, 0, 0);
  if (!add_edge(r, target)) return false;
  for (uint32_t i = 0; i < cases.count(); ++i) {
    function.edit_block(r.b.block()).cases.push_back(cases.literal(i));
    if (!add_edge(r, target_of(r, cases.label(i)))) return false;
  }
  return true;
}

/// The dominator of a block in IR terms: the end of the dominating SPIR-V block, or where the function was called.
ir::BlockId ir_dominator(const Reader& r, const Block& block) {
  if (block.dominator == kNone) return r.frames.back().call_block;
  return r.blocks[block.dominator].ir_end;
}

/// Starts a block that edges lead to.
void enter_block(Reader& r, uint32_t index) {
  Block& block = r.blocks[index];
  const ir::BlockId ir = block.ir_begin;
  r.function().edit_layout().push_back(ir);
  r.b.set_end(ir);
  r.ssa.begin_block(ir, ir_dominator(r, block), !block.is_loop());
  if (!block.is_loop()) return;
  r.open_loops.push_back(index);
  const ir::BlockId continue_target = ir_block(r, block.continue_target);
  r.function().edit_block(ir).continue_target = continue_target;
  set_merge(r, ir, block.merge);
}

/// A loop header that calls functions needs a block of its own: the called function's first construct would otherwise
/// have the same header.
bool split_loop_header(Reader& r, uint32_t first_word) {
  const uint32_t index = r.block;
  const Block& block = r.blocks[index];
  if (!block.is_loop() || !block.has_call) return true;
  for (uint32_t word = first_word; word < block.terminator;) {
    r.current = r.instruction_at(word);
    const uint32_t opcode = r.current.opcode;
    if (opcode != spv::OpPhi && opcode != spv::OpLine && opcode != spv::OpNoLine) break;
    if (opcode == spv::OpPhi && !translate_phi(r, r.current)) return false;
    word += r.current.count;
    r.frames.back().word = word;
  }
  const ir::BlockId header = r.b.block();
  const ir::BlockId body = r.function().create_block();
  r.b.branch(body);
  r.function().edit_layout().push_back(body);
  r.b.set_end(body);
  r.ssa.begin_block(body, header, true);
  return true;
}

/// Value ids of a phi by predecessor, into Reader::phi_values.
bool read_phi_operands(Reader& r, const Instruction& in) {
  if (in.count < 5 || (in.count - 3) % 2 != 0) return r.fail("expected pairs of a value and a block");
  if (r.phi_values.size() < r.blocks.size()) r.phi_values.resize(r.blocks.size(), 0);
  for (uint32_t i = 3; i < in.count; i += 2) {
    if (!r.in_bound(in[i]) || !r.in_bound(in[i + 1])) return false;
    const IdInfo& label = r.ids[in[i + 1]];
    if (label.kind != IdKind::label) return r.fail(concat("id ", in[i + 1], " is not a block"));
    if (r.phi_values[label.index] != 0) return r.fail(concat("two operands for the edge from block ", in[i + 1]));
    r.phi_values[label.index] = in[i];
  }
  return true;
}

void forget_phi_operands(Reader& r, const Instruction& in) {
  for (uint32_t i = 3; i < in.count; i += 2) r.phi_values[r.ids[in[i + 1]].index] = 0;
}

/// One phi per leaf, or none where all edges bring the same value.
bool make_phis(Reader& r, const Instruction& in, const Leaves& out, bool awaits_back_edge) {
  const ir::BlockId block = r.b.block();
  const uint32_t edges = r.function().block(block).preds.size();
  Vector<Leaves>& incoming = r.incoming;
  incoming.assign(edges, Leaves());
  for (uint32_t e = 0; e < edges; ++e) {
    const uint32_t from = r.source[r.function().block(block).preds[e].index];
    const uint32_t id = r.phi_values[from];
    if (id == 0) return r.fail(concat("no operand for the edge from block ", r.blocks[from].label));
    if (!r.value_at_end(id, from, incoming[e])) return false;
    if (incoming[e].type != out.type) return r.fail("an operand of another type than the result");
  }
  r.leaf_work += uint64_t{edges} * out.count;
  Vector<ir::Value>& operands = r.scratch_values;
  for (uint32_t j = 0; j < out.count; ++j) {
    operands.clear();
    bool same = !awaits_back_edge;
    for (uint32_t e = 0; e < edges; ++e) {
      operands.push_back(r.leaf(incoming[e], j));
      same = same && operands[e] == operands[0];
    }
    const ir::Type type = r.types.leaf_type(out.type, j);
    if (awaits_back_edge) operands.push_back(r.ssa.undef(type));
    r.set_leaf(out, j, same ? operands[0] : r.ssa.create_phi(block, type, operands));
  }
  if (awaits_back_edge) r.pending_phis.push_back({in.offset, out, r.block});
  return true;
}

}  // namespace

bool add_edge(Reader& r, uint32_t target) {
  const ir::BlockId from = r.b.block();
  if (r.source.size() <= from.index) r.source.resize(r.function().block_capacity(), kNone);
  r.source[from.index] = r.block;
  Block& source = r.blocks[r.block];
  source.ir_end = from;
  r.function().add_edge(from, ir_block(r, target));
  Block& to = r.blocks[target];
  if (to.order > source.order) return true;
  // The back edge: the last edge of this loop header.
  const auto open = std::find(r.open_loops.rbegin(), r.open_loops.rend(), target);
  if (open == r.open_loops.rend()) return r.fail("a back edge to a loop that is not open");
  r.open_loops.erase(std::next(open).base());
  return seal_loop(r, target);
}

bool close_loops(Reader& r, uint32_t first_open_loop) {
  while (r.open_loops.size() > first_open_loop) {
    const uint32_t header = r.open_loops.back();
    r.open_loops.pop_back();
    if (!seal_loop(r, header)) return false;
  }
  return true;
}

bool begin_next_block(Reader& r, bool& done) {
  Frame& frame = r.frames.back();
  const FunctionInfo& function = r.functions[frame.function];
  done = false;
  while (frame.position < function.order_count) {
    const uint32_t index = r.order[function.first_order + frame.position++];
    Block& block = r.blocks[index];
    const bool reached = block.ir_begin.valid() && !r.function().block(block.ir_begin).preds.empty();
    if (!reached && !block.is_entry) continue;
    r.block = frame.block = index;
    frame.word = block.first_word;
    if (block.is_entry) {
      block.ir_begin = r.b.block();
      return true;
    }
    enter_block(r, index);
    return split_loop_header(r, block.first_word);
  }
  done = true;
  return true;
}

bool translate_phi(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  if (!r.has_words(in, 3) || !r.result_value_type(in, type)) return false;
  const Block& block = r.blocks[r.block];
  const ir::Value first = r.function().block(r.b.block()).last;
  if (first.valid() && r.function().inst(first).op != ir::Op::phi) return r.fail("a phi after other instructions");
  if (block.is_entry) return r.fail("a phi in the first block of a function");
  if (!read_phi_operands(r, in)) return false;
  const bool awaits_back_edge = block.is_loop();
  const Leaves out = r.new_leaves(type);
  const bool ok = make_phis(r, in, out, awaits_back_edge);
  forget_phi_operands(r, in);
  return ok && r.bind(in[2], out);
}

bool translate_terminator(Reader& r, const Instruction& in) {
  r.frames.back().word = 0;
  switch (in.opcode) {
    case spv::OpBranch: {
      r.b.insert(ir::Op::branch, ir::kVoid, {}, 0, 0);
      return add_edge(r, target_of(r, in[1]));
    }
    case spv::OpBranchConditional:
      return translate_branch_conditional(r, in);
    case spv::OpSwitch:
      return translate_switch(r, in);
    case spv::OpReturn:
    case spv::OpReturnValue:
      return translate_return(r, in);
    case spv::OpUnreachable:
      r.b.unreachable();
      return true;
    case spv::OpKill:
    case spv::OpTerminateInvocation:
      return translate_kill(r);
    default:
      return r.fail("this terminator cannot stand in the shader");
  }
}

}  // namespace spalt::spirv
