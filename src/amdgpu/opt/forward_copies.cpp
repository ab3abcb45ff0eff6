// SPDX-License-Identifier: MIT
//
// A copy is open from where it is made to where its result is read for the last time or overwritten; then its readers
// are changed and it goes. It is closed, and stays, where that is not possible: something reads a part of it or wants
// just that register, writes the original, or the block ends.
//
// Vector copies move the running lanes only, and their readers run in the same lanes while nothing writes exec. An
// instruction other than a scalar one that reads the original must not write it: it may issue in two halves.
#include "amdgpu/opt/forward_copies.h"

#include <algorithm>
#include <array>
#include <bit>

namespace spalt::opt {
namespace {

using mir::BlockId;
using mir::InstId;
using mir::Opcode;
using mir::Operand;

constexpr unsigned kMaxOpen = 16;
constexpr unsigned kMaxReaders = 8;
constexpr unsigned kRegisters = 512;  ///< numbers of scalar and vector registers

struct Reader {
  InstId inst;
  uint8_t use = 0;
};

struct Copy {
  InstId move;  ///< none: closed
  isa::Reg to, from;
  uint8_t dwords = 1;
  uint8_t reader_count = 0;
  std::array<Reader, kMaxReaders> readers;

  bool is_open() const { return move.valid(); }
};

bool overlap(isa::Reg a, unsigned a_dwords, isa::Reg b, unsigned b_dwords) {
  return a < b.offset(static_cast<int>(b_dwords)) && b < a.offset(static_cast<int>(a_dwords));
}

class CopyForwarder {
 public:
  explicit CopyForwarder(mir::Function& function) : function_(function) {}

  void run() {
    for (BlockId block : function_.layout) {
      auto& insts = function_.blocks[block].insts;
      for (InstId inst : insts) visit(inst);
      close_all();
      if (dropped_ == 0) continue;
      erase_if(insts, [&](InstId inst) { return function_.insts[inst].pass_flags == kDropped; });
      dropped_ = 0;
    }
  }

 private:
  static constexpr uint16_t kDropped = 0x8000;  ///< mir::Inst::pass_flags; other passes leave small ones

  uint32_t bit(const Copy& copy) const { return 1u << (&copy - copies_.data()); }
  /// Calls visit(copy) for the copies of the set that are open by then.
  template <class Visit>
  void for_each_of(uint32_t set, Visit&& visit) {
    for (; set != 0; set &= set - 1) {
      Copy& copy = copies_[static_cast<size_t>(std::countr_zero(set))];
      if (copy.is_open()) visit(copy);
    }
  }

  void visit(InstId inst) {
    if (open_ != 0) {
      read(inst);
      finish_ended(inst);
      write(inst);
    }
    open_copy(inst);
  }

  // ---- reads ----

  void read(InstId inst) {
    const auto uses = function_.uses(inst);
    for (size_t i = 0; i < uses.size(); ++i) {
      if (!uses[i].reg.valid()) continue;
      for (unsigned n = uses[i].reg.number, end = n + uses[i].dwords; n < end && n < kRegisters; ++n) {
        if (copy_to_[n] != 0) read_copy(copies_[copy_to_[n] - 1u], inst, i);
      }
    }
  }

  void read_copy(Copy& copy, InstId inst, size_t use) {
    const Operand& operand = function_.uses(inst)[use];
    const bool whole = operand.reg == copy.to && operand.dwords == copy.dwords;
    if (!whole || operand.tied || copy.reader_count == kMaxReaders || !may_read_another(inst)) return close(copy);
    const Reader* last = copy.reader_count == 0 ? nullptr : &copy.readers[copy.reader_count - 1u];
    const bool known = last != nullptr && last->inst == inst && last->use == use;  // by the first half of a pair
    if (!known) copy.readers[copy.reader_count++] = {inst, static_cast<uint8_t>(use)};
    if (operand.kill) ended_ |= bit(copy);
  }

  bool may_read_another(InstId inst) const {
    const Opcode opcode = function_.insts[inst].opcode;
    return !mir::is_pseudo(opcode) && !mir::has_flag(opcode, isa::kSwapsOperands);
  }

  void finish_ended(InstId inst) {
    for_each_of(open_ & ended_, [&](Copy& copy) {
      if (!mir::has_flag(function_.insts[inst].opcode, isa::kSalu) && writes(inst, copy)) {
        close(copy);
      } else {
        forward(copy);
      }
    });
  }

