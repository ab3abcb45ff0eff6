// SPDX-License-Identifier: MIT
//
// Arbitrary bytes as machine code whose cycles are estimated. The first byte chooses target and wave size; with a
// target that is not there, the rest is an ELF. Seeds: text sections of shaders after a byte, and their ELFs.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "amdgpu/estimate/estimate.h"
#include "driver/find_programs.h"

namespace {

void fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

void check(std::span<const uint32_t> words, const spalt::isa::Target& target, spalt::isa::WaveResources resources) {
  const auto code = spalt::estimate::read_code(words, target, resources.wave_size);
  if (!code) {
    if (code.error().message.empty()) fail("an error without a cause");
    return;
  }
  const spalt::estimate::Estimate found = spalt::estimate::estimate(*code, resources);
  double sum = found.issuing;
  for (double stalled : found.stalls) sum += stalled;
  // Jumps are the rest; numbers of deep loops are large.
  if (!std::isfinite(found.latency) || found.latency < sum * (1 - 1e-9)) fail("cycles that are not accounted for");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const auto targets = spalt::isa::targets();
  const std::span<const uint8_t> rest(data + 1, size - 1);
  if (data[0] >> 1 >= targets.size()) {
    const auto programs = spalt::driver::find_programs(rest, 0);
    if (!programs && programs.error().message.empty()) fail("an error without a cause");
    for (size_t i = 0; programs && i < programs->size(); ++i) {
      check((*programs)[i].words, *(*programs)[i].target, (*programs)[i].resources);
    }
    return 0;
  }
  const spalt::isa::Target& target = targets[data[0] >> 1];
  std::vector<uint32_t> words(rest.size() / 4);
  if (!words.empty()) std::memcpy(words.data(), rest.data(), words.size() * 4);
  spalt::isa::WaveResources resources;
  resources.wave_size = (data[0] & 1) != 0 && target.has_wave32 ? 32 : 64;
  check(words, target, resources);
  return 0;
}
