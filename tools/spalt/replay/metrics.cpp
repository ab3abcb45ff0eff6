// SPDX-License-Identifier: MIT
#include "replay/metrics.h"

namespace spalt_tool::replay {
namespace {

constexpr Metric kMetrics[] = {
    {"instructions", &spalt_statistics::instructions, true, false},
    {"code_bytes", &spalt_statistics::code_bytes, true, false},
    {"sgprs", &spalt_statistics::sgprs, true, false},
    {"vgprs", &spalt_statistics::vgprs, true, false},
    {"spilled_sgprs", &spalt_statistics::spilled_sgprs, true, false},
    {"spilled_vgprs", &spalt_statistics::spilled_vgprs, true, false},
    {"lds_bytes", &spalt_statistics::lds_bytes, true, false},
    {"scratch_bytes", &spalt_statistics::scratch_bytes, true, false},
    {"wave_size", &spalt_statistics::wave_size, false, false},
    {"waves_per_simd", &spalt_statistics::waves_per_simd, true, true},
    {"time_ns", nullptr, true, false},
};

}  // namespace

std::span<const Metric> metrics() {
  return kMetrics;
}

const Metric* find_compared_metric(const std::string& name) {
  for (const Metric& metric : kMetrics) {
    if (metric.compared && name == metric.name) return &metric;
  }
  return nullptr;
}

}  // namespace spalt_tool::replay
