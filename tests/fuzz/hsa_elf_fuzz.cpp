// SPDX-License-Identifier: MIT
//
// Arbitrary bytes as an amdhsa code object with kernel descriptors: read, and where that succeeds, each kernel runs for
// a few steps. Seeds: kernels of tests/opencl compiled by clang.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "emu/device/hsa_dispatch.h"

namespace {

using spalt::emu::HsaArgument;
using spalt::object::ArgumentKind;

HsaArgument argument_for(const spalt::object::KernelArgument& wanted, std::vector<uint64_t>& buffer) {
  HsaArgument argument;
  if (wanted.kind == ArgumentKind::global_buffer) {
    argument.kind = HsaArgument::Kind::buffer;
    argument.data = reinterpret_cast<uint8_t*>(buffer.data());
    argument.size = buffer.size() * 8;
  } else if (wanted.kind == ArgumentKind::dynamic_shared_pointer) {
    argument.kind = HsaArgument::Kind::local;
    argument.size = 64;
  } else if (wanted.kind == ArgumentKind::image || wanted.kind == ArgumentKind::sampler) {
    argument.kind = HsaArgument::Kind::object;
    argument.bytes.assign(48, 0);
  } else {
    argument.bytes.assign(wanted.size, 1);
  }
  return argument;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto object = spalt::object::read_hsa_object({data, size});
  if (!object) {
    if (!object.error().message.empty()) return 0;
    std::fprintf(stderr, "an error without a cause\n");
    std::abort();
  }
  std::vector<uint64_t> buffer(64);
  for (const spalt::object::HsaKernel& kernel : object->kernels) {
    spalt::emu::HsaDispatchInfo info;
    info.kernel = kernel.name;
    info.group_size = {16, 1, 1};
    info.grid_items = {20, 1, 1};
    info.step_limit = 500;
    for (const auto& argument : kernel.arguments) {
      if (!argument.hidden()) info.arguments.push_back(argument_for(argument, buffer));
    }
    const auto outcome = spalt::emu::run_hsa_dispatch(*object, info);
    if (outcome.ok() || !outcome.error().message.empty()) continue;
    std::fprintf(stderr, "a dispatch fails without a cause\n");
    std::abort();
  }
  return 0;
}
