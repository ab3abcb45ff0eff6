// SPDX-License-Identifier: MIT
//
// Descriptors, atomics, local memory and register pressure.
#include <algorithm>
#include <array>
#include <vector>

#include "reference.h"

namespace spalt::run {
namespace {

using vkrun::BufferContents;
using vkrun::Manifest;

void descriptor_arrays(const Manifest& manifest, BufferContents& b) {
  const uint32_t chosen = manifest.dispatches[0].push[0];
  for (uint32_t group = 0; group < 4; ++group) {
    for (uint32_t i = 0; i < 32; ++i) {
      auto value = [&](uint32_t buffer, uint32_t at) { return u32(b, buffer)[1 + at]; };
      uint32_t sum = value(0, i) + value(3, i);
      sum += value(chosen, i) * u32(b, 6)[3];
      sum += value(group, i) * u32(b, 4 + group % 3)[i % 4];
      for (uint32_t d = 0; d < 4; ++d) sum = sum * 3 + value(d, (i + d) % u32(b, d)[0]);
      u32(b, 7)[group * 32 + i] = sum + 40 * 1000;
    }
  }
}

void descriptor_elements(const Manifest& manifest, BufferContents& b) {
  for (const auto& dispatch : manifest.dispatches) {
    const uint32_t chosen = dispatch.push[0];
    for (uint32_t i = 0; i < 256; i += 4) {
      const uint32_t x = u32(b, 0)[i], y = u32(b, 1)[i];
      u32(b, 0)[i] = x * 3;
      u32(b, 1)[i] = y + 5;
      u32(b, 2)[i] = x * 3 + y;
      u32(b, chosen)[i] += 100;
      u32(b, 2)[i + 1] = u32(b, 0)[i] ^ (u32(b, 1)[i] * 7);
      u32(b, 0)[i + 2] = 11;
      const uint32_t any = u32(b, chosen)[i + 2];
      u32(b, 1)[i + 2] = any;
      u32(b, chosen)[i + 2] = 12;
      u32(b, 2)[i + 3] = u32(b, 1)[i + 2] + u32(b, 0)[i + 2];
    }
  }
}

void descriptor_arrays_non_uniform(const Manifest& manifest, BufferContents& b) {
  constexpr uint32_t kChoices = 5, kFactors = 6, kResults = 9, kSlots = 10;  // buffers in the manifest's order
  constexpr uint32_t kQuad = 4, kValues = 8;                                 // words from the start of Data
  const uint32_t bound = manifest.dispatches[0].push[0];
  for (uint32_t at = 0; at < 128; ++at) {
    const uint32_t i = at % 64;
    const uint32_t which = u32(b, kChoices)[at];
    const auto quad = [&](uint32_t buffer, uint32_t component) { return u32(b, buffer)[kQuad + component]; };
    const auto value = [&](uint32_t buffer, uint32_t index) { return u32(b, buffer)[kValues + index]; };
    const auto factor = [&](uint32_t buffer, uint32_t component) { return u32(b, kFactors + buffer)[component]; };
    uint32_t r = quad(which, 0) * factor(which % 3, 1);
    const uint32_t other = (which + i) % 5;
    r += value(other, i % 4) + quad(other, 2);
    r += u32(b, kFactors + i % 3)[4 + 4 * (i % 8)];  // std140: an element every 16 bytes
    r += static_cast<uint32_t>(u32(b, which).size() - kValues) * 1000;
    u32(b, which)[0] += r & 0xffff;
    u32(b, which)[1] = std::max(u32(b, which)[1], r);
    u32(b, kSlots + which % 2)[at] = r;
    const uint32_t stored = r;
    for (uint32_t turn = 0; turn < bound; ++turn) {
      const uint32_t next = (which + turn * (i | 1)) % 5;
      if (value(next, turn % 4) % 7 == 0) break;
      r = r * 5 + quad(next, 3);
    }
    if (which > 2) {
      r ^= factor(which - 2, 0);
    } else if (i % 3 == 1) {
      r += stored;
    }
    r += i % 2 == 0 ? quad(0, 1) : 0 - quad(3, 1);
    u32(b, kResults)[at] = r;
  }
}

void atomics_shared(const Manifest&, BufferContents& b) {
  const auto result = u32(b, 1);
  for (uint32_t group = 0; group < 2; ++group) {
    const auto in = u32(b, 0).subspan(group * 64, 64);
    uint32_t all_bits = ~0u;
    int32_t low = INT32_MAX;
    int32_t high = INT32_MIN;
    for (uint32_t i = 0; i < 64; ++i) {
      const uint32_t x = in[i];
      result[0] += x;
      result[1] = std::min(result[1], x);
      result[2] = std::max(result[2], x);
      low = std::min(low, static_cast<int32_t>(x));
      high = std::max(high, static_cast<int32_t>(x));
      all_bits &= x | 1u << (i % 32);
      result[5] |= x & 0x11111111u;
      result[6] ^= x;
      result[7] += i;
      result[8] += (i + 1) * (i + 1);
    }
    result[3] ^= static_cast<uint32_t>(low) ^ static_cast<uint32_t>(high);
    result[4] ^= all_bits;
    result[7] += 1000;
    result[9] += 1;
  }
}

void atomics_buffer(const Manifest&, BufferContents& b) {
  const auto cells = u32(b, 1);
  const auto signed_cells = i32(b, 1);
  for (uint32_t i = 0; i < 256; ++i) {
    const uint32_t x = u32(b, 0)[i];
    const uint32_t cell = x & 7;
    const uint32_t group = i / 64;
    cells[cell] += x >> 3;
    signed_cells[8 + cell] = std::min(signed_cells[8 + cell], static_cast<int32_t>(x));
    signed_cells[16 + cell] = std::max(signed_cells[16 + cell], static_cast<int32_t>(x));
    cells[24 + group] = std::min(cells[24 + group], x);
    cells[32 + group] = std::max(cells[32 + group], x);
    cells[40 + cell] &= x;
    cells[48 + cell] |= x & 0x01010101u;
    cells[56] ^= x;
    cells[67] += i;  // the tickets drawn
    cells[69] += x % 97 * (x % 97);
    cells[70] -= i % 4 == 1 ? 1 : 0;
  }
  cells[66] = 256;
}

void local_array_row(uint32_t i, uint32_t x, std::array<int32_t, 6>& rows) {
  int32_t table[16];
  for (uint32_t k = 0; k < 16; ++k) table[k] = static_cast<int32_t>(x >> k & 255);
  table[x & 15] += 1000;
  rows[0] = 0;
  for (uint32_t k = 0; k < 16; k += 3) {
    rows[0] = static_cast<int32_t>(static_cast<uint32_t>(rows[0]) * 7 + static_cast<uint32_t>(table[(k + i) & 15]));
  }

  int32_t digits[] = {3, 1, 4, 1, 5};
  digits[x % 5] = static_cast<int32_t>(i);
  rows[1] = digits[0] + 10 * digits[1] + 100 * digits[2] + 1000 * digits[3] + 10000 * digits[4];
  constexpr int32_t kPrimes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  rows[2] = kPrimes[x % 12] * kPrimes[(x >> 8) % 12];

  std::array<std::array<int32_t, 4>, 3> grid = {{{0, 1, 2, 3}, {10, 11, 12, 13}, {20, 21, 22, 23}}};
  grid[x % 3][x >> 4 & 3] = 99;
  const auto copy = grid;
  grid[(x >> 6) % 3] = copy[(x >> 9) % 3];
  rows[3] = grid[0][x & 3] + 100 * grid[1][x >> 2 & 3] + 10000 * grid[2][x >> 4 & 3];
}

void local_array_structs(uint32_t i, uint32_t x, std::array<int32_t, 6>& rows) {
  struct Cell {
    int32_t value;
    int32_t neighbours[3];
    int32_t history[4];
  };
  Cell cells[3];
  for (int32_t k = 0; k < 3; ++k) cells[k] = {k, {k, k + 1, k + 2}, {k, -k, 2 * k, 3 * k}};
  Cell& which = cells[(x >> 11) % 3];
  which.neighbours[(x >> 13) % 3] = 50;
  which.history[x >> 15 & 3] -= 17;
  const Cell& c = cells[(x >> 17) % 3];
  rows[4] = c.value + c.neighbours[0] * 2 + c.neighbours[1] * 3 + c.neighbours[2] * 5 + c.history[0] * 7 +
            c.history[1] * 11 + c.history[2] * 13 + c.history[3] * 17;

  int32_t vector[] = {1, 2, 3, 4};
  vector[x & 3] = static_cast<int32_t>(i);
  int32_t m[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  m[x % 3][(x >> 3) % 3] = 8;
  rows[5] = vector[x >> 2 & 3] * 100 + m[(x >> 5) % 3][(x >> 7) % 3];
}

void local_arrays(const Manifest&, BufferContents& b) {
  for (uint32_t i = 0; i < 64; ++i) {
    std::array<int32_t, 6> rows{};
    local_array_row(i, u32(b, 0)[i], rows);
    local_array_structs(i, u32(b, 0)[i], rows);
    for (size_t row = 0; row < 6; ++row) i32(b, 1)[row * 64 + i] = rows[row];
  }
}

uint32_t digit_sum(uint32_t value) {
  uint32_t sum = 0;
  for (; value != 0; value /= 10) sum += value % 10;
  return sum;
}

void function_params(const Manifest&, BufferContents& b) {
  for (size_t i = 0; i < 64; ++i) {
    const auto data = u32(b, 0).subspan(i * 8, 8);
    std::vector<uint32_t> sorted(data.begin(), data.end());
    const uint32_t wanted = sorted[3];
    std::sort(sorted.begin(), sorted.end());
    // The last place that is not above the wanted value; a range of eight is halved three times, then looked at once
    // more.
    const auto place = static_cast<size_t>(std::upper_bound(sorted.begin(), sorted.end(), wanted) - sorted.begin()) - 1;
    std::swap(sorted[place], sorted[7 - place]);
    for (size_t k = 0; k < 7; ++k) data[k] = sorted[k] + digit_sum(sorted[k + 1]);
    data[7] = static_cast<uint32_t>(place) * 1000 + 4;
  }
}

void register_pressure(const Manifest&, BufferContents& b) {
  for (uint32_t i = 0; i < 128; ++i) {
    uint32_t hash = 2166136261u;
    for (uint32_t n = 500; n-- > 0;) {
      const uint32_t value = u32(b, 0)[(i + n * 7) & 1023] ^ n;
      hash = (hash ^ value) * 16777619u + (value >> (hash & 7));
    }
    u32(b, 1)[i] = hash;
  }
}

void register_pressure_lanes(const Manifest& manifest, BufferContents& b) {
  const auto push = manifest.dispatches[0].push;
  for (uint32_t group = 0; group < 2; ++group) {
    std::vector<uint32_t> values(10000);
    uint32_t state = push[0] + group;
    for (uint32_t n = 1000; n < 10000; ++n) {
      state = state * 1664525 + push[1];
      values[n] = state ^ (state >> 15);
    }
    const auto fold = [&](uint32_t start, uint32_t last, uint32_t first) {
      for (uint32_t n = last; n >= first; --n) start = start * 31 + values[n];
      return start;
    };
    const uint32_t all = fold(state, 9999, 8000);
    for (uint32_t i = group * 48; i < group * 48 + 48; ++i) {
      uint32_t& result = u32(b, 0)[i];
      if (result % 3 == 1) result += fold(all, 7999, 5000);
      result ^= fold(all, 4999, 1000);
    }
  }
}

void register_pressure_large_group(const Manifest&, BufferContents& b) {
  const auto results = u32(b, 0);
  std::array<std::array<uint32_t, 100>, 1024> values;
  std::array<uint32_t, 1024> last;
  for (uint32_t i = 0; i < 1024; ++i) {
    uint32_t state = results[i];
    for (uint32_t& value : values[i]) {
      state = state * 1664525 + i;
      value = state ^ (state >> 15);
    }
    last[i] = state;
  }
  for (uint32_t i = 0; i < 1024; ++i) {
    uint32_t fold = last[1023 - i];
    for (uint32_t n = 100; n > 0; --n) fold = fold * 31 + values[i][n - 1];
    results[i] = fold;
  }
}

void register_pressure_uniform(const Manifest& manifest, BufferContents& b) {
  const auto table = u32(b, 0);
  for (uint32_t group = 0; group < 2; ++group) {
    std::vector<uint32_t> state(table.begin(), table.end());
    for (uint32_t& word : state) word ^= group * 977;
    for (uint32_t r = 0; r < manifest.dispatches[0].push[0]; ++r) {
      for (uint32_t n = 0; n < 50; ++n) {
        for (uint32_t c = 0; c < 4; ++c) {
          uint32_t& word = state[n * 4 + c];
          // .yzwx
          word = (word + table[(n + r) % 50 * 4 + (c + 1) % 4]) ^ (word >> 7);
        }
      }
    }
    uint32_t fold = 0;
    for (uint32_t n = 0; n < 50; ++n) {
      fold = fold * 31 + (state[n * 4] ^ state[n * 4 + 1] ^ state[n * 4 + 2] ^ state[n * 4 + 3]);
    }
    for (uint32_t lane = 0; lane < 64; ++lane) u32(b, 1)[group * 64 + lane] = fold ^ lane;
  }
}

/// All invocations go from barrier to barrier together.
void neighbours_in_wave(const Manifest&, BufferContents& b) {
  constexpr uint32_t kLanes = 32;
  using PerLane = std::array<uint32_t, kLanes>;
  for (uint32_t group = 0; group < 4; ++group) {
    uint32_t* const words = &u32(b, 0)[group * 128];
    std::array<uint32_t, 96> row{};
    PerLane v{}, a{}, c{}, d{}, third{};
    for (uint32_t i = 0; i < kLanes; ++i) v[i] = words[i];
    for (uint32_t i = 0; i < kLanes; ++i) {
      row[i] = v[i] * 3;
      row[i + 32] = v[i] ^ 0x55;
      row[i + 64] = v[i] + 7;
    }
    for (uint32_t i = 0; i < kLanes; ++i) a[i] = row[i + 1];
    for (uint32_t i = 0; i < kLanes; ++i) row[i + 2] = a[i] * 5 + v[i];
    for (uint32_t i = 0; i < kLanes; ++i) third[i] = row[i + 3];
    for (uint32_t i = 0; i < kLanes; ++i) row[i + 4] = third[i] + a[i];
    for (uint32_t i = 0; i < kLanes; ++i) c[i] = row[i + 5] + row[i];
    for (uint32_t i = 0; i < kLanes; ++i) words[i + 32] = c[i];
    for (uint32_t i = 0; i < kLanes; ++i) d[i] = words[i + 33];
    for (uint32_t i = 0; i < kLanes; ++i) words[i + 34] = d[i] ^ third[i];
    for (uint32_t i = 0; i < kLanes; ++i) {
      const uint32_t e = words[i + 35];
      u32(b, 1)[group * kLanes + i] = a[i] ^ (third[i] * 3) ^ (c[i] * 7) ^ (d[i] * 11) ^ (e * 13);
    }
  }
}

constexpr Reference kReferences[] = {
    {"descriptor_arrays", descriptor_arrays},
    {"descriptor_elements", descriptor_elements},
    {"descriptor_arrays_non_uniform", descriptor_arrays_non_uniform},
    {"atomics_shared", atomics_shared},
    {"atomics_buffer", atomics_buffer},
    {"local_arrays", local_arrays},
    {"function_params", function_params},
    {"register_pressure", register_pressure},
    {"register_pressure_lanes", register_pressure_lanes},
    {"register_pressure_large_group", register_pressure_large_group},
    {"register_pressure_uniform", register_pressure_uniform},
    {"neighbours_in_wave", neighbours_in_wave},
};

}  // namespace

std::span<const Reference> memory_references() {
  return kReferences;
}

}  // namespace spalt::run
