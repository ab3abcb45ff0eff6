// SPDX-License-Identifier: MIT
//
// Arbitrary bytes as a metadata document of a target that the first byte chooses, or as a whole code object: checked,
// and dumped as text and JSON. Seeds: note descriptors of `spalt compile`, one byte in front.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "amdgpu/metadata/dump.h"
#include "amdgpu/metadata/inspect.h"

namespace {

void check(const spalt::Result<spalt::metadata::Inspection>& inspection) {
  if (!inspection) {
    if (!inspection.error().message.empty()) return;
    std::fprintf(stderr, "an error without a cause\n");
    std::abort();
  }
  bool errors = false;
  for (const spalt::metadata::Finding& finding : inspection->report.findings()) {
    errors = errors || finding.severity == spalt::metadata::Severity::error;
    if (!finding.message.empty() && !finding.rule.empty()) continue;
    std::fprintf(stderr, "a finding without a cause\n");
    std::abort();
  }
  if (errors == !inspection->report.valid() || inspection->report.full()) return;
  std::fprintf(stderr, "valid with errors, or invalid without\n");
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  check(spalt::metadata::inspect_elf({data, size}));
  if (size == 0) return 0;
  const auto targets = spalt::isa::targets();
  check(spalt::metadata::inspect_document({data + 1, size - 1}, targets[data[0] % targets.size()]));
  return 0;
}
