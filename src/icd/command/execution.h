// SPDX-License-Identifier: MIT
//
// What recorded commands execute on: the emulated device of a queue, and the state that goes from one command to the
// next.
//
// Usually commands execute one after another. With SPALT_ICD_OVERLAP, work is held back until a command comes that
// barriers have ordered after it, or a wait for an event, or the end of a submission; then it runs interleaved with
// some of the other work that is held back, as the seed decides. No two pieces of work that are held back are ordered,
// since the second one would have run the first. What must happen after work, such as the end of a query, is held back
// with it and happens in order. With SPALT_ICD_CACHES, memory goes through simulated caches that live from one dispatch
// to the next, and barriers do to them what their accesses say. A program that lacks a barrier then computes something
// else, by some seed; one that has them all never does.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "icd/command/binding_state.h"
#include "icd/command/command_buffer.h"
#include "icd/command/dependency.h"
#include "icd/command/emulated_device.h"
#include "icd/command/label_stack.h"
#include "icd/query/query_pool.h"
#include "spalt/draw.h"

namespace spalt::icd {

struct Dispatch {
  const BoundPipeline* pipeline = nullptr;
  UserData user_data;
  std::array<uint32_t, 3> first{};
  std::array<uint32_t, 3> count{};
};

/// Where a dispatch comes from, for messages.
struct Origin {
  const SubmittedCommands* commands = nullptr;        // primary
  LabelStack::Snapshot queue_labels, command_labels;  // open ones
};

struct FailedDispatch;
struct RenderTargets;

class Execution {
 public:
  /// `queue` is for messages.
  Execution(Device& device, const Dispatchable& queue);
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  Device& device() const { return *device_; }
  const Dispatchable& queue() const { return *queue_; }
  const EmulatedDevice& emulated() const { return emulated_; }
  /// Labels of the queue when what comes now was submitted.
  void set_queue_labels(LabelStack::Snapshot labels) { queue_labels_ = std::move(labels); }

  /// Executes a list to its end. False: the device is lost, or cancel() was called. `commands` must live until the next
  /// finish().
  bool run(const SubmittedCommands& commands);
  /// Runs what was held back, and makes it visible to the host. False: as above.
  bool finish();
  void cancel();

  // For commands. Those that return a bool say false where execution ends.

  bool dispatch(const Dispatch& dispatch);
  /// Draws when all work before has ended. The program and the limits of `info` are set here.
  bool draw(const BoundPipeline& pipeline, spalt_draw_info info);
  /// Work of the host on memory: calls `command.transfer()`, which does not throw. The command must live in a list.
  template <typename T>
  bool transfer(const T& command) {
    if (!overlaps()) {
      command.transfer();
      return true;
    }
    PendingWork work;
    work.stage = kTransferStage;
    work.transfer = [](void* self) { static_cast<const T*>(self)->transfer(); };
    work.command = &command;
    return hold_back(std::move(work));
  }
  /// Calls `command.complete(*this)`, which returns a bool, when all work before it has ended. The command must live in
  /// a list.
  template <typename T>
  bool when_complete(const T& command) {
    if (!overlaps()) return command.complete(*this);
    PendingWork work;
    work.complete = [](const void* self, Execution& execution) {
      return static_cast<const T*>(self)->complete(execution);
    };
    work.command = &command;
    return hold_back(std::move(work));
  }
  /// Whether the host may touch these bytes now. If not, their memory is gone: a fault, which the application has heard
  /// of; the command does nothing and returns goes_on().
  bool can_touch(const MemoryRange& range, spalt_access access);
  bool goes_on() const { return !ended_; }
  void depend(const Dependency& dependency);
  /// Runs the work that barriers have ordered before these stages.
  bool reach(uint32_t stages);
  /// Runs all work that was held back.
  bool flush();
  /// A combination of spalt_cache_operation, on what has run.
  void operate_caches(uint32_t operations);

  /// Continues with other lists, in their order, then with the present one.
  bool call(const Recording* const* recordings, uint32_t count);

  /// A condition of VK_EXT_conditional_rendering; dispatches run while it is true.
  void set_condition(bool condition) { condition_ = condition; }
  bool condition() const { return condition_; }
  /// Sends a message about what executes now: adds where that is, and its objects.
  void send(DebugMessage message) const;
  LabelStack& labels() { return labels_; }
  /// What draws render to, which secondary command buffers do not know; nullptr outside of render passes. It lives in
  /// the list that began to render.
  void set_render_targets(const RenderTargets* targets, uint32_t view_count) {
    render_targets_ = targets;
    view_count_ = view_count;
  }
  const RenderTargets* render_targets() const { return render_targets_; }
  /// Each query takes as many.
  uint32_t view_count() const { return view_count_; }
  /// Everything before has ended and is in memory, also where work overlaps and caches are simulated.
  bool settle_memory();

  void begin_statistics(const QueryPool& pool, uint32_t query);
  /// Zeros for a query that has not begun.
  WorkCounts end_statistics(const QueryPool& pool, uint32_t query);

 private:
  /// Work that is held back. Of pipeline, transfer and complete, one is there.
  struct PendingWork {
    Dispatch dispatch;
    Origin origin;
    spalt_counters counters{};
    void (*transfer)(void* command) = nullptr;
    bool (*complete)(const void* command, Execution& execution) = nullptr;
    const void* command = nullptr;

    uint32_t stage = 0;             // of StageBit; 0: no work
    uint32_t ordered_before = 0;    // by barriers: stages of later commands
    uint32_t cache_operations = 0;  // of these barriers
    bool chosen = false, ran = false;
  };
  struct ActiveQuery {
    const QueryPool* pool;
    uint32_t query;
    WorkCounts counts;
  };

  bool overlaps() const { return overlap_seed_.has_value(); }
  bool hold_back(PendingWork work);
  void choose_others();
  bool run_chosen();
  bool retire();
  bool run_now(const Dispatch& dispatch);
  spalt_dispatch_info dispatch_info(const Dispatch& dispatch);
  Origin origin() const { return {commands_, queue_labels_, labels_.snapshot()}; }
  bool settle(const FailedDispatch& failed, spalt_result result);
  void count(const spalt_counters& counters);
  void count(const spalt_draw_counters& counters);
  uint64_t next_seed(uint64_t seed) { return seed + 0x9e3779b97f4a7c15 * run_number_++; }

  Device* device_;
  const Dispatchable* queue_;
  std::optional<uint64_t> overlap_seed_, cache_seed_;
  EmulatedDevice emulated_;
  std::atomic<bool> cancelled_ = false;
  bool ended_ = false;  // by a fault
  bool in_submission_ = false;
  const SubmittedCommands* commands_ = nullptr;
  LabelStack::Snapshot queue_labels_;
  std::vector<const Command*> positions_;  // what comes next in each list that has begun
  bool condition_ = true;
  const RenderTargets* render_targets_ = nullptr;
  uint32_t view_count_ = 1;
  LabelStack labels_;
  std::vector<ActiveQuery> queries_;
  std::vector<PendingWork> pending_;
  uint64_t run_number_ = 0;
};

}  // namespace spalt::icd
