// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <bit>
#include <cstdint>

#include "amdgpu/isa/target.h"
#include "amdgpu/isa/waitcnt.h"
#include "amdgpu/mir/function.h"
#include "base/small_vector.h"

namespace spalt::hazard {

/// Where has_kmcnt, vm is loadcnt, vs is storecnt and lgkm is dscnt; km, and sample for what uses a sampler, exist only
/// there. exp counts exports, which read their registers late.
enum class Counter : uint8_t { vm, vs, lgkm, km, sample, exp };
constexpr unsigned kCounterCount = 6;

/// Exports of different kinds may be done in any order among each other.
/// Loads of parameters for
/// quads share the counter and write their register.
enum class ExportKind : uint8_t { none, color, position, parameter, load };

/// The way that results of vector memory come. Those that come the same way are written in the order of their loads.
enum class ResultPath : uint8_t { none, plain, sampler };

/// "Do not wait" for each counter, or the value to wait for.
struct Waits {
  static constexpr uint8_t kNone = 0xff;
  std::array<uint8_t, kCounterCount> value{kNone, kNone, kNone, kNone, kNone, kNone};

  uint8_t& operator[](Counter counter) { return value[static_cast<unsigned>(counter)]; }
  uint8_t operator[](Counter counter) const { return value[static_cast<unsigned>(counter)]; }
  void require(Counter counter, uint8_t at_most) {
    if (at_most < (*this)[counter]) (*this)[counter] = at_most;
  }
  bool any() const { return value != Waits().value; }
  bool has(Counter counter) const { return (*this)[counter] != kNone; }
};

/// One operation that may not have completed.
struct Outstanding {
  isa::Reg reg;  ///< first register it will write; none for stores; of an export a register that it will read
  uint8_t dwords = 0;
  Counter counter = Counter::vm;
  bool out_of_order = false;  ///< scalar memory
  uint8_t distance = 0;       ///< later operations of the same counter
  ExportKind kind = ExportKind::none;
  ResultPath path = ResultPath::none;  ///< none: any
  bool same_result(const Outstanding& other) const {
    return reg == other.reg && dwords == other.dwords && counter == other.counter && kind == other.kind &&
           out_of_order == other.out_of_order && path == other.path;
  }
  bool operator==(const Outstanding&) const = default;
};

/// What may be outstanding at one point of the program.
class WaitState {
 public:
  bool empty() const { return outstanding_.empty(); }
  /// Whether anything outstanding may concern one of these registers.
  bool may_concern(isa::Reg reg, unsigned dwords) const { return (marks(reg, dwords) & marks_) != 0; }
  /// Whether anything of the counter may be outstanding.
  bool may_have(Counter counter) const { return (counters_ >> static_cast<unsigned>(counter) & 1) != 0; }
  /// Counter values that make it safe to read these registers.
  void require_read(isa::Reg reg, unsigned dwords, Waits& waits) const {
    require(reg, dwords, {false, ResultPath::none}, waits);
  }
  /// And to write them with a result that comes this way.
  void require_write(isa::Reg reg, unsigned dwords, ResultPath path, Waits& waits) const {
    require(reg, dwords, {true, path}, waits);
  }
  /// Counter value 0 if anything of the counter is outstanding.
  void require_all(Counter counter, Waits& waits) const;
  /// Counter values that make it safe to read and write any register: who comes next knows of nothing under way.
  void require_all_registers(Waits& waits) const;
  /// Forgets what the waits prove complete.
  void apply(const Waits& waits);
  /// A new operation of the counter.
  void issue(const Outstanding& operation, const isa::Target& target);
  /// One more register of the operation that was issued last.
  void add_register(isa::Reg reg);
  /// Unites with the state of another path; true if this state grew.
  bool join(const WaitState& other);

 private:
  struct Use {
    bool writes;
    ResultPath path;
  };
  void require(isa::Reg reg, unsigned dwords, Use use, Waits& waits) const;
  uint8_t safe_value(const Outstanding& operation) const;
  /// A bit for each register, by number modulo 64: sets without a common bit have no common register.
  static uint64_t marks(isa::Reg reg, unsigned dwords) {
    return std::rotl(dwords < 64 ? (uint64_t{1} << dwords) - 1 : ~uint64_t{0}, reg.number % 64);
  }
  void add(const Outstanding& operation) {
    outstanding_.push_back(operation);
    mark(operation);
  }
  void mark(const Outstanding& operation) {
    marks_ |= marks(operation.reg, operation.dwords);
    counters_ |= 1u << static_cast<unsigned>(operation.counter);
  }

  SmallVector<Outstanding, 16> outstanding_;
  uint64_t marks_ = 0;     ///< of their registers, and maybe of others that were
  uint32_t counters_ = 0;  ///< bit i: counter i, likewise
};

}  // namespace spalt::hazard
