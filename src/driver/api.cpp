// SPDX-License-Identifier: MIT
// The public C API: result codes, targets and what they can do, compilers.
#include <iterator>

#include "driver/api_options.h"
#include "driver/compile_key.h"
#include "spirv/capabilities.h"

using namespace spalt;
using namespace spalt::api;
using namespace spalt::driver;

namespace {

const isa::Target* find_compiled(const char* name) {
  const isa::Target* found = name == nullptr ? nullptr : isa::find_target(name);
  return found != nullptr && found->compiles ? found : nullptr;
}

/// Every line takes its number from what the compiler checks with.
spalt_target_info describe(const isa::Target& target) {
  const spirv::Limits limits;
  spalt_target_info info{};
  info.name = target.name;
  info.stages = 1u << SPALT_STAGE_COMPUTE | 1u << SPALT_STAGE_VERTEX | 1u << SPALT_STAGE_FRAGMENT;
  info.binding_kinds = kBindingKinds;
  info.wave_sizes = 64u | (target.has_wave32 ? 32u : 0u);
  info.default_wave_size = target.has_wave32 ? 32 : 64;
  info.has_wgp_mode = target.has_wgp_mode ? 1 : 0;
  std::fill(std::begin(info.max_workgroup_size), std::end(info.max_workgroup_size), limits.workgroup_invocations);
  info.max_workgroup_invocations = limits.workgroup_invocations;
  info.max_shared_bytes = std::min(limits.shared_bytes, target.lds_bytes_per_workgroup);
  info.max_push_constant_bytes = abi::kPortableUserDataEntries * 4;
  info.max_user_data_entries = abi::kPortableUserDataEntries;
  info.max_sgprs = target.sgpr_count;
  info.max_vgprs = target.vgpr_limit;
  info.buffer_descriptor_bytes = abi::kBufferDescriptorBytes;
  info.max_robustness = SPALT_ROBUSTNESS_2;
  info.null_descriptors = 1;
  info.float_modes = kFloatModes;
  info.spirv_version = spirv::kNewestVersion;
  info.spirv_capabilities = spirv::supported_capabilities().data();
  info.spirv_capability_count = spirv::supported_capabilities().size();
  info.spirv_capability_names = spirv::supported_capability_names().data();
  info.spirv_extension_names = spirv::supported_extension_names().data();
  info.spirv_extension_count = spirv::supported_extension_names().size();
  info.pal_abi_versions = metadata_versions(target).data();
  info.pal_abi_version_count = metadata_versions(target).size();
  return info;
}

}  // namespace

const char* spalt_result_string(spalt_result result) {
  switch (result) {
    case SPALT_SUCCESS:
      return "success";
    case SPALT_STOPPED:
      return "stopped as asked";
    case SPALT_ERROR_INVALID_ARGUMENT:
      return "invalid argument";
    case SPALT_ERROR_INVALID_INPUT:
      return "invalid input";
    case SPALT_ERROR_UNSUPPORTED:
      return "not supported";
    case SPALT_ERROR_LIMIT_EXCEEDED:
      return "limit exceeded";
    case SPALT_ERROR_OUT_OF_MEMORY:
      return "out of memory";
    case SPALT_ERROR_INTERNAL:
      return "internal error";
    case SPALT_ERROR_EXECUTION:
      return "illegal execution";
    case SPALT_ERROR_CANCELLED:
      return "cancelled";
  }
  return "unknown result";
}

const char* spalt_build_identifier(void) {
  return build_identifier();
}

size_t spalt_target_count(void) {
  const auto targets = isa::targets();
  return static_cast<size_t>(
      std::count_if(targets.begin(), targets.end(), [](const isa::Target& t) { return t.compiles; }));
}

const char* spalt_target_name(size_t index) {
  for (const isa::Target& target : isa::targets()) {
    if (target.compiles && index-- == 0) return target.name;
  }
  return nullptr;
}

int spalt_target_supports(const char* target, uint32_t wave_size, uint32_t wgp_mode) {
  const isa::Target* found = find_compiled(target);
  if (found == nullptr || (wgp_mode != 0 && !found->has_wgp_mode)) return 0;
  return wave_size == 64 || (wave_size == 32 && found->has_wave32) ? 1 : 0;
}

spalt_result spalt_query_target(const char* target, spalt_target_info* info) {
  if (target == nullptr || info == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  const isa::Target* found = find_compiled(target);
  if (found == nullptr) return SPALT_ERROR_UNSUPPORTED;
  return write_struct(describe(*found), info);
}

spalt_result spalt_compiler_create(const spalt_compiler_create_info* info, spalt_compiler** compiler) {
  if (info == nullptr || compiler == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  *compiler = nullptr;
  const spalt_compiler_create_info given = read_struct(info);
  if (given.target == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  const isa::Target* target = find_compiled(given.target);
  if (target == nullptr) return SPALT_ERROR_UNSUPPORTED;
  Allocation allocation;
  if (!read_allocation(given.allocation, allocation)) return SPALT_ERROR_INVALID_ARGUMENT;
  return guarded([&] {
    *compiler = create_handle<spalt_compiler>(allocation);
    (*compiler)->target = target;
    return SPALT_SUCCESS;
  });
}

void spalt_compiler_destroy(spalt_compiler* compiler) {
  destroy_handle(compiler);
}
