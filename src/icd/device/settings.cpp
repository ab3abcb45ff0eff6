// SPDX-License-Identifier: MIT
#include "icd/device/settings.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <initializer_list>
#include <string_view>

namespace spalt::icd {
namespace {

constexpr uint64_t kMinimumHeap = uint64_t{1} << 30;  // Vulkan wants allocations of 1 GiB to be possible
constexpr uint64_t kMaximumThreads = 256;

/// Variables by name, and what is wrong with their values.
class EnvironmentReader {
 public:
  explicit EnvironmentReader(std::vector<std::string>& problems) : problems_(&problems) {}

  static std::string text(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  }
  static bool is_set(const char* name) {
    const std::string value = text(name);
    return !value.empty() && value != "0";
  }

  /// In C notation; none: not set.
  std::optional<uint64_t> number(const char* name) { return read(name, ""); }
  /// With an optional suffix K, M or G.
  std::optional<uint64_t> bytes(const char* name) { return read(name, "KMG"); }

  /// The index of the value among the choices; none: not set.
  std::optional<size_t> choice(const char* name, std::initializer_list<std::string_view> choices) {
    const std::string value = text(name);
    if (value.empty()) return std::nullopt;
    const auto* found = std::find(choices.begin(), choices.end(), value);
    if (found != choices.end()) return static_cast<size_t>(found - choices.begin());
    std::string wanted;
    for (const std::string_view choice : choices) wanted += (wanted.empty() ? "" : ", ") + std::string(choice);
    complain(name, value, wanted);
    return std::nullopt;
  }

 private:
  std::optional<uint64_t> read(const char* name, std::string_view suffixes) {
    const std::string value = text(name);
    if (value.empty()) return std::nullopt;
    char* end = nullptr;
    errno = 0;
    const unsigned long long number = std::strtoull(value.c_str(), &end, 0);
    const size_t step = *end == 0 ? 0 : suffixes.find(*end) + 1;
    const bool suffixed = step != 0 && end[1] == 0;
    const bool valid = end != value.c_str() && value[0] != '-' && errno == 0 && (*end == 0 || suffixed) &&
                       number <= UINT64_MAX >> 10 * step;
    if (valid) return uint64_t{number} << 10 * step;
    complain(name, value, suffixes.empty() ? "a number" : "a number with K, M, G or nothing");
    return std::nullopt;
  }

  void complain(const char* name, const std::string& value, const std::string& wanted) {
    problems_->push_back(std::string(name) + "=" + value + " is ignored: expected " + wanted);
  }

  std::vector<std::string>* problems_;
};

/// A quarter of the machine's memory.
uint64_t default_heap() {
  const auto bytes = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGE_SIZE));
  return std::max(bytes / 4, kMinimumHeap);
}

}  // namespace

Settings Settings::from_environment() {
  Settings settings;
  EnvironmentReader reader(settings.problems);
  settings.target = EnvironmentReader::text("SPALT_ICD_TARGET");
  if (const auto wave = reader.choice("SPALT_ICD_WAVE", {"32", "64"})) settings.wave_size = *wave == 0 ? 32 : 64;
  settings.heap_bytes = reader.bytes("SPALT_ICD_HEAP").value_or(default_heap());
  settings.threads = static_cast<uint32_t>(std::min(reader.number("SPALT_ICD_THREADS").value_or(0), kMaximumThreads));
  settings.step_limit = reader.number("SPALT_ICD_STEPS").value_or(kDefaultSteps);
  settings.poison = EnvironmentReader::is_set("SPALT_ICD_POISON");
  settings.non_coherent = EnvironmentReader::is_set("SPALT_ICD_NON_COHERENT");
  settings.strict_buffers = EnvironmentReader::is_set("SPALT_ICD_STRICT_BUFFERS");
  settings.graphics = EnvironmentReader::text("SPALT_ICD_GRAPHICS") != "0";
  settings.check_layouts = EnvironmentReader::is_set("SPALT_ICD_LAYOUTS");
  settings.clock_counts_instructions = reader.choice("SPALT_ICD_CLOCK", {"instructions"}).has_value();
  settings.log = EnvironmentReader::is_set("SPALT_ICD_LOG");
  settings.discrete = reader.choice("SPALT_ICD_DEVICE_TYPE", {"discrete"}).has_value();
  const auto on_fault = reader.choice("SPALT_ICD_ON_FAULT", {"lost", "abort", "continue"});
  settings.on_fault = static_cast<OnFault>(on_fault.value_or(0));
  settings.dump_folder = EnvironmentReader::text("SPALT_ICD_DUMP");
  settings.present_folder = EnvironmentReader::text("SPALT_ICD_PRESENT");
  settings.printf = settings.printf_on_stdout = EnvironmentReader::is_set("SPALT_ICD_PRINTF");
  settings.overlap_seed = reader.number("SPALT_ICD_OVERLAP");
  settings.cache_seed = reader.number("SPALT_ICD_CACHES");
  return settings;
}

}  // namespace spalt::icd
