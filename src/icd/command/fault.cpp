// SPDX-License-Identifier: MIT
#include "icd/command/fault.h"

#include <algorithm>

#include "icd/resource/address_report.h"

namespace spalt::icd {
namespace {

std::string quoted(const std::string& name) {
  return '"' + name + '"';
}

template <typename Handle>
MessageObject describe(Device& device, VkObjectType type, Handle handle, const Object& object) {
  const std::lock_guard guard(device.names_mutex);
  return {type, handle_value(handle), object.debug_name};
}

/// "in "frame": in "blur": compute pipeline "name": ", from the outermost label to the pipeline.
std::string describe_place(const FailedDispatch& failed) {
  std::string text = describe_labels(failed.origin);
  const BoundPipeline* pipeline = failed.dispatch.pipeline;
  if (pipeline == nullptr) return text;
  text += pipeline->graphics != nullptr ? "graphics pipeline" : "compute pipeline";
  if (*pipeline->name != 0) text += ' ' + quoted(pipeline->name);
  return text + ": ";
}

std::string advice(const spalt_fault& fault) {
  return fault.kind == SPALT_FAULT_NEVER_ENDS ? "; SPALT_ICD_STEPS raises the limit" : "";
}

bool dumps_faults(const Device& device) {
  return !device.settings().dump_folder.empty();
}

/// A half sentence that says where the dump is.
std::string dump(const Execution& execution, const FailedDispatch& failed) {
  Device& device = execution.device();
  const BoundPipeline& pipeline = *failed.dispatch.pipeline;
  DispatchDump dump{};
  dump.target = device.physical().target().name;
  dump.elf = pipeline.program->elf();
  dump.spirv = pipeline.program->spirv();
  dump.layout = pipeline.layout->user_data();
  dump.program_address = pipeline.program->loaded().info().address;
  dump.table_address = execution.emulated().table_address();
  dump.user_data = {failed.info.user_data, failed.info.user_data_count};
  std::copy_n(failed.info.first_workgroup, 3, dump.first_workgroup.begin());
  std::copy_n(failed.info.workgroup_count, 3, dump.workgroups.begin());
  dump.step_limit = failed.info.workgroup_step_limit;
  dump.border_colors = failed.info.border_colors;
  if (failed.info.memory_hierarchy != 0) dump.hierarchy_seed = failed.info.hierarchy_seed;
  dump.interleaved = failed.interleaved;
  dump.fault = failed.fault.message;
  return write_dump(device.settings().dump_folder, dump, failed.before, device.space());
}

}  // namespace

std::string describe_labels(const Origin& origin) {
  std::string text;
  for (const LabelStack::Snapshot& labels : {origin.queue_labels, origin.command_labels}) {
    if (labels == nullptr) continue;
    for (const std::string& label : *labels) text += "in " + quoted(label) + ": ";
  }
  return text;
}

std::vector<std::string> innermost_first(const LabelStack::Snapshot& labels) {
  if (labels == nullptr) return {};
  return {labels->rbegin(), labels->rend()};
}

void add_objects(const Execution& execution, const Origin& origin, std::vector<MessageObject>& objects) {
  if (const SubmittedCommands* commands = origin.commands) {
    objects.push_back({VK_OBJECT_TYPE_COMMAND_BUFFER, handle_value(commands->handle), commands->name});
  }
  const Dispatchable& queue = execution.queue();
  objects.push_back(describe(execution.device(), VK_OBJECT_TYPE_QUEUE, &queue, queue.object));
}

std::optional<MemoryImage> image_before_dispatch(Device& device) {
  if (!dumps_faults(device) || mapped_bytes(device.space()) > MemoryImage::kSnapshotLimit) return std::nullopt;
  return std::optional<MemoryImage>(std::in_place, device.space());
}

FaultReport make_report(const Execution& execution, const FailedDispatch& failed) {
  Device& device = execution.device();
  FaultReport report;
  report.text = describe_place(failed) + failed.fault.message + advice(failed.fault);
  report.fault = failed.fault;
  const BoundPipeline* pipeline = failed.dispatch.pipeline;
  if (pipeline != nullptr) {
    report.objects.push_back({VK_OBJECT_TYPE_PIPELINE, handle_value(pipeline->handle), pipeline->name});
  }
  add_objects(execution, failed.origin, report.objects);
  report.queue_labels = innermost_first(failed.origin.queue_labels);
  report.command_labels = innermost_first(failed.origin.command_labels);
  name_resource(device, report);
  // A dump has no place for a draw.
  const bool dumped = dumps_faults(device) && pipeline != nullptr && pipeline->graphics == nullptr;
  if (dumped) report.text += "; " + dump(execution, failed);
  return report;
}

FaultReport make_report(const char* text) {
  FaultReport report;
  report.text = text;
  return report;
}

}  // namespace spalt::icd
