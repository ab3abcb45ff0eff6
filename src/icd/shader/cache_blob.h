// SPDX-License-Identifier: MIT
//
// A pipeline cache as bytes, which applications keep in files:
//
//   header of version one (Vulkan), 32 bytes: vendor, device, and a UUID that names the build and the target
//   entries, each: checksum of the body (16 bytes), bytes of the body (8), the body
//   the body: key (16), statistics (4 each), the ELF up to its end
//
// The bytes are not trusted. A header of another driver, build or target makes an empty cache; an entry whose checksum
// does not fit is skipped, and one that reaches past the end ends the reading. What is left is loaded as strictly as
// any ELF when it is used.
#pragma once

#include <cstddef>
#include <span>

#include "icd/shader/shader_cache.h"

namespace spalt::icd {

void read_cache_blob(std::span<const std::byte> blob, const VkPhysicalDeviceProperties& device, ShaderCache& cache);

/// vkGetPipelineCacheData: the size when `data` is nullptr, else the header and as many whole entries as fit.
VkResult write_cache_blob(const ShaderCache& cache, const VkPhysicalDeviceProperties& device, size_t* size, void* data);

}  // namespace spalt::icd
