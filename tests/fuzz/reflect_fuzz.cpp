// SPDX-License-Identifier: MIT
//
// Arbitrary words as a SPIR-V module to reflect, and whose sources to read: an answer, or an error with a cause that is
// not ours. Seeds: those of spirv_fuzz.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "spirv/reflect/reflect.h"
#include "spirv/source/source_map.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<uint32_t> words(size / 4);
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * 4);
  (void)spalt::spirv::read_source_map(words);
  spalt::Arena scratch;
  const auto reflection = spalt::spirv::reflect(words, {}, scratch);
  if (reflection ||
      (!reflection.error().message.empty() && reflection.error().status != spalt::Status::internal_error)) {
    return 0;
  }
  std::fprintf(stderr, "an error without a cause\n");
  std::abort();
}
