// SPDX-License-Identifier: MIT
#pragma once
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

/// What one function does, as formulas over what it gets.
struct Behaviour {
  Formulas returned;  ///< components of the result
  ir::Type return_type;
  std::optional<State> state;  ///< at the end
  z3::expr defined;            ///< false for inputs that the function promises not to get
  Formulas free;               ///< what each use of undef is
  std::vector<LoopEdge> loops;
  std::map<uint32_t, Formulas> phis;  ///< of loop headers, what they are in a turn
  std::string refusal;                ///< why there is no such formula; empty if there is one
};

struct EncodeOptions {
  Semantics semantics;
  bool one_nan = false;   ///< floats that are observed: all NaN are one
  bool one_zero = false;  ///< and all zeros
  bool freedoms = false;  ///< what `no_nan` and `no_inf` rule out is not looked at
  unsigned granule = 4;
  bool shares_all = false;
  const std::map<uint32_t, Formulas>* phis_before = nullptr;  ///< those of the function before the pass
  std::string side;                                           ///< prefix of the names of what is not shared
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
