// SPDX-License-Identifier: MIT
// Descriptors that drivers write.
#include "amdgpu/abi/buffer_descriptor.h"
#include "driver/compiler_handle.h"

using namespace spalt;
using namespace spalt::api;

spalt_result spalt_write_buffer_descriptor(const spalt_compiler* compiler, const spalt_buffer_descriptor_info* info,
                                           uint32_t words[4]) {
  if (compiler == nullptr || info == nullptr || words == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  const spalt_buffer_descriptor_info given = read_struct(info);
  const bool fits = given.size == 0 || given.address >> abi::kBufferAddressBits == 0;
  if (given.size > UINT32_MAX || !fits) return SPALT_ERROR_INVALID_ARGUMENT;
  const auto descriptor =
      abi::raw_buffer_descriptor(given.address, static_cast<uint32_t>(given.size), *compiler->target);
  std::copy(descriptor.begin(), descriptor.end(), words);
  return SPALT_SUCCESS;
}
