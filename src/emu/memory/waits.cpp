// SPDX-License-Identifier: MIT
#include "emu/memory/waits.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "amdgpu/isa/waitcnt.h"
#include "base/bits.h"
#include "emu/caches/memory_hierarchy.h"
#include "emu/launch/program.h"
#include "emu/wave/graphics_link.h"
#include "emu/wave/wave.h"

namespace spalt::emu {

Transfer& TransferQueue::push() {
  const unsigned slot = (head_ + count_) % kCapacity;
  if (slot >= slots_.size()) slots_.resize(slot + 1);
  ++count_;
  Transfer& transfer = slots_[slot];
  transfer.op = AtomicOp::none;
  transfer.extend = Extend::zero;
  transfer.second_from = 255;
  transfer.has_dst = transfer.performed = transfer.flat = false;
  transfer.dst_dwords = 0;
  transfer.second_delta = 0;
  transfer.scratch_lanes = transfer.crossing_lanes = transfer.absent_lanes = 0;
  transfer.has_status = false;
  transfer.conversion.format = nullptr;
  transfer.texels.reset();
  transfer.path = MemoryPath::plain;
  transfer.to_lds = nullptr;
  transfer.operand_in_memory = transfer.for_all_lanes = false;
  transfer.flushed = {};
  transfer.block = 0;
  transfer.transposed_bytes = 0;
  return transfer;
}

void TransferQueue::pop() {
  head_ = (head_ + 1) % kCapacity;
  // Starting over at slot 0 keeps a wave that always waits in the same warm slots.
  if (--count_ == 0) head_ = 0;
}

void Waits::reset() {
  vm_.clear();
  vs_.clear();
  samples_.clear();
  lds_.clear();
  direct_.clear();
  exports_.clear();
  scalar_.clear();
  messages_ = 0;
  scc_pending_ = false;
  sequence_ = 0;
  pending_registers_ = 0;
  vgpr_pending_.fill(0);
  vgpr_exported_.fill(0);
  sgpr_pending_.fill(0);
}

Transfer& Waits::issue_load(Wave& wave) {
  if (vm_.count() == TransferQueue::kCapacity) retire(wave, vm_);
  Transfer& transfer = vm_.push();
  transfer.sequence = ++sequence_;
  return transfer;
}

Transfer& Waits::issue_store(Wave& wave) {
  // Without a counter of their own, stores take their place among the loads.
  if (!wave.program().target().has_vscnt) return issue_load(wave);
  if (vs_.count() == TransferQueue::kCapacity) retire(wave, vs_);
  Transfer& transfer = vs_.push();
  transfer.sequence = ++sequence_;
  return transfer;
}

Transfer& Waits::issue_sample(Wave& wave) {
  if (!wave.program().target().has_samplecnt) return issue_load(wave);
  if (samples_.count() == TransferQueue::kCapacity) retire(wave, samples_);
  Transfer& transfer = samples_.push();
  transfer.sequence = ++sequence_;
  return transfer;
}

Transfer& Waits::issue_lds(Wave& wave) {
  if (lds_.count() == TransferQueue::kCapacity) retire(wave, lds_);
  Transfer& transfer = lds_.push();
  transfer.sequence = ++sequence_;
  return transfer;
}

Transfer& Waits::issue_direct(Wave& wave) {
  if (direct_.count() == TransferQueue::kCapacity) retire(wave, direct_);
  Transfer& transfer = direct_.push();
  transfer.sequence = ++sequence_;
  return transfer;
}

void Waits::issued(const Transfer& transfer) {
  mark(transfer, 1);
}

namespace {

/// Its value is in the register already.
void fill_arrived(Transfer& transfer, uint16_t dst, uint64_t lanes) {
  transfer.kind = TransferKind::load;
  transfer.performed = true;
  transfer.has_dst = true;
  transfer.dst = dst;
  transfer.dst_dwords = 1;
  transfer.lanes = lanes;
  transfer.low = transfer.high = nullptr;
}

/// What hardware counts and waits for apart, so that it may complete in any order (LLVM, SIInsertWaitcnts).
enum class ExportKind : uint8_t { position, parameter, other };
ExportKind kind_of(const PendingExport& pending) {
  if (is_position_export(pending.target)) return ExportKind::position;
  return pending.target >= kExportParameter ? ExportKind::parameter : ExportKind::other;
}

}  // namespace

void Waits::issue_lane_crossing(Wave& wave, uint16_t dst, uint64_t lanes) {
  Transfer& transfer = issue_lds(wave);
  fill_arrived(transfer, dst, lanes);
  mark(transfer, 1);
}

void Waits::issue_parameter(Wave& wave, uint16_t dst, uint64_t lanes) {
  Transfer& transfer = issue_direct(wave);
  fill_arrived(transfer, dst, lanes);
  mark(transfer, 1);
}

void Waits::issue_export(const PendingExport& pending) {
  if (exports_.size() == TransferQueue::kCapacity) pop_export();
  exports_.push_back(pending);
  for (unsigned i = 0; i < pending.count; ++i) ++vgpr_exported_[pending.vgprs[i]];
  pending_registers_ += pending.count;
}

void Waits::pop_export() {
  const PendingExport& oldest = exports_.front();
  for (unsigned i = 0; i < oldest.count; ++i) --vgpr_exported_[oldest.vgprs[i]];
  pending_registers_ -= oldest.count;
  exports_.erase(exports_.begin());
}

bool Waits::exports_in_order() const {
  if (exports_.empty()) return true;
  const ExportKind kind = kind_of(exports_.front());
  return direct_.count() == 0 && std::all_of(exports_.begin(), exports_.end(),
                                             [kind](const PendingExport& pending) { return kind_of(pending) == kind; });
}

/// The entry among the LDS accesses moves no data, it only holds the registers.
void Waits::issue_flat(Wave& wave, const Transfer& transfer) {
  Transfer& other = issue_lds(wave);
  other.kind = transfer.kind;
  other.performed = other.flat = true;
  other.has_dst = transfer.has_dst;
  other.dst = transfer.dst;
  other.dst_dwords = transfer.dst_dwords;
  other.lanes = transfer.lanes;
  other.low = other.high = nullptr;
  mark(other, 1);
}

void Waits::issue_scalar(const ScalarTransfer& transfer) {
  scalar_.push_back(transfer);
  for (unsigned i = 0; i < transfer.dwords; ++i) ++sgpr_pending_[transfer.dst + i];
  pending_registers_ += transfer.dwords;
}

void Waits::mark(const Transfer& transfer, int delta) {
  if (transfer.has_dst) mark_registers(transfer.dst, transfer.dst_dwords, delta);
}

void Waits::mark_registers(unsigned first, unsigned count, int delta) {
  for (unsigned r = first; r < first + count; ++r) vgpr_pending_[r] = static_cast<uint8_t>(vgpr_pending_[r] + delta);
  pending_registers_ = static_cast<uint32_t>(pending_registers_ + static_cast<int64_t>(count) * delta);
}

void Waits::retire(Wave& wave, TransferQueue& queue) {
  MemoryHierarchy* hierarchy = wave.group().hierarchy;
  if (hierarchy != nullptr && (&queue == &vm_ || &queue == &vs_ || &queue == &samples_)) {
    hierarchy->complete(wave, queue[0]);
  } else if (&queue == &vm_ || &queue == &samples_) {
    perform_load_in_order(wave, queue, 0);
  } else if (&queue == &vs_) {
    perform_store_in_order(wave, 0);
  } else {
    perform(queue[0], wave.vgpr(0));
  }
  mark(queue[0], -1);
  queue.pop();
}

void Waits::perform_load_in_order(Wave& wave, TransferQueue& loads, unsigned index) {
  const Transfer& load = loads[index];
  if (load.performed) return;
  for (unsigned i = vs_.count(); i-- > 0;) {
    const Transfer& store = vs_[i];
    if (store.sequence > load.sequence || store.performed || !store.overlaps(load)) continue;
    perform_through(wave, store.sequence);
    break;
  }
  for (unsigned i = 0; i <= index; ++i) perform(loads[i], wave.vgpr(0));
}

void Waits::perform_store_in_order(Wave& wave, unsigned index) {
  const Transfer& store = vs_[index];
  if (store.performed) return;
  for (const TransferQueue* loads : {&vm_, &samples_}) {
    for (unsigned i = 0; i < loads->count(); ++i) {
      const Transfer& load = (*loads)[i];
      if (load.sequence > store.sequence) break;
      if (load.performed || !load.overlaps(store)) continue;
      perform_through(wave, store.sequence);
      return;
    }
  }
  for (unsigned i = 0; i <= index; ++i) perform(vs_[i], wave.vgpr(0));
}

/// Loads and stores in program order up to a point: what one wave's accesses to one place must look like.
void Waits::perform_through(Wave& wave, uint32_t sequence) {
  struct Position {
    TransferQueue& queue;
    unsigned next;
  };
  for (Position positions[] = {{vm_, 0}, {vs_, 0}, {samples_, 0}};;) {
    Position* first = nullptr;
    for (Position& at : positions) {
      if (at.next == at.queue.count() || at.queue[at.next].sequence > sequence) continue;
      if (first == nullptr || at.queue[at.next].sequence < first->queue[first->next].sequence) first = &at;
    }
    if (first == nullptr) return;
    perform(first->queue[first->next++], wave.vgpr(0));
  }
}

/// Where flat accesses overtake others, a count above 0 says nothing while one is outstanding.
bool Waits::may_wait_for(const Wave& wave, const TransferQueue& queue, unsigned count) const {
  if (count == 0 || wave.program().target().flat_counts_in_order) return true;
  for (unsigned i = 0; i < queue.count(); ++i) {
    if (queue[i].flat) return false;
  }
  return true;
}

void Waits::wait_loads(Wave& wave, unsigned count) {
  if (!may_wait_for(wave, vm_, count)) return;
  while (vm_.count() > count) retire(wave, vm_);
}

void Waits::wait_stores(Wave& wave, unsigned count) {
  if (!may_wait_for(wave, vs_, count)) return;
  while (vs_.count() > count) retire(wave, vs_);
}

void Waits::wait_samples(Wave& wave, unsigned count) {
  while (samples_.count() > count) retire(wave, samples_);
}

void Waits::wait_lds(Wave& wave, unsigned count) {
  if (!may_wait_for(wave, lds_, count)) return;
  while (lds_.count() > count) retire(wave, lds_);
}

void Waits::wait_exports(Wave& wave, unsigned count) {
  if (count != 0 && !exports_in_order()) return;
  while (direct_.count() > count) retire(wave, direct_);
  while (exports_.size() > count) pop_export();
}

void Waits::wait_scalar(Wave& wave, unsigned count) {
  if (count != 0) return;
  complete_scalar(wave);
  messages_ = 0;
  scc_pending_ = false;
}

void Waits::wait_lgkm(Wave& wave, unsigned count) {
  // Messages and scalar loads return out of order with everything else.
  if (count != 0 && (!scalar_.empty() || messages_ != 0)) return;
  wait_lds(wave, count);
  wait_scalar(wave, count);
}

void Waits::complete_scalar(Wave& wave) {
  for (const ScalarTransfer& transfer : scalar_) {
    MemoryHierarchy* hierarchy = wave.group().hierarchy;
    const ScalarResult result = hierarchy != nullptr ? hierarchy->perform_scalar(wave, transfer) : perform(transfer);
    for (unsigned i = 0; i < transfer.dwords; ++i) {
      const unsigned reg = transfer.dst + i;
      if (transfer.dst != isa::kNull.number) wave.write_s32(reg, result[i]);
      --sgpr_pending_[reg];
    }
    pending_registers_ -= transfer.dwords;
  }
  scalar_.clear();
}

Transfer* Waits::in_flight(uint32_t sequence) {
  for (TransferQueue* queue : {&vm_, &vs_, &samples_}) {
    for (unsigned i = 0; i < queue->count(); ++i) {
      if ((*queue)[i].sequence == sequence) return &(*queue)[i];
    }
  }
  return nullptr;
}

bool Waits::stores_to(const uint8_t* low, const uint8_t* high) const {
  for (const TransferQueue* queue : {&vm_, &vs_}) {
    for (unsigned i = 0; i < queue->count(); ++i) {
      const Transfer& transfer = (*queue)[i];
      if (transfer.kind == TransferKind::store && transfer.low < high && low < transfer.high) return true;
    }
  }
  return false;
}

bool Waits::something_is_left() const {
  for (const TransferQueue* queue : {&vm_, &vs_, &samples_, &lds_}) {
    for (unsigned i = 0; i < queue->count(); ++i) {
      if (!(*queue)[i].performed) return true;
    }
  }
  return false;
}

void Waits::perform_next_lds(Wave& wave) {
  unsigned next = 0;
  while (next < lds_.count() && lds_[next].performed) ++next;
  if (next < lds_.count()) perform(lds_[next], wave.vgpr(0));
}

void Waits::perform_stores(Wave& wave) {
  if (vs_.count() != 0) perform_store_in_order(wave, vs_.count() - 1);
  unsigned behind_last_store = vm_.count();
  while (behind_last_store > 0 && vm_[behind_last_store - 1].kind != TransferKind::store) --behind_last_store;
  for (unsigned i = 0; i < behind_last_store; ++i) perform(vm_[i], wave.vgpr(0));
  for (unsigned i = 0; i < lds_.count(); ++i) perform(lds_[i], wave.vgpr(0));
}

void Waits::finish(Wave& wave) {
  wait_stores(wave, 0);
  wait_loads(wave, 0);
  wait_samples(wave, 0);
  wait_lgkm(wave, 0);
  wait_exports(wave, 0);
}

namespace {

bool covers(const Transfer& transfer, unsigned vgpr) {
  return transfer.has_dst && vgpr >= transfer.dst && vgpr < static_cast<unsigned>(transfer.dst) + transfer.dst_dwords;
}

bool conflict_in(const TransferQueue& queue, unsigned vgpr, uint64_t lanes) {
  for (unsigned i = 0; i < queue.count(); ++i) {
    if (covers(queue[i], vgpr) && (queue[i].result_lanes() & lanes) != 0) return true;
  }
  return false;
}

/// The same for a write by something that arrives after all that goes the same way.
bool conflict_with_other_path(const TransferQueue& queue, unsigned vgpr, uint64_t lanes, MemoryPath path) {
  for (unsigned i = 0; i < queue.count(); ++i) {
    const bool in_order = queue[i].path == path && path != MemoryPath::either;
    if (!in_order && covers(queue[i], vgpr) && (queue[i].result_lanes() & lanes) != 0) return true;
  }
  return false;
}

bool returns_in_vm(const Step& step) {
  return step.step_class == StepClass::vmem_load || (step.step_class == StepClass::vmem_atomic && step.has_dst);
}

}  // namespace

void Waits::check_vgpr(Wave& wave, const Step& step, const RegUse& use, unsigned vgpr) const {
  const uint64_t lanes = use.all_lanes ? ~uint64_t{0} : wave.exec();
  const isa::Target& target = wave.program().target();
  // Where results arrive in order, a later load may overwrite an earlier one's destination.
  const bool in_order = use.write && returns_in_vm(step) && target.loads_write_in_order;
  const bool vm = in_order ? conflict_with_other_path(vm_, vgpr, lanes, step.path) : conflict_in(vm_, vgpr, lanes);
  const bool sample = conflict_in(samples_, vgpr, lanes);
  const bool lds = !(use.write && step.step_class == StepClass::lds) && conflict_in(lds_, vgpr, lanes);
  const bool direct = conflict_in(direct_, vgpr, lanes);
  if (!vm && !sample && !lds && !direct) return;
  std::string name(1, 'v');
  name += std::to_string(vgpr);
  const isa::WaitNames& names = isa::wait_names(target);
  wave.fault(FaultKind::missing_wait, std::string(use.write ? "overwrites " : "reads ") + name +
                                          " while a load into it is in flight (no " +
                                          (vm       ? names.load
                                           : sample ? names.sample
                                           : lds    ? names.lds
                                                    : names.direct) +
                                          ")");
}

bool Waits::touches_pending(const Step& step) const {
  for (unsigned i = 0; i < step.use_count; ++i) {
    const RegUse& use = step.uses[i];
    for (unsigned r = use.first; r < static_cast<unsigned>(use.first) + use.count; ++r) {
      const bool pending = r >= 256 ? vgpr_pending_[r - 256] != 0 || (use.write && vgpr_exported_[r - 256] != 0)
                                    : r < sgpr_pending_.size() && sgpr_pending_[r] != 0;
      if (pending) return true;
    }
  }
  return false;
}

void Waits::settle_registers(Wave& wave, const Step& step) {
  for (unsigned i = 0; i < step.use_count; ++i) {
    const RegUse& use = step.uses[i];
    for (unsigned r = use.first; r < static_cast<unsigned>(use.first) + use.count; ++r) settle_register(wave, r);
  }
}

void Waits::settle_register(Wave& wave, unsigned reg) {
  if (reg < 256) {
    if (reg < sgpr_pending_.size() && sgpr_pending_[reg] != 0) complete_scalar(wave);
    return;
  }
  for (TransferQueue* queue : {&vm_, &vs_, &samples_, &lds_, &direct_}) {
    while (conflict_in(*queue, reg - 256, ~uint64_t{0})) retire(wave, *queue);
  }
  while (vgpr_exported_[reg - 256] != 0) pop_export();
}

void Waits::check_indexed(Wave& wave, const Step& step, unsigned vgpr, bool write) const {
  const RegUse use{static_cast<uint16_t>(256 + vgpr), 1, write, false};
  if (vgpr_pending_[vgpr] != 0) check_vgpr(wave, step, use, vgpr);
}

void Waits::check_indexed_scalars(Wave& wave, unsigned first, unsigned count, bool write) const {
  for (unsigned r = first; r < first + count; ++r) {
    if (sgpr_pending_[r] == 0) continue;
    wave.fault(FaultKind::missing_wait, std::string(write ? "overwrites" : "reads") + " scalar register " +
                                            std::to_string(r) + " while a scalar load into it is in flight (no " +
                                            isa::wait_names(wave.program().target()).scalar + ")");
  }
}

void Waits::check_exported(Wave& wave, unsigned vgpr) const {
  const auto reads = [&](const PendingExport& pending) {
    const auto end = pending.vgprs.begin() + pending.count;
    return (pending.lanes & wave.exec()) != 0 && std::find(pending.vgprs.begin(), end, vgpr) != end;
  };
  if (std::none_of(exports_.begin(), exports_.end(), reads)) return;
  wave.fault(FaultKind::missing_wait, "overwrites v" + std::to_string(vgpr) +
                                          " while an export may not have read it (no " +
                                          isa::wait_names(wave.program().target()).direct + ")");
}

namespace {

bool writes_exec(const Step& step) {
  const auto is_exec = [](const RegUse& use) {
    return use.write && use.first <= isa::kExecHi.number && use.first + use.count > isa::kExec.number;
  };
  return (step.flags & isa::kWritesExec) != 0 ||
         std::any_of(step.uses.begin(), step.uses.begin() + step.use_count, is_exec);
}

}  // namespace

void Waits::check(Wave& wave, const Step& step) {
  constexpr unsigned kNoWait = 7;
  if (step.inst.format == isa::Format::vinterp && step.inst.mods.wait_exp < kNoWait) {
    wait_exports(wave, step.inst.mods.wait_exp);
  }
  if (!exports_.empty() && writes_exec(step)) {
    wave.fault(FaultKind::missing_wait, std::string("writes exec while an export may not have read it (no ") +
                                            isa::wait_names(wave.program().target()).direct + ")");
  }
  if (scc_pending_ && (step.flags & (isa::kReadsScc | isa::kWritesScc)) != 0) {
    wave.fault(FaultKind::missing_wait,
               "uses scc while s_barrier_signal_isfirst is still to set it (no s_wait_kmcnt 0x0 or s_barrier_wait)");
  }
  for (unsigned i = 0; i < step.use_count; ++i) {
    const RegUse& use = step.uses[i];
    for (unsigned r = use.first; r < static_cast<unsigned>(use.first) + use.count; ++r) {
      if (r >= 256) {
        if (vgpr_pending_[r - 256] != 0) check_vgpr(wave, step, use, r - 256);
        if (use.write && vgpr_exported_[r - 256] != 0) check_exported(wave, r - 256);
      } else if (r < sgpr_pending_.size()) {
        check_indexed_scalars(wave, r, 1, use.write);
      }
    }
  }
}

}  // namespace spalt::emu
