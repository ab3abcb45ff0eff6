// SPDX-License-Identifier: MIT
#include "driver/compile_key.h"

#include <xxhash.h>

#include <memory>
#include <new>
#include <string_view>

#include "build_id.h"

namespace spalt::driver {
namespace {

/// Feeds numbers in little-endian order and texts with their length, so that no two inputs look the same.
class Hasher {
 public:
  Hasher() : state_(XXH3_createState()) {
    if (state_ == nullptr) throw std::bad_alloc();
    XXH3_128bits_reset(state_.get());
  }

  void number(uint64_t value) {
    unsigned char bytes[8];
    for (unsigned i = 0; i < 8; ++i) bytes[i] = static_cast<unsigned char>(value >> (8 * i));
    XXH3_128bits_update(state_.get(), bytes, sizeof bytes);
  }
  void text(std::string_view text) {
    number(text.size());
    XXH3_128bits_update(state_.get(), text.data(), text.size());
  }
  void words(std::span<const uint32_t> words) {
    number(words.size());
    XXH3_128bits_update(state_.get(), words.data(), words.size_bytes());
  }
  CompileKey finish() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(state_.get());
    return {hash.low64, hash.high64};
  }

 private:
  struct Free {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };
  std::unique_ptr<XXH3_state_t, Free> state_;
};

void add_layout(Hasher& hasher, const abi::UserDataLayout& layout) {
  hasher.number(layout.push_constant_entry);
  hasher.number(layout.push_constant_dwords);
  hasher.number(layout.entry_count);
  hasher.number(layout.bindings.size());
  for (const abi::BindingLocation& b : layout.bindings) {
    for (uint64_t value : {b.set, b.binding, b.offset, b.stride, b.entry, b.count}) hasher.number(value);
    hasher.number(static_cast<uint64_t>(b.kind));
  }
}

}  // namespace

const char* build_identifier() {
  return SPALT_BUILD_IDENTIFIER;
}

CompileKey compile_key(std::span<const uint32_t> words, const Options& options, object::MetadataVersion version) {
  Hasher hasher;
  hasher.text(build_identifier());
  hasher.text(options.target->name);
  hasher.words(words);
  hasher.text(options.entry_point);
  hasher.number(options.specialization.size());
  for (const spirv::Specialization& constant : options.specialization) {
    for (uint64_t value : {uint64_t{constant.id}, constant.value, uint64_t{constant.size}}) hasher.number(value);
  }
  hasher.number(options.layout ? 1 : 0);
  if (options.layout) add_layout(hasher, *options.layout);
  hasher.number(options.wave_size);
  for (uint32_t count : options.max_workgroups) hasher.number(count);
  hasher.number(options.wgp_mode);
  hasher.number(options.require_full_subgroups);
  hasher.number(options.pipeline.index());
  hasher.number(options.float_mode);
  hasher.number(options.max_vgprs);
  hasher.number(options.max_sgprs);
  hasher.number(options.max_unroll_instructions);
  hasher.number(static_cast<uint64_t>(version));
  // Not in: want_assembly, verify, stop_after, dump_after, dump_all, dump, cancel.
  return hasher.finish();
}

}  // namespace spalt::driver
