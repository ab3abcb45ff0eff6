// SPDX-License-Identifier: MIT
#include "amdgpu/hazard/insert_waits.h"

#include <algorithm>

#include "amdgpu/hazard/wait_state.h"
#include "amdgpu/isa/codec/image_address.h"
#include "amdgpu/isa/opcode_tables.h"
#include "amdgpu/mir/dominance.h"

namespace spalt::hazard {
namespace {

using mir::BlockId;
using mir::InstId;
using mir::Opcode;
using mir::Operand;

ExportKind export_kind(uint8_t target) {
  constexpr uint8_t kFirstPosition = 12, kFirstParameter = 32;
  if (target >= kFirstParameter) return ExportKind::parameter;
  return target >= kFirstPosition ? ExportKind::position : ExportKind::color;
}

class WaitInserter {
 public:
  WaitInserter(mir::Function& function, Arena& scratch)
      : function_(function), target_(function.target), scratch_(scratch), at_start_(scratch, function.blocks.size()) {}

  void run() {
    if (mir::has_back_edge(function_, mir::Graph::linear, &scratch_)) find_fixpoint();
    for (BlockId id : function_.layout) {
      rewrite(id);
      for (BlockId succ : function_.blocks[id].linear_succs) at_start_[succ.index].join(at_start_[id.index]);
    }
  }

 private:
  void find_fixpoint() {
    Vector<bool> dirty(scratch_, function_.blocks.size(), false);
    for (BlockId id : function_.layout) dirty[id.index] = true;
    for (bool changed = true; changed;) {
      changed = false;
      for (BlockId id : function_.layout) {
        if (!dirty[id.index]) continue;
        dirty[id.index] = false;
        WaitState state = at_start_[id.index];
        for (InstId inst : function_.blocks[id].insts) step(inst, state);
        for (BlockId succ : function_.blocks[id].linear_succs) {
          if (!at_start_[succ.index].join(state)) continue;
          dirty[succ.index] = true;
          changed = true;
        }
      }
    }
  }

  /// Leaves the state at the end of the block in the place of that at its start.
  void rewrite(BlockId id) {
    WaitState& state = at_start_[id.index];
    mir::InstList& insts = function_.blocks[id].insts;
    out_.clear();
    bool changed = false;
    for (InstId inst : insts) {
      Waits waits = step(inst, state);
      if (waits.has(Counter::exp) && waits_itself(inst)) {
        isa::Modifiers mods = function_.modifiers(inst);
        mods.wait_exp = waits[Counter::exp];
        function_.set_modifiers(function_.insts[inst], mods);
        waits[Counter::exp] = Waits::kNone;
      }
      if (waits.any()) {
        emit(waits, out_);
        changed = true;
      }
      const Opcode opcode = function_.insts[inst].opcode;
      if (opcode == Opcode::p_wait || opcode == Opcode::p_hand_over) {
        changed = true;
      } else {
        out_.push_back(inst);
      }
    }
    if (changed) insts.assign(out_);
  }

  /// The waits that `id` needs before it; advances the state over both.
  Waits step(InstId id, WaitState& state) const {
    Waits waits;
    if (state.empty()) {
      issue(id, state);
      return waits;
    }
    const mir::Inst& inst = function_.insts[id];
    if (inst.opcode == Opcode::p_wait) {
      explicit_waits(inst.simm16, state, waits);
    } else if (inst.opcode == Opcode::p_hand_over) {
      state.require_all_registers(waits);
    } else {
      for (const Operand& use : function_.uses(id)) {
        if (!use.reg.valid() || !state.may_concern(use.reg, use.dwords)) continue;
        state.require_read(use.reg, use.dwords, waits);
      }
      for (const Operand& def : function_.defs(id)) {
        if (!def.reg.valid() || !state.may_concern(def.reg, def.dwords)) continue;
        state.require_write(def.reg, def.dwords, result_path(id), waits);
      }
      if (state.may_have(Counter::exp) && writes_exec(id)) state.require_all(Counter::exp, waits);
    }
    if (waits.any()) state.apply(waits);
    issue(id, state);
    return waits;
  }

