// SPDX-License-Identifier: MIT
#include "icd/command/fault.h"

namespace spalt::icd {
namespace {

std::string quoted(const std::string& name) {
  return '"' + name + '"';
}

std::vector<std::string> innermost_first(const LabelStack::Snapshot& labels) {
  if (labels == nullptr) return {};
  return {labels->rbegin(), labels->rend()};
}

template <typename Handle>
MessageObject describe(Device& device, VkObjectType type, Handle handle, const Object& object) {
  const std::lock_guard guard(device.names_mutex);
  return {type, handle_value(handle), object.debug_name};
}

/// "in "frame", in "blur": compute pipeline "name": ", from the outermost label to the pipeline.
std::string describe_place(const FailedDispatch& failed) {
  std::string text;
  for (const LabelStack::Snapshot& labels : {failed.origin.queue_labels, failed.origin.command_labels}) {
    if (labels == nullptr) continue;
    for (const std::string& label : *labels) text += "in " + quoted(label) + ": ";
  }
  const BoundPipeline* pipeline = failed.dispatch.pipeline;
  if (pipeline == nullptr) return text;
  text += "compute pipeline";
  if (*pipeline->name != 0) text += ' ' + quoted(pipeline->name);
  return text + ": ";
}

std::string advice(const spalt_fault& fault) {
  return fault.kind == SPALT_FAULT_NEVER_ENDS ? "; SPALT_ICD_STEPS raises the limit" : "";
}

}  // namespace

FaultReport make_report(const Execution& execution, const FailedDispatch& failed) {
  Device& device = execution.device();
  FaultReport report;
  report.text = describe_place(failed) + failed.fault.message + advice(failed.fault);
  report.fault = failed.fault;
  if (const BoundPipeline* pipeline = failed.dispatch.pipeline) {
    report.objects.push_back({VK_OBJECT_TYPE_PIPELINE, handle_value(pipeline->handle), pipeline->name});
  }
  if (const CommandBuffer* commands = failed.origin.commands) {
    report.objects.push_back(describe(device, VK_OBJECT_TYPE_COMMAND_BUFFER, commands, commands->object));
  }
  const Dispatchable& queue = execution.queue();
  report.objects.push_back(describe(device, VK_OBJECT_TYPE_QUEUE, &queue, queue.object));
  report.queue_labels = innermost_first(failed.origin.queue_labels);
  report.command_labels = innermost_first(failed.origin.command_labels);
  return report;
}

FaultReport make_report(const char* text) {
  FaultReport report;
  report.text = text;
  return report;
}

}  // namespace spalt::icd
