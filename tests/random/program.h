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
//
// Programs with memory of other widths have two more, whose fields are in wide_layout.h; those with pointers have what
// the addresses lead to:
//
//   set 1, binding 1   storage               { struct WideRecord r[]; }                    one per invocation
//   set 1, binding 2   storage, only read    { struct of arrays }
//   set 1, binding 5   storage, atomics      { struct of arrays }
//   set 1, binding 6   uniform               { struct of arrays and vectors }              (std140)
//   push constants                           { uint p[8]; arrays and vectors }
//   set 1, binding 3   uniform               { uint64_t number; pointer p; }              both the address of the next
//   set 1, binding 4   by address alone      { struct WideRecord r[]; }                    two per invocation
#pragma once

#include <array>
#include <cstdint>
#include <functional>
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
  bool has_addresses = false;  ///< of the buffer after it, which no run has at the same place
};

/// What programs may have besides 32-bit integers. The others need `widths`.
struct Parts {
  bool widths = false;     ///< numbers of 8, 16 and 64 bits
  bool memory = false;     ///< such numbers in memory, and atomic operations on them
  bool pointers = false;   ///< variable pointers and physical addresses; needs `memory`
  bool subgroups = false;  ///< operations between the lanes of a subgroup, where all are together or some of them
};

/// Another way to write the same program.
struct Form {
  /// Subgroups of so many neighbouring invocations, whose operations are loops over workgroup memory: no driver has a
  /// say in what a subgroup is. 0: the operations themselves.
  uint32_t subgroup_size = 0;
  /// Without what llvmpipe is wrong about ("llvmpipe" in docs/isa-errata.md): a workgroup is eight times as wide, and
  /// only every eighth invocation does something, so that no lane runs beside one of another path; and signs are
  /// extended to 64 bits by arithmetic.
  bool careful = false;
};

struct Program {
  uint64_t seed = 0;
  Words words;
  std::array<uint32_t, 3> groups{1, 1, 1};
  std::array<uint32_t, 3> local_size{1, 1, 1};
  std::vector<uint32_t> push;
  std::vector<Buffer> buffers;
  bool has_subgroups = false;
  std::function<Words(const Form&)> rewrite;  ///< the module in another form; empty for one from a file
};

/// The same program and data for the same seed and parts, everywhere.
Program generate(uint64_t seed, const Parts& parts);

/// The data alone, for a module with the interface above; takes the local size from the module.
Program with_data(uint64_t seed, Words words, const Parts& parts);

}  // namespace spalt::random_programs
