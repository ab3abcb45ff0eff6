// SPDX-License-Identifier: MIT
#include "driver/compile_key.h"

#include <xxhash.h>

#include <bit>
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

void add_state(KeyBytes& key, const abi::GraphicsState& state) {
  key.number(state.attributes.size());
  for (const abi::VertexAttribute& a : state.attributes) {
    for (uint64_t value : {a.location, a.binding, a.format, a.offset, a.stride, uint32_t{a.per_instance}, a.divisor}) {
      key.number(value);
    }
  }
  for (uint64_t value :
       {state.topology, uint32_t{state.provoking_last}, uint32_t{state.rasterizer_discard}, state.samples,
        std::bit_cast<uint32_t>(state.min_sample_shading), uint32_t{state.alpha_to_coverage},
        uint32_t{state.alpha_to_one}, uint32_t{state.dual_source_blend}}) {
    key.number(value);
  }
  for (const abi::ColorTarget& t : state.targets) {
    for (uint64_t value : {t.format, uint32_t{t.write_mask}, uint32_t{t.blend}, uint32_t{t.blend_reads_alpha}}) {
      key.number(value);
    }
  }
}

void add_specialization(KeyBytes& key, const Vector<spirv::Specialization>& constants) {
  key.number(constants.size());
  for (const spirv::Specialization& constant : constants) {
    for (uint64_t value : {uint64_t{constant.id}, constant.value, uint64_t{constant.size}}) key.number(value);
  }
}

/// What compiling a vertex stage takes from it.
void add_next_stage(KeyBytes& key, const abi::PixelFacts& facts) {
  key.number(facts.parameters.size());
  for (const abi::PixelParameter& p : facts.parameters) {
    for (uint64_t value : {uint64_t{static_cast<uint8_t>(p.parameter.kind)}, uint64_t{p.parameter.number},
                           uint64_t{p.flat}, uint64_t{p.half}}) {
      key.number(value);
    }
  }
  key.words(facts.vertex_work);
}

void add_seam(KeyBytes& key, const abi::VertexSeam& seam) {
  key.number(seam.reads.size());
  for (const abi::AttributeRead& r : seam.reads) {
    for (uint64_t value : {uint64_t{r.location}, uint64_t{r.components}, uint64_t{r.integer}}) key.number(value);
  }
  key.number(seam.kept_sgprs);
}

void add_seam(KeyBytes& key, const abi::PixelSeam& seam) {
  key.number(seam.results.size());
  for (const abi::PixelResult& r : seam.results) {
    for (uint64_t value :
         {static_cast<uint64_t>(r.kind), uint64_t{r.location}, uint64_t{r.component}, static_cast<uint64_t>(r.type)}) {
      key.number(value);
    }
  }
  key.number(seam.kills);
}

void add_graphics(KeyBytes& key, const GraphicsPipelineFacts& facts) {
  add_state(key, facts.state);
  key.number(facts.derive_attributes);
  key.number(facts.primitive_shader);
  key.number(facts.body_only);
  key.number(facts.piece.index());
  if (const auto* seam = std::get_if<abi::VertexSeam>(&facts.piece)) add_seam(key, *seam);
  if (const auto* seam = std::get_if<abi::PixelSeam>(&facts.piece)) add_seam(key, *seam);
  key.number(facts.next_stage ? 1 : 0);
  if (facts.next_stage) add_next_stage(key, *facts.next_stage);
  key.number(facts.previous_stage ? 1 : 0);
  if (!facts.previous_stage) return;
  key.words(facts.previous_stage->words);
  key.text(facts.previous_stage->entry_point);
  add_specialization(key, facts.previous_stage->specialization);
  key.number(facts.previous_stage->attributes.size());
  for (const spirv::KnownAttribute& a : facts.previous_stage->attributes) {
    for (uint64_t value : {uint64_t{a.location}, uint64_t{a.missing}, uint64_t{a.per_instance}}) key.number(value);
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
  add_specialization(key, options.specialization);
  key.number(options.layout ? 1 : 0);
  if (options.layout) add_layout(key, *options.layout);
  key.number(options.address_high ? 1 : 0);
  key.number(options.address_high.value_or(0));
  key.number(options.wave_size);
  for (uint32_t count : options.max_workgroups) key.number(count);
  key.number(options.wgp_mode);
  key.number(options.require_full_subgroups);
  key.number(options.pipeline.index());
  if (options.graphics() != nullptr) add_graphics(key, *options.graphics());
  key.number(options.float_mode);
  key.number(options.strict_floats);
  key.number(options.max_vgprs);
  key.number(options.max_sgprs);
  key.number(options.max_unroll_instructions);
  key.number(static_cast<uint64_t>(options.tier));
  key.number(options.printf ? 1 : 0);
  if (options.printf) {
    for (uint32_t value : {options.printf->set, options.printf->binding, options.printf->first_message}) {
      key.number(value);
    }
  }
  key.number(static_cast<uint64_t>(version));
  // Not in: want_assembly, want_part_times, want_origins, verify, stop_after, dump_after, dump_all, dump, cancel.
  return key.hash();
}

}  // namespace spalt::driver
