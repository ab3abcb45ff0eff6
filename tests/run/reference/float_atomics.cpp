// SPDX-License-Identifier: MIT
//
// Atomic operations on floats. One invocation after the other does all that it does; no order changes the results.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include "images.h"
#include "reference.h"

namespace spalt::run {
namespace {

using vkrun::BufferContents;
using vkrun::Manifest;

float input(BufferContents& b, uint32_t i) {
  return static_cast<float>(static_cast<int>(u32(b, 0)[i]) - 32) / 8;
}

// Each gives what was there.
float add(float& cell, float x) {
  return std::exchange(cell, cell + x);
}
float min(float& cell, float x) {
  return std::exchange(cell, std::fmin(cell, x));
}
float max(float& cell, float x) {
  return std::exchange(cell, std::fmax(cell, x));
}

void floats_of_invocation(BufferContents& b, uint32_t i) {
  const float x = input(b, i);
  const auto cells = f32(b, 1), own = f32(b, 2), results = f32(b, 3), addressed = f32(b, 4);
  add(cells[i & 7], x);
  min(cells[8 + (i & 7)], x);
  max(cells[16 + (i & 7)], x);
  if (i % 2 == 1) add(cells[24], x);
  add(cells[25], 0.125F);
  results[i] = add(own[i], x);
  results[128 + i] = min(own[i], 0.5F);
  results[256 + i] = max(own[i], -0.5F);
  results[384 + i] = std::exchange(own[i], x);
  min(own[128 + i], x);
  max(own[128 + i], x + 1);
  add(addressed[i & 3], x);
  min(addressed[4 + (i & 3)], x);
  max(addressed[8 + (i & 3)], x);
  float& cell = addressed[12 + i];
  const float first = add(cell, 2), second = min(cell, x);
  results[512 + i] = first + second + max(cell, 0);
}

void atomics_float(const Manifest&, BufferContents& b) {
  const auto results = f32(b, 3);
  for (uint32_t i = 0; i < 128; ++i) floats_of_invocation(b, i);
  for (uint32_t group = 0; group < 2; ++group) {
    float sum = 0, low = input(b, group * 64), high = low;
    for (uint32_t i = group * 64; i < group * 64 + 64; ++i) {
      const float x = input(b, i);
      add(sum, x);
      min(low, x);
      max(high, x);
      float cell = x;
      const float added = add(cell, 4), least = min(cell, 3), greatest = max(cell, 1);
      results[640 + i] = added + 2 * least + 4 * greatest + 8 * cell;
      results[768 + i] = -input(b, i ^ 1);
    }
    const std::array<float, 3> whole = {sum, low, high};
    std::copy(whole.begin(), whole.end(), &results[768 + group * 64]);
  }
}

/// A buffer of halves. What is computed here is exact in them.
class Halves {
 public:
  explicit Halves(std::vector<uint8_t>& bytes, size_t first = 0) : bytes_(bytes), first_(first) {}
  float load(size_t i) const {
    uint16_t bits = 0;
    std::memcpy(&bits, &bytes_[first_ + 2 * i], 2);
    return static_cast<float>(
        bits == 0 ? 0.0
                  : std::copysign(std::ldexp(1024 + bits % 1024, bits / 1024 % 32 - 25), bits >> 15 ? -1.0 : 1.0));
  }
  void store(size_t i, float value) {
    const float magnitude = std::fabs(value);
    uint16_t bits = std::signbit(value) ? 0x8000 : 0;
    if (magnitude != 0) {
      const int exponent = std::ilogb(magnitude);
      bits |= static_cast<uint16_t>((exponent + 15) << 10 |
                                    (static_cast<int>(std::ldexp(magnitude, 10 - exponent)) - 1024));
    }
    std::memcpy(&bytes_[first_ + 2 * i], &bits, 2);
  }
  template <class Operation>
  float update(size_t i, Operation&& operation, float x) {
    float cell = load(i);
    const float old = operation(cell, x);
    store(i, cell);
    return old;
  }

