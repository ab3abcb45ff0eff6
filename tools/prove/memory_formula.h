// SPDX-License-Identifier: MIT
#pragma once
#include "formula.h"
#include "ir/function.h"
#include "ir/module.h"

namespace spalt::prove {

/// What an invocation changes: arrays of memory, and a token that stands for all effects so far, in their order. An
/// effect makes a new token, an unknown function of the old one and of its operands; so tokens are certainly equal only
/// if the same effects came in the same order. What an effect gives is a function of the token as well.
struct State {
  z3::expr token;
  z3::expr buffers, shared, scratch;

  bool is(const State& other) const;  ///< the same formulas
  static State merge(const z3::expr& condition, const State& a, const State& b);
};

/// Loads, stores and effects. Memory has no bounds here: what an access outside of its buffer does is not looked at.
class Memory {
 public:
  /// `granule` is the unit of the arrays in bytes: no access is less aligned or has smaller parts.
  Memory(z3::context& context, const ir::Module& module, unsigned granule, bool shares_all);

  State initial();
  /// Unknown, but the same for all that use this name.
  State unknown_state(const std::string& name);
  Formulas load(ir::Type type, const ir::MemoryAccess& access, const std::vector<Formulas>& operands,
                const State& state);
  void store(const ir::MemoryAccess& access, const std::vector<Formulas>& operands, State& state);
  /// An effect with these operands and its results, if it has any.
  Formulas effect(const std::string& name, ir::Type type, const Formulas& operands, State& state);
  /// Before an effect that others wait for, and after one that waits for others.
  void publish(State& state);
  void acquire(State& state);
  /// Somebody else may write the place of an atomic operation at any time.
  void atomic(const ir::MemoryAccess& access, unsigned bytes, const std::vector<Formulas>& operands, State& state);

 private:
  z3::expr index(const ir::MemoryAccess& access, const std::vector<Formulas>& operands);
  /// Which of the memories.
  static z3::expr State::*array(ir::StorageClass storage);
  z3::expr read_only_array(ir::StorageClass storage);
  z3::expr new_array(const std::string& name, const z3::expr& token);
  z3::expr at(const z3::expr& first, unsigned unit);

  z3::context& c_;
  const ir::Module& module_;
  unsigned granule_;
  bool shares_all_;
};

/// The largest granule that does for all accesses of the function.
unsigned find_granule(const ir::Function& function);
/// Whether some access goes to any buffer by its address.
bool has_global_access(const ir::Function& function);

}  // namespace spalt::prove
