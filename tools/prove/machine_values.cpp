// SPDX-License-Identifier: MIT
#include "machine_values.h"

#include <algorithm>
#include <array>

#include "amdgpu/mir/opcode.h"

namespace spalt::prove {

using mir::Opcode;

bool reads_lanes(std::string_view name, const isa::Modifiers& m) {
  constexpr std::array<std::string_view, 10> kNames = {
      "v_readfirstlane_b32", "v_readlane_b32",   "v_writelane_b32",   "ds_bpermute_b32",  "ds_permute_b32",
      "ds_swizzle_b32",      "v_permlane16_b32", "v_permlanex16_b32", "v_permlane64_b32", "v_interp_p2_f32"};
  return m.dpp_ctrl != 0 || m.dpp8 != 0 || std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

z3::expr MachineValues::read_register(isa::Reg reg, unsigned dwords) {
  std::optional<z3::expr> all;
  for (unsigned i = 0; i < dwords; ++i) {
    const isa::Reg one = reg.offset(static_cast<int>(i));
    const auto found = registers_.find(one.number);
    const z3::expr word = found != registers_.end()
                              ? found->second
                              : inputs_.get("register " + std::to_string(one.number), 32, one.is_vgpr());
    all = all ? z3::concat(word, *all) : word;
  }
  return *all;
}

z3::expr MachineValues::read(const mir::Operand& operand, unsigned dwords) {
  using Kind = mir::Operand::Kind;
  switch (operand.kind) {
    case Kind::vreg:
      is_read_[operand.value] = true;
      if (!values_[operand.value].has_value()) return fresh("unset", 32 * operand.dwords);
      return *values_[operand.value];
    case Kind::reg:
      return read_register(operand.reg, operand.dwords);
    case Kind::imm:
      // Constants of 64 bits are words with their sign.
      return dwords == 2 ? z3::sext(number(c_, operand.value, 32), 32) : number(c_, operand.value, 32);
    case Kind::table:
      return inputs_.get("distance to the tables", 32, false);
    default:
      return fresh("undef", 32 * std::max<unsigned>(operand.dwords, 1));
  }
}

z3::expr MachineValues::joined(std::span<const mir::Operand> uses) {
  z3::expr whole = read(uses[0], 1);
  for (size_t i = 1; i < uses.size(); ++i) whole = z3::concat(read(uses[i], 1), whole);
  return whole;
}

z3::expr MachineValues::fresh(const std::string& what, unsigned bits) {
  return c_.bv_const((side_ + what + "." + std::to_string(fresh_++)).c_str(), bits);
}

void MachineValues::write(const mir::Operand& def, z3::expr value) {
  value = resize(value, 32 * def.dwords);
  if (def.is_vreg()) values_[def.value] = value;
  if (!def.reg.valid() || def.reg == isa::kNull) return;
  for (unsigned i = 0; i < def.dwords; ++i) {
    registers_.insert_or_assign(def.reg.offset(static_cast<int>(i)).number, value.extract(32 * i + 31, 32 * i));
  }
}

z3::expr MachineValues::mask_of(const z3::expr& condition) {
  const z3::expr bit = z3::zext(from_bool(condition), mask_bits_ - 1);
  const z3::expr others = unknown("others", mask_bits_, {inputs_.other_lane(from_bool(condition))});
  const z3::expr place = z3::shl(number(c_, 1, mask_bits_), lane_);
  return (others & ~place) | z3::shl(bit, lane_);
}

bool MachineValues::move(mir::InstId id) {
  const auto defs = f_.defs(id);
  const auto uses = f_.uses(id);
  switch (f_.insts[id].opcode) {
    case Opcode::p_vec:
      write(defs[0], joined(uses));
      return true;
    case Opcode::p_split: {
      const z3::expr whole = read(uses[0], 1);
      unsigned at = 0;
      for (const mir::Operand& def : defs) {
        write(def, whole.extract(32 * (at + def.dwords) - 1, 32 * at));
        at += def.dwords;
      }
      return true;
    }
    case Opcode::p_extract: {
      const unsigned first = 32 * uses[1].value;
      write(defs[0], read(uses[0], 1).extract(first + 32 * defs[0].dwords - 1, first));
      return true;
    }
    case Opcode::p_parallel_copy: {
      Formulas words;
      for (size_t i = 0; i < uses.size(); ++i) words.push_back(read(uses[i], defs[i].dwords));
      for (size_t i = 0; i < words.size(); ++i) write(defs[i], words[i]);
      return true;
    }
    case Opcode::p_logical_start:
    case Opcode::p_logical_end:
      return true;
    default:
      return false;
  }
}

}  // namespace spalt::prove
