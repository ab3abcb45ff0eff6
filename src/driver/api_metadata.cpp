// SPDX-License-Identifier: MIT
// The public C API's reader of PAL metadata.
#include <optional>
#include <span>
#include <vector>

#include "amdgpu/metadata/inspect.h"
#include "base/ice.h"
#include "driver/api_support.h"

using namespace spalt;
using namespace spalt::api;
using namespace spalt::driver;

struct spalt_metadata {
  std::optional<metadata::Inspection> inspection;
  std::vector<metadata::Finding> findings;
};

namespace {

spalt_result read(std::span<const uint8_t> elf, spalt_metadata& handle) {
  Result<metadata::Inspection> inspection = metadata::inspect_elf(elf);
  if (!inspection) {
    handle.findings.push_back({metadata::Severity::error, "file", "", std::move(inspection.error().message)});
    return to_result(inspection.error().status);
  }
  handle.inspection = std::move(*inspection);
  handle.findings = handle.inspection->report.findings();
  return handle.inspection->report.valid() ? SPALT_SUCCESS : SPALT_ERROR_INVALID_INPUT;
}

}  // namespace

spalt_result spalt_metadata_read(const void* elf, size_t size, spalt_metadata** metadata) {
  if (metadata == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  *metadata = nullptr;
  if (elf == nullptr && size != 0) return SPALT_ERROR_INVALID_ARGUMENT;
  const spalt_result result = guarded([&] {
    *metadata = new spalt_metadata;
    return read({static_cast<const uint8_t*>(elf), size}, **metadata);
  });
  if (result == SPALT_ERROR_OUT_OF_MEMORY) {
    delete *metadata;
    *metadata = nullptr;
  }
  return result;
}

void spalt_metadata_destroy(spalt_metadata* metadata) {
  delete metadata;
}

const char* spalt_metadata_text(const spalt_metadata* metadata) {
  return metadata != nullptr && metadata->inspection ? metadata->inspection->text.c_str() : nullptr;
}

const char* spalt_metadata_json(const spalt_metadata* metadata) {
  return metadata != nullptr && metadata->inspection ? metadata->inspection->json.c_str() : nullptr;
}

size_t spalt_metadata_finding_count(const spalt_metadata* metadata) {
  return metadata != nullptr ? metadata->findings.size() : 0;
}

spalt_result spalt_metadata_get_finding(const spalt_metadata* metadata, size_t index, spalt_metadata_finding* finding) {
  if (finding == nullptr || index >= spalt_metadata_finding_count(metadata)) return SPALT_ERROR_INVALID_ARGUMENT;
  const auto& from = metadata->findings[index];
  spalt_metadata_finding value{};
  value.is_error = from.severity == spalt::metadata::Severity::error ? 1 : 0;
  value.rule = from.rule.data();
  value.path = from.path.c_str();
  value.message = from.message.c_str();
  return write_struct(value, finding);
}
