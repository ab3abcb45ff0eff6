// SPDX-License-Identifier: MIT
//
// Arbitrary bytes as a stage object: read, and where that succeeds, written to the same bytes, linked in each version
// of the metadata and the ELF read again. A part of a stage is linked together with another one made of it. Seeds:
// tests/fuzz/make_seeds.
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

using namespace spalt;
using namespace spalt::object;

/// A part that completes the other one, if both start at their first instruction and pieces have no memory.
StageObject counterpart(const StageObject& given) {
  StageObject other = given;
  const bool of_pixels = given.hardware_stage == abi::HardwareStage::ps;
  if (given.part == abi::Part::body) {
    other.part = of_pixels ? abi::Part::epilog : abi::Part::prolog;
    if (!of_pixels) other.facts = std::monostate();
    other.lds_bytes = 0;
    other.scratch_en = false;
  } else {
    other.part = abi::Part::body;
    if (of_pixels) {
      std::get<abi::PixelFacts>(other.facts).inputs |= 1u << abi::kPerspCenter;
    } else {
      other.facts = abi::VertexOutputs();
    }
  }
  return other;
}

Result<Bytes> link(const StageObject& stage, MetadataVersion version) {
  if (stage.part == abi::Part::whole) return link_stages({&stage, 1}, version);
  if (link_stages({&stage, 1}, version).ok()) fail("a part of a stage links alone");
  const StageObject parts[] = {stage, counterpart(stage)};
  return link_stages(parts, version);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto stage = read_stage({data, size});
  if (!stage) {
    if (stage.error().message.empty()) fail("an error without a cause");
    return 0;
  }
  const Bytes again = write_stage(*stage);
  if (!std::equal(again.begin(), again.end(), data, data + size)) fail("a stage object that is written differently");
  for (MetadataVersion version : {MetadataVersion::v2_6, MetadataVersion::v3_0, MetadataVersion::v3_6}) {
    const auto elf = link(*stage, version);
    if (!elf && stage->part == abi::Part::whole) fail("a stage object that was read does not link");
    if (!elf && elf.error().message.empty()) fail("an error without a cause");
    if (!elf) continue;
    const auto read = read_pipeline(*elf);
    if (!read && read.error().message.empty()) fail("an error without a cause");
  }
  return 0;
}
