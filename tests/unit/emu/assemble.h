// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "amdgpu/object/stage_object.h"
#include "emu/device/dispatch.h"

namespace spalt::emu::test {

constexpr const char* kDefaultTarget = "gfx1030";

/// Machine code of an assembly text. Empty, and a failure of the test, when the text is wrong.
std::vector<uint8_t> assemble(const std::string& text, unsigned wave_size, const char* target = kDefaultTarget);

/// A compute shader of the given code with one user SGPR for the global table, descriptor-set pointer in s1, workgroup
/// id x in s2 and local id x in v0; registers enough for most snippets.
object::StageObject make_shader(const std::string& text, unsigned wave_size, unsigned threads,
                                const char* target = kDefaultTarget);

/// The dispatch that goes with make_shader: buffers are bindings 0, 1, ... of the set in user-data entry 0.
DispatchInfo make_dispatch(std::vector<std::vector<uint32_t>*> buffers);

/// Loads the descriptor of binding `index` into s[4 * index + 8 ...] and waits: for the start of a snippet.
std::string load_descriptors(unsigned count, const char* target = kDefaultTarget);

/// Runs snippets that map one input dword vector per source to output vectors, one thread per element.
struct LaneProgram {
  unsigned wave_size = 32;
  /// Assembly; inputs are v4, v5, ... (dwords of each element of each source in order), results in v16, v17, ...
  std::string body;
  unsigned input_dwords = 1, output_dwords = 1;
  uint32_t float_mode = 0xf0;
  bool ieee = false;
  /// element-major inputs; the result likewise
  std::vector<uint32_t> run(const std::vector<uint32_t>& inputs) const;
};

/// Runs one workgroup of `wave_size` threads of a snippet on `buffers` (bindings 0, 1, ...; their descriptors are in
/// s[8:11], s[12:15], ...) and returns the fault message, empty when there was none.
std::string run_snippet(const std::string& body, std::vector<std::vector<uint32_t>*> buffers, unsigned wave_size = 32,
                        uint32_t lds_bytes = 4096, unsigned threads = 0, const char* target = kDefaultTarget);

/// 32-bit patterns with corner values in front.
std::vector<uint32_t> interesting_u32(size_t count, uint32_t seed);
/// Float patterns: zeros, denormals, infinities, NaN, limits and random ones of all exponents.
std::vector<uint32_t> interesting_f32(size_t count, uint32_t seed);

}  // namespace spalt::emu::test
