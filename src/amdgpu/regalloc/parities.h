// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/dual_candidate.h"
#include "amdgpu/regalloc/affinity.h"

namespace spalt::regalloc {

/// Which values want VGPRs of different parity: results of two instructions near each other that could be one VOPD
/// instruction, and what both read as one source. That is all that their banks ask for, and what GFX11 needs to read in
/// time (docs/isa-errata.md, "VOPD"). Only preferences: nothing here is about correctness.
///
/// Webs that are related, by how many steps ever, make a set, in which each has its parity relative to the root (a
/// union-find structure). What contradicts earlier relations is no relation. Parts of tuples are related to the whole
/// by their places in it, and registers that are required or preferred have the parity they have. The first value of a
/// set that has a register decides for all the others.
class Parities {
 public:
  /// Neither even (0) nor odd (1) is wanted.
  static constexpr unsigned kAny = 2;

  /// Looks at every instruction once, where the program has dual issue and the file is that of VGPRs.
  Parities(const mir::Function& function, const Affinity& affinity, mir::RegFile file, Arena& arena);

  unsigned wanted(mir::VReg v) const { return links_.size() == 0 ? kAny : wanted_of_web(affinity_.web[v]); }
  void note_taken(mir::VReg v, unsigned index) {
    if (links_.size() != 0) decide(affinity_.web[v], index % 2);
  }

 private:
  struct Link {
    mir::VReg parent;    ///< not valid: a root
    bool flips = false;  ///< the parity is not the parent's
    bool seen = false;   ///< related to its tuple
  };
  struct Found {
    mir::VReg root;
    bool flips;
  };
  /// An instruction that waits for a partner.
  struct Half {
    mir::DualCandidate candidate;
    uint32_t position;
  };

  // Pairs.
  void visit_block(mir::BlockId block);
  void visit_half(mir::InstId inst);
  bool depends_since(mir::InstId inst, uint32_t position) const;
  void join_partner(mir::InstId inst, const mir::DualCandidate& candidate);
  bool relate(const mir::DualCandidate& a, const mir::DualCandidate& b);
  // Sets.
  void see(const mir::DualCandidate& half);
  void see(mir::VReg web);

  mir::VReg web(mir::VReg v) const { return v.valid() ? affinity_.web[v] : v; }
  bool can_be_apart(mir::VReg a, mir::VReg b) const;
  void keep_apart(mir::VReg a, mir::VReg b);
  Found find(mir::VReg web) const;
  bool can_relate(mir::VReg a, mir::VReg b, bool differ) const;
  void relate(mir::VReg a, mir::VReg b, bool differ);
  unsigned wanted_of_web(mir::VReg web) const;
  void decide(mir::VReg web, unsigned parity);

  const mir::Function& function_;
  const Affinity& affinity_;
  mutable IdMap<mir::VReg, Link> links_;  ///< by web; empty before the first pair; finding shortens the ways
  IdMap<mir::VReg, uint8_t> parity_;      ///< by root: 0, 1 or kAny
  // Of the walk:
  IdMap<mir::VReg, uint32_t> made_at_;  ///< by value: position of its definition, which counts through all blocks
  uint32_t position_ = 0;
  Vector<Half> waiting_;  ///< in their order
};

}  // namespace spalt::regalloc
