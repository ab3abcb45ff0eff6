// SPDX-License-Identifier: MIT
//
// One wave alone on its SIMD: when each instruction of a block issues, and what it waited for.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "amdgpu/estimate/code.h"
#include "amdgpu/isa/timing.h"

namespace spalt::estimate {

/// Why an instruction issues later than the wave's turn.
enum class Stall : uint8_t {
  none,
  result,  ///< of arithmetic is not there
  unit,    ///< takes nothing new yet
  memory   ///< a wait for a counter
};
constexpr unsigned kStallCount = 4;

/// What instructions wait for by numbers: the counters of all generations.
enum class Counter : uint8_t { load, store, lds, scalar, sample, bvh, exports };
constexpr unsigned kCounterCount = 7;

struct Issue {
  uint32_t cycle = 0;    ///< from the start of the block
  uint32_t stalled = 0;  ///< cycles before it
  Stall stall = Stall::none;
  isa::Unit unit = isa::Unit::sequencer;
};

/// What is under way between two blocks, in cycles from the end of the first.
struct UnderWay {
  struct Result {
    uint16_t reg;
    uint16_t ready;
  };
  std::vector<Result> results;
  std::array<std::vector<uint32_t>, kCounterCount> operations;  ///< oldest first: when each is complete
  std::array<uint32_t, isa::kUnitCount> units{};                ///< when each takes the next instruction

  /// Whatever is under way on either of two paths, as late as on the later.
  void join(const UnderWay& other);
};

struct BlockTime {
  uint32_t cycles = 0;   ///< from the turn of its first instruction to that of the next block's
  uint32_t issuing = 0;  ///< of them in which the wave issues
  std::array<uint32_t, kStallCount> stalls{};
  std::array<uint32_t, isa::kUnitCount> busy{};  ///< cycles of each unit
};

/// Runs blocks of one program.
class WaveTimer {
 public:
  explicit WaveTimer(const Code& code);
  /// Advances over a block. `under_way` is what the wave comes with, and then what it leaves with. `issues` gets one
  /// entry for each of its instructions, at the place of the instruction in the program, unless it is null.
  BlockTime run(const Block& block, UnderWay& under_way, std::vector<Issue>* issues);

 private:
  void begin(const UnderWay& under_way);
  void end(UnderWay& under_way) const;
  void step(const isa::Inst& inst, BlockTime& time, Issue& issue);
  void wait_for_results(const isa::Inst& inst, const isa::OpcodeInfo& info);
  void wait_for_counters(const isa::Inst& inst);
  void wait(Counter counter, unsigned left);
  void delay_until(uint32_t cycle, Stall why);
  void read(isa::Reg reg, unsigned dwords);
  void write(isa::Reg reg, unsigned dwords, uint32_t ready);
  void write_results(const isa::Inst& inst, const isa::OpcodeInfo& info, uint32_t ready);
  /// The counter that an operation of memory or exports takes part in.
  std::optional<Counter> counter_of(const isa::Inst& inst, const isa::OpcodeInfo& info) const;
  unsigned limit_of(Counter counter) const;
  void start_operation(Counter counter, uint32_t complete);

  const Code& code_;
  const isa::Target& target_;
  uint32_t now_ = 0;
  Stall stall_ = Stall::none;
  std::array<uint32_t, isa::Reg::kVgprEnd> ready_{};
  std::vector<uint16_t> touched_;  ///< registers whose ready_ may not be 0
  std::array<uint32_t, isa::kUnitCount> unit_free_{};
  std::array<std::vector<uint32_t>, kCounterCount> operations_;
  std::array<size_t, kCounterCount> complete_{};  ///< of operations_, oldest first
};

}  // namespace spalt::estimate
