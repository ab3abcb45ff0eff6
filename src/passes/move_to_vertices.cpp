// SPDX-License-Identifier: MIT
#include "passes/move_to_vertices.h"

#include <algorithm>
#include <array>

#include "ir/builder.h"
#include "ir/vertex_work.h"
#include "passes/eliminate_dead_code.h"
#include "passes/movable_work.h"

namespace spalt::passes {

using ir::InterfaceAccess;
using ir::Op;
using ir::Value;

namespace {

/// Whether this shader says nothing of floats; whoever calls knows that the vertex shader does not either.
bool has_default_floats(const ir::Module& module) {
  return module.float_mode == ir::kDefaultFloatMode && !module.must_flush_f16 && !module.must_flush_f32 &&
         !module.must_flush_f64;
}

/// Where components go: those that pass in the same way fill vectors in the order in which they come.
class Packing {
 public:
  uint32_t add(PassedAs passed) { return counts_[static_cast<unsigned>(passed)]++; }
  uint32_t vectors() const { return first_vector(kPassedAs); }
  /// `index`: what add() gave. Once all are added.
  InterfaceAccess place(PassedAs passed, uint32_t index) const {
    InterfaceAccess access;
    access.number = static_cast<uint8_t>(first_vector(static_cast<unsigned>(passed)) + index / 4);
    access.component = static_cast<uint8_t>(index % 4);
    return access;
  }

 private:
  uint32_t first_vector(unsigned passed) const {
    uint32_t sum = 0;
    for (unsigned i = 0; i < passed; ++i) sum += (counts_[i] + 3) / 4;
    return sum;
  }

  std::array<uint32_t, kPassedAs> counts_{};
};

/// More is no help: a vertex is not cheaper than the few fragments of a small triangle.
constexpr size_t kMaxMoved = 128;

class Mover {
 public:
  Mover(ir::Module& module, CompileContext& context)
      : module_(module),
        function_(module.functions[0]),
        work_(module.vertex_work),
        movable_(module, context),
        slots_(context.scratch, movable_.output_slots().count(), Slot()),
        copies_(context.scratch, function_.value_capacity(), Value()),
        moved_(context.scratch) {}

  bool run() {
    number_components();
    if (moved_.size() > kMaxMoved) return false;
    if (moved_.empty() && packing_.vectors() >= vectors_before()) return false;
    write_work();
    rewrite();
    return true;
  }

 private:
  /// A component that the vertex shader puts out without the work.
  struct Slot {
    static constexpr uint32_t kNone = ~0u;
    uint32_t index = kNone;  ///< in the packing; kNone: the fragment shader does not read it
    Value input;             ///< of the work
    bool is_read = false;
    bool passed_on = false;
  };
  struct Moved {
    Value value;
    bool is_read = false;
    uint32_t index = 0;  ///< in the packing, if it is read
  };

  InterfaceAccess access_of(Value input) const { return InterfaceAccess::unpack(function_.inst(input).imm); }

  void number_components() {
    for (Value input : movable_.inputs()) {
      const InterfaceAccess access = access_of(input);
      Slot& slot = slots_[movable_.output_slots().number(access)];
      slot.is_read = true;
      if (slot.index == Slot::kNone && movable_.stays(input)) slot.index = packing_.add(passed_as(access));
    }
    for (Value value : movable_.operations()) {
      if (!movable_.is_moved(value)) continue;
      Moved moved{value, movable_.is_read(value)};
      if (moved.is_read) moved.index = packing_.add(passed_as(movable_.interpolation(value)));
      moved_.push_back(moved);
    }
  }

  uint32_t vectors_before() const {
    uint32_t sum = 0;
    for (size_t i = 0; i < slots_.size(); i += 4) {
      const auto is_read = [](const Slot& slot) { return slot.is_read; };
      sum += std::any_of(&slots_[i], &slots_[i] + 4, is_read) ? 1 : 0;
    }
    return sum;
  }

  // ---- what the vertices do ----

