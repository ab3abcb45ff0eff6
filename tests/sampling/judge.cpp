// SPDX-License-Identifier: MIT
#include "judge.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "lavapipe.h"

namespace spalt::sampling {
namespace {

/// What rounding in the conversion of texels and of results may do to numbers of this size.
double rounding_of(const DeviceResults& device, const vkrun::ImageDesc& image, bool filtered) {
  if (!device.is_lavapipe) return filtered ? 1e-6 : 0.0;
  const bool is_srgb = image.format->layout.number == texel::Number::srgb;
  if (image.format->shape().is_compressed()) return is_srgb ? 0.015 : 0.01;  // blocks become texels of 8 bits
  switch (image.format->layout.number) {
    case texel::Number::srgb:
      return 0.004;  // a polynomial in place of the curve is a legal decoder
    case texel::Number::uint:
    case texel::Number::sint:
      return 0.0;
    default:
      return 1e-5;
  }
}

/// Where four texels meet at a corner of a cube there are three, and what a gather gives is the device's choice.
bool is_at_corner(const View& view, const Access& access) {
  const FacePoint point = face_of(access.coordinates);
  const auto is_out = [](double coordinate, int size) {
    const double first = coordinate * size - 0.5;
    return first < 0.01 || first > size - 1.01;
  };
  return is_out(point.s, view.size[0]) && is_out(point.t, view.size[1]);
}

/// How far the result is from the nearest interval. What is not filtered must be a float, too.
double distance_from(const std::vector<Interval>& allowed, const Vec4& result, bool filtered) {
  const auto as_result = [&](double value) { return filtered ? value : double{static_cast<float>(value)}; };
  double best = INFINITY;
  for (const Interval& interval : allowed) {
    double worst = 0.0;
    for (size_t c = 0; c < 4; ++c) {
      // A NaN is never right.
      const bool inside = result[c] >= as_result(interval.least[c]) && result[c] <= as_result(interval.most[c]);
      const double off = std::max(interval.least[c] - result[c], result[c] - interval.most[c]);
      if (!inside) worst = std::max(worst, std::isnan(off) ? INFINITY : off);
    }
    best = std::min(best, worst);
  }
  return best;
}

std::string text_of(const Vec4& value) {
  char text[128];
  std::snprintf(text, sizeof(text), "(%.9g, %.9g, %.9g, %.9g)", value[0], value[1], value[2], value[3]);
  return text;
}

std::string text_of(const SamplerDesc& sampler) {
  char text[512];
  std::snprintf(text, sizeof(text),
                "filters %u %u %u, address %u %u %u, bias %g, lod %g to %g, border %u, compare %d, reduction %u, "
                "anisotropy %g",
                sampler.mag_filter, sampler.min_filter, sampler.mipmap_mode, sampler.address_modes[0],
                sampler.address_modes[1], sampler.address_modes[2], double{sampler.lod_bias}, double{sampler.min_lod},
                double{sampler.max_lod}, sampler.border_color,
                sampler.compare_op ? static_cast<int>(*sampler.compare_op) : -1, sampler.reduction,
                double{sampler.anisotropy});
  return text;
}

std::string text_of(const Access& access) {
  char text[512];
  std::snprintf(text, sizeof(text), "at (%.9g, %.9g, %.9g) layer %g lod %g bias %g least %g reference %g",
                access.coordinates[0], access.coordinates[1], access.coordinates[2], access.layer, access.lod,
                access.bias, access.min_lod, access.reference.value_or(0.0));
  std::string all = text;
  if (!access.gradients) return all;
  for (const auto& derivative : *access.gradients)
    all += ", " + text_of(Vec4{derivative[0], derivative[1], derivative[2], 0.0});
  return all;
}

std::string describe(const SamplerDesc& sampler, const vkrun::ImageBinding& binding, const Access& access,
                     const std::vector<Interval>& allowed, const Vec4& result) {
  const Interval& one = allowed[allowed.size() / 2];
  const std::array<uint32_t, 4>& from = binding.swizzle;
  const std::string swizzle = "swizzle " + std::to_string(from[0]) + std::to_string(from[1]) + std::to_string(from[2]) +
                              std::to_string(from[3]);
  return text_of(sampler) + ", " + swizzle + "; " + text_of(access) + ": expected " + text_of(one.least) + " to " +
         text_of(one.most) + ", got " + text_of(result);
}

Vec4 result_at(const DeviceResults& device, size_t index) {
  float values[4];
  std::memcpy(values, device.bytes.data() + index * sizeof(values), sizeof(values));
  return {double{values[0]}, double{values[1]}, double{values[2]}, double{values[3]}};
}

}  // namespace

std::vector<Verdict> judge(const Case& test, const std::vector<DeviceResults>& devices, const Allowance& allowance) {
  std::vector<Verdict> verdicts(devices.size());
  const vkrun::ImageDesc& image = test.manifest.images[0];
  const size_t count = test.accesses.size();
  for (size_t state = 0; state < test.manifest.samplers.size(); ++state) {
    const View view = test.view(state);
    const SamplerDesc& sampler = test.manifest.samplers[state];
    const bool has_corners = view.is_cube && !sampler.non_seamless && facts(test.operation).gathers;
    Candidates candidates(test, view, sampler, allowance);
    const bool filtered = candidates.is_filtered() || test.operation == Operation::QueryLod;
    for (size_t i = 0; i < count; ++i) {
      if (has_corners && is_at_corner(view, test.accesses[i])) continue;
      const std::vector<Interval>& allowed = candidates.of(test.accesses[i]);
      for (size_t device = 0; device < devices.size(); ++device) {
        Verdict& verdict = verdicts[device];
        if (devices[device].is_lavapipe && lavapipe_deviates(test, sampler, test.accesses[i])) continue;
        const Vec4 result = result_at(devices[device], state * count + i);
        const double slack = rounding_of(devices[device], image, filtered) + (filtered ? candidates.kink() : 0.0);
        const double distance = distance_from(allowed, result, filtered) - slack;
        ++verdict.results;
        verdict.worst = std::max(verdict.worst, distance);
        if (distance <= 0.0 || verdict.wrong++ != 0) continue;
        verdict.first = describe(sampler, image.bindings[state], test.accesses[i], allowed, result);
      }
    }
  }
  return verdicts;
}

}  // namespace spalt::sampling
