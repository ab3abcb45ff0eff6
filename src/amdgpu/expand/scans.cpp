// SPDX-License-Identifier: MIT
//
// Reductions and scans by DPP, in whole waves: exec has all lanes meanwhile, those that are no members hold the value
// that changes nothing, and only the two linear VGPRs are written, in which no lane has anything to lose. A row is 16
// lanes.
//
// GFX9 goes on from rows to the wave by broadcasts of a row's last lane; later generations, which lack these, by
// v_permlanex16_b32 between the two rows of 32 lanes, and v_permlane64_b32 or a lane that is read between the halves.
// Each step is one instruction where the operation has a short form; the others (products, and what works on halves,
// whose short forms reach few registers from GFX11 on) move the value first.
//
// Neither scc nor any SGPR but m0 and the result is written.
#include <algorithm>
#include <initializer_list>
#include <iterator>

#include "amdgpu/expand/expand.h"
#include "amdgpu/expand/part.h"
#include "amdgpu/isa/codec/constants.h"
#include "amdgpu/isa/opcode_tables.h"

namespace spalt::expand {
namespace {

using mir::InstId;
using mir::Opcode;
using mir::Operand;

// DPP controls (RDNA 2 ISA guide, "DPP"; those of whole waves: Vega ISA guide, table "DPP_CTRL").
constexpr uint32_t kSwapPairs = 0xb1, kSwapHalvesOfQuad = 0x4e, kSame = 0xe4;  // quad_perm
constexpr uint32_t kRowShr = 0x110, kWaveShr1 = 0x138, kRowMirror = 0x140, kRowHalfMirror = 0x141, kRowBcast15 = 0x142,
                   kRowBcast31 = 0x143;

// Rows as masks of DPP: those that follow another one in their half, the halves.
constexpr uint8_t kAllRows = 0xf, kOddRows = 0xa, kFirstHalf = 0x3, kSecondHalf = 0xc;

constexpr uint32_t kRow = 16, kHalf = 32;

class ScanExpander {
 public:
  ScanExpander(mir::Function& function, InstId id, mir::InstList& out)
      : function_(function),
        out_(out),
        combine_(static_cast<Opcode>(function.insts[id].simm16)),
        is_short_(has_short_form(function.target, combine_)),
        broadcasts_rows_(!isa::has_opcode(function.target, isa::Opcode::v_permlanex16_b32)),
        result_(function.defs(id)[0]),
        value_(function.uses(id)[0]),
        members_(function.uses(id)[1]),
        exec_(function.uses(id)[2]),
        scan_(Operand::physical(function.uses(id)[3].reg)),
        other_(Operand::physical(function.uses(id)[4].reg)),
        nothing_(function.uses(id)[5]) {}

  void reduce() {
    begin();
    combine_cluster(kRow);
    combine_rows_and_halves();
    const uint32_t last = function_.wave_size - 1;
    const bool keeps_exec = overlap(result_, exec_);
    if (!keeps_exec) read_lane(result_, last);
    restore_exec();
    if (keeps_exec) read_lane(result_, last);
  }

  void inclusive() {
    begin();
    scan_wave();
    end(scan_);
  }

  /// What the lane before has of the inclusive scan.
  void exclusive() {
    begin();
    scan_wave();
    move(other_, nothing_);
    if (broadcasts_rows_) {
      move(other_, scan_, kWaveShr1);
    } else {
      move(other_, scan_, kRowShr + 1);
      for (uint32_t lane = kRow; lane < function_.wave_size; lane += kRow) {
        read_lane(m0(), lane - 1);
        emit(Opcode::v_writelane_b32, other_, {m0(), Operand::immediate(lane)});
      }
    }
    end(other_);
  }

  void cluster(uint32_t lanes) {
    begin();
    combine_cluster(lanes);
    if (lanes > kRow) combine_row_pairs();
    end(scan_);
  }

