// SPDX-License-Identifier: MIT
// What a function does, block by block, for proofs of selection. Blocks of IR and of the code selected from it
// correspond, in the order of the layout. At the start of a block phis are unknown words, the same on both sides, and
// so is memory; what edges bring to the phis is part of what the blocks before do. So loops need no case of their own.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "encoder.h"

namespace spalt::prove {

/// What others see of a block: a store, an atomic operation, an export, a barrier. `what` says all that is no formula.
struct Event {
  std::string what;
  Formulas words;
};

/// What a predecessor brings to one phi; nothing: any value will do.
using Arrival = std::optional<z3::expr>;

struct BlockBehaviour {
  std::vector<Event> events;
  std::optional<z3::expr> taken;           ///< the condition of the first successor, where there are two
  std::vector<unsigned> successors;        ///< by place in the layout
  std::vector<unsigned> predecessors;      ///< of IR: the same, in the order of phis
  bool returns = false;                    ///< lanes end here
  bool never_ends = false;                 ///< its end is never reached
  std::vector<std::vector<Arrival>> phis;  ///< for each phi, from each predecessor
  std::optional<z3::expr> defined;         ///< of IR: false for inputs that the block promises not to get
};

struct FunctionBehaviour {
  std::vector<BlockBehaviour> blocks;
  std::string refusal;  ///< why there are no formulas; empty if there are
};

/// A phi of the IR.
struct PhiFacts {
  ir::Type type;
  bool divergent = true;  ///< lanes may have different values
};
/// Of each block in the order of the layout.
using PhisOfBlocks = std::vector<std::vector<PhiFacts>>;

/// The unknown word that one component of a phi is.
std::string phi_name(unsigned block, size_t phi, unsigned component);
std::string result_name(unsigned block, size_t event);

/// The mask of a condition that each lane has: this lane's bit, and the other lane's in all others. Bitwise operations
/// on masks are those on conditions then.
z3::expr mask_of_lanes(const Inputs& inputs, const z3::expr& lane, const z3::expr& condition);
/// The lanes that run in a block; this lane is one of them.
z3::expr running_lanes(Inputs& inputs, const z3::expr& lane, unsigned block);
/// The word of another lane: an unknown function of each half in this lane and in the other one, and of what `where`
/// says; the own half where all lanes have the same.
z3::expr of_other_lane(const std::string& how, const Inputs& inputs, const z3::expr& word, const Formulas& where);

/// What is in memory: a function of the place. `memory` names it with all that was done to it.
z3::expr loaded(const std::string& memory, unsigned bits, const Formulas& place);
/// The place so many bytes further on.
Formulas further(Formulas place, unsigned bytes);
/// Offsets are sums without wraparound.
constexpr unsigned kPlaceBits = 34;

}  // namespace spalt::prove
