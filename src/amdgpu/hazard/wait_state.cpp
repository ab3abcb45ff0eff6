// SPDX-License-Identifier: MIT
#include "amdgpu/hazard/wait_state.h"

namespace spalt::hazard {
namespace {

bool overlap(isa::Reg a, unsigned a_dwords, isa::Reg b, unsigned b_dwords) {
  return a.valid() && b.valid() && a.number < b.number + b_dwords && b.number < a.number + a_dwords;
}

uint8_t counter_max(const isa::Target& target, Counter counter) {
  switch (counter) {
    case Counter::vm:
      return target.vmcnt_max;
    case Counter::vs:
      return target.vscnt_max;
    case Counter::km:
      return target.kmcnt_max;
    case Counter::sample:
      return target.samplecnt_max;
    case Counter::exp:
      return target.expcnt_max;
    default:
      return target.lgkmcnt_max;
  }
}

}  // namespace

/// In-order operations are complete when the counter has come down to their distance. That holds only while nothing
/// else of the counter may return early: LDS results and scalar loads share lgkm, kinds of exports share exp.
uint8_t WaitState::safe_value(const Outstanding& operation) const {
  if (operation.out_of_order) return 0;
  for (const Outstanding& other : outstanding_) {
    if (other.counter != operation.counter) continue;
    if (other.out_of_order || other.kind != operation.kind) return 0;
  }
  return operation.distance;
}

void WaitState::require(isa::Reg reg, unsigned dwords, Use use, Waits& waits) const {
  if (!may_concern(reg, dwords)) return;
  for (const Outstanding& operation : outstanding_) {
    const bool only_reads = operation.counter == Counter::exp && operation.kind != ExportKind::load;
    if (only_reads && !use.writes) continue;
    const bool in_order = use.path != ResultPath::none && operation.path == use.path;
    if (in_order) continue;
    if (overlap(operation.reg, operation.dwords, reg, dwords)) waits.require(operation.counter, safe_value(operation));
  }
}

void WaitState::require_all(Counter counter, Waits& waits) const {
  for (const Outstanding& operation : outstanding_) {
    if (operation.counter == counter) waits.require(counter, 0);
  }
}

void WaitState::require_all_registers(Waits& waits) const {
  for (const Outstanding& operation : outstanding_) {
    if (operation.reg.valid()) waits.require(operation.counter, safe_value(operation));
  }
}

void WaitState::apply(const Waits& waits) {
  uint32_t kept = 0;
  marks_ = counters_ = 0;
  for (const Outstanding& operation : outstanding_) {
    const uint8_t value = waits[operation.counter];
    const bool far_enough = value != Waits::kNone && operation.distance >= value;
    const bool complete = value == 0 || (far_enough && safe_value(operation) == operation.distance);
    if (complete) continue;
    mark(operation);
    outstanding_[kept++] = operation;
  }
  outstanding_.resize(kept);
}

void WaitState::issue(const Outstanding& operation, const isa::Target& target) {
  // Beyond its maximum a counter cannot tell operations apart; waiting for one less than the maximum proves the oldest
  // complete.
  const auto last = static_cast<uint8_t>(counter_max(target, operation.counter) - 1);
  uint32_t kept = 0;
  for (Outstanding& other : outstanding_) {
    if (other.counter == operation.counter && other.distance < last) ++other.distance;
    if (other.same_result(operation)) continue;
    outstanding_[kept++] = other;
  }
  outstanding_.resize(kept);
  add(operation);
}

void WaitState::add_register(isa::Reg reg) {
  Outstanding operation = outstanding_.back();
  operation.reg = reg;
  uint32_t kept = 0;
  for (const Outstanding& other : outstanding_) {
    if (!other.same_result(operation)) outstanding_[kept++] = other;
  }
  outstanding_.resize(kept);
  add(operation);
}

bool WaitState::join(const WaitState& other) {
  bool grew = false;
  for (const Outstanding& theirs : other.outstanding_) {
    bool found = false;
    for (Outstanding& ours : outstanding_) {
      if (!ours.same_result(theirs)) continue;
      found = true;
      if (theirs.distance < ours.distance) {
        ours.distance = theirs.distance;
        grew = true;
      }
      break;
    }
    if (!found) {
      add(theirs);
      grew = true;
    }
  }
  return grew;
}

}  // namespace spalt::hazard
