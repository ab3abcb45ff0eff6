// SPDX-License-Identifier: MIT
// Internal to src/passes: what of a fragment shader its vertex shader could compute.
#pragma once
#include <span>

#include "base/compile_context.h"
#include "base/vector.h"
#include "ir/interface.h"
#include "ir/module.h"

namespace spalt::passes {

/// What shares vectors of four: the hardware passes all components of a vector in one way.
enum class PassedAs : uint8_t { varying, flat, per_vertex };
constexpr unsigned kPassedAs = static_cast<unsigned>(PassedAs::per_vertex) + 1;

PassedAs passed_as(const ir::InterfaceAccess& input);
bool is_location_input(const ir::Inst& inst);

/// Numbers of the components that a vertex shader puts out, by how they pass, location and component. Several inputs
/// may read one. Few locations are used as a rule, so that tables by number are small.
class OutputSlots {
 public:
  OutputSlots(const ir::Function& function, std::span<const ir::Value> inputs);
  uint32_t count() const { return kPassedAs * locations_ * 4; }
  uint32_t number(const ir::InterfaceAccess& input) const {
    return (static_cast<uint32_t>(passed_as(input)) * locations_ + input.number) * 4 + input.component;
  }

 private:
  uint32_t locations_ = 0;
};

/// The idea: a value is movable if it is an input, or an operation that vertices may do on movable values and constants
/// (move_to_vertices.h says which). A walk forward finds the movable ones, a walk backward which of them the fragment
/// shader itself needs: needed movable operations (roots) become inputs, what they are made of goes to the vertices.
///
/// Roots that share inputs are decided about together, since only all of them set the inputs free: a set is what is
/// joined by operands. Before, it takes the components of its inputs; after, one for each root and one for each input
/// that the fragment shader needs as it is. It moves if these are no more.
///
/// Operands stand before their users in the layout but for those of phis, which are never movable. Linear in
/// instructions and operands, but for the union of sets. Lists are in the scratch memory.
class MovableWork {
 public:
  MovableWork(const ir::Module& module, CompileContext& context);

  /// Of locations, in the order of the layout.
  std::span<const ir::Value> inputs() const { return inputs_; }
  const OutputSlots& output_slots() const { return numbers_; }
  /// Movable ones, in the order of the layout.
  std::span<const ir::Value> operations() const { return operations_; }
  /// Whether the fragment shader still reads the input.
  bool stays(ir::Value input) const { return slots_[slot_of(input)].needed || !moves(input); }
  /// Whether the vertices compute the operation.
  bool is_moved(ir::Value operation) const { return is_work(operation) && moves(operation); }
  /// Of a moved operation: whether the fragment shader reads its result.
  bool is_read(ir::Value operation) const { return is_root(operation); }
  /// How the result of a moved operation is interpolated: an input without a place of its own.
  ir::InterfaceAccess interpolation(ir::Value operation) const;

 private:
  /// How a value comes from the vertices. Those from kVarying on are interpolated, each number in its own way.
  using Kind = uint8_t;
  static constexpr Kind kFixed = 0, kEqual = 1, kFlat = 2, kVarying = 3;
  static constexpr uint8_t kNeeded = 1, kWork = 2;
  struct Slot {
    bool read = false;    ///< by any input
    bool needed = false;  ///< as it is
  };
  struct Counts {
    uint32_t inputs = 0, kept = 0, roots = 0;
    bool moves() const { return roots != 0 && roots + kept <= inputs; }
  };

  static Vector<ir::Value> find_inputs(const ir::Function& function, CompileContext& context);
  void classify();
  static Kind kind_of_input(const ir::Inst& inst);
  Kind common_kind(ir::Value value) const;
  bool is_factor(ir::Value value) const;
  bool is_linear(ir::Value value) const;
  void mark_operands(ir::Value value, uint8_t state);
  void find_needs();
  void find_needs(ir::Value value);
  bool is_root(ir::Value value) const;
  bool is_work(ir::Value value) const { return is_root(value) || (states_[value.index] & kWork) != 0; }
  uint32_t slot_of(ir::Value input) const;
  uint32_t member_of(ir::Value value) const;
  uint32_t set_of(uint32_t member) const;
  void join();
  void count();
  bool moves(ir::Value value) const { return counts_[set_of(member_of(value))].moves(); }

  const ir::Module& module_;
  const ir::Function& function_;
  Vector<Kind> kinds_;
  Vector<uint8_t> states_;
  mutable Vector<uint32_t> sets_;  ///< by value, then by slot: who stands for the set, or one on the way to it
  Vector<Counts> counts_;          ///< at who stands for the set
  Vector<ir::Value> inputs_, operations_;
  OutputSlots numbers_;
  Vector<Slot> slots_;
};

}  // namespace spalt::passes
