// SPDX-License-Identifier: MIT
//
// Arbitrary bytes as a stage object: read, and where that succeeds, written to the same bytes, linked in each version
// of the metadata and the ELF read again. Seeds: tests/fuzz/make_seeds.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "amdgpu/object/link.h"
#include "amdgpu/object/pipeline_object.h"
#include "amdgpu/object/stage_bytes.h"

namespace {

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace spalt::object;
  const auto stage = read_stage({data, size});
  if (!stage) {
    if (stage.error().message.empty()) fail("an error without a cause");
    return 0;
  }
  const Bytes again = write_stage(*stage);
  if (!std::equal(again.begin(), again.end(), data, data + size)) fail("a stage object that is written differently");
  for (MetadataVersion version : {MetadataVersion::v2_6, MetadataVersion::v3_0, MetadataVersion::v3_6}) {
    const auto elf = link_stages({&*stage, 1}, version);
    if (!elf) fail("a stage object that was read does not link");
    const auto read = read_pipeline(*elf);
    if (!read && read.error().message.empty()) fail("an error without a cause");
  }
  return 0;
}
