// SPDX-License-Identifier: MIT
//
// A random program with the data it runs on. All programs have the same interface:
//
//   set 0, binding 0   storage, only read    { uvec4 head; uint data[]; }                    kInputWords words of data
//   set 0, binding 1   storage               { uint data[]; }                                kSlotWords per invocation
//   set 0, binding 2   storage, atomics      { uint u[8]; int s[4]; }
//   set 0, binding 3   uniform               { uint a[8]; ivec4 v; struct { int x; uvec3 y; } s[4]; }   (std140)
//   set 1, binding 0   storage               { struct { ivec3 a; int b; int c[4]; uvec2 d; } r[]; }     one per
//   invocation push constants                           { uint p[8]; }
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "spirv_builder.h"

namespace spalt::random_programs {

constexpr uint32_t kInputWords = 256;
constexpr uint32_t kInputOffset = 16;
constexpr uint32_t kSlotWords = 16;
constexpr uint32_t kAtomicWords = 12;
constexpr uint32_t kUniformBytes = 272;
constexpr uint32_t kRecordBytes = 48;
constexpr uint32_t kPushWords = 8;

struct Buffer {
  uint32_t set = 0;
  uint32_t binding = 0;
  bool storage = true;
  std::vector<uint32_t> words;
};

struct Program {
  uint64_t seed = 0;
  Words words;
  std::array<uint32_t, 3> groups{1, 1, 1};
  std::array<uint32_t, 3> local_size{1, 1, 1};
  std::vector<uint32_t> push;
  std::vector<Buffer> buffers;
};

/// The same program and data for the same seed, everywhere. `widths`: another one, with numbers of 8, 16 and 64 bits,
/// too.
Program generate(uint64_t seed, bool widths);

/// The data alone, for a module with the interface above; takes the local size from the module.
Program with_data(uint64_t seed, Words words);

}  // namespace spalt::random_programs
