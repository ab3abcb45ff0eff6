// SPDX-License-Identifier: MIT
// Execution of one subgroup in lockstep. Internal to src/interp.
//
// All running lanes stand at the same instruction; every other live lane waits, either at a stop of the program
// (program.h says why the earliest stop runs first) or at a barrier. An instruction is decoded once and then applied to
// the running lanes, row by row of a value table that holds the lanes of a slot side by side.
//
// Invariant: each live lane is in exactly one of `lanes_`, one entry of `waiting_` and `at_barrier_`; entries of
// `waiting_` have distinct stops, none of them empty.
//
// Cost: an instruction takes time in proportion to the lanes that run it. Where lanes part, finding their stop takes
// time in proportion to the stops where somebody waits, at most one per lane. Nothing is allocated while lanes run.
#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "interp/interpreter.h"
#include "interp/program.h"

namespace spalt::interp {

/// What all workgroups of a dispatch share.
struct Context {
  const ir::Module& module;
  const Program& program;
  const Limits& limits;
  const Dispatch& dispatch;
  /// Per binding of the module its descriptors, by element; an empty span where the dispatch has none.
  std::vector<std::vector<std::span<uint8_t>>> buffers;
  uint64_t steps_left = 0;
};

/// What the subgroups of a workgroup share.
struct Workgroup {
  std::array<uint32_t, 3> id{};
  uint32_t invocations = 0;
  std::vector<uint8_t> shared;
  std::vector<uint8_t> push;    ///< a copy: the dispatch's bytes are const, one path reads all memory
  std::vector<uint8_t> tables;  ///< a copy, likewise
  std::vector<uint64_t> moved;  ///< operands of phis between reading and writing
  std::span<const uint64_t> arguments;
  uint64_t returned = 0;
  Error error;
};

class Subgroup {
 public:
  enum class Outcome : uint8_t { ended, waiting, paused, failed };

  /// `frame` has a row of `stride` cells per slot, zero but for the constants of the program; `scratch` the memory of
  /// `stride` invocations. Both outlive the subgroup.
  Subgroup(Context& context, Workgroup& group, uint32_t stride, uint64_t* frame, uint8_t* scratch);

  /// Puts `lanes` new invocations, from `first` on, at the entry; at most `stride`.
  void start(uint32_t first, uint32_t lanes);
  /// Runs until all lanes have ended or wait at a barrier, or about `slice` steps of lanes are done.
  Outcome run(uint64_t slice);
  /// Where lanes wait, or null.
  const Code* barrier() const { return at_barrier_.any() ? &program_.code[barrier_pc_ - 1] : nullptr; }
  void release();
  /// Reports a fault of the lowest lane at the barrier; false.
  bool fail_at_barrier(const std::string& what);

 private:
  struct Waiting {
    uint32_t stop;
    LaneMask lanes;
  };

  template <class F>
  void for_running(F&& f) const;
  uint64_t* row(Slot slot) { return frame_ + size_t{slot} * stride_; }
  unsigned first_running() const { return lanes_[0]; }

  // Control flow
  void run_lanes(const LaneMask& lanes);
  void park(uint32_t stop, const LaneMask& lanes);
  void take_edge(uint32_t index);
  void take_edge(uint32_t index, const LaneMask& lanes);
  template <class Each>
  void move(const Edge& edge, Each each);
  void branch(const Code& code);
  void choose(const Code& code);
  uint32_t find_case(const Switch& table, uint64_t selector) const;
  bool enter(uint32_t stop);
  bool next();
  bool wait(const Code& code);
  bool execute_block();
  bool execute(const Code& code);

  // Values
  template <unsigned N>
  void evaluate_row(const Code& code);
  void evaluate(const Code& code);
  void copy(const Code& code);
  void copy_first_lane(const Code& code);
  void any_lane(const Code& code);
  void ballot(const Code& code);
  bool read_lane(const Code& code);
  bool shuffle(const Code& code);
  void scan(const Code& code);
  void bits_below(const Code& code);
  void permute_quads(const Code& code);
  void repack(const Code& code);
  void clock(const Code& code);
  void builtin(const Code& code);
  uint32_t builtin(uint64_t imm, uint32_t invocation) const;
  void resource(const Code& code);

  // Memory
  bool size(const Code& code);
  bool load(const Code& code);
  bool store(const Code& code);
  bool atomic(const Code& code);
  template <class F>
  bool access(const Code& code, F&& f);
  template <class F>
  static void access_partly(const Code& code, unsigned lane, std::span<uint8_t> bytes, uint64_t offset, F&& f);
  bool memory_at(const Code& code, unsigned lane, std::span<uint8_t>& bytes, uint64_t& offset);
  bool region(const Code& code, ir::StorageClass storage, unsigned lane, std::span<uint8_t>& bytes, uint64_t& offset);
  bool descriptor(const Code& code, unsigned lane, std::span<uint8_t>& bytes);

  bool fail(const Code& code, unsigned lane, const std::string& what, Status status = Status::invalid_input);

  Context& context_;
  const Program& program_;
  Workgroup& group_;
  uint32_t stride_, first_ = 0, width_ = 0;
  uint64_t* frame_;
  uint8_t* scratch_;

  std::array<uint8_t, kMostLanes> lanes_{};  ///< those that run, in order
  uint32_t running_ = 0;                     ///< how many
  uint32_t pc_ = 0;
  uint32_t target_ = 0;           ///< stop where they go after the block, unless `running_` is 0
  std::vector<Waiting> waiting_;  ///< the latest stop first
  LaneMask at_barrier_;
  uint32_t barrier_pc_ = 0;
  uint64_t slice_ = 0;
};

/// Calls f(lane) for each running lane.
template <class F>
void Subgroup::for_running(F&& f) const {
  if (running_ == width_) {
    for (unsigned lane = 0; lane < width_; ++lane) f(lane);
  } else {
    for (unsigned i = 0; i < running_; ++i) f(lanes_[i]);
  }
}

}  // namespace spalt::interp
