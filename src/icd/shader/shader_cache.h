// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "icd/shader/compiled_shader.h"

namespace spalt::icd {

/// A spalt_key that can be ordered.
using CacheKey = std::pair<uint64_t, uint64_t>;

inline CacheKey cache_key(const spalt_key& key) {
  return {key.words[0], key.words[1]};
}

using CacheEntry = std::pair<const CacheKey, CompiledShaderRef>;

/// Compiled shaders by the keys of their requests. Safe to call from all threads.
class ShaderCache {
 public:
  /// nullptr: not there.
  CompiledShaderRef find(const CacheKey& key) const;
  /// Does nothing when the key is there already.
  void insert(const CacheKey& key, CompiledShaderRef shader);
  /// For an entry that turned out to be no code that this device loads.
  void erase(const CacheKey& key);
  void merge(const ShaderCache& other);
  /// In the order of their keys.
  std::vector<CacheEntry> entries() const;

 private:
  mutable std::mutex mutex_;
  std::map<CacheKey, CompiledShaderRef> shaders_;
};

}  // namespace spalt::icd
