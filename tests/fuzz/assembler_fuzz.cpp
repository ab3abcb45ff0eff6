// SPDX-License-Identifier: MIT
// Assembler text: any bytes give code or an error that names a place and a cause; the listing of the code assembles to
// the same code.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "amdgpu/isa/text/assembler.h"
#include "amdgpu/isa/text/listing.h"

namespace {

[[noreturn]] void fail(const char* what, std::string_view detail) {
  std::fprintf(stderr, "%s\n%.*s\n", what, static_cast<int>(detail.size()), detail.data());
  std::abort();
}

void check_error(const spalt::Error& error) {
  const bool located = error.source_line > 0 && error.offset > 0;
  if (error.status != spalt::Status::invalid_input || error.message.empty() || !located) {
    fail("an error without a place or a cause", error.message);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

/// The first byte chooses the target and the wave size, the rest is text.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const auto targets = spalt::isa::targets();
  const spalt::isa::Target& target = targets[(data[0] >> 1) % targets.size()];
  const unsigned wave_size = target.has_wave32 && data[0] % 2 == 0 ? 32 : 64;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto code = spalt::isa::assemble(text, target, wave_size);
  if (!code) {
    check_error(code.error());
    return 0;
  }
  const std::string listing = spalt::isa::list_code(code->words, target, wave_size);
  const auto again = spalt::isa::assemble(listing, target, wave_size);
  if (!again) fail("the listing is rejected", spalt::isa::located_message(again.error()) + "\n" + listing);
  if (again->words != code->words) fail("the listing assembles to other words", listing);
  return 0;
}
