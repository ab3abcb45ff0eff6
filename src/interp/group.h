// SPDX-License-Identifier: MIT
// Execution of one workgroup. Internal to src/interp.
#pragma once
#include <memory>

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

class Group {
 public:
  /// Allocates for `invocations` at once; reused for every workgroup.
  Group(Context& context, uint32_t invocations);

  Result<void> run(const std::array<uint32_t, 3>& group_id);
  /// For call(): parameter values of invocation 0, and what it returned.
  void set_arguments(std::span<const uint64_t> arguments) { arguments_ = arguments; }
  uint64_t returned() const { return returned_; }

 private:
  enum class State : uint8_t { ready, waiting, done, failed };
  struct Lane {
    uint32_t pc = 0;
    State state = State::ready;
  };

  bool start(uint32_t index);
  bool run_lane(uint32_t index);
  bool execute(uint32_t index, uint64_t& slice);
  bool release_barrier();

  bool take_edge(const Edge& edge, uint64_t& slice);
  bool charge(uint32_t steps, uint64_t& slice);
  uint32_t choose_edge(const Code& code) const;
  bool wait(const Code& code);
  void repack(const Code& code);
  uint32_t builtin(uint64_t imm) const;
  bool resource(const Code& code);
  bool size(const Code& code);
  bool load(const Code& code);
  bool store(const Code& code);
  bool atomic(const Code& code);

  bool region(const Code& code, ir::StorageClass storage, std::span<uint8_t>& bytes);
  uint8_t* address(const Code& code);
  bool descriptor(const Code& code, uint64_t resource, std::span<uint8_t>& bytes);
  bool fail(const Code& code, const std::string& what, Status status = Status::invalid_input);

  Context& context_;
  const Program& program_;
  uint32_t invocations_;
  bool separate_frames_;
  std::vector<uint64_t> frames_;
  std::vector<uint8_t> scratch_, shared_;
  std::vector<uint8_t> push_;  ///< a copy: the dispatch's bytes are const, one path reads all memory
  std::vector<uint64_t> moved_;
  std::vector<Lane> lanes_;
  std::array<uint32_t, 3> group_id_{};
  std::span<const uint64_t> arguments_;
  uint64_t returned_ = 0;
  Error error_;

  // The invocation that runs now.
  uint32_t lane_ = 0;
  uint64_t* frame_ = nullptr;
};

}  // namespace spalt::interp
