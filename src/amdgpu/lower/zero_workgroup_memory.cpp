// SPDX-License-Identifier: MIT
#include "amdgpu/lower/zero_workgroup_memory.h"

#include <algorithm>

#include "base/bits.h"
#include "ir/builder.h"

namespace spalt::lower {

using ir::BlockId;
using ir::MemoryAccess;
using ir::Op;
using ir::Value;

namespace {

constexpr uint32_t kUnitBytes = 16;
constexpr uint32_t kMaxStraightRounds = 8;

/// Makes the blocks before the old entry, one after another.
class Prolog {
 public:
  Prolog(ir::Module& module, Arena& scratch)
      : f_(module.functions[0]),
        b_(f_),
        lanes_(static_cast<uint32_t>(module.compute().invocations())),
        layout_(scratch) {
    append_block();
    index_ = b_.emit(Op::builtin, ir::kI32, {}, ir::builtin_imm(ir::BuiltIn::local_invocation_index));
    at_ = b_.imul(index_, b_.i32(kUnitBytes));
    const Value zero = b_.i32(0), zeros[] = {zero, zero, zero, zero};
    zeros_ = b_.vec(zeros);
  }

  void zero(ir::SharedRange range);
  void finish();

 private:
  BlockId append_block() {
    const BlockId block = f_.create_block();
    layout_.push_back(block);
    b_.set_end(block);
    return block;
  }
  void store(Value offset, uint32_t constant);
  void store_in_loop(uint32_t begin, uint32_t rounds);

  ir::Function& f_;
  ir::Builder b_;
  const uint32_t lanes_;
  ir::BlockList layout_;
  Value index_, at_, zeros_;
};

void Prolog::store(Value offset, uint32_t constant) {
  MemoryAccess access;
  access.storage = ir::StorageClass::shared;
  access.offset = constant;
  access.align_log2 = 4;
  const Value operands[] = {offset, zeros_};
  b_.memory(Op::store, ir::kVoid, operands, access);
}

/// A counter in bytes that all lanes share goes from 0 to the end of the rounds.
void Prolog::store_in_loop(uint32_t begin, uint32_t rounds) {
  const uint32_t step = lanes_ * kUnitBytes;
  const BlockId before = b_.block();
  const BlockId loop = append_block();
  b_.set_end(before);
  b_.branch(loop);
  b_.set_end(loop);
  const Value start = b_.i32(0);
  const Value counter = b_.insert(Op::phi, ir::kI32, std::span<const Value>(&start, 1), 0, 0);
  store(b_.iadd(at_, counter), begin);
  const Value next = b_.iadd(counter, b_.i32(step));
  const Value more = b_.binary(Op::ult, next, b_.i32(step * rounds));
  const BlockId after = append_block();
  b_.set_end(loop);
  b_.branch_if(more, loop, after);
  const Value incoming[] = {start, next};
  f_.set_operands(counter, incoming);
  f_.edit_block(loop).merge = after;
  f_.edit_block(loop).continue_target = loop;
  b_.set_end(after);
}

void Prolog::zero(ir::SharedRange range) {
  const uint32_t units = static_cast<uint32_t>(align_up(range.bytes, kUnitBytes)) / kUnitBytes;
  const uint32_t rounds = units / lanes_, rest = units % lanes_, step = lanes_ * kUnitBytes;
  if (rounds > kMaxStraightRounds) {
    store_in_loop(range.begin, rounds);
  } else {
    for (uint32_t i = 0; i < rounds; ++i) store(at_, range.begin + i * step);
  }
  if (rest == 0) return;
  const Value has_one = b_.binary(Op::ult, index_, b_.i32(rest));
  const BlockId head = b_.block();
  const BlockId body = append_block(), after = append_block();
  b_.set_end(head);
  b_.branch_if(has_one, body, after);
  f_.edit_block(head).merge = after;
  b_.set_end(body);
  store(at_, range.begin + rounds * step);
  b_.branch(after);
  b_.set_end(after);
}

/// The barrier, and the old blocks.
void Prolog::finish() {
  MemoryAccess access;
  access.offset = ir::kSharedBit;
  access.scope = ir::Scope::workgroup;
  access.order = ir::MemoryOrder::acq_rel;
  b_.insert(Op::control_barrier, ir::kVoid, {}, access.pack(), 0);
  b_.branch(f_.entry());
  for (BlockId block : f_.layout()) layout_.push_back(block);
  f_.edit_layout() = std::move(layout_);
}

}  // namespace

bool zero_workgroup_memory(ir::Module& module, CompileContext& context) {
  if (module.zeroed_shared.empty()) return false;
  const ArenaScope scope(context.scratch);
  Prolog prolog(module, context.scratch);
  for (const ir::SharedRange& range : module.zeroed_shared) {
    prolog.zero(range);
    // Whole units are stored, of which the last may pass the end of the variables.
    module.shared_bytes =
        std::max(module.shared_bytes, static_cast<uint32_t>(align_up(range.begin + range.bytes, kUnitBytes)));
  }
  prolog.finish();
  module.zeroed_shared.clear();
  return true;
}

}  // namespace spalt::lower
