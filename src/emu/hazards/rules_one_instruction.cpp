// SPDX-License-Identifier: MIT
#include "emu/hazards/steps.h"
#include "emu/hazards/tables.h"

namespace spalt::emu {
namespace {

using isa::Hazard;
using isa::Target;
using Op = isa::Opcode;
using namespace hazard;

constexpr const char* kFeature = "LLVM 19, subtarget feature";

bool always(const Target&) {
  return true;
}
bool branches_63_dwords(const Step& step, const Step*, const Target& target) {
  return is_relative_branch(step, target) && step.inst.simm16 == 0x3f;
}
bool is_prefetch(const Step& step, const Step*, const Target& target) {
  return is<Op::s_inst_prefetch>(step, target);
}
bool is_flat_with_offset(const Step& step, const Step*, const Target&) {
  return is_flat(step) && step.inst.mods.offset != 0;
}
/// LLVM makes no such overlap but one: where only the low half of a sum matters, the low half of the result may be the
/// high half of the addend, which is then undefined.
bool multiply_add_overlaps(const Step& step, const Step*, const Target& target) {
  if (!is<Op::v_mad_u64_u32, Op::v_mad_i64_i32>(step, target)) return false;
  RegList written, read;
  vgprs_written(step, written);
  vgprs_read(step, read);
  for (const RegRange& result : written) {
    for (const RegRange& source : read) {
      const bool low_over_high = source.count == 2 && result.first == source.first + 1;
      if (result.overlaps(source) && !low_over_high) return true;
    }
  }
  return false;
}
/// The first register is not in the list.
bool has_long_address_list(const Step& step, const Step*, const Target&) {
  constexpr unsigned kMost = 5;
  return step.inst.nsa.count + 1u > kMost;
}
constexpr int kDeallocVgprs = 3;
bool gives_registers_back(const Step& step, const Step* before, const Target& target) {
  return is<Op::s_sendmsg>(step, target) && step.imm == kDeallocVgprs &&
         (before == nullptr || !is<Op::s_nop>(*before, target));
}
bool is_clause_of_wrong_length(const Step& step, const Step*, const Target& target) {
  const unsigned length = (static_cast<unsigned>(step.imm) & 63) + 1;
  return is<Op::s_clause>(step, target) && (length < 2 || length > target.max_clause_length);
}
bool has_reserved_delay(const Step& step, const Step*, const Target& target) {
  constexpr unsigned kLastId = 11, kLastSkip = 5;
  const auto simm = static_cast<unsigned>(step.imm);
  return is<Op::s_delay_alu>(step, target) &&
         ((simm & 15) > kLastId || (simm >> 4 & 7) > kLastSkip || (simm >> 7 & 15) > kLastId);
}

constexpr SingleRule kSingleRules[] = {
    {"Offset3f", "hazard Offset3f: a branch by 63 dwords; needs another distance (s_nop in between)", kFeature,
     exists<Hazard::branch_offset_3f>, branches_63_dwords},
    {"InstFwdPrefetch", "hazard InstFwdPrefetch: s_inst_prefetch hangs this processor; needs to be left out", kFeature,
     exists<Hazard::inst_prefetch>, is_prefetch},
    {"FlatSegmentOffset",
     "hazard FlatSegmentOffset: a flat instruction ignores its offset in global memory; needs offset 0", kFeature,
     exists<Hazard::flat_segment_offset>, is_flat_with_offset},
    {"NSALength", "hazard NSALength: a list of more than five addresses is not reliable; needs consecutive registers",
     kFeature, exists<Hazard::long_nsa>, has_long_address_list},
    {"MADIntraFwd", "hazard MADIntraFwd: the result overlaps a source; needs a result apart from all sources", kFeature,
     exists<Hazard::mad_intra_forward>, multiply_add_overlaps},
    {"DeallocVGPRs", "hazard DeallocVGPRs: gives the registers back; needs s_nop right before it",
     "LLVM 19, SIInsertWaitcnts; ACO agrees", exists<Hazard::dealloc_vgprs>, gives_registers_back},
    {"ClauseLength",
     "hazard ClauseLength: needs 2 to 63 instructions, from GFX11 on at most 32 (simm16[5:0] is one less)",
     "RDNA 2, 3 and 4 ISA guides, S_CLAUSE; LLVM 19, subtarget features", always, is_clause_of_wrong_length},
    {"DelayReserved",
     "hazard DelayReserved: needs instid0 and instid1 of at most 11 and instskip of at most 5; the rest is reserved",
     "RDNA 3 and 4 ISA guides, S_DELAY_ALU", always, has_reserved_delay},
};

}  // namespace

std::span<const SingleRule> single_rules() {
  return kSingleRules;
}

}  // namespace spalt::emu