  bool writes(InstId inst, const Copy& copy) const {
    const auto defs = function_.defs(inst);
    return std::any_of(defs.begin(), defs.end(), [&](const Operand& def) {
      return def.reg.valid() && overlap(def.reg, def.dwords, copy.from, copy.dwords);
    });
  }

  // ---- writes ----

  void write(InstId inst) {
    const Opcode opcode = function_.insts[inst].opcode;
    bool exec = !mir::is_pseudo(opcode) && mir::has_flag(opcode, isa::kWritesExec);
    for (const Operand& def : function_.defs(inst)) {
      if (!def.reg.valid()) continue;
      exec |= overlap(def.reg, def.dwords, isa::kExec, 2);
      for_each_of(open_, [&](Copy& copy) { overwrite(copy, def); });
    }
    if (!exec) return;
    for_each_of(open_, [&](Copy& copy) {
      if (copy.to.is_vgpr()) close(copy);
    });
  }

  void overwrite(Copy& copy, const Operand& def) {
    if (overlap(def.reg, def.dwords, copy.from, copy.dwords)) return close(copy);
    if (!overlap(def.reg, def.dwords, copy.to, copy.dwords)) return;
    const bool all = !(copy.to < def.reg) && !(def.reg.offset(def.dwords) < copy.to.offset(copy.dwords));
    all ? forward(copy) : close(copy);
  }

  // ---- copies ----

  static bool is_original(const Operand& from, const Operand& to) {
    if (!from.reg.valid() || from.dwords != to.dwords || from.tied) return false;
    return (from.reg.is_sgpr() && to.reg.is_sgpr()) || (from.reg.is_vgpr() && to.reg.is_vgpr());
  }

  void open_copy(InstId inst) {
    const mir::Inst& info = function_.insts[inst];
    const bool is_move =
        info.opcode == Opcode::s_mov_b32 || info.opcode == Opcode::s_mov_b64 || info.opcode == Opcode::v_mov_b32;
    if (!is_move || info.has_modifiers()) return;
    const Operand to = function_.defs(inst)[0], from = function_.uses(inst)[0];
    if (!is_original(from, to) || overlap(to.reg, to.dwords, from.reg, from.dwords)) return;
    Copy& copy = copies_[next_];
    next_ = (next_ + 1) % kMaxOpen;
    if (copy.is_open()) close(copy);
    copy = Copy();
    copy.move = inst;
    copy.to = to.reg;
    copy.from = original_of(from);
    copy.dwords = to.dwords;
    mark(copy, static_cast<uint8_t>(&copy - copies_.data() + 1));
    open_ |= bit(copy);
    ended_ &= ~bit(copy);
  }

  /// What an open copy is a copy of: where that goes, this one has its original too.
  isa::Reg original_of(const Operand& from) const {
    const uint8_t known = copy_to_[from.reg.number];
    if (known == 0) return from.reg;
    const Copy& copy = copies_[known - 1u];
    return copy.to == from.reg && copy.dwords == from.dwords ? copy.from : from.reg;
  }

  void mark(const Copy& copy, uint8_t as) {
    for (unsigned i = 0; i < copy.dwords; ++i) copy_to_[copy.to.number + i] = as;
  }

  void forward(Copy& copy) {
    for (unsigned i = 0; i < copy.reader_count; ++i) {
      const Reader& reader = copy.readers[i];
      function_.uses(reader.inst)[reader.use] = Operand::physical(copy.from, copy.dwords);
    }
    function_.insts[copy.move].pass_flags = kDropped;
    ++dropped_;
    close(copy);
  }

  void close(Copy& copy) {
    mark(copy, 0);
    copy.move = InstId();
    open_ &= ~bit(copy);
  }

  void close_all() {
    for_each_of(open_, [&](Copy& copy) { close(copy); });
  }

  mir::Function& function_;
  std::array<Copy, kMaxOpen> copies_;
  std::array<uint8_t, kRegisters> copy_to_{};  ///< by register: number of the open copy that writes it, from 1; or 0
  uint32_t open_ = 0;                          ///< bit i: copy i is open
  uint32_t ended_ = 0;                         ///< and is read for the last time by the instruction at hand
  unsigned next_ = 0, dropped_ = 0;
};

}  // namespace

void forward_copies(mir::Function& function, CompileContext&) {
  CopyForwarder(function).run();
}

}  // namespace spalt::opt