  void write_work() {
    work_.name = "vertex_work";
    const ir::BlockId block = work_.create_block();
    work_.edit_layout().push_back(block);
    ir::Builder builder(work_);
    builder.set_end(block);
    for (const Moved& moved : moved_) copies_[moved.value.index] = copy(moved.value, builder);
    const auto put_out = [&](const InterfaceAccess& place, Value value) {
      builder.insert(Op::output, ir::kVoid, {&value, 1}, place.pack(), 0);
    };
    for (Value input : movable_.inputs()) {
      const InterfaceAccess access = access_of(input);
      Slot& slot = slots_[movable_.output_slots().number(access)];
      if (slot.index == Slot::kNone || slot.passed_on) continue;
      put_out(packing_.place(passed_as(access), slot.index), input_of_work(input, builder));
      slot.passed_on = true;
    }
    for (const Moved& moved : moved_) {
      if (moved.is_read) put_out(place_of(moved), copies_[moved.value.index]);
    }
    builder.ret();
  }

  /// Where this module takes freedoms away, those of the vertex shader's do not count either.
  Value copy(Value value, ir::Builder& builder) {
    const ir::Inst& inst = function_.inst(value);
    SmallVector<Value, 4> operands;
    for (Value operand : function_.operands(value)) operands.push_back(operand_of_work(operand, builder));
    const bool on_floats = inst.type.is_float() || function_.type(function_.operand(value, 0)).is_float();
    const uint16_t freedoms = ir::fast_math(module_.float_controls(), ir::kF32, inst.flags);
    const bool restricted = on_floats && freedoms != ir::kAllFastMath;
    const auto flags = static_cast<uint16_t>(inst.flags | (restricted ? freedoms | ir::kPrecise : 0));
    return builder.insert(inst.op, inst.type, operands.span(), inst.imm, flags);
  }

  Value operand_of_work(Value operand, ir::Builder& builder) {
    const ir::Inst& inst = function_.inst(operand);
    if (inst.op == Op::constant) return work_.constant(inst.type, inst.imm);
    if (inst.op != Op::input) return copies_[operand.index];
    const Value input = input_of_work(operand, builder);
    return work_.type(input) == inst.type ? input : builder.bitcast(inst.type, input);
  }

  /// Each component once, with the type of who reads it first.
  Value input_of_work(Value input, ir::Builder& builder) {
    const InterfaceAccess access = access_of(input);
    Slot& slot = slots_[movable_.output_slots().number(access)];
    if (slot.input.valid()) return slot.input;
    InterfaceAccess passed;
    passed.number = access.number;
    passed.component = access.component;
    slot.input = builder.insert(Op::input, function_.type(input), {}, passed.pack(), 0);
    return slot.input;
  }

  InterfaceAccess place_of(const Moved& moved) const {
    return packing_.place(passed_as(movable_.interpolation(moved.value)), moved.index);
  }

  // ---- what is left for the fragments ----

  /// Inputs that nobody reads any more, and what results are made of, are dead code then.
  void rewrite() {
    for (Value input : movable_.inputs()) {
      InterfaceAccess access = access_of(input);
      const Slot& slot = slots_[movable_.output_slots().number(access)];
      if (slot.index == Slot::kNone) continue;
      const InterfaceAccess place = packing_.place(passed_as(access), slot.index);
      access.number = place.number;
      access.component = place.component;
      function_.inst(input).imm = access.pack();
    }
    for (const Moved& moved : moved_) {
      if (!moved.is_read) continue;
      InterfaceAccess access = movable_.interpolation(moved.value);
      const InterfaceAccess place = place_of(moved);
      access.number = place.number;
      access.component = place.component;
      function_.set_operation(moved.value, Op::input, function_.type(moved.value), access.pack(), 0);
      function_.set_operands(moved.value, {});
    }
  }

  ir::Module& module_;
  ir::Function& function_;
  ir::Function& work_;
  MovableWork movable_;
  Vector<Slot> slots_;
  Vector<Value> copies_;
  Vector<Moved> moved_;  ///< in the order of the layout
  Packing packing_;
};

}  // namespace

bool move_to_vertices(ir::Module& module, CompileContext& context) {
  const ir::Function& function = module.functions[0];
  if (!function.operations().has(Op::input) || !has_default_floats(module)) return false;
  const ArenaScope scope(context.scratch);
  if (!Mover(module, context).run()) return false;
  eliminate_dead_code(module.functions[0], context);
  return true;
}

}  // namespace spalt::passes
