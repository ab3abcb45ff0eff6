// SPDX-License-Identifier: MIT
// Internal to src/amdgpu/lower: the control flow around the body of a vertex shader.
#pragma once
#include "amdgpu/abi/vertex_interface.h"
#include "amdgpu/lower/entry_registers.h"
#include "amdgpu/lower/lower_vertex_outputs.h"
#include "ir/builder.h"

namespace spalt::lower {

/// Makes all returns lead to one block at the end, which has no terminator then. None where the function never returns.
ir::BlockId open_exit(ir::Function& function);

/// A primitive shader that passes its primitives on as they are. Each thread of a group of waves is for one vertex and
/// for one primitive, which have nothing to do with each other; those that are there are the lowest lanes of each wave:
///
///   E:  [first wave of the group: ask for the space of all exports]; lanes with a vertex go to
///   B:  the vertex shader and its exports
///   X:  lanes with a primitive go to
///   P:  export of the primitive word
///   R:  return
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
  /// How the parameters reach the attribute ring, computed at the end of `block`; nothing where there is none.
  VertexOutputWriter::Ring ring(ir::BlockId block, unsigned parameters);
  /// Makes everything else around the body, which ends with `exit`.
  void close(ir::BlockId exit);

 private:
  ir::Value wave_info();
  ir::Value bit_field(ir::Value word, uint32_t shift, uint32_t bits);
  void allocate();
  ir::BlockId add_block();

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
