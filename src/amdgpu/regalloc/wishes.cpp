// SPDX-License-Identifier: MIT
#include "amdgpu/regalloc/wishes.h"

#include "amdgpu/regalloc/placement.h"

namespace spalt::regalloc {

using mir::InstId;
using mir::Opcode;
using mir::Operand;
using mir::VReg;

namespace {

constexpr uint16_t kNowhere = RegisterSet::kNone;

}  // namespace

Wishes::Wishes(const mir::Function& function, const Affinity& affinity, const RegisterSpace& space, const State& state,
               Arena& arena)
    : function_(function),
      space_(space),
      state_(state),
      affinity_(affinity),
      web_place_(arena, function.vregs.size(), kNowhere),
      parities_(function, affinity, space.file, arena) {}

void Wishes::note_taken(VReg v, unsigned index) {
  parities_.note_taken(v, index);
  if (dwords(v) > 1) planned_.remove(index, dwords(v));
  if (web_place_[affinity_.web[v]] == kNowhere) web_place_[affinity_.web[v]] = static_cast<uint16_t>(index);
}

unsigned Wishes::if_good(unsigned index, unsigned count) const {
  if (index == kNowhere || index % alignment_of(space_.file, count) != 0 || !is_free(index, count)) return kNowhere;
  // Tuples of more than two SGPRs do not reach into vcc.
  if (space_.file == mir::RegFile::sgpr && count > 2 && index + count > kVccIndex) return kNowhere;
  return index;
}

unsigned Wishes::preferred(VReg v) {
  const VReg web = affinity_.web[v];
  const unsigned count = dwords(v);
  if (const isa::Reg fixed = affinity_.fixed[web]; fixed.valid() && in_file(space_.file, fixed)) {
    if (const unsigned place = if_good(index_of(space_.file, fixed), count); place != kNowhere) return place;
  }
  if (const unsigned place = if_good(web_place_[web], count); place != kNowhere) return place;
  if (const unsigned place = around_anchor(affinity_.anchor[web], count); place != kNowhere) return place;
  const Affinity::Part part = affinity_.part[web];
  if (!part.tuple.valid()) return kNowhere;
  if (web_place_[part.tuple] == kNowhere) plan_tuple(part, count);
  const unsigned base = web_place_[part.tuple];
  return base == kNowhere ? kNowhere : if_good(base + part.offset, count);
}

/// Where a tuple has its anchor in the register that others of the anchor's web have.
unsigned Wishes::around_anchor(const Affinity::Anchor& anchor, unsigned count) const {
  const unsigned at = anchor.value.valid() ? web_place_[anchor.value] : kNowhere;
  return at == kNowhere || at < anchor.offset ? kNowhere : if_good(at - anchor.offset, count);
}

/// The first part of a tuple decides where the whole will be. What has no wish of its own keeps away from there until
/// the tuple is complete.
void Wishes::plan_tuple(const Affinity::Part& part, unsigned part_dwords) {
  const RegisterSet free = state_.free - state_.physical;
  const unsigned count = dwords(part.tuple);
  unsigned place = place_of_parity(free - planned_, part.tuple);
  if (place == kNowhere) place = find_place(space_.file, free - planned_, count);
  if (place == kNowhere) place = find_place(space_.file, free, count);
  if (place == kNowhere) place = mostly_free_place(free, count, part, part_dwords);
  if (place == kNowhere) return;
  web_place_[part.tuple] = static_cast<uint16_t>(place);
  parities_.note_taken(part.tuple, place);
  planned_.add(place, count);
}

/// Where this part fits now and most of the rest is free; what stands in the way may be gone when the others come.
unsigned Wishes::mostly_free_place(const RegisterSet& free, unsigned count, const Affinity::Part& part,
                                   unsigned part_dwords) const {
  unsigned best = kNowhere, most = 0;
  for (unsigned place = 0; place + count <= space_.allowed.end(); place += alignment_of(space_.file, count)) {
    if (!free.contains(place + part.offset, part_dwords) || !space_.allowed.contains(place, count)) continue;
    if (space_.file == mir::RegFile::sgpr && place + count > kVccIndex) continue;
    unsigned members = 0;
    for (unsigned i = place; i < place + count; ++i) members += free.contains(i) && !planned_.contains(i) ? 1 : 0;
    if (members <= most) continue;
    best = place;
    most = members;
  }
  return best;
}

unsigned Wishes::place_of_parity(const RegisterSet& free, VReg v) const {
  const unsigned parity = parities_.wanted(v);
  return parity == Parities::kAny ? kNowhere : find_vgprs(free, dwords(v), parity);
}

unsigned Wishes::any_place(VReg v) const {
  const unsigned count = dwords(v);
  RegisterSet wanted = planned_;
  if (space_.file == mir::RegFile::vgpr) wanted = wanted | affinity_.handed;
  const RegisterSet unclaimed = state_.free - wanted;
  unsigned place = place_of_parity(unclaimed, v);
  if (place == kNowhere) place = find_place(space_.file, unclaimed, count);
  return place != kNowhere ? place : find_place(space_.file, state_.free, count);
}

unsigned Wishes::any_place_of_phi(VReg v) const {
  const unsigned place = place_of_parity(state_.free, v);
  return place != kNowhere ? place : find_place(space_.file, state_.free, dwords(v));
}

unsigned Wishes::of_result(InstId inst, const Operand& def, size_t number) {
  const auto uses = function_.uses(inst);
  switch (function_.insts[inst].opcode) {
    case Opcode::p_copy:
      if (const unsigned place = operand_place(uses[0], 0, def.dwords); place != kNowhere) return place;
      break;
    case Opcode::p_extract:
      if (const unsigned place = operand_place(uses[0], uses[1].value, def.dwords); place != kNowhere) return place;
      break;
    case Opcode::p_split: {
      unsigned offset = 0;
      for (size_t i = 0; i < number; ++i) offset += function_.defs(inst)[i].dwords;
      if (const unsigned place = operand_place(uses[0], offset, def.dwords); place != kNowhere) return place;
      break;
    }
    case Opcode::p_vec:
      if (const unsigned place = gathering_place(uses, def.dwords); place != kNowhere) return place;
      break;
    default:
      if (const uint8_t tied = mir::tied_source(function_.insts[inst].opcode); tied != isa::kNoTiedSource) {
        return short_form_place(inst, def, tied);
      }
      break;
  }
  return preferred(def.vreg());
}

/// The place for a tuple where most of its parts are already.
unsigned Wishes::gathering_place(std::span<const Operand> parts, unsigned count) const {
  unsigned best = kNowhere, most = 0, offset = 0;
  for (const Operand& part : parts) {
    const unsigned at = handled(part) ? state_.place[part.vreg()] : unsigned{kNowhere};
    const unsigned base = at != kNowhere && at >= offset ? if_good(at - offset, count) : unsigned{kNowhere};
    offset += part.dwords;
    if (base == kNowhere || base == best) continue;
    unsigned there = 0, expected = base;
    for (const Operand& other : parts) {
      if (handled(other) && state_.place[other.vreg()] == expected) there += other.dwords;
      expected += other.dwords;
    }
    if (there <= most) continue;
    best = base;
    most = there;
  }
  return best;
}

/// A shorter encoding exists where the result replaces this operand.
unsigned Wishes::short_form_place(InstId inst, const Operand& def, size_t use_number) {
  if (const unsigned place = preferred(def.vreg()); place != kNowhere) return place;
  return operand_place(function_.uses(inst)[use_number], 0, def.dwords);
}

unsigned Wishes::operand_place(const Operand& use, unsigned offset, unsigned count) const {
  return handled(use) ? if_good(state_.place[use.vreg()] + offset, count) : unsigned{kNowhere};
}

}  // namespace spalt::regalloc
