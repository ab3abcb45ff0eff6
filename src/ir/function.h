// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

#include "base/id_map.h"
#include "base/ids.h"
#include "base/small_vector.h"
#include "base/vector.h"
#include "ir/float_controls.h"
#include "ir/image.h"
#include "ir/memory.h"
#include "ir/op.h"
#include "ir/type.h"

namespace spalt::ir {

/// An instruction and the value it defines are the same thing and share one id.
using Value = Id<struct ValueTag>;
using BlockId = Id<struct BlockTag>;

/// Bits of Inst::flags: facts that SPIR-V states about one operation. Those of FastMath are among them.
enum InstFlag : uint16_t {
  kPrecise = 1u << 0,           ///< of FastMath it has what is among its flags only; else that of the module as well
  kRelaxedPrecision = 1u << 1,  ///< 16-bit precision suffices
  kNoSignedWrap = 1u << 4,
  kNoUnsignedWrap = 1u << 5,
  kNonUniform = 1u << 6,  ///< resource index may differ between lanes
  kFits24 = 1u << 7       ///< imul: both factors are below 2^24
};

struct Inst {
  Op op = Op::undef;
  Type type;           ///< kVoid when the operation has no result
  uint16_t flags = 0;  ///< InstFlag and FastMath
  uint32_t operand_begin = 0;
  uint32_t operand_count = 0;
  BlockId block;     ///< none for constants, undef, parameters and removed instructions
  Value prev, next;  ///< neighbours in the block
  /// Word at which the SPIR-V instruction begins that it is for; 0: none, not known, or nobody wants to know.
  uint32_t origin = 0;
  uint64_t imm = 0;  ///< meaning per operation, see ops.def
};

using BlockList = Vector<BlockId>;

struct Block {
  explicit Block(Arena* arena = nullptr) : cases(arena) {}

  Value first, last;              ///< `last` is the terminator once the block is complete
  SmallVector<BlockId, 4> preds;  ///< order matches phi operands; a block appears once per edge
  SmallVector<BlockId, 2> succs;
  Vector<uint64_t> cases;   ///< switch_on only: case value of succs[i + 1]
  BlockId merge;            ///< header of a selection or loop: where its lanes rejoin
  BlockId continue_target;  ///< loop headers only
  bool is_loop_header() const { return continue_target.valid(); }
};

/// A function in SSA form. It owns all storage, which is in an arena or, without one, on the heap. Instructions are
/// addressed by Value, never by pointer across an insertion (any creation may move them).
///
/// Layout invariant, relied on by divergence analysis and by the machine passes: `layout()` is a topological order of
/// the blocks when back edges are ignored, the entry comes first, every loop is contiguous, and every construct lies
/// between its header and its merge block.
class Function {
 public:
  explicit Function(Arena* arena = nullptr)
      : params(arena), insts_(arena), operand_pool_(arena), blocks_(arena), layout_(arena), constant_table_(arena) {}

  std::string name;
  Type return_type;
  Vector<Value> params;

  // Blocks
  BlockId create_block();
  const Block& block(BlockId id) const { return blocks_[id]; }
  /// To change edges, merge or continue blocks. The reference holds until a block is created.
  Block& edit_block(BlockId id) {
    ++flow_epoch_;
    return blocks_[id];
  }
  /// Number of block ids ever created; size of side tables.
  uint32_t block_capacity() const { return static_cast<uint32_t>(blocks_.size()); }
  const BlockList& layout() const { return layout_; }
  BlockList& edit_layout() {
    ++flow_epoch_;
    return layout_;
  }
  BlockId entry() const { return layout_.front(); }
  /// Records the edge in both blocks. The caller keeps phis of `to` in step.
  void add_edge(BlockId from, BlockId to);
  /// Another number whenever blocks, edges or the layout may have changed: what is known of the graph holds while it
  /// stays. Who keeps a reference from edit_block or edit_layout must not edit through it once others have looked.
  uint64_t flow_epoch() const { return flow_epoch_; }

  // Values
  /// Room for this many values and about as many operands as they have.
  void reserve(size_t values) {
    insts_.reserve(values);
    operand_pool_.reserve(values * 2);
  }
  Inst& inst(Value value) { return insts_[value]; }
  const Inst& inst(Value value) const { return insts_[value]; }
  uint32_t value_capacity() const { return static_cast<uint32_t>(insts_.size()); }
  Type type(Value value) const { return insts_[value].type; }
  std::span<Value> operands(Value value) {
    Inst& i = insts_[value];
    return {operand_pool_.data() + i.operand_begin, i.operand_count};
  }
  std::span<const Value> operands(Value value) const {
    const Inst& i = insts_[value];
    return {operand_pool_.data() + i.operand_begin, i.operand_count};
  }
  Value operand(Value value, unsigned index) const { return operand_pool_[insts_[value].operand_begin + index]; }
  void set_operand(Value value, unsigned index, Value operand) {
    operand_pool_[insts_[value].operand_begin + index] = operand;
  }
  /// Replaces the whole operand list; may grow.
  void set_operands(Value value, std::span<const Value> operands);
  /// One more operand, or one fewer: what a phi needs when an edge comes or goes.
  void push_operand(Value value, Value operand);
  void erase_operand(Value value, unsigned index);

