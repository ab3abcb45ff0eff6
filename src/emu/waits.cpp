// SPDX-License-Identifier: MIT
#include "emu/waits.h"

#include <cstring>
#include <string>

#include "emu/program.h"
#include "emu/wave.h"

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
  transfer.scratch_lanes = 0;
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
  lds_.clear();
  scalar_.clear();
  flat_.clear();
  messages_ = 0;
  sequence_ = 0;
  pending_registers_ = 0;
  vgpr_pending_.fill(0);
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

Transfer& Waits::issue_lds(Wave& wave) {
  if (lds_.count() == TransferQueue::kCapacity) retire(wave, lds_);
  Transfer& transfer = lds_.push();
  transfer.sequence = ++sequence_;
  return transfer;
}

void Waits::issued(const Transfer& transfer) {
  mark(transfer, 1);
}

void Waits::issue_lane_crossing(Wave& wave, uint16_t dst, uint64_t lanes) {
  Transfer& transfer = issue_lds(wave);
  transfer.kind = TransferKind::load;
  transfer.performed = true;
  transfer.has_dst = true;
  transfer.dst = dst;
  transfer.dst_dwords = 1;
  transfer.lanes = lanes;
  transfer.low = transfer.high = nullptr;
  mark(transfer, 1);
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
  if (&queue == &vm_) {
    perform_load_in_order(wave, 0);
  } else if (&queue == &vs_) {
    perform_store_in_order(wave, 0);
  } else {
    perform(queue[0], wave.vgpr(0));
  }
  const Transfer& done = queue[0];
  if (done.flat && done.has_dst) {
    flat_.push_back({done.dst, done.dst_dwords, done.lanes});
  } else {
    mark(done, -1);
  }
  queue.pop();
}

void Waits::perform_load_in_order(Wave& wave, unsigned index) {
  const Transfer& load = vm_[index];
  if (load.performed) return;
  for (unsigned i = vs_.count(); i-- > 0;) {
    const Transfer& store = vs_[i];
    if (store.sequence > load.sequence || store.performed || !store.overlaps(load)) continue;
    perform_through(wave, store.sequence);
    break;
  }
  for (unsigned i = 0; i <= index; ++i) perform(vm_[i], wave.vgpr(0));
}

void Waits::perform_store_in_order(Wave& wave, unsigned index) {
  const Transfer& store = vs_[index];
  if (store.performed) return;
  for (unsigned i = 0; i < vm_.count(); ++i) {
    const Transfer& load = vm_[i];
    if (load.sequence > store.sequence) break;
    if (load.performed || !load.overlaps(store)) continue;
    perform_through(wave, store.sequence);
    return;
  }
  for (unsigned i = 0; i <= index; ++i) perform(vs_[i], wave.vgpr(0));
}

/// Loads and stores in program order up to a point: what one wave's accesses to one place must look like.
void Waits::perform_through(Wave& wave, uint32_t sequence) {
  unsigned load = 0, store = 0;
  for (;;) {
    const bool has_load = load < vm_.count() && vm_[load].sequence <= sequence;
    const bool has_store = store < vs_.count() && vs_[store].sequence <= sequence;
    if (!has_load && !has_store) return;
    if (has_load && (!has_store || vm_[load].sequence < vs_[store].sequence)) {
      perform(vm_[load++], wave.vgpr(0));
    } else {
      perform(vs_[store++], wave.vgpr(0));
    }
  }
}

void Waits::wait_vm(Wave& wave, unsigned count) {
  while (vm_.count() > count) retire(wave, vm_);
}

void Waits::wait_vs(Wave& wave, unsigned count) {
  while (vs_.count() > count) retire(wave, vs_);
}

void Waits::wait_lgkm(Wave& wave, unsigned count) {
  // Messages and scalar loads return out of order with everything else.
  if (count != 0 && (!scalar_.empty() || messages_ != 0)) return;
  while (lds_.count() > count) retire(wave, lds_);
  if (count == 0) {
    complete_scalar(wave);
    messages_ = 0;
    for (const FlatResult& result : flat_) mark_registers(result.dst, result.dwords, -1);
    flat_.clear();
    for (unsigned i = 0; i < vm_.count(); ++i) vm_[i].flat = false;
  }
}