 private:
  /// With DPP, and for any register.
  static bool has_short_form(const isa::Target& target, Opcode opcode) {
    const isa::OpcodeInfo& info = isa::info(mir::to_isa(opcode));
    if (is_half(info.dst[0].type)) return false;
    const auto encodings = isa::opcode_encodings(mir::to_isa(opcode), target.generation);
    return std::any_of(encodings.begin(), encodings.end(),
                       [](const isa::NumberEntry& entry) { return entry.format == isa::Format::vop2; });
  }
  static bool is_half(isa::OperandType type) {
    return type == isa::OperandType::f16 || type == isa::OperandType::b16 || type == isa::OperandType::i16 ||
           type == isa::OperandType::u16;
  }
  static bool overlap(const Operand& a, const Operand& b) {
    return a.reg < b.reg.offset(b.dwords) && b.reg < a.reg.offset(a.dwords);
  }

  static Operand m0() { return Operand::physical(isa::kM0); }

  /// All lanes have their value, or what changes nothing.
  void begin() {
    write_exec(Operand::immediate(0xffffffff));
    Operand nothing = nothing_;
    const bool fits = isa::inline_constant_code(nothing_.value, isa::OperandType::b32) >= 0;
    if (!fits && !function_.target.vop3_literal) {
      move(other_, nothing_);
      nothing = other_;
    }
    emit(Opcode::v_cndmask_b32, scan_, {nothing, value_, members_});
  }

  void end(Operand from) {
    restore_exec();
    move(result_, from);
  }
  void restore_exec() { write_exec(exec_); }
  void write_exec(Operand to) {
    const bool wide = function_.wave_size == 64;
    emit(wide ? Opcode::s_mov_b64 : Opcode::s_mov_b32, Operand::physical(isa::kExec, wide ? 2 : 1), {to});
  }

  /// Every lane has what its cluster of up to a row has together.
  void combine_cluster(uint32_t lanes) {
    constexpr uint32_t kSteps[] = {kSwapPairs, kSwapHalvesOfQuad, kRowHalfMirror, kRowMirror};
    for (uint32_t i = 0; (2u << i) <= lanes && i < std::size(kSteps); ++i) {
      if (is_short_) {
        combine(scan_, scan_, kSteps[i]);
      } else {
        move(other_, scan_, kSteps[i]);
        combine(other_, scan_);
      }
    }
  }

  /// The last lane has what all rows have together.
  void combine_rows_and_halves() {
    if (broadcasts_rows_) return add_rows_before();
    combine_row_pairs();
    if (function_.wave_size == kHalf) return;
    if (isa::has_opcode(function_.target, isa::Opcode::v_permlane64_b32)) {
      emit(Opcode::v_permlane64_b32, other_, {scan_});
      combine(other_, scan_);
    } else {
      read_lane(m0(), 0);
      combine(m0(), scan_);
    }
  }

  /// All lanes of a half have the same, what its rows have together.
  void combine_row_pairs() {
    if (!broadcasts_rows_) {
      emit(Opcode::v_permlanex16_b32, other_, {scan_, Operand::immediate(0), Operand::immediate(0)});
      return combine(other_, scan_);
    }
    combine_where(kRowBcast15, kOddRows);
    for (uint32_t half = 0; half < function_.wave_size / kHalf; ++half) {
      read_lane(m0(), (half + 1) * kHalf - 1);
      move(other_, m0());
      move(scan_, other_, kSame, half == 0 ? kFirstHalf : kSecondHalf);
    }
  }

  void scan_wave() {
    for (uint32_t distance = 1; distance < kRow; distance *= 2) combine_where(kRowShr + distance, kAllRows);
    add_rows_before();
  }