  // Values outside blocks, shared by content
  Value constant(Type type, uint64_t bits);  ///< scalar; excess bits are dropped
  Value constant_i32(uint32_t value) { return constant(kI32, value); }
  Value constant_f32(float value);
  Value constant_bool(bool value) { return constant(kBool, value); }
  Value undef(Type type);
  Value add_param(Type type);
  bool is_constant(Value value) const { return insts_[value].op == Op::constant; }
  bool is_constant(Value value, uint64_t bits) const { return is_constant(value) && insts_[value].imm == bits; }

  // Instructions
  /// What instructions that are created from now on are for (Inst::origin), 0 at first. One without an origin takes
  /// that of the instruction that it is inserted before or after.
  void set_origin(uint32_t word) { origin_ = word; }
  /// What some instruction is or was. A pass for a few operations need not look for them where there were none.
  const OpSet& operations() const { return operations_; }
  /// Whether some instruction has or had a result made of this scalar. Constants are not asked.
  bool has_results_of(Scalar scalar) const { return (results_ >> static_cast<unsigned>(scalar) & 1) != 0; }
  /// Whether there is a constant of this scalar, used or not.
  bool has_constants_of(Scalar scalar) const { return (constants_ >> static_cast<unsigned>(scalar) & 1) != 0; }
  /// Makes the instruction another operation. Its place and its operands stay.
  void set_operation(Value value, Op op, Type type, uint64_t imm, uint16_t flags);
  /// Creates an instruction that is in no block yet.
  Value create(Op op, Type type, std::span<const Value> operands, uint64_t imm = 0, uint16_t flags = 0) {
    operations_.add(op);
    results_ |= 1u << static_cast<unsigned>(type.scalar);
    return insts_.emplace_back(Inst{.op = op,
                                    .type = type,
                                    .flags = flags,
                                    .operand_begin = append_operands(operands),
                                    .operand_count = static_cast<uint32_t>(operands.size()),
                                    .origin = origin_,
                                    .imm = imm});
  }
  void append(BlockId id, Value value) {  ///< at the end
    Block& block = blocks_[id];
    Inst& inst = insts_[value];
    inst.block = id;
    inst.prev = block.last;
    inst.next = Value();
    if (block.last.valid()) {
      insts_[block.last].next = value;
    } else {
      block.first = value;
    }
    block.last = value;
  }
  void prepend_phi(BlockId block, Value value);  ///< at the front
  void insert_before(Value position, Value value);
  void insert_after(Value position, Value value);
  void unlink(Value value);  ///< takes it out of its block; the id stays valid but dead
  bool is_linked(Value value) const { return insts_[value].block.valid(); }

  /// Of memory operations and barriers; of an image operation what it has in common with them.
  MemoryAccess access(Value value) const { return MemoryAccess::unpack(insts_[value].imm); }
  ImageAccess image_access(Value value) const { return ImageAccess::unpack(insts_[value].imm); }
  Value terminator(BlockId id) const { return blocks_[id].last; }

 private:
  /// Returns where the operands begin in the pool.
  uint32_t append_operands(std::span<const Value> operands) {
    const uint32_t begin = operand_pool_.size();
    if (operands.size() > operand_pool_.capacity() - begin) {
      append_growing(operands);
    } else {
      operand_pool_.resize_for_overwrite(begin + operands.size());
      Value* to = operand_pool_.data() + begin;
      for (const Value operand : operands) *to++ = operand;
    }
    return begin;
  }
  void append_growing(std::span<const Value> operands);

  IdMap<Value, Inst> insts_;
  Vector<Value> operand_pool_;
  IdMap<BlockId, Block> blocks_;
  BlockList layout_;
  Vector<Value> constant_table_;  ///< open addressing, power of two size
  uint32_t constant_count_ = 0;
  OpSet operations_;
  uint32_t results_ = 0;    ///< bit for each Scalar
  uint32_t constants_ = 0;  ///< the same
  uint32_t origin_ = 0;
  uint64_t flow_epoch_ = 0;
};

/// Walks the instructions of one block in order. The next one is read before the current one is handed out, so the
/// current one may be unlinked; instructions inserted after the current one are not visited.
class BlockRange {
 public:
  BlockRange(const Function& function, BlockId block) : function_(function), first_(function.block(block).first) {}
  struct Iterator {
    const Function* function;
    Value current, following;
    Value operator*() const { return current; }
    Iterator& operator++() {
      current = following;
      following = current.valid() ? function->inst(current).next : Value();
      return *this;
    }
    bool operator!=(const Iterator& other) const { return current != other.current; }
  };
  Iterator begin() const { return {&function_, first_, first_.valid() ? function_.inst(first_).next : Value()}; }
  Iterator end() const { return {&function_, Value(), Value()}; }

 private:
  const Function& function_;
  Value first_;
};

inline BlockRange insts(const Function& function, BlockId block) {
  return BlockRange(function, block);
}

/// What an operation on floats of this type may do: FastMath.
inline uint16_t fast_math(const FloatControls& controls, Type type, uint16_t flags) {
  const uint16_t of_module = (flags & kPrecise) != 0 ? 0 : controls.of(type).fast_math;
  return static_cast<uint16_t>((flags | of_module) & kAllFastMath);
}

/// Whether the float is certainly no denormal where the mode flushes them: an operation computed it. Moves of bits do
/// not flush: loads, selections, joins; sign changes keep what their operand is.
bool is_flushed(const Function& function, Value value);

}  // namespace spalt::ir