void Waits::complete_scalar(Wave& wave) {
  for (const ScalarTransfer& transfer : scalar_) {
    for (unsigned i = 0; i < transfer.dwords; ++i) {
      uint32_t value = 0;
      if (transfer.clock) {
        value = static_cast<uint32_t>(transfer.value >> (32 * i));
      } else if (i < transfer.valid_dwords) {
        std::memcpy(&value, transfer.host + 4 * i, 4);
      }
      const unsigned reg = transfer.dst + i;
      if (transfer.dst != isa::kNull.number) wave.write_s32(reg, value);
      --sgpr_pending_[reg];
    }
    pending_registers_ -= transfer.dwords;
  }
  scalar_.clear();
}

void Waits::perform_stores(Wave& wave) {
  if (vs_.count() != 0) perform_store_in_order(wave, vs_.count() - 1);
  unsigned behind_last_store = vm_.count();
  while (behind_last_store > 0 && vm_[behind_last_store - 1].kind != TransferKind::store) --behind_last_store;
  for (unsigned i = 0; i < behind_last_store; ++i) perform(vm_[i], wave.vgpr(0));
  for (unsigned i = 0; i < lds_.count(); ++i) perform(lds_[i], wave.vgpr(0));
}

void Waits::finish(Wave& wave) {
  wait_vs(wave, 0);
  wait_vm(wave, 0);
  wait_lgkm(wave, 0);
}

namespace {

bool covers(const Transfer& transfer, unsigned vgpr) {
  return transfer.has_dst && vgpr >= transfer.dst && vgpr < static_cast<unsigned>(transfer.dst) + transfer.dst_dwords;
}

bool conflict_in(const TransferQueue& queue, unsigned vgpr, uint64_t lanes) {
  for (unsigned i = 0; i < queue.count(); ++i) {
    if (covers(queue[i], vgpr) && (queue[i].lanes & lanes) != 0) return true;
  }
  return false;
}

bool returns_in_vm(const Step& step) {
  return step.step_class == StepClass::vmem_load || (step.step_class == StepClass::vmem_atomic && step.has_dst);
}

}  // namespace

bool Waits::flat_holds(unsigned vgpr, uint64_t lanes) const {
  for (const FlatResult& result : flat_) {
    if (vgpr >= result.dst && vgpr < static_cast<unsigned>(result.dst) + result.dwords && (result.lanes & lanes) != 0) {
      return true;
    }
  }
  return false;
}

void Waits::check_vgpr(Wave& wave, const Step& step, const RegUse& use, unsigned vgpr) const {
  const uint64_t lanes = use.all_lanes ? ~uint64_t{0} : wave.exec();
  // Results of one counter arrive in order, so a later load may overwrite an earlier one's destination.
  const bool vm = !(use.write && returns_in_vm(step)) && conflict_in(vm_, vgpr, lanes);
  const bool lds =
      (!(use.write && step.step_class == StepClass::lds) && conflict_in(lds_, vgpr, lanes)) || flat_holds(vgpr, lanes);
  if (!vm && !lds) return;
  std::string name(1, 'v');
  name += std::to_string(vgpr);
  const char* counter = vm ? "vmcnt" : "lgkmcnt";
  wave.fault(std::string(use.write ? "overwrites " : "reads ") + name + " while a load into it is in flight (no " +
             counter + " wait)");
}

void Waits::check_indexed(Wave& wave, const Step& step, unsigned vgpr, bool write) const {
  const RegUse use{static_cast<uint16_t>(256 + vgpr), 1, write, false};
  if (vgpr_pending_[vgpr] != 0) check_vgpr(wave, step, use, vgpr);
}

void Waits::check(Wave& wave, const Step& step) const {
  for (unsigned i = 0; i < step.use_count; ++i) {
    const RegUse& use = step.uses[i];
    for (unsigned r = use.first; r < static_cast<unsigned>(use.first) + use.count; ++r) {
      if (r >= 256) {
        if (vgpr_pending_[r - 256] != 0) check_vgpr(wave, step, use, r - 256);
      } else if (r < sgpr_pending_.size() && sgpr_pending_[r] != 0) {
        wave.fault(std::string(use.write ? "overwrites" : "reads") + " scalar register " + std::to_string(r) +
                   " while a scalar load into it is in flight (no lgkmcnt(0) wait)");
      }
    }
  }
}

}  // namespace spalt::emu
