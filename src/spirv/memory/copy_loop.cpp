// SPDX-License-Identifier: MIT
// OpCopyMemorySized of a number of bytes that is known at run time only: a loop over the largest units that both places
// are aligned for, and one over the bytes that are left. The loops stand in the middle of a SPIR-V block, as the blocks
// of a called function do; their counters are variables in SSA form.
#include <algorithm>

#include "spirv/memory/copy_bytes.h"

namespace spalt::spirv {
namespace {

/// The place `bytes` further on.
CopyPlace moved(Reader& r, const CopyPlace& place, ir::Value bytes, uint32_t unit_log2) {
  CopyPlace result = place;
  Pointer& pointer = result.pointer;
  const auto align_log2 = static_cast<uint8_t>(unit_log2);
  if (pointer.root == PointerRoot::physical) {
    const ir::Value distance = r.b.convert(ir::Op::zext, ir::kI64, bytes);
    pointer.resource = r.b.iadd(pointer.resource, distance);
    result.extra.align_log2 = std::min(result.extra.align_log2, align_log2);
  } else {
    pointer.dynamic = pointer.dynamic.valid() ? r.b.iadd(pointer.dynamic, bytes) : bytes;
    pointer.align_log2 = std::min(pointer.align_log2, align_log2);
  }
  return result;
}

void start(Reader& r, ir::BlockId block, ir::BlockId dominator, bool sealed) {
  r.function().edit_layout().push_back(block);
  r.b.set_end(block);
  r.ssa.begin_block(block, dominator, sealed);
}

/// Copies the units from byte `begin` to byte `end`, which is a multiple of the unit after it.
bool copy_units(Reader& r, const CopyPlace& target, const CopyPlace& source, ir::Value begin, ir::Value end,
                uint32_t unit_log2) {
  ir::Type unit;
  if (!find_copy_unit(r, unit_log2, unit)) return false;
  const uint32_t counter = r.ssa.add_slot(ir::kI32);
  r.ssa.write(counter, begin);
  const ir::BlockId before = r.b.block();
  const ir::BlockId header = r.function().create_block();
  const ir::BlockId body = r.function().create_block();
  const ir::BlockId after = r.function().create_block();
  r.b.branch(header);

  start(r, header, before, false);
  r.function().edit_block(header).continue_target = body;
  r.function().edit_block(header).merge = after;
  const ir::Value at = r.ssa.read(counter);
  const ir::Value more = r.b.binary(ir::Op::ult, at, end);
  r.b.branch_if(more, body, after);

  start(r, body, header, true);
  const CopyPlace to = moved(r, target, at, unit_log2);
  const CopyPlace from = moved(r, source, at, unit_log2);
  copy_unit(r, to, from, unit, 0);
  const ir::Value next = r.b.iadd(at, r.b.i32(1u << unit_log2));
  r.ssa.write(counter, next);
  r.b.branch(header);
  r.ssa.seal(header);

  start(r, after, header, true);
  return r.check_limits();
}

}  // namespace

bool copy_loop(Reader& r, const CopyPlace& target, const CopyPlace& source, ir::Value bytes) {
  const ir::Value end = r.b.resize(ir::kI32, bytes, false);  // no variable has more bytes
  const uint32_t log2 = copy_unit_log2(target, source, 0);
  if (log2 == 0) return copy_units(r, target, source, r.b.i32(0), end, 0);
  const ir::Value whole = r.b.iand(end, r.b.i32(~((1u << log2) - 1)));
  return copy_units(r, target, source, r.b.i32(0), whole, log2) && copy_units(r, target, source, whole, end, 0);
}

}  // namespace spalt::spirv
