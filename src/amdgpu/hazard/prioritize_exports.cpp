// SPDX-License-Identifier: MIT
#include "amdgpu/hazard/prioritize_exports.h"

#include "amdgpu/hazard/instruction.h"

namespace spalt::hazard {
namespace {

using mir::InstId;
using mir::Opcode;

constexpr int16_t kRaised = 2, kYielding = 0;

class ExportPrioritizer {
 public:
  ExportPrioritizer(mir::Function& function, Arena& scratch) : function_(function), out_(scratch) {}

  void run() {
    // The priority is that from the start of the wave on, also where exports are linked after it.
    bool exports = is_followed(function_);
    for (mir::BlockId block : function_.layout) exports |= rewrite(function_.blocks[block].insts);
    if (exports) raise_at_entry(function_.blocks[function_.layout.front()].insts);
  }

 private:
  Opcode opcode(InstId id) const { return function_.insts[id].opcode; }

  /// Whether the block exports.
  bool rewrite(mir::InstList& insts) {
    bool exports = false;
    out_.clear();
    for (size_t i = 0; i < insts.size(); ++i) {
      out_.push_back(insts[i]);
      if (opcode(insts[i]) != Opcode::exp) continue;
      exports = true;
      const Opcode next = i + 1 < insts.size() ? opcode(insts[i + 1]) : Opcode::invalid;
      if (next != Opcode::exp) yield(next == Opcode::s_endpgm);
    }
    if (exports) insts.assign(out_);
    return exports;
  }

  /// After the last one of a row.
  void yield(bool at_end) {
    emit(Opcode::s_setprio, kYielding);
    if (!at_end) {
      const mir::Operand null = mir::Operand::physical(isa::kNull);
      out_.push_back(function_.create(Opcode::s_waitcnt_expcnt, {}, std::span<const mir::Operand>(&null, 1)));
    }
    emit(Opcode::s_nop, 0);
    emit(Opcode::s_nop, 0);
    if (!at_end) emit(Opcode::s_setprio, kRaised);
  }

  void raise_at_entry(mir::InstList& insts) {
    out_.clear();
    size_t next = 0;
    while (next < insts.size() && mir::is_pseudo(opcode(insts[next]))) out_.push_back(insts[next++]);
    emit(Opcode::s_setprio, kRaised);
    for (; next < insts.size(); ++next) out_.push_back(insts[next]);
    insts.assign(out_);
  }

  void emit(Opcode opcode, int16_t simm16) {
    const InstId id = function_.create(opcode, {}, {});
    function_.insts[id].simm16 = simm16;
    out_.push_back(id);
  }

  mir::Function& function_;
  mir::InstList out_;
};

}  // namespace

void prioritize_exports(mir::Function& function, CompileContext& context) {
  if (!function.target.has(isa::Hazard::export_priority)) return;
  const ArenaScope scope(context.scratch);
  ExportPrioritizer(function, context.scratch).run();
}

}  // namespace spalt::hazard
