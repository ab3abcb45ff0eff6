// SPDX-License-Identifier: MIT
// An access to narrow values is taken apart into pieces that instructions move: runs of dwords where the address is
// known to be one's, pairs of bytes, single elements. Dwords are i32 vectors from here on, so that later passes see
// what they know. No piece reaches beyond the bytes of the access, since the end of a buffer may be right after them;
// constant memory is the exception, which is made of dwords.
#include "amdgpu/lower/lower_narrow_memory.h"

#include <algorithm>
#include <bit>

namespace spalt::lower {

using ir::MemoryAccess;
using ir::Op;
using ir::StorageClass;
using ir::Type;
using ir::Value;

namespace {

/// A run of elements that one access moves.
struct Piece {
  unsigned first = 0, count = 0;  ///< elements
  Type type;                      ///< that memory is accessed as: dwords, i16 for two bytes, or one element
};

unsigned align_at(const MemoryAccess& access, unsigned byte) {
  if (byte == 0) return access.align_log2;
  return std::min<unsigned>(access.align_log2, static_cast<unsigned>(std::countr_zero(byte)));
}

/// The piece that begins at element `first`.
Piece piece_at(const MemoryAccess& access, Type data, unsigned first) {
  const unsigned bytes = data.element().bytes(), rest = data.components - first;
  const unsigned align = align_at(access, first * bytes), dwords = rest * bytes / 4;
  if (align >= 2 && dwords != 0) return {first, dwords * 4 / bytes, dwords == 1 ? ir::kI32 : ir::kI32.vector(dwords)};
  if (align >= 1 && bytes == 1 && rest >= 2) return {first, 2, ir::kI16};
  return {first, 1, data.element()};
}

MemoryAccess piece_access(MemoryAccess access, unsigned byte) {
  access.align_log2 = static_cast<uint8_t>(align_at(access, byte));
  access.offset += byte;
  return access;
}

class NarrowMemory {
 public:
  explicit NarrowMemory(Inserter& insert) : insert_(insert), f_(insert.function()) {}
  bool load(Value value);
  bool store(Value value);

 private:
  void take_apart(Value whole, Type element, SmallVector<Value, 16>& elements);
  Value joined(const Piece& piece, Type element, std::span<const Value> elements);

  Inserter& insert_;
  ir::Function& f_;
};

/// The elements of a dword, or of two bytes.
void NarrowMemory::take_apart(Value word, Type element, SmallVector<Value, 16>& elements) {
  const unsigned count = f_.type(word).bits() / element.bits();
  const Value parts = insert_.op(Op::bitcast, element.vector(count), {word});
  for (unsigned i = 0; i < count; ++i) elements.push_back(insert_.op(Op::extract, element, {parts}, i));
}

bool NarrowMemory::load(Value value) {
  const ir::Inst inst = f_.inst(value);
  const MemoryAccess access = f_.access(value);
  const Type type = inst.type, element = type.element();
  const bool whole_dword = access.storage == StorageClass::constant && access.align_log2 >= 2;
  if (!type.is_vector() && !whole_dword) return false;
  const SmallVector<Value, 2> operands(std::span<const Value>(f_.operands(value)));
  insert_.before(value, inst.flags);
  SmallVector<Value, 16> elements;
  for (unsigned at = 0; at < type.components;) {
    const Piece piece = piece_at(access, type, at);
    const unsigned byte = at * element.bytes();
    const MemoryAccess place = piece_access(access, byte);
    const bool extended = whole_dword && piece.type.bits() < 32 && place.align_log2 >= 2;
    const Type loaded_type = extended ? ir::kI32 : piece.type;
    const Value loaded = insert_.op(Op::load, loaded_type, operands, place.pack());
    const size_t end = elements.size() + piece.count;
    for (unsigned i = 0; i < loaded_type.components && loaded_type.bits() > element.bits(); ++i) {
      const Value word = loaded_type.is_vector() ? insert_.op(Op::extract, ir::kI32, {loaded}, i) : loaded;
      take_apart(word, element, elements);
    }
    if (loaded_type.bits() == element.bits()) elements.push_back(loaded);
    elements.resize(end, Value());  // a dword of constant memory has more than was asked for
    at += piece.count;
  }
  insert_.replace(value, elements.size() == 1 ? elements[0] : insert_.op(Op::vec, type, elements));
  return true;
}

/// What is stored for a piece.
Value NarrowMemory::joined(const Piece& piece, Type element, std::span<const Value> elements) {
  if (piece.count == 1) return elements[0];
  SmallVector<Value, 16> words;
  const unsigned in_word = std::min(32u, piece.type.bits()) / element.bits();
  for (unsigned i = 0; i < piece.count; i += in_word) {
    const Value parts = insert_.op(Op::vec, element.vector(in_word), elements.subspan(i, in_word));
    words.push_back(insert_.op(Op::bitcast, piece.type.element(), {parts}));
  }
  return words.size() == 1 ? words[0] : insert_.op(Op::vec, piece.type, words);
}

bool NarrowMemory::store(Value value) {
  const ir::Inst inst = f_.inst(value);
  const MemoryAccess access = f_.access(value);
  SmallVector<Value, 3> operands(std::span<const Value>(f_.operands(value)));
  const Value data = insert_.current(operands.back());
  const Type type = f_.type(data), element = type.element();
  if (!type.is_vector()) return false;
  insert_.before(value, inst.flags);
  SmallVector<Value, 16> elements;
  for (unsigned i = 0; i < type.components; ++i) elements.push_back(insert_.op(Op::extract, element, {data}, i));
  for (unsigned at = 0; at < type.components;) {
    const Piece piece = piece_at(access, type, at);
    operands.back() = joined(piece, element, elements.span().subspan(at, piece.count));
    insert_.op(Op::store, ir::kVoid, operands, piece_access(access, at * element.bytes()).pack());
    at += piece.count;
  }
  f_.unlink(value);
  return true;
}

bool is_narrow(Type type) {
  return type.scalar_bits() == 8 || type.scalar_bits() == 16;
}

}  // namespace

bool lower_narrow_memory(Inserter& insert) {
  ir::Function& function = insert.function();
  NarrowMemory memory(insert);
  bool changed = false;
  for (ir::BlockId block : function.layout()) {
    for (Value value : ir::insts(function, block)) {
      const Op op = function.inst(value).op;
      if (op == Op::load && is_narrow(function.type(value))) changed |= memory.load(value);
      if (op == Op::store && is_narrow(function.type(function.operands(value).back()))) changed |= memory.store(value);
    }
  }
  return changed;
}

}  // namespace spalt::lower
