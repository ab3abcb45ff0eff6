// SPDX-License-Identifier: MIT
//
// Accesses out of bounds and through null descriptors: every dword that is not there reads as zero and keeps nothing.
#include <algorithm>
#include <array>
#include <span>

#include "reference.h"

namespace spalt::run {
namespace {

using vkrun::BufferContents;
using vkrun::Manifest;

uint32_t load(std::span<const uint32_t> words, int64_t index) {
  return index >= 0 && index < static_cast<int64_t>(words.size()) ? words[static_cast<size_t>(index)] : 0;
}

/// Where a dword may be changed; a place that nobody sees otherwise.
uint32_t& place_in(std::span<uint32_t> words, int64_t index) {
  static uint32_t nowhere;
  return index >= 0 && index < static_cast<int64_t>(words.size()) ? words[static_cast<size_t>(index)] : nowhere;
}

/// The floor of a quotient by a power of two, as a shift to the right gives it.
int64_t quotient(int64_t value, int64_t divisor) {
  return (value - ((value % divisor) + divisor) % divisor) / divisor;
}

void robust_bounds(const Manifest& manifest, BufferContents& b) {
  for (const vkrun::Dispatch& dispatch : manifest.dispatches) {
    const int64_t far = static_cast<int32_t>(dispatch.push[0]), edge = static_cast<int32_t>(dispatch.push[1]);
    const std::span<uint32_t> words = u32(b, 1), quads = u32(b, 2), rows = u32(b, 3), target = u32(b, 4),
                              counters = u32(b, 5), results = u32(b, 6);
    for (size_t i = 0; i < 64; ++i) {
      const int64_t place = i32(b, 0)[i];
      std::array<uint32_t, 4> r = {load(words, place), load(words, far), load(words, edge),
                                   load(words, place) * 3 + load(words, place + 1) * 5 + load(words, place + 2) * 7 +
                                       load(words, place + 3) * 11};
      for (int64_t c = 0; c < 4; ++c) {
        uint32_t& component = r[static_cast<size_t>(c)];
        component += load(quads, quotient(place, 4) * 4 + c) + load(quads, quotient(edge, 4) * 4 + c);
        component += load(rows, quotient(place, 16) * 4 + c) * 13 + load(rows, far * 4 + c) * 17;
      }
      if (load(words, place) == 0) r[0] += 1000;
      for (int64_t k = place - 2; k <= place + 2; ++k) r[1] += load(words, k) >> 4;
      place_in(target, place) = r[1];
      ++counters[static_cast<size_t>(place & 3)];
      ++place_in(counters, place);
      place_in(counters, far) = std::max(load(counters, far), 77u);
      std::copy(r.begin(), r.end(), results.begin() + static_cast<ptrdiff_t>(4 * i));
    }
  }
}

void robust_inline(const Manifest& manifest, BufferContents& b) {
  const int64_t far = manifest.dispatches[0].push[0];
  const std::span<const uint32_t> rows = u32(b, 0), places = u32(b, 1);
  for (size_t i = 0; i < 64; ++i) {
    const size_t own = (i & 15) * 4;
    const std::array<uint32_t, 4> near = {rows[63], rows[own], rows[own + 1], rows[own + 2]};
    for (size_t c = 0; c < 4; ++c) {
      const auto component = static_cast<int64_t>(c);
      u32(b, 2)[4 * i + c] =
          load(rows, int64_t{places[i]} * 4 + component) * 3 + load(rows, far * 4 + component) + near[c];
    }
  }
}

void robust_null(const Manifest& manifest, BufferContents& b) {
  constexpr uint32_t kPresent = 2, kElements = 3, kResults = 7;  // buffers in the manifest's order
  for (const vkrun::Dispatch& dispatch : manifest.dispatches) {
    const uint32_t which = dispatch.push[0];
    for (uint32_t i = 0; i < 128; ++i) {
      const auto element = [&](uint32_t index) { return u32(b, kElements + index); };  // the null ones are empty
      const std::span<uint32_t> present = u32(b, kPresent), own = element(i % 4);
      uint32_t r = present[0] + present[1] * 3 + present[2] * 5 + present[3] * 7;
      r += static_cast<uint32_t>(present.size()) - 4;
      ++present[4 + i % 2];
      r += load(element(which), 1 + i % 4) * 11 + load(element(which % 2), 1) + load(own, 1 + i % 4) * 13;
      r += element(which).empty() ? 0 : static_cast<uint32_t>(element(which).size() - 1) * 100;
      ++place_in(own, 0);
      if (i == 6 || i == 7) place_in(element(i % 2), 5) = 99;
      u32(b, kResults)[i] = r;
    }
  }
}

constexpr Reference kReferences[] = {
    {"robust_bounds", robust_bounds}, {"robust_inline", robust_inline}, {"robust_null", robust_null}};

}  // namespace

std::span<const Reference> robustness_references() {
  return kReferences;
}

}  // namespace spalt::run
