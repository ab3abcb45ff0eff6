// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "amdgpu/expand/expand.h"
#include "base/ice.h"

namespace spalt::expand {
namespace {

using mir::InstId;
using mir::Opcode;
using mir::Operand;

class Sequentializer {
 public:
  Sequentializer(mir::Function& function, Vector<Move>& moves, mir::InstList& out)
      : function_(function), moves_(moves), out_(out) {}

  void run() {
    erase_if(moves_, [](const Move& move) { return is_nop(move); });
    // A move may go as soon as no other pending move reads its target. Each round emits at least one move or breaks a
    // cycle.
    while (!moves_.empty()) {
      if (!emit_ready()) break_cycle();
      erase_if(moves_, [](const Move& move) { return is_nop(move); });
    }
  }

 private:
  static bool is_nop(const Move& move) {
    return move.from.kind == Operand::Kind::undef || (move.from.kind == Operand::Kind::reg && move.from.reg == move.to);
  }

  bool is_read(isa::Reg reg, size_t except) const {
    for (size_t i = 0; i < moves_.size(); ++i) {
      if (i != except && moves_[i].from.kind == Operand::Kind::reg && moves_[i].from.reg == reg) return true;
    }
    return false;
  }

  bool emit_ready() {
    bool progress = false;
    for (size_t i = 0; i < moves_.size();) {
      if (is_read(moves_[i].to, i)) {
        ++i;
        continue;
      }
      if (!emit_pair(i)) {
        emit_move(moves_[i]);
        moves_.erase(moves_.begin() + static_cast<long>(i));
      }
      progress = true;
    }
    return progress;
  }

  /// Two scalar moves to an aligned pair become one s_mov_b64, from an aligned pair or of a constant.
  bool emit_pair(size_t index) {
    const Move move = moves_[index];
    if (move.to.is_vgpr()) return false;
    const bool is_low = move.to.number % 2 == 0;
    for (size_t i = 0; i < moves_.size(); ++i) {
      if (i == index || moves_[i].to != move.to.offset(is_low ? 1 : -1)) continue;
      const Operand from = is_low ? joined(move.from, moves_[i].from) : joined(moves_[i].from, move.from);
      if (from.kind == Operand::Kind::none || is_read(moves_[i].to, i) || is_read(move.to, index)) return false;
      emit(Opcode::s_mov_b64, Operand::physical(is_low ? move.to : moves_[i].to, 2), from);
      moves_.erase(moves_.begin() + static_cast<long>(std::max(i, index)));
      moves_.erase(moves_.begin() + static_cast<long>(std::min(i, index)));
      return true;
    }
    return false;
  }

  /// The operand of a 64-bit scalar instruction that has these halves, if there is one.
  static Operand joined(const Operand& low, const Operand& high) {
    if (low.is_imm() && high.is_imm() && is_extended(low.value, high.value)) return Operand::immediate(low.value);
    if (low.kind != Operand::Kind::reg || high.kind != Operand::Kind::reg) return {};
    const bool is_pair = low.reg.number % 2 == 0 && high.reg == low.reg.offset(1);
    return is_pair && (low.reg.is_sgpr() || low.reg == isa::kVcc) ? Operand::physical(low.reg, 2) : Operand();
  }
  /// Inline integers are extended to 64 bits by their sign.
  static bool is_extended(uint32_t low, uint32_t high) {
    const auto number = static_cast<int32_t>(low);
    return number >= -16 && number <= 64 && high == (number < 0 ? 0xffffffffu : 0);
  }

  void emit(Opcode opcode, Operand def, Operand use) {
    out_.push_back(function_.create(opcode, std::span<const Operand>(&def, 1), std::span<const Operand>(&use, 1)));
  }

  void emit_move(const Move& move) {
    emit(move.to.is_vgpr() ? Opcode::v_mov_b32 : Opcode::s_mov_b32, Operand::physical(move.to), move.from);
  }

  /// Every pending move is part of a cycle or waits for one. VGPRs swap; SGPRs go through m0.
  void break_cycle() {
    const Move move = moves_.front();
    if (move.to.is_vgpr()) {
      const Operand a = Operand::physical(move.to), b = Operand::physical(move.from.reg);
      const Operand defs[] = {a, b}, uses[] = {b, a};
      out_.push_back(function_.create(Opcode::v_swap_b32, defs, uses));
      for (Move& other : moves_) {
        if (other.from.kind != Operand::Kind::reg) continue;
        if (other.from.reg == move.to) {
          other.from.reg = move.from.reg;
        } else if (other.from.reg == move.from.reg) {
          other.from.reg = move.to;
        }
      }
      return;
    }
    emit(Opcode::s_mov_b32, Operand::physical(isa::kM0), Operand::physical(move.to));
    for (Move& other : moves_) {
      if (other.from.kind == Operand::Kind::reg && other.from.reg == move.to) other.from.reg = isa::kM0;
    }
  }

  mir::Function& function_;
  Vector<Move>& moves_;
  mir::InstList& out_;
};

}  // namespace

void sequentialize(mir::Function& function, Vector<Move>& moves, mir::InstList& out) {
  Sequentializer(function, moves, out).run();
}

}  // namespace spalt::expand