  /// An export looks at exec as late as at its registers (LLVM, SIInsertWaitcnts).
  bool writes_exec(InstId id) const {
    if (mir::has_flag(function_.insts[id].opcode, isa::kWritesExec)) return true;
    const auto defs = function_.defs(id);
    return std::any_of(defs.begin(), defs.end(),
                       [](const Operand& def) { return def.reg == isa::kExec || def.reg == isa::kExecHi; });
  }

  void explicit_waits(int32_t mask, const WaitState& state, Waits& waits) const {
    const Counter stores = target_.has_vscnt ? Counter::vs : Counter::vm;
    if ((mask & mir::kWaitVmLoad) != 0) {
      state.require_all(Counter::vm, waits);
      state.require_all(Counter::sample, waits);
    }
    if ((mask & mir::kWaitVmStore) != 0) state.require_all(stores, waits);
    if ((mask & mir::kWaitLgkm) != 0) state.require_all(Counter::lgkm, waits);
  }

  /// Interpolation between registers has a field for the count of parameter loads.
  bool waits_itself(InstId id) const {
    const Opcode opcode = function_.insts[id].opcode;
    return opcode == Opcode::v_interp_p10_f32 || opcode == Opcode::v_interp_p2_f32_reg;
  }

  bool counts_as_sample(Opcode opcode) const {
    if (!target_.has_samplecnt) return false;
    const auto encodings = isa::opcode_encodings(mir::to_isa(opcode), target_.generation);
    return !encodings.empty() && encodings[0].format == isa::Format::vsample;
  }

  /// Loads of one kind write in order, whichever lanes each had (LLVM, SIInsertWaitcnts). Flat ones may come from LDS.
  ResultPath result_path(InstId id) const {
    const Opcode opcode = function_.insts[id].opcode;
    if (!target_.loads_write_in_order || !mir::has_flag(opcode, isa::kVmem)) return ResultPath::none;
    const auto encodings = isa::opcode_encodings(mir::to_isa(opcode), target_.generation);
    if (encodings.empty() || encodings[0].format == isa::Format::flat) return ResultPath::none;
    const isa::OpcodeInfo& info = isa::info(mir::to_isa(opcode));
    if (!isa::is_image(encodings[0].format) || !isa::takes_sampler(info)) return ResultPath::plain;
    return isa::may_go_as_load(mir::to_isa(opcode), target_.generation) ? ResultPath::none : ResultPath::sampler;
  }

  void issue(InstId id, WaitState& state) const {
    const Opcode opcode = function_.insts[id].opcode;
    const bool is_memory = mir::has_flag(opcode, isa::kSmem | isa::kLds | isa::kVmem);
    if (is_memory || is_answer(opcode) || opcode == Opcode::lds_param_load) {
      issue_access(id, state);
    } else if (opcode == Opcode::exp) {
      issue_export(id, state);
    }
  }

  /// Messages answer as scalar memory does (RDNA 3 ISA guide).
  static bool is_answer(Opcode opcode) {
    return opcode == Opcode::s_sendmsg_rtn_b32 || opcode == Opcode::s_sendmsg_rtn_b64;
  }

  void issue_access(InstId id, WaitState& state) const {
    const mir::Inst& inst = function_.insts[id];
    const uint32_t flags = mir::flags(inst.opcode);
    const auto defs = function_.defs(id);
    Outstanding operation;
    if (!defs.empty()) {
      operation.reg = defs[0].reg;
      operation.dwords = defs[0].dwords;
    }
    if (inst.opcode == Opcode::lds_param_load) {
      operation.counter = Counter::exp;
      operation.kind = ExportKind::load;
    } else if ((flags & isa::kSmem) != 0 || is_answer(inst.opcode)) {
      operation.counter = target_.has_kmcnt ? Counter::km : Counter::lgkm;
      operation.out_of_order = true;
    } else if ((flags & isa::kLds) != 0) {
      operation.counter = Counter::lgkm;
    } else if ((flags & isa::kVmem) != 0 && ((flags & (isa::kMayLoad | isa::kMayStore)) != 0 || !defs.empty())) {
      const bool returns = !defs.empty();
      operation.counter = returns || !target_.has_vscnt ? Counter::vm : Counter::vs;
      if (returns && counts_as_sample(inst.opcode)) operation.counter = Counter::sample;
      if (returns) operation.path = result_path(id);
    } else {
      return;
    }
    state.issue(operation, target_);
  }

