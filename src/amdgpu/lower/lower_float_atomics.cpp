// SPDX-License-Identifier: MIT
#include "amdgpu/lower/lower_float_atomics.h"

#include "amdgpu/isa/opcode_tables.h"
#include "amdgpu/lower/loop_expansion.h"
#include "base/small_vector.h"
#include "ir/builder.h"
#include "ir/image.h"

namespace spalt::lower {

using ir::AtomicKind;
using ir::BlockId;
using ir::MemoryAccess;
using ir::Op;
using ir::StorageClass;
using ir::Value;

namespace {

/// Arithmetic on the value in memory and the data; none: the data replace it.
enum class Combine : uint8_t { replace, add, min, max };

/// The instructions for one operation. Those on memory serve buffers, texel buffers and addresses.
struct Opcodes {
  isa::Opcode memory = isa::Opcode::invalid, shared = isa::Opcode::invalid, image = isa::Opcode::invalid;
};

/// No texels are doubles.
Opcodes opcodes_of_doubles(Combine combine) {
  using isa::Opcode;
  switch (combine) {
    case Combine::min:
      return {.memory = Opcode::buffer_atomic_fmin_x2, .shared = Opcode::ds_min_f64};
    case Combine::max:
      return {.memory = Opcode::buffer_atomic_fmax_x2, .shared = Opcode::ds_max_f64};
    default:
      return {};
  }
}

Opcodes opcodes_of(Combine combine) {
  using isa::Opcode;
  switch (combine) {
    case Combine::add:
      return {Opcode::buffer_atomic_add_f32, Opcode::ds_add_f32, Opcode::image_atomic_add_flt};
    case Combine::min:
      return {Opcode::buffer_atomic_fmin, Opcode::ds_min_f32, Opcode::image_atomic_fmin};
    default:
      return {Opcode::buffer_atomic_fmax, Opcode::ds_max_f32, Opcode::image_atomic_fmax};
  }
}

Combine combine_of(Op op) {
  switch (op) {
    case Op::atomic_fadd:
      return Combine::add;
    case Op::atomic_fmin:
      return Combine::min;
    case Op::atomic_fmax:
      return Combine::max;
    default:
      return Combine::replace;
  }
}

Combine combine_of(AtomicKind kind) {
  switch (kind) {
    case AtomicKind::fadd:
      return Combine::add;
    case AtomicKind::fmin:
      return Combine::min;
    case AtomicKind::fmax:
      return Combine::max;
    default:
      return Combine::replace;
  }
}

/// The word that a loop exchanges: operands that name the place, and where in it a half is.
struct Cell {
  ir::Type word;  ///< an i32, or an i64 for a double
  SmallVector<Value, 6> place;
  Value shift;   ///< of a half, in bits
  Value others;  ///< mask of the bits beside it
};

class State {
 public:
  State(ir::Module& module, CompileContext& context, const isa::Target& target)
      : f_(module.functions[0]), b_(f_), target_(target), flushes_(module.must_flush_f32), loops_(b_, context.scratch) {
    b_.set_float_controls(module.float_controls());
  }

  bool run() {
    return loops_.run([this](Value value) { return needs_loop(value); },
                      [this](Value value) { return make_loop(value); });
  }

 private:
  bool needs_loop(Value value) const;
  bool has_instruction(Value value, Combine combine) const;
  Value make_loop(Value value);
  Cell find_cell(Value value);
  void find_half(Value value, Cell& cell);
  Value load(Value value, const Cell& cell);
  Value compare_exchange(Value value, const Cell& cell, Value desired, Value expected);
  Value combine(Value value, Value old, Value data);
  Value value_in(const Cell& cell, Value word, ir::Type type);
  Value put(const Cell& cell, Value word, Value number);

  bool is_texel(Value value) const { return f_.inst(value).op == Op::image_atomic; }
  Combine combine_of_value(Value value) const {
    return is_texel(value) ? combine_of(f_.image_access(value).atomic) : combine_of(f_.inst(value).op);
  }

