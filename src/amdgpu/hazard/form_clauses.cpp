// SPDX-License-Identifier: MIT
#include "amdgpu/hazard/form_clauses.h"

#include "amdgpu/isa/codec/image_address.h"
#include "amdgpu/isa/opcode_tables.h"
#include "amdgpu/mir/machine_inst.h"

namespace spalt::hazard {
namespace {

using mir::BlockId;
using mir::InstId;
using mir::Opcode;

/// What may share a clause.
enum class ClauseKind : uint8_t {
  none,
  scalar_load,
  buffer_load,
  flat_load,
  image_load,
  image_sample,
  buffer_store,
  flat_store,
  image_store
};

isa::Format format_of(Opcode opcode, const isa::Target& target) {
  const auto encodings = isa::opcode_encodings(mir::to_isa(opcode), target.generation);
  return encodings.empty() ? isa::Format::invalid : encodings[0].format;
}

/// Atomics stay outside: they are rarely neighbours, and seldom share a cache line.
ClauseKind clause_kind(Opcode opcode, const isa::Target& target) {
  const uint32_t flags = mir::flags(opcode);
  if ((flags & (isa::kSmem | isa::kVmem)) == 0 || (flags & isa::kAtomic) != 0) return ClauseKind::none;
  if (is_pseudo(opcode)) return ClauseKind::none;
  const bool loads = (flags & isa::kMayLoad) != 0, stores = (flags & isa::kMayStore) != 0;
  if ((flags & isa::kSmem) != 0) return loads ? ClauseKind::scalar_load : ClauseKind::none;
  if ((flags & isa::kVmem) == 0 || loads == stores) return ClauseKind::none;
  if (stores && !target.clauses_hold_stores) return ClauseKind::none;
  const isa::Format format = format_of(opcode, target);
  if (isa::is_image(format)) {
    if (stores) return ClauseKind::image_store;
    return isa::takes_sampler(isa::info(mir::to_isa(opcode))) ? ClauseKind::image_sample : ClauseKind::image_load;
  }
  if (format == isa::Format::mubuf) return loads ? ClauseKind::buffer_load : ClauseKind::buffer_store;
  return loads ? ClauseKind::flat_load : ClauseKind::flat_store;
}

/// Dwords of the smallest descriptor of a buffer or an image.
constexpr unsigned kDescriptorDwords = 4;

class ClauseFormer {
 public:
  ClauseFormer(mir::Function& function, Arena& scratch) : function_(function), out_(scratch) {}

  void run() {
    for (BlockId block : function_.layout) form(function_.blocks[block].insts);
  }

 private:
  void form(mir::InstList& insts) {
    out_.clear();
    size_t copied = 0;
    for (size_t at = 0, length = 0; at < insts.size(); at += length) {
      length = run_length(insts, at);
      if (length == 1) continue;
      const InstId clause = function_.create(Opcode::s_clause, {}, {});
      function_.insts[clause].simm16 = static_cast<int32_t>(length - 1);
      out_.append({insts.data() + copied, at - copied});
      out_.push_back(clause);
      copied = at;
    }
    if (out_.empty()) return;
    out_.append({insts.data() + copied, insts.size() - copied});
    insts.assign(out_);
  }

  /// How many instructions from `at` on make one clause, at least 1.
  size_t run_length(const mir::InstList& insts, size_t at) const {
    if (!mir::has_flag(function_.insts[insts[at]].opcode, isa::kSmem | isa::kVmem)) return 1;
    const ClauseKind kind = kind_of(insts[at]);
    if (kind == ClauseKind::none) return 1;
    size_t end = at + 1;
    while (end < insts.size() && end - at < function_.target.max_clause_length && kind_of(insts[end]) == kind &&
           is_beside(insts[at], insts[end])) {
      ++end;
    }
    return end - at;
  }

  /// Whether both may want the same cache line: what other descriptors describe is other memory.
  bool is_beside(InstId first, InstId second) const {
    if ((mir::flags(function_.insts[first].opcode) & isa::kVmem) == 0) return true;
    return descriptor_of(first) == descriptor_of(second);
  }

  /// The first register of the descriptor of a buffer or an image; none for addresses of their own.
  isa::Reg descriptor_of(InstId inst) const {
    for (const mir::Operand& use : function_.uses(inst)) {
      if (use.reg.valid() && !use.reg.is_vgpr() && use.dwords >= kDescriptorDwords) return use.reg;
    }
    return isa::kNoReg;
  }

  ClauseKind kind_of(InstId inst) const {
    const ClauseKind kind = clause_kind(function_.insts[inst].opcode, function_.target);
    if (kind == ClauseKind::none || !function_.target.has(isa::Hazard::nsa_clause)) return kind;
    return mir::further_addresses(function_, inst).empty() ? kind : ClauseKind::none;
  }

  mir::Function& function_;
  mir::InstList out_;
};

}  // namespace

void form_clauses(mir::Function& function, CompileContext& context) {
  const ArenaScope scope(context.scratch);
  if (function.target.max_clause_length == 0) return;
  ClauseFormer(function, context.scratch).run();
}

}  // namespace spalt::hazard
