// SPDX-License-Identifier: MIT
#include "reference_step.h"

#include <cstring>

#include "reference/reference.h"
#include "vkrun/compare.h"

namespace spalt::run {
namespace {

void put(std::string& out, const void* data, size_t size) {
  const auto length = static_cast<uint64_t>(size);
  out.append(reinterpret_cast<const char*>(&length), sizeof(length));
  out.append(static_cast<const char*>(data), size);
}

std::string take(const std::string& in, size_t& at) {
  uint64_t length = 0;
  std::memcpy(&length, in.data() + at, sizeof(length));
  at += sizeof(length) + length;
  return in.substr(at - length, length);
}

std::string serialize(const ReferenceResult& result) {
  std::string out;
  for (const auto& [name, words] : result.shaders) {
    put(out, name.data(), name.size());
    put(out, words.data(), words.size() * 4);
  }
  put(out, nullptr, 0);
  for (const std::vector<uint8_t>& bytes : result.contents) put(out, bytes.data(), bytes.size());
  return out;
}

/// What the C++ reference says, or nothing when the manifest names none.
std::optional<vkrun::BufferContents> cpp_reference(const vkrun::Manifest& manifest) {
  if (manifest.reference.empty()) return std::nullopt;
  const ReferenceFunction compute = find_reference(manifest.reference);
  if (compute == nullptr) throw vkrun::Error("there is no C++ reference '" + manifest.reference + "'");
  // Buffers without a check are scratch of the program; the reference need not know them.
  vkrun::BufferContents expected = vkrun::initial_contents(manifest);
  compute(manifest, expected);
  return expected;
}

}  // namespace

ReferenceResult read_reference(const std::string& in) {
  ReferenceResult result;
  size_t at = 0;
  for (std::string name = take(in, at); !name.empty(); name = take(in, at)) {
    const std::string bytes = take(in, at);
    std::vector<uint32_t>& words = result.shaders[name];
    words.resize(bytes.size() / 4);
    std::memcpy(words.data(), bytes.data(), bytes.size());
  }
  while (at < in.size()) {
    const std::string bytes = take(in, at);
    result.contents.emplace_back(bytes.begin(), bytes.end());
  }
  return result;
}

void check_independently(const vkrun::Manifest& manifest, const vkrun::BufferContents& actual) {
  if (const auto difference = vkrun::compare_expectations(manifest, actual)) throw vkrun::Error(*difference);
  const auto expected = cpp_reference(manifest);
  if (!expected) return;
  const auto difference = vkrun::compare_runs(manifest, *expected, actual);
  if (difference) throw vkrun::Error("C++ reference: " + *difference);
}

std::string run_reference(const std::string& path, vkrun::Variant variant, bool vulkan_1_2) {
  const vkrun::Manifest manifest = vkrun::load_manifest(path);
  ReferenceResult result;
  for (const vkrun::Dispatch& dispatch : manifest.dispatches) {
    if (result.shaders.contains(dispatch.shader)) continue;
    result.shaders[dispatch.shader] = vkrun::load_shader(manifest.folder + "/" + dispatch.shader, variant, vulkan_1_2);
  }
  // Where the driver is known to be wrong, the C++ reference (which a manifest with a driver bug must name) stands in.
  if (manifest.driver_bug.empty()) {
    result.contents = vkrun::VulkanRunner({.robust = manifest.robust}).run(manifest, result.shaders);
  } else {
    result.contents = *cpp_reference(manifest);
  }
  check_independently(manifest, result.contents);
  return serialize(result);
}

}  // namespace spalt::run
