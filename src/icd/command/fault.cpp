// SPDX-License-Identifier: MIT
#include "icd/command/fault.h"

namespace spalt::icd {
namespace {

std::string quoted(const std::string& name) {
  return '"' + name + '"';
}

/// Where the failure is, from the outermost label to the pipeline.
std::string describe_place(const FailedDispatch& failed) {
  std::string text;
  if (failed.labels != nullptr) {
    for (const std::string& label : *failed.labels) text += "in " + quoted(label) + ": ";
  }
  const BoundPipeline* pipeline = failed.dispatch.pipeline;
  if (pipeline == nullptr) return text;
  text += "compute pipeline";
  if (*pipeline->name != 0) text += ' ' + quoted(pipeline->name);
  return text + ": ";
}

}  // namespace

FaultReport make_report(const FailedDispatch& failed) {
  FaultReport report;
  report.text = describe_place(failed) + failed.fault.message;
  report.fault = failed.fault;
  if (const BoundPipeline* pipeline = failed.dispatch.pipeline) {
    report.objects.push_back({VK_OBJECT_TYPE_PIPELINE, handle_value(pipeline->handle), pipeline->name});
  }
  if (failed.labels != nullptr) report.command_labels.assign(failed.labels->rbegin(), failed.labels->rend());
  return report;
}

FaultReport make_report(const char* text) {
  FaultReport report;
  report.text = text;
  return report;
}

}  // namespace spalt::icd