 private:
  std::vector<uint8_t>& bytes_;
  size_t first_;
};

void halves_of_invocation(BufferContents& b, uint32_t i) {
  const float x = input(b, i);
  Halves cells(b[1]), own(b[2]), addressed(b[4], 2);
  const auto results = f32(b, 3);
  cells.update(i % 7, add, x);
  cells.update(7 + i % 7, min, x);
  cells.update(14 + i % 7, max, x);
  results[i] = own.update(1 + i, add, x);
  results[128 + i] = own.update(1 + i, min, 0.5F);
  results[256 + i] = own.update(1 + i, max, -0.5F);
  results[384 + i] = own.load(1 + i);
  own.store(1 + i, x + x);
  results[512 + i] = x + x;
  addressed.update(i % 3, add, x);
  const float before = addressed.update(3 + i, min, x);
  results[640 + i] = before + addressed.update(3 + i, max, 1);
}

void atomics_half(const Manifest&, BufferContents& b) {
  const auto results = f32(b, 3);
  for (uint32_t i = 0; i < 128; ++i) halves_of_invocation(b, i);
  for (uint32_t group = 0; group < 2; ++group) {
    std::array<float, 7> cells{};
    for (uint32_t i = group * 64; i < group * 64 + 64; ++i) {
      const float x = input(b, i);
      add(cells[i % 3], x);
      min(cells[3 + i % 2], x);
      max(cells[5 + i % 2], x);
      results[768 + i] = x + 2 * (x + 4);
      results[896 + i] = -input(b, i ^ 1);
    }
    std::copy(cells.begin(), cells.end(), &results[896 + group * 64]);
  }
}

double double_input(BufferContents& b, uint32_t i) {
  return double{input(b, i)} + u32(b, 0)[i] * 0x1p-40;
}

void atomics_double(const Manifest&, BufferContents& b) {
  const auto cells = view<double>(b, 1), own = view<double>(b, 2), rows = view<double>(b, 3);
  const auto addressed = view<double>(b, 4).subspan(1);
  for (uint32_t i = 0; i < 128; ++i) {
    const double x = double_input(b, i);
    cells[i % 7] += x;
    cells[7 + i % 7] = std::fmin(cells[7 + i % 7], x);
    cells[14 + i % 7] = std::fmax(cells[14 + i % 7], x);
    rows[i] = own[i];
    rows[128 + i] = own[i] + x;
    rows[256 + i] = std::fmin(rows[128 + i], 0.5);
    rows[384 + i] = std::fmax(rows[256 + i], -0.5);
    rows[512 + i] = own[i] = x + x;
    addressed[i % 3] += x;
    double& cell = addressed[3 + i];
    const double before = std::exchange(cell, std::fmin(cell, x));
    rows[640 + i] = before + std::exchange(cell, std::fmax(cell, 1.0));
  }
  for (uint32_t group = 0; group < 2; ++group) {
    double sum = 0, low = 0, high = 0;
    for (uint32_t i = group * 64; i < group * 64 + 64; ++i) {
      const double x = double_input(b, i);
      sum += x;
      low = std::fmin(low, x);
      high = std::fmax(high, x);
      rows[768 + i] = x + 2 * (x + 4);
      rows[896 + i] = -double_input(b, i ^ 1);
    }
    rows[896 + group * 64] = sum;
    rows[897 + group * 64] = low;
    rows[898 + group * 64] = high;
  }
}

/// Texels hold sums, minima and maxima of the numbers of four invocations; the returned values are of texels of one
/// invocation each.
void img_atomics_float(const Manifest& manifest, BufferContents& contents) {
  Texels sums(manifest, contents, "sums"), planes(manifest, contents, "planes"), own(manifest, contents, "own");
  const auto results = f32(contents, 0), buffer = f32(contents, 1);
  const auto update = [](Texels& image, const Texels::Place& place, auto operation, float x) {
    const uint32_t bits = image.load_bits(place)[0];
    float cell = 0;
    std::memcpy(&cell, &bits, 4);
    const float old = operation(cell, x);
    image.store(place, {cell, 0, 0, 1});
    return old;
  };
  for (int i = 0; i < 256; ++i) {
    const int x = i % 16, y = i / 16;
    const float number = static_cast<float>(i * 37 % 256 - 100) / 4;
    update(sums, {x / 4, y / 4}, add, number);
    update(planes, {x / 8, y / 8, 0}, min, number);
    update(planes, {x / 8, y / 8, 1}, max, number);
    add(buffer[i % 5], number);
    min(buffer[5 + i % 5], number);
    max(buffer[10 + i % 5], number);
    const float first = update(own, {x, y}, add, number), second = update(own, {x, y}, min, 1.5F);
    results[i] = first + 2 * second + 4 * update(own, {x, y}, max, -2.5F);
  }
}

constexpr Reference kReferences[] = {
    {"atomics_double", atomics_double},
    {"atomics_float", atomics_float},
    {"atomics_half", atomics_half},
    {"img_atomics_float", img_atomics_float},
};

}  // namespace

std::span<const Reference> float_atomic_references() {
  return kReferences;
}

}  // namespace spalt::run
