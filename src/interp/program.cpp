// SPDX-License-Identifier: MIT
#include "interp/program.h"

#include <algorithm>

#include "ir/names.h"
#include "ir/printer.h"

namespace spalt::interp {
namespace {

using ir::BlockId;
using ir::Inst;
using ir::Op;
using ir::Type;
using ir::Value;

class Decoder {
 public:
  explicit Decoder(const ir::Function& function)
      : f_(function),
        slot_(function.value_capacity(), 0),
        block_code_(function.block_capacity(), 0),
        block_steps_(function.block_capacity(), 0),
        first_edge_(function.block_capacity(), 0) {}

  Result<Program> run() {
    p_.function = &f_;
    assign_constants();
    assign_values();
    number_edges();
    for (BlockId id : f_.layout()) {
      block_code_[id] = static_cast<uint32_t>(p_.code.size());
      for (Value value : insts(f_, id)) {
        if (!inst(id, value)) return std::move(error_);
      }
      block_steps_[id] = static_cast<uint32_t>(p_.code.size()) - block_code_[id];
    }
    connect_edges();
    p_.entry_steps = block_steps_[f_.entry()];
    return std::move(p_);
  }

 private:
  /// Slot 0 stays zero: it stands for operands that an instruction does not have.
  void assign_constants() {
    p_.initial.assign(1, 0);
    for (BlockId id : f_.layout()) {
      for (Value user : insts(f_, id)) {
        for (Value value : f_.operands(user)) {
          const Inst& inst = f_.inst(value);
          if ((inst.op != Op::constant && inst.op != Op::undef) || slot_[value] != 0) continue;
          slot_[value] = static_cast<Slot>(p_.initial.size());
          p_.initial.resize(p_.initial.size() + inst.type.components, inst.op == Op::constant ? inst.imm : 0);
        }
      }
    }
    p_.frame_slots = static_cast<uint32_t>(p_.initial.size());
  }

  void assign(Value value) {
    slot_[value] = p_.frame_slots;
    p_.frame_slots += f_.type(value).components;
  }
  void assign_values() {
    for (Value param : f_.params) {
      assign(param);
      p_.params.push_back(slot_[param]);
    }
    for (BlockId id : f_.layout()) {
      for (Value value : insts(f_, id)) {
        if (!f_.type(value).is_none()) assign(value);
      }
    }
  }

  void number_edges() {
    for (BlockId id : f_.layout()) {
      first_edge_[id] = static_cast<uint32_t>(p_.edges.size());
      p_.edges.resize(p_.edges.size() + f_.block(id).succs.size());
    }
  }

  Slot operand(Value value, unsigned index) const { return slot_[f_.operand(value, index)]; }
  Code& emit(Kind kind, Value value) {
    Code code;
    code.kind = kind;
    code.value = value;
    code.op = f_.inst(value).op;
    code.dest = slot_[value];
    p_.code.push_back(code);
    return p_.code.back();
  }

  bool inst(BlockId id, Value value) {
    const Op op = f_.inst(value).op;
    if (is_memory(op)) return memory(value);
    if (is_terminator(op)) return terminator(id, value);
    switch (op) {
      case Op::phi:
      case Op::memory_barrier:
        return true;  // invocations run one by one, so memory is always in order
      case Op::select:
        return select(value);
      case Op::vec:
        return vector(value);
      case Op::extract:
        return copy(value, operand(value, 0) + static_cast<Slot>(f_.inst(value).imm), 1);
      case Op::read_first_lane:
        return copy(value, operand(value, 0), f_.type(value).components);
      case Op::bitcast:
        return bitcast(value);
      case Op::builtin:
        emit(Kind::builtin, value).imm = f_.inst(value).imm;
        return true;
      case Op::resource:
        return resource(value);
      case Op::buffer_size:
        return buffer_size(value);
      case Op::control_barrier:
        emit(Kind::barrier, value);
        return p_.may_wait = true;
      default:
        return scalar(value);
    }
  }

