// SPDX-License-Identifier: MIT
// Parallel copies against a model: all sources are read before any target is written.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

#include "amdgpu/expand/expand.h"

namespace spalt::expand {
namespace {

using mir::InstId;
using mir::Opcode;
using mir::Operand;

/// What the emitted instructions do to a register file that starts with register n holding n + 1000.
class Machine {
 public:
  uint32_t read(const Operand& operand, unsigned dword = 0) {
    if (operand.is_imm()) return operand.value;
    const uint16_t number = operand.reg.offset(static_cast<int>(dword)).number;
    const auto at = registers_.find(number);
    return at != registers_.end() ? at->second : number + 1000u;
  }
  void write(isa::Reg reg, uint32_t value) { registers_[reg.number] = value; }

  void run(const mir::Function& function, const mir::InstList& code) {
    for (InstId id : code) {
      const auto defs = function.defs(id);
      const auto uses = function.uses(id);
      switch (function.insts[id].opcode) {
        case Opcode::s_mov_b32:
        case Opcode::v_mov_b32:
          write(defs[0].reg, read(uses[0]));
          break;
        case Opcode::s_mov_b64: {
          ASSERT_EQ(defs[0].reg.number % 2, 0);
          ASSERT_EQ(uses[0].reg.number % 2, 0);
          const uint32_t low = read(uses[0]), high = read(uses[0], 1);
          write(defs[0].reg, low);
          write(defs[0].reg.offset(1), high);
          break;
        }
        case Opcode::v_swap_b32: {
          const uint32_t a = read(defs[0]), b = read(uses[0]);
          write(defs[0].reg, b);
          write(uses[0].reg, a);
          break;
        }
        default:
          FAIL() << mir::name(function.insts[id].opcode);
      }
    }
  }

 private:
  std::map<uint16_t, uint32_t> registers_;
};

void check(Vector<Move> moves) {
  mir::Function function(*isa::find_target("gfx1030"), 32);
  const Vector<Move> wanted = moves;
  mir::InstList code;
  sequentialize(function, moves, code);
  Machine machine, untouched;
  machine.run(function, code);
  for (const Move& move : wanted) {
    if (move.from.kind == Operand::Kind::undef) continue;
    ASSERT_EQ(machine.read(Operand::physical(move.to)), untouched.read(move.from)) << "register " << move.to.number;
  }
}

TEST(Sequentialize, SwapsAndRotations) {
  for (const bool vector : {false, true}) {
    const auto reg = [vector](unsigned i) { return vector ? isa::vgpr(i) : isa::sgpr(i); };
    const auto from = [&](unsigned i) { return Operand::physical(reg(i)); };
    check({{reg(0), from(1)}, {reg(1), from(0)}});
    check({{reg(0), from(1)}, {reg(1), from(2)}, {reg(2), from(0)}});
    check({{reg(4), from(5)}, {reg(5), from(4)}, {reg(6), from(4)}, {reg(7), Operand::immediate(9)}});
    check({{reg(0), Operand::undefined(1)}, {reg(1), from(1)}});
  }
}

TEST(Sequentialize, NeighbouringScalarsMoveTogether) {
  mir::Function function(*isa::find_target("gfx1030"), 32);
  Vector<Move> moves{{isa::sgpr(4), Operand::physical(isa::sgpr(8))}, {isa::sgpr(5), Operand::physical(isa::sgpr(9))}};
  mir::InstList code;
  sequentialize(function, moves, code);
  ASSERT_EQ(code.size(), 1u);
  EXPECT_EQ(function.insts[code[0]].opcode, Opcode::s_mov_b64);
}

TEST(Sequentialize, RandomMoves) {
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    const bool vector = random() % 2 == 0;
    Vector<Move> moves;
    std::vector<unsigned> targets(12);
    for (unsigned i = 0; i < 12; ++i) targets[i] = i;
    std::shuffle(targets.begin(), targets.end(), random);
    const unsigned count = 1 + random() % 12;
    for (unsigned i = 0; i < count; ++i) {
      const unsigned source = random() % 14;
      const auto reg = [vector](unsigned n) { return vector ? isa::vgpr(n) : isa::sgpr(n); };
      moves.push_back({reg(targets[i]), source < 12 ? Operand::physical(reg(source)) : Operand::immediate(source)});
    }
    check(moves);
  }
}

}  // namespace
}  // namespace spalt::expand