  void issue_export(InstId id, WaitState& state) const {
    Outstanding operation;
    operation.counter = Counter::exp;
    operation.kind = export_kind(function_.modifiers(function_.insts[id]).export_target);
    operation.dwords = 1;
    bool issued = false;
    for (const Operand& use : function_.uses(id)) {
      if (!use.reg.valid()) continue;
      if (issued) state.add_register(use.reg);
      operation.reg = use.reg;
      if (!issued) state.issue(operation, target_);
      issued = true;
    }
  }

  void emit(const Waits& waits, mir::InstList& out) {
    if (target_.has_kmcnt) {
      emit_split(waits, out);
      return;
    }
    const uint8_t vm = waits[Counter::vm], exp = waits[Counter::exp], lgkm = waits[Counter::lgkm];
    if (vm != Waits::kNone || exp != Waits::kNone || lgkm != Waits::kNone) {
      emit(Opcode::s_waitcnt, isa::encode_waitcnt(target_, {vm, exp, lgkm}), out);
    }
    if (waits.has(Counter::vs)) {
      const Operand null = Operand::physical(isa::kNull);
      const InstId id = function_.create(Opcode::s_waitcnt_vscnt, {}, std::span<const Operand>(&null, 1));
      function_.insts[id].simm16 = waits[Counter::vs];
      out.push_back(id);
    }
  }

  /// An instruction per counter; dscnt has instructions that it shares with one other.
  void emit_split(const Waits& waits, mir::InstList& out) {
    const uint8_t load = waits[Counter::vm], store = waits[Counter::vs], ds = waits[Counter::lgkm];
    const bool with_load = waits.has(Counter::vm) && waits.has(Counter::lgkm);
    const bool with_store = !with_load && waits.has(Counter::vs) && waits.has(Counter::lgkm);
    if (with_load) {
      emit(Opcode::s_wait_loadcnt_dscnt, isa::encode_wait_pair(load, ds), out);
    } else if (waits.has(Counter::vm)) {
      emit(Opcode::s_wait_loadcnt, load, out);
    }
    if (with_store) {
      emit(Opcode::s_wait_storecnt_dscnt, isa::encode_wait_pair(store, ds), out);
    } else if (waits.has(Counter::vs)) {
      emit(Opcode::s_wait_storecnt, store, out);
    }
    if (!with_load && !with_store && waits.has(Counter::lgkm)) emit(Opcode::s_wait_dscnt, ds, out);
    if (waits.has(Counter::sample)) emit(Opcode::s_wait_samplecnt, waits[Counter::sample], out);
    if (waits.has(Counter::exp)) emit(Opcode::s_wait_expcnt, waits[Counter::exp], out);
    if (waits.has(Counter::km)) emit(Opcode::s_wait_kmcnt, waits[Counter::km], out);
  }

  void emit(Opcode opcode, uint16_t simm16, mir::InstList& out) {
    const InstId id = function_.create(opcode, {}, {});
    function_.insts[id].simm16 = static_cast<int16_t>(simm16);
    out.push_back(id);
  }

  mir::Function& function_;
  const isa::Target& target_;
  Arena& scratch_;
  Vector<WaitState> at_start_;  ///< of blocks that were rewritten: at their end
  mir::InstList out_{scratch_};
};

}  // namespace

void insert_waits(mir::Function& function, CompileContext& context) {
  const ArenaScope scope(context.scratch);
  WaitInserter(function, context.scratch).run();
}

}  // namespace spalt::hazard
