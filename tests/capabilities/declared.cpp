// SPDX-License-Identifier: MIT
//
// Each capability and each extension of SPIR-V that the library reports must be declared by a shader whose results are
// judged: a program of tests/run or a scene. A capability brings its extensions with it, since newer versions of SPIR-V
// have those in them.
//
// usage: declared_capabilities FOLDER...   the last line is "N passed, N failed"
#include <spalt/spalt.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>
#include <spirv/unified1/spirv.hpp>
#include <string>
#include <vector>

#include "tools/shader_input/shader_input.h"
#include "tools/spalt/spirv_registry.h"

namespace {

struct Declared {
  std::set<uint32_t> capabilities;
  std::set<std::string> extensions;
};

constexpr size_t kHeaderWords = 5;

/// Literal strings end with a zero byte and fill whole words.
std::string text_of(const uint32_t* words, size_t count) {
  std::string text;
  for (size_t i = 0; i < count * 4; ++i) {
    const char c = static_cast<char>(words[i / 4] >> i % 4 * 8 & 0xff);
    if (c == 0) break;
    text += c;
  }
  return text;
}

void collect(const std::vector<uint32_t>& words, Declared& declared) {
  for (size_t at = kHeaderWords; at < words.size();) {
    const uint32_t opcode = words[at] & 0xffff, length = words[at] >> 16;
    if (length == 0 || at + length > words.size()) return;
    if (opcode == spv::OpCapability) declared.capabilities.insert(words[at + 1]);
    if (opcode == spv::OpExtension) declared.extensions.insert(text_of(&words[at + 1], length - 1));
    at += length;
  }
}

bool is_shader(const std::filesystem::path& path) {
  const std::string suffix = path.extension().string();
  return suffix == ".comp" || suffix == ".vert" || suffix == ".frag" || suffix == ".spvasm";
}

std::vector<std::string> shaders_in(const std::vector<std::string>& folders) {
  std::vector<std::string> files;
  for (const std::string& folder : folders) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file() && is_shader(entry.path())) files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Capabilities that others bring with them, so that compilers of today do not declare them.
struct Implied {
  uint32_t capability, by;
};
constexpr Implied kImplied[] = {
    {spv::CapabilityMatrix, spv::CapabilityShader},
    {spv::CapabilityVariablePointersStorageBuffer, spv::CapabilityVariablePointers},
    {spv::CapabilityShaderViewportIndexLayerEXT, spv::CapabilityShaderLayer},  // its name before SPIR-V 1.5
};

/// What all of them declare, in SPIR-V 1.6 or in 1.5, which names extensions that are in the former. A shader that
/// needs macros of a manifest is no module by itself and says nothing here.
Declared declared_by(const std::vector<std::string>& files) {
  Declared declared;
  for (const std::string& file : files) {
    for (const bool older : {false, true}) {
      shader_input::Options options;
      options.vulkan_1_2 = older;
      std::vector<uint32_t> words;
      std::string messages;
      if (shader_input::load(file, options, words, messages)) collect(words, declared);
    }
  }
  for (const Implied& implied : kImplied) {
    if (declared.capabilities.contains(implied.by)) declared.capabilities.insert(implied.capability);
  }
  for (const spalt_tool::RegistryCapability& capability : spalt_tool::registry_capabilities()) {
    if (!declared.capabilities.contains(capability.number)) continue;
    for (const std::string& extension : spalt_tool::extensions_of(capability)) declared.extensions.insert(extension);
  }
  return declared;
}

struct Counts {
  int passed = 0, failed = 0;

  void add(bool good, const char* kind, const char* name) {
    (good ? passed : failed) += 1;
    if (!good) std::printf("%s %s: reported, but no judged shader declares it\n", kind, name);
  }
};

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> folders(argv + 1, argv + argc);
  const Declared declared = declared_by(shaders_in(folders));
  Counts counts;
  spalt_target_info info{};
  info.struct_size = sizeof info;
  if (spalt_query_target(spalt_target_name(0), &info) != SPALT_SUCCESS) return 1;
  for (size_t i = 0; i < info.spirv_capability_count; ++i) {
    counts.add(declared.capabilities.contains(info.spirv_capabilities[i]), "capability",
               info.spirv_capability_names[i]);
  }
  for (size_t i = 0; i < info.spirv_extension_count; ++i) {
    counts.add(declared.extensions.contains(info.spirv_extension_names[i]), "extension", info.spirv_extension_names[i]);
  }
  std::printf("%d passed, %d failed\n", counts.passed, counts.failed);
  return counts.failed == 0 ? 0 : 1;
}
