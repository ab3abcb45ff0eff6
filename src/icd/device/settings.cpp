// SPDX-License-Identifier: MIT
#include "icd/device/settings.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace spalt::icd {
namespace {

constexpr uint64_t kMinimumHeap = uint64_t{1} << 30;  // Vulkan wants allocations of 1 GiB to be possible

std::string text_of(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool is_set(const char* name) {
  const std::string value = text_of(name);
  return !value.empty() && value != "0";
}

std::optional<uint64_t> number_of(const char* name) {
  const std::string value = text_of(name);
  char* end = nullptr;
  const unsigned long long number = std::strtoull(value.c_str(), &end, 0);
  if (end == value.c_str()) return std::nullopt;
  return number;
}

/// Bytes with an optional suffix K, M or G.
std::optional<uint64_t> bytes_of(const char* name) {
  const std::optional<uint64_t> number = number_of(name);
  if (!number) return std::nullopt;
  const std::string value = text_of(name);
  const size_t step = std::string_view("KMG").find(value.back());
  return step == std::string_view::npos ? *number : *number << 10 * (step + 1);
}

/// A quarter of the machine's memory.
uint64_t default_heap() {
  const auto bytes = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGE_SIZE));
  return std::max(bytes / 4, kMinimumHeap);
}

OnFault on_fault_of(const std::string& value) {
  if (value == "abort") return OnFault::abort;
  return value == "continue" ? OnFault::continue_ : OnFault::lost;
}

}  // namespace

Settings Settings::from_environment() {
  Settings settings;
  settings.target = text_of("SPALT_ICD_TARGET");
  settings.wave_size = static_cast<uint32_t>(number_of("SPALT_ICD_WAVE").value_or(0));
  settings.heap_bytes = bytes_of("SPALT_ICD_HEAP").value_or(default_heap());
  settings.threads = static_cast<uint32_t>(std::min<uint64_t>(number_of("SPALT_ICD_THREADS").value_or(0), 256));
  settings.step_limit = number_of("SPALT_ICD_STEPS").value_or(0);
  settings.poison = is_set("SPALT_ICD_POISON");
  settings.strict_buffers = is_set("SPALT_ICD_STRICT_BUFFERS");
  settings.clock_counts_instructions = text_of("SPALT_ICD_CLOCK") == "instructions";
  settings.log = is_set("SPALT_ICD_LOG");
  settings.discrete = text_of("SPALT_ICD_DEVICE_TYPE") == "discrete";
  settings.on_fault = on_fault_of(text_of("SPALT_ICD_ON_FAULT"));
  settings.dump_folder = text_of("SPALT_ICD_DUMP");
  settings.present_folder = text_of("SPALT_ICD_PRESENT");
  settings.overlap_seed = number_of("SPALT_ICD_OVERLAP");
  settings.cache_seed = number_of("SPALT_ICD_CACHES");
  return settings;
}

}  // namespace spalt::icd