  bool unsupported(Value value) {
    error_ = Error{Status::unsupported,
                   "the interpreter has no meaning for '" + ir::print(f_, value) + "'",
                   Error::kNoOffset,
                   {},
                   0};
    return false;
  }

  /// Buffers are resources; descriptors of the lowered stage stand for memory that exists on the target only.
  bool is_resource(Value value) const { return f_.type(f_.operand(value, 0)) == ir::kResource; }

  bool buffer_size(Value value) {
    if (!is_resource(value)) return unsupported(value);
    emit(Kind::size, value).a = operand(value, 0);
    return true;
  }

  bool scalar(Value value) {
    SmallVector<Type, 4> types;
    for (Value operand : f_.operands(value)) types.push_back(f_.type(operand));
    const Inst& inst = f_.inst(value);
    const ir::Evaluator evaluator = ir::find_evaluator(inst.op, inst.type, types);
    if (evaluator == nullptr) return unsupported(value);
    Code& code = emit(Kind::evaluate, value);
    code.evaluator = evaluator;
    Slot* const slots[] = {&code.a, &code.b, &code.c, &code.d};
    for (unsigned i = 0; i < types.size(); ++i) *slots[i] = operand(value, i);
    return true;
  }

  bool copy(Value value, Slot from, unsigned count) {
    Code& code = emit(Kind::copy, value);
    code.a = from;
    code.count = static_cast<uint8_t>(count);
    return true;
  }

  bool select(Value value) {
    const Type type = f_.type(value).element();
    const Type types[] = {ir::kBool, type, type};
    // Any scalar moves like an integer, resources too.
    const Type moved[] = {ir::kBool, ir::kI64, ir::kI64};
    const bool resource = type.scalar == ir::Scalar::resource;
    const ir::Evaluator evaluator =
        ir::find_evaluator(Op::select, resource ? ir::kI64 : type, resource ? moved : types);
    for (unsigned i = 0; i < f_.type(value).components; ++i) {
      Code& code = emit(Kind::evaluate, value);
      code.evaluator = evaluator;
      code.dest += i;
      code.a = operand(value, 0);
      code.b = operand(value, 1) + i;
      code.c = operand(value, 2) + i;
    }
    return true;
  }

  bool vector(Value value) {
    for (unsigned i = 0; i < f_.inst(value).operand_count; ++i) {
      copy(value, operand(value, i), 1);
      p_.code.back().dest += i;
    }
    return true;
  }

  bool bitcast(Value value) {
    const Type from = f_.type(f_.operand(value, 0)), to = f_.type(value);
    if (from.components == to.components) return copy(value, operand(value, 0), to.components);
    Code& code = emit(Kind::repack, value);
    code.a = operand(value, 0);
    code.count = to.components;
    code.bytes = static_cast<uint8_t>(to.element().bytes());
    code.source_count = from.components;
    code.source_bytes = static_cast<uint8_t>(from.element().bytes());
    return true;
  }

  bool resource(Value value) {
    Code& code = emit(Kind::resource, value);
    code.a = operand(value, 0);
    code.imm = f_.inst(value).imm;
    return true;
  }

  bool memory(Value value) {
    const Inst& inst = f_.inst(value);
    const ir::MemoryAccess access = f_.access(value);
    const unsigned offset = has_base(access.storage) ? 1 : 0;
    if (offset != 0 && !is_resource(value)) return unsupported(value);
    Code& code = emit(inst.op == Op::load ? Kind::load : inst.op == Op::store ? Kind::store : Kind::atomic, value);
    const Type data = inst.op == Op::store ? f_.type(f_.operand(value, offset + 1)) : inst.type;
    code.count = data.components;
    code.bytes = static_cast<uint8_t>(data.element().bytes());
    code.imm = inst.imm;
    if (offset != 0) code.a = operand(value, 0);
    code.b = operand(value, offset);
    if (inst.operand_count > offset + 1) code.c = operand(value, offset + 1);
    if (inst.operand_count > offset + 2) code.d = operand(value, offset + 2);
    if (code.kind == Kind::atomic || (access.flags & ir::kVolatile) != 0) p_.may_wait = true;
    return true;
  }

