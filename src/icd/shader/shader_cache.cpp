// SPDX-License-Identifier: MIT
#include "icd/shader/shader_cache.h"

namespace spalt::icd {

CompiledShaderRef ShaderCache::find(const CacheKey& key) const {
  const std::lock_guard guard(mutex_);
  const auto found = shaders_.find(key);
  return found == shaders_.end() ? nullptr : found->second;
}

void ShaderCache::insert(const CacheKey& key, CompiledShaderRef shader) {
  const std::lock_guard guard(mutex_);
  shaders_.emplace(key, std::move(shader));
}

void ShaderCache::erase(const CacheKey& key) {
  const std::lock_guard guard(mutex_);
  shaders_.erase(key);
}

// Never holds both locks, so that two caches may be merged into each other at the same time.
void ShaderCache::merge(const ShaderCache& other) {
  for (const auto& [key, shader] : other.entries()) insert(key, shader);
}

std::vector<CacheEntry> ShaderCache::entries() const {
  const std::lock_guard guard(mutex_);
  return {shaders_.begin(), shaders_.end()};
}

}  // namespace spalt::icd
