// SPDX-License-Identifier: MIT
#include "driver/compile_key.h"

#include <xxhash.h>

#include <string_view>

#include "build_id.h"

namespace spalt::driver {
namespace {

/// All that is hashed, as bytes: numbers in little-endian order and texts with their length, so that no two inputs look
/// the same. The words are many and go in as their own hash.
class KeyBytes {
 public:
  explicit KeyBytes(Arena& scratch) : bytes_(scratch) { bytes_.reserve(kUsualBytes); }

  void number(uint64_t value) {
    uint8_t bytes[8];
    for (unsigned i = 0; i < 8; ++i) bytes[i] = static_cast<uint8_t>(value >> (8 * i));
    bytes_.append(bytes);
  }
  void text(std::string_view text) {
    number(text.size());
    bytes_.append({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  }
  void words(std::span<const uint32_t> words) {
    number(words.size());
    const XXH128_hash_t hash = XXH3_128bits(words.data(), words.size_bytes());
    number(hash.low64);
    number(hash.high64);
  }
  CompileKey hash() const {
    const XXH128_hash_t hash = XXH3_128bits(bytes_.data(), bytes_.size());
    return {hash.low64, hash.high64};
  }

 private:
  static constexpr size_t kUsualBytes = 1024;

  Vector<uint8_t> bytes_;
};

void add_layout(KeyBytes& key, const abi::UserDataLayout& layout) {
  key.number(layout.push_constant_entry);
  key.number(layout.push_constant_dwords);
  key.number(layout.entry_count);
  key.number(layout.bindings.size());
  for (const abi::BindingLocation& b : layout.bindings) {
    for (uint64_t value : {b.set, b.binding, b.offset, b.stride, b.entry, b.count}) key.number(value);
    key.number(static_cast<uint64_t>(b.kind));
    const uint64_t fixed = b.immutable_samplers != nullptr ? uint64_t{b.count} * (abi::kSamplerDescriptorBytes / 4) : 0;
    key.number(fixed);
    for (uint64_t i = 0; i < fixed; ++i) key.number(b.immutable_samplers[i]);
  }
}

}  // namespace

const char* build_identifier() {
  return SPALT_BUILD_IDENTIFIER;
}

CompileKey compile_key(std::span<const uint32_t> words, const Options& options, object::MetadataVersion version,
                       Arena& scratch) {
  const ArenaScope scope(scratch);
  KeyBytes key(scratch);
  key.text(build_identifier());
  key.text(options.target->name);
  key.words(words);
  key.number(static_cast<uint64_t>(options.stage));
  key.text(options.entry_point);
  key.number(options.specialization.size());
  for (const spirv::Specialization& constant : options.specialization) {
    for (uint64_t value : {uint64_t{constant.id}, constant.value, uint64_t{constant.size}}) key.number(value);
  }
  key.number(options.layout ? 1 : 0);
  if (options.layout) add_layout(key, *options.layout);
  key.number(options.wave_size);
  for (uint32_t count : options.max_workgroups) key.number(count);
  key.number(options.wgp_mode);
  key.number(options.require_full_subgroups);
  key.number(options.pipeline.index());
  key.number(options.float_mode);
  key.number(options.max_vgprs);
  key.number(options.max_sgprs);
  key.number(options.max_unroll_instructions);
  key.number(static_cast<uint64_t>(version));
  // Not in: want_assembly, verify, stop_after, dump_after, dump_all, dump, cancel.
  return key.hash();
}

}  // namespace spalt::driver
