// SPDX-License-Identifier: MIT
//
// Arbitrary bytes as a PAL code object: read as a pipeline of any stages and as a compute stage, which is run for a few
// steps. Seeds: ELFs of `spalt
// compile`.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "amdgpu/object/pipeline_object.h"
#include "amdgpu/object/stage_object.h"
#include "emu/device/dispatch.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto pipeline = spalt::object::read_pipeline({data, size});
  if (!pipeline && pipeline.error().message.empty()) {
    std::fprintf(stderr, "a pipeline is refused without a cause\n");
    std::abort();
  }
  const auto shader = spalt::object::read_elf({data, size});
  if (!shader) {
    if (!shader.error().message.empty()) return 0;
    std::fprintf(stderr, "an error without a cause\n");
    std::abort();
  }
  std::vector<uint64_t> buffer(64);
  spalt::emu::DispatchInfo info;
  for (uint32_t i = 0; i < 4; ++i) {
    info.buffers.push_back({spalt::emu::BufferForm::descriptor, 0, i * 16,
                            reinterpret_cast<uint8_t*>(buffer.data()) + i * 128, 128, "buffer"});
  }
  info.step_limit = 500;
  const auto outcome = spalt::emu::run_dispatch(*shader, info);
  if (outcome.ok() || !outcome.error().message.empty()) return 0;
  std::fprintf(stderr, "a dispatch fails without a cause\n");
  std::abort();
}
