// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "amdgpu/isa/target.h"
#include "emu/memory/lane_access.h"
#include "emu/scalar/scalar_access.h"
#include "emu/wave/step.h"

namespace spalt::emu {

/// Transfers in issue order, at most as many as their counter can count.
class TransferQueue {
 public:
  static constexpr unsigned kCapacity = 64;
  unsigned count() const { return count_; }
  Transfer& operator[](unsigned index) { return slots_[(head_ + index) % kCapacity]; }
  const Transfer& operator[](unsigned index) const { return slots_[(head_ + index) % kCapacity]; }
  Transfer& push();
  void pop();
  void clear() { head_ = count_ = 0; }

 private:
  std::vector<Transfer> slots_;  ///< grows to what the wave needs, then is reused
  unsigned head_ = 0, count_ = 0;
};

/// An export that may not have read its registers yet.
struct PendingExport {
  uint8_t target = 0;
  uint8_t count = 0;
  std::array<uint8_t, 4> vgprs{};
  uint64_t lanes = 0;
};

/// The wait counters of one wave, as unkind as the architecture allows: data moves and registers become readable only
/// when a wait forces it. Vector memory completes in order within loads, within samples and within stores (as far as
/// the target counts them apart), LDS in order, scalar loads in any order, so that where they count together with LDS,
/// with one of them outstanding only lgkmcnt(0) tells anything (RDNA 2 ISA guide, section 4.4 "Manually inserted wait
/// states and dependency resolution"; RDNA 4 ISA guide, section 5.7). What differs between generations are facts of
/// isa::Target. Accesses of one wave to one address keep program order.
class Waits {
 public:
  void reset();
  Transfer& issue_load(Wave& wave);
  Transfer& issue_store(Wave& wave);
  /// A load that goes through the sampler.
  Transfer& issue_sample(Wave& wave);
  Transfer& issue_lds(Wave& wave);
  /// A direct load from LDS, which counts with exports.
  Transfer& issue_direct(Wave& wave);
  /// A parameter that is in its register, but not readable; counts with exports, too.
  void issue_parameter(Wave& wave, uint16_t dst, uint64_t lanes);
  void issue_export(const PendingExport& pending);
  /// To be called when the fields of an issued transfer are complete.
  void issued(const Transfer& transfer);
  void issue_scalar(const ScalarTransfer& transfer);
  void issue_message() { ++messages_; }
  /// A flat access, after issued(): it counts among LDS accesses, too.
  void issue_flat(Wave& wave, const Transfer& transfer);
  /// scc is on its way, like the result of a scalar load.
  void issue_scc() { scc_pending_ = true; }
  void scc_arrived() { scc_pending_ = false; }
  /// A register written by a lane-crossing LDS instruction; its value is already there, but not readable.
  void issue_lane_crossing(Wave& wave, uint16_t dst, uint64_t lanes);

  void wait_loads(Wave& wave, unsigned count);
  void wait_stores(Wave& wave, unsigned count);
  void wait_samples(Wave& wave, unsigned count);
  void wait_lds(Wave& wave, unsigned count);
  /// Exports and loads that count with them. While they are of several kinds, only 0 says anything.
  void wait_exports(Wave& wave, unsigned count);
  /// Scalar loads and messages; only 0 says anything.
  void wait_scalar(Wave& wave, unsigned count);
  /// LDS and scalar work together, on targets without kmcnt.
  void wait_lgkm(Wave& wave, unsigned count);
  /// The transfer of vector memory with that number, or nullptr.
  Transfer* in_flight(uint32_t sequence);
  /// Whether a store of the wave to these bytes has been waited for by nobody.
  bool stores_to(const uint8_t* low, const uint8_t* high) const;
  /// Whether an access of vector memory or LDS has not happened yet.
  bool something_is_left() const;
  /// One LDS access more happens, in order; no counter changes.
  void perform_next_lds(Wave& wave);
  /// Whether the step reads or writes a register that something in flight still writes.
  bool touches_pending(const Step& step) const;
  /// Waits for what the step's registers are waiting for.
  void settle_registers(Wave& wave, const Step& step);
  /// Makes all stores visible without touching the counters: time passes.
  void perform_stores(Wave& wave);
  /// Everything arrives: the wave ends.
  void finish(Wave& wave);

  bool idle() const { return pending_registers_ == 0 && !scc_pending_; }
  /// Faults when the step touches a register that something in flight still writes, or overwrites one that an export
  /// still reads. Does first what the step itself waits for.
  void check(Wave& wave, const Step& step);

  /// The same for one vector register that the step finds at run time.
  void check_indexed(Wave& wave, const Step& step, unsigned vgpr, bool write) const;
  /// The same for scalar registers.
  void check_indexed_scalars(Wave& wave, unsigned first, unsigned count, bool write) const;

 private:
  void mark(const Transfer& transfer, int delta);
  void mark_registers(unsigned first, unsigned count, int delta);
  void retire(Wave& wave, TransferQueue& queue);
  void perform_load_in_order(Wave& wave, TransferQueue& loads, unsigned index);
  void perform_store_in_order(Wave& wave, unsigned index);
  void perform_through(Wave& wave, uint32_t sequence);
  void settle_register(Wave& wave, unsigned reg);
  void check_exported(Wave& wave, unsigned vgpr) const;
  void pop_export();
  bool exports_in_order() const;
  void check_vgpr(Wave& wave, const Step& step, const RegUse& use, unsigned vgpr) const;
  void complete_scalar(Wave& wave);
  bool may_wait_for(const Wave& wave, const TransferQueue& queue, unsigned count) const;

  /// Samples have a queue of their own only where they have a counter.
  TransferQueue vm_, vs_, samples_, lds_, direct_;
  std::vector<PendingExport> exports_;  ///< oldest first
  std::vector<ScalarTransfer> scalar_;
  unsigned messages_ = 0;
  bool scc_pending_ = false;
  uint32_t sequence_ = 0;
  uint32_t pending_registers_ = 0;
  std::array<uint8_t, 256> vgpr_pending_{}, vgpr_exported_{};
  std::array<uint8_t, 130> sgpr_pending_{};
};

}  // namespace spalt::emu