  ir::Function& f_;
  ir::Builder b_;
  const isa::Target& target_;
  const bool flushes_;
  LoopExpansion loops_;
};

bool State::has_instruction(Value value, Combine combine) const {
  const Opcodes opcodes = f_.type(value) == ir::kF64 ? opcodes_of_doubles(combine) : opcodes_of(combine);
  const StorageClass storage = f_.access(value).storage;
  const bool texel_buffer = is_texel(value) && f_.image_access(value).dim == ir::ImageDim::buffer;
  const bool image = storage == StorageClass::image && !texel_buffer;
  if (storage != StorageClass::shared && combine == Combine::add && flushes_) return false;
  const isa::Opcode opcode = storage == StorageClass::shared ? opcodes.shared : image ? opcodes.image : opcodes.memory;
  return opcode != isa::Opcode::invalid && isa::has_opcode(target_, opcode);
}

bool State::needs_loop(Value value) const {
  const Op op = f_.inst(value).op;
  if (op != Op::image_atomic && !ir::is_float_atomic(op) && op != Op::atomic_exchange) return false;
  if (f_.type(value) == ir::kF16) return true;
  const Combine combine = combine_of_value(value);
  return combine != Combine::replace && !has_instruction(value, combine);
}

/// Puts the loop after the current block, and goes on after it.
Value State::make_loop(Value value) {
  const Value data = f_.operands(value).back();
  const BlockId header = loops_.append_block(), again = loops_.append_block(), after = loops_.append_block();
  const Cell cell = find_cell(value);
  const Value guess = load(value, cell);
  b_.branch(header);

  b_.set_end(header);
  const Value expected = b_.insert(Op::phi, cell.word, std::span<const Value>(&guess, 1), 0, 0);
  const Value old = value_in(cell, expected, f_.type(value));
  const Value next = put(cell, expected, combine(value, old, data));
  const Value seen = compare_exchange(value, cell, next, expected);
  const Value lost = b_.binary(Op::ine, seen, expected);
  b_.branch_if(lost, again, after);
  f_.edit_block(header).merge = after;
  f_.edit_block(header).continue_target = again;

  b_.set_end(again);
  b_.branch(header);
  const Value incoming[] = {guess, seen};
  f_.set_operands(expected, incoming);
  b_.set_end(after);
  return old;
}

Cell State::find_cell(Value value) {
  Cell cell;
  cell.word = f_.type(value) == ir::kF64 ? ir::kI64 : ir::kI32;
  const auto operands = f_.operands(value);
  for (size_t i = 0; i + 1 < operands.size(); ++i) cell.place.push_back(operands[i]);
  if (f_.type(value) == ir::kF16) find_half(value, cell);
  return cell;
}

/// Makes the offset that of the dword. The low bits of an address go there first: it is aligned then, and nothing
/// carries.
void State::find_half(Value value, Cell& cell) {
  const MemoryAccess access = f_.access(value);
  const size_t offset = cell.place.size() - 1;
  Value bytes = b_.iadd(cell.place[offset], b_.i32(access.offset));
  if (access.storage == StorageClass::global) {
    const Value words = b_.bitcast(ir::kI32.vector(2), cell.place[0]);
    const Value low = b_.emit(Op::extract, ir::kI32, {words}, 0), high = b_.emit(Op::extract, ir::kI32, {words}, 1);
    const Value aligned = b_.iand(low, b_.i32(~3u));
    bytes = b_.iadd(bytes, b_.iand(low, b_.i32(3)));
    cell.place[0] = b_.emit(Op::pack64, ir::kI64, {aligned, high});
  }
  cell.place[offset] = b_.iand(bytes, b_.i32(~3u));
  cell.shift = b_.binary(Op::ishl, b_.iand(bytes, b_.i32(2)), b_.i32(3));
  const Value own = b_.binary(Op::ishl, b_.i32(0xffff), cell.shift);
  cell.others = b_.unary(Op::inot, own);
}

/// The access to the dword of a cell; what the offset was is in the operand where a half is.
MemoryAccess access_of_word(MemoryAccess access, const Cell& cell) {
  if (cell.shift.valid()) {
    access.offset = 0;
    access.align_log2 = 2;
  }
  return access;
}

/// Atomic, so that it goes as far as others can write, and nothing more: the exchange has the order.
Value State::load(Value value, const Cell& cell) {
  constexpr uint8_t kOfOrder = ir::kOrdersAll | ir::kMakeAvailable | ir::kMakeVisible;
  MemoryAccess access = access_of_word(f_.access(value), cell);
  access.order = ir::MemoryOrder::relaxed;
  access.flags &= static_cast<uint8_t>(~kOfOrder);
  if (!is_texel(value)) return b_.memory(Op::load, cell.word, cell.place.span(), access);
  ir::ImageAccess texel = f_.image_access(value);
  texel.order = ir::MemoryOrder::relaxed;
  texel.flags = access.flags;
  texel.atomic = AtomicKind::exchange;
  texel.mask = 1;
  const Value loaded = b_.insert(Op::image_load, ir::kF32, cell.place.span(), texel.pack(), 0);
  return b_.bitcast(ir::kI32, loaded);
}

Value State::compare_exchange(Value value, const Cell& cell, Value desired, Value expected) {
  SmallVector<Value, 8> operands;
  for (Value part : cell.place) operands.push_back(part);
  operands.push_back(desired);
  operands.push_back(expected);
  if (!is_texel(value)) {
    const MemoryAccess access = access_of_word(f_.access(value), cell);
    return b_.memory(Op::atomic_compare_exchange, cell.word, operands.span(), access);
  }
  ir::ImageAccess texel = f_.image_access(value);
  texel.atomic = AtomicKind::compare_exchange;
  return b_.insert(Op::image_atomic, ir::kI32, operands.span(), texel.pack(), 0);
}

Value State::combine(Value value, Value old, Value data) {
  switch (combine_of_value(value)) {
    case Combine::add:
      return b_.binary(Op::fadd, old, data);
    case Combine::min:
      return b_.binary(Op::fmin, old, data);
    case Combine::max:
      return b_.binary(Op::fmax, old, data);
    case Combine::replace:
      break;
  }
  return data;
}

Value State::value_in(const Cell& cell, Value word, ir::Type type) {
  if (!cell.shift.valid()) return b_.bitcast(type, word);
  const Value half = b_.convert(Op::trunc, ir::kI16, b_.binary(Op::ushr, word, cell.shift));
  return b_.bitcast(type, half);
}

Value State::put(const Cell& cell, Value word, Value number) {
  if (!cell.shift.valid()) return b_.bitcast(cell.word, number);
  const Value half = b_.convert(Op::zext, ir::kI32, b_.bitcast(ir::kI16, number));
  const Value moved = b_.binary(Op::ishl, half, cell.shift);
  return b_.ior(b_.iand(word, cell.others), moved);
}

}  // namespace

bool lower_float_atomics(ir::Module& module, CompileContext& context, const isa::Target& target) {
  constexpr ir::OpSet kOps = {Op::atomic_fadd, Op::atomic_fmin, Op::atomic_fmax, Op::atomic_exchange, Op::image_atomic};
  if (!module.functions[0].operations().meets(kOps)) return false;
  const ArenaScope scope(context.scratch);
  return State(module, context, target).run();
}

}  // namespace spalt::lower
