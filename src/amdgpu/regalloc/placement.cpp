// SPDX-License-Identifier: MIT
#include "amdgpu/regalloc/placement.h"

#include <algorithm>
#include <vector>

#include "amdgpu/regalloc/assign.h"

namespace spalt::regalloc {
namespace {

/// Registers between others that are not free. Single values fill them, so that tuples find room.
inline RegisterSet holes(const RegisterSet& free) {
  return free - (free.shifted_down(1) | free.shifted_up_one());
}

/// Tuples of more than two SGPRs do not reach into vcc.
RegisterSet possible(mir::RegFile file, RegisterSet free, unsigned dwords) {
  if (file == mir::RegFile::sgpr && dwords > 2) free.remove(kVccIndex, 2);
  return free;
}

}  // namespace

unsigned find_place(mir::RegFile file, const RegisterSet& free, unsigned dwords) {
  if (dwords == 1) {
    const unsigned hole = holes(free).lowest();
    if (hole != RegisterSet::kNone && !(file == mir::RegFile::sgpr && hole >= kVccIndex)) return hole;
    return free.lowest();
  }
  return possible(file, free, dwords).runs(dwords, alignment_of(file, dwords)).lowest();
}

unsigned find_vgprs(const RegisterSet& free, unsigned dwords, unsigned parity) {
  if (dwords != 1) return free.runs(dwords, 1).of_parity(parity).lowest();
  const unsigned hole = holes(free).of_parity(parity).lowest();
  return hole != RegisterSet::kNone ? hole : free.of_parity(parity).lowest();
}

bool Placement::fits(const PlacedValue& value, unsigned index) const {
  if ((value.span & PlacedValue::before) != 0 && before_.overlaps(index, value.dwords)) return false;
  if ((value.span & PlacedValue::after) != 0 && after_.overlaps(index, value.dwords)) return false;
  return true;
}

void Placement::occupy(const PlacedValue& value) {
  if ((value.span & PlacedValue::before) != 0) before_.add(value.index, value.dwords);
  if ((value.span & PlacedValue::after) != 0) after_.add(value.index, value.dwords);
}

void Placement::vacate(const PlacedValue& value) {
  if ((value.span & PlacedValue::before) != 0) before_.remove(value.index, value.dwords);
  if ((value.span & PlacedValue::after) != 0) after_.remove(value.index, value.dwords);
}

bool Placement::place_anywhere(PlacedValue& value) {
  RegisterSet free = allowed_;
  if ((value.span & PlacedValue::before) != 0) free = free - before_;
  if ((value.span & PlacedValue::after) != 0) free = free - after_;
  const unsigned index = find_place(file_, free, value.dwords);
  if (index == RegisterSet::kNone) return false;
  value.index = static_cast<uint16_t>(index);
  value.placed = true;
  occupy(value);
  return true;
}

void Placement::place_required() {
  for (PlacedValue& value : values_) {
    value.placed = !value.movable;
    if (value.placed) occupy(value);
  }
}

/// Larger ones first, those of one size in their order; one pass for each size, of which there are few.
void Placement::order_by_size() {
  unsigned largest = 0;
  for (const PlacedValue& value : values_) largest = std::max<unsigned>(largest, value.dwords);
  order_.clear();
  for (unsigned dwords = largest + 1; dwords-- > 0;) {
    for (uint32_t i = 0; i < values_.size(); ++i) {
      if (values_[i].dwords == dwords) order_.push_back(i);
    }
  }
}

bool Placement::solve() {
  initial_before_ = before_;
  initial_after_ = after_;
  given_.assign(values_);
  if (solve_in_place()) return true;
  before_ = initial_before_;
  after_ = initial_after_;
  values_.assign(given_);
  return repack();
}

/// Most values stay; the others take free places, the largest first. A tuple that finds none takes the window that
/// costs least.
bool Placement::solve_in_place() {
  place_required();
  for (PlacedValue& value : values_) {
    if (value.placed || value.index == RegisterSet::kNone) continue;
    if (!allowed_.contains(value.index, value.dwords) || !fits(value, value.index)) continue;
    value.placed = true;
    occupy(value);
  }
  order_by_size();
  for (uint32_t i : order_) {
    if (!values_[i].placed && !place_anywhere(values_[i]) && !clear_window(values_[i])) return false;
  }
  // Those that had to make room.
  for (uint32_t i : order_) {
    if (!values_[i].placed && !place_anywhere(values_[i])) return false;
  }
  return true;
}

/// Gives `value` the window whose movable occupants have the fewest dwords; they become unplaced. Occupants at least as
/// large as the value would only move the problem.
bool Placement::clear_window(PlacedValue& value) {
  constexpr unsigned kTooMuch = 1000;
  std::array<uint16_t, RegisterSet::kSize> cost{};
  for (const PlacedValue& other : values_) {
    if (!other.placed || (other.span & value.span) == 0) continue;
    const bool stays = !other.movable || other.dwords >= value.dwords;
    for (unsigned i = other.index; i < other.index + other.dwords && i < cost.size(); ++i) {
      cost[i] = static_cast<uint16_t>(cost[i] + (stays ? kTooMuch : 1));
    }
  }
  RegisterSet usable = possible(file_, allowed_, value.dwords);
  if ((value.span & PlacedValue::before) != 0) usable = usable - initial_before_;
  if ((value.span & PlacedValue::after) != 0) usable = usable - initial_after_;
  const RegisterSet starts = usable.runs(value.dwords, alignment_of(file_, value.dwords));
  unsigned best = RegisterSet::kNone, best_cost = kTooMuch;
  for (unsigned start = 0; start < starts.end(); ++start) {
    if (!starts.contains(start)) continue;
    unsigned sum = 0;
    for (unsigned i = start; i < start + value.dwords; ++i) sum += cost[i];
    if (sum >= best_cost) continue;
    best = start;
    best_cost = sum;
  }
  if (best == RegisterSet::kNone) return false;
  for (PlacedValue& other : values_) {
    const bool inside = other.placed && other.index < best + value.dwords && best < other.index + other.dwords;
    if (!inside || (other.span & value.span) == 0) continue;
    vacate(other);
    other.placed = false;
  }
  value.index = static_cast<uint16_t>(best);
  value.placed = true;
  occupy(value);
  return true;
}

/// Everything that may move is packed from the bottom, the largest first. As sizes are multiples of their alignments or
/// smaller than the next one, this wastes next to nothing.
bool Placement::repack() {
  place_required();
  order_by_size();
  for (uint32_t i : order_) {
    if (!values_[i].placed && !place_anywhere(values_[i])) return false;
  }
  return true;
}

}  // namespace spalt::regalloc
