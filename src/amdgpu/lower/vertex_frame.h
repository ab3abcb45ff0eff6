// SPDX-License-Identifier: MIT
// Internal to src/amdgpu/lower: the control flow around the body of a vertex shader.
#pragma once
#include "amdgpu/abi/vertex_interface.h"
#include "amdgpu/lower/entry_registers.h"
#include "amdgpu/lower/lower_vertex_outputs.h"
#include "ir/builder.h"

namespace spalt::lower {

/// Whether the vertex shader becomes a primitive shader.
bool is_primitive_shader(const LowerConfig& config);

/// Makes all returns lead to one block at the end, which has no terminator then. None where the function never returns.
ir::BlockId open_exit(ir::Function& function);

/// A primitive shader that passes its primitives on as they are. Each thread of a group of waves is for one vertex and
/// for one primitive, which have nothing to do with each other; those that are there are the lowest lanes of each wave:
///
///   E:  [first wave of the group: ask for the space of all exports];
///       [lanes with a primitive: leave its id to the vertex that flat values come from; wait for the other waves];
///       lanes with a vertex go to
///   B:  the vertex shader and its exports
///   X:  lanes with a primitive go to
///   P:  export of the primitive word
///   R:  return
///
/// The id of a primitive is known to the lane of the primitive, but parameters are those of vertices: it goes through
/// LDS to the thread of the provoking vertex. The hardware sees to it that a vertex provokes one primitive of its group
/// at most (NGG_DISABLE_PROVOK_REUSE).
class MergedFrame {
 public:
  MergedFrame(ir::Module& module, const LowerConfig& config, EntryRegisters& entry)
      : module_(module),
        function_(module.functions[0]),
        config_(config),
        hardware_(abi::vertex_hardware(*config.target)),
        entry_(entry),
        builder_(function_) {}

  /// Puts block E in front, empty so far: from now on entry registers are made there.
  void open();
  /// The id of the primitive whose flat values come from this lane's vertex, at the end of `block`.
  ir::Value primitive_id(ir::BlockId block);
  /// How the parameters reach the attribute ring, computed at the end of `block`; nothing where there is none.
  VertexOutputWriter::Ring ring(ir::BlockId block, unsigned parameters);
  /// Makes everything else around the body, which ends with `exit`.
  void close(ir::BlockId exit);
  /// The frame of a prolog, which runs for the lanes with a vertex and leaves all lanes as they were: no other block
  /// than B, which has no terminator, and X. Leaves the builder of the caller at the end of X, and in `values` what
  /// they are there.
  ir::BlockId close_prolog(std::span<ir::Value> values);

 private:
  ir::Value wave_info();
  ir::Value bit_field(ir::Value word, uint32_t shift, uint32_t bits);
  ir::Value thread();
  ir::BlockId split_entry(ir::Value condition);
  void allocate();
  void distribute_primitive_ids();
  ir::BlockId add_block();
  void enter_body(ir::BlockId after);

  ir::Module& module_;
  ir::Function& function_;
  const LowerConfig& config_;
  const abi::VertexHardware& hardware_;
  EntryRegisters& entry_;
  ir::Builder builder_;
  ir::BlockId first_, body_;
  ir::Value lane_;
};

}  // namespace spalt::lower
