// SPDX-License-Identifier: MIT
// Internal to src/amdgpu/lower: where helper lanes may leave.
#pragma once
#include "base/compile_context.h"
#include "ir/function.h"

namespace spalt::lower {

/// Whether the operation takes something of its neighbours in the quad, so that helper lanes must run there.
bool needs_quad(const ir::Function& function, ir::Value value);

/// Whether all lanes of the block are demoted at its end, and jump.
bool is_kill(const ir::Function& function, ir::BlockId block);

/// Puts the return into a block of its own. Fragments that are demoted and go to the last block go there from now on,
/// past the exports: unless their neighbours need them in the last block, or no other way leads to its exports, which
/// are owed. None where no fragment comes to its end.
ir::BlockId split_end(ir::Function& function);

/// if (c) demote  ->  demote c. Returns true if there were any such branches.
bool join_demotions(ir::Function& function, Arena& scratch);

/// Places by their positions in the layout. All lanes that are left *pass* a block if no edge leads past it, other than
/// those to `exit`, and if it is in no loop: there nobody waits elsewhere. After the last operation that needs quads,
/// lanes that pass such a block and are no fragments have nothing more to do. One walk over the function.
class HelperPlaces {
 public:
  /// `exit`: the block that lanes go to which have nothing more to do; it may be absent.
  HelperPlaces(const ir::Function& function, ir::BlockId exit, Arena& scratch);

  bool all_pass(uint32_t position) const { return passed_[position]; }
  /// The last operation that needs whole quads, none if there is none, and the position of its block.
  ir::Value last_need() const { return last_need_; }
  uint32_t last_need_block() const { return last_need_block_; }
  /// How much a wave does from the start of the block on, in instructions.
  uint32_t work_from(uint32_t position) const { return work_from_[position]; }
  static uint32_t work_of(const ir::Function& function, ir::Value value);

 private:
  void find_passed(const ir::Function& function, ir::BlockId exit, Arena& scratch);

  Vector<bool> passed_;
  Vector<uint32_t> work_from_;
  ir::Value last_need_;
  uint32_t last_need_block_ = 0;
};

}  // namespace spalt::lower
