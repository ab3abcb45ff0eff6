// SPDX-License-Identifier: MIT
// The second walk: instruction by instruction through the entry point and everything it calls, with a stack of frames
// instead of recursion.
#include <spirv/unified1/spirv.hpp>

#include "spirv/flow/control_flow.h"
#include "spirv/io/io.h"
#include "spirv/memory/memory.h"
#include "spirv/module/fast_math.h"
#include "spirv/ops/dispatch.h"

namespace spalt::spirv {
namespace {

bool note_line(Reader& r, const Instruction& in) {
  if (in.opcode == spv::OpNoLine) {
    r.line_file = 0;
    return true;
  }
  if (!r.has_words(in, 4) || !r.in_bound(in[1])) return false;
  const bool is_string = r.ids[in[1]].kind == IdKind::string && (r.words[r.ids[in[1]].word] & 0xffff) == spv::OpString;
  r.line_file = is_string ? in[1] : 0;
  r.line = in[2];
  return true;
}

/// Merge instructions have been read by scan_functions.
bool is_skipped(uint32_t opcode) {
  return opcode == spv::OpNop || opcode == spv::OpSelectionMerge || opcode == spv::OpLoopMerge;
}

bool translate_one(Reader& r, const Instruction& in) {
  if (in.opcode == spv::OpPhi) return translate_phi(r, in);
  if (in.opcode == spv::OpLine || in.opcode == spv::OpNoLine) return note_line(r, in);
  if (is_skipped(in.opcode)) return true;
  r.b.set_flags(in.count > 2 && in[2] < r.bound ? instruction_flags(r, in[2]) : 0);
  return translate_instruction(r, in);
}

/// From the frame's word to a call or the end of the block, which was scanned before.
bool translate_block(Reader& r) {
  Frame& frame = r.frames.back();
  const uint32_t end = r.blocks[frame.block].terminator;
  while (true) {
    const Instruction in = r.instruction_at(frame.word);
    r.current = in;
    if (r.options.want_origins) r.function().set_origin(in.offset);
    ++r.leaf_work;
    if (in.offset == end) return translate_terminator(r, in);
    frame.word += in.count;
    if (in.opcode == spv::OpFunctionCall) return begin_call(r, in);
    if (!translate_one(r, in) || !r.check_limits()) return false;
  }
}

bool begin_entry(Reader& r) {
  ir::Function& function = r.function();
  r.entry_block = function.create_block();
  function.edit_layout().push_back(r.entry_block);
  r.b.set_end(r.entry_block);
  r.ssa.begin_block(r.entry_block, ir::BlockId(), true);
  find_aliased_bindings(r);
  if (r.has_variable_pointers) note_variable_pointers(r);
  if (!fill_constant_tables(r)) return false;
  for (uint32_t v = 0; v < r.global_count; ++v) {
    Variable& variable = r.variables[v];
    if (variable.storage_class != spv::StorageClassPrivate || !r.types[variable.type].is_value()) continue;
    allocate_scratch(r, variable);
    if (!initialize_variable(r, variable)) return false;
  }
  return read_inputs(r) && push_frame(r, r.ids[r.entry_function_id].index, 0);
}

/// Drops merge information that points at blocks which turned out to be unreachable, and loops that never repeat.
void finish_merges(Reader& r) {
  ir::Function& function = r.function();
  Vector<uint32_t> position(r.context.scratch, function.block_capacity(), kNone);
  for (uint32_t i = 0; i < function.layout().size(); ++i) position[function.layout()[i].index] = i;
  for (const ir::BlockId id : function.layout()) {
    ir::Block& block = function.edit_block(id);
    if (block.is_loop_header()) {
      bool repeats = false;
      for (const ir::BlockId pred : block.preds) repeats = repeats || position[pred.index] >= position[id.index];
      if (!repeats) block.continue_target = ir::BlockId();
    }
    const ir::Op op = function.inst(block.last).op;
    const bool is_selection = op == ir::Op::branch_if || op == ir::Op::switch_on;
    const bool reached = block.merge.valid() && position[block.merge.index] != kNone;
    if (!reached || (!block.is_loop_header() && !is_selection)) block.merge = ir::BlockId();
  }
}

}  // namespace

bool translate_entry(Reader& r) {
  r.current = {};
  if (!begin_entry(r)) return false;
  while (!r.frames.empty()) {
    r.context.cancellation.poll();
    if (r.frames.back().word != 0) {
      if (!translate_block(r) || !r.check_limits()) return false;
      continue;
    }
    bool done = false;
    if (!begin_next_block(r, done)) return false;
    r.line_file = 0;  // line information ends with its block
    if (done && !end_call(r)) return false;
  }
  return true;
}

bool finish_module(Reader& r) {
  r.current = {};
  r.function().set_origin(0);
  for (uint32_t i = 0; i < r.specialized.size(); ++i) {
    const bool unknown = r.specialized[i] == 0 && r.options.unknown_constants != nullptr;
    if (unknown) r.options.unknown_constants->push_back(r.options.specialization[i]);
  }
  r.ssa.finish();
  finish_merges(r);
  return finish_bindings(r) && finish_pointers(r);
}

}  // namespace spalt::spirv
