// SPDX-License-Identifier: MIT
#include "icd/command/execution.h"

#include <algorithm>

#include "icd/command/fault.h"

namespace spalt::icd {
namespace {

constexpr size_t kMaxDepth = 64;  // of command buffers that execute command buffers

spalt_result run_draw(const spalt_api::Device& device, const spalt_draw_info& info, spalt_draw_counters& counters,
                      spalt_fault& fault) {
  return spalt_device_draw(device.handle(), &info, &counters, &fault);
}

const Command* first_of(const Recording* recording) {
  return recording == nullptr ? nullptr : recording->list.first();
}

}  // namespace

Execution::Execution(Device& device, const Dispatchable& queue)
    : device_(&device),
      queue_(&queue),
      overlap_seed_(device.settings().overlap_seed),
      cache_seed_(device.settings().cache_seed),
      emulated_(device) {}

bool Execution::run(const SubmittedCommands& commands) {
  // What the host wrote before a submission is visible to it.
  if (!in_submission_) operate_caches(SPALT_CACHE_ALL);
  in_submission_ = true;
  commands_ = &commands;
  condition_ = true;
  set_render_targets(nullptr, 1);
  positions_.assign(1, first_of(commands.recording.get()));
  while (!positions_.empty()) {
    const Command* command = positions_.back();
    if (command == nullptr) {
      positions_.pop_back();
      continue;
    }
    positions_.back() = command->next;
    if (cancelled_.load(std::memory_order_relaxed) || !command->execute(*command, *this)) return false;
  }
  return true;
}

bool Execution::finish() {
  const bool goes_on = flush();
  operate_caches(SPALT_CACHE_ALL);
  in_submission_ = false;
  return goes_on;
}

void Execution::cancel() {
  cancelled_ = true;
  emulated_.get().cancel();
}

void Execution::send(DebugMessage message) const {
  const Origin place = origin();
  message.text = describe_labels(place) + message.text;
  add_objects(*this, place, message.objects);
  message.queue_labels = innermost_first(place.queue_labels);
  message.command_labels = innermost_first(place.command_labels);
  device_->send(message);
}

bool Execution::call(const Recording* const* recordings, uint32_t count) {
  if (positions_.size() >= kMaxDepth) return !device_->lose(make_report("command buffers execute each other"));
  for (uint32_t i = count; i > 0; --i) positions_.push_back(first_of(recordings[i - 1]));
  return true;
}

bool Execution::dispatch(const Dispatch& dispatch) {
  if (!condition_ || dispatch.count[0] == 0 || dispatch.count[1] == 0 || dispatch.count[2] == 0) return true;
  if (!overlaps()) return run_now(dispatch);
  PendingWork work;
  work.stage = kComputeStage;
  work.dispatch = dispatch;
  work.origin = origin();
  return hold_back(std::move(work));
}

bool Execution::draw(const BoundPipeline& pipeline, spalt_draw_info info) {
  if (!condition_ || info.count == 0 || info.instance_count == 0) return true;
  if (!settle_memory()) return false;
  info.program = pipeline.program->loaded().handle();
  info.border_colors = device_->border_palette().address();
  info.step_limit = device_->settings().step_limit;
  auto counters = spalt_api::sized<spalt_draw_counters>();
  auto fault = spalt_api::sized<spalt_fault>();
  const spalt_result result = run_draw(emulated_.get(), info, counters, fault);
  count(counters);
  if (result == SPALT_SUCCESS) return true;
  Dispatch failed;
  failed.pipeline = &pipeline;
  return settle({failed, spalt_api::sized<spalt_dispatch_info>(), fault, origin(), nullptr, false}, result);
}

bool Execution::run_now(const Dispatch& dispatch) {
  spalt_dispatch_info info = dispatch_info(dispatch);
  if (cache_seed_) {
    info.memory_hierarchy = 1;
    info.keep_caches = 1;
    info.hierarchy_seed = next_seed(*cache_seed_);
  }
  const std::optional<MemoryImage> before = image_before_dispatch(*device_);
  const spalt_api::Device::Report report = emulated_.get().dispatch(info);
  count(report.counters);
  if (report.ok()) return true;
  return settle({dispatch, info, report.fault, origin(), before ? &*before : nullptr, false}, report.result);
}

spalt_dispatch_info Execution::dispatch_info(const Dispatch& dispatch) {
  auto info = spalt_api::sized<spalt_dispatch_info>();
  info.program = dispatch.pipeline->program->loaded().handle();
  info.user_data = dispatch.user_data.entries;
  info.user_data_count = dispatch.user_data.count;
  std::copy(dispatch.first.begin(), dispatch.first.end(), info.first_workgroup);
  std::copy(dispatch.count.begin(), dispatch.count.end(), info.workgroup_count);
  info.border_colors = device_->border_palette().address();
  info.step_limit = info.workgroup_step_limit = device_->settings().step_limit;
  return info;
}

bool Execution::settle(const FailedDispatch& failed, spalt_result result) {
  if (result == SPALT_ERROR_CANCELLED) return false;
  ended_ = device_->lose(make_report(*this, failed));
  return !ended_;
}

void Execution::count(const spalt_counters& counters) {
  device_->executed_instructions.fetch_add(counters.instructions, std::memory_order_relaxed);
  for (ActiveQuery& active : queries_) active.counts.statistics[kComputeInvocations] += counters.invocations;
}

void Execution::count(const spalt_draw_counters& counters) {
  device_->executed_instructions.fetch_add(counters.waves.instructions, std::memory_order_relaxed);
  for (ActiveQuery& active : queries_) {
    uint64_t* statistics = active.counts.statistics;
    statistics[kInputVertices] += counters.input_vertices;
    statistics[kInputPrimitives] += counters.input_primitives;
    statistics[kVertexInvocations] += counters.vertex_invocations;
    statistics[kClipInvocations] += counters.clip_invocations;
    statistics[kClipPrimitives] += counters.clip_primitives;
    statistics[kFragmentInvocations] += counters.fragment_invocations;
    active.counts.samples += counters.samples_passed;
  }
}

void Execution::begin_statistics(const QueryPool& pool, uint32_t query) {
  queries_.push_back({&pool, query, {}});
}

WorkCounts Execution::end_statistics(const QueryPool& pool, uint32_t query) {
  const auto active = std::find_if(queries_.begin(), queries_.end(), [&](const ActiveQuery& candidate) {
    return candidate.pool == &pool && candidate.query == query;
  });
  if (active == queries_.end()) return {};
  const WorkCounts counts = active->counts;
  queries_.erase(active);
  return counts;
}

}  // namespace spalt::icd
