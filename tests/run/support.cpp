// SPDX-License-Identifier: MIT
#include "support.h"

#ifdef SPALT_RUN_EMULATOR

#include <spalt/spalt.h>

#include <algorithm>
#include <set>
#include <span>

namespace spalt::run {
namespace {

constexpr uint32_t kOpCapability = 17;

std::set<uint32_t> capabilities_of(const std::vector<uint32_t>& words) {
  std::set<uint32_t> capabilities;
  for (size_t at = 5; at + 1 < words.size() && (words[at] & 0xffff) == kOpCapability; at += 2) {
    capabilities.insert(words[at + 1]);
  }
  return capabilities;
}

uint32_t kinds_of(const vkrun::Manifest& manifest) {
  uint32_t kinds = 0;
  for (const vkrun::BufferDesc& buffer : manifest.buffers) {
    if (buffer.format != nullptr) kinds |= 1u << SPALT_BINDING_TYPED_BUFFER;
  }
  for (const vkrun::ImageDesc& image : manifest.images) {
    for (const vkrun::ImageBinding& binding : image.bindings) {
      const bool combined = binding.use == vkrun::ImageUse::Combined;
      kinds |= 1u << (combined ? SPALT_BINDING_COMBINED_IMAGE_SAMPLER : SPALT_BINDING_IMAGE);
    }
  }
  for (const vkrun::SamplerDesc& sampler : manifest.samplers) {
    if (sampler.is_bound) kinds |= 1u << SPALT_BINDING_SAMPLER;
  }
  return kinds;
}

/// What the compiler cannot do in this module, in its words; empty when it can. Other failures are none of this.
std::string refusal(const std::vector<uint32_t>& words, const std::string& target) {
  spalt_compiler_create_info create{};
  create.struct_size = sizeof create;
  create.target = target.c_str();
  spalt_compiler* compiler = nullptr;
  if (spalt_compiler_create(&create, &compiler) != SPALT_SUCCESS) return "";
  spalt_compile_info info{};
  info.struct_size = sizeof info;
  info.words = words.data();
  info.word_count = words.size();
  spalt_compilation* compilation = nullptr;
  const spalt_result result = spalt_compile_stage(compiler, &info, &compilation);
  std::string reason;
  spalt_diagnostic diagnostic{};
  diagnostic.struct_size = sizeof diagnostic;
  if (result == SPALT_ERROR_UNSUPPORTED && spalt_compilation_diagnostic(compilation, 0, &diagnostic) == SPALT_SUCCESS) {
    reason = diagnostic.message;
  }
  spalt_compilation_destroy(compilation);
  spalt_compiler_destroy(compiler);
  return reason;
}

}  // namespace

void check_support(const vkrun::Manifest& manifest, const vkrun::ShaderWords& shaders, const std::string& target) {
  if (!manifest.has_images()) return;
  spalt_target_info info{};
  info.struct_size = sizeof info;
  if (spalt_query_target(target.c_str(), &info) != SPALT_SUCCESS) throw vkrun::Error("no such target: " + target);
  const uint32_t missing = kinds_of(manifest) & ~info.binding_kinds;
  for (uint32_t kind = 0; kind < SPALT_BINDING_KIND_COUNT; ++kind) {
    if ((missing >> kind & 1) != 0) throw NotThere("the compiler has no bindings of kind " + std::to_string(kind));
  }
  const std::span known(info.spirv_capabilities, info.spirv_capability_count);
  for (const auto& [name, words] : shaders) {
    for (const uint32_t capability : capabilities_of(words)) {
      if (std::binary_search(known.begin(), known.end(), capability)) continue;
      throw NotThere("the compiler has not SPIR-V capability " + std::to_string(capability));
    }
    if (const std::string reason = refusal(words, target); !reason.empty()) throw NotThere(reason);
  }
}

}  // namespace spalt::run

#else  // the compiler or the emulator is not part of this build

namespace spalt::run {

void check_support(const vkrun::Manifest&, const vkrun::ShaderWords&, const std::string&) {}

}  // namespace spalt::run

#endif