  bool terminator(BlockId id, Value value) {
    const uint32_t edge = first_edge_[id];
    switch (f_.inst(value).op) {
      case Op::branch:
        emit(Kind::jump, value).a = edge;
        return true;
      case Op::branch_if: {
        Code& code = emit(Kind::branch, value);
        code.a = operand(value, 0);
        code.b = edge;
        code.c = edge + 1;
        return true;
      }
      case Op::switch_on:
        return switch_on(id, value);
      case Op::ret: {
        Code& code = emit(Kind::leave, value);
        code.count = static_cast<uint8_t>(f_.inst(value).operand_count);
        if (code.count != 0) code.a = operand(value, 0);
        return true;
      }
      default:
        emit(Kind::trap, value);
        return true;
    }
  }

  bool switch_on(BlockId id, Value value) {
    Switch table;
    table.default_edge = first_edge_[id];
    const ir::Block& block = f_.block(id);
    for (uint32_t i = 0; i < block.cases.size(); ++i) {
      table.cases.push_back({block.cases[i], first_edge_[id] + 1 + i});
    }
    std::sort(table.cases.begin(), table.cases.end(),
              [](const Switch::Case& a, const Switch::Case& b) { return a.value < b.value; });
    Code& code = emit(Kind::choose, value);
    code.a = operand(value, 0);
    code.b = static_cast<uint32_t>(p_.switches.size());
    p_.switches.push_back(std::move(table));
    return true;
  }

  /// Targets and phi moves, block by block: the position of each predecessor is looked up once per target.
  void connect_edges() {
    struct Incoming {
      BlockId to, from;
      uint32_t edge;
    };
    std::vector<Incoming> all;
    for (BlockId id : f_.layout()) {
      for (uint32_t i = 0; i < f_.block(id).succs.size(); ++i) {
        all.push_back({f_.block(id).succs[i], id, first_edge_[id] + i});
      }
    }
    std::stable_sort(all.begin(), all.end(), [](const Incoming& a, const Incoming& b) { return a.to < b.to; });
    IdMap<BlockId, uint32_t> pred_index(f_.block_capacity(), 0);
    BlockId current;
    for (const Incoming& incoming : all) {
      if (incoming.to != current) {
        current = incoming.to;
        const auto& preds = f_.block(current).preds;
        for (uint32_t i = 0; i < preds.size(); ++i) pred_index[preds[i]] = i;
      }
      Edge& edge = p_.edges[incoming.edge];
      edge.target = block_code_[incoming.to];
      edge.steps = block_steps_[incoming.to];
      edge.move_begin = static_cast<uint32_t>(p_.moves.size());
      add_moves(incoming.to, pred_index[incoming.from]);
      edge.move_end = static_cast<uint32_t>(p_.moves.size());
    }
  }

  void add_moves(BlockId to, uint32_t pred) {
    uint32_t slots = 0;
    for (Value value : insts(f_, to)) {
      if (f_.inst(value).op != Op::phi) break;
      const uint32_t count = f_.type(value).components;
      p_.moves.push_back({operand(value, pred), slot_[value], count});
      slots += count;
    }
    p_.largest_move = std::max(p_.largest_move, slots);
  }

  const ir::Function& f_;
  Program p_;
  Error error_;
  IdMap<Value, Slot> slot_;
  IdMap<BlockId, uint32_t> block_code_, block_steps_, first_edge_;
};

}  // namespace

Result<Program> decode(const ir::Function& function) {
  return Decoder(function).run();
}

}  // namespace spalt::interp
