// SPDX-License-Identifier: MIT
#include "interp/program.h"

#include <algorithm>

#include "ir/names.h"
#include "ir/printer.h"
#include "ir/scan.h"

namespace spalt::interp {
namespace {

using ir::BlockId;
using ir::Inst;
using ir::Op;
using ir::Type;
using ir::Value;

class Decoder {
 public:
  Decoder(const ir::Function& function, ir::FloatControls float_controls)
      : f_(function),
        float_controls_(float_controls),
        slot_(function.value_capacity(), 0),
        blocks_(function.block_capacity()) {}

  Result<Program> run() {
    p_.function = &f_;
    assign_constants();
    assign_values();
    number_edges();
    for (BlockId id : f_.layout()) {
      blocks_[id].code = static_cast<uint32_t>(p_.code.size());
      for (Value value : insts(f_, id)) {
        if (!inst(id, value)) return std::move(error_);
      }
      blocks_[id].steps = static_cast<uint32_t>(p_.code.size()) - blocks_[id].code;
    }
    connect(p_, blocks_, slot_);
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
      blocks_[id].first_edge = static_cast<uint32_t>(p_.edges.size());
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
    if (is_image(op) || op == Op::sampler) return unsupported(value);  // there are no images to run on
    switch (op) {
      case Op::phi:
      case Op::memory_barrier:
        return true;  // instructions run one after another, so memory is always in order
      case Op::select:
        return select(value);
      case Op::vec:
        return vector(value);
      case Op::extract:
        return copy(value, operand(value, 0) + static_cast<Slot>(f_.inst(value).imm), 1);
      case Op::read_first_lane:
        copy(value, operand(value, 0), f_.type(value).components);
        p_.code.back().kind = Kind::first_lane;
        return true;
      case Op::any_lane:
        return lanes(Kind::any_lane, value);
      case Op::ballot:
        return lanes(Kind::ballot, value);
      case Op::read_lane:
        return lanes(Kind::read_lane, value);
      case Op::shuffle:
        return lanes(Kind::shuffle, value);
      case Op::bits_below:
        return lanes(Kind::bits_below, value);
      case Op::scan:
      case Op::scan_part:
        return scan(value);
      case Op::quad_permute: {
        Code& code = emit(Kind::quad, value);
        code.a = operand(value, 0);
        code.imm = f_.inst(value).imm;
        return true;
      }
      case Op::bitcast:
        return bitcast(value);
      case Op::builtin:
        emit(Kind::builtin, value).imm = f_.inst(value).imm;
        return true;
      case Op::resource:
        return resource(Kind::resource, value);
      case Op::buffer_key:
        return resource(Kind::key, value);
      case Op::buffer_of:
        return resource(Kind::keyed, value);
      case Op::buffer_size:
        return buffer_size(value);
      case Op::read_clock:
        emit(Kind::clock, value);
        return true;
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
    for (Value operand : f_.operands(value)) types.push_back(f_.type(operand).element());
    const Type type = f_.type(value);
    const ir::Evaluator evaluator = ir::find_evaluator(f_.inst(value).op, type.element(), types, float_controls_);
    if (evaluator == nullptr) return unsupported(value);
    for (unsigned component = 0; component < type.components; ++component) {
      Code& code = emit(Kind::evaluate, value);
      code.evaluator = evaluator;
      code.count = static_cast<uint8_t>(types.size());
      code.dest += component;
      Slot* const slots[] = {&code.a, &code.b, &code.c, &code.d};
      for (unsigned i = 0; i < types.size(); ++i) *slots[i] = operand(value, i) + component;
    }
    return true;
  }

  bool lanes(Kind kind, Value value) {
    Code& code = emit(kind, value);
    code.a = operand(value, 0);
    if (f_.inst(value).operand_count > 1) code.b = operand(value, 1);
    code.count = static_cast<uint8_t>(f_.type(value).components);
    code.imm = f_.inst(value).imm;
    return true;
  }

  bool scan(Value value) {
    const Type types[] = {f_.type(value), f_.type(value)};
    const Op combine = ir::ScanForm::unpack(f_.inst(value).imm).combine;
    const ir::Evaluator evaluator = ir::find_evaluator(combine, types[0], types, float_controls_);
    if (evaluator == nullptr) return unsupported(value);
    Code& code = emit(Kind::scan, value);
    code.evaluator = evaluator;
    code.a = operand(value, 0);
    code.b = operand(value, 1);
    if (code.op == Op::scan) return true;
    code.c = operand(value, 2);
    code.d = operand(value, 3);
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
      code.count = 3;
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

  bool resource(Kind kind, Value value) {
    Code& code = emit(kind, value);
    code.a = operand(value, 0);
    code.imm = f_.inst(value).imm;
    return true;
  }

  bool memory(Value value) {
    const Inst& inst = f_.inst(value);
    const ir::MemoryAccess access = f_.access(value);
    const unsigned offset = has_base(access.storage) ? 1 : 0;
    if (offset != 0 && access.storage != ir::StorageClass::global && !is_resource(value)) return unsupported(value);
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
    const uint32_t edge = blocks_[id].first_edge;
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
    table.default_edge = blocks_[id].first_edge;
    const ir::Block& block = f_.block(id);
    for (uint32_t i = 0; i < block.cases.size(); ++i) {
      table.cases.push_back({block.cases[i], blocks_[id].first_edge + 1 + i});
    }
    std::sort(table.cases.begin(), table.cases.end(),
              [](const Switch::Case& a, const Switch::Case& b) { return a.value < b.value; });
    Code& code = emit(Kind::choose, value);
    code.a = operand(value, 0);
    code.b = static_cast<uint32_t>(p_.switches.size());
    p_.switches.push_back(std::move(table));
    return true;
  }

  const ir::Function& f_;
  ir::FloatControls float_controls_;
  Program p_;
  Error error_;
  IdMap<Value, Slot> slot_;
  IdMap<BlockId, DecodedBlock> blocks_;
};

}  // namespace

Result<Program> decode(const ir::Function& function, ir::FloatControls float_controls) {
  return Decoder(function, float_controls).run();
}

}  // namespace spalt::interp
