// SPDX-License-Identifier: MIT
#include "amdgpu/lower/vertex_frame.h"

#include <algorithm>

#include "ir/export.h"

namespace spalt::lower {

using abi::EntryRole;
using ir::BlockId;
using ir::Op;
using ir::Value;

namespace {

/// Fields of the registers that say what a wave and its group are for (docs/abi/pal.md, "Initial registers of
/// vertices"). Counts of a wave are at most 64, so that the highest bit of their fields is 0; without it selection
/// finds that they are no more than lanes.
constexpr uint32_t kVerticesShift = 0, kPrimitivesShift = 8, kCountBits = 7;
constexpr uint32_t kWaveShift = 24, kWaveBits = 4;
constexpr uint32_t kGroupVerticesShift = 12, kGroupPrimitivesShift = 22, kGroupCountBits = 9;
/// Where the message has the number of primitives.
constexpr uint32_t kMessagePrimitivesShift = 12;

/// `block` comes after all others.
void append_block(ir::Function& function, BlockId block) {
  function.edit_layout().push_back(block);
}

}  // namespace

bool is_primitive_shader(const LowerConfig& config) {
  const abi::VertexHardware& hardware = abi::vertex_hardware(*config.target);
  return !hardware.has_vertex_stage || (config.primitive_shader && hardware.has_primitive_shader);
}

BlockId open_exit(ir::Function& function) {
  SmallVector<BlockId, 4> returning;
  for (BlockId block : function.layout()) {
    if (function.inst(function.terminator(block)).op == Op::ret) returning.push_back(block);
  }
  for (BlockId block : returning) function.unlink(function.terminator(block));
  if (returning.empty()) return BlockId();
  if (returning.size() == 1 && returning[0] == function.layout().back()) return returning[0];
  const BlockId exit = function.create_block();
  append_block(function, exit);
  ir::Builder builder(function);
  for (BlockId block : returning) {
    builder.set_end(block);
    builder.branch(exit);
  }
  return exit;
}

void MergedFrame::open() {
  body_ = function_.entry();
  first_ = function_.create_block();
  ir::BlockList& layout = function_.edit_layout();
  layout.push_back(first_);
  std::rotate(layout.begin(), layout.end() - 1, layout.end());
  builder_.set_end(first_);
  lane_ = builder_.emit(Op::builtin, ir::kI32, {}, ir::builtin_imm(ir::BuiltIn::subgroup_invocation_id));
}

Value MergedFrame::wave_info() {
  return entry_.field("merged_wave_info", EntryRole::merged_wave_info, 0xffffffff);
}

Value MergedFrame::bit_field(Value word, uint32_t shift, uint32_t bits) {
  const Value low = builder_.ushr(word, builder_.i32(shift));
  return builder_.iand(low, builder_.i32((1u << bits) - 1));
}

/// The driver's descriptor has the structure of a vertex with one parameter: elements of 16 bytes, of which those of 32
/// vertices follow each other. More parameters make its stride, a field of the second word, longer.
VertexOutputWriter::Ring MergedFrame::ring(BlockId block, unsigned parameters) {
  if (!hardware_.has_attribute_ring || parameters == 0) return {};
  constexpr unsigned kLog2Unit = 9, kOffsetBits = 15, kStrideShift = 16;
  static_assert(1u << kLog2Unit == abi::kAttributeRingUnitBytes);
  builder_.set_end(block);
  const isa::Reg table_register = entry_.interface().user_register(abi::kGlobalTable);
  const Value table = entry_.whole("global_table", table_register, ir::kI32);
  ir::MemoryAccess access;
  access.storage = ir::StorageClass::constant;
  access.offset = abi::kAttributeRingSlotOffset;
  access.align_log2 = 4;
  access.flags = ir::kReadOnly;
  const Value zero = builder_.i32(0);
  Value descriptor = builder_.memory(Op::load, ir::kI32.vector(4), std::array<Value, 2>{table, zero}, access);
  if (parameters > 1) {
    std::array<Value, 4> words;
    for (unsigned i = 0; i < words.size(); ++i) words[i] = builder_.extract(descriptor, i);
    const uint32_t more = (parameters - 1) * abi::kAttributeRingElementBytes;
    words[1] = builder_.iadd(words[1], builder_.i32(more << kStrideShift));
    descriptor = builder_.vec(words);
  }
  const isa::Reg offset_register = entry_.interface().field(EntryRole::attribute_ring_offset).reg;
  const Value packed = entry_.whole("packed_attribute_ring_offset", offset_register, ir::kI32);
  const Value units = bit_field(packed, 0, kOffsetBits);
  const Value start = builder_.ishl(units, builder_.i32(kLog2Unit));
  return {descriptor, thread(), start};
}

BlockId MergedFrame::add_block() {
  return function_.create_block();
}

/// Ends the current block E: lanes for which the condition holds go to a new block, where the builder is now, and all
/// of them to the block that is returned, which goes on as E.
BlockId MergedFrame::split_entry(Value condition) {
  const BlockId now = builder_.block(), some = add_block(), next = add_block();
  ir::BlockList& layout = function_.edit_layout();
  const auto after = std::find(layout.begin(), layout.end(), now) + 1 - layout.begin();
  layout.push_back(some);
  layout.push_back(next);
  std::rotate(layout.begin() + after, layout.end() - 2, layout.end());
  function_.edit_block(now).merge = next;
  builder_.branch_if(condition, some, next);
  builder_.set_end(some);
  return next;
}

/// The first wave of the group says how many vertices and primitives all its waves export.
void MergedFrame::allocate() {
  const Value wave = bit_field(wave_info(), kWaveShift, kWaveBits);
  const Value is_first = builder_.binary(Op::ieq, wave, builder_.i32(0));
  const BlockId next = split_entry(is_first);
  const Value group = entry_.field("merged_group_info", EntryRole::merged_group_info, 0xffffffff);
  const Value vertices = bit_field(group, kGroupVerticesShift, kGroupCountBits);
  const Value primitives = bit_field(group, kGroupPrimitivesShift, kGroupCountBits);
  const Value high = builder_.ishl(primitives, builder_.i32(kMessagePrimitivesShift));
  const Value operands[] = {builder_.ior(high, vertices)};
  builder_.insert(Op::allocate_exports, ir::kVoid, operands, 0, 0);
  builder_.branch(next);
  builder_.set_end(next);
}

/// The lane's number in its group.
Value MergedFrame::thread() {
  const Value wave = bit_field(wave_info(), kWaveShift, kWaveBits);
  const Value before = builder_.imul(wave, builder_.i32(config_.wave_size));
  return builder_.iadd(before, lane_);
}

namespace {

/// A dword of LDS for each vertex of the group.
constexpr uint32_t kLog2IdBytes = 2;

ir::MemoryAccess id_access() {
  ir::MemoryAccess access;
  access.storage = ir::StorageClass::shared;
  access.align_log2 = kLog2IdBytes;
  return access;
}

/// Corner of a primitive that its flat values come from.
uint32_t provoking_corner(const abi::GraphicsState& state) {
  if (!state.provoking_last || state.has_points()) return 0;
  return state.has_lines() ? 1 : 2;
}

}  // namespace

void MergedFrame::distribute_primitive_ids() {
  module_.shared_bytes = abi::kSubgroupVertices << kLog2IdBytes;
  const Value primitives = bit_field(wave_info(), kPrimitivesShift, kCountBits);
  const BlockId next = split_entry(builder_.binary(Op::ult, lane_, primitives));
  const Value word = entry_.field("primitive_word", EntryRole::primitive_word, 0xffffffff);
  const uint32_t bits = hardware_.primitive_index_bits;
  const Value vertex = bit_field(word, provoking_corner(*config_.graphics) * (bits + 1), bits);
  const Value place = builder_.ishl(vertex, builder_.i32(kLog2IdBytes));
  const Value id = entry_.field("primitive_id", EntryRole::primitive_id, 0xffffffff);
  builder_.memory(Op::store, ir::kVoid, std::array<Value, 2>{place, id}, id_access());
  builder_.branch(next);
  builder_.set_end(next);
  ir::MemoryAccess barrier;
  barrier.offset = ir::kSharedBit;
  barrier.scope = ir::Scope::workgroup;
  barrier.order = ir::MemoryOrder::acq_rel;
  builder_.insert(Op::control_barrier, ir::kVoid, {}, barrier.pack(), 0);
}

Value MergedFrame::primitive_id(BlockId block) {
  builder_.set_end(block);
  const Value place = builder_.ishl(thread(), builder_.i32(kLog2IdBytes));
  return builder_.memory(Op::load, ir::kI32, std::array<Value, 1>{place}, id_access());
}

/// At the end of the current block: lanes with a vertex go to the body, all of them to `after`.
void MergedFrame::enter_body(BlockId after) {
  const Value vertices = bit_field(wave_info(), kVerticesShift, kCountBits);
  const Value has_vertex = builder_.binary(Op::ult, lane_, vertices);
  function_.edit_block(builder_.block()).merge = after;
  builder_.branch_if(has_vertex, body_, after);
}

BlockId MergedFrame::close_prolog(std::span<Value> values) {
  const BlockId after = add_block();
  append_block(function_, after);
  builder_.set_end(first_);
  enter_body(after);
  builder_.set_end(body_);
  builder_.branch(after);
  for (Value& value : values) {
    const ir::Type type = function_.type(value);
    const Value phi = function_.create(Op::phi, type, std::array<Value, 2>{function_.undef(type), value});
    function_.append(after, phi);
    value = phi;
  }
  std::get<ir::VertexFacts>(module_.shader).all_lanes = true;
  return after;
}

void MergedFrame::close(BlockId exit) {
  const BlockId after = add_block(), primitive = add_block(), end = add_block();
  builder_.set_end(first_);
  if (hardware_.allocates_by_message) allocate();
  if (entry_.interface().has(EntryRole::primitive_id)) distribute_primitive_ids();
  enter_body(after);
  if (exit.valid()) {
    builder_.set_end(exit);
    builder_.branch(after);
  }
  append_block(function_, after);
  append_block(function_, primitive);
  append_block(function_, end);
  builder_.set_end(after);
  const Value primitives = bit_field(wave_info(), kPrimitivesShift, kCountBits);
  const Value has_primitive = builder_.binary(Op::ult, lane_, primitives);
  function_.edit_block(after).merge = end;
  builder_.branch_if(has_primitive, primitive, end);
  builder_.set_end(primitive);
  const Value operands[] = {entry_.field("primitive_word", EntryRole::primitive_word, 0xffffffff)};
  ir::ExportAccess access;
  access.target = ir::kExportPrimitive;
  access.mask = 1;
  access.done = true;
  builder_.insert(Op::export_to, ir::kVoid, operands, access.pack(), 0);
  builder_.branch(end);
  builder_.set_end(end);
  builder_.ret();
  std::get<ir::VertexFacts>(module_.shader).all_lanes = true;
}

}  // namespace spalt::lower
