// SPDX-License-Identifier: MIT
#include "icd/command/fault.h"

#include <cstdlib>

namespace spalt::icd {
namespace {

std::string describe(const FailedDispatch& failed) {
  const char* name = failed.dispatch.pipeline->name;
  std::string text = "pipeline";
  if (*name != 0) text += std::string(" \"") + name + "\"";
  for (auto label = failed.labels.rbegin(); label != failed.labels.rend(); ++label) text += ", in \"" + *label + "\"";
  return text + ": " + failed.fault.message;
}

FaultReport make_report(const FailedDispatch& failed) {
  const BoundPipeline& pipeline = *failed.dispatch.pipeline;
  FaultReport report;
  report.text = describe(failed);
  report.fault = failed.fault;
  report.objects.push_back({VK_OBJECT_TYPE_PIPELINE, handle_value(pipeline.handle), pipeline.name});
  report.command_labels = failed.labels;
  return report;
}

}  // namespace

AfterFault report_fault(Device& device, const FailedDispatch& failed) {
  const FaultReport report = make_report(failed);
  if (device.settings().on_fault == OnFault::continue_) {
    DebugMessage message;
    message.id = "spalt-fault";
    message.text = report.text;
    message.objects = report.objects;
    message.command_labels = report.command_labels;
    device.send(message);
    return AfterFault::go_on;
  }
  device.lose(report);
  if (device.settings().on_fault == OnFault::abort) std::abort();
  return AfterFault::end;
}

}  // namespace spalt::icd
