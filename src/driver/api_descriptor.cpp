// SPDX-License-Identifier: MIT
// Descriptors that drivers write.
#include "amdgpu/abi/buffer_descriptor.h"
#include "driver/api_support.h"

using namespace spalt;
using namespace spalt::api;

spalt_result spalt_write_buffer_descriptor(const spalt_buffer_descriptor_info* info, uint32_t words[4]) {
  if (info == nullptr || words == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  const spalt_buffer_descriptor_info given = read_struct(info);
  if (given.target == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  const isa::Target* target = isa::find_target(given.target);
  if (target == nullptr || !target->compiles) return SPALT_ERROR_UNSUPPORTED;
  const bool fits = given.size == 0 || given.address >> abi::kBufferAddressBits == 0;
  if (given.size > UINT32_MAX || !fits) return SPALT_ERROR_INVALID_ARGUMENT;
  const auto descriptor = abi::raw_buffer_descriptor(given.address, static_cast<uint32_t>(given.size), *target);
  std::copy(descriptor.begin(), descriptor.end(), words);
  return SPALT_SUCCESS;
}
