// SPDX-License-Identifier: MIT
// The "amdhsa.kernels" document of code object version 3 to 6 (docs/abi/amdgpu.md#hsa-metadata).
#include <vector>

#include "amdgpu/object/hsa_object.h"
#include "amdgpu/object/msgpack_view.h"

namespace spalt::object {
namespace {

// Kernel arguments are at most 4 KiB by the ABI's convention; hidden ones add 256 bytes. Generous above that.
constexpr uint32_t kMaxKernargBytes = 1u << 20;

Error bad(std::string message) {
  return {Status::invalid_input, std::move(message)};
}

struct KindName {
  std::string_view name;
  ArgumentKind kind;
};
constexpr KindName kKinds[] = {
    {"by_value", ArgumentKind::by_value},
    {"global_buffer", ArgumentKind::global_buffer},
    {"dynamic_shared_pointer", ArgumentKind::dynamic_shared_pointer},
    {"image", ArgumentKind::image},
    {"sampler", ArgumentKind::sampler},
    {"hidden_block_count_x", ArgumentKind::block_count_x},
    {"hidden_block_count_y", ArgumentKind::block_count_y},
    {"hidden_block_count_z", ArgumentKind::block_count_z},
    {"hidden_group_size_x", ArgumentKind::group_size_x},
    {"hidden_group_size_y", ArgumentKind::group_size_y},
    {"hidden_group_size_z", ArgumentKind::group_size_z},
    {"hidden_remainder_x", ArgumentKind::remainder_x},
    {"hidden_remainder_y", ArgumentKind::remainder_y},
    {"hidden_remainder_z", ArgumentKind::remainder_z},
    {"hidden_grid_dims", ArgumentKind::grid_dims},
    {"hidden_global_offset_x", ArgumentKind::global_offset_x},
    {"hidden_global_offset_y", ArgumentKind::global_offset_y},
    {"hidden_global_offset_z", ArgumentKind::global_offset_z},
    {"hidden_dynamic_lds_size", ArgumentKind::dynamic_lds_size},
    {"hidden_private_base", ArgumentKind::private_base},
    {"hidden_shared_base", ArgumentKind::shared_base},
    {"hidden_queue_ptr", ArgumentKind::queue_ptr},
    {"hidden_none", ArgumentKind::zero},
    {"hidden_printf_buffer", ArgumentKind::zero},
    {"hidden_hostcall_buffer", ArgumentKind::zero},
    {"hidden_default_queue", ArgumentKind::zero},
    {"hidden_completion_action", ArgumentKind::zero},
    {"hidden_multigrid_sync_arg", ArgumentKind::zero},
    {"hidden_heap_v1", ArgumentKind::zero},
};

ArgumentKind kind_of(std::string_view name) {
  for (const KindName& row : kKinds) {
    if (row.name == name) return row.kind;
  }
  return ArgumentKind::unsupported;
}

Result<void> read_arguments(const Object* list, HsaKernel& kernel) {
  if (!is_array(list)) return {};
  for (uint32_t i = 0; i < list->via.array.size; ++i) {
    const Object* map = &list->via.array.ptr[i];
    KernelArgument argument;
    if (!number32_of(find(map, ".offset"), argument.offset) || !number32_of(find(map, ".size"), argument.size)) {
      return bad("argument " + std::to_string(i) + " of kernel \"" + kernel.name + "\" has no offset or size");
    }
    if (uint64_t{argument.offset} + argument.size > kernel.kernarg_bytes) {
      return bad("argument " + std::to_string(i) + " of kernel \"" + kernel.name + "\" leaves the kernarg segment");
    }
    argument.kind = kind_of(text_of(find(map, ".value_kind")));
    kernel.arguments.push_back(argument);
  }
  return {};
}

}  // namespace

Result<void> read_hsa_metadata(std::span<const uint8_t> document, std::vector<HsaKernel>& kernels,
                               std::vector<std::string>& descriptor_symbols) {
  return with_document(document, [&](const Object& root) -> Result<void> {
    const Object* list = find(&root, "amdhsa.kernels");
    if (!is_array(list)) return bad("the metadata has no \"amdhsa.kernels\" array");
    for (uint32_t i = 0; i < list->via.array.size; ++i) {
      const Object* map = &list->via.array.ptr[i];
      HsaKernel kernel;
      kernel.name = text_of(find(map, ".name"));
      if (kernel.name.empty()) return bad("kernel " + std::to_string(i) + " has no name");
      descriptor_symbols.emplace_back(text_of(find(map, ".symbol")));
      if (!number32_of(find(map, ".kernarg_segment_size"), kernel.kernarg_bytes) ||
          kernel.kernarg_bytes > kMaxKernargBytes) {
        return bad("kernel \"" + kernel.name + "\" has no usable kernarg segment size");
      }
      number32_of(find(map, ".max_flat_workgroup_size"), kernel.max_items);
      if (Result<void> done = read_arguments(find(map, ".args"), kernel); !done) return done;
      kernels.push_back(std::move(kernel));
    }
    return {};
  });
}

}  // namespace spalt::object