  /// Lanes of a row have what its lanes up to their own have together; now also what comes before the row. Where all
  /// lanes of a row have the whole of it, they have the whole of the rows up to their own.
  void add_rows_before() {
    if (broadcasts_rows_) {
      combine_where(kRowBcast15, kOddRows);
      combine_where(kRowBcast31, kSecondHalf);
      return;
    }
    const Operand last = Operand::immediate(0xffffffff);  // of the other row
    emit(Opcode::v_permlanex16_b32, other_, {scan_, last, last});
    combine_other_in(kOddRows);
    if (function_.wave_size == kHalf) return;
    read_lane(m0(), kHalf - 1);
    move(other_, m0());
    combine_other_in(kSecondHalf);
  }

  /// Lanes of these rows combine the value of another lane with their own, if there is one.
  void combine_where(uint32_t control, uint8_t rows) {
    if (is_short_) return combine(scan_, scan_, control, rows);
    move(other_, nothing_);
    move(other_, scan_, control, rows);
    combine(other_, scan_);
  }

  /// Lanes of these rows combine other_ with their own.
  void combine_other_in(uint8_t rows) {
    if (is_short_) return combine(other_, scan_, kSame, rows);
    // No lane of the other rows runs.
    for (uint32_t half = 0; half < function_.wave_size / kHalf; ++half) {
      const uint32_t lanes = (rows >> 2 * half & 1 ? 0xffffu : 0) | (rows >> 2 * half & 2 ? 0xffff0000u : 0);
      emit(Opcode::s_mov_b32, exec_half(half), {Operand::immediate(lanes)});
    }
    combine(other_, scan_);
    write_exec(Operand::immediate(0xffffffff));
  }

  static Operand exec_half(uint32_t half) { return Operand::physical(half == 0 ? isa::kExec : isa::kExecHi); }

  void combine(Operand a, Operand b) { emit(combine_, scan_, {a, b}); }
  void combine(Operand a, Operand b, uint32_t control, uint8_t rows = kAllRows) {
    set_dpp(emit(combine_, scan_, {a, b, tied(scan_)}), control, rows);
  }
  void move(Operand to, Operand from) { emit(Opcode::v_mov_b32, to, {from}); }
  void move(Operand to, Operand from, uint32_t control, uint8_t rows = kAllRows) {
    set_dpp(emit(Opcode::v_mov_b32, to, {from, tied(to)}), control, rows);
  }
  void read_lane(Operand to, uint32_t lane) { emit(Opcode::v_readlane_b32, to, {scan_, Operand::immediate(lane)}); }

  static Operand tied(Operand operand) {
    operand.tied = true;
    return operand;
  }

  /// A lane that would read beyond its row, or is in none of the rows, keeps what it has.
  void set_dpp(InstId id, uint32_t control, uint8_t rows) {
    isa::Modifiers mods;
    mods.dpp_ctrl = control;
    mods.row_mask = rows;
    mods.bank_mask = 0xf;
    function_.set_modifiers(id, mods);
  }

  InstId emit(Opcode opcode, Operand def, std::initializer_list<Operand> uses) {
    const InstId id = function_.create(opcode, {&def, 1}, std::span<const Operand>(uses.begin(), uses.size()));
    out_.push_back(id);
    return id;
  }

  mir::Function& function_;
  mir::InstList& out_;
  const Opcode combine_;
  const bool is_short_, broadcasts_rows_;
  const Operand result_, value_, members_, exec_;
  const Operand scan_, other_;  ///< the linear VGPRs: what is combined so far, and what comes from other lanes
  const Operand nothing_;
};

}  // namespace

void expand_scan(mir::Function& function, InstId id, mir::InstList& out) {
  ScanExpander expander(function, id, out);
  switch (function.insts[id].opcode) {
    case Opcode::p_scan_reduce:
      return expander.reduce();
    case Opcode::p_scan_inclusive:
      return expander.inclusive();
    case Opcode::p_scan_exclusive:
      return expander.exclusive();
    default:
      return expander.cluster(function.uses(id)[6].value);
  }
}

}  // namespace spalt::expand
