// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <functional>
#include <map>
#include <optional>

#include "memory_formula.h"

namespace spalt::prove {

/// What a loop starts its first turn with, or a further one.
struct LoopEdge {
  uint32_t header;  ///< number of the block
  bool is_back;
  z3::expr runs;
  std::map<uint32_t, Formulas> phis;  ///< by number of the value
  State state;
};

/// Conditions one of which holds if the two differ, smaller ones: of two arrays that came from one by as many stores,
/// that places or data differ. False if the two are not alike.
bool take_apart(const z3::expr& before, const z3::expr& after, std::vector<z3::expr>& unequal);

/// What one function does, as formulas over what it gets.
struct Behaviour {
  Formulas returned;  ///< components of the result
  ir::Type return_type;
  std::optional<State> state;  ///< at the end
  z3::expr defined;            ///< false for inputs that the function promises not to get
  Formulas free;               ///< what each use of undef is
  std::vector<LoopEdge> loops;
  std::map<uint32_t, Formulas> phis;            ///< of loop headers, what they are in a turn
  std::vector<Formulas> values;                 ///< by number; those of operations
  std::map<uint32_t, State> states;             ///< after operations that change it, by their numbers
  std::vector<std::optional<z3::expr>> guards;  ///< conditions under which blocks run, by number
  std::string refusal;                          ///< why there is no such formula; empty if there is one
};

struct EncodeOptions {
  Semantics semantics;
  bool one_nan = false;   ///< floats that are observed: all NaN are one
  bool one_zero = false;  ///< and all zeros
  bool freedoms = false;  ///< what `no_nan` and `no_inf` rule out is not looked at
  unsigned granule = 4;
  bool shares_all = false;
  const Behaviour* before = nullptr;  ///< of the function before the pass
  /// Whether a difference is certainly none; null: nobody asks.
  std::function<bool(const z3::expr& differs)> agrees;
  std::array<uint32_t, 3> max_workgroups{0xffffffff, 0xffff, 0xffff};
  std::string side;  ///< prefix of the names of what is not shared
};

/// The inputs, by name, in the order in which they were met.
class Inputs {
 public:
  explicit Inputs(z3::context& context) : c_(context) {}
  z3::expr get(const std::string& name, unsigned width, bool per_lane);
  /// The formula for another lane.
  z3::expr other_lane(const z3::expr& formula) const;
  const std::vector<std::pair<std::string, z3::expr>>& all() const { return all_; }

 private:
  z3::context& c_;
  std::map<std::string, size_t> index_;
  std::vector<std::pair<std::string, z3::expr>> all_;
  Formulas lane_, other_;
};

Behaviour encode(z3::context& context, Inputs& inputs, const ir::Module& module, const ir::Function& function,
                 const EncodeOptions& options);

}  // namespace spalt::prove
