// SPDX-License-Identifier: MIT
#include "block_behaviour.h"

namespace spalt::prove {

std::string phi_name(unsigned block, size_t phi, unsigned component) {
  return "phi " + std::to_string(phi) + "." + std::to_string(component) + " of block " + std::to_string(block);
}

std::string result_name(unsigned block, size_t event) {
  return "result of effect " + std::to_string(event) + " of block " + std::to_string(block);
}

z3::expr mask_of_lanes(const Inputs& inputs, const z3::expr& lane, const z3::expr& condition) {
  z3::context& c = lane.ctx();
  const unsigned bits = lane.get_sort().bv_size();
  const z3::expr place = z3::shl(number(c, 1, bits), lane);
  const z3::expr own = z3::ite(condition, place, number(c, 0, bits));
  const z3::expr others = z3::ite(inputs.other_lane(condition), number(c, ~uint64_t{0}, bits), number(c, 0, bits));
  return (others & ~place) | own;
}

z3::expr running_lanes(Inputs& inputs, const z3::expr& lane, unsigned block) {
  const unsigned bits = lane.get_sort().bv_size();
  const z3::expr others = inputs.get("exec of block " + std::to_string(block), bits, false);
  return others | z3::shl(number(lane.ctx(), 1, bits), lane);
}

z3::expr of_other_lane(const std::string& how, const Inputs& inputs, const z3::expr& word, const Formulas& where) {
  constexpr unsigned kHalf = 16;
  const unsigned bits = word.get_sort().bv_size();
  Formulas halves;
  for (unsigned first = 0; first < bits; first += kHalf) {
    const z3::expr half = word.extract(first + kHalf - 1, first).simplify(), other = inputs.other_lane(half);
    if (z3::eq(half, other)) {
      halves.push_back(half);
      continue;
    }
    Formulas operands = {half, other};
    operands.insert(operands.end(), where.begin(), where.end());
    halves.push_back(unknown(how, kHalf, operands));
  }
  return joined_words(halves);
}

z3::expr loaded(const std::string& memory, unsigned bits, const Formulas& place) {
  return unknown("load " + memory, bits, further(place, 0));
}

Formulas further(Formulas place, unsigned bytes) {
  z3::expr& last = place.back();
  if (bytes != 0) last = last + number(last.ctx(), bytes, last.get_sort().bv_size());
  for (z3::expr& word : place) word = word.simplify();
  return place;
}

}  // namespace spalt::prove
