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

z3::expr in_first_lane(const Inputs& inputs, const z3::expr& word) {
  const z3::expr simple = word.simplify(), other = inputs.other_lane(simple);
  if (z3::eq(simple, other)) return simple;
  return unknown("first lane", simple.get_sort().bv_size(), {simple, other});
}

z3::expr loaded(const std::string& memory, unsigned bits, const Formulas& place) {
  return unknown("load " + memory, bits, place);
}

Formulas further(Formulas place, unsigned bytes) {
  z3::expr& last = place.back();
  if (bytes != 0) last = (last + number(last.ctx(), bytes, last.get_sort().bv_size())).simplify();
  return place;
}

}  // namespace spalt::prove
